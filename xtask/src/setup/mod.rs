//! Brings every tool that a command needs, and does nothing where it is there already.
//!
//! Tools that only Taskloom uses go to a cache folder, one folder a tool and version, so that a second clone finds them.
//! What a system installs better (a browser, mono) is taken from the system, or comes by apt where that is allowed.

mod browser;
mod cache;
mod cargo_tools;
mod mono;
mod node;
mod python;
mod system;
mod wasm_target;

use std::{
    env, fmt,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use crate::{
    console,
    failure::{Failure, Result},
    programs,
};
use cache::Cache;
use wasm_target::WasmToolchain;

pub use browser::Browser;
pub use mono::Mono;

/// How much to set up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// What compiles for WebAssembly.
    Target,
    /// And what builds the page.
    Page,
    /// And what opens the page in a browser.
    Browser,
    /// And what checks the exports.
    Everything,
}

/// The tools, and how to call them.
pub struct Tools {
    wasm: WasmToolchain,
    /// Folders that come before the PATH of every child.
    folders: Vec<PathBuf>,
    versions: Vec<String>,
    pub test_runner: Option<PathBuf>,
    pub browser: Option<Browser>,
    pub python: Option<PathBuf>,
    pub mono: Option<Mono>,
    pub missing: Vec<Missing>,
}

/// A tool that could not be had, which some tests need.
pub struct Missing {
    pub tool: &'static str,
    pub advice: &'static str,
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is missing: {}", self.tool, self.advice)
    }
}

impl Tools {
    /// A program that compiles for, or runs tools of, WebAssembly.
    pub fn wasm_command(&self, program: &str) -> Command {
        let mut command = self.command(program);
        self.wasm.apply_to(&mut command);
        command
    }

    /// A program for this machine itself, by the Rust toolchain that the user chose.
    pub fn command(&self, program: &str) -> Command {
        let found = self
            .folders
            .iter()
            .find_map(|folder| programs::in_folder(folder, program));
        let mut command = Command::new(
            found
                .or_else(|| programs::find(program))
                .unwrap_or_else(|| program.into()),
        );
        command.env("PATH", programs::path_with(&self.folders));
        // Cargo names itself to the programs that it runs; a cargo of another toolchain must not believe that.
        command.env_remove("CARGO");
        if console::on_terminal() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        command
    }

    /// What the built page depends on besides its sources.
    pub fn fingerprint(&self) -> String {
        format!("{:?} {}", self.versions, self.wasm.compiler)
    }
}

/// Whether this is continuous integration, where a test that cannot run is a failure.
pub fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Sets up everything in `scope`.
pub fn set_up(root: &Path, scope: Scope) -> Result<Tools> {
    let cache = Cache::open()?;
    let _only_one = cache.lock()?;
    let total = match scope {
        Scope::Target => 1,
        Scope::Page => 4,
        Scope::Browser => 6,
        Scope::Everything => 8,
    };
    console::line(&format!(
        "Set-up (tools are kept in {})",
        cache.folder().display()
    ));
    let step = |number, title: &str| Step {
        label: format!("[{number}/{total}] {title}"),
    };

    let wasm = wasm_target::find_or_install(&cache, &step(1, "WebAssembly target"))?;
    let mut tools = Tools {
        wasm,
        folders: Vec::new(),
        versions: Vec::new(),
        test_runner: None,
        browser: None,
        python: None,
        mono: None,
        missing: Vec::new(),
    };
    if scope == Scope::Target {
        return Ok(tools);
    }

    // Compiling two tools takes minutes; everything that only downloads goes on beside it.
    thread::scope(|threads| -> Result<()> {
        let trunk = threads.spawn(|| cargo_tools::trunk(&cache, &step(2, "trunk")));
        let bindgen =
            threads.spawn(|| cargo_tools::wasm_bindgen(root, &cache, &step(3, "wasm-bindgen")));
        let wasm_opt = threads.spawn(|| node::wasm_opt(root, &cache, &step(4, "wasm-opt")));
        if matches!(scope, Scope::Browser | Scope::Everything) {
            node::end_to_end(root, &step(5, "playwright"))?;
            tools.browser = browser::find_or_install(&step(6, "Chromium"))?;
        }
        if scope == Scope::Everything {
            tools.python = python::find_or_install(root, &cache, &step(7, "Python planners"))?;
            tools.mono = mono::find_or_install(&step(8, "mono"))?;
        }
        for tool in [finished(trunk)?, finished(bindgen)?, finished(wasm_opt)?] {
            tools.folders.push(tool.folder);
            tools.versions.push(tool.version);
        }
        Ok(())
    })?;
    tools.test_runner = tools
        .folders
        .iter()
        .find_map(|folder| programs::in_folder(folder, "wasm-bindgen-test-runner"));
    tools.missing = missing(&tools, scope);
    for missing in &tools.missing {
        console::line(&format!("      {missing}"));
    }
    if in_ci() && !tools.missing.is_empty() {
        let names: Vec<&str> = tools.missing.iter().map(|missing| missing.tool).collect();
        return Err(Failure::new(
            format!(
                "continuous integration may skip no test, but {} could not be had.",
                names.join(" and ")
            ),
            "let apt-get install it there (as root or with sudo), or put it on the PATH.",
        ));
    }
    Ok(tools)
}

/// Installs the npm packages that a folder's lock file names, beside it.
pub fn packages(folder: &Path, title: &str) -> Result<()> {
    let label = title.to_owned();
    node::packages(folder, &Step { label })
}

/// A tool in a folder of its own.
struct InstalledTool {
    folder: PathBuf,
    version: String,
}

fn missing(tools: &Tools, scope: Scope) -> Vec<Missing> {
    let needs_browser = matches!(scope, Scope::Browser | Scope::Everything);
    let everything = scope == Scope::Everything;
    let driver = tools
        .browser
        .as_ref()
        .and_then(|browser| browser.driver.as_ref());
    let candidates = [
        (
            needs_browser && tools.browser.is_none(),
            Missing {
                tool: "Chromium",
                advice: "install Chromium or Google Chrome, or name it in TASKLOOM_CHROMIUM.",
            },
        ),
        (
            everything && driver.is_none(),
            Missing {
                tool: "chromedriver",
                advice: "install the one of your browser's version, or name it in CHROMEDRIVER.",
            },
        ),
        (
            everything && tools.python.is_none(),
            Missing {
                tool: "Python with venv",
                advice: "install Python 3.9 or newer with its venv module.",
            },
        ),
        (
            everything && tools.mono.is_none(),
            Missing {
                tool: "mono",
                advice: "install mono and its compiler mcs.",
            },
        ),
    ];
    candidates
        .into_iter()
        .filter_map(|(is_missing, what)| is_missing.then_some(what))
        .collect()
}

fn finished<T>(thread: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|_| {
        Err(Failure::new(
            "a part of the set-up broke off.",
            "run the same command again; what it had finished is kept.",
        ))
    })
}

/// One numbered step and its lines.
pub struct Step {
    label: String,
}

impl Step {
    fn note(&self, text: &str) {
        console::line(&format!("{}: {text}", self.label));
    }
}
