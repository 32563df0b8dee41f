//! A small server of static files, for this machine only.

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Component, Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use crate::failure::{Failure, Result};

/// Longest request head that is read; more is no browser asking for a page.
const HEAD_LIMIT: u64 = 64 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

/// Takes a port, 0 for any free one.
pub fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Failure::new(
            format!("port {port} is in use by another program."),
            format!(
                "stop that program, or choose another port: `cargo xtask serve --port {}`.",
                if port < u16::MAX {
                    port + 1
                } else {
                    crate::args::DEFAULT_PORT
                }
            ),
        ),
        ErrorKind::PermissionDenied => Failure::new(
            format!("you may not listen on port {port}."),
            "choose a port above 1023 with `--port`.",
        ),
        _ => Failure::new(
            format!("could not listen on port {port}: {error}."),
            "choose another port with `--port`.",
        ),
    })
}

/// Serves the files of `folder` until the program ends.
pub fn serve(listener: &TcpListener, folder: &Path) {
    let folder: Arc<Path> = Arc::from(folder);
    for stream in listener.incoming().flatten() {
        let folder = Arc::clone(&folder);
        thread::spawn(move || {
            // A browser that hangs up in the middle is nobody's failure.
            let _ = answer(&stream, &folder);
        });
    }
}

/// Serves in the background and returns the address.
pub fn serve_in_background(folder: PathBuf) -> Result<String> {
    let listener = listen(0)?;
    let address = listener.local_addr().map_err(|error| {
        Failure::new(
            format!("the page's server has no address: {error}."),
            "run the same command again.",
        )
    })?;
    thread::spawn(move || serve(&listener, &folder));
    Ok(format!("http://localhost:{}", address.port()))
}

/// Answers the requests of one connection, one after the other.
fn answer(stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let Some(request) = read_head(&mut reader)? else {
            return Ok(());
        };
        let mut words = request.split_whitespace();
        let (method, target) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let with_body = method == "GET";
        if !with_body && method != "HEAD" {
            write_answer(
                stream,
                "405 Method Not Allowed",
                "text/plain",
                b"Only GET and HEAD.",
                true,
            )?;
            continue;
        }
        match file_of(folder, target).and_then(|file| Some((fs::read(&file).ok()?, file))) {
            Some((content, file)) => {
                write_answer(stream, "200 OK", kind_of(&file), &content, with_body)?
            }
            None => write_answer(
                stream,
                "404 Not Found",
                "text/plain",
                b"There is no such file.",
                with_body,
            )?,
        }
    }
}

/// The request line, after reading the headers that follow it; nothing at the connection's end.
fn read_head(reader: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut head = reader.take(HEAD_LIMIT);
    let mut request = String::new();
    if head.read_line(&mut request)? == 0 {
        return Ok(None);
    }
    let mut header = String::new();
    loop {
        header.clear();
        let read = head.read_line(&mut header)?;
        if read == 0 {
            return Ok(None);
        }
        if header.trim_end().is_empty() {
            return Ok(Some(request));
        }
    }
}

fn write_answer(
    mut stream: &TcpStream,
    status: &str,
    kind: &str,
    content: &[u8],
    with_body: bool,
) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes())?;
    if with_body {
        stream.write_all(content)?;
    }
    stream.flush()
}

/// The file that a request asks for; a folder stands for its index.html. Nothing outside of `folder` is ever named.
fn file_of(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let path = percent_decoded(path.strip_prefix('/')?)?;
    let relative = Path::new(&path);
    let stays_inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !stays_inside || path.contains('\\') {
        return None;
    }
    let file = folder.join(relative);
    let file = if file.is_dir() {
        file.join("index.html")
    } else {
        file
    };
    file.is_file().then_some(file)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|path| !path.contains('\0'))
}

/// The media type by the file's ending. Browsers refuse modules and wasm of a wrong one.
fn kind_of(file: &Path) -> &'static str {
    match file
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
    {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves this package's own folder and returns the answer to a raw request.
    fn ask(request: &str) -> String {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let address = serve_in_background(folder).expect("a free port");
        let mut stream =
            TcpStream::connect(address.trim_start_matches("http://")).expect("an answering server");
        stream
            .write_all(request.as_bytes())
            .expect("an open connection");
        stream
            .shutdown(std::net::Shutdown::Write)
            .expect("an open connection");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("an answer in text");
        answer
    }

    #[test]
    fn files_come_with_their_media_type() {
        let answer = ask("GET /wasm-opt/package.json?v=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"),
            "{answer}"
        );
        assert!(answer.contains("binaryen"), "{answer}");
    }

    #[test]
    fn one_connection_serves_several_requests() {
        let answer = ask(
            "HEAD /Cargo.toml HTTP/1.1\r\n\r\nGET /nothing HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\n\r\n",
        );
        let statuses: Vec<&str> = answer
            .split("HTTP/1.1 ")
            .filter_map(|part| part.get(..3))
            .collect();
        assert_eq!(statuses, ["200", "404", "405"], "{answer}");
        assert!(!answer.contains("[package]"), "HEAD has no body: {answer}");
    }

    #[test]
    fn nothing_outside_of_the_folder_is_served() {
        for path in [
            "/../Cargo.toml",
            "/src/%2e%2e/../../Cargo.toml",
            "//etc/hosts",
            "/..%2fCargo.toml",
            "/..\\Cargo.toml",
            "/%zz",
            "Cargo.toml",
        ] {
            let answer = ask(&format!("GET {path} HTTP/1.1\r\n\r\n"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        }
    }

    #[test]
    fn a_taken_port_is_told_in_a_sentence() {
        let taken = listen(0).expect("a free port");
        let port = taken.local_addr().expect("an address").port();
        let message = listen(port).expect_err("the port is taken").to_string();
        assert!(
            message.contains(&format!("port {port} is in use")),
            "{message}"
        );
        assert!(message.contains("--port"), "{message}");
    }
}
