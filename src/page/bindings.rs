//! The keys of commands: the table's defaults, and the designer's changes, stored in the browser.

use super::chord::{is_ignored_by_select, types_nothing};
use super::command::{Command, Group, Input, Place, commands};
use crate::web::storage;
use taskloom_document::sort::CompactSort;

const KEY: &str = "taskloom.keys";

/// The bindings of keys to commands. A change holds a command's id and its keys, separated by
/// spaces.
#[derive(Debug, Clone, PartialEq)]
pub struct Bindings {
    groups: &'static [Group],
    changes: Vec<(String, String)>,
}

impl Bindings {
    /// Restores the stored bindings of these commands.
    pub fn restore(groups: &'static [Group]) -> Self {
        Self::read(groups, &storage::get(KEY).unwrap_or_default())
    }

    /// Parses changes: one command per line, its id before `=`.
    fn read(groups: &'static [Group], text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once('='));
        let changes = lines.map(|(id, keys)| (id.to_owned(), keys.to_owned()));
        Self {
            groups,
            changes: changes.collect(),
        }
    }

    fn keep(&self) {
        let lines: Vec<String> = self
            .changes
            .iter()
            .map(|(id, keys)| format!("{id}={keys}"))
            .collect();
        storage::set(KEY, &lines.join("\n"));
    }

    /// Returns the keys of a command.
    pub fn keys(&self, command: &Command) -> Vec<String> {
        let own = self.changes.iter().find(|(id, _)| id == command.id);
        let keys = own.map_or(command.keys, |(_, keys)| keys);
        keys.split_whitespace().map(str::to_owned).collect()
    }

    /// Returns `true` if a command's keys differ from the table's.
    pub fn differs(&self, command: &Command) -> bool {
        self.changes.iter().any(|(id, _)| id == command.id)
    }

    /// Returns `true` if all keys are the table's.
    pub fn is_default(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the commands that a key is bound to, those of the open canvas before those of the
    /// page.
    pub fn of(&self, chord: &str) -> Vec<&'static Command> {
        let meant = |command: &&Command| self.keys(command).iter().any(|key| key == chord);
        let mut found: Vec<&Command> = commands(self.groups).filter(meant).collect();
        found.compact_sort_by_key(|command| command.place == Place::Page);
        found
    }

    /// Returns another command that a key is already bound to where this one applies.
    pub fn conflict(&self, command: &Command, chord: &str) -> Option<&'static Command> {
        let mut others = self.of(chord).into_iter();
        others.find(|other| other.id != command.id && other.place.overlaps(command.place))
    }

    /// Gives a command exactly these keys.
    pub fn set(&mut self, command: &Command, keys: &str) {
        self.changes.retain(|(id, _)| id != command.id);
        if keys != command.keys {
            self.changes.push((command.id.to_owned(), keys.to_owned()));
        }
        self.keep();
    }

    /// Removes a key from the other commands that apply where a command does, and gives it to that
    /// command as its only key.
    pub fn take(&mut self, command: &Command, chord: &str) {
        while let Some(other) = self.conflict(command, chord) {
            let left: Vec<String> = self
                .keys(other)
                .into_iter()
                .filter(|key| key != chord)
                .collect();
            self.set(other, &left.join(" "));
        }
        self.set(command, chord);
    }

    /// Resets all keys to the table's.
    pub fn reset(&mut self) {
        self.changes.clear();
        storage::remove(KEY);
    }

    /// Returns `true` if a key reaches this command of the page while `input` has the focus. A
    /// text's undo and redo are its own, even if it has nothing to undo: the step that the document
    /// would undo may be anywhere.
    pub fn reaches(command: &Command, chord: &str, input: Input) -> bool {
        match input {
            Input::None => true,
            Input::Choice => is_ignored_by_select(chord),
            Input::Text => types_nothing(chord) && !matches!(command.id, "undo" | "redo"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::GROUPS;

    fn find(id: &str) -> Option<&'static Command> {
        commands(GROUPS).find(|command| command.id == id)
    }

    #[test]
    fn keys_are_unique_per_context() {
        let bindings = Bindings::read(GROUPS, "");
        let mut keys = 0;
        for command in commands(GROUPS) {
            for key in bindings.keys(command) {
                let other = bindings.conflict(command, &key).map(|c| c.id);
                assert_eq!(other, None, "{key} means {} as well", command.id);
                keys += 1;
            }
        }
        assert!(keys >= 50, "{keys} keys");
    }

    #[test]
    fn command_ids_are_unique() {
        let mut ids: Vec<&str> = commands(GROUPS).map(|c| c.id).collect();
        let count = ids.len();
        ids.compact_sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn text_fields_keep_their_own_undo() {
        let undo = find("undo").unwrap();
        for chord in ["Ctrl+Z", "F5", "Alt+Z"] {
            assert!(!Bindings::reaches(undo, chord, Input::Text), "{chord}");
            assert!(Bindings::reaches(undo, chord, Input::Choice), "{chord}");
            assert!(Bindings::reaches(undo, chord, Input::None), "{chord}");
        }
        let save = find("save").unwrap();
        assert!(Bindings::reaches(save, "Ctrl+S", Input::Text));
        let step = find("step").unwrap();
        assert!(!Bindings::reaches(step, ".", Input::Text));
        assert!(Bindings::reaches(step, ".", Input::Choice));
    }

    #[test]
    fn stored_keys_override_the_table() {
        let bindings = Bindings::read(GROUPS, "undo=Ctrl+U F5\nno-such-command=X\nredo=");
        let keys = |id: &str| bindings.keys(find(id).unwrap()).join(", ");
        assert_eq!(keys("undo"), "Ctrl+U, F5");
        assert_eq!(keys("redo"), "", "none is a choice too");
        assert_eq!(keys("help"), "?, F1");
        let meant: Vec<&str> = bindings.of("Ctrl+U").iter().map(|c| c.id).collect();
        assert_eq!(meant, ["undo"]);
    }
}
