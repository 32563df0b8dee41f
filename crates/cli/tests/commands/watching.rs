//! Following a log in the editor: the server and its options.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use expect_test::expect;

use super::fixture::{examples, folder, said, taskloom};

/// The program while it serves a log. It ends with the value.
struct Watching {
    child: Child,
    port: String,
}

impl Watching {
    fn begin(folder: &PathBuf, line: &str) -> Self {
        let mut command = taskloom(folder, line);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it runs");
        let out = child.stdout.take().expect("its output");
        let mut first = String::new();
        let read = BufReader::new(out).read_line(&mut first);
        read.expect("a line");
        let address = first.split("http://127.0.0.1:").nth(1);
        let port = address.and_then(|address| address.split('/').next());
        let port = port.unwrap_or_else(|| panic!("{first}")).to_owned();
        Self { child, port }
    }

    /// Returns the response to a request with these lines.
    fn raw(&self, head: &str) -> String {
        let stream = TcpStream::connect(format!("127.0.0.1:{}", self.port));
        let mut stream = stream.expect("a server that listens");
        stream.write_all(head.as_bytes()).expect("a connection");
        let mut response = vec![];
        // It closes the connection early if the head is too long.
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    }

    fn get(&self, path: &str) -> String {
        let port = &self.port;
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
        ))
    }

    /// Returns the head and the content of a response.
    fn parts(&self, path: &str) -> (String, String) {
        let response = self.get(path);
        let (head, content) = response.split_once("\r\n\r\n").expect("a head");
        (head.to_owned(), content.to_owned())
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates a folder with a document, and a built editor below it, next to a file that isn't part of it.
fn site(test: &str) -> PathBuf {
    let document = examples().join("ball-in-the-box.taskloom.json");
    let document = fs::read_to_string(document).expect("an example");
    let folder = folder(test, &[("ball.json", &document), ("secret.txt", "secret")]);
    let _ = fs::remove_file(folder.join("run.jsonl"));
    fs::create_dir_all(folder.join("dist/help")).expect("a folder");
    for (name, text) in [
        ("index.html", "<!doctype html>"),
        ("help/index.html", "<!doctype html>help"),
        ("page.js", "0"),
        ("page.wasm", "0"),
        ("page.css", ""),
        ("unknown", "?"),
    ] {
        fs::write(folder.join("dist").join(name), text).expect("a file");
    }
    folder
}

const WATCH: &str = "watch run.jsonl ball.json --editor dist";

#[test]
fn serves_the_editor_with_its_media_types() {
    let watching = Watching::begin(&site("watch-types"), WATCH);
    let (head, content) = watching.parts("/?watch");
    assert_eq!(content, "<!doctype html>");
    let is_fixed = |line: &&str| {
        let times = ["date: ", "etag: ", "last-modified: "];
        !times.iter().any(|name| line.starts_with(name))
    };
    let mut lines: Vec<&str> = head.lines().skip(1).filter(is_fixed).collect();
    lines.sort_unstable();
    expect![[r#"
        accept-ranges: bytes
        cache-control: no-cache
        connection: close
        content-length: 15
        content-type: text/html
        cross-origin-resource-policy: same-origin
        x-content-type-options: nosniff"#]]
    .assert_eq(&lines.join("\n"));
    for (path, of) in [
        ("/index.html", "text/html"),
        ("/page.js?v=1", "text/javascript"),
        ("/page.wasm", "application/wasm"),
        ("/page.css", "text/css"),
        ("/unknown", "application/octet-stream"),
        ("/help/", "text/html"),
    ] {
        let (head, _) = watching.parts(path);
        let line = format!("content-type: {of}\r\n");
        assert!(
            head.starts_with("HTTP/1.1 200 OK") && head.contains(&line),
            "{head}"
        );
    }
    let (head, _) = watching.parts("/help");
    assert!(
        head.contains("307") && head.contains("location: /help/\r\n"),
        "{head}"
    );
    let port = &watching.port;
    let head = format!("HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let response = watching.raw(&head);
    assert!(
        response.contains("content-length: 15") && response.ends_with("\r\n\r\n"),
        "{response}"
    );
}

#[test]
fn serves_nothing_else_and_nobody_else() {
    let folder = site("watch-refused");
    #[cfg(unix)]
    {
        let link = folder.join("dist/link.txt");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(folder.join("secret.txt"), link).expect("a link");
    }
    let watching = Watching::begin(&folder, WATCH);
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/help/../../secret.txt",
        "//etc/passwd",
        "/link.txt",
        "/link%2Etxt",
        "/nothing",
        "/watch/",
        "/watch/other",
    ] {
        let response = watching.get(path);
        assert!(response.starts_with("HTTP/1.1 404 "), "{path}: {response}");
        assert!(!response.contains("secret"), "{path}");
    }
    let port = &watching.port;
    for (head, status) in [
        (
            format!("GET / HTTP/1.1\r\nHost: example.org:{port}\r\nConnection: close\r\n\r\n"),
            "421",
        ),
        (
            format!("GET /watch/log HTTP/1.1\r\nHost: a.b:{port}\r\nConnection: close\r\n\r\n"),
            "421",
        ),
        (
            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
            "400",
        ),
        (
            format!("POST / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"),
            "405",
        ),
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (
            format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(3_000)),
            "431",
        ),
    ] {
        let response = watching.raw(&head);
        let is_closed = status == "431" && response.is_empty();
        assert!(
            is_closed || response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{status}: {response}"
        );
    }
}

#[test]
fn log_is_served_from_a_position_as_it_grows() {
    let folder = site("watch-log");
    let watching = Watching::begin(&folder, WATCH);
    assert_eq!(watching.parts("/watch/name").1, "run.jsonl");
    let document = watching.parts("/watch/document").1;
    assert!(
        document.contains("\"title\": \"The ball in the box\""),
        "{document}"
    );
    // The game has not begun.
    let (head, content) = watching.parts("/watch/log?from=0&id=");
    assert!(
        head.starts_with("HTTP/1.1 200 OK") && content.is_empty(),
        "{head}"
    );
    said(
        &folder,
        "run ball.json --scenario case-5-the-box-slams-shut --log whole.jsonl",
    );
    let whole = fs::read_to_string(folder.join("whole.jsonl")).expect("a log");
    let half = whole.len() / 2;
    let path = folder.join("run.jsonl");
    fs::write(&path, &whole[..half]).expect("a file");
    let header = |head: &str, name: &str| -> String {
        let lines = head.lines().map(|line| line.split_once(": "));
        let found = lines.flatten().find(|(own, _)| *own == name);
        found.expect("the header").1.to_owned()
    };
    let (head, content) = watching.parts("/watch/log?from=0&id=");
    assert!(content == whole[..half], "{content}");
    let id = header(&head, "taskloom-log");
    let mut file = fs::OpenOptions::new().append(true).open(&path).expect("it");
    file.write_all(&whole.as_bytes()[half..]).expect("written");
    let (head, content) = watching.parts(&format!("/watch/log?from={half}&id={id}"));
    assert_eq!(header(&head, "taskloom-from"), half.to_string());
    assert!(content == whole[half..], "{content}");
    // Another run takes its place.
    fs::write(&path, whole.replace("\"title\":\"The", "\"title\":\"A")).expect("a file");
    let (head, content) = watching.parts(&format!("/watch/log?from={half}&id={id}"));
    assert_eq!(header(&head, "taskloom-from"), "0");
    assert!(content.len() > half && header(&head, "taskloom-log") != id);
    assert!(watching.get("/watch/log?from=x").contains(" 400 "));
}

#[test]
fn says_what_is_missing() {
    let folder = site("watch-missing");
    let lines = [
        "watch run.jsonl",
        "watch run.jsonl nothing.json --editor dist",
        "watch run.jsonl secret.txt --editor dist",
        "watch dist ball.json --editor dist",
        "watch run.jsonl ball.json --editor nowhere",
        "watch run.jsonl ball.json --editor dist --port 70000",
    ];
    let said: Vec<String> = lines.iter().map(|line| said(&folder, line)).collect();
    expect![[r#"
        ! error: the following required arguments were not provided:
        !   <FILE|DOMAIN>
        ! 
        ! Usage: taskloom watch <LOG> <FILE|DOMAIN> [PROBLEM]
        ! 
        ! For more information, try '--help'.
        exit 2
        ! error: nothing.json: No such file or directory (os error 2)
        exit 2
        ! error: expected '(define ...', found 'secret'
        !   --> secret.txt:1:1
        !   |
        ! 1 | secret
        !   | ^^^^^^
        ! 
        ! error: expected '(define (domain ...', found none
        !   --> secret.txt:1:1
        !   |
        ! 1 | secret
        !   | ^
        ! 
        ! 2 errors
        exit 2
        ! error: dist: this is a folder
        exit 2
        ! error: nowhere has no built editor: `cargo xtask serve` in Taskloom's sources builds it into their folder 'target/page'
        exit 2
        ! error: invalid value '70000' for '--port <PORT>': 70000 is not in 0..=65535
        ! 
        ! For more information, try '--help'.
        exit 2"#]].assert_eq(&said.join("\n"));
}

#[test]
fn reports_a_port_in_use() {
    let folder = site("watch-port");
    let watching = Watching::begin(&folder, WATCH);
    let again = said(&folder, &format!("{WATCH} --port {}", watching.port));
    let again = again.replace(&watching.port, "PORT");
    expect![[r#"
        ! error: port PORT is in use: choose another one with --port, or leave it out
        exit 2"#]]
    .assert_eq(&again);
}

#[cfg(unix)]
#[test]
fn ends_without_an_error_on_ctrl_c() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = site("watch-interrupted");
    let mut watching = Watching::begin(&folder, WATCH);
    let pid = Pid::from_child(&watching.child);
    kill_process(pid, Signal::INT).expect("a signal");
    assert_eq!(watching.child.wait().expect("it ends").code(), Some(0));
}
