//! The last step of each page build, called by Trunk's post-build hook: fills in the parts of
//! index.html that depend on the build.
//!
//! - The Content-Security-Policy gets the hash of every inline script (Trunk starts the program
//!   from one).
//! - The style sheets are merged, in the order of style/main.css, to save sequential requests.
//! - The names of the style sheet and of the worker's files get a hash, like those that Trunk gives
//!   to the page's program: a page must never use a part of another build from a browser's cache.
//! - The planner's program stores its answers to the examples.
//! - mdBook builds the help into a folder of its own (`help`).
//! - The service worker gets the list of the page's files and a hash of them all: its version.

use std::{env, fs, path::Path, process::Command};

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{
    failure::{Failure, OnPath, Result},
    files::{files_below, hex},
    help, process,
};

const SCRIPT_SOURCES: &str = "script-src 'self'";
/// The name of the merged style sheet in index.html.
const STYLE_SHEET: &str = "main.css";
/// The script of the planner's program, and the program.
const PLANNER: [&str; 2] = ["taskloom-worker.js", "taskloom-worker_bg.wasm"];
/// The files that index.html names, and that get a hash in their names.
const HASHED: [&str; 5] = [
    STYLE_SHEET,
    PLANNER[0],
    PLANNER[1],
    "taskloom-jobs.js",
    "taskloom-jobs_bg.wasm",
];
/// Contains a hash of all files of a build.
pub const SERVICE_WORKER: &str = "service-worker.js";
/// The endings of the files that the service worker caches: all but the schema and the
/// licences, which the page doesn't use.
const KEPT: [&str; 10] = [
    ".html",
    ".css",
    ".js",
    ".wasm",
    ".woff2",
    ".svg",
    ".png",
    ".webmanifest",
    ".taskloom.json",
    ".answers",
];

/// Placeholders that `trunk serve` would fill into its reload script while serving, too late for a
/// hash, and equivalent JavaScript.
const LIVE_RELOAD: [(&str, &str); 2] = [
    ("'{{__TRUNK_ADDRESS__}}'", "window.location.host"),
    ("'{{__TRUNK_WS_BASE__}}'", "'/'"),
];

/// Seals the page that Trunk has just staged.
pub fn run(root: &Path) -> Result<()> {
    let staging = env::var_os("TRUNK_STAGING_DIR").ok_or_else(|| {
        Failure::new(
            "`cargo xtask seal` was called outside a page build.",
            "build the page with `cargo xtask serve`; Trunk.toml calls this step.",
        )
    })?;
    let staging = Path::new(&staging);
    // A first `cargo xtask serve` adds the help later.
    if process::find("mdbook").is_some() {
        help::build(&mut Command::new("mdbook"), root, staging)?;
    }
    let sheet = one_style_sheet(&root.join("style"))?;
    let file = staging.join(STYLE_SHEET);
    fs::write(&file, &sheet).on("write", &file)?;
    let mut hashed = vec![];
    for name in HASHED {
        hashed.push((name, with_hash_in_name(staging, name)?));
    }
    store_answers(root, staging, &hashed)?;
    rewrite(&staging.join("index.html"), |page| {
        let link = |name: &str| format!("href=\"{name}\"");
        let mut page = page.to_owned();
        for (name, hashed) in &hashed {
            page = filled(&page, &link(name), &link(hashed))?;
        }
        let page = LIVE_RELOAD.iter().fold(page, |page, (placeholder, value)| {
            page.replace(placeholder, value)
        });
        with_script_hashes(&page)
    })?;
    rewrite(&staging.join(SERVICE_WORKER), |worker| {
        with_files(worker, staging)
    })
}

/// Lets the planner's program plan the examples, and stores its answers beside them.
fn store_answers(root: &Path, page: &Path, names: &[(&str, String)]) -> Result<()> {
    let mut node = Command::new("node");
    node.arg(root.join("xtask/answers.mjs")).arg(page);
    for planner in PLANNER {
        node.args(
            names
                .iter()
                .filter(|(name, _)| *name == planner)
                .map(|(_, name)| name),
        );
    }
    process::run(&mut node, "see the reason in its last lines above.")
}

/// Renames a file so that its name contains a hash of its content, and returns the new name.
fn with_hash_in_name(folder: &Path, name: &str) -> Result<String> {
    let file = folder.join(name);
    let content = fs::read(&file).on("read", &file)?;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let hashed = format!("{stem}-{}.{ending}", hex(&Sha256::digest(&content)[..8]));
    fs::rename(&file, folder.join(&hashed)).on("rename", &file)?;
    Ok(hashed)
}

fn rewrite(file: &Path, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(file).on("read", file)?;
    fs::write(file, change(&text)?).on("write", file)
}

/// Returns the service worker with the addresses of the page's files and their hash.
fn with_files(worker: &str, folder: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(worker);
    let mut addresses = vec!["./".to_owned()];
    for file in files_below(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        let name = name.to_string_lossy().replace('\\', "/");
        if name == SERVICE_WORKER || !KEPT.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        let content = fs::read(&file).on("read", &file)?;
        hash.update(format!("\0{name}\0{}\0", content.len()));
        hash.update(&content);
        if name != "index.html" {
            addresses.push(name);
        }
    }
    let worker = filled(worker, "{{version}}", &hex(&hash.finalize()[..8]))?;
    filled(&worker, "{{files}}", &addresses.join("\", \""))
}

/// Adds the hash of each inline script to the page's policy.
fn with_script_hashes(page: &str) -> Result<String> {
    let mut sources = SCRIPT_SOURCES.to_owned();
    for script in inline_scripts(page) {
        let hash = STANDARD.encode(Sha256::digest(script));
        sources.push_str(&format!(" 'sha256-{hash}'"));
    }
    filled(page, SCRIPT_SOURCES, &sources)
}

/// Returns the text with a placeholder, which must exist, replaced by `value`.
fn filled(text: &str, place: &str, value: &str) -> Result<String> {
    if text.contains(place) {
        return Ok(text.replacen(place, value, 1));
    }
    Err(Failure::new(
        format!("the page has no placeholder `{place}`."),
        "restore it in index.html or public/service-worker.js.",
    ))
}

/// Returns style/main.css with its imports inlined.
fn one_style_sheet(folder: &Path) -> Result<String> {
    let main = folder.join(STYLE_SHEET);
    let mut sheet = String::new();
    for line in fs::read_to_string(&main).on("read", &main)?.lines() {
        let name = line.strip_prefix("@import url(\"");
        match name.and_then(|name| name.strip_suffix("\");")) {
            Some(name) => {
                let file = folder.join(name);
                sheet.push_str(&fs::read_to_string(&file).on("read", &file)?);
            }
            None => sheet.push_str(line),
        }
        sheet.push('\n');
    }
    Ok(sheet)
}

/// Returns the text of every `<script>` without a `src`, exactly as the browser hashes it.
fn inline_scripts(page: &str) -> Vec<&str> {
    let tags = page.split("<script").skip(1);
    let tags = tags.filter_map(|tag| tag.split_once('>'));
    let inline = tags.filter(|(attributes, _)| !attributes.contains("src="));
    let texts = inline.filter_map(|(_, rest)| rest.split_once("</script>"));
    texts.map(|(text, _)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<meta content=\"script-src 'self' 'wasm-unsafe-eval'; img-src 'self'\">\n\
        <script type=\"module\">\nstart();\n</script><script src=\"a.js\"></script>";

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
    fn rejects_pages_without_a_policy() {
        assert!(with_script_hashes("<script>start();</script>").is_err());
    }

    #[test]
    fn service_worker_version_depends_on_the_files() {
        let folder = env::temp_dir().join(format!("taskloom-seal-{}", std::process::id()));
        fs::create_dir_all(folder.join("examples")).expect("a folder");
        let write = |name: &str, content: &str| {
            fs::write(folder.join(name), content).expect("a file");
        };
        write("index.html", "page");
        write("examples/a.taskloom.json", "{}");
        write("a.js", "run()");
        write("a.schema.json", "{}");
        let sealed = || with_files("V {{version}}\nF [\"{{files}}\"]", &folder).expect("a worker");
        let first = sealed();
        assert!(
            first.ends_with("F [\"./\", \"a.js\", \"examples/a.taskloom.json\"]"),
            "{first}"
        );
        write("index.html", "another page");
        let second = sealed();
        assert_ne!(first, second);
        write("a.js", "go()");
        let third = sealed();
        assert_ne!(second, third);
        write("a.schema.json", "[]");
        assert_eq!(third, sealed());
        fs::remove_dir_all(&folder).expect("the folder to go");
    }
}
