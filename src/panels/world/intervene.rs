//! Overriding a fact from the cursor's tick on.

use leptos::ev::KeyboardEvent;
use leptos::html::{Input, Select};
use leptos::prelude::*;
use taskloom_document::{Name, ValueKind};
use taskloom_domain::Domain;
use taskloom_planner::plan::Value;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::page::Linked;
use crate::session::{LinkedText, Session};
use crate::ui::entry::Refusal;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;
use crate::web::live;
use crate::worker::Intervention;

/// A fact that is about to be overridden: the tick, and the value that it has there.
pub type Draft = RwSignal<Option<Intervention>>;

/// The field for the new value, while a fact is being overridden.
#[component]
pub fn InterventionField(draft: Draft) -> impl IntoView {
    let session = Session::expect();
    Effect::new(move || {
        session.plan.scenario.track();
        session.storage.opened.track();
        draft.set(None);
    });
    live(move || draft.get().map(|fact| view! { <Form fact draft/> }))
}

#[component]
fn Form(fact: Intervention, draft: Draft) -> impl IntoView {
    let session = Session::expect();
    let document = session.document_untracked();
    let kind = document.facts.get(&fact.atom.fact);
    let kind = kind.map(|fact| fact.value.clone()).unwrap_or_default();
    let Intervention { at, atom, value } = fact;
    let scenario = session.plan.scenario.get_untracked();
    let choices = choices(&session.domain_untracked(), scenario.as_ref(), &kind);
    // For a truth value, the other one is suggested.
    let first = match &value {
        Value::Bool(value) => (!value).to_string(),
        Value::Object(None) => String::new(),
        value => value.to_string(),
    };
    let typed = RwSignal::new(first);
    let reason = RwSignal::new(None::<String>);
    let label = format!("Value of {atom} from tick {at} on");
    let field = match kind {
        ValueKind::Number { .. } => view! { <NumberInput label typed reason/> }.into_any(),
        _ => view! { <Choice label typed choices/> }.into_any(),
    };
    let text = atom.to_string();
    let back = text.clone();
    let close = move || {
        draft.set(None);
        focus_on_fact(&back);
    };
    let cancel = close.clone();
    let set = move || match read(&kind, &typed.get_untracked()) {
        Ok(value) => {
            let said = format!("{atom} is {value} from tick {at} on. Run updated.");
            let atom = atom.clone();
            match session
                .plan
                .intervene(vec![Intervention { at, atom, value }])
            {
                Ok(()) => {
                    live::say(&said);
                    close();
                }
                Err(why) => reason.set(Some(why.to_owned())),
            }
        }
        Err(why) => reason.set(Some(why)),
    };
    let (by_key, cancel_by_key) = (set.clone(), cancel.clone());
    let key = move |event: KeyboardEvent| {
        match event.typed_key().as_str() {
            "Enter" if !is_button(&event) => by_key(),
            "Escape" => cancel_by_key(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    view! {
        <div class="intervening" role="group" aria-label="Override from this tick" on:keydown=key>
            <div class="words">
                <span class="code">{text}</span>
                {format!("from tick {at} on")}
            </div>
            <div class="row">
                {field}
                <button class="primary" on:click=move |_| set()>"Set"</button>
                <button on:click=move |_| cancel()>"Cancel"</button>
            </div>
            <Refusal reason/>
        </div>
    }
}

/// The field for a number.
#[component]
fn NumberInput(
    label: String,
    typed: RwSignal<String>,
    reason: RwSignal<Option<String>>,
) -> impl IntoView {
    let input = NodeRef::<Input>::new();
    Effect::new(move || {
        if let Some(input) = input.get() {
            let _ = input.focus();
            // The value is set now: later, it would end the selection.
            input.set_value(&typed.get_untracked());
            input.select();
        }
    });
    view! {
        <input
            class="text number"
            inputmode="decimal"
            autocomplete="off"
            aria-label=label
            aria-invalid=move || reason.with(Option::is_some).to_string()
            node_ref=input
            prop:value=move || typed.get()
            on:input=move |event| {
                reason.set(None);
                typed.set(event_target_value(&event));
            }
        />
    }
}

/// The field for a value that is one of a few.
#[component]
fn Choice(label: String, typed: RwSignal<String>, choices: Vec<String>) -> impl IntoView {
    let select = NodeRef::<Select>::new();
    Effect::new(move || {
        if let Some(select) = select.get() {
            let _ = select.focus();
        }
    });
    let option = move |text: String| {
        let (value, own) = (text.clone(), text.clone());
        let chosen = move || typed.with(|typed| *typed == own);
        view! { <option value=value prop:selected=chosen>{text}</option> }
    };
    let first = (!choices.contains(&typed.get_untracked())).then(|| {
        view! { <option value="" prop:selected=true>"choose…"</option> }
    });
    view! {
        <select aria-label=label node_ref=select on:change=move |event| typed.set(event_target_value(&event))>
            {first}
            {choices.into_iter().map(option).collect_view()}
        </select>
    }
}

/// Lists the overrides of the run that is shown, each with its buttons.
#[component]
pub fn Interventions() -> impl IntoView {
    let session = Session::expect();
    let all = session.plan.interventions;
    // The reason why it can't happen, if that is known for the run as it is shown.
    let refused = move |number: usize| {
        session.plan.answer.with(|answer| {
            let answer = answer.as_ref()?;
            let interventions = &answer.experiment.interventions;
            let is_same = all.with(|all| all == interventions);
            let document = session.document_untracked();
            let own = document.scenarios.get(&answer.scenario)?.events.len();
            let mut events = answer.run.as_ref()?.events.iter();
            let happened = events.find(|event| event.event == own + number)?;
            happened.refused.clone().filter(|_| is_same)
        })
    };
    let row = move |(number, intervention): (usize, Intervention)| {
        let Intervention { at, ref atom, .. } = intervention;
        let is = match &intervention.value {
            Value::Bool(value) => format!(" is {value}"),
            value => format!(" = {value}"),
        };
        let when = LinkedText::from("changed at tick ").tick(at).text(": ");
        let text = LinkedText::default().atom(atom).text(is);
        let about = format!("{atom} at tick {at}");
        let button = |text: &'static str, title: &'static str, act: fn(Session, usize)| {
            let press = move |_| {
                act(session, number);
                focus_on_facts();
            };
            view! {
                <button title=title aria-label=format!("{text}: {about}") on:click=press>
                    {text}
                </button>
            }
        };
        let keep = button(
            "Keep as event",
            "Add it to the scenario as an event",
            |session, number| session.keep_as_event(number),
        );
        let take_back = button("Remove", "Run without it", |session, number| {
            session.plan.take_back(number)
        });
        view! {
            <li>
                <span class="mark"><Icon name=Lucide::Pencil size=14/></span>
                <span class="words">
                    <span><Linked text=when/></span>
                    <span class="code"><Linked text/></span>
                    {move || refused(number).map(|why| view! { <span class="message bad">{format!("It can't happen: {why}.")}</span> })}
                </span>
                {keep}
                {take_back}
            </li>
        }
    };
    view! {
        <Show when=move || all.with(|all| !all.is_empty())>
            <ul class="interventions" aria-label="Overrides (not saved)">
                {move || all.get().into_iter().enumerate().map(row).collect_view()}
            </ul>
        </Show>
    }
}

/// Returns the values to choose from; none for a number.
fn choices(domain: &Domain, scenario: Option<&Name>, kind: &ValueKind) -> Vec<String> {
    match kind {
        ValueKind::Boolean => vec!["true".to_owned(), "false".to_owned()],
        ValueKind::Number { .. } => vec![],
        ValueKind::Object(of) => {
            let scene = scenario.and_then(|name| domain.scene(name));
            let fitting = scene.map(|scene| scene.objects_of(domain.document(), of));
            let fitting = fitting.unwrap_or_default().into_iter();
            fitting.map(|name| name.to_string()).collect()
        }
    }
}

/// Parses a value of a kind from a text.
fn read(kind: &ValueKind, text: &str) -> Result<Value, String> {
    match kind {
        ValueKind::Boolean => Ok(Value::Bool(text == "true")),
        ValueKind::Object(_) => {
            let name = Name::new(text);
            let name = name.map_err(|_| "Choose an object.".to_owned())?;
            Ok(Value::Object(Some(name)))
        }
        ValueKind::Number { integer, min, max } => {
            let number = text.trim().parse().ok();
            let number = number.filter(|number: &f64| number.is_finite());
            let number = number.ok_or_else(|| "Type a number.".to_owned())?;
            match (min, max) {
                (Some(min), _) if number < *min => Err(format!("The minimum is {min}.")),
                (_, Some(max)) if number > *max => Err(format!("The maximum is {max}.")),
                _ if *integer && number.fract() != 0.0 => Err("Type a whole number.".to_owned()),
                _ => Ok(Value::Number(number)),
            }
        }
    }
}

/// Returns `true` for buttons, which handle Enter themselves.
fn is_button(event: &KeyboardEvent) -> bool {
    let target = event.target();
    target.is_some_and(|target| target.has_type::<web_sys::HtmlButtonElement>())
}

/// Moves the focus back to where the fact can be overridden again.
fn focus_on_fact(atom: &str) {
    focus(&format!(".world tr[data-fact=\"{atom}\"] button.value"));
}

fn focus_on_facts() {
    focus(".world .tab-body");
}

fn focus(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_planner::plan::Atom;

    #[test]
    fn rejects_numbers_out_of_range() {
        let kind = ValueKind::Number {
            integer: true,
            min: Some(0.0),
            max: Some(9.0),
        };
        assert_eq!(read(&kind, " 4 "), Ok(Value::Number(4.0)));
        for (text, why) in [
            ("", "Type a number."),
            ("inf", "Type a number."),
            ("-1", "The minimum is 0."),
            ("10", "The maximum is 9."),
            ("1.5", "Type a whole number."),
        ] {
            assert_eq!(read(&kind, text), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn overrides_are_written_as_event_effects() {
        let effect = |atom: &str, value: Value| {
            let atom = Atom {
                fact: atom.parse().unwrap(),
                args: vec![],
            };
            let at = 3;
            Intervention { at, atom, value }.effect()
        };
        assert_eq!(effect("open", Value::Bool(true)), "open");
        assert_eq!(effect("open", Value::Bool(false)), "not open");
        assert_eq!(effect("gold", Value::Number(2.5)), "gold := 2.5");
        let hall = Value::Object("hall".parse().ok());
        assert_eq!(effect("place", hall), "place := hall");
    }
}
