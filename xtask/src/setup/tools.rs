//! The tools that a setup has found, and commands that use them.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::cache::Cache;
use crate::failure::Result;

/// A tool that can be found and installed.
pub trait Tool {
    /// Returns its version and location, if it is there; records it in `tools` for its callers.
    fn find(&self, tools: &mut Tools) -> Result<Option<String>>;

    /// Installs it, or does nothing if that is up to the user.
    fn install(&self, tools: &Tools) -> Result<()>;

    /// Returns advice for the user if it can't be installed; `None` if it is optional.
    fn advice(&self) -> Option<String> {
        Some("delete its folder and run the same command again.".into())
    }
}

/// The tools, and commands that use them.
pub struct Tools {
    /// The workspace's folder.
    pub root: PathBuf,
    pub(super) cache: Cache,
    /// The rustup name of the toolchain that compiles for WebAssembly; `None` for the one in use.
    pub(super) toolchain: Option<&'static str>,
    /// The output of its `rustc --version`.
    pub compiler: String,
    /// Folders prepended to the PATH of every child.
    pub(super) folders: Vec<PathBuf>,
    /// Programs by the variable in which tests look for them.
    pub(super) programs: Vec<(&'static str, PathBuf)>,
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
}
