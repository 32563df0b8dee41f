//! Actors of crowds: they claim objects, are saved and loaded, and continue in a new scenario.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reference::simulate;
use expect_test::expect;
use taskloom_document::{Document, Scenario};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Value, World as State};
use taskloom_runtime::{
    Actor, ByDurations, Dropped, MAX_TICKS, Moment, Next, Run, RunEnd, Simulation, TickBudget,
    World, continuation, default_planner, world_at,
};

use super::{document, name};

/// Clerks who work at three desks.
fn office(scenario: &str) -> Document {
    let text = "
type person
type desk
type clerk: person
object d1: desk
object d2: desk
object d3: desk
fact broken(?d: desk)
sensor fact done(?p: person)
memory fact hungry
action Work 4
action Eat 2 by mouth
primitive work(?d: desk) = Work
  pre not done(?me)
  claims ?d
  eff done(?me)
primitive eat = Eat
  pre hungry
  eff not hungry
compound find-work
  block a begin
  block b bind ?d: desk where not broken(?d)
  block c task work(?d)
  wire a.out -> b
  wire b.out -> c
goal fed: not hungry
  priority 2
agent worker: clerk
  task find-work
  sense done 1 unknown when ?p = ?me
  perception
agent eater: clerk
  wants fed
scenario s
";
    document(&format!("{text}{scenario}"))
}

fn run(document: &Document, last_tick: u32) -> Run {
    let domain = Domain::from(document);
    simulate(&domain, &name("s"), Budget::default(), last_tick)
}

/// Returns the number of persons who are done when a run has ended.
fn done(document: &Document, run: &Run) -> usize {
    let domain = Domain::from(document);
    let scene = domain.scene(&name("s")).expect("a scenario");
    let world = world_at(&domain, scene, run, Moment::Tick(run.ticks));
    let values = world.assigned_atoms();
    let done = values
        .iter()
        .filter(|(atom, value)| atom.fact == "done" && *value == Value::Bool(true));
    done.count()
}

#[test]
fn twelve_clerks_share_three_desks() {
    let document = office("  crowd 12 clerk as worker\n");
    let run = run(&document, 100);
    assert_eq!((run.ticks, &run.end), (16, &RunEnd::Complete));
    assert_eq!(done(&document, &run), 12);
    let working = |tick: u32| {
        let steps = run.executed.iter();
        let at_work =
            steps.filter(|step| step.start <= tick && step.end.is_none_or(|end| tick < end));
        at_work.count()
    };
    assert!((0..16).all(|tick| working(tick) == 3));
}

#[test]
fn actors_have_the_texts_of_their_crowd_and_follow_the_cast() {
    let scenario = "
  object zoe: clerk
  initial done(clerk-2)
  cast zoe as worker
  crowd 2 clerk as worker
  starts not done(?me)
  does work(d2)
  crowd 1 guest as eater
  believes hungry
  event 5 not done(clerk-1)
  fail work(d1)
";
    let document = office(scenario);
    let run = run(&document, 9);
    expect![[r#"
        0 A plans: work(d1)
        0 A work(d1) Failed ended at 4: the scenario makes this action fail
        0 B plans: work(d2)
        0 B work(d2) Complete acted at 4 ended at 4: done(clerk-1) = true
        0 C perceives: done(clerk-2) = true
        0 C plans: NoPlan
        0 D plans: eat
        0 D eat Complete acted at 2 ended at 2: hungry = false
        3 D goes on
        4 C plans after an event: NoPlan
        5 event 0: done(clerk-1) = false
        5 A plans, as work(d1) failed: work(d1)
        5 A work(d1) Failed ended at 9: the scenario makes this action fail
        9 C plans after an event: NoPlan
        9 OutOfTicks"#]]
    .assert_eq(&super::report(&run));
}

#[test]
fn two_crowds_of_one_name_and_actors_that_exist_already_do_no_harm() {
    let scenario = "
  object clerk-1: desk
  crowd 2 clerk as worker
  crowd 3 Clerk as worker
  crowd 0 nobody as worker
  crowd 2 ghost as unknown
";
    let document = office(scenario);
    let run = run(&document, 100);
    assert_eq!(run.senses.len(), 5);
    // One of them is the desk called clerk-1.
    assert_eq!(done(&document, &run), 3);
}

#[test]
fn a_thousand_clerks_work() {
    let document = office("  crowd 1000 clerk as worker\n");
    let run = run(&document, 5);
    assert_eq!(run.senses.len(), 1_000);
    assert_eq!(done(&document, &run), 3);
}

#[test]
fn game_is_loaded_with_a_smaller_crowd() {
    let document = office("  crowd 12 clerk as worker\n");
    let mut world = World::new(&Domain::from(&document), &name("s")).expect("a scenario");
    let actors = (0..12).map(|number| Actor::new(&mut world, number).expect("an actor"));
    let mut actors: Vec<Actor> = actors.collect();
    let tick = |world: &mut World, actors: &mut [Actor]| {
        for actor in actors {
            actor.tick(world, &mut ByDurations, TickBudget::unlimited());
        }
        world.advance();
    };
    (0..6).for_each(|_| tick(&mut world, &mut actors));
    let smaller = office("  crowd 10 clerk as worker\n");
    let (mut world, dropped) =
        World::load(&Domain::from(&smaller), &world.save()).expect("a world");
    assert_eq!(dropped, []);
    let mut loaded = vec![];
    let mut refused = vec![];
    for actor in &actors {
        match Actor::load(&mut world, &actor.save()) {
            Ok((actor, dropped)) => {
                assert_eq!(dropped, []);
                loaded.push(actor);
            }
            Err(why) => refused.push(why.to_string()),
        }
    }
    expect![[r#"
        scenario 's' has no actor 'clerk-11'; its cast is clerk-1, clerk-2, clerk-3, clerk-4, clerk-5, clerk-6, clerk-7, clerk-8 and 2 more
        scenario 's' has no actor 'clerk-12'; its cast is clerk-1, clerk-2, clerk-3, clerk-4, clerk-5, clerk-6, clerk-7, clerk-8 and 2 more"#]].assert_eq(&refused.join("\n"));
    (0..20).for_each(|_| tick(&mut world, &mut loaded));
    assert!(loaded.iter().all(|actor| actor.wanted_plan().is_none()));
}

#[test]
fn run_goes_on_with_a_smaller_crowd() {
    let document = office("  crowd 12 clerk as worker\n");
    let domain = Domain::from(&document);
    let problem = compile(&domain, &name("s"));
    let new = Simulation::new(&domain, &name("s"), &problem, None, MAX_TICKS);
    let mut simulation = new.expect("a scenario");
    simulation.keep_state();
    simulation.stop_after(6);
    let end = |mut simulation: Simulation| {
        let mut plan = default_planner(Budget::default());
        loop {
            match simulation.step() {
                Next::More => {}
                Next::Plan(problem) => simulation.planned(plan(&problem), &Default::default()),
                Next::Ended(run) => break (*run, simulation.take_saved()),
            }
        }
    };
    let (_, saved) = end(simulation);
    let smaller = office("  crowd 10 clerk as worker\n");
    let domain = Domain::from(&smaller);
    let problem = compile(&domain, &name("s"));
    let resumed = Simulation::resume(&domain, saved.expect("a state"), &problem, MAX_TICKS);
    let (simulation, dropped) = resumed.expect("the scenario");
    let actors = dropped
        .iter()
        .filter(|one| matches!(one, Dropped::Actor { .. }));
    assert_eq!(actors.count(), 2, "{dropped:?}");
    let (run, _) = end(simulation);
    assert_eq!(run.end, RunEnd::Complete);
    assert_eq!(done(&smaller, &run), 10);
}

#[test]
fn scenario_that_continues_a_run_lists_the_actors_of_crowds() {
    let document = office("  crowd 12 clerk as worker\n");
    let domain = Domain::from(&document);
    let run = run(&document, 100);
    let next = continuation(&domain, &name("s"), &run, 4).expect("a scenario");
    assert_eq!(
        (next.crowds.len(), next.cast.len(), next.objects.len()),
        (0, 12, 12)
    );
    let mut edited = document.clone();
    edited.scenarios.insert(name("s"), next.into());
    let edited = Domain::from(&edited);
    let scene = edited.scene(&name("s")).expect("a scenario");
    let after = world_at(
        &domain,
        domain.scene(&name("s")).expect("a scenario"),
        &run,
        Moment::Tick(4),
    );
    assert_eq!(
        State::initial(&edited, scene).assigned_atoms(),
        after.assigned_atoms()
    );
}

#[test]
fn crowd_means_the_same_as_a_scenario_that_lists_its_actors() {
    let document = office(
        "  initial done(clerk-3)\n  crowd 4 clerk as worker\n  starts not done(?me)\n  crowd 2 guest as eater\n  believes hungry\n",
    );
    let scenario = &document.scenarios[&name("s")];
    let listed: Arc<Scenario> = document.expanded(scenario).scenario;
    assert!(!Arc::ptr_eq(scenario, &listed));
    let mut written_out = document.clone();
    written_out.scenarios.insert(name("s"), listed);
    assert_eq!(run(&document, 30), run(&written_out, 30));
    let names: BTreeSet<_> = Domain::from(&document)
        .scene(&name("s"))
        .expect("a scenario")
        .objects()
        .iter()
        .map(|(name, of)| format!("{name}: {of}"))
        .collect();
    assert!(names.contains("clerk-4: clerk") && names.contains("guest-2: clerk"));
}
