//! A scenario that begins where another one's run was has its world, beliefs and later events.

use std::collections::BTreeSet;

use expect_test::expect;
use taskloom_document::diagnostic::Severity;
use taskloom_document::{Document, Kind, Name, RecordRef, Source};
use taskloom_domain::Domain;
use taskloom_domain::check::check_record;
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Atom, Budget, Value, World};
use taskloom_runtime::{Moment, believed_at_first, continuation, simulate, world_at};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::{EXAMPLES, example};

use crate::runs::random_document;

/// Continues a scenario after each tick of its run. Checks that the initial world is the one after that tick,
/// and that actors with senses believe the same about what they have senses for. Returns the number of beliefs.
fn check(document: &Document, scenario: &Name, context: &str) -> usize {
    let domain = Domain::from(document);
    let scene = domain.scene(scenario).expect("a scenario");
    let run = simulate(&domain, scenario, Budget::default(), 40);
    let mut count = 0;
    for tick in 0..=run.ticks.min(12) {
        let next = continuation(&domain, scenario, &run, tick).expect("a scenario");
        count += next
            .cast
            .iter()
            .map(|member| member.beliefs.len())
            .sum::<usize>();
        let mut edited = document.clone();
        edited.scenarios.insert(scenario.clone(), next.into());
        let edited = Domain::from(&edited);
        let record = RecordRef::new(Kind::Scenario, scenario.clone());
        let found = check_record(&edited, &record).into_iter();
        let errors: Vec<_> = found
            .filter(|one| one.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{context}, tick {tick}: {errors:?}");
        let begun = edited.scene(scenario).expect("a scenario");
        let context = format!("{context}, tick {tick}");
        let moment = Moment::Tick(tick);
        let is_of_world = |atom: &Atom| {
            scene.record.cast.is_empty() || source(document, atom) != Some(Source::Memory)
        };
        let after = world_at(&domain, scene, &run, moment);
        let initial = World::initial(&edited, begun);
        compare(&initial, &after, is_of_world, &context);
        for actor in 0..scene.cast.len() {
            let (Some(mut believed), Some(first)) = (
                believed_at_first(&domain, scene, actor),
                believed_at_first(&edited, begun, actor),
            ) else {
                continue;
            };
            for change in run.believed_until(document, actor, moment) {
                believed.apply(std::slice::from_ref(change));
            }
            let senses = &run.senses[actor];
            // A document can't say that an actor doesn't know an object.
            let is_own = |atom: &Atom| match source(document, atom) {
                _ if believed.value(atom) == Value::Object(None) => false,
                Some(Source::Sensor) => senses.contains(&atom.fact),
                source => source == Some(Source::Memory),
            };
            compare(
                &first,
                &believed,
                is_own,
                &format!("{context}, actor {actor}"),
            );
        }
    }
    count
}

fn source(document: &Document, atom: &Atom) -> Option<Source> {
    Some(document.facts.get(&atom.fact)?.source)
}

/// Compares the values of ground facts in two worlds.
fn compare(one: &World, other: &World, counts: impl Fn(&Atom) -> bool, context: &str) {
    let atoms: BTreeSet<Atom> = [one, other]
        .iter()
        .flat_map(|world| world.assigned_atoms())
        .map(|(atom, _)| atom)
        .collect();
    for atom in atoms.iter().filter(|atom| counts(atom)) {
        assert_eq!(one.value(atom), other.value(atom), "{context}: {atom}");
    }
}

#[test]
fn continuations_of_all_shipped_scenarios_have_the_same_world_and_beliefs() {
    let mut beliefs = 0;
    for file in EXAMPLES {
        let document = example(file);
        for scenario in document.scenarios.keys() {
            beliefs += check(&document, scenario, &format!("{file}, {scenario}"));
        }
    }
    assert!(beliefs > 100, "{beliefs} beliefs");
}

#[test]
fn continuations_of_random_runs_have_the_same_world_and_beliefs() {
    let scenario = Name::new("s").expect("a name");
    let cases = seeds(2_000);
    let beliefs = on_all_cores(cases.clone(), |seed| {
        check(&random_document(seed), &scenario, &format!("seed {seed}"))
    });
    let beliefs: usize = beliefs.into_iter().sum();
    assert!(
        is_sample() || beliefs > cases.len() / 2,
        "{beliefs} beliefs"
    );
}

#[test]
fn later_events_move_and_expectations_of_the_plan_go() {
    let document = example("ball-in-the-box");
    let domain = Domain::from(&document);
    let scenario = Name::new("case-5-the-box-slams-shut").expect("a name");
    let run = simulate(&domain, &scenario, Budget::default(), 200);
    let text = |tick| {
        let next = continuation(&domain, &scenario, &run, tick).expect("a scenario");
        serde_json::to_string_pretty(&next).expect("JSON")
    };
    expect![[r#"
        {
          "initial": [
            "at(table)",
            "ball_in_box",
            "box_open"
          ],
          "cast": [
            {
              "agent": "robot"
            }
          ],
          "tasks": [
            "get-ball"
          ],
          "events": [
            {
              "at": 2,
              "effect": "not box_open"
            }
          ],
          "expect": [
            "recovers",
            {
              "finally": "has(ball) and box_open"
            }
          ],
          "title": "The box slams shut"
        }"#]]
    .assert_eq(&text(1));
}
