//! Requests to the server, and what is allowed in them.

use std::collections::BTreeMap;

/// A request for a path.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// `true` if only the head of the response is wanted.
    pub is_head: bool,
    /// The path, as it was sent.
    pub sent: String,
    /// The parts of the path, decoded; the last one is empty if the path ends with a slash.
    pub path: Vec<String>,
    /// The parameters of the query.
    pub query: BTreeMap<String, String>,
}

/// The reason why a request is refused: a status of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused(pub &'static str);

impl Request {
    /// Reads the head of a request to a server at this port of this computer.
    ///
    /// # Errors
    /// Returns the status if the request is invalid or not for this server. Another name in its header `Host`
    /// means that a web page elsewhere has made its own name point to this computer (DNS rebinding), and would be
    /// allowed to read the response.
    pub fn read(head: &str, port: u16) -> Result<Self, Refused> {
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let [method, target, version] = first.split(' ').collect::<Vec<_>>()[..] else {
            return Err(Refused("400 Bad Request"));
        };
        if !version.starts_with("HTTP/1.") {
            return Err(Refused("400 Bad Request"));
        }
        let hosts = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("host").then(|| value.trim())
        });
        let hosts: Vec<&str> = hosts.collect();
        let is_own = |host: &str| {
            let (name, at) = host.rsplit_once(':').unwrap_or((host, "80"));
            at.parse() == Ok(port)
                && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
        };
        match hosts[..] {
            [host] if is_own(host) => {}
            [_] => return Err(Refused("421 Misdirected Request")),
            _ => return Err(Refused("400 Bad Request")),
        }
        let is_head = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return Err(Refused("405 Method Not Allowed")),
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let sent = path.to_owned();
        let path = path.strip_prefix('/').ok_or(Refused("400 Bad Request"))?;
        let path = path.split('/').map(decoded).collect::<Option<Vec<_>>>();
        let path = path.ok_or(Refused("400 Bad Request"))?;
        if !is_within(&path) {
            return Err(Refused("404 Not Found"));
        }
        let query = query.split('&').filter_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((decoded(name)?, decoded(value)?))
        });
        Ok(Self {
            is_head,
            sent,
            path,
            query: query.collect(),
        })
    }
}

/// Returns `true` if a path doesn't leave the folder that it is in, on any system.
fn is_within(path: &[String]) -> bool {
    let last = path.len().saturating_sub(1);
    path.iter().enumerate().all(|(at, part)| {
        let is_name = !part.is_empty() || at == last;
        is_name
            && part != "."
            && part != ".."
            && !part.contains(['/', '\\', ':'])
            && !part.contains(char::is_control)
    })
}

/// Replaces the percent encoding in a text; `None` if it is invalid.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, host: &str) -> Result<Request, Refused> {
        let head = format!("{line} HTTP/1.1\r\nAccept: */*\r\nhost: {host}\r\n");
        Request::read(&head, 8080)
    }

    #[test]
    fn paths_are_decoded_and_stay_in_their_folder() {
        let path = |line: &str| read(line, "localhost:8080").map(|request| request.path);
        assert_eq!(path("GET /"), Ok(vec![String::new()]));
        let parts = ["a b", "ü", ""].map(str::to_owned).to_vec();
        assert_eq!(path("GET /a%20b/%c3%bc/?x=1"), Ok(parts));
        for line in [
            "GET /..",
            "GET /../Cargo.toml",
            "GET /a/../../b",
            "GET /%2e%2e/Cargo.toml",
            "GET /..%2fCargo.toml",
            "GET /..%5cCargo.toml",
            "GET //etc/passwd",
            "GET /c:/file",
            "GET /a%00b",
            "GET /a%0d%0aSet-Cookie",
        ] {
            assert_eq!(path(line), Err(Refused("404 Not Found")), "{line}");
        }
        for line in [
            "GET /%", "GET /%4", "GET /%zz", "GET /%ff", "GET a", "GET  /",
        ] {
            assert_eq!(path(line), Err(Refused("400 Bad Request")), "{line}");
        }
        assert_eq!(path("POST /"), Err(Refused("405 Method Not Allowed")));
    }

    #[test]
    fn other_hosts_are_refused() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080"] {
            assert!(read("GET /", host).is_ok(), "{host}");
        }
        for host in [
            "example.org",
            "example.org:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1.example.org:8080",
            "localhost.:8080",
            "[::1]:8080",
            "",
        ] {
            let refused = read("GET /", host);
            assert_eq!(refused, Err(Refused("421 Misdirected Request")), "{host}");
        }
        let twice = "localhost:8080\r\nHost: localhost:8080";
        assert_eq!(read("GET /", twice), Err(Refused("400 Bad Request")));
        let none = Request::read("GET / HTTP/1.1\r\n", 8080);
        assert_eq!(none, Err(Refused("400 Bad Request")));
    }
}
