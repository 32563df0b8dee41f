//! The pages and sections of the help, as the palette and the help sheet list them.

use leptos::prelude::window;

/// A page of the help, or a section of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The title of the section's page; for a page, the part of the book.
    pub of: &'static str,
    /// The address, relative to the editor's page.
    pub address: &'static str,
    /// The title.
    pub title: &'static str,
}

impl Entry {
    /// Returns `true` for a page as a whole.
    pub fn is_page(&self) -> bool {
        !self.address.contains('#')
    }

    /// Opens it in a new tab.
    pub fn open(&self) {
        // A browser that blocks new tabs shows so itself.
        let _ = window().open_with_url_and_target(self.address, "_blank");
    }
}

/// Made from docs/help by the test below: a line for each page and section.
const INDEX: &str = include_str!("help_index.txt");

/// Returns all pages, each followed by its sections.
pub fn entries() -> impl Iterator<Item = Entry> {
    INDEX.lines().filter_map(|line| {
        let mut parts = line.split(" | ");
        Some(Entry {
            of: parts.next()?,
            address: parts.next()?,
            title: parts.next()?,
        })
    })
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::fs;
    use std::path::Path;

    use expect_test::expect_file;

    use super::*;

    /// Returns the sections of a page: anchor and title of each heading that has an anchor.
    fn sections(text: &str) -> Vec<(String, String)> {
        let headings = text.lines().filter(|line| line.starts_with("##"));
        let split = headings.filter_map(|line| line.trim_start_matches('#').split_once("{#"));
        let parts = split.map(|(title, anchor)| (anchor.trim_end_matches('}'), title.trim()));
        parts
            .map(|(anchor, title)| (anchor.to_owned(), title.replace('`', "")))
            .collect()
    }

    /// `UPDATE_EXPECT=1` writes the index again.
    #[test]
    fn the_index_lists_all_pages_and_sections() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/help/src");
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a page");
        let mut index = String::new();
        let mut part = "Help".to_owned();
        for line in read("SUMMARY.md").lines() {
            if let Some(title) = line.strip_prefix("# ").filter(|title| *title != "Summary") {
                title.clone_into(&mut part);
            }
            let link = line.trim_start_matches("- ").strip_prefix('[');
            let Some((title, file)) = link.and_then(|link| link.split_once("](")) else {
                continue;
            };
            let file = file.trim_end_matches(')');
            let address = format!("help/{}", file.replace(".md", ".html"));
            index += &format!("{part} | {address} | {title}\n");
            for (anchor, section) in sections(&read(file)) {
                index += &format!("{title} | {address}#{anchor} | {section}\n");
            }
        }
        expect_file!["help_index.txt"].assert_eq(&index);
        assert_eq!(entries().count(), index.lines().count());
        assert!(entries().any(|entry| entry.address == "help/agents.html#senses"));
    }
}
