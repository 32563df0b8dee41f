//! One record in the outline.

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use taskloom_document::diagnostic::Severity;
use taskloom_document::syntax::ast::Reference;
use taskloom_document::syntax::print_reference;
use taskloom_document::{Kind, Name, Record, RecordRef};

use super::menu;
use super::range::Range;
use crate::diagram::NodeDrag;
use crate::kinds;
use crate::page::{Page, in_text};
use crate::panels::results::{Results, Tested};
use crate::session::{Session, View};
use crate::ui::context_menu::ContextMenu;
use crate::ui::fixed::fixed;
use crate::ui::icon::{Icon, Tile};
use crate::ui::list::keep_in_sight;
use crate::ui::rename::{Ended, Rename};
use crate::ui::typed_key::TypedKey;

/// A row: click selects, with Shift a range and with Ctrl several; double-click or Enter opens a
/// method, F2 renames.
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
    let hands = Hands {
        page: Page::expect(),
        drag: NodeDrag::expect(),
        menu: ContextMenu::expect(),
        range: Range::expect(),
        this,
        row,
        selected,
    };
    hands.keep_in_sight();
    let focus = move |_| {
        if !selected.get_untracked() && !renaming.get_untracked() {
            hands.range.begin(this.get_value());
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
            data-outline=this.with_value(ToString::to_string)
            title=title
            node_ref=row
            on:pointerdown=move |event| hands.press(&event)
            on:mousedown=|event| keep_focus(&event)
            on:contextmenu=move |event| hands.right_click(&event)
            on:click=move |event| hands.click(&event)
            on:dblclick=move |_| open(session, this.get_value())
            on:focus=focus
            on:keydown=move |event| hands.key(&event)
        >
            {move || data.with(|d| d.as_ref().map(|d| view! { <Tile icon=kinds::icon(d)/> }))}
            {move || {
                if renaming.get() {
                    view! { <NameField record=this.get_value() row/> }.into_any()
                } else {
                    view! {
                        <span class="name">{move || label.get().map(|(text, _)| text)}</span>
                    }
                        .into_any()
                }
            }}
            {move || tested.get().map(test_mark)}
        </div>
    }
}

/// The handlers of a row's events.
#[derive(Clone, Copy)]
struct Hands {
    page: Page,
    drag: NodeDrag,
    menu: ContextMenu,
    range: Range,
    this: StoredValue<RecordRef>,
    row: NodeRef<html::Div>,
    selected: Memo<bool>,
}

impl Hands {
    fn press(self, event: &PointerEvent) {
        if let Some(row) = self.row.get_untracked().filter(|_| !in_text(event)) {
            let open_menu = move |at| self.open_menu(at);
            self.drag
                .press(&row, event, self.this.get_value(), open_menu);
        }
    }

    fn click(self, event: &MouseEvent) {
        let session = self.page.session;
        if self.drag.has_dragged() {
            return;
        }
        let toggles = event.ctrl_key() || event.meta_key();
        if event.shift_key() {
            return self
                .this
                .with_value(|record| self.range.reach(record, toggles));
        }
        self.range.begin(self.this.get_value());
        if toggles {
            return session.open.toggle_selected(self.this.get_value());
        }
        // A field that loses the focus commits its text first. The row is on the screen.
        let _ = self.row.get_untracked().map(|row| row.focus());
        session.select(self.this.get_value());
    }

    fn open_menu(self, at: (f64, f64)) {
        if !self.selected.get_untracked() {
            self.page.session.select(self.this.get_value());
        }
        if let Some(row) = self.row.get_untracked() {
            let _ = row.focus();
        }
        self.this
            .with_value(|record| menu::open(self.page, self.menu, record, at));
    }

    fn right_click(self, event: &MouseEvent) {
        if self.drag.is_by_finger() {
            event.prevent_default();
        } else if !in_text(event) {
            event.prevent_default();
            self.open_menu((event.client_x(), event.client_y()));
        }
    }

    /// Opens the record by Enter, and its menu by Shift+F10 or the menu key.
    fn key(self, event: &KeyboardEvent) {
        let opens_menu = match event.typed_key().as_str() {
            "Enter" => false,
            "ContextMenu" => true,
            "F10" if event.shift_key() => true,
            _ => return,
        };
        if in_text(event) {
            return;
        }
        event.prevent_default();
        match self.row.get_untracked().filter(|_| opens_menu) {
            Some(row) => {
                let rect = row.get_bounding_client_rect();
                self.open_menu((rect.left() + 24.0, rect.bottom()));
            }
            None => open(self.page.session, self.this.get_value()),
        }
    }

    /// Scrolls to a record that gets selected elsewhere, or was just added or pasted.
    fn keep_in_sight(self) {
        let selection = self.page.session.open.selection;
        Effect::new(move || {
            if let Some(row) = self.row.get().filter(|_| self.selected.get()) {
                let is_first = selection
                    .with_untracked(|s| self.this.with_value(|r| s.records.first() == Some(r)));
                if is_first {
                    keep_in_sight(&row);
                }
            }
        });
    }
}

/// Leaves the focus where it is: a press may become a drag, and only the click selects.
fn keep_focus(event: &MouseEvent) {
    if !in_text(event) {
        event.prevent_default();
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
    fixed(
        (tested.mark(), tested.is_stale),
        |((class, icon), is_stale)| {
            let class = format!("tested {class}");
            view! { <span class=class class:stale=*is_stale><Icon name=*icon size=14/></span> }
                .into_any()
        },
    )
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
    let is_new = StoredValue::new(false);
    let take = move |name: String| {
        is_new.set_value(session.is_new(&record));
        session.rename(&record, &name)
    };
    let end = move |how| {
        match how {
            Ended::Entered if is_new.get_value() => session.fill_in(),
            Ended::Entered | Ended::Left => {}
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
