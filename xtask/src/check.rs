//! `cargo xtask check`: the quick round. Its stages are also the first of `cargo xtask test`.

use std::path::Path;

use crate::{
    failure::Result,
    report::Report,
    setup::{self, Scope, Tools},
};

pub fn run(root: &Path) -> Result<bool> {
    let tools = setup::set_up(root, Scope::Target)?;
    let mut report = Report::default();
    format_and_lints(root, &tools, &mut report)?;
    report.stage(
        "tests of the core",
        tools
            .command("cargo")
            .current_dir(root)
            .args(["test", "--package", "taskloom-core"]),
    )?;
    Ok(report.close_all())
}

/// The checks that run nothing.
pub fn format_and_lints(root: &Path, tools: &Tools, report: &mut Report) -> Result<()> {
    report.stage(
        "format",
        tools
            .command("cargo")
            .current_dir(root)
            .args(["fmt", "--all", "--check"]),
    )?;
    report.stage(
        "lints",
        tools.command("cargo").current_dir(root).args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ]),
    )?;
    report.stage(
        "lints for WebAssembly",
        tools.wasm_command("cargo").current_dir(root).args([
            "clippy",
            "--package",
            "taskloom",
            "--package",
            "taskloom-core",
            "--target",
            "wasm32-unknown-unknown",
            "--",
            "--deny",
            "warnings",
        ]),
    )?;
    Ok(())
}
