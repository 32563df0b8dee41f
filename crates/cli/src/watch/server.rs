//! A small HTTP server for one computer: a thread per connection, one request per connection, no writing.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::request::{Refused, Request};
use super::site::{Response, Site};

/// The maximum length of a request's head, in bytes.
const LONGEST: usize = 16 << 10;
/// The time limit for reading from a connection or writing to it.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of connections at a time. A browser opens six.
const CONNECTIONS: usize = 64;
/// The time to wait after a connection that couldn't be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The headers of every response. The browser must ask again each time, must not guess types, and must not let
/// other sites include the files.
const HEADERS: &str = "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n";

/// Serves a site until the program ends.
pub fn serve(listener: &TcpListener, site: Site) {
    let site = Arc::new(site);
    let count = Arc::new(AtomicUsize::new(0));
    for connection in listener.incoming() {
        let Ok(connection) = connection else {
            // Too many files may be open for the moment.
            thread::sleep(PAUSE);
            continue;
        };
        if count.load(Ordering::Relaxed) >= CONNECTIONS {
            continue;
        }
        count.fetch_add(1, Ordering::Relaxed);
        let (site, count) = (site.clone(), count.clone());
        thread::spawn(move || {
            // A browser that has gone away needs no response.
            let _ = answer(connection, &site);
            count.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

fn answer(mut connection: TcpStream, site: &Site) -> io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    let head = head(&mut connection)?;
    let request = head.map_or(
        Err(Refused("431 Request Header Fields Too Large")),
        |head| {
            let text = str::from_utf8(&head).map_err(|_| Refused("400 Bad Request"))?;
            Request::read(text, site.port)
        },
    );
    let is_head = request.as_ref().is_ok_and(|request| request.is_head);
    let response = request.and_then(|request| site.response(&request));
    let Response {
        status,
        headers,
        content,
    } = response.unwrap_or_else(|Refused(status)| Response {
        status,
        headers: vec![("Content-Type", "text/plain; charset=utf-8".to_owned())],
        content: format!("{status}\n").into_bytes(),
    });
    let headers = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let length = content.len();
    let head = format!(
        "HTTP/1.1 {status}\r\n{}Content-Length: {length}\r\n{HEADERS}\r\n",
        headers.collect::<String>()
    );
    connection.write_all(head.as_bytes())?;
    if !is_head {
        connection.write_all(&content)?;
    }
    connection.flush()
}

/// Reads the head of a request; `None` if it is too long.
fn head(connection: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    let mut head = vec![];
    let mut part = [0; 1024];
    while head.len() <= LONGEST {
        let length = connection.read(&mut part)?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&part[..length]);
        if let Some(end) = head.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            head.truncate(end);
            return Ok(Some(head));
        }
    }
    Ok(None)
}
