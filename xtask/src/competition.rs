//! `cargo xtask bench planning`: every problem of the planning competition, a process each, and a table by domain.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    args::Planning,
    children, console,
    failure::{Failure, OnPath, Result},
    process,
};

/// Address space of a planning process, in kB: the competition's 8 GB.
const ADDRESS_SPACE: u32 = 8 << 20;
/// What the search may hold of it.
const SEARCH_MEMORY: &str = "6G";
/// Seconds of processor time after which a process that overlooked its limit is ended.
const GRACE: u32 = 20;

/// A problem with its domain.
struct Problem {
    /// `total-order/Rover/pfile02`.
    name: String,
    domain: PathBuf,
    problem: PathBuf,
}

/// What became of a problem.
struct Planned {
    end: End,
    steps: u64,
    numbers: BTreeMap<String, f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Valid,
    /// It is proved that there is no plan.
    NoPlan,
    GaveUp,
    /// The process was ended, ran out of memory, or refused its input.
    Broken,
    /// The validator refuses the plan.
    Invalid,
}

pub fn run(root: &Path, planning: &Planning) -> Result<bool> {
    let folder = folder(root)?;
    let mut problems = vec![];
    find_problems(&folder, &folder, &mut problems)?;
    problems.retain(|problem| {
        planning.names.is_empty() || planning.names.iter().any(|n| problem.name.contains(n))
    });
    if problems.is_empty() {
        return Err(Failure::new(
            format!("there are no such problems in {}.", folder.display()),
            "name a folder of domains in TASKLOOM_IPC, or part of a problem's name.",
        ));
    }
    let program = build(root)?;
    let plans = root.join("target").join("xtask").join("planning");
    fs::create_dir_all(&plans).on("create", &plans)?;
    let planned = Mutex::new(vec![]);
    let next = AtomicUsize::new(0);
    thread::scope(|threads| {
        for _ in 0..planning.jobs {
            threads.spawn(|| {
                while let Some(problem) = problems.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = plan_and_validate(&program, &plans, problem, planning);
                    let mut planned = planned.lock().unwrap_or_else(PoisonError::into_inner);
                    planned.push((&*problem.name, one));
                    let count = format!("{}/{}", planned.len(), problems.len());
                    if let Some((name, Ok(one))) = planned.last() {
                        console::line(&format!("{count:>7}  {}", line(name, one)));
                    }
                }
            });
        }
    });
    let planned = planned.into_inner().unwrap_or_else(PoisonError::into_inner);
    let planned = planned.into_iter().map(|(name, one)| Ok((name, one?)));
    let mut planned: Vec<(&str, Planned)> = planned.collect::<Result<_>>()?;
    planned.sort_by_key(|(name, _)| *name);
    table(&planned, planning);
    Ok(planned.iter().all(|(_, one)| one.end != End::Invalid))
}

/// The competition's files, or our own.
fn folder(root: &Path) -> Result<PathBuf> {
    let named = env::var_os("TASKLOOM_IPC").map(PathBuf::from);
    let beside = root.join("..").join("shared").join("ipc2020");
    let own = root.join("tests").join("hddl");
    let mut candidates = named.into_iter().chain([beside, own]);
    candidates.find(|folder| folder.is_dir()).ok_or_else(|| {
        Failure::new(
            "there is no folder of planning problems.",
            "name one in TASKLOOM_IPC.",
        )
    })
}

/// A domain is `domain.hddl` beside its problems, or `NAME-domain.hddl` beside `NAME.hddl`.
fn find_problems(top: &Path, folder: &Path, found: &mut Vec<Problem>) -> Result<()> {
    let entries = fs::read_dir(folder).on("list", folder)?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        // Small files that exercise the language are no benchmark.
        if file.is_dir() && !file.ends_with("feature-tests") {
            find_problems(top, &file, found)?;
        }
        let relative = file.strip_prefix(top).unwrap_or(&file).to_string_lossy();
        let Some(name) = relative.strip_suffix(".hddl") else {
            continue;
        };
        let own = file.with_file_name(format!(
            "{}-domain.hddl",
            file.file_stem().unwrap_or_default().to_string_lossy()
        ));
        let shared = file.with_file_name("domain.hddl");
        let Some(domain) = [own, shared].into_iter().find(|domain| domain.is_file()) else {
            continue;
        };
        if domain != file && !name.ends_with("-domain") {
            found.push(Problem {
                name: name.replace('\\', "/"),
                domain,
                problem: file.clone(),
            });
        }
    }
    Ok(())
}

/// Builds the command line to run fast, and says where it is.
pub fn build(root: &Path) -> Result<PathBuf> {
    process::require(
        "building the command line",
        Command::new("cargo")
            .current_dir(root)
            .args(["build", "--package", "taskloom-cli", "--profile", "fast"])
            .env_remove("CARGO"),
        "correct the mistake that the lines above show.",
    )?;
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root.join("target"));
    let built = target
        .join("fast")
        .join(format!("taskloom{}", env::consts::EXE_SUFFIX));
    // Another build may replace it while this takes its time.
    let copy = root.join("target").join("xtask").join("taskloom");
    fs::create_dir_all(copy.parent().unwrap_or(root)).on("create", &copy)?;
    // A program that runs cannot be written to, but its name can be taken over.
    let fresh = copy.with_extension(std::process::id().to_string());
    fs::copy(&built, &fresh).on("copy", &built)?;
    fs::rename(&fresh, &copy).on("replace", &copy)?;
    Ok(copy)
}

fn plan_and_validate(
    program: &Path,
    plans: &Path,
    problem: &Problem,
    planning: &Planning,
) -> Result<Planned> {
    let plan = plans.join(format!("{}.plan", problem.name.replace('/', "--")));
    let mut command = limited(program, planning.time_limit + GRACE);
    command
        .arg("plan")
        .args([&problem.domain, &problem.problem])
        .args(["--strategy", &planning.strategy, "--format", "ipc"])
        .args(["--statistics", "--memory-limit", SEARCH_MEMORY])
        .args(["--time-limit", &planning.time_limit.to_string()]);
    let (code, told) = ended(&mut command, &plan)?;
    let end = match code {
        Some(0) => {
            let text = fs::read_to_string(&plan).on("read", &plan)?;
            fs::write(&plan, shuffled(&text)).on("write", &plan)?;
            let mut command = limited(program, 600);
            command.arg("validate");
            command.args([&problem.domain, &problem.problem, &plan]);
            match ended(&mut command, &plan.with_extension("verdict"))?.0 {
                Some(0) => End::Valid,
                _ => End::Invalid,
            }
        }
        Some(1) => End::NoPlan,
        Some(3) => End::GaveUp,
        _ => End::Broken,
    };
    let text = fs::read_to_string(&plan).on("read", &plan)?;
    let steps = text.lines().skip_while(|line| *line != "==>").skip(1);
    let steps = steps.take_while(|line| *line != "<==");
    let steps = steps
        .filter(|line| !line.starts_with("root") && !line.contains(" -> "))
        .count();
    Ok(Planned {
        end,
        steps: steps as u64,
        numbers: numbers(&told),
    })
}

/// A plan with its lines and the ids in them in another order, always the same one: no order but that of the steps means
/// anything.
fn shuffled(plan: &str) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = move |limit: usize| {
        // Marsaglia's xorshift64* (2003, after Vigna 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    };
    let mut shuffle = |words: &mut [String]| {
        for at in (1..words.len()).rev() {
            words.swap(at, below(at + 1));
        }
    };
    let mut shuffled_line = |line: &str, ids_from: usize| {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        shuffle(words.get_mut(ids_from..).unwrap_or_default());
        words.join(" ")
    };
    let (mut steps, mut others) = (vec![], vec![]);
    let inside = plan.lines().skip_while(|line| *line != "==>").skip(1);
    for line in inside.take_while(|line| *line != "<==") {
        let arrow = line.split_whitespace().position(|word| word == "->");
        match (line.starts_with("root"), arrow) {
            (true, _) => others.push(shuffled_line(line, 1)),
            (false, Some(arrow)) => others.push(shuffled_line(line, arrow + 2)),
            (false, None) => steps.push(line.to_owned()),
        }
    }
    shuffle(&mut others);
    let lines = ["==>".to_owned()].into_iter().chain(steps).chain(others);
    lines
        .chain(["<==\n".to_owned()])
        .collect::<Vec<_>>()
        .join("\n")
}

/// The program with at most so many seconds of processor time and 8 GB of addresses, where there is a shell that sets
/// such limits.
fn limited(program: &Path, seconds: u32) -> Command {
    if cfg!(windows) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    let script = format!("ulimit -t {seconds}; ulimit -v {ADDRESS_SPACE}; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(program);
    command
}

/// Runs a process: its exit status, if it ended by itself, and its errors. Its output goes to a file.
fn ended(command: &mut Command, output: &Path) -> Result<(Option<i32>, String)> {
    let file = File::create(output).on("create", output)?;
    command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::piped());
    let shown = process::shown(command);
    let failed = |error: std::io::Error| {
        Failure::new(
            format!("could not run {shown}: {error}."),
            "run the same command again.",
        )
    };
    let mut running = children::spawn(command).map_err(&failed)?;
    let mut told = String::new();
    if let Some(mut errors) = running.child.stderr.take() {
        // What is no text says nothing to us.
        let _ = errors.read_to_string(&mut told);
    }
    let status = running.child.wait().map_err(&failed)?;
    Ok((status.code(), told))
}

/// `statistics: decisions 22, memory 9216, search 0.003` as numbers by name.
fn numbers(told: &str) -> BTreeMap<String, f64> {
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("statistics: "));
    let parts = line.unwrap_or_default().split(", ");
    let parts = parts.filter_map(|part| part.rsplit_once(' '));
    parts
        .filter_map(|(name, number)| Some((name.to_owned(), number.parse().ok()?)))
        .collect()
}

impl Planned {
    fn number(&self, name: &str) -> f64 {
        self.numbers.get(name).copied().unwrap_or(0.0)
    }

    /// All but the second validation, in a process of its own.
    fn seconds(&self) -> f64 {
        let parts = ["read", "compile", "search", "validate"];
        parts.iter().map(|part| self.number(part)).sum()
    }

    fn is_solved(&self) -> bool {
        matches!(self.end, End::Valid | End::NoPlan)
    }
}

fn line(name: &str, one: &Planned) -> String {
    let end = match one.end {
        End::Valid => format!("{} steps", one.steps),
        End::NoPlan => "no plan".to_owned(),
        End::GaveUp => "gave up".to_owned(),
        End::Broken => "BROKEN".to_owned(),
        End::Invalid => "INVALID".to_owned(),
    };
    format!(
        "{name:<60} {end:>13} {:>9.3} s {:>12} decisions {:>7} MB",
        one.seconds(),
        one.number("decisions"),
        one.number("resident") as u64 >> 20,
    )
}

/// One row a domain, one a track, and one for all.
fn table<'a>(planned: &'a [(&'a str, Planned)], planning: &Planning) {
    console::line(&format!(
        "\n{:<46} {:>7} {:>7} {:>9} {:>9} {:>12} {:>8}",
        "domain", "solved", "no plan", "seconds", "steps", "decisions", "peak MB"
    ));
    let mut groups: Vec<(&str, Vec<&Planned>)> = vec![];
    let of_domain = |name: &'a str| name.rfind('/').map_or("", |end| &name[..end]);
    let of_track = |name: &'a str| name.find('/').map_or("", |end| &name[..end]);
    let keys: [&dyn Fn(&'a str) -> &'a str; 3] = [&of_domain, &of_track, &|_| "all"];
    for key in keys {
        let mut own: BTreeMap<&str, Vec<&Planned>> = BTreeMap::new();
        for (name, one) in planned {
            own.entry(key(name)).or_default().push(one);
        }
        groups.extend(own);
    }
    for (group, members) in groups {
        let count =
            |wanted: &dyn Fn(&Planned) -> bool| members.iter().filter(|m| wanted(m)).count();
        let sum = |value: &dyn Fn(&Planned) -> f64| members.iter().map(|m| value(m)).sum::<f64>();
        let peak = members.iter().map(|m| m.number("resident") as u64).max();
        console::line(&format!(
            "{group:<46} {:>7} {:>7} {:>9.2} {:>9} {:>12} {:>8}",
            format!("{}/{}", count(&Planned::is_solved), members.len()),
            count(&|m| m.end == End::NoPlan),
            sum(&Planned::seconds),
            sum(&|m| m.steps as f64),
            sum(&|m| m.number("decisions")),
            peak.unwrap_or(0) >> 20,
        ));
    }
    let broken = planned
        .iter()
        .filter(|(_, one)| matches!(one.end, End::Broken | End::Invalid));
    for (name, one) in broken {
        console::line(&line(name, one));
    }
    console::line(&format!(
        "\nstrategy {}, {} s of processor time and 8 GB a problem, {} at a time; plans are in target/xtask/planning",
        planning.strategy, planning.time_limit, planning.jobs
    ));
}
