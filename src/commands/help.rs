//! The help sheet: first steps, the pages of the help, then all keys and gestures, made from the
//! bindings. Keys are changed right there.

use std::rc::Rc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::help_index;
use crate::canvas::presets::{CHOICES, Presets};
use crate::examples;
use crate::page::{Command, Page, Sheet, caps, chord, help_pages};
use crate::ui::icon::{Icon, Lucide};
use crate::ui::list::{List, ListView, Row};
use crate::web::live;

/// The maximum number of a command's keys on a line.
const SHOWN: usize = 2;

/// Opens the sheet.
pub fn open(page: &Page) -> bool {
    page.sheet.set(Some(Sheet::Help));
    true
}

/// Opens the help in a new tab.
pub fn open_pages() -> bool {
    // A browser that blocks new tabs shows so itself.
    let _ = window().open_with_url_and_target(help_pages::START, "_blank");
    true
}

/// The action of a line of the sheet.
#[derive(Clone, Copy)]
enum Line {
    /// Closes the sheet and runs this command.
    Run(&'static str),
    /// Opens a page of the help, or a section of one.
    Open(help_index::Entry),
    /// Changes the key of this command.
    Key(&'static Command),
    /// None: it describes a gesture.
    Gesture,
}

/// A command that gets another key: the one that was pressed, if that is taken.
#[derive(Clone)]
struct Change {
    command: &'static Command,
    taken: Option<String>,
}

/// Builds the content of its dialog.
pub fn inside(page: Page) -> AnyView {
    let change = RwSignal::new(None::<Change>);
    let found = StoredValue::new(vec![]);
    let rows = move |typed: &str| {
        let mut all = beginnings(page, typed);
        all.extend(lines(page, typed, change.get().as_ref()));
        let (rows, lines): (Vec<Row>, Vec<Line>) = all.into_iter().unzip();
        found.set_value(lines);
        rows
    };
    let pick = move |at: usize| {
        let line = found.with_value(|all: &Vec<Line>| all.get(at).copied());
        match line {
            Some(Line::Run(id)) => {
                page.close_sheet();
                page.command(id);
            }
            Some(Line::Open(entry)) => entry.open(),
            Some(Line::Key(command)) => {
                live::say(&format!("Press the new key for {}", command.title));
                change.set(Some(Change {
                    command,
                    taken: None,
                }));
            }
            Some(Line::Gesture) | None => {}
        }
    };
    let list = List {
        title: "Search the help, keys and gestures".into(),
        rows: Rc::new(rows),
        pick: Rc::new(pick),
        key: Rc::new(move |event, _| match change.get_untracked() {
            Some(now) => {
                change.set(pressed(page, now, event));
                true
            }
            None => {
                let again = page.means(event, "help") && !event.key().starts_with('?');
                if again {
                    page.close_sheet();
                }
                again
            }
        }),
        leave: Rc::new(move |by_key| {
            change.set(None);
            if by_key {
                page.close_sheet();
            }
        }),
    };
    let changed = move || page.bindings.with(|bindings| !bindings.is_default());
    view! {
        <header class="sheet-head">
            <h2>"Help"</h2>
            <span class="dim">"Select a line to open it, or to change its key."</span>
            <span class="grow"></span>
            <a href=help_pages::START target="_blank">"Open the help"</a>
            <button type="button" disabled=move || !changed() on:click=move |_| page.bindings.update(|b| b.reset())>
                "Reset all keys"
            </button>
            <button type="button" class="bare" aria-label="Close" on:click=move |_| page.close_sheet()><Icon name=Lucide::X size=14/></button>
        </header>
        <ListView list/>
        <div class="sheet-foot">{choices()}</div>
    }
    .into_any()
}

/// Returns the selectors of what the mouse does and shows.
fn choices() -> impl IntoView {
    let presets = Presets::expect();
    let choices = CHOICES.iter().enumerate().map(|(at, choice)| {
        let options = choice.options.iter().enumerate().map(|(option, text)| {
            view! { <option value=option.to_string() selected=move || presets.chosen(at) == option>{*text}</option> }
        });
        view! {
            <label>
                {choice.title}
                <select on:change=move |event| presets.choose(at, event_target_value(&event).parse().unwrap_or(0))>
                    {options.collect_view()}
                </select>
            </label>
        }
    });
    choices.collect_view()
}

/// Handles a key pressed for a command that gets another one; returns what remains to be asked.
fn pressed(page: Page, change: Change, event: &KeyboardEvent) -> Option<Change> {
    let Change { command, taken } = &change;
    let Some(key) = chord::of(event) else {
        return Some(change);
    };
    match (taken, key.as_str()) {
        (_, "Esc") => None,
        (Some(taken), "Enter") => {
            page.bindings
                .update(|bindings| bindings.take(command, taken));
            None
        }
        (None, "Backspace") if !command.keys.contains("Backspace") => {
            page.bindings.update(|bindings| bindings.set(command, ""));
            None
        }
        _ => {
            let conflict = page.bindings.with_untracked(|b| b.conflict(command, &key));
            match conflict {
                Some(other) => {
                    let words = format!(
                        "{key} is used by “{}”. Press Enter to reassign it, Escape to cancel.",
                        other.title
                    );
                    live::say(&words);
                    Some(Change {
                        command,
                        taken: Some(key),
                    })
                }
                None => {
                    page.bindings.update(|bindings| bindings.set(command, &key));
                    None
                }
            }
        }
    }
}

/// Returns the first steps and the pages of the help that contain all typed words; its sections are
/// only searched.
fn beginnings(page: Page, typed: &str) -> Vec<(Row, Line)> {
    let mut all: Vec<(Row, Line)> = vec![];
    let words = typed.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut add = |heading, label: &str, detail: &str, line| {
        let text = format!("{heading} {label} {detail}").to_lowercase();
        if words.iter().all(|word| text.contains(word)) {
            let first = all.iter().all(|(row, _)| row.heading != Some(heading));
            let row = Row {
                heading: first.then_some(heading),
                label: label.to_owned(),
                detail: detail.to_owned(),
                ..Row::default()
            };
            all.push((row, line));
        }
    };
    add(
        "First steps",
        "Take the tour",
        "7 minutes",
        Line::Run("tour"),
    );
    let title = page.session.document_untracked().info.title.clone();
    if examples::titled(&title).is_some() {
        add(
            "First steps",
            "Show the start card",
            "of this example",
            Line::Run("guide"),
        );
    }
    add("First steps", "Open an example", "", Line::Run("examples"));
    for entry in help_index::entries() {
        if entry.is_page() || !words.is_empty() {
            add("Concepts", entry.title, entry.of, Line::Open(entry));
        }
    }
    all
}

/// Returns the lines about keys and gestures that contain all typed words.
fn lines(page: Page, typed: &str, change: Option<&Change>) -> Vec<(Row, Line)> {
    let words = typed.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut lines: Vec<(Row, Line)> = vec![];
    page.bindings.with(|bindings| {
        let mut add = |heading, label: &str, mut keys: Vec<Vec<String>>, shown, detail, line| {
            let pressed: Vec<String> = keys.iter().map(|caps| caps.join("+")).collect();
            let text = format!("{heading} {label} {}", pressed.join(" ")).to_lowercase();
            if words.iter().all(|word| text.contains(word)) {
                keys.truncate(shown);
                let first = lines.iter().all(|(row, _)| row.heading != Some(heading));
                let row = Row {
                    heading: first.then_some(heading),
                    label: label.to_owned(),
                    detail,
                    keys,
                    ..Row::default()
                };
                lines.push((row, line));
            }
        };
        for group in page.groups {
            for command in group.commands {
                let keys = caps(&bindings.keys(command));
                let asked = change.filter(|change| change.command.id == command.id);
                let detail = match asked.map(|change| &change.taken) {
                    Some(None) => "Press a key (Esc cancels, Backspace clears)".to_owned(),
                    Some(Some(key)) => {
                        let other = bindings.conflict(command, key);
                        let other = other.map_or("", |other| other.title);
                        format!("{key} is used by “{other}” (Enter reassigns, Esc cancels)")
                    }
                    None if bindings.differs(command) => "changed".to_owned(),
                    None => String::new(),
                };
                let shown = if asked.is_some() { 0 } else { SHOWN };
                add(
                    group.title,
                    command.title,
                    keys,
                    shown,
                    detail,
                    Line::Key(command),
                );
            }
        }
        for (heading, gestures) in GESTURES {
            for (label, gesture) in *gestures {
                let ways = gesture
                    .split(" | ")
                    .map(|way| way.split('+').map(str::to_owned).collect());
                add(
                    heading,
                    label,
                    ways.collect(),
                    SHOWN,
                    String::new(),
                    Line::Gesture,
                );
            }
        }
    });
    lines
}

/// The pointer gestures, in the words of the help sheet.
static GESTURES: &[(&str, &[(&str, &str)])] = &[
    (
        "Mouse",
        &[
            ("Add a block or card", "Double click"),
            ("Connect", "Drag from port to port"),
            ("Open a menu", "Right click a block, a wire or the canvas"),
            ("Add and connect", "Drag a port to empty space"),
            ("Insert a block", "Drop it on a wire"),
            ("… without inserting", "Alt+Drop"),
            ("Reconnect or detach", "Drag a wire’s end"),
            ("Bend a wire", "Double click it, drag the point"),
            ("Resize a frame", "Drag its corner"),
            ("Move a frame alone", "Alt+Drag its title"),
            ("Delete a port’s wires", "Alt+Click a port"),
            ("Cut wires", "Ctrl+Right drag"),
            ("Select", "Click | Drag a frame"),
            ("Add to the selection", "Shift+Click"),
            ("Toggle in the selection", "Ctrl+Click"),
            ("Move", "Drag"),
            ("Move with everything downstream", "Shift+Drag"),
            ("Open a method or edit a text", "Double click"),
            ("Pan", "Middle drag | Space+Drag"),
            ("Zoom", "Wheel"),
        ],
    ),
    (
        "Clipboard",
        &[
            ("Copy, cut, paste", "Ctrl+C | Ctrl+X | Ctrl+V"),
            ("Paste with incoming wires", "Ctrl+Shift+V"),
        ],
    ),
    (
        "Touch",
        &[
            ("Pan", "One finger"),
            ("Zoom and pan", "Two fingers"),
            ("Menu", "Long press"),
            ("Connect", "Tap a port, tap another"),
            ("Move a block", "Tap it, then drag it"),
        ],
    ),
];

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use expect_test::expect_file;

    use super::GESTURES;
    use crate::commands::GROUPS;
    use crate::page::Place;

    /// Returns where a command applies, in the words of the help.
    fn place(place: Place) -> &'static str {
        match place {
            Place::Page => "everywhere",
            Place::Canvas => "canvas",
            Place::Board => "Board",
            Place::Method => "method",
        }
    }

    /// The help includes this file: `UPDATE_EXPECT=1` writes it again.
    #[test]
    fn the_help_lists_all_commands_and_gestures() {
        let mut text = String::new();
        for group in GROUPS {
            text += &format!(
                "## {}\n\n| Command | Keys | Where |\n|---|---|---|\n",
                group.title
            );
            for command in group.commands {
                let keys: Vec<String> = command
                    .keys
                    .split_whitespace()
                    .map(|key| format!("`{key}`"))
                    .collect();
                let (keys, place) = (keys.join(" "), place(command.place));
                text += &format!("| {} | {keys} | {place} |\n", command.title);
            }
            text += "\n";
        }
        for (heading, gestures) in GESTURES {
            text += &format!("## {heading}\n\n| | |\n|---|---|\n");
            for (label, gesture) in *gestures {
                text += &format!("| {label} | {} |\n", gesture.replace(" | ", ", or "));
            }
            text += "\n";
        }
        expect_file!["../../docs/help/commands.md"].assert_eq(&format!("{}\n", text.trim_end()));
    }
}
