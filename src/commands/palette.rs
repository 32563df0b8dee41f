//! The command palette: every command, record, block and scenario by name.

use std::collections::BTreeMap;
use std::rc::Rc;

use leptos::prelude::*;
use taskloom::document::{Document, Kind, RecordRef};

use crate::canvas::intent::Intent;
use crate::diagram::face::{Face, Look};
use crate::diagram::method::chart;
use crate::kinds::{self, KindInfo};
use crate::page::{Command, Page, Sheet, caps};
use crate::session::{LinkTarget, Tab, View};
use crate::ui::icon::Lucide;
use crate::ui::list::{List, ListView, Recent, Row, ranked};

/// The target of a row of the palette.
#[derive(Clone)]
enum Target {
    Run(&'static Command),
    Open(LinkTarget),
}

/// Opens the palette.
pub fn open(page: &Page) -> bool {
    page.sheet.set(Some(Sheet::Palette));
    true
}

/// Builds the content of its dialog.
pub fn inside(page: Page) -> AnyView {
    let (rows, targets): (Vec<Row>, Vec<Target>) = entries(page).into_iter().unzip();
    let rows = Rc::new(rows);
    let recent = Recent::restore();
    let found = StoredValue::new(vec![]);
    let all = rows.clone();
    let look_up = move |typed: &str| {
        let mut numbers = ranked(&all, typed, &recent);
        numbers.truncate(60);
        let shown = numbers
            .iter()
            .filter_map(|at| all.get(*at).cloned())
            .collect();
        found.set_value(numbers);
        shown
    };
    let pick = move |at: usize| {
        let number = found.with_value(|numbers: &Vec<usize>| numbers.get(at).copied());
        if let Some(at) = number
            && let (Some(target), Some(row)) = (targets.get(at), rows.get(at))
        {
            Recent::note(&row.label);
            page.close_sheet();
            go(&page, target);
        }
    };
    let list = List {
        title: "Type a command, or the name of a record, block or scenario".into(),
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

fn go(page: &Page, target: &Target) {
    let session = page.session;
    let target = match target {
        Target::Run(command) => {
            (command.run)(page);
            return;
        }
        Target::Open(target) => target.clone(),
    };
    let is_on_canvas = matches!(target, LinkTarget::Record(_) | LinkTarget::Block(..));
    if let LinkTarget::Record(_) = target {
        session.open.show_view(View::Board);
    }
    session.visit(target);
    if is_on_canvas {
        let page = *page;
        // By then the views have followed: the canvas may have had to open.
        request_animation_frame(move || {
            page.perform(Intent::Reveal);
        });
    }
}

fn entries(page: Page) -> Vec<(Row, Target)> {
    let view = page.view();
    let mut all = vec![];
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
                all.push((row, Target::Run(command)));
            }
        }
    }
    for tab in Tab::ALL {
        let target = LinkTarget::Tab(tab);
        let row = Row {
            label: target.to_string(),
            detail: "View".to_owned(),
            icon: Some(Lucide::Command),
            ..Row::default()
        };
        all.push((row, Target::Open(target)));
    }
    let document = page.session.document_untracked();
    for kind in Kind::ALL {
        for name in document.names(kind) {
            let record = RecordRef::new(kind, name.clone());
            let (icon, class) = mark(&document, &record);
            let row = Row {
                label: name.to_string(),
                detail: kind.label().to_owned(),
                icon: Some(icon),
                class,
                ..Row::default()
            };
            all.push((row, Target::Open(LinkTarget::Record(record))));
        }
    }
    for name in document.scenarios.keys() {
        let target = LinkTarget::Scenario(name.clone());
        let row = Row {
            label: target.to_string(),
            detail: "scenario".into(),
            icon: Some(kinds::of(Kind::Scenario).icon),
            class: "kind-scenario",
            ..Row::default()
        };
        all.push((row, Target::Open(target)));
    }
    for (task, record) in &document.compound_tasks {
        let blocks = record.method.blocks.iter();
        let blocks = blocks.map(|(id, block)| (id, chart::face(&document, block)));
        let blocks: Vec<_> = blocks.collect();
        let label = |face: &Face| {
            if face.full.is_empty() {
                face.title.clone()
            } else {
                face.full.clone()
            }
        };
        // Blocks with the same text are numbered: their count, and how many came before.
        let mut alike = BTreeMap::from_iter(blocks.iter().map(|(_, face)| (label(face), (0, 0))));
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
            let row = Row {
                label,
                detail,
                icon: Some(face.look.icon()),
                class: face.look.class(),
                ..Row::default()
            };
            let target = LinkTarget::Block(task.clone(), (*id).clone());
            all.push((row, Target::Open(target)));
        }
    }
    all
}

/// Returns the icon of a record, and the class that sets its colours.
fn mark(document: &Document, record: &RecordRef) -> (Lucide, &'static str) {
    let KindInfo { icon, class, .. } = kinds::of(record.kind);
    Look::of_card(document, record).map_or((icon, class), |look| (look.icon(), look.class()))
}
