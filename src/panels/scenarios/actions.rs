//! The actions of the table on scenarios.

use std::collections::BTreeSet;

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{Edit, Kind, Name, Record, RecordRef, Scenario};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::rows::title;
use crate::session::Session;

fn records(names: &BTreeSet<Name>) -> BTreeSet<RecordRef> {
    let record = |name: &Name| RecordRef::new(Kind::Scenario, name.clone());
    set_of(names.iter().map(record))
}

/// Describes scenarios: the title of one, or the number of several.
fn words(session: Session, names: &BTreeSet<Name>) -> String {
    let document = session.document_untracked();
    let only = names.first().filter(|_| names.len() == 1);
    match only.and_then(|name| Some((name, document.scenarios.get(name)?))) {
        Some((name, scenario)) => title(name, scenario),
        None => format!("{} scenarios", names.len()),
    }
}

/// Returns a copy of a scenario. Its title says so.
fn copied(scenario: &Scenario) -> Scenario {
    let mut copy = scenario.clone();
    if !copy.title.trim().is_empty() {
        copy.title = format!("{} copy", copy.title.trim());
    }
    copy
}

/// Duplicates scenarios as one undo step. Returns the names of the copies.
pub fn duplicate(session: Session, names: &BTreeSet<Name>) -> BTreeSet<Name> {
    let mut document = (*session.document_untracked()).clone();
    let (mut edits, mut added) = (vec![], BTreeSet::new());
    for name in names {
        let Some(scenario) = document.scenarios.get(name) else {
            continue;
        };
        let record = Record::Scenario(copied(scenario).into());
        let fresh = document.fresh_name(Kind::Scenario, name.as_str());
        let edit = Edit::Add(fresh.clone(), record);
        if let Ok(next) = document.apply(&edit) {
            document = next;
            edits.push(edit);
            added.insert(fresh);
        }
    }
    let label = format!("Duplicate {}", words(session, names));
    match session.commit(&label, Edit::Batch(edits)) {
        true => added,
        false => BTreeSet::new(),
    }
}

/// Deletes scenarios, with an offer to undo that.
pub fn delete(session: Session, names: &BTreeSet<Name>) {
    session.delete(records(names), vec![]);
}

/// Copies scenarios, with the records that they name, so that another document can paste them.
pub fn copy(session: Session, names: &BTreeSet<Name>) {
    let document = session.document_untracked();
    let Some(clip) = document.copy_records(&records(names)) else {
        return;
    };
    let words = clip.words();
    let text = session.note_copied(clip);
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        // It is missing on pages that were not loaded over HTTPS.
        let is_copied =
            !clipboard.is_undefined() && JsFuture::from(clipboard.write_text(&text)).await.is_ok();
        match is_copied {
            true => session.toast(format!("Copied {words}."), None),
            false => {
                session.doubt_copied();
                session.complain("The browser doesn't allow copying.");
            }
        }
    });
}

/// Renames a scenario: its title, or its name if it has none. Returns the reason if that fails.
pub fn rename(session: Session, name: &Name, text: &str) -> Result<(), String> {
    let document = session.document_untracked();
    let Some(scenario) = document.scenarios.get(name) else {
        return Ok(());
    };
    if scenario.title.trim().is_empty() {
        return session.rename(&RecordRef::new(Kind::Scenario, name.clone()), text);
    }
    if text.trim().is_empty() {
        return Err("A scenario needs a title.".to_owned());
    }
    let mut renamed = Scenario::clone(scenario);
    renamed.title = text.trim().to_owned();
    let label = format!("Rename {} to {}", scenario.title, renamed.title);
    let edit = Edit::Replace(name.clone(), Record::Scenario(renamed.into()));
    session.commit(&label, edit);
    Ok(())
}
