//! What is served: the built editor, and below `watch` the log with its name and document.

use std::fs;
use std::path::PathBuf;

use super::log;
use super::request::{Refused, Request};

/// The files that are served.
pub struct Site {
    /// The folder of the built editor, with all symbolic links followed.
    pub editor: PathBuf,
    /// The log's file.
    pub log: PathBuf,
    /// The log's name.
    pub name: String,
    /// The text of the document's file.
    pub document: String,
    /// The port at which it is served.
    pub port: u16,
}

/// A response: its headers, apart from those that all have, and its content.
#[derive(Debug, Default)]
pub struct Response {
    pub status: &'static str,
    pub headers: Vec<(&'static str, String)>,
    pub content: Vec<u8>,
}

const OK: &str = "200 OK";
const NOT_FOUND: Refused = Refused("404 Not Found");

impl Site {
    /// Returns the response to a request.
    ///
    /// # Errors
    /// Returns the status if there is no such file.
    pub fn response(&self, request: &Request) -> Result<Response, Refused> {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        match path[..] {
            ["watch", "name"] => Ok(Response::of("txt", self.name.clone().into_bytes())),
            ["watch", "document"] => Ok(Response::of("json", self.document.clone().into_bytes())),
            ["watch", "log"] => self.part_of_log(request),
            ["watch", ..] => Err(NOT_FOUND),
            _ => self.file(&request.sent, &path),
        }
    }

    fn part_of_log(&self, request: &Request) -> Result<Response, Refused> {
        let from = request.query.get("from").map_or(Ok(0), |from| from.parse());
        let from = from.map_err(|_| Refused("400 Bad Request"))?;
        let id = request.query.get("id").map_or("", String::as_str);
        let part = log::read(&self.log, from, id);
        let part = part.map_err(|_| Refused("500 Internal Server Error"))?;
        let mut response = Response::of("jsonl", part.bytes);
        response.headers.push(("Taskloom-Log", part.id));
        let from = part.from.to_string();
        response.headers.push(("Taskloom-From", from));
        Ok(response)
    }

    fn file(&self, sent: &str, path: &[&str]) -> Result<Response, Refused> {
        let mut place = self.editor.clone();
        place.extend(path);
        if path.last() == Some(&"") {
            place.push("index.html");
        }
        // A symbolic link may lead elsewhere.
        let place = fs::canonicalize(place).map_err(|_| NOT_FOUND)?;
        if !place.starts_with(&self.editor) {
            return Err(NOT_FOUND);
        }
        if place.is_dir() {
            // The links of its page are relative to the folder. No part is empty, so this is no other host.
            return Ok(Response {
                status: "308 Permanent Redirect",
                headers: vec![("Location", format!("{sent}/"))],
                content: vec![],
            });
        }
        let content = fs::read(&place).map_err(|_| NOT_FOUND)?;
        let extension = place.extension().unwrap_or_default();
        Ok(Response::of(&extension.to_string_lossy(), content))
    }
}

impl Response {
    fn of(extension: &str, content: Vec<u8>) -> Self {
        let headers = vec![("Content-Type", media_type(extension).to_owned())];
        Self {
            status: OK,
            headers,
            content,
        }
    }
}

fn media_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "jsonl" => "application/jsonl; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
