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
mod tools;
mod wasm_target;

use std::{env, path::Path, time::Instant};

use crate::{
    failure::{Failure, Result},
    report::spoken,
};
use cache::Cache;
use cargo_tool::CargoTool;
use system::Program;
use tools::Tool;
use wasm_target::WasmTarget;

pub use npm::packages as npm_packages;
pub use tools::Tools;
pub use wasm_target::TARGET;

/// The scope of a setup: each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Tools that compile for WebAssembly.
    Target,
    /// Tools that build the page for use on this computer.
    Local,
    /// Tools that build the page for hosting, with the help.
    Page,
    /// Tools that open the page in a browser.
    Browser,
    /// Tools that check the exports.
    Everything,
}

struct Requirement {
    scope: Scope,
    name: &'static str,
    tool: Box<dyn Tool>,
}

const PLANNERS: &str = "Python planners";
/// The tool that builds the help.
pub const HELP: &str = "mdBook";

/// Returns all requirements, in order of installation.
fn requirements(root: &Path) -> Result<[Requirement; 14]> {
    use Scope::{Browser, Everything, Local, Page, Target};
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
    let mdbook = CargoTool {
        package: "mdbook",
        version: "0.5.4".into(),
        programs: &["mdbook"],
        // The page build needs only its search, not its server.
        options: &["--no-default-features", "--features", "search"],
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
    let firefox = Program::new(
        "TASKLOOM_FIREFOX",
        &["firefox-esr", "firefox"],
        "firefox-esr",
    );
    let driver = Program::new("CHROMEDRIVER", &["chromedriver"], "chromium-driver");
    let mcs = Program::new("TASKLOOM_MCS", &["mcs"], "mono-mcs");
    let mono = Program::new("TASKLOOM_MONO", &["mono"], "mono-runtime");
    let required = |scope, name, tool| Requirement { scope, name, tool };
    Ok([
        required(Target, "WebAssembly target", Box::new(WasmTarget)),
        required(Local, "Node.js", Box::new(npm::Node)),
        required(Local, "trunk", Box::new(trunk)),
        required(Local, "wasm-bindgen", Box::new(bindgen)),
        required(Page, HELP, Box::new(mdbook)),
        required(Page, "wasm-opt", Box::new(npm::WasmOpt)),
        required(Browser, "Playwright", Box::new(npm::Playwright)),
        required(Browser, "Chromium", Box::new(chromium)),
        required(Browser, "headless Chromium", Box::new(shell)),
        required(Everything, "chromedriver", Box::new(driver)),
        required(Everything, "Firefox", Box::new(firefox)),
        required(Everything, PLANNERS, Box::new(python::Planners)),
        required(Everything, "mono's compiler", Box::new(mcs)),
        required(Everything, "mono", Box::new(mono)),
    ])
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
    println!("Setup (tools are kept in {})", tools.cache.folder.display());
    let added = tools.add_all(is_needed)?;
    if added == 0 {
        let requirements = requirements(root)?;
        let advice = format!("choose from {}.", requirements.map(|r| r.name).join(", "));
        return Err(Failure::new("no tool has such a name.", advice));
    }
    Ok(tools)
}

impl Tools {
    /// Adds the tools of the scopes from `above`, without it, to `scope`.
    pub fn extend(&mut self, above: Scope, scope: Scope) -> Result<()> {
        self.cache.lock()?;
        self.add_all(|requirement| requirement.scope > above && requirement.scope <= scope)?;
        Ok(())
    }

    /// Adds a tool if it is there, and returns `true` if it is.
    pub fn offer(&mut self, name: &str) -> Result<bool> {
        let requirements = requirements(&self.root)?;
        let mut named = requirements.iter().filter(|r| r.name == name);
        named.try_fold(true, |is_there, requirement| {
            Ok(is_there && requirement.tool.find(self)?.is_some())
        })
    }

    /// Finds or installs tools in their order, and returns their number.
    fn add_all(&mut self, is_needed: impl Fn(&Requirement) -> bool) -> Result<usize> {
        let requirements = requirements(&self.root)?;
        let needed: Vec<_> = requirements.iter().filter(|r| is_needed(r)).collect();
        let began = Instant::now();
        for (at, requirement) in needed.iter().enumerate() {
            let label = format!("[{}/{}] {}", at + 1, needed.len(), requirement.name);
            let next = needed.get(at + 1).map(|next| next.name);
            self.add(&label, requirement, next, began)?;
        }
        self.cache.release();
        Ok(needed.len())
    }

    /// Finds a tool, or installs it. Says which one is `next` if that takes a while.
    fn add(
        &mut self,
        label: &str,
        requirement: &Requirement,
        next: Option<&str>,
        began: Instant,
    ) -> Result<()> {
        let Requirement { scope, name, tool } = requirement;
        let mut found = tool.find(self)?;
        if found.is_none() {
            let then = next.map_or(String::new(), |next| format!("; then {next}"));
            println!("{label}: not found, so it is installed{then}");
            tool.install(self)?;
            found = tool.find(self)?;
            println!("      {} so far", spoken(began.elapsed()));
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
