//! `cargo xtask serve`: from a fresh clone to the editor in the browser.

use std::{path::Path, process::Stdio};

use crate::{
    build, children, console,
    failure::{Failure, Result},
    setup::{self, Scope, Tools},
    site,
};

pub fn run(root: &Path, port: u16, dev: bool) -> Result<()> {
    // Taken first: whoever waits for a build wants to be served after it.
    let listener = site::listen(port)?;
    let tools = setup::set_up(root, Scope::Page)?;
    if dev {
        drop(listener);
        return serve_while_developing(root, port, &tools);
    }
    console::line("Page");
    build::release_page(root, &tools)?;
    let address = listener.local_addr().map_or(port, |address| address.port());
    console::line(&format!(
        "\nTaskloom is at http://localhost:{address} (Ctrl+C stops it)"
    ));
    site::serve(&listener, &build::page_folder(root));
    Ok(())
}

/// Hands over to Trunk, which builds without optimisation and reloads the page on every change. It has a folder of
/// its own, so that dist/ always holds the release page.
fn serve_while_developing(root: &Path, port: u16, tools: &Tools) -> Result<()> {
    let folder = root.join("target").join("dev-page");
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::new(
            format!("could not create {}: {error}.", folder.display()),
            "check that you may write there.",
        )
    })?;
    console::line(&format!(
        "\nTaskloom will be at http://localhost:{port} once trunk says `success`; it rebuilds on every change (Ctrl+C stops it)"
    ));
    let mut command = tools.wasm_command("trunk");
    command
        .current_dir(root)
        .args(["serve", "--offline", "--address", "127.0.0.1", "--port"])
        .arg(port.to_string())
        .arg("--dist")
        .arg(&folder)
        .stdin(Stdio::null());
    let ended = children::spawn(&mut command).and_then(|mut trunk| trunk.child.wait());
    let status = ended.map_err(|error| {
        Failure::new(
            format!("could not start trunk: {error}."),
            "run `cargo xtask setup` and try again.",
        )
    })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(
        "trunk stopped.",
        "its last lines above say why.",
    ))
}
