//! Plans one problem and validates the plan, each in a separate process.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
};

use crate::{Arguments, Result, on, problems::Problem, shuffle::shuffled};

/// The address space of a planning process, in kB: the competition's 8 GB.
const ADDRESS_SPACE: u32 = 8 << 20;
/// The search's memory limit within it.
const SEARCH_MEMORY: &str = "6G";
/// Seconds of CPU time past its limit after which a process is killed.
const GRACE: u32 = 20;

/// The result of a problem.
pub struct Planned {
    pub end: End,
    pub steps: u64,
    numbers: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Valid,
    /// There is provably no plan.
    NoPlan,
    GaveUp,
    /// The process was killed, ran out of memory, or rejected its input.
    Broken,
    /// The validator rejected the plan.
    Invalid,
}

impl End {
    pub const ALL: [Self; 5] = [
        Self::Valid,
        Self::NoPlan,
        Self::GaveUp,
        Self::Broken,
        Self::Invalid,
    ];

    /// Returns its name in a results file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Valid => "plan",
            Self::NoPlan => "no plan",
            Self::GaveUp => "gave up",
            Self::Broken => "broken",
            Self::Invalid => "invalid",
        }
    }

    pub fn is_solved(self) -> bool {
        matches!(self, Self::Valid | Self::NoPlan)
    }
}

impl Planned {
    /// Plans, shuffles the plan, and validates it.
    pub fn run(
        program: &Path,
        plans: &Path,
        problem: &Problem,
        arguments: &Arguments,
    ) -> Result<Self> {
        let plan = plans.join(format!("{}.plan", problem.name.replace('/', "--")));
        let mut command = limited(program, arguments.time_limit + GRACE);
        command
            .arg("plan")
            .args([&problem.domain, &problem.problem])
            .args(["--strategy", arguments.strategy.name(), "--format", "ipc"])
            .args(["--statistics", "--memory-limit", SEARCH_MEMORY])
            .args(["--time-limit", &arguments.time_limit.to_string()]);
        let (code, errors) = ended(&mut command, &plan)?;
        let text = on(&plan, fs::read_to_string(&plan))?;
        let end = match code {
            Some(0) => {
                on(&plan, fs::write(&plan, shuffled(&text)))?;
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
        Ok(Self {
            end,
            steps: steps(&text),
            numbers: numbers(&errors),
        })
    }

    pub fn number(&self, name: &str) -> f64 {
        self.numbers.get(name).copied().unwrap_or(0.0)
    }

    /// Returns the total time without the second validation, which is a separate process.
    pub fn seconds(&self) -> f64 {
        let parts = ["read", "compile", "search", "validate"];
        parts.iter().map(|part| self.number(part)).sum()
    }

    pub fn is_solved(&self) -> bool {
        self.end.is_solved()
    }
}

/// Returns the number of actions of a plan in the competition's format.
fn steps(plan: &str) -> u64 {
    let lines = plan.lines().skip_while(|line| *line != "==>").skip(1);
    let lines = lines.take_while(|line| *line != "<==");
    let steps = lines.filter(|line| !line.starts_with("root") && !line.contains(" -> "));
    steps.count() as u64
}

/// Parses `statistics: decisions 22, memory 9216, search 0.003` as numbers by name.
fn numbers(errors: &str) -> BTreeMap<String, f64> {
    let mut lines = errors.lines();
    let line = lines.find_map(|line| line.strip_prefix("statistics: "));
    let parts = line.unwrap_or_default().split(", ");
    let parts = parts.filter_map(|part| part.rsplit_once(' '));
    parts
        .filter_map(|(name, number)| Some((name.to_owned(), number.parse().ok()?)))
        .collect()
}

/// Returns a command that runs the program with a limit of CPU seconds and 8 GB of address space,
/// if there is a shell that sets such limits.
fn limited(program: &Path, seconds: u32) -> Command {
    if cfg!(windows) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    let script = format!("ulimit -t {seconds}; ulimit -v {ADDRESS_SPACE}; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(program);
    command
}

/// Runs a process and returns its exit status, if it exited, and its errors. Its output goes to a
/// file.
fn ended(command: &mut Command, output: &Path) -> Result<(Option<i32>, String)> {
    let file = on(output, File::create(output))?;
    command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::piped());
    let run = command
        .spawn()
        .and_then(|process| process.wait_with_output());
    let ended = run.map_err(|error| format!("could not run {command:?}: {error}"))?;
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    Ok((ended.status.code(), errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_numbers_by_name() {
        let numbers = numbers("a warning\nstatistics: decisions 22, search 0.003\n");
        assert_eq!(numbers["decisions"], 22.0);
        assert_eq!(numbers["search"], 0.003);
    }

    #[test]
    fn counts_only_actions_as_steps() {
        let plan = "==>\n0 a\n1 b\nroot 4\n4 x -> m 0 1\n<==\n2 c\n";
        assert_eq!(steps(plan), 2);
    }
}
