//! The example domains that come with the editor.

use taskloom::document::Document;

/// An example: its description, and the text of its file.
pub struct Example {
    /// The title of its document.
    pub title: &'static str,
    /// The description in the gallery.
    pub sentence: &'static str,
    /// The source of its story; empty if it is original.
    pub source: &'static str,
    /// The name of its picture, which lies beside the page in light and in dark.
    pub picture: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

impl Example {
    /// Returns the address of its picture, relative to the page.
    pub fn address(&self, scheme: &str) -> String {
        format!("examples/{}-{scheme}.png", self.picture)
    }
}

/// All examples; the first opens on the first start.
pub const ALL: [Example; 7] = [
    Example {
        title: "The ball in the box",
        sentence: "A robot wants the ball in a box, which may be open, closed or locked. One flowchart finds the key, or else the hammer.",
        source: "After Krylov and Abramov, 2020",
        picture: "ball-in-the-box",
        text: include_str!("../public/examples/ball-in-the-box.taskloom.json"),
    },
    Example {
        title: "The night guard",
        sentence: "A museum with numbers, unordered tasks, and eleven nights, most of which go wrong in their own way.",
        source: "",
        picture: "night-guard",
        text: include_str!("../public/examples/night-guard.taskloom.json"),
    },
    Example {
        title: "The office",
        sentence: "Clerks do their paperwork; an intruder talks a password out of one, picks up a badge, or waits for an open screen.",
        source: "After Krylov and Abramov, 2020",
        picture: "office",
        text: include_str!("../public/examples/office.taskloom.json"),
    },
    Example {
        title: "Hunter and hunted",
        sentence: "One hunts the others through a house at night, while they search it for keys. All rely on what they have seen, and memory can be wrong.",
        source: "After Al Shehabi, 2022",
        picture: "hunter",
        text: include_str!("../public/examples/hunter.taskloom.json"),
    },
    Example {
        title: "Captain and camp",
        sentence: "A captain says what is needed; what farmers, miners and soldiers do depends on how much they value it.",
        source: "After the course GPR440, 2021",
        picture: "rts",
        text: include_str!("../public/examples/rts.taskloom.json"),
    },
    Example {
        title: "The sentry",
        sentence: "Four goals instead of tasks: the sentry makes its rounds until somebody comes into sight, then A* finds out what to do.",
        source: "After Romero and others, 2020",
        picture: "sentry",
        text: include_str!("../public/examples/sentry.taskloom.json"),
    },
    Example {
        title: "The opening",
        sentence: "A strategy game in numbers: time-based costs, a chain of goals, and partial plans.",
        source: "After an architecture for StarCraft, 2022",
        picture: "opening",
        text: include_str!("../public/examples/opening.taskloom.json"),
    },
];

/// Returns the document that opens on the first start.
pub fn first() -> Document {
    Document::from_json(ALL[0].text).unwrap_or_default()
}

/// Returns `true` if a document is as the editor provided it: empty, or an unchanged example.
pub fn is_one(document: &Document) -> bool {
    *document == Document::default()
        || ALL
            .iter()
            .filter(|example| example.title == document.info.title)
            .any(|example| Document::from_json(example.text).as_ref() == Ok(document))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_have_their_title_and_small_pictures() {
        for example in ALL {
            let document = Document::from_json(example.text).expect("a document");
            assert_eq!(document.info.title, example.title);
            for scheme in ["light", "dark"] {
                let file = format!("public/{}", example.address(scheme));
                let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                let size = std::fs::metadata(&file).expect("a picture").len();
                assert!(size < 16_000, "{} has {size} bytes", file.display());
            }
        }
    }
}
