//! The example domains that come with the editor.

use taskloom::document::Document;

/// An example: its title, and the text of its file.
pub struct Example {
    /// Shown in the menu.
    pub title: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All examples; the first opens on the first start.
pub const ALL: [Example; 7] = [
    Example {
        title: "The ball in the box",
        text: include_str!("../public/examples/ball-in-the-box.taskloom.json"),
    },
    Example {
        title: "The night guard",
        text: include_str!("../public/examples/night-guard.taskloom.json"),
    },
    Example {
        title: "The office",
        text: include_str!("../public/examples/office.taskloom.json"),
    },
    Example {
        title: "Hunter and hunted",
        text: include_str!("../public/examples/hunter.taskloom.json"),
    },
    Example {
        title: "Captain and camp",
        text: include_str!("../public/examples/rts.taskloom.json"),
    },
    Example {
        title: "The sentry",
        text: include_str!("../public/examples/sentry.taskloom.json"),
    },
    Example {
        title: "The opening",
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
    fn every_example_opens_under_its_title() {
        for example in ALL {
            let document = Document::from_json(example.text).expect("a document");
            assert_eq!(document.info.title, example.title);
        }
    }
}
