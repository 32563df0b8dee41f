//! A Rust toolchain that compiles for wasm32-unknown-unknown.
//!
//! In order of preference: the one in use, if it does; one that an earlier setup created; rustup's
//! download for the one in use; and if Rust's servers can't be reached, one that
//! xtask/without-rustup.sh builds from Debian's packages.

use std::{fs, path::Path, process::Command};

use super::tools::{Tool, Tools};
use crate::{
    failure::{OnPath, Result},
    process,
};

pub const TARGET: &str = "wasm32-unknown-unknown";
/// The rustup name of the toolchain that xtask/without-rustup.sh builds.
const OWN: &str = "taskloom";

pub struct WasmTarget;

impl Tool for WasmTarget {
    fn find(&self, tools: &mut Tools) -> Result<Option<String>> {
        let work = tools.cache.work("probe")?;
        let source = work.join("probe.rs");
        fs::write(&source, "pub fn probe() -> String { String::new() }\n").on("write", &source)?;
        for name in [None, Some(OWN)] {
            let compiler = process::answer(rustc(name).arg("--version"));
            if let Some(compiler) = compiler.filter(|_| links(name, &source, &work)) {
                let found = format!("{compiler} has it");
                tools.compiler = compiler;
                tools.toolchain = name;
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn install(&self, tools: &Tools) -> Result<()> {
        let Some(rustup) = process::find("rustup") else {
            return Ok(());
        };
        println!("      rustup downloads it");
        let mut add = tools.cache.installer(rustup);
        let added = process::succeeds(add.args(["target", "add", TARGET]))?;
        if added || process::find("apt-get").is_none() {
            return Ok(());
        }
        println!("      the download failed; using Debian's Rust instead");
        let mut command = tools.cache.installer("sh");
        command.arg(tools.root.join("xtask/without-rustup.sh"));
        process::run(
            command.arg(tools.cache.tool("rust")),
            "see the lines above; this needs Debian 12 or newer with its security updates, and root or sudo to install \
             packages.",
        )
    }

    fn advice(&self) -> Option<String> {
        let advice = "\
            install Rust by rustup, check that its download server can be reached, and run `rustup target add \
            wasm32-unknown-unknown` yourself. On Debian without that server, run this set-up as root or with sudo: \
            it then uses Debian's packages.";
        Some(advice.into())
    }
}

fn links(name: Option<&str>, source: &Path, work: &Path) -> bool {
    let mut command = rustc(name);
    command.args(["--target", TARGET, "--crate-type=cdylib", "--out-dir"]);
    process::answer(command.arg(work).arg(source)).is_some()
}

fn rustc(name: Option<&str>) -> Command {
    let mut command = Command::new("rustc");
    if let Some(name) = name {
        command.env("RUSTUP_TOOLCHAIN", name);
    }
    command
}
