//! `cargo xtask test`: everything that continuous integration demands.
//!
//! A test that needs another program finds it in a variable: `TASKLOOM_PYTHON` (with unified-planning and up-aries),
//! `TASKLOOM_MCS` and `TASKLOOM_MONO`, `TASKLOOM_CHROMIUM`. Where the variable is absent the test appends a line with its
//! name and the reason to the file that `TASKLOOM_SKIPPED` names, if any, and returns: it is then reported as skipped.
//! Journeys run in `TASKLOOM_HEADLESS_SHELL`, Chromium without windows, where there is one, and in Chromium where not.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    build, check,
    failure::{Failure, OnPath, Result},
    report::Report,
    setup::{self, Scope, Tools},
    site,
};

pub fn run(root: &Path) -> Result<bool> {
    let tools = setup::set_up(root, Scope::Everything)?;
    let mut report = Report::default();
    check::format_and_lints(root, &tools, &mut report)?;
    host_tests(root, &tools, &mut report)?;
    tests_in_the_browser(root, &tools, &mut report)?;
    if report.work("release page", || build::release_page(root, &tools)) {
        journeys(root, &tools, &mut report)?;
    } else {
        report.skip("end-to-end tests: the page could not be built".into());
    }
    Ok(report.close_all())
}

fn host_tests(root: &Path, tools: &Tools, report: &mut Report) -> Result<()> {
    let folder = root.join("target").join("xtask");
    fs::create_dir_all(&folder).on("create", &folder)?;
    let skipped = folder.join("skipped.txt");
    fs::write(&skipped, "").on("write", &skipped)?;
    let mut command = tools.command("cargo");
    command
        .current_dir(root)
        .args(["test", "--workspace", "--profile", "thorough"])
        .arg("--no-fail-fast")
        .env("TASKLOOM_SKIPPED", &skipped)
        .env("TASKLOOM_FUZZ_COUNT", "1000000")
        .env("TASKLOOM_MUTATIONS", "1000000")
        // Each is read, planned and written again: a million take two minutes.
        .env("TASKLOOM_DAMAGED_PLANS", "100000")
        .env("TASKLOOM_SEQUENCES", "10000");
    offer(&mut command, "TASKLOOM_PYTHON", tools.python.as_deref());
    offer(
        &mut command,
        "TASKLOOM_MCS",
        tools.mono.as_ref().map(|mono| mono.compiler.as_path()),
    );
    offer(
        &mut command,
        "TASKLOOM_MONO",
        tools.mono.as_ref().map(|mono| mono.runtime.as_path()),
    );
    report.stage("tests", &mut command)?;
    let names = fs::read_to_string(&skipped).on("read", &skipped)?;
    report.skip_passed(names.lines().map(String::from).collect());
    Ok(())
}

/// The editor's own tests, which need a page around them.
fn tests_in_the_browser(root: &Path, tools: &Tools, report: &mut Report) -> Result<()> {
    let (Some(runner), Some(driver)) = (
        &tools.test_runner,
        tools
            .browser
            .as_ref()
            .and_then(|browser| browser.driver.as_ref()),
    ) else {
        report.skip("tests in the browser: they need Chromium and chromedriver".into());
        return Ok(());
    };
    let mut command = tools.wasm_command("cargo");
    command
        .current_dir(root)
        .args([
            "test",
            "--package",
            "taskloom",
            "--target",
            "wasm32-unknown-unknown",
            "--bins",
        ])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("CHROMEDRIVER", driver)
        // The runner rewrites the whole program before it starts, which takes half a minute with debug information.
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120");
    if root.join("src").join("lib.rs").is_file() {
        command.arg("--lib");
    }
    report.stage("tests in the browser", &mut command)?;
    Ok(())
}

/// Journeys through the built page with real mouse and keyboard.
fn journeys(root: &Path, tools: &Tools, report: &mut Report) -> Result<()> {
    let Some(browser) = &tools.browser else {
        report.skip("end-to-end tests: they need Chromium".into());
        return Ok(());
    };
    let folder = root.join("tests").join("e2e");
    let files = files_ending_with(&folder, ".test.mjs")?;
    if files.is_empty() {
        return Err(Failure::new(
            format!("{} holds no test.", folder.display()),
            "restore the folder from git: `git checkout tests/e2e`.",
        ));
    }
    let mut command = tools.command("node");
    command
        .current_dir(&folder)
        // Node leaves a core to itself; with two that would be one suite at a time, most of which wait for the browser.
        .args(["--test", "--test-reporter=spec", "--test-concurrency=3"])
        .args(&files)
        .env("TASKLOOM_CHROMIUM", &browser.chromium)
        .env(
            "TASKLOOM_URL",
            site::serve_in_background(build::page_folder(root))?,
        );
    offer(
        &mut command,
        "TASKLOOM_HEADLESS_SHELL",
        browser.headless_shell.as_deref(),
    );
    report.stage("end-to-end tests", &mut command)?;
    Ok(())
}

/// Sets a variable, or makes sure that an older value is not believed.
fn offer(command: &mut Command, variable: &str, program: Option<&Path>) {
    match program {
        Some(program) => command.env(variable, program),
        None => command.env_remove(variable),
    };
}

/// The files of a folder with this ending, by name.
pub fn files_ending_with(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).on("list", folder)? {
        let file = entry.on("list", folder)?.path();
        if file
            .file_name()
            .is_some_and(|name| name.to_string_lossy().ends_with(ending))
        {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
