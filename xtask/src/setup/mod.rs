//! Brings every tool that a command needs, and does nothing where it is there already.
//!
//! Tools that only Taskloom uses go to a cache folder, one folder a tool and version, so that a second clone finds them.
//! What a system installs better (a browser, mono) is taken from the system, or comes by apt where that is allowed.

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

/// What is set up: each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// What compiles for WebAssembly.
    Target,
    /// What builds the page.
    Page,
    /// What opens the page in a browser.
    Browser,
    /// What checks the exports.
    Everything,
}

/// How a tool is found and how it comes here.
trait Tool {
    /// Its version and place, if it is there; noted in `tools` for those who call it.
    fn find(&self, tools: &mut Tools) -> Result<Option<String>>;

    /// Brings it, or does nothing where that is up to the user.
    fn install(&self, tools: &Tools) -> Result<()>;

    /// What the user can do where it cannot be had; nothing, where all works without it, too.
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

/// All that is required, in the order in which it is installed.
fn requirements(root: &Path) -> Result<[Requirement; 12]> {
    use Scope::{Browser, Everything, Page, Target};
    let trunk = CargoTool {
        package: "trunk",
        // The newest that builds with the Rust that this project asks for.
        version: "0.21.14".into(),
        programs: &["trunk"],
        // It looks for no updates then and needs no TLS: it only starts other programs.
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
    // The same engine without a browser's own windows, which takes a third less time for journeys.
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

/// The tools, and how to call them.
pub struct Tools {
    /// The workspace's folder.
    pub root: PathBuf,
    cache: Cache,
    /// rustup's name of what compiles for WebAssembly; none is the toolchain in use.
    toolchain: Option<&'static str>,
    /// What `rustc --version` says there.
    pub compiler: String,
    /// Folders that come before the PATH of every child.
    folders: Vec<PathBuf>,
    /// Programs by the variable in which tests look for them.
    programs: Vec<(&'static str, PathBuf)>,
    /// Tools that could not be had, which some tests need, with what to do.
    pub missing: Vec<String>,
}

impl Tools {
    /// A program that compiles for, or runs tools of, WebAssembly.
    pub fn wasm_command(&self, line: &str) -> Command {
        let mut command = self.command(line);
        if let Some(name) = self.toolchain {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
        command
    }

    /// A program for this machine itself, by the Rust toolchain that the user chose: its name, and words after it, in
    /// the workspace's folder.
    pub fn command(&self, line: &str) -> Command {
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        let path = env::var_os("PATH").unwrap_or_default();
        let all = self.folders.iter().cloned().chain(env::split_paths(&path));
        // A folder whose name holds the separator cannot be on a PATH at all.
        command.env("PATH", env::join_paths(all).unwrap_or(path));
        command.envs(self.programs.iter().cloned());
        // Cargo names itself to the programs that it runs; a cargo of another toolchain must not believe that.
        command.env_remove("CARGO");
        command.args(words).current_dir(&self.root);
        command.stdin(Stdio::null());
        command
    }

    /// Whether there is a program for the tests that look for it in this variable.
    pub fn has(&self, variable: &str) -> bool {
        self.program(variable).is_some()
    }

    /// The program for those who look for it in this variable.
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
            // In continuous integration a test that cannot run is a failure.
            let in_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
            if *scope <= Scope::Page || in_ci {
                let what = format!("{name} is missing, and could not be installed.");
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

/// Sets up everything in `scope`, and the planners that ours is compared with.
pub fn with_planners(root: &Path, scope: Scope) -> Result<Tools> {
    set_up(root, |requirement| {
        requirement.scope <= scope || requirement.name == PLANNERS
    })
}

/// Sets up what has a name like one of these, or everything.
pub fn named(root: &Path, names: &[String]) -> Result<Tools> {
    set_up(root, |requirement| {
        let name = requirement.name.to_lowercase();
        names.is_empty() || names.iter().any(|n| name.contains(&n.to_lowercase()))
    })
}

fn set_up(root: &Path, is_wanted: impl Fn(&Requirement) -> bool) -> Result<Tools> {
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
    println!("Set-up (tools are kept in {folder})");
    let requirements = requirements(root)?;
    let wanted: Vec<_> = requirements.iter().filter(|r| is_wanted(r)).collect();
    if wanted.is_empty() {
        let advice = format!("choose from {}.", requirements.map(|r| r.name).join(", "));
        return Err(Failure::new("there is no tool of such a name.", advice));
    }
    for (at, requirement) in wanted.iter().enumerate() {
        let label = format!("[{}/{}] {}", at + 1, wanted.len(), requirement.name);
        tools.add(&label, requirement)?;
    }
    tools.cache.release();
    Ok(tools)
}

/// Twelve digits that change with a file's content.
fn hash_of(file: &Path) -> Result<String> {
    let content = fs::read(file).on("read", file)?;
    Ok(page::hex(&Sha256::digest(content)[..6]))
}
