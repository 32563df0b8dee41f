//! The world before and after the cursor.

mod beliefs;
mod intervene;
mod possible;
pub mod states;

use std::collections::BTreeSet;

use leptos::prelude::*;
use taskloom_document::sort::{CompactSort, set_of};
use taskloom_document::{Document, Kind, Source};
use taskloom_planner::plan::{Atom, Value};
use taskloom_runtime::Entry;

use super::run::Discoveries;
use crate::kinds::{self, SOURCES};
use crate::page::{Link, Linked};
use crate::session::{Cursor, Happened, LinkTarget, LinkedText, Session, task_of};
use crate::ui::keyed::Keyed;
use crate::ui::more::{More, ROWS};
use crate::worker::{Answer, Intervention};
use beliefs::{CharacterBeliefs, Why};
use intervene::{Draft, InterventionField, Interventions};
use possible::PossibleNow;
use states::{Played, Row, Seen};

/// A table of ground facts, grouped by source; changes are marked and come first in their group. A
/// false belief of the shown character is shown below its fact.
#[component]
pub fn World() -> impl IntoView {
    let session = Session::expect();
    let shown = RwSignal::new(ROWS);
    let seen = Seen::expect();
    let name = move |played: &Played| Some(played.beliefs.as_ref()?.name.clone());
    let name = Memo::new(move |_| seen.with(name).flatten());
    let filters = Filters::new(seen);
    let rows = Memo::new(move |_| {
        let cursor = session.desk.cursor.get();
        seen.with(|played| played.around(cursor))
            .unwrap_or_default()
    });
    let shows = move || filters.shows();
    let count = Memo::new(move |_| rows.with(|rows| rows.iter().filter(shows()).count()));
    let items = Memo::new(move |_| {
        let document = session.document_untracked();
        let (shows, shown) = (shows(), shown.get());
        rows.with(|rows| items(&document, rows.iter().filter(shows).collect(), shown))
    });
    let heading = Memo::new(move |_| heading(session));
    let stepping = Memo::new(move |_| is_stepping(session.desk.cursor.get()));
    let refusal = Memo::new(move |_| {
        session
            .plan
            .shown
            .with(|shown| shown.can_be_changed().err())
    });
    let at = Memo::new(move |_| {
        refusal.get().is_none().then_some(())?;
        let cursor = session.desk.cursor.get();
        session
            .plan
            .answer
            .with(|answer| tick_after(answer.as_ref()?, cursor))
    });
    let draft = RwSignal::new(None);
    let table = Table {
        rows,
        stepping,
        name,
        at,
        refusal,
        draft,
    };
    let hidden = move || {
        let unlisted = session.plan.answer.with(|a| Some(a.as_ref()?.unlisted));
        let unlisted = unlisted.filter(|count| *count > 0)?;
        Some(format!(
            "{unlisted} more facts are hidden until they change."
        ))
    };
    let empty = move || match (rows.with(Vec::is_empty), count.get()) {
        (true, _) => Some(nothing(session).to_owned()),
        (false, 0) if filters.only_wrong() => {
            let name = name.get().unwrap_or_default();
            Some(format!("{name} has no false beliefs."))
        }
        (false, 0) => Some("Every fact is false, 0 or unset.".to_owned()),
        (false, _) => None,
    };
    view! {
        <section class="world" aria-label="World">
            <div class="tabs">
                {move || {
                    let text = heading.get();
                    let whole = text.to_string();
                    view! { <h2 title=whole.clone() aria-label=whole><Linked text/></h2> }
                }}
                <span class="grow"></span>
                <FilterSwitches filters/>
            </div>
            <Discoveries/>
            <Interventions/>
            <InterventionField draft/>
            <div class="tab-body" role="group" tabindex="0" aria-label="Facts">
                <Facts items table/>
                <More shown all=count/>
                {move || hidden().map(|text| view! { <p class="hint">{text}</p> })}
                {move || empty().map(|text| view! { <p class="hint">{text}</p> })}
                <PossibleNow rows/>
            </div>
        </section>
    }
}

/// Returns the reason why no facts are listed. Tracked.
fn nothing(session: Session) -> &'static str {
    let has_answer = session.plan.answer.with(Option::is_some);
    let has_scenario = session.plan.scenario.with(Option::is_some);
    match (has_answer, has_scenario) {
        (true, _) => "No facts in this scenario yet.",
        (false, true) => "Waiting for the planner.",
        (false, false) => "Add a scenario: it says what is true at the start.",
    }
}

/// Returns the heading for the cursor. Tracked.
fn heading(session: Session) -> LinkedText {
    let cursor = session.desk.cursor.get();
    let heading = session
        .plan
        .answer
        .with(|answer| answer.as_ref().and_then(|answer| title(answer, cursor)));
    heading.unwrap_or_else(|| "World at the start".into())
}

/// Returns `true` if there is a time before the cursor and one after it.
fn is_stepping(cursor: Cursor) -> bool {
    match cursor.happened {
        Some(Happened::Line(Entry::Planning(_))) => false,
        Some(Happened::Line(_) | Happened::Tick(_)) => true,
        None => cursor.step.is_some(),
    }
}

/// The conditions for facts to be shown.
#[derive(Clone, Copy)]
struct Filters {
    all: RwSignal<bool>,
    wrong: RwSignal<bool>,
    can_be_wrong: Memo<bool>,
    /// The numbers that change in the run: each keeps its row while it is 0.
    numbers: Memo<BTreeSet<Atom>>,
}

impl Filters {
    fn new(seen: Seen) -> Self {
        let can_be_wrong = |played: &Played| {
            played
                .beliefs
                .as_ref()
                .is_some_and(CharacterBeliefs::can_be_wrong)
        };
        Self {
            all: RwSignal::new(false),
            wrong: RwSignal::new(false),
            can_be_wrong: Memo::new(move |_| seen.with(can_be_wrong) == Some(true)),
            numbers: Memo::new(move |_| {
                let numbers = seen.with(Played::numbers).unwrap_or_default();
                set_of(numbers.into_iter().map(|number| number.atom))
            }),
        }
    }

    fn only_wrong(self) -> bool {
        self.wrong.get() && self.can_be_wrong.get()
    }

    /// Returns the condition under which a row is shown. Tracked.
    fn shows(self) -> impl Fn(&&Row) -> bool {
        let (all, only_wrong) = (self.all.get(), self.only_wrong());
        let numbers = self.numbers.get();
        move |row: &&Row| match (&row.believed, only_wrong) {
            (believed, true) => believed.is_some(),
            (Some(_), false) => true,
            (None, false) => {
                let is_plain = row.before == row.after && plain(&row.before);
                all || !is_plain || numbers.contains(&row.atom)
            }
        }
    }
}

/// The switches of the filters.
#[component]
fn FilterSwitches(filters: Filters) -> impl IntoView {
    let Filters {
        all,
        wrong,
        can_be_wrong,
        ..
    } = filters;
    view! {
        <Show when=move || can_be_wrong.get()>
            <label class="check" title="Only false beliefs">
                <input
                    type="checkbox"
                    prop:checked=move || wrong.get()
                    on:change=move |event| wrong.set(event_target_checked(&event))
                />
                "differences"
            </label>
        </Show>
        <label class="check" title="Include facts that are false, 0 or unset">
            <input
                type="checkbox"
                prop:checked=move || all.get()
                disabled=move || filters.only_wrong()
                on:change=move |event| all.set(event_target_checked(&event))
            />
            "all facts"
        </label>
    }
}

/// The table of facts.
#[component]
fn Facts(items: Memo<Vec<Item>>, table: Table) -> impl IntoView {
    let Table { stepping, name, .. } = table;
    view! {
        <table>
            <thead>
                <tr>
                    <th scope="col">"Fact"</th>
                    <th scope="col">{move || if stepping.get() { "Before" } else { "Value" }}</th>
                    <Show when=move || stepping.get()><th scope="col">"After"</th></Show>
                </tr>
            </thead>
            <tbody>
                <Keyed each=move || items.get() key=Clone::clone children=move |item| match item {
                    Item::Group(group) => view! { <Heading group name stepping/> }.into_any(),
                    Item::Fact(atom) => view! { <FactRow atom table/> }.into_any(),
                }/>
            </tbody>
        </table>
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Item {
    /// The heading of a group, by its number.
    Group(usize),
    /// A ground fact.
    Fact(Atom),
}

/// Returns the first of the rows by group, changed ones first; groups have headings if there are
/// several.
fn items(document: &Document, mut rows: Vec<&Row>, most: usize) -> Vec<Item> {
    rows.compact_sort_by_key(|row| (group(document, row), row.before == row.after));
    rows.truncate(most);
    let groups = rows.chunk_by(|a, b| group(document, a) == group(document, b));
    let several = groups.clone().count() > 1;
    let mut items = vec![];
    for rows in groups {
        if several {
            items.push(Item::Group(group(document, rows[0])));
        }
        items.extend(rows.iter().map(|row| Item::Fact(row.atom.clone())));
    }
    items
}

/// Returns the number of a row's group.
fn group(document: &Document, row: &Row) -> usize {
    let fact = document.facts.get(&row.atom.fact);
    let source = fact.map(|fact| fact.source).unwrap_or_default();
    SOURCES.iter().position(|of| *of == source).unwrap_or(0)
}

#[component]
fn Heading(group: usize, name: Memo<Option<String>>, stepping: Memo<bool>) -> impl IntoView {
    let source = SOURCES[group];
    let title = kinds::of_source(source).1.heading;
    let text = move || match name.get() {
        Some(name) if source == Source::Memory => format!("{title} of {name}"),
        _ => title.to_owned(),
    };
    view! {
        <tr class="group">
            <th colspan=move || columns(stepping) scope="rowgroup">{text}</th>
        </tr>
    }
}

/// Returns the number of columns: a fact has one value, or one before and one after a step.
fn columns(stepping: Memo<bool>) -> &'static str {
    if stepping.get() { "3" } else { "2" }
}

/// The state that the rows of the table share.
#[derive(Clone, Copy)]
struct Table {
    /// All facts, in order.
    rows: Memo<Vec<Row>>,
    /// `true` if there is a before and an after.
    stepping: Memo<bool>,
    /// The name of the shown character, if the scenario has a cast.
    name: Memo<Option<String>>,
    /// The tick from which on a fact would be overridden.
    at: Memo<Option<u32>>,
    /// The reason why no fact can be overridden, if the run is that of a log.
    refusal: Memo<Option<&'static str>>,
    /// The fact that is being overridden.
    draft: Draft,
}

#[component]
fn FactRow(atom: Atom, table: Table) -> impl IntoView {
    let session = Session::expect();
    let text = atom.to_string();
    let own = atom.clone();
    // Moving through the run notifies only the facts that change.
    let row = Memo::new(move |_| {
        table.rows.with(|rows| {
            let at = rows.binary_search_by(|row| row.atom.cmp(&own));
            at.ok().and_then(|at| rows.get(at).cloned())
        })
    });
    let value =
        move |of: fn(&Row) -> &Value| row.with(|row| row.as_ref().map(|row| of(row).to_string()));
    let is = move |ask: fn(&Row) -> bool| row.with(|row| row.as_ref().is_some_and(ask));
    let believed = move || {
        let row = row.get()?;
        let belief = row.believed?;
        let name = table.name.get()?;
        let text = format!("world: {} · {name} believes: {}", row.after, belief.value);
        let text = match (belief.why, session.plan.scenario.get()) {
            (Why::InitialBelief, Some(scenario)) => {
                let target = LinkTarget::record(Kind::Scenario, &scenario);
                LinkedText::from(text)
                    .text(", ")
                    .link("initial belief", target)
            }
            _ => text.into(),
        };
        let whole = text.to_string();
        Some(view! {
            <tr class="believed">
                <td colspan=move || columns(table.stepping) title=whole><Linked text/></td>
            </tr>
        })
    };
    let is_run = Memo::new(move |_| table.at.with(Option::is_some));
    let last = {
        let (text, atom) = (text.clone(), atom.clone());
        move || {
            if !is_run.get() {
                return view! { {move || value(|row| &row.after)} }.into_any();
            }
            let (text, atom) = (text.clone(), atom.clone());
            let at = move || table.at.get().unwrap_or(0);
            let label = move || {
                let value = value(|row| &row.after).unwrap_or_default();
                format!("{text} is {value}: override it from tick {} on", at())
            };
            let open = move |_| {
                let row = row.get_untracked();
                table.draft.set(row.map(|row| Intervention {
                    at: untrack(at),
                    atom: atom.clone(),
                    value: row.after,
                }));
            };
            view! {
                <button class="value" aria-label=label title="Override from this tick" on:click=open>
                    {move || value(|row| &row.after)}
                </button>
            }
            .into_any()
        }
    };
    let last = StoredValue::new_local(last);
    let (title, fact) = (text.clone(), LinkTarget::record(Kind::Fact, &atom.fact));
    view! {
        <tr
            class:changed=move || is(|row| row.before != row.after)
            class:mistaken=move || is(|row| row.believed.is_some())
            data-fact=text.clone()
        >
            <td><Link target=fact text=text.clone() title/></td>
            {move || table.stepping.get().then(|| view! { <td>{move || value(|row| &row.before)}</td> })}
            <td title=move || table.refusal.get()>{move || last.with_value(|last| last())}</td>
        </tr>
        {believed}
    }
}

/// Returns the tick that has passed at the cursor; `None` outside of a run.
fn tick_after(answer: &Answer, cursor: Cursor) -> Option<u32> {
    let run = answer.run.as_ref()?;
    match cursor.happened? {
        Happened::Tick(tick) => Some(tick),
        Happened::Line(Entry::Step(at)) => Some(run.executed.get(at)?.end.unwrap_or(run.ticks)),
        Happened::Line(entry) => run.tick_of(entry),
    }
}

/// Returns the heading: the step of a plan, or the entry of the run, around which the world is
/// shown.
fn title(answer: &Answer, cursor: Cursor) -> Option<LinkedText> {
    let around = || LinkedText::from("World around ");
    let entry = match cursor.happened {
        Some(Happened::Line(entry)) => entry,
        Some(Happened::Tick(tick)) => {
            return Some(around().text(format!("tick {tick} of the run")));
        }
        None => {
            let step = answer.plan_at(cursor.plan)?.steps.get(cursor.step?)?;
            let number = format!("{} ", cursor.step? + 1);
            return Some(around().text(number).task(&step.task));
        }
    };
    let run = answer.run.as_ref()?;
    Some(match entry {
        Entry::Event(at) => {
            around().text(format!("the event at tick {}", run.events.get(at)?.tick))
        }
        Entry::Perception(_) | Entry::Planning(_) => {
            format!("World at tick {} of the run", run.tick_of(entry)?).into()
        }
        Entry::Step(at) => {
            let step = run.executed.get(at)?;
            let ticks = match step.end.unwrap_or(run.ticks) {
                end if end == step.start => format!("tick {end}"),
                end => format!("ticks {} to {end}", step.start),
            };
            let task = around().task(task_of(run, step)?);
            task.text(format!(", {ticks} of the run"))
        }
    })
}

/// Returns `true` for the value that a fact has unless it is set.
fn plain(value: &Value) -> bool {
    matches!(value, Value::Bool(false) | Value::Object(None)) || *value == Value::Number(0.0)
}
