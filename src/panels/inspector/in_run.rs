//! The part of a task in the shown plan, and the records that use a record.

use std::collections::BTreeMap;

use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::{Block, Document, Field, Name, Port, RecordRef};
use taskloom_planner::plan::{Decomposed, Plan};

use crate::kinds;
use crate::page::{Link, Linked};
use crate::session::{LinkTarget, LinkedText, Session};

/// Describes the decompositions of a task in a plan, or its steps, one sentence per line.
fn lines(document: &Document, plan: &Plan, tick: Option<u32>, task: &Name) -> Vec<LinkedText> {
    let own = plan.nodes.iter().enumerate();
    let own: Vec<usize> = own
        .filter(|(_, node)| node.task.task == *task)
        .map(|(at, _)| at)
        .collect();
    let Some(first) = own.first().and_then(|at| plan.nodes.get(*at)) else {
        return vec![];
    };
    let mut lines = vec![];
    if let Some(decomposed) = first.decomposed() {
        if let Some(tick) = tick {
            lines.push(LinkedText::from("Decomposed at tick ").tick(tick));
        }
        lines.extend(alternative(document, decomposed, task));
    }
    // Children come after their parents.
    let mut is_part = vec![false; plan.nodes.len()];
    for (at, node) in plan.nodes.iter().enumerate() {
        let parent = node.parent.is_some_and(|parent| is_part[parent]);
        is_part[at] = parent || own.contains(&at);
    }
    let steps = plan.steps.iter().filter(|step| is_part[step.node]);
    let (count, cost) = steps.fold((0, 0.0), |(count, cost), step| {
        (count + 1, cost + step.cost)
    });
    let steps = match count {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let cost = (cost * 1000.0_f64).round() / 1000.0;
    lines.push(format!("{steps}, cost {cost}").into());
    lines
}

/// `Alternative 2 with the hammer`
fn alternative(document: &Document, decomposed: &Decomposed, task: &Name) -> Option<LinkedText> {
    if decomposed.is_by_goal() {
        return Some(LinkedText::from(match decomposed.children.is_empty() {
            true => "Its goal was true: nothing to do",
            false => "Found by a search for its goal",
        }));
    }
    let method = &document.compound_tasks.get(task)?.method;
    let (block, taken) = decomposed.wires.iter().find_map(|wire| match wire.port {
        Port::Alternative(id) => Some((&wire.from, id)),
        _ => None,
    })?;
    let Block::Choice { alternatives, .. } = &**method.blocks.get(block)? else {
        return None;
    };
    let at = alternatives.iter().position(|one| one.id == taken)?;
    let label = alternatives.get(at).map(|one| one.label.trim());
    let word = format!("{} {}", at + 1, label.unwrap_or_default());
    let target = LinkTarget::Block(task.clone(), block.clone());
    Some(LinkedText::from("Alternative ").link(word.trim(), target))
}

/// Shows the task's part in the shown plan; nothing if it has none.
#[component]
pub fn InThisRun(task: Name) -> impl IntoView {
    let session = Session::expect();
    let lines = Memo::new(move |_| {
        if session.plan.is_old() {
            return vec![];
        }
        let shown = session.desk.cursor.get().plan;
        session
            .plan
            .answer
            .with(|answer| {
                let answer = answer.as_ref()?;
                let tick = answer.run.as_ref().map(|run| match shown {
                    Some(plan) => run.plans.get(plan).map_or(0, |planning| planning.tick),
                    None => 0,
                });
                let plan = answer.plan_at_or_own(shown)?;
                Some(lines(&session.document(), plan, tick, &task))
            })
            .unwrap_or_default()
    });
    view! {
        <Show when=move || lines.with(|lines| !lines.is_empty())>
            <section class="section in-run" aria-label="In this run">
                <h3>"In this run"</h3>
                {move || lines.get().into_iter().map(|text| view! { <p><Linked text/></p> }).collect_view()}
            </section>
        </Show>
    }
}

/// A record that uses another: the first field in which it does, and their number.
type User = (RecordRef, Field, usize);

/// Returns the users of a record, in the document's order.
fn users(document: &Document, of: &RecordRef) -> Vec<User> {
    let mut all: Vec<User> = vec![];
    let mut known: BTreeMap<RecordRef, usize> = BTreeMap::new();
    for (user, field) in document.uses(of) {
        if user == *of {
            continue;
        }
        match known.get(&user).and_then(|at| all.get_mut(*at)) {
            Some((.., count)) => *count += 1,
            None => {
                known.insert(user.clone(), all.len());
                all.push((user, field, 1));
            }
        }
    }
    all
}

/// The maximum number of users that are shown at once.
const FEW: usize = 8;

/// Links to the records that use a record; nothing if there are none.
#[component]
pub fn UsedBy(record: RecordRef) -> impl IntoView {
    let session = Session::expect();
    let users = Memo::new(move |_| users(&session.document(), &record));
    let rows = move |all: Vec<User>| {
        let row = |(user, field, count): User| {
            let aside = match count {
                1 => user.kind.label().to_owned(),
                count => format!("{}, {count} places", user.kind.label()),
            };
            let text = kinds::shown_name(&session.document_untracked(), &user);
            let place = Place {
                record: user,
                field,
                span: None,
            };
            view! { <p class="user"><Link target=LinkTarget::Place(place) text/><small>{aside}</small></p> }
        };
        all.into_iter().map(row).collect_view()
    };
    let first = move || rows(users.get().into_iter().take(FEW).collect());
    let others = move || users.with(Vec::len).saturating_sub(FEW);
    view! {
        <Show when=move || users.with(|users| !users.is_empty())>
            <section class="section used-by" aria-label="Used by">
                <h3>"Used by"</h3>
                {first}
                <Show when=move || { others() > 0 }>
                    <details>
                        <summary>{move || format!("{} more", others())}</summary>
                        {move || rows(users.get().into_iter().skip(FEW).collect())}
                    </details>
                </Show>
            </section>
        </Show>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::Budget;
    use taskloom_runtime::simulate;

    fn document() -> Document {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        Document::from_json(text).unwrap()
    }

    #[test]
    fn describes_the_decomposition_and_its_steps() {
        let document = document();
        let scenarios = document.scenarios.keys();
        let scenario = scenarios
            .clone()
            .find(|name| name.as_str().contains("hammer"))
            .unwrap();
        let run = simulate(&Domain::from(&document), scenario, Budget::default(), 100);
        let plan = run.plans[0].plan().unwrap();
        let text = |task: &str| {
            let lines = lines(&document, plan, Some(0), &task.parse().unwrap());
            lines
                .iter()
                .map(LinkedText::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        };
        let whole = text("get-ball");
        assert!(
            whole.starts_with("Decomposed at tick 0; Alternative "),
            "{whole}"
        );
        assert!(
            whole.ends_with(&format!("{} steps, cost {}", plan.steps.len(), plan.cost)),
            "{whole}"
        );
        assert!(text("take-ball").starts_with("1 step, cost "));
        assert_eq!(text("no-such-task"), "");
    }

    #[test]
    fn users_are_counted_once() {
        let document = document();
        let fact = RecordRef::new(taskloom_document::Kind::Fact, "at".parse().unwrap());
        let all = users(&document, &fact);
        let mut names: Vec<&RecordRef> = all.iter().map(|(user, ..)| user).collect();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        let places: usize = all.iter().map(|(.., count)| count).sum();
        assert_eq!(places, document.uses(&fact).len());
    }
}
