//! Find and replace, with every match and its replacement.

use leptos::ev::KeyboardEvent;
use leptos::html::Input;
use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::{Edit, Field, Found, FoundPlace, Pattern, RecordRef};

use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::page::Page;
use crate::ui::floating::modeless_dialog;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use crate::ui::more::{More, ROWS};
use crate::ui::typed_key::TypedKey;

/// Opens the panel, or moves the focus to it.
pub fn open(page: &Page) -> bool {
    match document().query_selector(".find .text") {
        Ok(Some(field)) => focus(field.unchecked_ref()),
        _ => page.finding.set(true),
    }
    true
}

/// Focuses the field and selects its text, so that typing replaces it.
fn focus(field: &HtmlInputElement) {
    let _ = field.focus();
    field.select();
}

/// The panel, while it is open.
#[component]
pub fn Find() -> impl IntoView {
    let page = Page::expect();
    live(move || page.finding.get().then(|| panel(page)))
}

fn panel(page: Page) -> AnyView {
    let session = page.session;
    let pattern = page.pattern;
    let (dialog, input) = (modeless_dialog(), NodeRef::<Input>::new());
    Effect::new(move || {
        if let Some(input) = input.get() {
            focus(&input);
        }
    });
    let found = Memo::new(move |_| session.document().find(&pattern.get()));
    let excluded = RwSignal::new(Vec::<FoundPlace>::new());
    // A different pattern finds other places, whatever the replacement is.
    let look_for = move |set: &dyn Fn(&mut Pattern)| {
        pattern.update(set);
        excluded.set(vec![]);
    };
    let shown = RwSignal::new(ROWS);
    let close = move || {
        page.finding.set(false);
        page.catch_focus();
    };
    let key = move |event: KeyboardEvent| {
        // The page's own commands, such as undo and save, keep working.
        if event.typed_key() == "Escape" {
            event.stop_propagation();
            close();
        }
    };
    let count = move || match found.with(Vec::len) {
        _ if pattern.with(|p| p.find.is_empty()) => {
            "Names and expressions of the whole document".to_owned()
        }
        0 => "No matches".to_owned(),
        n => places(n),
    };
    let replace = move |_| replace(page, found.get_untracked(), &excluded.get_untracked());
    let row = move |found: Found| match_row(page, found, excluded);
    view! {
        <dialog class="find" aria-label="Find and replace" node_ref=dialog on:keydown=key>
            <div class="find-fields">
                <input node_ref=input class="text" aria-label="Find" placeholder="Find" autocomplete="off" spellcheck="false"
                    prop:value=move || pattern.with(|p| p.find.clone())
                    on:input=move |e| look_for(&|p| p.find = event_target_value(&e))/>
                <input class="text" aria-label="Replace with" placeholder="Replace with" autocomplete="off" spellcheck="false"
                    prop:value=move || pattern.with(|p| p.replace.clone())
                    on:input=move |e| pattern.update(|p| p.replace = event_target_value(&e))/>
                <label>
                    <input type="checkbox" prop:checked=move || pattern.with(|p| p.case) on:change=move |_| look_for(&|p| p.case = !p.case)/>
                    " Match case"
                </label>
                <button type="button" on:click=replace disabled=move || found.with(Vec::is_empty)>"Replace"</button>
                <button type="button" class="bare" aria-label="Close" title="Close (Esc)" on:click=move |_| close()><Icon name=Lucide::X size=14/></button>
            </div>
            <p class="hint" role="status">{count}</p>
            <ul>{move || {
                // The text after the replacement is part of a row.
                pattern.track();
                found.get().into_iter().take(shown.get()).map(row).collect_view()
            }}</ul>
            <More shown all=Signal::derive(move || found.with(Vec::len))/>
        </dialog>
    }
    .into_any()
}

/// Replaces the matches at all places that aren't excluded.
fn replace(page: Page, mut chosen: Vec<Found>, excluded: &[FoundPlace]) {
    let session = page.session;
    chosen.retain(|found| !excluded.contains(&found.place));
    let Pattern { find, replace, .. } = page.pattern.get_untracked();
    match session.document_untracked().replace_found(&chosen) {
        Ok(edits) => {
            let label = format!("Replace “{find}” with “{replace}”");
            if !chosen.is_empty() && session.commit(&label, Edit::Batch(edits)) {
                session.toast(format!("Replaced in {}.", places(chosen.len())), None);
            }
        }
        Err(refusal) => session.complain(refusal.message),
    }
}

/// A match, with its place, a switch that excludes it, and the text after the replacement.
fn match_row(page: Page, found: Found, excluded: RwSignal<Vec<FoundPlace>>) -> impl IntoView {
    let (session, pattern) = (page.session, page.pattern);

    let (record, field, what) = place(&found);
    let name = format!("{what}, {}", found.before);
    let (shown, at) = (found.place.clone(), found.place);
    let go = move |_| {
        let (record, field) = (record.clone(), field.clone());
        session.show(Place {
            record,
            field,
            span: None,
        });
    };
    let replaced = pattern.with_untracked(|p| !p.replace.is_empty());
    let after = replaced.then(|| view! { <ins>{found.after}</ins> });
    view! {
        <li>
            <input type="checkbox" aria-label=format!("Replace in {name}")
                prop:checked=move || excluded.with(|out| !out.contains(&shown))
                on:change=move |_| excluded.update(|out| match out.iter().position(|n| *n == at) {
                    Some(place) => drop(out.remove(place)),
                    None => out.push(at.clone()),
                })/>
            <button class="link" on:click=go><span class="dim">{what}</span>" "<code>{found.before}</code></button>
            {after}
        </li>
    }
}

/// Formats a number of places.
fn places(count: usize) -> String {
    match count {
        1 => "1 place".to_owned(),
        n => format!("{n} places"),
    }
}

/// Returns the record and the field of a match, and both in words.
fn place(found: &Found) -> (RecordRef, Field, String) {
    let words = |record: &RecordRef| format!("{} {}", record.kind.label(), record.name);
    match &found.place {
        FoundPlace::Name(record) => (
            record.clone(),
            Field::Whole,
            format!("name of {}", record.kind.label()),
        ),
        FoundPlace::Variable(record, _) => (
            record.clone(),
            Field::Whole,
            format!("variable of {}", words(record)),
        ),
        FoundPlace::Text(record, field) => (record.clone(), field.clone(), words(record)),
    }
}
