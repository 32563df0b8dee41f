//! The example domains that come with the editor. Their files lie beside the page and are fetched
//! when one is opened.

mod fetched;
pub mod guides;

use guides::Guide;
use taskloom_document::Document;

/// An example: its description, and where its files are.
pub struct Example {
    /// The title of its document.
    pub title: &'static str,
    /// The description in the gallery.
    pub sentence: &'static str,
    /// The source of its story; empty if it is original.
    pub source: &'static str,
    /// The guide to it.
    pub guide: Guide,
    /// The name of its files.
    pub name: &'static str,
    /// The digest of its document's text.
    digest: u64,
}

/// The name of each example with the scenario in which it opens. The build reads it, too: it stores the
/// plans of these scenarios.
const SCENARIOS: &str = include_str!("examples/scenarios.txt");

impl Example {
    /// Returns the name of the scenario in which it opens.
    pub fn scenario(&self) -> &'static str {
        let mut lines = SCENARIOS.lines().filter_map(|line| line.split_once(' '));
        let found = lines.find(|(name, _)| *name == self.name);
        found.map_or("", |(_, scenario)| scenario)
    }

    /// Returns the address of its document, relative to the page.
    pub fn file(&self) -> String {
        format!("examples/{}.taskloom.json", self.name)
    }

    /// Returns the address of its picture for a color scheme, relative to the page.
    pub fn picture(&self, scheme: &str) -> String {
        format!("examples/{}-{scheme}.png", self.name)
    }
}

#[cfg(test)]
impl Example {
    /// Returns its document.
    pub fn document(&self) -> Document {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("public");
        let text = std::fs::read_to_string(folder.join(self.file())).expect("the example's file");
        Document::from_json(&text).expect("a document")
    }
}

/// Returns the FNV-1a hash of a text.
const fn digest(text: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < text.len() {
        hash = (hash ^ text[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// Computes the digest of an example at compile time, so that its text isn't part of the program.
macro_rules! digest_of_file {
    ($name:literal) => {
        digest(include_bytes!(concat!(
            "../public/examples/",
            $name,
            ".taskloom.json"
        )))
    };
}

/// All examples; the first opens on the first start.
pub static ALL: [Example; 7] = [
    Example {
        title: "Hunter and hunted",
        sentence: "One hunts the others through a house at night, while they search it for keys. All rely on what they have seen, and memory can be wrong.",
        source: "After Al Shehabi, 2022",
        guide: guides::HUNTER,
        name: "hunter",
        digest: digest_of_file!("hunter"),
    },
    Example {
        title: "The ball in the box",
        sentence: "A robot wants the ball in a box, which may be open, closed or locked. One flowchart finds the key, or else the hammer.",
        source: "After Krylov and Abramov, 2020",
        guide: guides::BALL,
        name: "ball-in-the-box",
        digest: digest_of_file!("ball-in-the-box"),
    },
    Example {
        title: "The night guard",
        sentence: "A museum with numbers, unordered tasks, and eleven nights, most of which go wrong in their own way.",
        source: "",
        guide: guides::NIGHT_GUARD,
        name: "night-guard",
        digest: digest_of_file!("night-guard"),
    },
    Example {
        title: "The office",
        sentence: "Clerks do their paperwork; an intruder talks a password out of one, picks up a badge, or waits for an open screen.",
        source: "After Krylov and Abramov, 2020",
        guide: guides::OFFICE,
        name: "office",
        digest: digest_of_file!("office"),
    },
    Example {
        title: "Captain and camp",
        sentence: "A captain says what is needed; what farmers, miners and soldiers do depends on how much they value it.",
        source: "After the course GPR440, 2021",
        guide: guides::RTS,
        name: "rts",
        digest: digest_of_file!("rts"),
    },
    Example {
        title: "The sentry",
        sentence: "Four goals instead of tasks: the sentry makes its rounds until somebody comes into sight, then A* finds out what to do.",
        source: "After Romero and others, 2020",
        guide: guides::SENTRY,
        name: "sentry",
        digest: digest_of_file!("sentry"),
    },
    Example {
        title: "The opening",
        sentence: "A strategy game in numbers: time-based costs, a chain of goals, and partial plans.",
        source: "After an architecture for StarCraft, 2022",
        guide: guides::OPENING,
        name: "opening",
        digest: digest_of_file!("opening"),
    },
];

/// The text of an example that is part of the program, for a start without a server.
const EMBEDDED: &str = include_str!("../public/examples/ball-in-the-box.taskloom.json");

/// Returns the document of the first start if no other example can be fetched.
pub fn first() -> Document {
    Document::from_json(EMBEDDED).unwrap_or_default()
}

/// Returns the example with this title, and its index.
pub fn titled(title: &str) -> Option<(usize, &'static Example)> {
    let mut examples = ALL.iter().enumerate();
    examples.find(|(_, example)| example.title == title)
}

/// Returns `true` if a document is as the editor provided it: empty, or an unchanged example.
pub fn is_one(document: &Document) -> bool {
    if *document == Document::default() {
        return true;
    }
    let titled = |example: &&Example| example.title == document.info.title;
    let mut examples = ALL.iter().filter(titled).peekable();
    examples.peek().is_some() && {
        let digest = digest(document.to_json().as_bytes());
        examples.any(|example| example.digest == digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::Arc;

    #[test]
    fn examples_are_recognized_until_they_are_changed() {
        assert!(is_one(&first()));
        for example in &ALL {
            let mut document = example.document();
            assert_eq!(document.info.title, example.title);
            assert!(is_one(&document), "{}", example.title);
            Arc::make_mut(&mut document.info).note.push('!');
            assert!(!is_one(&document), "{}", example.title);
        }
    }

    #[test]
    fn pictures_are_small() {
        for example in &ALL {
            for scheme in ["light", "dark"] {
                let file = format!("public/{}", example.picture(scheme));
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                let size = std::fs::metadata(&file).expect("a picture").len();
                assert!(size < 16_000, "{} has {size} bytes", file.display());
            }
        }
    }
}
