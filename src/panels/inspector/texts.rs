//! A list of texts: one row each, and an empty one to type the next into.

use leptos::prelude::*;
use taskloom::document::{Edit, Field, RecordRef};

use crate::expression::ExpressionField;
use crate::session::Session;
use crate::ui::more::{More, ROWS};

/// Preconditions, rules, tasks: each row is a text of the record.
#[component]
pub fn TextList(
    /// The record.
    record: RecordRef,
    /// The heading.
    title: &'static str,
    /// What one row is called: `precondition`.
    one: &'static str,
    /// The place of the n-th.
    field: fn(usize) -> Field,
    /// How many there are.
    count: Memo<usize>,
    /// Shown in the empty row.
    #[prop(optional)]
    placeholder: &'static str,
    /// What stands behind each row's text.
    #[prop(optional, into)]
    beside: Option<Callback<usize, AnyView>>,
) -> impl IntoView {
    let session = Session::expect();
    let record = StoredValue::new(record);
    let shown = RwSignal::new(ROWS);
    let remove = move |at: usize| {
        let record = record.get_value();
        let label = format!("Remove {one} {} of {}", at + 1, record.name);
        session.commit(&label, Edit::RemoveText(record, field(at)));
    };
    view! {
        <section class="section texts" aria-label=title>
            <h3>{title}</h3>
            <For
                each=move || 0..(count.get() + 1).min(shown.get())
                key=|at| *at
                children=move |at| {
                    let exists = move || at < count.get();
                    // A row that is left empty goes away.
                    let left = Callback::new(move |_: bool| {
                        let record = record.get_value();
                        let empty = session.document_untracked().text(&record, &field(at)).is_some_and(str::is_empty);
                        if empty {
                            remove(at);
                        }
                    });
                    view! {
                        <div class="row">
                            <ExpressionField
                                record=record.get_value()
                                field=field(at)
                                label=format!("{} {}", capital(one), at + 1)
                                placeholder=placeholder
                                on_done=left
                            />
                            {move || exists().then(|| beside.map(|b| b.run(at)))}
                            <Show when=exists>
                                <button
                                    class="bare remove"
                                    aria-label=format!("Remove {one} {}", at + 1)
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

/// `Precondition`
pub fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}
