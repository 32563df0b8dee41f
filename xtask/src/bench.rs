//! `cargo xtask bench`: benchmarks of the core, of the page, and on the planning competition's
//! problems.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    failure::{Failure, Result},
    files,
    page::{self, Build},
    process,
    report::Report,
    serve,
    setup::{self, Scope, TARGET, Tools},
};

/// The option for the commit to compare with.
const AGAINST: &str = "--against";

/// Runs the benchmarks whose name contains one of `names`, or all; or the package benches/planning.
pub fn run(root: &Path, names: &[String]) -> Result<bool> {
    let mut names = names.to_vec();
    let earlier = match names.iter().position(|name| name == AGAINST) {
        Some(at) if at + 1 < names.len() => names.drain(at..at + 2).nth(1),
        Some(_) => {
            let what = format!("{AGAINST} needs a commit.");
            return Err(Failure::new(what, "add one, such as `main`."));
        }
        None => None,
    };
    let names = &names[..];
    if let Some((first, arguments)) = names.split_first()
        && first == "planning"
    {
        let mut cargo = Command::new("cargo");
        cargo.args(["run", "--quiet", "--package", "planning", "--"]);
        return process::succeeds(cargo.args(arguments).env_remove("CARGO").current_dir(root));
    }
    let is_wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let named = |folder: &str, ending: &str| -> Result<Vec<String>> {
        let files = files::files_ending_with(&root.join(folder), ending)?;
        let files = files.iter().filter_map(|file| file.file_stem());
        let all = files.map(|name| name.to_string_lossy().into_owned());
        Ok(all.filter(|name| is_wanted(name)).collect())
    };
    let of_core = named("crates/taskloom/benches", ".rs")?;
    let of_page = named("benches", ".mjs")?;
    let of_both: Vec<&str> = ["latency", "goals", "crowd"]
        .into_iter()
        .filter(|name| is_wanted(name))
        .collect();
    if of_core.is_empty() && of_page.is_empty() && of_both.is_empty() {
        return Err(Failure::new(
            format!("no benchmark's name contains {}.", names.join(" or ")),
            "see benches/ and crates/taskloom/benches/ for the names.",
        ));
    }
    let tools = match of_both.contains(&"goals") {
        true => setup::with_planners(root, Scope::Browser)?,
        false => setup::in_scope(root, Scope::Browser)?,
    };
    let mut report = Report::new(tools.missing.clone());
    for name in &of_core {
        let line = format!("cargo bench --package taskloom --bench {name}");
        report.stage(name, &mut tools.command(&line));
    }
    if !of_page.is_empty() {
        benches_of_page(&tools, &of_page, earlier.as_deref(), &mut report)?;
    }
    if !of_both.is_empty() {
        compare_with_wasm(&tools, &of_both, &mut report)?;
    }
    if of_both.contains(&"goals") {
        compare_with_planners(&tools, &mut report);
    }
    Ok(report.close())
}

fn benches_of_page(
    tools: &Tools,
    names: &[String],
    earlier: Option<&str>,
    report: &mut Report,
) -> Result<()> {
    if !tools.has("TASKLOOM_CHROMIUM") {
        return Err(Failure::new(
            "the page's benchmarks need Chromium.",
            "install Chromium or Google Chrome, or set its path in TASKLOOM_CHROMIUM.",
        ));
    }
    println!("Page");
    page::build(tools, Build::Release, &[])?;
    let address = serve::in_background(tools, Build::Release)?;
    let mut folders = vec![tools.root.join(Build::Release.folder())];
    if let Some(commit) = earlier {
        folders.push(page_of(tools, commit)?);
    }
    for name in names {
        let mut node = tools.command(&format!("node benches/{name}.mjs"));
        node.env("TASKLOOM_URL", &address);
        if name == "start"
            && let Ok(folders) = env::join_paths(&folders)
        {
            node.env("TASKLOOM_DIST", folders);
        }
        if name == "canvas" {
            setup::npm_packages(tools, "benches/canvas")?;
        }
        if name == "canvas" || name == "typing" {
            let mut build = tools.command("cargo build --package taskloom-cli --profile fast");
            report.stage(&format!("{name}: the command line"), &mut build);
            node.env("TASKLOOM_PROGRAM", program(&target(tools), "taskloom"));
        }
        report.stage(name, &mut node);
    }
    Ok(())
}

/// Returns the folder of the page for hosting of an earlier commit, which is built once.
fn page_of(tools: &Tools, commit: &str) -> Result<PathBuf> {
    let unknown = || Failure::new(format!("there is no commit {commit}."), "name another one.");
    let mut parse = tools.command("git rev-parse --short=8 --verify");
    let commit = process::answer(parse.arg(format!("{commit}^{{commit}}"))).ok_or_else(unknown)?;
    let folder = target(tools).join("earlier").join(&commit);
    let page = folder.join("dist");
    if !page.join("index.html").is_file() {
        println!("   building the page of {commit}, once");
        if !folder.is_dir() {
            let mut add = tools.command("git worktree add --detach");
            process::run(add.arg(&folder).arg(&commit), "see the reason above.")?;
        }
        let mut trunk = tools.wasm_command("trunk build --offline --release");
        process::run(trunk.current_dir(&folder), "see the reason above.")?;
    }
    Ok(page)
}

/// Compares planning times natively and in WebAssembly under node: builds the package
/// benches/latency for both and runs `run.mjs`, `goals.mjs` for planning for goals, or `crowd.mjs`
/// for the ticks of a crowd.
fn compare_with_wasm(tools: &Tools, names: &[&str], report: &mut Report) -> Result<()> {
    let target = target(tools);
    let build = "cargo build --package latency --profile fast";
    let for_wasm = format!("{build} --lib --target {TARGET}");
    let mut bind = tools.command("wasm-bindgen --target nodejs --out-dir");
    bind.arg(target.join("latency"))
        .arg(target.join(TARGET).join("fast/latency.wasm"));
    let is_built = report.stage("latency: native", &mut tools.command(build))
        && report.stage("latency: wasm", &mut tools.wasm_command(&for_wasm))
        && report.stage("latency: bind", &mut bind);
    for name in names.iter().filter(|_| is_built) {
        let script = if *name == "latency" { "run" } else { name };
        let mut node = tools.command(&format!("node benches/latency/{script}.mjs"));
        if *name != "crowd" {
            node.arg(program(&target, "latency"));
        }
        node.arg(target.join("latency/latency.js"));
        if *name == "latency" {
            let examples = tools.root.join("public/examples");
            node.args(files::files_ending_with(&examples, ".taskloom.json")?);
        }
        report.stage(&format!("{name}: WebAssembly"), &mut node);
    }
    Ok(())
}

/// Solves generated problems with goals, and compares with Fast Downward: the package
/// benches/goals.
fn compare_with_planners(tools: &Tools, report: &mut Report) {
    let build = "cargo build --package taskloom-cli --package goal-benchmark --profile fast";
    if report.stage("goals: build", &mut tools.command(build)) {
        let target = target(tools);
        let mut benchmark = Command::new(program(&target, "goal-benchmark"));
        benchmark.current_dir(&tools.root).arg("--program");
        benchmark.arg(program(&target, "taskloom"));
        if let Some(python) = tools.program("TASKLOOM_PYTHON") {
            benchmark.arg("--python").arg(python);
        }
        report.stage("goals: generated problems", &mut benchmark);
    }
}

/// Returns cargo's target folder.
fn target(tools: &Tools) -> PathBuf {
    let chosen = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    chosen.unwrap_or_else(|| tools.root.join("target"))
}

/// Returns the path of a program built with the profile `fast`.
fn program(target: &Path, name: &str) -> PathBuf {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    target.join("fast").join(file)
}
