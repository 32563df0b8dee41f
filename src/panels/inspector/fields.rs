//! Plain fields: labelled inputs that commit as they are typed in.

use leptos::prelude::*;
use taskloom_document::{Field, Kind, Name, RecordRef};

use crate::expression::ExpressionField;
use crate::session::Session;

/// A field under its label.
#[component]
pub fn Labelled(
    /// Its label.
    label: &'static str,
    /// `true` for one of several short fields in a row.
    #[prop(optional)]
    short: bool,
    /// The field.
    children: Children,
) -> impl IntoView {
    view! {
        <label class="field" class:short=short>
            <span class="label">{label}</span>
            {children()}
        </label>
    }
}

/// One text of a record under its label.
#[component]
pub fn Written(
    /// The record.
    record: RecordRef,
    /// The field of the record.
    field: Field,
    /// Its label.
    label: &'static str,
    /// Shown while it is empty.
    #[prop(optional, into)]
    placeholder: String,
) -> impl IntoView {
    view! {
        <div class="field">
            <span class="label" aria-hidden="true">{label}</span>
            <ExpressionField record field label placeholder/>
        </div>
    }
}

/// Free text of one or several lines.
#[component]
pub fn FreeText(
    /// Its accessible name.
    label: &'static str,
    /// Shown while it is empty.
    #[prop(optional)]
    placeholder: &'static str,
    /// `true` if it may have several lines.
    #[prop(optional)]
    long: bool,
    /// The current text.
    value: Memo<String>,
    /// Receives what is typed.
    set: Callback<String>,
) -> impl IntoView {
    let session = Session::expect();
    if long {
        view! {
            <textarea
                class="text"
                rows="3"
                aria-label=label
                placeholder=placeholder
                prop:value=move || value.get()
                on:input=move |event| set.run(event_target_value(&event))
                on:blur=move |_| session.open.seal()
            ></textarea>
        }
        .into_any()
    } else {
        view! {
            <input
                class="text"
                aria-label=label
                placeholder=placeholder
                autocomplete="off"
                prop:value=move || value.get()
                on:input=move |event| set.run(event_target_value(&event))
                on:blur=move |_| session.open.seal()
            />
        }
        .into_any()
    }
}

/// The maximum of whole numbers: the file stores 32 bits, and more means nothing for ticks and
/// priorities.
const MAX_WHOLE: f64 = 1e9;

/// A number; text that isn't one is marked and not taken over.
#[component]
pub fn NumberField(
    /// Its accessible name.
    #[prop(into)]
    label: String,
    /// Shown while it is empty.
    #[prop(optional)]
    placeholder: &'static str,
    /// `true` if it may be empty.
    #[prop(optional)]
    optional: bool,
    /// `true` if it is a whole number from 0.
    #[prop(optional)]
    natural: bool,
    /// `true` if it is a whole number.
    #[prop(optional)]
    whole: bool,
    /// The current value.
    #[prop(into)]
    value: Signal<Option<f64>>,
    /// Receives the number that is typed.
    set: Callback<Option<f64>>,
) -> impl IntoView {
    let session = Session::expect();
    let wrong = RwSignal::new(false);
    let text = |value: Option<f64>| value.map(|number| number.to_string()).unwrap_or_default();
    let typed = move |text: String| {
        let text = text.trim();
        let number = text.parse().ok().filter(|n: &f64| n.is_finite());
        let fits = match number {
            Some(number) => {
                let is_whole = number.fract() == 0.0 && number.abs() <= MAX_WHOLE;
                (is_whole || !(natural || whole)) && (number >= 0.0 || !natural)
            }
            None => optional && text.is_empty(),
        };
        wrong.set(!fits);
        if fits && number != value.get_untracked() {
            set.run(number);
        }
    };
    view! {
        <input
            class="text number"
            inputmode="decimal"
            aria-label=label
            aria-invalid=move || wrong.get().to_string()
            placeholder=placeholder
            autocomplete="off"
            prop:value=move || text(value.get())
            on:input=move |event| typed(event_target_value(&event))
            on:blur=move |event| {
                wrong.set(false);
                // What was typed and isn't a number doesn't look as if it were one.
                let input: web_sys::HtmlInputElement = event_target(&event);
                input.set_value(&text(value.get_untracked()));
                session.open.seal();
            }
        />
    }
}

/// A number that may be absent, as words: `never`, or `after 10`.
#[component]
pub fn OptionalNumber(
    /// The accessible name of the words.
    #[prop(into)]
    choice: String,
    /// The accessible name of the number.
    #[prop(into)]
    label: String,
    /// The words without a number, and those before one.
    words: [&'static str; 2],
    /// The number that is set first.
    first: f64,
    /// `true` if it is a whole number from 0.
    #[prop(optional)]
    natural: bool,
    /// The current value.
    #[prop(into)]
    value: Signal<Option<f64>>,
    /// Receives the number, or that there is none.
    set: Callback<Option<f64>>,
    /// Shown after the number.
    #[prop(optional)]
    unit: &'static str,
) -> impl IntoView {
    let session = Session::expect();
    let [none, some] = words;
    let label = StoredValue::new(label);
    let is_set = Memo::new(move |_| value.get().is_some());
    let choose = move |event| {
        session.open.seal();
        set.run((event_target_value(&event) == some).then_some(first));
    };
    view! {
        <select class="phrase" aria-label=choice on:change=choose>
            <option value=none prop:selected=move || !is_set.get()>{none}</option>
            <option value=some prop:selected=move || is_set.get()>{some}</option>
        </select>
        <Show when=move || is_set.get()>
            <NumberField label=label.get_value() natural value set/>
            {unit}
        </Show>
    }
}

/// A choice among names; `current` is listed even if it names nothing.
#[component]
pub fn NameSelect(
    /// Its accessible name.
    #[prop(into)]
    label: String,
    /// The names to choose from.
    #[prop(into)]
    names: Signal<Vec<Name>>,
    /// The chosen name.
    #[prop(into)]
    current: Signal<Option<Name>>,
    /// The label of the empty choice, if nothing may be chosen.
    #[prop(optional, into)]
    none: Signal<Option<&'static str>>,
    /// Receives the choice.
    set: Callback<Option<Name>>,
) -> impl IntoView {
    let options = move || {
        let current = current.get();
        let mut names = names.get();
        let unknown = current.as_ref().filter(|c| !names.contains(c)).cloned();
        names.extend(unknown.clone());
        let listed = names.into_iter().map(|name| {
            let selected = current.as_ref() == Some(&name);
            let missing = unknown.as_ref() == Some(&name);
            let text = if missing { format!("{name} (unknown)") } else { name.to_string() };
            view! { <option value=name.to_string() selected=selected prop:selected=selected>{text}</option> }
        });
        let empty = none.get().map(|text| {
            let selected = current.is_none();
            view! { <option value="" selected=selected prop:selected=selected>{text}</option> }
        });
        view! { {empty} {listed.collect_view()} }
    };
    view! {
        <select
            aria-label=label
            on:change=move |event| set.run(Name::new(&event_target_value(&event)).ok())
        >
            {options}
        </select>
    }
}

/// A selector for something that isn't in a list yet, with the button that adds it. Hidden if there
/// is nothing to add.
#[component]
pub fn Adder(
    /// The kind of item that is added: `goal`.
    one: &'static str,
    /// The names that can be added.
    names: Memo<Vec<Name>>,
    /// Receives the name to add.
    add: Callback<Name>,
) -> impl IntoView {
    let chosen = RwSignal::new(None::<Name>);
    let current = Memo::new(move |_| {
        let chosen = chosen.get();
        names.with(|names| {
            chosen
                .filter(|name| names.contains(name))
                .or_else(|| names.first().cloned())
        })
    });
    view! {
        <Show when=move || names.with(|names| !names.is_empty())>
            <div class="row adder">
                <NameSelect label=format!("Select a {one} to add") names=names current=current set=Callback::new(move |to| chosen.set(to))/>
                <button
                    aria-label=format!("Add this {one}")
                    on:click=move |_| if let Some(name) = current.get_untracked() { add.run(name) }
                >"Add"</button>
            </div>
        </Show>
    }
}

/// Returns the types that a variable or an object may have, including the root.
pub fn type_names(session: Session) -> Memo<Vec<Name>> {
    let types = session.open.names(Kind::Type);
    Memo::new(move |_| {
        let mut names: Vec<Name> = Name::new("object").into_iter().collect();
        names.extend(types.get());
        names
    })
}
