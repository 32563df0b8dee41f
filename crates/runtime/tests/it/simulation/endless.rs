//! Runs with actors that begin again whenever their tasks are complete.

use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Next, Run, RunEnd, Simulation, default_planner};
use testkit::domain::document;

use super::name;
use crate::reference::simulate;

/// A guard who rests again and again, and a digger.
fn mine(digger: &str, scenario: &str) -> String {
    format!(
        "
type person
object ann: person
object ben: person
blackboard number n
blackboard fact open
action Rest 2
action Dig 60
primitive rest = Rest
primitive dig = Dig
  eff n += 1
compound ten
  block a begin
  block b task dig repeat 10
  wire a.out -> b
agent guard: person
  again
agent worker: person
scenario s
  cast ann as guard
  does rest
{digger}
{scenario}
"
    )
}

/// Runs it as the reference does, and returns its end and the value of `n`.
fn end(text: &str, last_tick: u32) -> (RunEnd, u32, String) {
    let document = document(text);
    let domain = Domain::from(&document);
    let run = simulate(&domain, &name("s"), Budget::default(), last_tick);
    let world = taskloom_runtime::world_at(
        &domain,
        domain.scene(&name("s")).expect("the scenario"),
        &run,
        taskloom_runtime::Moment::Tick(run.ticks),
    );
    let value = world.as_initial_values().join(", ");
    (run.end, run.ticks, value)
}

const BEN: &str = "  cast ben as worker\n  does ten";

#[test]
fn a_run_is_endless_only_once_all_others_are_done() {
    let alone = mine("", "");
    assert_eq!(end(&alone, 10_000), (RunEnd::Endless, 500, String::new()));
    assert_eq!(end(&alone, 300), (RunEnd::Endless, 300, String::new()));
    let both = mine(BEN, "");
    assert_eq!(end(&both, 10_000), (RunEnd::Endless, 600, "n = 10".into()));
    let cut = (RunEnd::OutOfTicks, 550, "n = 9".into());
    assert_eq!(end(&both, 550), cut);
}

#[test]
fn a_run_is_endless_only_once_every_event_has_been_due() {
    let late = mine("", "  event 700 open");
    assert_eq!(end(&late, 10_000), (RunEnd::Endless, 700, "open".into()));
    // It repeats, as the guard does.
    let repeated = mine("", "  event 600+50 n += 1");
    let after_first = (RunEnd::Endless, 600, "n = 1".into());
    assert_eq!(end(&repeated, 10_000), after_first);
    let timed = mine("", "  event 10 if time >= 800 : open");
    assert_eq!(end(&timed, 10_000), (RunEnd::Endless, 800, "open".into()));
    // It waits for something that may never happen.
    let awaited = mine("", "  event 10 if n >= 1 : open");
    assert_eq!(end(&awaited, 10_000).1, 500);
}

/// Runs it until the end of a tick that is chosen beforehand.
fn until(text: &str, tick: u32, max_ticks: u32) -> Run {
    let domain = Domain::from(&document(text));
    let problem = compile(&domain, &name("s"));
    let simulation = Simulation::new(&domain, &name("s"), &problem, None, max_ticks);
    let mut simulation = simulation.expect("the scenario");
    simulation.stop_after(tick);
    let mut plan = default_planner(Budget::default());
    loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(problem) => {
                let outcome = plan(&problem);
                simulation.planned(outcome, &taskloom_document::stop::Stop::default());
            }
            Next::Ended(run) => return *run,
        }
    }
}

#[test]
fn a_run_stops_after_the_tick_that_was_chosen_whatever_its_limits() {
    for (tick, last) in [(700, 10_000), (20, 10_000), (700, 100)] {
        let run = until(&mine("", ""), tick, last);
        assert_eq!((run.end, run.ticks), (RunEnd::Stopped, tick));
    }
    let run = until(&mine(BEN, ""), 20_000, 10_000);
    assert_eq!((run.end, run.ticks), (RunEnd::Stopped, 20_000));
    // Nothing is left to do.
    let done = mine(BEN, "").replace("  again\n", "");
    let run = until(&done, 700, 10_000);
    assert_eq!((run.end, run.ticks), (RunEnd::Complete, 600));
}
