//! A list of texts: one row each, and an empty row for the next one.

use leptos::prelude::*;
use taskloom_document::diagnostic::{Place, Span};
use taskloom_document::{Edit, Field, RecordRef};

use super::editable_list::REMOVE;
use super::heading::Heading;
use crate::expression::{ExpressionField, RowKey};
use crate::session::Session;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::more::{More, ROWS};
use crate::ui::row_keys::{focus_last, focus_next_field, focus_row, move_in_row};
use crate::ui::sortable::{Grip, Sorting, shift};

/// Preconditions, rules or tasks: each row is a text of the record. Enter leads to the next row, a
/// comma begins one, and Backspace in an empty one removes it; a row that is left empty goes away.
#[component]
pub fn TextList(
    /// The record.
    record: RecordRef,
    /// The heading.
    title: &'static str,
    /// The name of one row: `precondition`.
    one: &'static str,
    /// The owner of the list, if the record has several such lists: ` of actor 2`.
    #[prop(optional, into)]
    whose: String,
    /// Returns the field of the n-th text.
    #[prop(into)]
    field: Callback<usize, Field>,
    /// The number of texts.
    count: Memo<usize>,
    /// Shown in the empty row: an example. Otherwise it says that a row can be added there.
    #[prop(optional, into)]
    placeholder: String,
    /// `true` if their order matters, so that they can be reordered.
    #[prop(optional)]
    ordered: bool,
    /// Shown between the heading and the rows.
    #[prop(optional)]
    above: Option<AnyView>,
    /// Shown after each row's text.
    #[prop(optional, into)]
    beside: Option<Callback<usize, AnyView>>,
) -> impl IntoView {
    let whose = StoredValue::new(whose);
    let shown = RwSignal::new(ROWS);
    let texts = Texts {
        session: Session::expect(),
        record: StoredValue::new(record),
        one,
        whose,
        field,
        count,
    };
    let sorting = Sorting::new(move |from, to| texts.shift(from, to));
    let add = format!("Add {}", with_article(one));
    let placeholder = StoredValue::new(match placeholder.is_empty() {
        true => add.clone(),
        false => placeholder,
    });
    let look = TextRow {
        texts,
        sorting,
        ordered,
        placeholder,
        beside,
    };
    view! {
        <section class="section texts" aria-label=format!("{title}{}", whose.get_value()) on:keydown=|event| move_in_row(&event)>
            <Heading title>
                <button
                    class="bare add"
                    aria-label=format!("{add}{}", whose.get_value())
                    title=add
                    on:click=move |event| focus_last(&event_target(&event))
                ><Icon name=Lucide::Plus size=14/></button>
            </Heading>
            {above}
            <Keyed
                each=move || 0..(count.get() + 1).min(shown.get())
                key=|at| *at
                children=move |at| look.view(at)
            />
            <More shown all=Signal::derive(move || count.get() + 1)/>
        </section>
    }
}

/// The texts of a list and the edits to them.
#[derive(Clone, Copy)]
struct Texts {
    session: Session,
    record: StoredValue<RecordRef>,
    one: &'static str,
    whose: StoredValue<String>,
    field: Callback<usize, Field>,
    count: Memo<usize>,
}

impl Texts {
    /// `precondition 2`
    fn named(self, at: usize) -> String {
        format!("{} {}{}", self.one, at + 1, self.whose.get_value())
    }

    fn is_empty(self, at: usize) -> bool {
        let document = self.session.document_untracked();
        let text = document.text(&self.record.get_value(), &self.field.run(at));
        text.is_none_or(|text| text.trim().is_empty())
    }

    fn remove(self, at: usize) {
        let record = self.record.get_value();
        let label = format!("Remove {} of {}", self.named(at), record.name);
        let edit = Edit::RemoveText(record, self.field.run(at));
        self.session.commit(&label, edit);
    }

    fn shift(self, from: usize, to: usize) {
        let record = self.record.get_value();
        let label = format!("Move {} of {}", self.named(from), record.name);
        let edit = self.reordered(&record, (from, to));
        self.session.commit(&label, edit);
    }

    /// Returns the edit that moves a text from one index to another.
    fn reordered(self, record: &RecordRef, (from, to): (usize, usize)) -> Edit {
        let document = self.session.document_untracked();
        let field = |at| self.field.run(at);
        let all = 0..self.count.get_untracked();
        let texts = all.map(|at| document.text(record, &field(at)).map(str::to_owned));
        let mut texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
        shift(&mut texts, from, to);
        let written = texts.into_iter().enumerate();
        let written = written.map(|(at, text)| Edit::SetText(record.clone(), field(at), text));
        Edit::Batch(written.collect())
    }

    /// Removes a row that is left empty.
    fn left(self, at: usize) {
        if at < self.count.get_untracked() && self.is_empty(at) {
            self.remove(at);
        }
    }

    fn key(self, at: usize, key: RowKey) {
        match key {
            RowKey::Next if self.is_empty(at) => {
                focus_next_field();
            }
            RowKey::Next => {
                focus_row(1);
            }
            // Leaving the row removes it.
            RowKey::Erase if at > 0 => {
                focus_row(-1);
            }
            RowKey::Erase => self.left(at),
            RowKey::Split(pieces) => self.split(at, pieces),
        }
    }

    /// Gives each of several pieces a row, from an index on, and focuses the last one.
    fn split(self, at: usize, mut pieces: Vec<String>) {
        let (record, count) = (self.record.get_value(), self.count.get_untracked());
        let last = at + pieces.len() - 1;
        let caret = pieces.last().map_or(0, String::len);
        // Behind the last text, there is an empty row already.
        if caret == 0 && at + 1 >= count {
            pieces.pop();
        }
        let edits = pieces.into_iter().enumerate().map(|(n, piece)| {
            let (record, field) = (record.clone(), self.field.run(at + n));
            match n {
                0 => Edit::SetText(record, field, piece),
                _ => Edit::InsertText(record, field, piece),
            }
        });
        let label = format!("Add to the {}s of {}", self.one, record.name);
        if !self.session.commit(&label, Edit::Batch(edits.collect())) {
            return;
        }
        let field = self.field.run(last);
        let span = Some(Span::new(caret, caret));
        self.session.desk.focus_field(Place {
            record,
            field,
            span,
        });
    }
}

/// The parts of each row of a list.
#[derive(Clone, Copy)]
struct TextRow {
    texts: Texts,
    sorting: Sorting,
    ordered: bool,
    placeholder: StoredValue<String>,
    beside: Option<Callback<usize, AnyView>>,
}

impl TextRow {
    fn view(self, at: usize) -> impl IntoView {
        let Self {
            texts,
            sorting,
            beside,
            ..
        } = self;
        let count = texts.count;
        let exists = move || at < count.get();
        let one = format!("{}{}", texts.one, texts.whose.get_value());
        let grip = self.ordered.then(|| {
            view! {
                <Show when=move || exists() && 1 < count.get()>
                    <Grip sorting at count one=one.clone()/>
                </Show>
            }
        });
        view! {
            <div class="row" class:new=move || !exists() data-sorted=move || exists().then_some("")
                data-drag=move || sorting.state(at)>
                {grip}
                <ExpressionField
                    record=texts.record.get_value()
                    field=texts.field.run(at)
                    label=capital(&texts.named(at))
                    placeholder=self.placeholder.get_value()
                    on_done=Callback::new(move |_: bool| texts.left(at))
                    on_row=Callback::new(move |key| texts.key(at, key))
                />
                {move || exists().then(|| beside.map(|beside| beside.run(at)))}
                <Show when=exists>
                    <button
                        class="bare remove"
                        tabindex="-1"
                        aria-label=format!("Remove {}", texts.named(at))
                        title=REMOVE
                        on:click=move |_| texts.remove(at)
                    >
                        <Icon name=Lucide::X size=14/>
                    </button>
                </Show>
            </div>
        }
    }
}

/// Capitalizes a word: `Precondition`.
pub fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// Puts the indefinite article before a word: `an effect`.
pub fn with_article(word: &str) -> String {
    let article = match word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => "an",
        false => "a",
    };
    format!("{article} {word}")
}
