//! Installs every tool that a command needs, if it is missing.
//!
//! Tools that only Taskloom uses go to a cache folder, one folder per tool and version, so that a
//! second clone finds them. Programs that the system installs better (a browser, mono) are taken
//! from the system, or installed by apt if permitted.

mod cache;
mod cargo_tool;
mod npm;
mod python;
mod system;
mod wasm_target;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use sha2::{Digest, Sha256};

use crate::{
    failure::{Failure, OnPath, Result},
    page,
};
use cache::Cache;
use cargo_tool::CargoTool;
use system::Program;
use wasm_target::WasmTarget;

pub use npm::packages as npm_packages;
pub use wasm_target::TARGET;

/// The scope of a setup: each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Tools that compile for WebAssembly.
    Target,
    /// Tools that build the page.
    Page,
    /// Tools that open the page in a browser.
    Browser,
    /// Tools that check the exports.
    Everything,
}

/// A tool that can be found and installed.
trait Tool {
    /// Returns its version and location, if it is there; records it in `tools` for its callers.
    fn find(&self, tools: &mut Tools) -> Result<Option<String>>;

    /// Installs it, or does nothing if that is up to the user.
    fn install(&self, tools: &Tools) -> Result<()>;

    /// Returns advice for the user if it can't be installed; `None` if it is optional.
    fn advice(&self) -> Option<String> {
        Some("delete its folder and run the same command again.".into())
    }
}

struct Requirement {
    scope: Scope,
    name: &'static str,
    tool: Box<dyn Tool>,
}

const PLANNERS: &str = "Python planners";

/// Returns all requirements, in order of installation.
fn requirements(root: &Path) -> Result<[Requirement; 12]> {
    use Scope::{Browser, Everything, Page, Target};
    let trunk = CargoTool {
        package: "trunk",
        // The newest that builds with the Rust version that this project requires.
        version: "0.21.14".into(),
        programs: &["trunk"],
        // Without update checks it needs no TLS: it only starts other programs.
        options: &["--no-default-features"],
    };
    let bindgen = CargoTool {
        package: "wasm-bindgen-cli",
        version: cargo_tool::locked_version(root, "wasm-bindgen")?,
        programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
        options: &[],
    };
    let chromium = Program {
        elsewhere: npm::playwrights_chromium,
        ..Program::new("TASKLOOM_CHROMIUM", &system::CHROMIUM, "chromium")
    };
    // The same engine without browser windows, which makes end-to-end tests a third faster.
    let shell = "chromium-headless-shell";
    let shell = Program {
        is_needed: false,
        ..Program::new(
            "TASKLOOM_HEADLESS_SHELL",
            &[shell, "chrome-headless-shell"],
            shell,
        )
    };
    let driver = Program::new("CHROMEDRIVER", &["chromedriver"], "chromium-driver");
    let mcs = Program::new("TASKLOOM_MCS", &["mcs"], "mono-mcs");
    let mono = Program::new("TASKLOOM_MONO", &["mono"], "mono-runtime");
    let required = |scope, name, tool| Requirement { scope, name, tool };
    Ok([
        required(Target, "WebAssembly target", Box::new(WasmTarget)),
        required(Page, "trunk", Box::new(trunk)),
        required(Page, "wasm-bindgen", Box::new(bindgen)),
        required(Page, "Node.js", Box::new(npm::Node)),
        required(Page, "wasm-opt", Box::new(npm::WasmOpt)),
        required(Browser, "Playwright", Box::new(npm::Playwright)),
        required(Browser, "Chromium", Box::new(chromium)),
        required(Browser, "headless Chromium", Box::new(shell)),
        required(Everything, "chromedriver", Box::new(driver)),
        required(Everything, PLANNERS, Box::new(python::Planners)),
        required(Everything, "mono's compiler", Box::new(mcs)),
        required(Everything, "mono", Box::new(mono)),
    ])
}

/// The tools, and commands that use them.
pub struct Tools {
    /// The workspace's folder.
    pub root: PathBuf,
    cache: Cache,
    /// The rustup name of the toolchain that compiles for WebAssembly; `None` for the one in use.
    toolchain: Option<&'static str>,
    /// The output of its `rustc --version`.
    pub compiler: String,
    /// Folders prepended to the PATH of every child.
    folders: Vec<PathBuf>,
    /// Programs by the variable in which tests look for them.
    programs: Vec<(&'static str, PathBuf)>,
    /// Missing tools that some tests need, with advice.
    pub missing: Vec<String>,
}

impl Tools {
    /// Returns a command that compiles for WebAssembly or runs its tools.
    pub fn wasm_command(&self, line: &str) -> Command {
        let mut command = self.command(line);
        if let Some(name) = self.toolchain {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
        command
    }

    /// Returns a command for this machine, with the Rust toolchain that the user chose: a program
    /// name followed by arguments, in the workspace's folder.
    pub fn command(&self, line: &str) -> Command {
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        let path = env::var_os("PATH").unwrap_or_default();
        let all = self.folders.iter().cloned().chain(env::split_paths(&path));
        // A folder whose name contains the separator can't be on a PATH at all.
        command.env("PATH", env::join_paths(all).unwrap_or(path));
        command.envs(self.programs.iter().cloned());
        // Cargo passes its own path to the programs it runs; a cargo of another toolchain must not
        // use that.
        command.env_remove("CARGO");
        command.args(words).current_dir(&self.root);
        command.stdin(Stdio::null());
        command
    }

    /// Returns `true` if there is a program for the tests that look for it in this variable.
    pub fn has(&self, variable: &str) -> bool {
        self.program(variable).is_some()
    }

    /// Returns the program that belongs to this variable.
    pub fn program(&self, variable: &str) -> Option<&Path> {
        let mut programs = self.programs.iter();
        let found = programs.find(|(name, _)| *name == variable);
        found.map(|(_, program)| program.as_path())
    }

    /// Finds a tool, or installs it.
    fn add(&mut self, label: &str, requirement: &Requirement) -> Result<()> {
        let Requirement { scope, name, tool } = requirement;
        let mut found = tool.find(self)?;
        if found.is_none() {
            println!("{label}: not found");
            tool.install(self)?;
            found = tool.find(self)?;
        }
        if let Some(found) = found {
            println!("{label}: {found}");
        } else if let Some(advice) = tool.advice() {
            // In continuous integration, a test that can't run is a failure.
            let in_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
            if *scope <= Scope::Page || in_ci {
                let what = format!("{name} is missing and could not be installed.");
                return Err(Failure::new(what, advice));
            }
            println!("{label} is missing: {advice}");
            self.missing.push(format!("{name}: {advice}"));
        }
        Ok(())
    }
}

/// Sets up everything in `scope`.
pub fn in_scope(root: &Path, scope: Scope) -> Result<Tools> {
    set_up(root, |requirement| requirement.scope <= scope)
}

/// Sets up everything in `scope`, and the planners used for comparison.
pub fn with_planners(root: &Path, scope: Scope) -> Result<Tools> {
    set_up(root, |requirement| {
        requirement.scope <= scope || requirement.name == PLANNERS
    })
}

/// Sets up the tools whose names contain one of these, or everything.
pub fn named(root: &Path, names: &[String]) -> Result<Tools> {
    set_up(root, |requirement| {
        let name = requirement.name.to_lowercase();
        names.is_empty() || names.iter().any(|n| name.contains(&n.to_lowercase()))
    })
}

fn set_up(root: &Path, is_needed: impl Fn(&Requirement) -> bool) -> Result<Tools> {
    let mut tools = Tools {
        root: root.to_path_buf(),
        cache: Cache::open()?,
        toolchain: None,
        compiler: String::new(),
        folders: vec![],
        programs: vec![],
        missing: vec![],
    };
    let folder = tools.cache.folder.display();
    println!("Setup (tools are kept in {folder})");
    let requirements = requirements(root)?;
    let needed: Vec<_> = requirements.iter().filter(|r| is_needed(r)).collect();
    if needed.is_empty() {
        let advice = format!("choose from {}.", requirements.map(|r| r.name).join(", "));
        return Err(Failure::new("no tool has such a name.", advice));
    }
    for (at, requirement) in needed.iter().enumerate() {
        let label = format!("[{}/{}] {}", at + 1, needed.len(), requirement.name);
        tools.add(&label, requirement)?;
    }
    tools.cache.release();
    Ok(tools)
}

/// Returns twelve digits of a hash of a file's content.
fn hash_of(file: &Path) -> Result<String> {
    let content = fs::read(file).on("read", file)?;
    Ok(page::hex(&Sha256::digest(content)[..6]))
}
