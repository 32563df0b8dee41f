//! `cargo xtask bench`: what takes how long, in the core and in the page.

use std::path::Path;

use crate::{
    build, competition, console,
    failure::{Failure, Result},
    latency,
    report::Report,
    setup::{self, Scope, Tools},
    site,
    test::files_ending_with,
};

/// Runs the benchmarks whose name contains one of `names`, or all.
pub fn run(root: &Path, names: &[String]) -> Result<bool> {
    let tools = setup::set_up(root, Scope::Browser)?;
    let wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut report = Report::default();
    let mut found =
        core(root, &tools, &mut report, &wanted)? + page(root, &tools, &mut report, &wanted)?;
    if wanted("latency") {
        latency::run(root, &tools, &mut report)?;
        found += 1;
    }
    if found == 0 {
        return Err(Failure::new(
            format!("no benchmark has a name like {}.", names.join(" or ")),
            "see the files in benches/ and crates/core/benches/ for the names.",
        ));
    }
    Ok(report.close_all())
}

fn core(
    root: &Path,
    tools: &Tools,
    report: &mut Report,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<usize> {
    let benches = benches_in(
        &root.join("crates").join("core").join("benches"),
        ".rs",
        wanted,
    )?;
    for name in &benches {
        let mut command = tools.command("cargo");
        command
            .current_dir(root)
            .args(["bench", "--package", "taskloom-core", "--bench", name]);
        report.stage(name, &mut command)?;
    }
    Ok(benches.len())
}

fn page(
    root: &Path,
    tools: &Tools,
    report: &mut Report,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<usize> {
    let folder = root.join("benches");
    let benches = benches_in(&folder, ".mjs", wanted)?;
    if benches.is_empty() {
        return Ok(0);
    }
    let Some(browser) = &tools.browser else {
        return Err(Failure::new(
            "the page's benchmarks need Chromium.",
            "install Chromium or Google Chrome, or name it in TASKLOOM_CHROMIUM.",
        ));
    };
    console::line("Page");
    build::release_page(root, tools)?;
    let address = site::serve_in_background(build::page_folder(root))?;
    for name in &benches {
        let mut command = tools.command("node");
        command
            .current_dir(root)
            .arg(folder.join(format!("{name}.mjs")))
            .env("TASKLOOM_CHROMIUM", &browser.chromium)
            .env("TASKLOOM_URL", &address);
        if name == "canvas" {
            setup::packages(&folder.join(name), "React Flow")?;
            command.env("TASKLOOM_PROGRAM", competition::build(root)?);
        }
        report.stage(name, &mut command)?;
    }
    Ok(benches.len())
}

/// The names, without their ending, of the benchmarks in a folder that may not exist.
fn benches_in(folder: &Path, ending: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    Ok(files_ending_with(folder, ending)?
        .iter()
        .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
        .filter(|name| wanted(name))
        .collect())
}
