//! Runs that are saved between two ticks, and continued in the same document or in a changed one.

use std::sync::Arc;

use expect_test::expect;
use taskloom_document::stop::Stop;
use taskloom_document::{Event, Name, Scenario};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{
    Dropped, MAX_TICKS, Next, Run, RunEnd, SavedSimulation, Simulation, default_planner,
};

use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::{self, EXAMPLES};

use super::{name, report};
use crate::runs::random_document;

/// The last tick after which runs are saved.
const LAST: u32 = 40;

/// Runs it to its end. Returns the record and the state, as it is after it was written as JSON.
fn ended(mut simulation: Simulation, last: Option<u32>) -> (Run, SavedSimulation) {
    simulation.keep_state();
    if let Some(last) = last {
        simulation.stop_after(last);
    }
    let mut plan = default_planner(Budget::default());
    let run = loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(problem) => simulation.planned(plan(&problem), &Stop::default()),
            Next::Ended(run) => break *run,
        }
    };
    let saved = simulation.take_saved().expect("a state");
    let text = serde_json::to_string(&saved).expect("JSON");
    (run, serde_json::from_str(&text).expect("a saved run"))
}

fn run(domain: &Domain, scenario: &Name, last: Option<u32>) -> (Run, SavedSimulation) {
    let problem = compile(domain, scenario);
    let simulation = Simulation::new(domain, scenario, &problem, None, MAX_TICKS);
    ended(simulation.expect("the scenario"), last)
}

fn resumed(domain: &Domain, saved: SavedSimulation) -> (Simulation, Vec<Dropped>) {
    let problem = compile(domain, saved.scenario());
    let simulation = Simulation::resume(domain, saved, &problem, MAX_TICKS);
    simulation.expect("the scenario")
}

fn continued(
    domain: &Domain,
    saved: SavedSimulation,
    last: Option<u32>,
) -> (Run, SavedSimulation, Vec<Dropped>) {
    let (simulation, dropped) = resumed(domain, saved);
    let (run, saved) = ended(simulation, last);
    (run, saved, dropped)
}

#[test]
fn run_that_is_saved_and_loaded_after_each_tick_equals_the_whole_run() {
    let mut count = 0;
    for file in EXAMPLES {
        let document = domain::example(file);
        let domain = Domain::from(&document);
        for scenario in document.scenarios.keys() {
            let (whole, last_state) = run(&domain, scenario, None);
            let (mut stopped, mut saved) = run(&domain, scenario, Some(0));
            let mut tick = 0;
            while stopped.end == RunEnd::Stopped && tick < LAST {
                let (rest, _, dropped) = continued(&domain, saved.clone(), None);
                assert_eq!(dropped, [], "{file} {scenario}, tick {tick}");
                assert!(rest == whole, "{file} {scenario}, tick {tick}");
                count += 1;
                tick += 1;
                (stopped, saved, _) = continued(&domain, saved, Some(tick));
            }
            // A run that has ended ends again.
            let (again, _, _) = continued(&domain, last_state, None);
            assert!(again == whole, "{file} {scenario}");
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn random_run_that_is_saved_and_loaded_after_some_ticks_equals_the_whole_run() {
    const TICKS: u32 = 25;
    let scenario = name("s");
    let runs = seeds(2_000);
    let counts = on_all_cores(runs.clone(), |seed| {
        let domain = Domain::from(&random_document(seed));
        let (whole, _) = run(&domain, &scenario, Some(TICKS));
        let (mut stopped, mut saved) = run(&domain, &scenario, Some(0));
        let (mut tick, mut count) = (0, 0);
        while stopped.end == RunEnd::Stopped && tick < TICKS {
            count += 1;
            tick += 1 + (seed as u32 + count) % 4;
            let last = Some(tick.min(TICKS));
            let (next, state, dropped) = continued(&domain, saved, last);
            assert_eq!(dropped, [], "seed {seed}, tick {tick}");
            (stopped, saved) = (next, state);
        }
        assert!(stopped == whole, "seed {seed}");
        count as usize
    });
    let count: usize = counts.iter().sum();
    assert!(is_sample() || count > 2 * runs.len(), "{count}");
}

/// Returns the domain of an example with a changed scenario.
fn changed(example: &str, scenario: &str, edit: impl FnOnce(&mut Scenario)) -> Domain {
    let mut document = domain::example(example);
    let scenario = document.scenarios.get_mut(&name(scenario));
    edit(Arc::make_mut(scenario.expect("the scenario")));
    Domain::from(&document)
}

#[test]
fn events_keep_their_occurrences_when_others_are_added_or_removed() {
    let (example, scenario) = ("ball-in-the-box", "case-5-the-box-slams-shut");
    let before = changed(example, scenario, |_| {});
    let (mut whole, _) = run(&before, &name(scenario), None);
    let (_, saved) = run(&before, &name(scenario), Some(5));
    let with_another = changed(example, scenario, |scenario| {
        let earlier = Event {
            at: 1,
            ..scenario.events[0].clone()
        };
        scenario.events.insert(0, earlier);
    });
    let (continued_run, _, dropped) = continued(&with_another, saved.clone(), None);
    assert_eq!(dropped, []);
    whole.events[0].event = 1;
    assert_eq!(continued_run, whole);
    let without = changed(example, scenario, |scenario| scenario.events.clear());
    let (continued_run, _, _) = continued(&without, saved, None);
    whole.events[0].event = Run::SET_BY_GAME;
    assert_eq!(continued_run, whole);
}

#[test]
fn actors_that_left_the_cast_are_reported_and_their_entries_removed() {
    let (example, scenario) = ("hunter", "case-2-the-wrong-room");
    let before = changed(example, scenario, |_| {});
    let (_, saved) = run(&before, &name(scenario), Some(3));
    let alone = changed(example, scenario, |scenario| {
        scenario.cast.remove(0);
    });
    let (simulation, dropped) = resumed(&alone, saved);
    assert_eq!(
        dropped.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "an actor was dropped: scenario 'case-2-the-wrong-room' has no actor 'rook'; its cast is wren"
        ]
    );
    let (continued_run, _) = ended(simulation, None);
    expect![[r#"
        0 plans: walk(bedroom, corridor), take(iron-key, corridor), walk(corridor, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
        0 walk(bedroom, corridor) Complete acted at 2 ended at 2: at(wren, bedroom) = false, at(wren, corridor) = true
        2 take(iron-key, corridor) Complete acted at 3 ended at 3: has(wren, iron-key) = true, lies(iron-key, corridor) = false
        3 walk(corridor, hall) Failed ended at 4: interrupted by a new plan
        4 perceives: at(rook, hall) = true
        4 plans, noticing at(rook, hall): walk(corridor, bedroom), hide, stay-hidden, come-out, listen, hide, stay-hidden, come-out, listen, hide, stay-hidden, come-out, listen, lose-heart
        4 walk(corridor, bedroom) Complete acted at 6 ended at 6: at(wren, bedroom) = true, at(wren, corridor) = false
        6 hide Complete acted at 7 ended at 7: hidden(wren) = true
        7 stay-hidden Complete acted at 13 ended at 13
        13 come-out Complete acted at 14 ended at 14: hidden(wren) = false
        14 perceives: at(rook, hall) = false
        14 plans, noticing at(rook, hall): walk(bedroom, corridor), walk(corridor, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
        14 walk(bedroom, corridor) Complete acted at 16 ended at 16: at(wren, bedroom) = false, at(wren, corridor) = true
        16 walk(corridor, hall) Complete acted at 18 ended at 18: at(wren, corridor) = false, at(wren, hall) = true
        18 perceives: at(rook, hall) = true
        18 plans, noticing at(rook, hall): walk(hall, corridor), listen, listen, listen, lose-heart
        18 walk(hall, corridor) Complete acted at 20 ended at 20: at(wren, corridor) = true, at(wren, hall) = false
        20 listen Complete acted at 22 ended at 22: nerve = 2
        22 listen Complete acted at 24 ended at 24: nerve = 1
        24 listen Complete acted at 26 ended at 26: nerve = 0
        26 lose-heart Complete acted at 26 ended at 26
        26 Complete"#]].assert_eq(&report(&continued_run));
}

#[test]
fn actor_without_a_plan_looks_for_one_in_a_changed_document() {
    let (example, scenario) = ("ball-in-the-box", "case-6-no-way-in");
    let before = changed(example, scenario, |_| {});
    let (whole, saved) = run(&before, &name(scenario), None);
    assert_eq!(whole.end, RunEnd::Failed);
    let mut document = domain::example(example);
    Arc::make_mut(&mut document.info)
        .title
        .push_str(", changed");
    let (continued_run, _, dropped) = continued(&Domain::from(&document), saved, None);
    assert_eq!(dropped, []);
    expect![[r#"
        0 plans: NoPlan
        1 plans after an event: NoPlan
        1 Failed"#]]
    .assert_eq(&report(&continued_run));
}
