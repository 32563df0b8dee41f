//! The field in which every formula, number, effect and call is written: coloured, completed, with
//! mistakes marked in place.

mod arguments;
mod completion;
mod highlight;
mod pieces;

use std::ops::Range;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use taskloom_document::diagnostic::{Diagnostic, Fix, Severity};
use taskloom_document::{Edit, Field, RecordRef};

use crate::session::Session;
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;
use completion::{Completing, Popup};
use highlight::Highlighted;

/// The code of the diagnostic for a missing text.
const EMPTY: &str = "empty";

/// A key by which a row of a list is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowKey {
    /// Enter: the next row follows.
    Next,
    /// Backspace in an empty row: the row is removed.
    Erase,
    /// A comma between two entries, typed or pasted: each entry gets a row. An empty last one is
    /// still to be typed.
    Split(Vec<String>),
}

/// A text of a record, edited in place. Every keystroke is committed; a run of them is one undo
/// step.
#[component]
pub fn ExpressionField(
    /// The record.
    record: RecordRef,
    /// The field of the record. An index just past the end of a list appends to it.
    field: Field,
    /// Its accessible name.
    #[prop(into)]
    label: String,
    /// Shown while it is empty.
    #[prop(optional, into)]
    placeholder: String,
    /// If `true`, it takes the focus at once.
    #[prop(optional)]
    autofocus: bool,
    /// If `true`, mistakes are only marked, without messages below.
    #[prop(optional)]
    terse: bool,
    /// Called when it is left or Enter is pressed; `true` if by Enter or Escape.
    #[prop(optional, into)]
    on_done: Option<Callback<bool>>,
    /// Called for the keys of lists, if it is a row of one.
    #[prop(optional, into)]
    on_row: Option<Callback<RowKey>>,
) -> impl IntoView {
    let session = Session::expect();
    let text = session.open.text(record.clone(), field.clone());
    let editing = Editing {
        on_done,
        on_row,
        ..Editing::new(session, record, field, &label, text)
    };
    let Editing {
        place,
        input,
        completing,
        is_lenient,
        ..
    } = editing;
    let all = session.open.findings(move |at| {
        place.with_value(|(record, field)| at.record == *record && at.field == *field)
    });
    let findings = Memo::new(move |_| {
        let mut findings = all.get();
        findings.retain(|finding| finding.code != EMPTY || !is_lenient.get());
        findings
    });
    let worst = Memo::new(move |_| findings.with(|f| f.iter().map(|d| d.severity).min()));

    editing.take_focus(autofocus);
    view! {
        <div
            class="expression"
            class:bad=move || worst.get() == Some(Severity::Error)
            class:doubtful=move || worst.get() == Some(Severity::Warning)
        >
            <div class="expression-box">
                <Highlighted text findings/>
                <textarea
                    node_ref=input
                    rows="1"
                    aria-label=label
                    aria-invalid=move || (worst.get() == Some(Severity::Error)).to_string()
                    placeholder=placeholder
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    prop:value=move || text.get()
                    on:input=move |event| editing.typed(event_target_value(&event))
                    on:keydown=move |event| editing.key(&event)
                    on:blur=move |_| editing.left()
                ></textarea>
            </div>
            <Popup completing accept=Callback::new(move |chosen| editing.accept(chosen))/>
            {(!terse).then(|| view! { <Messages findings/> })}
        </div>
    }
}

/// The editing of a text.
#[derive(Clone, Copy)]
struct Editing {
    session: Session,
    place: StoredValue<(RecordRef, Field)>,
    /// The label of the undo step, and the key under which keystrokes are merged into one.
    step: StoredValue<(String, String)>,
    input: NodeRef<html::Textarea>,
    completing: RwSignal<Option<Completing>>,
    /// `true` while an empty text is no mistake yet: in a new field, and in one being edited, until it
    /// is left.
    is_lenient: RwSignal<bool>,
    /// `true` while Tab visits the arguments of a call that was just inserted.
    filling: StoredValue<bool>,
    on_done: Option<Callback<bool>>,
    on_row: Option<Callback<RowKey>>,
}

impl Editing {
    fn new(
        session: Session,
        record: RecordRef,
        field: Field,
        label: &str,
        text: Memo<String>,
    ) -> Self {
        // Of two fields with the same label, one is left before typing in the other.
        let key = format!("{record}/{label}");
        let step = format!("Edit {} of {}", label.to_ascii_lowercase(), record.name);
        Self {
            session,
            place: StoredValue::new((record, field)),
            step: StoredValue::new((step, key)),
            input: NodeRef::new(),
            completing: RwSignal::new(None),
            is_lenient: RwSignal::new(text.with_untracked(String::is_empty)),
            filling: StoredValue::new(false),
            on_done: None,
            on_row: None,
        }
    }

    /// Takes the focus when problems, fixes or search put it here, and at once if `autofocus`: then
    /// the first argument of its call is selected.
    fn take_focus(self, autofocus: bool) {
        let Self {
            session,
            place,
            input,
            ..
        } = self;
        Effect::new(move || {
            let span = session.desk.focus.with(|wanted| {
                let wanted = wanted.as_ref()?;
                place.with_value(|(record, field)| {
                    (wanted.record == *record && wanted.field == *field).then_some(wanted.span)
                })
            });
            if let (Some(span), Some(area)) = (span, input.get()) {
                session.desk.end_focusing();
                focus(&area, span.map(|s| s.range()));
            }
        });
        if autofocus {
            Effect::new(move || {
                let Some(area) = input.get() else { return };
                let text = area.value();
                let argument = arguments::first(&text);
                self.filling.set_value(argument.is_some());
                let is_missing = argument.as_ref().is_some_and(Range::is_empty);
                focus(&area, Some(argument.unwrap_or(text.len()..text.len())));
                if is_missing {
                    self.complete(true);
                }
            });
        }
    }

    fn typed(self, value: String) {
        self.is_lenient.set(true);
        if self.on_row.is_some() && self.is_blank(&value) {
            return;
        }
        let pieces = pieces::of(&value);
        if let (Some(row), [first, _, ..]) = (self.on_row, pieces.as_slice()) {
            self.completing.set(None);
            if let Some(area) = self.input.get_untracked() {
                area.set_value(first);
            }
            return row.run(RowKey::Split(pieces));
        }
        let (record, field) = self.place.get_value();
        let (step, key) = self.step.get_value();
        let edit = Edit::SetText(record, field, value);
        self.session.commit_typing(&step, &key, edit);
        self.complete(false);
    }

    /// Drops spaces typed into an empty row, as after a comma; returns `true` if it did.
    fn is_blank(self, value: &str) -> bool {
        let (record, field) = self.place.get_value();
        let document = self.session.document_untracked();
        let text = document.text(&record, &field).unwrap_or_default();
        let is_blank = text.is_empty() && !value.is_empty() && value.trim().is_empty();
        if let Some(area) = self.input.get_untracked().filter(|_| is_blank) {
            area.set_value("");
        }
        is_blank
    }

    /// Suggests completions; `asked` if the user asked for them.
    fn complete(self, asked: bool) {
        let Some(area) = self.input.get_untracked() else {
            return;
        };
        let (record, field) = self.place.get_value();
        let found = completion::at_caret(self.session, &record, &field, &area, asked);
        self.completing.set(found);
    }

    fn accept(self, chosen: usize) {
        let completing = self.completing.get_untracked();
        if let (Some(open), Some(area)) = (completing, self.input.get_untracked()) {
            // The field fires an input event, as for typing.
            let is_argument = open.accept(&area, chosen);
            self.completing.set(None);
            if is_argument == Some(true) {
                self.filling.set_value(true);
                self.complete(true);
            } else if self.filling.get_value() {
                self.advance();
            }
        }
    }

    /// Selects the next argument of the call that is being filled in, or puts the caret behind the
    /// call; returns `true` if there is such an argument.
    fn advance(self) -> bool {
        let Some(area) = self.input.get_untracked() else {
            return false;
        };
        let text = area.value();
        let caret = completion::selection(&area).map_or(text.len(), |selected| selected.end);
        if let Some(argument) = arguments::next(&text, caret) {
            completion::select(&area, argument);
            self.complete(true);
            return true;
        }
        self.filling.set_value(false);
        if let Some(after) = arguments::after_call(&text, caret) {
            completion::select(&area, after..after);
        }
        false
    }

    /// Returns `true` if nothing is typed in a row of a list.
    fn is_empty_row(self) -> bool {
        let area = self.input.get_untracked();
        self.on_row.is_some() && area.is_some_and(|area| area.value().is_empty())
    }

    fn done(self) {
        self.on_done.into_iter().for_each(|done| done.run(true));
    }

    fn key(self, event: &KeyboardEvent) {
        let completing = self.completing;
        let open = completing.with_untracked(Option::is_some);
        match event.typed_key().as_str() {
            "ArrowDown" if open => completing.update(|c| Completing::step(c, 1)),
            "ArrowUp" if open => completing.update(|c| Completing::step(c, -1)),
            "Enter" | "Tab" if open && !event.shift_key() => {
                self.accept(completing.with_untracked(|c| c.as_ref().map_or(0, |c| c.chosen)));
            }
            "Escape" if open => completing.set(None),
            "Escape" if self.on_done.is_some() && self.on_row.is_none() => self.done(),
            "Escape" => {
                if let Some(area) = self.input.get_untracked() {
                    // Leaving a field that has the focus.
                    let _ = area.blur();
                }
            }
            " " if event.ctrl_key() => self.complete(true),
            "Tab" if self.filling.get_value() && !event.shift_key() => {
                if !self.advance() {
                    return;
                }
            }
            "Enter" if !event.shift_key() => {
                self.session.open.seal();
                match self.on_row {
                    Some(row) => row.run(RowKey::Next),
                    None => self.done(),
                }
            }
            "Backspace" if self.is_empty_row() => {
                self.on_row
                    .into_iter()
                    .for_each(|row| row.run(RowKey::Erase));
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    }

    fn left(self) {
        self.is_lenient.set(false);
        self.filling.set_value(false);
        self.completing.set(None);
        self.session.open.seal();
        // A view that closes removes its fields after the callback is gone.
        self.on_done.and_then(|done| done.try_run(false));
    }
}

/// Shows diagnostics, each with buttons for its fixes.
#[component]
pub fn Messages(findings: Memo<Vec<Diagnostic>>) -> impl IntoView {
    live(move || {
        findings
            .get()
            .into_iter()
            .map(|finding| {
                let bad = finding.severity == Severity::Error;
                let fixes = finding.fixes.into_iter();
                let fixes = fixes.map(|fix| view! { <FixButton fix/> }).collect_view();
                view! {
                    <p class="message" class:bad=bad>
                        {finding.message}
                        {fixes}
                    </p>
                }
            })
            .collect_view()
    })
}

/// A button that applies a fix.
#[component]
pub fn FixButton(fix: Fix) -> impl IntoView {
    let session = Session::expect();
    let label = fix.label.clone();
    view! {
        <button class="fix" on:click=move |_| { session.commit(&fix.label, fix.edit.clone()); }>
            {label}
        </button>
    }
}

fn focus(area: &web_sys::HtmlTextAreaElement, bytes: Option<Range<usize>>) {
    let _ = area.focus();
    if let Some(bytes) = bytes {
        completion::select(area, bytes);
    }
}
