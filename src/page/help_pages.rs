//! The addresses of the help's pages, relative to the editor's page. Their sources are in docs/help.

use taskloom_document::{BlockKind, Kind};

/// The first page.
pub const START: &str = "help/index.html";

/// Sections of the inspector, by their headings.
const SECTIONS: [(&str, &str); 27] = [
    ("Alternatives", "help/methods.html#choice"),
    ("Actors", "help/scenarios.html#actors"),
    ("Claims", "help/tasks.html#claims"),
    ("Crowds", "help/scenarios.html#crowds"),
    ("Done when", "help/tasks.html#completion-conditions"),
    ("Events", "help/scenarios.html#events"),
    ("Expectations", "help/scenarios.html#expectations"),
    ("False beliefs", "help/scenarios.html#beliefs"),
    ("First steps", "help/first-steps.html#start-your-own"),
    ("Forced failures", "help/scenarios.html#failures"),
    ("Goals", "help/agents.html#goals"),
    ("Initial values", "help/scenarios.html#initial-values"),
    (
        "Initial values as a table",
        "help/scenarios.html#initial-values",
    ),
    (
        "Objects in this scenario only",
        "help/scenarios.html#objects",
    ),
    ("Options", "help/methods.html#task-options"),
    ("Parameters", "help/expressions.html#parameters"),
    ("Repertoire", "help/agents.html#repertoire"),
    ("Replans when", "help/agents.html#triggers"),
    ("Search", "help/agents.html#goal-search"),
    ("Senses", "help/agents.html#senses"),
    ("Subgoals, in order", "help/agents.html#subgoals"),
    (
        "Tasks that serve it, in order",
        "help/agents.html#serving-tasks",
    ),
    ("Tasks", "help/scenarios.html#tasks"),
    ("Value", "help/agents.html#goal-value"),
    ("What it changes", "help/tasks.html#effects"),
    ("When it can start", "help/tasks.html#preconditions"),
    ("While it runs", "help/tasks.html#integrity-rules"),
];

/// Returns the page about a section of the inspector.
pub fn of_section(title: &str) -> &'static str {
    let mut sections = SECTIONS.iter();
    let found = sections.find(|(section, _)| *section == title);
    found.map_or(START, |(_, page)| page)
}

/// Returns the page about a kind of record.
pub fn of_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Type | Kind::Object => "help/expressions.html#types",
        Kind::Fact => "help/expressions.html#facts",
        Kind::Condition => "help/expressions.html#conditions",
        Kind::Action => "help/tasks.html#actions",
        Kind::PrimitiveTask => "help/tasks.html#primitive-tasks",
        Kind::CompoundTask => "help/tasks.html#compound-tasks",
        Kind::Goal => "help/agents.html#goals",
        Kind::Agent => "help/agents.html",
        Kind::Scenario => "help/scenarios.html",
    }
}

/// Returns the page about a kind of block.
pub fn of_block(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Begin => "help/methods.html#begin",
        BlockKind::Task => "help/methods.html#task",
        BlockKind::Branch => "help/methods.html#branch",
        BlockKind::Choice(_) => "help/methods.html#choice",
        BlockKind::Bind => "help/methods.html#bind",
        BlockKind::End => "help/methods.html#end",
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// Returns the text of a file below a folder of this repository.
    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    /// Returns `true` if the help's sources have a page with that anchor.
    fn exists(address: &str) -> bool {
        let (page, anchor) = address.split_once('#').unwrap_or((address, ""));
        let name = page
            .strip_prefix("help/")
            .and_then(|p| p.strip_suffix(".html"));
        let name = name.unwrap_or_else(|| panic!("{address} is no page of the help"));
        let file = root().join("docs/help/src").join(format!("{name}.md"));
        let heading = format!(" {{#{anchor}}}");
        let is_there = |line: &str| line.starts_with('#') && line.ends_with(&heading);
        let is_listed =
            read(&root().join("docs/help/src/SUMMARY.md")).contains(&format!("({name}.md)"));
        is_listed && file.is_file() && (anchor.is_empty() || read(&file).lines().any(is_there))
    }

    #[test]
    fn every_page_that_the_editor_names_exists() {
        let blocks = [
            BlockKind::Begin,
            BlockKind::Task,
            BlockKind::Branch,
            BlockKind::Choice(0),
            BlockKind::Bind,
            BlockKind::End,
        ];
        let pages = SECTIONS.iter().map(|(_, page)| *page);
        let pages = pages.chain(Kind::ALL.into_iter().map(of_kind));
        let pages = pages.chain(blocks.into_iter().map(of_block)).chain([START]);
        let missing: Vec<&str> = pages.filter(|page| !exists(page)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(!exists("help/agents.html#no-such-heading"));
    }

    /// Headings are written as `title="Senses"` in the inspector's files.
    #[test]
    fn every_section_of_the_inspector_has_a_page() {
        let mut folders = vec![root().join("src/panels/inspector")];
        let mut titles = vec![];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = read(&path);
                let parts =
                    ["<Heading ", "<TextList ", "<EditableList"].map(|tag| text.split(tag).skip(1));
                for part in parts.into_iter().flatten() {
                    let title = part
                        .split_once("title=\"")
                        .and_then(|(_, rest)| rest.split_once('"'));
                    titles.extend(title.map(|(title, _)| title.to_owned()));
                }
            }
        }
        assert!(titles.len() > 20, "{titles:?}");
        titles.retain(|title| of_section(title) == START);
        assert!(titles.is_empty(), "{titles:?}");
    }
}
