//! The command palette: commands, scenarios, records, blocks, settings, examples and the help by
//! name, in groups.

use std::rc::Rc;

use leptos::prelude::*;
use taskloom_document::sort::{CompactSort, map_of};
use taskloom_document::{Document, Kind, RecordRef};

use super::help_index;
use crate::canvas::intent::Intent;
use crate::canvas::presets::{self, Presets};
use crate::diagram::face::{Face, Look};
use crate::diagram::method::chart;
use crate::examples;
use crate::kinds::{self, KindInfo};
use crate::page::{Page, Sheet, caps};
use crate::panels::plan::{STRATEGIES, choose};
use crate::session::{LinkTarget, Tab, View};
use crate::ui::icon::Lucide;
use crate::ui::list::{List, ListView, Recent, Row, ranked};

/// The maximum number of rows found, and of those used recently that are listed first.
const MOST: usize = 60;
const MOST_RECENT: usize = 6;

/// The icon of an entry, and the class that sets its colours.
type Mark = (Lucide, &'static str);

/// The mark of what isn't a record or block.
const COMMAND: Mark = (Lucide::Command, "command");

/// An entry of the palette.
struct Entry {
    group: &'static str,
    row: Row,
    act: Rc<dyn Fn(&Page)>,
}

/// The entries of the palette, group by group.
struct Entries(Vec<Entry>);

impl Entries {
    fn add(
        &mut self,
        group: &'static str,
        (label, detail, (icon, class)): (String, String, Mark),
        act: impl Fn(&Page) + 'static,
    ) {
        let row = Row {
            label,
            detail,
            icon: Some(icon),
            class,
            ..Row::default()
        };
        let act = Rc::new(act);
        self.0.push(Entry { group, row, act });
    }
}

/// Opens the palette.
pub fn open(page: &Page) -> bool {
    page.sheet.set(Some(Sheet::Palette));
    true
}

/// Builds the content of its dialog.
pub fn inside(page: Page) -> AnyView {
    let entries = entries(page);
    let rows: Vec<Row> = entries.iter().map(|entry| entry.row.clone()).collect();
    let groups: Vec<&'static str> = entries.iter().map(|entry| entry.group).collect();
    let recent = Recent::restore();
    let found = StoredValue::new(vec![]);
    let look_up = move |typed: &str| {
        let numbers = grouped(&rows, &groups, typed, &recent);
        let shown = numbers.iter().filter_map(|(heading, at)| {
            let mut row = rows.get(*at)?.clone();
            row.heading = *heading;
            Some(row)
        });
        let shown = shown.collect();
        found.set_value(numbers);
        shown
    };
    let pick = move |at: usize| {
        let number = found.with_value(|numbers: &Vec<(_, usize)>| numbers.get(at).map(|n| n.1));
        if let Some(entry) = number.and_then(|at| entries.get(at)) {
            Recent::note(&entry.row.label);
            page.close_sheet();
            (entry.act)(&page);
        }
    };
    let list = List {
        title: "Search or run a command".into(),
        rows: Rc::new(look_up),
        pick: Rc::new(pick),
        key: Rc::new(move |event, _| {
            let again = page.means(event, "palette");
            if again {
                page.close_sheet();
            }
            again
        }),
        leave: Rc::new(move |by_key| {
            if by_key {
                page.close_sheet()
            }
        }),
    };
    view! {
        <ListView list/>
        <p class="sheet-foot">
            <span><kbd>"↑"</kbd><kbd>"↓"</kbd>" select"</span>
            <span><kbd>"Enter"</kbd>" run"</span>
            <span><kbd>"Esc"</kbd>" close"</span>
        </p>
    }
    .into_any()
}

/// Returns the numbers of the rows to show, each with the heading above it: in groups, the group
/// with the best match first. If nothing is typed, rows used recently come before all groups.
fn grouped(
    rows: &[Row],
    groups: &[&'static str],
    typed: &str,
    recent: &Recent,
) -> Vec<(Option<&'static str>, usize)> {
    let mut numbers = ranked(rows, typed, recent);
    let is_recent = |at: &usize| rows.get(*at).is_some_and(|row| recent.uses(&row.label) > 0);
    let used = match typed.trim().is_empty() {
        true => numbers
            .iter()
            .copied()
            .filter(is_recent)
            .take(MOST_RECENT)
            .collect(),
        false => vec![],
    };
    numbers.retain(|at| !used.contains(at));
    if typed.trim().is_empty() {
        numbers.compact_sort();
    }
    numbers.truncate(MOST);
    let mut all: Vec<(&'static str, Vec<usize>)> = vec![];
    if !used.is_empty() {
        all.push(("Recent", used));
    }
    for at in numbers {
        let group = groups.get(at).copied().unwrap_or_default();
        match all.iter_mut().find(|(name, _)| *name == group) {
            Some((_, members)) => members.push(at),
            None => all.push((group, vec![at])),
        }
    }
    let headed = |(group, members): (&'static str, Vec<usize>)| {
        let mut heading = Some(group);
        members.into_iter().map(move |at| (heading.take(), at))
    };
    all.into_iter().flat_map(headed).collect()
}

fn entries(page: Page) -> Vec<Entry> {
    let mut all = Entries(vec![]);
    add_commands(&mut all, page);
    let document = page.session.document_untracked();
    add_scenarios(&mut all, &document);
    add_records(&mut all, &document);
    add_blocks(&mut all, &document);
    add_settings(&mut all);
    for example in &examples::ALL {
        let words = (example.title.to_owned(), "example".to_owned(), COMMAND);
        all.add("Examples", words, move |page| {
            page.files.open_example(page.session, example);
        });
    }
    for entry in help_index::entries() {
        let detail = match entry.is_page() {
            true => "help".to_owned(),
            false => format!("help: {}", entry.of),
        };
        all.add(
            "Help",
            (entry.title.to_owned(), detail, COMMAND),
            move |_| entry.open(),
        );
    }
    all.0
}

fn add_commands(all: &mut Entries, page: Page) {
    let view = page.view();
    for group in page.groups {
        for command in group.commands {
            // The palette itself isn't offered: it is open.
            let offered = command.place.is_open(view.as_ref()) && command.id != "palette";
            if offered {
                let keys = page.bindings.with_untracked(|b| b.keys(command));
                let row = Row {
                    label: command.title.to_owned(),
                    detail: group.title.to_owned(),
                    icon: Some(Lucide::Command),
                    keys: caps(keys.get(..1).unwrap_or_default()),
                    ..Row::default()
                };
                let act = Rc::new(move |page: &Page| {
                    (command.run)(page);
                });
                let group = "Commands";
                all.0.push(Entry { group, row, act });
            }
        }
    }
    for tab in Tab::ALL {
        let words = (LinkTarget::Tab(tab).to_string(), "View".to_owned(), COMMAND);
        all.add("Commands", words, move |page| {
            page.session.visit(LinkTarget::Tab(tab));
        });
    }
}

/// Adds the scenarios by title. One that is picked is planned and shown in the inspector.
fn add_scenarios(all: &mut Entries, document: &Document) {
    for (name, scenario) in &document.scenarios {
        let (label, detail) = match scenario.title.is_empty() {
            true => (name.to_string(), "scenario".to_owned()),
            false => (scenario.title.clone(), format!("scenario {name}")),
        };
        let scenario = kinds::of(Kind::Scenario);
        let mark = (scenario.icon, scenario.class);
        let name = name.clone();
        all.add("Scenarios", (label, detail, mark), move |page| {
            page.session.visit(LinkTarget::Scenario(name.clone()));
            page.session
                .visit(LinkTarget::record(Kind::Scenario, &name));
        });
    }
}

fn add_records(all: &mut Entries, document: &Document) {
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Scenario);
    for kind in kinds {
        for name in document.names(kind) {
            let record = RecordRef::new(kind, name.clone());
            let mark = mark(document, &record);
            let words = (name.to_string(), kind.label().to_owned(), mark);
            all.add("Records", words, move |page| {
                page.session.open.show_view(View::Board);
                show_on_canvas(page, LinkTarget::Record(record.clone()));
            });
        }
    }
}

fn add_blocks(all: &mut Entries, document: &Document) {
    for (task, record) in &document.compound_tasks {
        let blocks = record.method.blocks.iter();
        let blocks = blocks.map(|(id, block)| (id, chart::face(document, block)));
        let blocks: Vec<_> = blocks.collect();
        let label = |face: &Face| {
            if face.full.is_empty() {
                face.title.clone()
            } else {
                face.full.clone()
            }
        };
        // Blocks with the same text are numbered: their count, and how many came before.
        let mut alike = map_of(blocks.iter().map(|(_, face)| (label(face), (0, 0))));
        for (_, face) in &blocks {
            if let Some((count, _)) = alike.get_mut(&label(face)) {
                *count += 1;
            }
        }
        for (id, face) in &blocks {
            let label = label(face);
            let mut detail = format!("{} in {task}", face.look.words());
            if let Some((count @ 2.., number)) = alike.get_mut(&label) {
                *number += 1;
                detail += &format!(", {number} of {count}");
            }
            let target = LinkTarget::Block(task.clone(), (*id).clone());
            let mark = (face.look.icon(), face.look.class());
            all.add("Blocks", (label, detail, mark), move |page| {
                show_on_canvas(page, target.clone());
            });
        }
    }
}

fn add_settings(all: &mut Entries) {
    let mut add = |label: String, act: Box<dyn Fn(&Page)>| {
        all.add("Settings", (label, "setting".to_owned(), COMMAND), act);
    };
    for (theme, name) in [
        ("light", "light"),
        ("dark", "dark"),
        ("", "like the system's"),
    ] {
        let act = move |page: &Page| page.theme.choose(theme);
        add(format!("Theme: {name}"), Box::new(act));
    }
    for (strategy, name, _) in STRATEGIES {
        let act = move |page: &Page| choose(page.session, *strategy);
        add(format!("Search strategy: {name}"), Box::new(act));
    }
    let settings = Presets::expect();
    for (at, choice) in presets::CHOICES.iter().enumerate() {
        for (option, name) in choice.options.iter().enumerate() {
            let act = move |_: &Page| settings.choose(at, option);
            add(format!("{}: {name}", choice.title), Box::new(act));
        }
    }
}

/// Opens what is on a canvas, and moves the view there.
fn show_on_canvas(page: &Page, target: LinkTarget) {
    page.session.visit(target);
    let page = *page;
    // By then the views have followed: the canvas may have had to open.
    request_animation_frame(move || {
        page.perform(Intent::Reveal);
    });
}

/// Returns the icon of a record, and the class that sets its colours.
fn mark(document: &Document, record: &RecordRef) -> Mark {
    let KindInfo { icon, class, .. } = kinds::of(record.kind);
    Look::of_card(document, record).map_or((icon, class), |look| (look.icon(), look.class()))
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    /// Returns the labels found, each after its heading, if it has one.
    fn found(typed: &str) -> Vec<String> {
        let all = [
            ("Commands", "Undo"),
            ("Commands", "Theme"),
            ("Scenarios", "The wrong room"),
            ("Help", "The Board"),
        ];
        let row = |(_, label): &(&str, &str)| Row {
            label: (*label).to_owned(),
            ..Row::default()
        };
        let rows: Vec<Row> = all.iter().map(row).collect();
        let groups: Vec<&'static str> = all.iter().map(|(group, _)| *group).collect();
        let shown = grouped(&rows, &groups, typed, &Recent::default()).into_iter();
        let line = |(heading, at): (Option<&str>, usize)| {
            format!(
                "{}{}",
                heading.map_or(String::new(), |h| format!("{h}: ")),
                rows[at].label
            )
        };
        shown.map(line).collect()
    }

    #[test]
    fn the_group_of_the_best_match_comes_first() {
        assert_eq!(found("the wrong")[0], "Scenarios: The wrong room");
        assert_eq!(
            found(""),
            [
                "Commands: Undo",
                "Theme",
                "Scenarios: The wrong room",
                "Help: The Board"
            ]
        );
        assert_eq!(found("zzz"), Vec::<String>::new());
    }
}
