//! The last step of each page build, called by Trunk's post-build hook: writes into index.html what is known only now.
//!
//! - The Content-Security-Policy gets the hash of every inline script (Trunk starts the program from one).
//! - The style sheets become one, in the order of style/main.css: one request instead of one after the other.
//! - The service worker gets the list of the page's files and a hash of them all: its version.
//! - The address of the style sheet gets a `?v=` of its content. Unlike the program's own files its name carries no
//!   hash, and a page must never take a part of another build out of a browser's cache.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{
    build::{files_below, hex},
    failure::{Failure, OnPath, Result},
};

const SCRIPT_SOURCES: &str = "script-src 'self'";
const STYLE_SHEET: &str = "main.css";
const SERVICE_WORKER: &str = "service-worker.js";
/// What the service worker keeps; the schema and the examples' files are for those who look for them.
const KEPT: [&str; 7] = ["html", "css", "js", "wasm", "svg", "png", "webmanifest"];

/// What `trunk serve` would fill into its reloading script while it serves, too late for a hash: the same in JavaScript.
const LIVE_RELOAD: [(&str, &str); 2] = [
    ("'{{__TRUNK_ADDRESS__}}'", "window.location.host"),
    ("'{{__TRUNK_WS_BASE__}}'", "'/'"),
];

/// Seals the page that Trunk has just staged.
pub fn run(root: &Path) -> Result<()> {
    let staging = env::var_os("TRUNK_STAGING_DIR").ok_or_else(|| {
        Failure::new(
            "`cargo xtask seal` was called outside of a page build.",
            "build the page with `cargo xtask serve`; Trunk.toml calls this step by itself.",
        )
    })?;
    let staging = Path::new(&staging);
    let style_file = staging.join(STYLE_SHEET);
    fs::write(&style_file, one_style_sheet(&root.join("style"))?).on("write", &style_file)?;
    let page_file = staging.join("index.html");
    let mut page = fs::read_to_string(&page_file).on("read", &page_file)?;
    let sheet = fs::read(&style_file).on("read", &style_file)?;
    page = with_version(&page, STYLE_SHEET, &sheet)?;
    for (placeholder, value) in LIVE_RELOAD {
        page = page.replace(placeholder, value);
    }
    page = with_script_hashes(&page)?;
    fs::write(&page_file, page).on("write", &page_file)?;
    let worker_file = staging.join(SERVICE_WORKER);
    let worker = fs::read_to_string(&worker_file).on("read", &worker_file)?;
    let worker = with_files(&worker, staging, &files_below(staging)?)?;
    fs::write(&worker_file, worker).on("write", &worker_file)
}

/// The service worker with the addresses of the page's files and their hash.
fn with_files(worker: &str, folder: &Path, files: &[PathBuf]) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(worker);
    let mut addresses = vec!["./".to_owned()];
    for file in files {
        let ending = file.extension().unwrap_or_default();
        let name = file.strip_prefix(folder).unwrap_or(file);
        let name = name.to_string_lossy().replace('\\', "/");
        let is_kept = KEPT.iter().any(|kept| ending == *kept);
        if name == SERVICE_WORKER || !is_kept {
            continue;
        }
        let content = fs::read(file).on("read", file)?;
        hash.update(format!("\0{name}\0{}\0", content.len()));
        hash.update(&content);
        match name.as_str() {
            "index.html" => {}
            STYLE_SHEET => addresses.push(format!("{name}?v={}", version(&content))),
            _ => addresses.push(name),
        }
    }
    let hash = hex(&hash.finalize());
    let version = hash.get(..16).unwrap_or(&hash);
    Ok(worker.replacen("{{version}}", version, 1).replacen(
        "{{files}}",
        &addresses.join("\", \""),
        1,
    ))
}

/// What a file's address says of its content.
fn version(content: &[u8]) -> String {
    hex(&Sha256::digest(content)[..8])
}

/// Adds the hash of each inline script to the page's policy.
fn with_script_hashes(page: &str) -> Result<String> {
    if !page.contains(SCRIPT_SOURCES) {
        return Err(Failure::new(
            format!("index.html has no Content-Security-Policy with `{SCRIPT_SOURCES}`."),
            "put it back: without it the page may run any script.",
        ));
    }
    let hashes =
        inline_scripts(page)
            .into_iter()
            .fold(String::from(SCRIPT_SOURCES), |policy, script| {
                let hash = STANDARD.encode(Sha256::digest(script));
                format!("{policy} 'sha256-{hash}'")
            });
    Ok(page.replacen(SCRIPT_SOURCES, &hashes, 1))
}

/// Appends a version made of `content` to the address `href="name"`.
fn with_version(page: &str, name: &str, content: &[u8]) -> Result<String> {
    let address = format!("href=\"{name}\"");
    if !page.contains(&address) {
        return Err(Failure::new(
            format!("index.html does not load `{name}`."),
            format!("put its `<link {address} …>` back."),
        ));
    }
    let version = version(content);
    Ok(page.replace(&address, &format!("href=\"{name}?v={version}\"")))
}

/// style/main.css with the sheets that it imports in their places.
fn one_style_sheet(folder: &Path) -> Result<String> {
    let main = folder.join(STYLE_SHEET);
    let mut sheet = String::new();
    for line in fs::read_to_string(&main).on("read", &main)?.lines() {
        match imported(line) {
            None => sheet.push_str(line),
            Some(name) => {
                let file = folder.join(name);
                sheet.push_str(&fs::read_to_string(&file).on("read", &file)?);
            }
        }
        sheet.push('\n');
    }
    Ok(sheet)
}

/// The file that a line like `@import url("canvas.css");` names.
fn imported(line: &str) -> Option<&str> {
    let (_, address) = line.trim().strip_prefix("@import")?.split_once('"')?;
    address.split_once('"').map(|(name, _)| name)
}

/// The text of every `<script>` without a `src`, exactly as the browser hashes it.
fn inline_scripts(page: &str) -> Vec<&str> {
    let mut scripts = Vec::new();
    let mut rest = page;
    while let Some((_, after_name)) = rest.split_once("<script") {
        let Some((attributes, after_tag)) = after_name.split_once('>') else {
            break;
        };
        let Some((text, after_script)) = after_tag.split_once("</script>") else {
            break;
        };
        if !attributes.contains("src=") {
            scripts.push(text);
        }
        rest = after_script;
    }
    scripts
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<meta content=\"script-src 'self' 'wasm-unsafe-eval'; img-src 'self'\">\n\
        <script type=\"module\">\nstart();\n</script><script src=\"a.js\"></script>\n\
        <link rel=\"stylesheet\" href=\"main.css\">";

    #[test]
    fn inline_scripts_are_allowed_by_hash() {
        // printf '\nstart();\n' | openssl dgst -sha256 -binary | base64
        let sealed = with_script_hashes(PAGE).expect("a policy to seal");
        assert!(
            sealed.contains(
                "script-src 'self' 'sha256-FflUquKLTOFZgk0+8VvCqtWVuUbHfg32FlrpTHo84aw=' 'wasm-unsafe-eval'; img-src 'self'"
            ),
            "{sealed}"
        );
    }

    #[test]
    fn a_page_without_a_policy_is_refused() {
        assert!(with_script_hashes("<script>start();</script>").is_err());
    }

    #[test]
    fn imports_are_found_in_both_spellings() {
        assert_eq!(imported("@import url(\"canvas.css\");"), Some("canvas.css"));
        assert_eq!(imported("  @import \"canvas.css\";"), Some("canvas.css"));
        assert_eq!(imported("body { margin: 0; }"), None);
    }

    #[test]
    fn the_service_workers_version_follows_the_files() {
        let folder = env::temp_dir().join(format!("taskloom-seal-{}", std::process::id()));
        fs::create_dir_all(folder.join("examples")).expect("a folder");
        let write = |name: &str, content: &str| {
            fs::write(folder.join(name), content).expect("a file");
        };
        write("index.html", "page");
        write("main.css", "one");
        write("examples/a.json", "{}");
        write("a.js", "run()");
        write("a.schema.json", "{}");
        let sealed = || {
            let files = files_below(&folder).expect("files");
            with_files("V {{version}}\nF [\"{{files}}\"]", &folder, &files).expect("a worker")
        };
        let first = sealed();
        assert!(
            first.ends_with("F [\"./\", \"a.js\", \"main.css?v=7692c3ad3540bb80\"]"),
            "{first}"
        );
        write("index.html", "another page");
        let second = sealed();
        assert_ne!(first, second);
        write("a.js", "go()");
        let third = sealed();
        assert_ne!(second, third);
        write("examples/a.json", "[]");
        assert_eq!(third, sealed());
        fs::remove_dir_all(&folder).expect("the folder to go");
    }

    #[test]
    fn the_style_sheets_address_follows_its_content() {
        let one = with_version(PAGE, "main.css", b"one").expect("an address");
        let two = with_version(PAGE, "main.css", b"two").expect("an address");
        assert!(
            one.contains("href=\"main.css?v=7692c3ad3540bb80\""),
            "{one}"
        );
        assert_ne!(one, two);
        assert!(with_version(PAGE, "other.css", b"one").is_err());
    }
}
