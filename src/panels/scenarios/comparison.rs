//! Compares two scenarios and their runs: what differs in the scenarios, when the runs begin to
//! differ, and what follows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use taskloom_document::sort::{map_of, set_of};
use taskloom_document::{Crowd, Event, Name, Scenario};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Value, initial_state};
use taskloom_runtime::{Entry, Run, TaskState};

use super::rows::{describe, ending};
use crate::session::task_of;
use crate::worker::RunSummary;

/// The maximum number of steps that a bar shows one by one.
const MOST_BARS: usize = 400;
/// The maximum number of facts that are compared.
const MOST_FACTS: usize = 12;

/// A step, or several equal ones in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// The first tick.
    pub start: u32,
    /// The last tick.
    pub end: u32,
    /// The line in the lane, from 0: a character may execute several steps in parallel.
    pub line: usize,
    /// The call, and the number of times if it is repeated.
    pub text: String,
    /// `true` if the step failed.
    pub has_failed: bool,
    task: String,
    times: u32,
}

/// The steps of an actor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lane {
    /// The actor.
    pub name: String,
    /// Its steps.
    pub bars: Vec<Bar>,
}

impl Lane {
    /// Returns the number of its lines.
    pub fn lines(&self) -> usize {
        self.bars.iter().map(|bar| bar.line + 1).max().unwrap_or(1)
    }
}

/// Returns a lane for each actor of a run.
pub fn lanes(run: &Run, actors: &[String]) -> Vec<Lane> {
    let lane = |name: &String| Lane {
        name: name.clone(),
        bars: vec![],
    };
    let mut lanes: Vec<Lane> = actors.iter().map(lane).collect();
    for (at, (step, line)) in run.executed.iter().zip(run.lanes()).enumerate() {
        let character = run.character_of(Entry::Step(at));
        let lane = character.and_then(|character| lanes.get_mut(character));
        let (Some(lane), Some(task)) = (lane, task_of(run, step)) else {
            continue;
        };
        if lane.bars.len() >= MOST_BARS {
            continue;
        }
        let task = task.to_string();
        let (start, end) = (step.start, step.end.unwrap_or(run.ticks));
        let has_failed = step.state == TaskState::Failed;
        let before = lane.bars.last_mut().filter(|bar| {
            !bar.has_failed
                && !has_failed
                && bar.line == line
                && bar.end == start
                && bar.task == task
        });
        match before {
            Some(bar) => {
                (bar.end, bar.times) = (end, bar.times + 1);
                bar.text = format!("{task} × {}", bar.times);
            }
            None => lane.bars.push(Bar {
                start,
                end,
                line,
                text: task.clone(),
                has_failed,
                task,
                times: 1,
            }),
        }
    }
    lanes
}

/// A tick at which two runs differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// The tick.
    pub tick: u32,
    /// The steps and changes of the first run alone.
    pub first: Vec<String>,
    /// The steps and changes of the second run alone.
    pub second: Vec<String>,
}

impl Difference {
    /// Describes it: `Rook: walk(hall) / search(library)`.
    pub fn words(&self) -> String {
        let side = |all: &[String]| match all {
            [] => "–".to_owned(),
            all => all.join(", "),
        };
        format!("{} / {}", side(&self.first), side(&self.second))
    }
}

/// Returns the ticks at which two runs differ, in order: steps that start or fail only in one, and
/// its end. Actors correspond by their names.
pub fn differences(first: (&Run, &[String]), second: (&Run, &[String])) -> Vec<Difference> {
    let mut balance: BTreeMap<(u32, String), i32> = BTreeMap::new();
    for moment in moments(first.0, first.1) {
        *balance.entry(moment).or_default() += 1;
    }
    for moment in moments(second.0, second.1) {
        *balance.entry(moment).or_default() -= 1;
    }
    let mut all: Vec<Difference> = vec![];
    for ((tick, text), balance) in balance.into_iter().filter(|(_, balance)| *balance != 0) {
        if all.last().is_none_or(|last| last.tick != tick) {
            all.push(Difference {
                tick,
                ..Difference::default()
            });
        }
        if let Some(last) = all.last_mut() {
            let side = if balance > 0 {
                &mut last.first
            } else {
                &mut last.second
            };
            side.push(text);
        }
    }
    all
}

fn moments(run: &Run, actors: &[String]) -> Vec<(u32, String)> {
    let steps = run.executed.iter().enumerate();
    let steps = steps.flat_map(|(at, step)| {
        let actor = run.character_of(Entry::Step(at));
        let actor = actor.and_then(|at| actors.get(at));
        let who = actor.map_or_else(String::new, |name| format!("{name}: "));
        let Some(task) = task_of(run, step) else {
            return vec![];
        };
        let mut all = vec![(step.start, format!("{who}{task}"))];
        if step.state == TaskState::Failed {
            let reason = step
                .reason
                .as_ref()
                .map_or_else(String::new, |reason| format!(" ({reason})"));
            all.push((
                step.end.unwrap_or(step.start),
                format!("{who}{task} fails{reason}"),
            ));
        }
        all
    });
    let end = (run.ticks, format!("the run ends: {}", ending(&run.end)));
    steps.chain([end]).collect()
}

/// Something that only one of two scenarios has, or that differs between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The thing.
    pub what: String,
    /// Its value in the first scenario.
    pub first: Option<String>,
    /// Its value in the second scenario.
    pub second: Option<String>,
}

/// Returns what differs in two scenarios.
pub fn causes(first: &Scenario, second: &Scenario) -> Vec<Contrast> {
    let event = |event: &Event| {
        let every = event
            .every
            .map_or_else(String::new, |ticks| format!(", then every {ticks}"));
        let when = match event.when.trim() {
            "" => String::new(),
            when => format!(", if {when}"),
        };
        (
            format!("Event at tick {}{every}{when}", event.at),
            event.effect.clone(),
        )
    };
    let plain = |what: &str, texts: &[String]| -> Vec<(String, String)> {
        texts
            .iter()
            .map(|text| (what.to_owned(), text.clone()))
            .collect()
    };
    let all = |scenario: &Scenario| -> Vec<(String, String)> {
        let objects = scenario
            .objects
            .keys()
            .map(ToString::to_string)
            .collect::<Vec<_>>();
        let mut all = plain("Object", &objects);
        all.extend(plain("Initial value", &scenario.initial));
        for member in &scenario.cast {
            let name = member.object.as_ref().unwrap_or(&member.agent);
            all.push(("Actor".to_owned(), format!("{name}, {}", member.agent)));
            all.extend(plain(&format!("Task of {name}"), &member.tasks));
            all.extend(plain(&format!("Belief of {name}"), &member.beliefs));
        }
        for Crowd {
            count,
            name,
            agent,
            initial,
            tasks,
            beliefs,
        } in &scenario.crowds
        {
            all.push(("Crowd".to_owned(), format!("{count} {name}, {agent}")));
            all.extend(plain(&format!("Initial value of {name}"), initial));
            all.extend(plain(&format!("Task of {name}"), tasks));
            all.extend(plain(&format!("Belief of {name}"), beliefs));
        }
        all.extend(plain("Task", &scenario.tasks));
        let goal = scenario.goal.trim();
        all.extend((!goal.is_empty()).then(|| ("Goal".to_owned(), goal.to_owned())));
        all.extend(scenario.events.iter().map(event));
        let failures = scenario.failures.iter().map(|failure| failure.task.clone());
        all.extend(plain("Forced failure", &failures.collect::<Vec<_>>()));
        let expected: Vec<String> = scenario.expect.iter().map(describe).collect();
        all.extend(plain("Expectation", &expected));
        all
    };
    let (mut only_first, mut only_second) = (all(first), vec![]);
    for item in all(second) {
        match only_first.iter().position(|other| *other == item) {
            Some(at) => drop(only_first.remove(at)),
            None => only_second.push(item),
        }
    }
    let one = only_first.into_iter().map(|(what, text)| Contrast {
        what,
        first: Some(text),
        second: None,
    });
    let other = only_second.into_iter().map(|(what, text)| Contrast {
        what,
        first: None,
        second: Some(text),
    });
    let seed = (first.seed != second.seed).then(|| contrast("Seed", first.seed, second.seed));
    one.chain(other).chain(seed).collect()
}

fn contrast(what: impl Into<String>, first: impl Display, second: impl Display) -> Contrast {
    Contrast {
        what: what.into(),
        first: Some(first.to_string()),
        second: Some(second.to_string()),
    }
}

/// Returns what differs in the runs of two scenarios of a domain: their ends, their figures, and the
/// final values of the facts that their expectations name, or of all facts if they name none.
pub fn effects(domain: &Domain, names: [&Name; 2], runs: [&Run; 2]) -> Vec<Contrast> {
    let [first, second] = runs.map(RunSummary::of);
    let mut all = vec![];
    if first.end != second.end {
        all.push(contrast("The run", ending(&first.end), ending(&second.end)));
    }
    if first.ticks != second.ticks {
        all.push(contrast("Ticks", first.ticks, second.ticks));
    }
    if first.steps != second.steps {
        all.push(contrast("Steps", first.steps, second.steps));
    }
    if first.cost != second.cost {
        all.push(contrast("Cost", first.cost, second.cost));
    }
    all.extend(facts(domain, names, runs));
    all
}

fn facts(domain: &Domain, names: [&Name; 2], runs: [&Run; 2]) -> Vec<Contrast> {
    let [first, second] = [0, 1].map(|at| final_values(domain, names[at], runs[at]));
    let named = named_facts(domain, names);
    let atoms = set_of(first.keys().chain(second.keys()));
    let value = |values: &BTreeMap<Atom, Value>, atom: &Atom| {
        values
            .get(atom)
            .map_or_else(|| "–".to_owned(), ToString::to_string)
    };
    let differs = atoms.into_iter().filter(|atom| {
        (named.is_empty() || named.contains(&atom.fact)) && first.get(atom) != second.get(atom)
    });
    let row = |atom: &Atom| contrast(atom.to_string(), value(&first, atom), value(&second, atom));
    differs.take(MOST_FACTS).map(row).collect()
}

/// Returns the value of each known ground fact at the end of a run.
fn final_values(domain: &Domain, scenario: &Name, run: &Run) -> BTreeMap<Atom, Value> {
    let mut values = map_of(initial_state(domain, scenario));
    for (atom, timeline) in run.timelines().iter() {
        if let Some((_, value)) = timeline.by_tick().last() {
            values.insert(atom.clone(), (*value).clone());
        }
    }
    values
}

/// Returns the facts that the expectations of scenarios name.
fn named_facts(domain: &Domain, scenarios: [&Name; 2]) -> BTreeSet<Name> {
    let document = domain.document();
    let scenarios = scenarios
        .into_iter()
        .filter_map(|name| document.scenarios.get(name));
    let texts = scenarios.flat_map(|scenario| scenario.expect.iter().map(describe));
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let words = set_of(texts.flat_map(|text| {
        let words = text
            .split(|letter| !is_letter(letter))
            .map(str::to_lowercase);
        words.collect::<Vec<_>>()
    }));
    let facts = document.facts.keys();
    let named = facts.filter(|fact| words.contains(&fact.as_str().to_lowercase()));
    set_of(named.cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taskloom_document::Document;
    use taskloom_planner::plan::Budget;
    use taskloom_runtime::simulate;

    fn domain() -> Domain {
        let text = include_str!("../../../public/examples/hunter.taskloom.json");
        Domain::from(Arc::new(Document::from_json(text).unwrap()))
    }

    fn run(domain: &Domain, name: &str) -> (Name, Run) {
        let name: Name = name.parse().unwrap();
        let run = simulate(domain, &name, Budget::default(), 500);
        (name, run)
    }

    fn actors() -> Vec<String> {
        ["rook", "wren"].map(str::to_owned).to_vec()
    }

    #[test]
    fn the_light_decides_whether_the_hunted_one_escapes() {
        let domain = domain();
        let (light, in_light) = run(&domain, "case-3-in-the-light");
        let (dark, in_dark) = run(&domain, "case-4-in-the-dark");
        let document = domain.document();
        let causes = causes(&document.scenarios[&light], &document.scenarios[&dark]);
        let caught = causes
            .iter()
            .find(|c| c.first.as_deref() == Some("At the end: caught(wren)"));
        assert_eq!(caught.map(|c| &c.second), Some(&None), "{causes:?}");
        let actors = actors();
        let differences = differences((&in_light, &actors), (&in_dark, &actors));
        assert!(differences.is_sorted_by_key(|difference| difference.tick));
        let first = differences.first().unwrap();
        assert!(
            first.tick > 0 && first.tick < in_light.ticks.min(in_dark.ticks),
            "{first:?}"
        );
        assert!(first.words().contains(" / "));
        let effects = effects(&domain, [&light, &dark], [&in_light, &in_dark]);
        let of = |what: &str| {
            effects
                .iter()
                .find(|contrast| contrast.what == what)
                .cloned()
        };
        assert_eq!(
            of("caught(wren)"),
            Some(contrast("caught(wren)", true, false))
        );
        assert_eq!(
            of("escaped(wren)"),
            Some(contrast("escaped(wren)", false, true))
        );
    }

    #[test]
    fn differences_show_both_sides_whichever_run_is_first() {
        let (domain, actors) = (domain(), actors());
        let (_, light) = run(&domain, "case-3-in-the-light");
        let (_, dark) = run(&domain, "case-4-in-the-dark");
        let found = differences((&light, &actors), (&dark, &actors));
        assert!(found.iter().any(|one| !one.first.is_empty()), "{found:?}");
        assert!(found.iter().any(|one| !one.second.is_empty()), "{found:?}");
        let mut swapped = differences((&dark, &actors), (&light, &actors));
        for one in &mut swapped {
            std::mem::swap(&mut one.first, &mut one.second);
        }
        assert_eq!(found, swapped);
    }

    #[test]
    fn a_run_does_not_differ_from_itself() {
        let domain = domain();
        let (name, run) = run(&domain, "case-2-the-wrong-room");
        let actors = actors();
        assert_eq!(differences((&run, &actors), (&run, &actors)), []);
        let scenario = &domain.document().scenarios[&name];
        assert_eq!(causes(scenario, scenario), []);
        assert_eq!(effects(&domain, [&name, &name], [&run, &run]), []);
        let lanes = lanes(&run, &actors);
        assert_eq!(lanes.len(), 2);
        let bars: u32 = lanes
            .iter()
            .flat_map(|lane| &lane.bars)
            .map(|bar| bar.times)
            .sum();
        assert_eq!(bars as usize, run.executed.len());
        assert!(
            lanes
                .iter()
                .all(|lane| lane.bars.iter().all(|bar| bar.line < lane.lines()))
        );
    }

    #[test]
    fn events_and_values_of_one_scenario_are_named() {
        let first = Scenario {
            initial: vec!["lit".to_owned(), "at(anna, hall)".to_owned()],
            seed: 1,
            ..Scenario::default()
        };
        let second = Scenario {
            initial: vec!["lit".to_owned()],
            events: vec![Event {
                at: 1,
                every: Some(3),
                when: "lit".to_owned(),
                effect: "not lit".to_owned(),
            }],
            ..Scenario::default()
        };
        let texts: Vec<String> = causes(&first, &second)
            .into_iter()
            .map(|c| format!("{} {:?} {:?}", c.what, c.first, c.second))
            .collect();
        assert_eq!(
            texts,
            [
                r#"Initial value Some("at(anna, hall)") None"#,
                r#"Event at tick 1, then every 3, if lit None Some("not lit")"#,
                r#"Seed Some("1") Some("0")"#
            ]
        );
    }
}
