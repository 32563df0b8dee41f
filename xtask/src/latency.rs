//! `cargo xtask bench latency`: how long planning takes, natively and in WebAssembly under node, on the shipped examples.

use std::path::Path;

use crate::{
    failure::Result, process, programs, report::Report, setup::Tools, test::files_ending_with,
};

/// Builds the package benches/latency for both and has `run.mjs` compare them.
pub fn run(root: &Path, tools: &Tools, report: &mut Report) -> Result<()> {
    let target = root.join("target");
    let (native, module) = (target.join("fast"), target.join("latency"));
    let built = report.work("latency: build", || {
        let build = ["build", "--package", "latency", "--profile", "fast"];
        let advice = "correct the mistake that the lines above show.";
        let mut command = tools.command("cargo");
        command.current_dir(root).args(build);
        process::require("building it natively", &mut command, advice)?;
        let mut command = tools.wasm_command("cargo");
        command
            .current_dir(root)
            .args(build)
            .args(["--lib", "--target", "wasm32-unknown-unknown"]);
        process::require("building it for WebAssembly", &mut command, advice)?;
        let mut command = tools.wasm_command("wasm-bindgen");
        command
            .current_dir(root)
            .args(["--target", "nodejs", "--out-dir"])
            .arg(&module)
            .arg(target.join("wasm32-unknown-unknown/fast/latency.wasm"));
        process::require("binding it to node", &mut command, advice)?;
        Ok(())
    });
    if !built {
        return Ok(());
    }
    let examples = root.join("public").join("examples");
    let native = programs::in_folder(&native, "latency").unwrap_or(native.join("latency"));
    let mut command = tools.command("node");
    command
        .current_dir(root)
        .arg(root.join("benches/latency/run.mjs"))
        .arg(native)
        .arg(module.join("latency.js"))
        .args(files_ending_with(&examples, ".taskloom.json")?);
    report.stage("latency", &mut command)?;
    Ok(())
}
