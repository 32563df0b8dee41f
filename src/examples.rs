//! The example domains that come with the editor: files beside the page, loaded
//! while it starts, so that it asks the network for nothing later. They lie there
//! anyway; in the program they would be there twice.

use std::sync::OnceLock;

use taskloom_core::document::Document;

use crate::web::page;

/// An example: its title, and the text of its file.
pub struct Example {
    /// Shown in the menu.
    pub title: &'static str,
    /// The file.
    pub text: String,
}

/// The titles and addresses of all examples; the first opens on the first start.
/// index.html names the addresses as well, so that they load beside the program.
const FILES: [(&str, &str); 2] = [
    (
        "The ball in the box",
        "examples/ball-in-the-box.taskloom.json",
    ),
    ("The night guard", "examples/night-guard.taskloom.json"),
];

/// How long a start waits for an example, in milliseconds.
const PATIENCE: u32 = 5_000;

static LOADED: OnceLock<Vec<Example>> = OnceLock::new();

/// Loads all examples, and says which files did not load. They are asked for at
/// once, before anyone waits for the future.
pub fn load() -> impl Future<Output = Vec<&'static str>> {
    let asked = FILES.map(|(title, address)| (title, address, page::file(address, PATIENCE)));
    async {
        let (mut loaded, mut missing) = (vec![], vec![]);
        for (title, address, file) in asked {
            match file.await.ok().and_then(|text| text.as_string()) {
                Some(text) => loaded.push(Example { title, text }),
                None => missing.push(address),
            }
        }
        // The page starts once.
        let _ = LOADED.set(loaded);
        missing
    }
}

/// The examples that are there.
#[cfg(not(test))]
pub fn all() -> &'static [Example] {
    LOADED.get().map_or(&[], Vec::as_slice)
}

/// The examples, which tests have without a page.
#[cfg(test)]
pub fn all() -> &'static [Example] {
    let texts = [
        include_str!("../public/examples/ball-in-the-box.taskloom.json"),
        include_str!("../public/examples/night-guard.taskloom.json"),
    ];
    LOADED.get_or_init(|| {
        let examples = FILES.iter().zip(texts);
        let example = |(&(title, _), text): (&(&'static str, _), &str)| Example {
            title,
            text: text.to_owned(),
        };
        examples.map(example).collect()
    })
}

/// What opens on the first start: the empty document if the first example did not load.
pub fn first() -> Document {
    let [(title, _), ..] = FILES;
    all()
        .iter()
        .find(|example| example.title == title)
        .and_then(|example| Document::from_json(&example.text).ok())
        .unwrap_or_default()
}

/// Whether a document is as the editor gave it: empty, or an example.
pub fn is_one(document: &Document) -> bool {
    *document == Document::default()
        || all()
            .iter()
            .filter(|example| example.title == document.info.title)
            .any(|example| Document::from_json(&example.text).as_ref() == Ok(document))
}
