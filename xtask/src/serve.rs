//! `cargo xtask serve`: from a fresh clone to the editor in the browser; and the server, which
//! tests also use.

use std::{
    fs, io,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    thread,
};

use axum::{
    Router,
    http::{HeaderValue, StatusCode, header::CACHE_CONTROL},
    response::Html,
    routing::get,
};
use tower_http::{services::ServeDir, set_header::SetResponseHeaderLayer};

use crate::{
    failure::{Failure, OnPath, Result},
    help,
    page::{self, Build},
    process::{self, InBackground},
    setup::{self, Scope, Tools},
};

pub const DEFAULT_PORT: u16 = 8080;

pub fn run(root: &Path, port: u16, dev: bool) -> Result<()> {
    // Take the port before the build, so that a conflict shows at once.
    let listener = listen(port)?;
    if dev {
        let mut tools = setup::in_scope(root, Scope::Local)?;
        tools.offer(setup::HELP)?;
        drop(listener);
        return serve_while_developing(port, &tools);
    }
    let mut tools = setup::in_scope(root, Scope::Target)?;
    // The tools are compiled meanwhile.
    let programs = page::compile(&tools)?;
    tools.extend(Scope::Target, Scope::Local)?;
    let has_help = tools.offer(setup::HELP)?;
    println!("Page");
    programs.map_or(Ok(()), InBackground::wait)?;
    page::build(&tools, Build::Local, &[])?;
    println!("\nTaskloom is at http://localhost:{port} (Ctrl+C stops it)");
    let folder = root.join(Build::Local.folder());
    if !has_help {
        add_help_later(root, &folder);
    }
    serve(listener, &folder).map_err(|error| stopped(&error))
}

/// Installs the tool that builds the help while the page is already served, and then adds the help.
fn add_help_later(root: &Path, page: &Path) {
    println!("Building the help; its pages open once it is complete.");
    let (root, page) = (root.to_path_buf(), page.to_path_buf());
    thread::spawn(move || {
        let tools = setup::named(&root, &[setup::HELP.to_owned()]);
        match tools.and_then(|tools| help::build(&mut tools.command("mdbook"), &root, &page)) {
            Ok(()) => println!("The help is complete."),
            Err(failure) => eprintln!("\nThere is no help: {failure}"),
        }
    });
}

fn stopped(error: &io::Error) -> Failure {
    let what = format!("the page's server stopped: {error}.");
    Failure::new(what, "run the same command again.")
}

/// Hands over to Trunk, which builds without optimisation and reloads the page on every change. It
/// uses a separate folder.
fn serve_while_developing(port: u16, tools: &Tools) -> Result<()> {
    let folder = tools.root.join("target/dev-page");
    fs::create_dir_all(&folder).on("create", &folder)?;
    println!("\nTaskloom will be at http://localhost:{port} once trunk says `success`;");
    println!("it rebuilds on every change (Ctrl+C stops it)");
    let line = format!("trunk serve --offline --address 127.0.0.1 --port {port} --dist");
    process::run(
        tools.wasm_command(&line).arg(folder),
        "see the reason in its last lines above.",
    )
}

/// Listens on a port; 0 means any free one.
fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        if error.kind() == io::ErrorKind::AddrInUse {
            let other = port.checked_add(1).unwrap_or(DEFAULT_PORT);
            let what = format!("port {port} is in use by another program.");
            let command = format!("`cargo xtask serve --port {other}`");
            let advice = format!("stop that program, or choose another port: {command}.");
            return Failure::new(what, advice);
        }
        let what = format!("could not listen on port {port}: {error}.");
        Failure::new(what, "choose another port, above 1023, with `--port`.")
    })
}

/// Serves the files of a folder until the program ends.
fn serve(listener: TcpListener, folder: &Path) -> io::Result<()> {
    let no_cache = HeaderValue::from_static("no-cache");
    let help = ServeDir::new(folder.join(help::FOLDER)).fallback(get(missing_help));
    let site = Router::new()
        .nest_service(&format!("/{}", help::FOLDER), help)
        .fallback_service(
            ServeDir::new(folder)
                .precompressed_br()
                .precompressed_gzip(),
        )
        .layer(SetResponseHeaderLayer::overriding(CACHE_CONTROL, no_cache));
    listener.set_nonblocking(true)?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, site).await
    })
}

/// Answers a request for a page of the help that isn't there, or not yet.
async fn missing_help() -> (StatusCode, Html<&'static str>) {
    const TEXT: &str = "<!doctype html><title>Taskloom: help</title><p>This page of the help is missing. \
        If <code>cargo xtask serve</code> is still building the help, reload this page in a few minutes.";
    (StatusCode::NOT_FOUND, Html(TEXT))
}

/// Serves the page in the background and returns the address.
pub fn in_background(tools: &Tools, build: Build) -> Result<String> {
    let (listener, folder) = (listen(0)?, tools.root.join(build.folder()));
    let address = listener.local_addr().map_err(|error| stopped(&error))?;
    thread::spawn(move || serve(listener, &folder));
    Ok(format!("http://localhost:{}", address.port()))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpStream,
    };

    use super::*;

    /// Serves this package's folder and returns the answer to a raw request.
    fn ask(request: &str) -> String {
        let listener = listen(0).expect("a free port");
        let mut stream = TcpStream::connect(listener.local_addr().expect("an address"))
            .expect("a server that listens");
        thread::spawn(move || serve(listener, Path::new(env!("CARGO_MANIFEST_DIR"))));
        let head = format!("{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a connection");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    #[test]
    fn files_have_their_media_type_and_are_not_cached() {
        let answer = ask("GET /wasm-opt/package.json?v=1");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        for part in [
            "content-type: application/json",
            "cache-control: no-cache",
            "binaryen",
        ] {
            assert!(answer.contains(part), "{answer}");
        }
    }

    #[test]
    fn serves_only_files_in_the_folder() {
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml"] {
            let answer = ask(&format!("GET {path}"));
            assert!(!answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        }
    }

    #[test]
    fn says_why_a_page_of_the_help_is_missing() {
        let answer = ask("GET /help/agents.html");
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
        assert!(answer.contains("is still building the help"), "{answer}");
    }

    #[test]
    fn reports_a_port_in_use() {
        let taken = listen(0).expect("a free port");
        let port = taken.local_addr().expect("an address").port();
        let error = listen(port).expect_err("the port is taken").to_string();
        let sentence = format!("port {port} is in use by another program.");
        assert!(
            error.contains(&sentence) && error.contains("--port"),
            "{error}"
        );
    }
}
