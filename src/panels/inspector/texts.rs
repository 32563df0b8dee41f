//! A list of texts: one row each, and an empty row for the next one.

use leptos::prelude::*;
use taskloom::document::{Edit, Field, RecordRef};

use super::heading::Heading;
use crate::expression::ExpressionField;
use crate::session::Session;
use crate::ui::more::{More, ROWS};
use crate::ui::sortable::{Grip, Sorting, shift};

/// Preconditions, rules or tasks: each row is a text of the record.
#[component]
pub fn TextList(
    /// The record.
    record: RecordRef,
    /// The heading.
    title: &'static str,
    /// The name of one row: `precondition`.
    one: &'static str,
    /// The owner of the list, if the record has several such lists: ` of character 2`.
    #[prop(optional, into)]
    whose: String,
    /// Returns the field of the n-th text.
    #[prop(into)]
    field: Callback<usize, Field>,
    /// The number of texts.
    count: Memo<usize>,
    /// Shown in the empty row.
    #[prop(optional)]
    placeholder: &'static str,
    /// `true` if their order matters, so that they can be reordered.
    #[prop(optional)]
    ordered: bool,
    /// Shown after each row's text.
    #[prop(optional, into)]
    beside: Option<Callback<usize, AnyView>>,
) -> impl IntoView {
    let session = Session::expect();
    let record = StoredValue::new(record);
    let whose = StoredValue::new(whose);
    let shown = RwSignal::new(ROWS);
    let named = move |at: usize| format!("{one} {}{}", at + 1, whose.get_value());
    let remove = move |at: usize| {
        let record = record.get_value();
        let label = format!("Remove {} of {}", named(at), record.name);
        session.commit(&label, Edit::RemoveText(record, field.run(at)));
    };
    let sorting = Sorting::new(move |from, to| {
        let record = record.get_value();
        let label = format!("Move {} of {}", named(from), record.name);
        let edit = reordered(session, &record, count.get_untracked(), field, (from, to));
        session.commit(&label, edit);
    });
    view! {
        <section class="section texts" aria-label=format!("{title}{}", whose.get_value())>
            <Heading title/>
            <For
                each=move || 0..(count.get() + 1).min(shown.get())
                key=|at| *at
                children=move |at| {
                    let exists = move || at < count.get();
                    // A row that is left empty goes away.
                    let left = Callback::new(move |_: bool| {
                        let record = record.get_value();
                        let empty = session.document_untracked().text(&record, &field.run(at)).is_some_and(str::is_empty);
                        if empty {
                            remove(at);
                        }
                    });
                    view! {
                        <div class="row" data-sorted=move || exists().then_some("") data-drag=move || sorting.state(at)>
                            {ordered.then(|| view! {
                                <Show when=move || exists() && 1 < count.get()>
                                    <Grip sorting at count one=format!("{one}{}", whose.get_value())/>
                                </Show>
                            })}
                            <ExpressionField
                                record=record.get_value()
                                field=field.run(at)
                                label=capital(&named(at))
                                placeholder=placeholder
                                on_done=left
                            />
                            {move || exists().then(|| beside.map(|b| b.run(at)))}
                            <Show when=exists>
                                <button
                                    class="bare remove"
                                    aria-label=format!("Remove {}", named(at))
                                    on:click=move |_| remove(at)
                                >
                                    "✕"
                                </button>
                            </Show>
                        </div>
                    }
                }
            />
            <More shown all=Signal::derive(move || count.get() + 1)/>
        </section>
    }
}

/// Returns the edit that moves a text from one index to another.
fn reordered(
    session: Session,
    record: &RecordRef,
    count: usize,
    field: Callback<usize, Field>,
    (from, to): (usize, usize),
) -> Edit {
    let document = session.document_untracked();
    let texts = (0..count).map(|at| document.text(record, &field.run(at)).map(str::to_owned));
    let mut texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
    shift(&mut texts, from, to);
    let written = texts.into_iter().enumerate();
    let written = written.map(|(at, text)| Edit::SetText(record.clone(), field.run(at), text));
    Edit::Batch(written.collect())
}

/// Capitalizes a word: `Precondition`.
pub fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}
