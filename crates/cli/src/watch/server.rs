//! The server for one computer: the built editor and, below `watch`, the log with its name and document.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use super::log;

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

/// The headers of every response: the browser must ask again each time, must not guess types, and must not let
/// other sites include the files.
const HEADERS: [(HeaderName, &str); 3] = [
    (CACHE_CONTROL, "no-cache"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Serves a site until the program ends.
pub fn serve(listener: TcpListener, site: Site) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, router(site)).await
    })
}

fn router(site: Site) -> Router {
    let site = Arc::new(site);
    let files = Router::new()
        .fallback_service(ServeDir::new(&site.editor))
        .layer(from_fn_with_state(site.clone(), within_editor));
    let router = Router::new()
        .route("/watch/name", get(name))
        .route("/watch/document", get(document))
        .route("/watch/log", get(part_of_log))
        .fallback_service(files)
        .layer(from_fn_with_state(site.clone(), for_this_computer))
        .with_state(site);
    HEADERS.into_iter().fold(router, |router, (name, value)| {
        let value = HeaderValue::from_static(value);
        router.layer(SetResponseHeaderLayer::overriding(name, value))
    })
}

type Served = State<Arc<Site>>;

/// Refuses requests for another host: with such a header `Host`, a web page elsewhere has made its own name point
/// to this computer (DNS rebinding), and would be allowed to read the response.
async fn for_this_computer(State(site): Served, request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(HOST);
    let hosts: Vec<&str> = hosts.iter().filter_map(|host| host.to_str().ok()).collect();
    match hosts[..] {
        [host] if is_own(host, site.port) => next.run(request).await,
        [_] => StatusCode::MISDIRECTED_REQUEST.into_response(),
        _ => StatusCode::BAD_REQUEST.into_response(),
    }
}

fn is_own(host: &str, port: u16) -> bool {
    let (name, at) = host.rsplit_once(':').unwrap_or((host, "80"));
    let is_here = name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost");
    is_here && at.parse() == Ok(port)
}

/// Refuses files that a symbolic link in the editor's folder leads to, if they are elsewhere.
async fn within_editor(State(site): Served, request: Request, next: Next) -> Response {
    let path = percent_decode_str(request.uri().path()).decode_utf8_lossy();
    match fs::canonicalize(site.editor.join(path.trim_start_matches('/'))) {
        Ok(place) if !place.starts_with(&site.editor) => StatusCode::NOT_FOUND.into_response(),
        _ => next.run(request).await,
    }
}

async fn name(State(site): Served) -> String {
    site.name.clone()
}

async fn document(State(site): Served) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], site.document.clone())
}

/// The part of the log that is wanted.
#[derive(Deserialize)]
struct Wanted {
    /// The position at which it begins, in bytes.
    #[serde(default)]
    from: u64,
    /// The id of the log that the page has the beginning of.
    #[serde(default)]
    id: String,
}

async fn part_of_log(
    State(site): Served,
    Query(wanted): Query<Wanted>,
) -> Result<impl IntoResponse, StatusCode> {
    let part = log::read(&site.log, wanted.from, &wanted.id);
    let part = part.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let headers = [
        (
            "content-type",
            "application/jsonl; charset=utf-8".to_owned(),
        ),
        ("taskloom-log", part.id),
        ("taskloom-from", part.from.to_string()),
    ];
    Ok((headers, part.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hosts_are_refused() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080"] {
            assert!(is_own(host, 8080), "{host}");
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
            assert!(!is_own(host, 8080), "{host}");
        }
    }
}
