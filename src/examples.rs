//! The example domains that come with the editor.

use taskloom::document::Document;

/// An example: what is said of it, and the text of its file.
pub struct Example {
    /// The title of its document.
    pub title: &'static str,
    /// What it is about.
    pub sentence: &'static str,
    /// Where its story comes from; empty where that is nobody else's.
    pub source: &'static str,
    /// What its picture is called, which lies beside the page in light and in dark.
    pub picture: &'static str,
    /// The file.
    pub text: &'static str,
}

impl Example {
    /// The address of its picture, from that of the page.
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
        sentence: "A museum, numbers and unordered tasks, and eleven nights, of which most go wrong in a way of their own.",
        source: "",
        picture: "night-guard",
        text: include_str!("../public/examples/night-guard.taskloom.json"),
    },
    Example {
        title: "The office",
        sentence: "Clerks do their papers; an intruder talks a password out of one, picks up a badge, or waits for an open screen.",
        source: "After Krylov and Abramov, 2020",
        picture: "office",
        text: include_str!("../public/examples/office.taskloom.json"),
    },
    Example {
        title: "Hunter and hunted",
        sentence: "One searches a house at night for the others, who search it for keys. All go by what they have seen, and memory can be wrong.",
        source: "After Al Shehabi, 2022",
        picture: "hunter",
        text: include_str!("../public/examples/hunter.taskloom.json"),
    },
    Example {
        title: "Captain and camp",
        sentence: "A captain says what is wanted; what farmers, miners and soldiers do depends on what that is worth to them.",
        source: "After the course GPR440, 2021",
        picture: "rts",
        text: include_str!("../public/examples/rts.taskloom.json"),
    },
    Example {
        title: "The sentry",
        sentence: "Four goals instead of tasks: the rounds are made until somebody comes into sight, and A* finds what to do then.",
        source: "After Romero and others, 2020",
        picture: "sentry",
        text: include_str!("../public/examples/sentry.taskloom.json"),
    },
    Example {
        title: "The opening",
        sentence: "A strategy game in numbers: costs by time, a chain of goals, and plans that lead part of the way.",
        source: "After an architecture for StarCraft, 2022",
        picture: "opening",
        text: include_str!("../public/examples/opening.taskloom.json"),
    },
];

/// What opens on the first start.
pub fn first() -> Document {
    Document::from_json(ALL[0].text).unwrap_or_default()
}

/// Whether a document is as the editor gave it: empty, or an example.
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
    fn every_example_opens_under_its_title_and_has_small_pictures() {
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
