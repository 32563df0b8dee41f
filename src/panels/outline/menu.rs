//! The menu of a row of the outline.

use leptos::prelude::*;
use taskloom_document::{Kind, RecordRef};

use super::item;
use crate::canvas::intent::Intent;
use crate::kinds;
use crate::page::Page;
use crate::session::View;
use crate::ui::context_menu::{ContextMenu, MenuCommand, MenuSection};

/// Opens the menu of the selected records at a point of the window; the row is one of them.
pub fn open(page: Page, menu: ContextMenu, row: &RecordRef, at: (f64, f64)) {
    let session = page.session;
    let count = session
        .open
        .selection
        .with_untracked(|selection| selection.records.len());
    let command = move |id: &'static str, label: &str| {
        MenuCommand::new(label, page.first_keys(id), move || page.command(id))
    };
    let delete = move || {
        let records = session.open.selection.with_untracked(|s| s.records.clone());
        session.delete(records, vec![]);
    };
    let edit = vec![
        command("cut", "Cut"),
        command("copy", "Copy"),
        command("paste", "Paste"),
        command("duplicate", "Duplicate"),
        MenuCommand::new("Delete", page.first_keys("delete"), delete),
    ];
    let kind = row.kind;
    let new = MenuCommand::new(format!("New {}", kind.label()), "", move || {
        session.add(kinds::of(kind).base, kinds::fresh(kind));
    });
    let first = match count {
        1 => of_one(page, row),
        _ => vec![],
    };
    let label = match count {
        1 => format!("{} {}", kind.label(), row.name),
        count => format!("{count} records"),
    };
    let sections = vec![
        MenuSection::new("", first),
        MenuSection::new("Edit", edit),
        MenuSection::new("", vec![new]),
    ];
    menu.show(label, at, sections);
}

fn of_one(page: Page, record: &RecordRef) -> Vec<MenuCommand> {
    let session = page.session;
    let mut all = vec![];
    let this = record.clone();
    let opens = match record.kind {
        Kind::CompoundTask => Some("Open the method"),
        Kind::Scenario => Some("Plan this scenario"),
        _ => None,
    };
    all.extend(
        opens.map(|label| {
            MenuCommand::new(label, "Enter", move || item::open(session, this.clone()))
        }),
    );
    let this = record.clone();
    if record.kind == Kind::Fact || kinds::of(record.kind).card.is_some() {
        all.push(MenuCommand::new("Show on the Board", "", move || {
            session.open.show_view(View::Board);
            session.select(this.clone());
            // By then the Board is open.
            request_animation_frame(move || {
                page.perform(Intent::Reveal);
            });
        }));
    }
    let this = record.clone();
    all.push(MenuCommand::new(
        "Rename",
        page.first_keys("rename"),
        move || {
            session.desk.begin_renaming(this.clone());
        },
    ));
    all.push(MenuCommand::new("Find uses", "", move || {
        session.show_uses();
    }));
    all
}
