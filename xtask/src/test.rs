//! `cargo xtask test`: every check and test, as continuous integration requires; and `check`, a quick
//! subset. `--thorough` is for the night and for releases.
//!
//! Random tests try other cases for each commit: its hash is their seed.
//!
//! A test that needs another program finds it in a variable, such as `TASKLOOM_PYTHON` or
//! `TASKLOOM_MONO` (see `setup::requirements`). If the variable is absent, the test reports that it
//! is skipped, and in continuous integration (`CI` is set) it fails.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest, Sha256};

use crate::{
    failure::Result,
    page::{self, Build},
    process,
    report::Report,
    serve,
    setup::{self, Scope, TARGET, Tools},
};

/// Set for tests that are to try all random cases, and for journeys through the page for hosting.
const THOROUGH: &str = "TASKLOOM_THOROUGH";
const FORMAT: &str = "cargo fmt --all --check";
const TESTS: &str = "cargo test --workspace --all-features";
/// Set for a command of cargo that compiles, so that it lints what it compiles of this project.
///
/// `cargo clippy` sets the same two, but generates no code: everything would be compiled a second time for the tests.
const LINTS: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    // The driver separates its arguments by this.
    ("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings"),
];
/// The seed of random tests.
const SEED: &str = "TASKLOOM_SEED";

pub fn check(root: &Path) -> Result<bool> {
    let tools = setup::in_scope(root, Scope::Target)?;
    let mut report = Report::new(vec![]);
    report.stage("format", &mut tools.command(FORMAT));
    let strictly = ["--", "--deny", "warnings"];
    let line = "cargo clippy --package taskloom-editor --all-features --all-targets";
    report.stage("lints of the page", tools.command(line).args(strictly));
    let packages = ["taskloom-editor", "taskloom-worker", "taskloom"];
    report.stage("lints for WebAssembly", &mut wasm_lints(&tools, &packages));
    let mut tests = tools.command(TESTS);
    tests.envs(LINTS).args(["--exclude", "taskloom-editor"]);
    report.stage("lints and tests without the page", &mut tests);
    Ok(report.close())
}

pub fn run(root: &Path, thorough: bool) -> Result<bool> {
    let tools = setup::in_scope(root, Scope::Everything)?;
    let mut report = Report::new(tools.missing.clone());
    report.stage("format", &mut tools.command(FORMAT));
    let mut lints = tools.command(TESTS);
    lints.envs(LINTS).args(["--all-targets", "--no-run"]);
    if report.stage("lints", &mut lints) {
        host_tests(&tools, thorough, &mut report);
    }
    let has_browser = tools.has("TASKLOOM_CHROMIUM");
    // The page is linted as it is compiled for its tests. The crate for games has fewer features than in the page.
    report.stage(
        "lints of the crate for WebAssembly",
        &mut wasm_lints(&tools, &["taskloom"]),
    );
    let mut lints = wasm_tests(&tools);
    if report.stage("lints for WebAssembly", lints.arg("--no-run"))
        && has_browser
        && tools.has("CHROMEDRIVER")
    {
        tests_in_the_browser(&tools, &mut report);
    }
    let (kind, variables) = match thorough {
        true => (Build::Release, [].as_slice()),
        // What has been linted isn't compiled again.
        false => (Build::Local, LINTS.as_slice()),
    };
    let built = report.work("page", || page::build(&tools, kind, variables));
    if built && kind == Build::Release {
        report.work("sizes", || page::check_sizes(&tools));
    }
    if built && has_browser {
        journeys(&tools, kind, &mut report)?;
    }
    Ok(report.close())
}

fn host_tests(tools: &Tools, thorough: bool, report: &mut Report) {
    let mut tests = tools.command(TESTS);
    tests.envs(LINTS).arg("--no-fail-fast");
    if thorough {
        tests.env(THOROUGH, "1");
    }
    let seed = seed(tools);
    println!("\nRandom tests use {SEED}={seed}");
    // Proptest's seed is a number.
    let digest = Sha256::digest(&seed);
    let number = digest
        .iter()
        .take(7)
        .fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    tests.env("PROPTEST_RNG_SEED", number.to_string());
    report.stage("tests", tests.env(SEED, seed));
}

/// Returns the chosen seed of random tests, or that of the commit.
fn seed(tools: &Tools) -> String {
    let chosen = env::var(SEED).ok().filter(|seed| !seed.is_empty());
    let of_commit = || process::answer(&mut tools.command("git rev-parse --short=12 HEAD"));
    chosen.or_else(of_commit).unwrap_or_else(|| "0".into())
}

/// Returns a command that lints packages for WebAssembly.
fn wasm_lints(tools: &Tools, packages: &[&str]) -> Command {
    let mut lints = tools.wasm_command("cargo check --profile local --target");
    lints.arg(TARGET).envs(LINTS);
    for package in packages {
        lints.args(["--package", package]);
    }
    lints
}

/// Returns a command that compiles what runs in browsers, with its tests.
fn wasm_tests(tools: &Tools) -> Command {
    let line = format!(
        "cargo test --profile local --package taskloom-editor --package taskloom-worker --bins --lib --target {TARGET}"
    );
    let mut tests = tools.wasm_command(&line);
    tests.envs(LINTS);
    tests
}

/// The tests of the page and the worker that need a browser.
fn tests_in_the_browser(tools: &Tools, report: &mut Report) {
    let mut tests = wasm_tests(tools);
    let variable = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER";
    tests
        .env(variable, "wasm-bindgen-test-runner")
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120");
    report.stage("tests in the browser", &mut tests);
}

/// End-to-end tests of the built page with real mouse and keyboard input.
fn journeys(tools: &Tools, build: Build, report: &mut Report) -> Result<()> {
    // Its own tests have built the command line.
    let folder = env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    let program = format!("debug/taskloom{}", env::consts::EXE_SUFFIX);
    let mut node = tools.command("node node_modules/@playwright/test/cli.js test");
    node.current_dir(tools.root.join("tests/e2e"))
        .env("TASKLOOM_CLI", tools.root.join(folder).join(program))
        .env("TASKLOOM_PAGE", tools.root.join(build.folder()))
        .env("TASKLOOM_URL", serve::in_background(tools, build)?);
    if build == Build::Release {
        node.env(THOROUGH, "1");
    }
    report.stage("end-to-end tests", &mut node);
    Ok(())
}
