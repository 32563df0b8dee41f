//! One record in the outline.

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use taskloom::document::diagnostic::Severity;
use taskloom::document::syntax::ast::Reference;
use taskloom::document::syntax::print_reference;
use taskloom::document::{Kind, Name, Record, RecordRef};

use super::dragging::RecordDrag;
use super::menu;
use crate::kinds;
use crate::page::{Page, in_text};
use crate::panels::results::{Results, Tested};
use crate::session::{Session, View};
use crate::ui::context_menu::ContextMenu;
use crate::ui::icon::Tile;
use crate::ui::list::keep_in_sight;
use crate::ui::name as names;
use crate::ui::rename::{Ended, Rename};

/// A row: click selects, double-click or Enter opens a method, F2 renames.
#[component]
pub fn Item(kind: Kind, name: Name) -> impl IntoView {
    let session = Session::expect();
    let record = RecordRef::new(kind, name.clone());
    let data = session.open.record(record.clone());
    let this = StoredValue::new(record);
    let selected = Memo::new(move |_| {
        this.with_value(|r| session.open.selection.with(|s| s.records.contains(r)))
    });
    let renaming = Memo::new(move |_| {
        this.with_value(|r| session.desk.renaming.with(|n| n.as_ref() == Some(r)))
    });
    let findings = session
        .open
        .findings(move |place| this.with_value(|r| place.record == *r));
    let problem = Memo::new(move |_| findings.with(|all| all.iter().map(|d| d.severity).min()));
    let label =
        Memo::new(move |_| data.with(|d| d.as_ref().map(|d| this.with_value(|r| label(r, d)))));
    let results = (kind == Kind::Scenario).then(Results::expect);
    let tested = Memo::new(move |_| results.and_then(|all| this.with_value(|r| all.of(&r.name))));
    let title = move || {
        let (text, title) = label.get()?;
        Some(described(text, &title, tested.get().as_ref()))
    };
    let row = NodeRef::<html::Div>::new();
    let drag = RecordDrag::expect();
    let press = move |event: PointerEvent| {
        if let Some(row) = row.get_untracked().filter(|_| !in_text(&event)) {
            drag.press(&row, &event, this.get_value());
        }
    };
    // A press may become a drag: only the click selects.
    let keep_focus = move |event: MouseEvent| {
        if !in_text(&event) {
            event.prevent_default();
        }
    };
    let click = move |event: MouseEvent| {
        if drag.has_dragged() {
            return;
        }
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            session.open.toggle_selected(this.get_value());
            return;
        }
        // A field that loses the focus commits its text first. The row is on the screen.
        let _ = row.get_untracked().map(|row| row.focus());
        session.select(this.get_value());
    };
    let open = move || open(session, this.get_value());
    let (page, menu) = (Page::expect(), ContextMenu::expect());
    let open_menu = move |at: (f64, f64)| {
        if !selected.get_untracked() {
            session.select(this.get_value());
        }
        if let Some(row) = row.get_untracked() {
            let _ = row.focus();
        }
        this.with_value(|record| menu::open(page, menu, record, at));
    };
    let right_click = move |event: MouseEvent| {
        if !in_text(&event) {
            event.prevent_default();
            open_menu((event.client_x(), event.client_y()));
        }
    };
    let key = move |event: KeyboardEvent| {
        let asks = match event.key().as_str() {
            "Enter" => false,
            "ContextMenu" => true,
            "F10" => event.shift_key(),
            _ => return,
        };
        if in_text(&event) || (!asks && event.key() != "Enter") {
            return;
        }
        event.prevent_default();
        match row.get_untracked().filter(|_| asks) {
            Some(row) => {
                let rect = row.get_bounding_client_rect();
                open_menu((rect.left() + 24.0, rect.bottom()));
            }
            None => open(),
        }
    };
    // A record that gets selected elsewhere, or was just added or pasted, is scrolled to.
    Effect::new(move || {
        if let Some(row) = row.get().filter(|_| selected.get()) {
            let first = session.open.selection;
            let is_first =
                first.with_untracked(|s| this.with_value(|r| s.records.first() == Some(r)));
            if is_first {
                keep_in_sight(&row);
            }
        }
    });
    let focus = move |_| {
        let selected = selected.get_untracked();
        if !selected && !renaming.get_untracked() {
            session.select(this.get_value());
        }
    };
    view! {
        <div
            class=format!("item {}", kinds::of(kind).class)
            class:on=move || selected.get()
            class:bad=move || problem.get() == Some(Severity::Error)
            class:doubtful=move || problem.get() == Some(Severity::Warning)
            role="treeitem"
            prop:ariaLevel="2"
            aria-selected=move || selected.get().to_string()
            tabindex=move || if selected.get() { "0" } else { "-1" }
            aria-label=move || label.get().map(|(text, _)| text)
            title=title
            node_ref=row
            on:pointerdown=press
            on:mousedown=keep_focus
            on:contextmenu=right_click
            on:click=click
            on:dblclick=move |_| open()
            on:focus=focus
            on:keydown=key
        >
            {move || data.with(|d| d.as_ref().map(|d| view! { <Tile icon=kinds::icon(d)/> }))}
            {move || {
                if renaming.get() {
                    view! { <NameField record=this.get_value() row/> }.into_any()
                } else {
                    view! {
                        <span class="name">{move || label.get().map(|(text, _)| names::fitted(&text, names::IN_OUTLINE))}</span>
                    }
                        .into_any()
                }
            }}
            {move || tested.get().map(test_mark)}
        </div>
    }
}

/// Opens what a record stands for, or else renames it.
pub fn open(session: Session, record: RecordRef) {
    match record.kind {
        Kind::CompoundTask => session.open.show_view(View::Method(record.name)),
        Kind::Scenario => session.choose_scenario(Some(record.name)),
        _ => session.desk.begin_renaming(record),
    }
}

/// Describes a record with its title and test result.
fn described(text: String, title: &str, tested: Option<&Tested>) -> String {
    let title = match title.is_empty() {
        true => text,
        false => format!("{text}: {title}"),
    };
    match tested {
        Some(tested) => format!("{title}. {}", tested.words()),
        None => title,
    }
}

/// The mark of a scenario's test result.
fn test_mark(tested: Tested) -> impl IntoView {
    let (class, sign) = tested.mark();
    view! {
        <span class=format!("tested {class}") class:stale=tested.is_stale aria-hidden="true">{sign}</span>
    }
}

/// Returns the label, `at(?place)`, and the text that explains it: the title. Scenarios are known
/// by their titles, and have long names.
fn label(record: &RecordRef, data: &Record) -> (String, String) {
    let text = Reference::to_params(&record.name, data.view().params());
    let (text, title) = (print_reference(&text), data.title().to_owned());
    match record.kind == Kind::Scenario && !title.is_empty() {
        true => (title, text),
        false => (text, title),
    }
}

/// The field for the name while it is being edited.
#[component]
fn NameField(
    record: RecordRef,
    /// The element that gets the focus if nothing is renamed.
    row: NodeRef<html::Div>,
) -> impl IntoView {
    let session = Session::expect();
    let label = format!("Name of the {}", record.kind.label());
    let name = record.name.to_string();
    let take = move |name: String| session.rename(&record, &name);
    let end = move |how| {
        match how {
            Ended::Taken => {}
            Ended::Refused(message) => session.complain(message),
            Ended::GivenUp => {
                if let Some(row) = row.get_untracked() {
                    let _ = row.focus();
                }
            }
        }
        session.desk.end_renaming();
    };
    view! { <span class="rename"><Rename label name take end/></span> }
}
