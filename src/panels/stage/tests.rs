//! The places of things in the course of a run.

use std::sync::Arc;

use taskloom_document::{Document, Edit, Event, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Budget, Outcome, Strategy, initial_state};
use taskloom_runtime::{Entry, default_planner, run_test};

use super::arrange::{Rect, arrange};
use super::departures::Departure;
use super::lines::{Stop, paths};
use super::play::Play;
use super::scene::Scene;
use super::words::{When, moves};
use crate::canvas::geometry::Vec2;
use crate::session::{Cursor, Happened};
use crate::worker::Answer;

/// Anna sees only who is in her room, every other tick, and never where a thing lies; Ben goes
/// from there to the vault, and an event takes the lamp away.
const HOUSE: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "thing": { "parent": "object" }, "room": { "parent": "object" } },
  "objects": {
    "anna": { "type": "person" }, "ben": { "type": "person" }, "lamp": { "type": "thing" },
    "hall": { "type": "room" }, "vault": { "type": "room" }, "cellar": { "type": "room" }
  },
  "facts": {
    "lies_in": { "params": ["?t: thing", "?r: room"], "source": "sensor" },
    "place_of": { "params": ["?p: person"], "value": { "object": "room" }, "source": "sensor" },
    "strength": { "params": ["?p: person"], "value": { "number": { "max": 4 } }, "source": "sensor" }
  },
  "actions": { "Walk": { "params": ["?to: room"], "duration": "2" }, "Wait": { "duration": "5" } },
  "primitive_tasks": {
    "walk": { "params": ["?to: room"], "action": "Walk(?to)",
      "effects": [{ "text": "place_of(?me) := ?to" }, { "text": "strength(?me) -= 1" }] },
    "wait": { "action": "Wait()" }
  },
  "agents": {
    "guard": { "type": "person", "senses": [{ "fact": "place_of", "every": 2, "when": "place_of(?p) = place_of(?me)" },
                                          { "fact": "lies_in", "every": 1, "when": "false" }] },
    "thief": { "type": "person" }
  },
  "scenarios": { "night": {
    "initial": ["place_of(anna) = hall", "place_of(ben) = hall", "strength(ben) = 3", "lies_in(lamp, hall)"],
    "cast": [
      { "object": "anna", "agent": "guard", "tasks": ["wait", "walk(vault)"] },
      { "object": "ben", "agent": "thief", "tasks": ["walk(vault)"] }
    ],
    "events": [{ "at": 3, "effect": "not lies_in(lamp, hall)" }]
  } }
}"#;

fn play(fact: Option<&str>) -> Play {
    let document = Document::from_json(HOUSE).unwrap();
    let choice = Edit::ChooseMap(fact.map(|fact| fact.parse().unwrap()));
    played(document.apply(&choice).unwrap(), "night")
}

fn played(document: Document, scenario: &str) -> Play {
    let scenario = scenario.parse().unwrap();
    let test = {
        let mut plan = default_planner(Budget::default());
        run_test(&Domain::from(&document), &scenario, &mut plan, 100)
    };
    let mut answer = Answer::without_plan(1, (scenario, 0), Strategy::First, test.outcome.unwrap());
    answer.initial = initial_state(&Domain::from(&document), &answer.scenario);
    answer.run = test.run;
    Play::new(&Domain::from(Arc::new(document)), Arc::new(answer)).unwrap()
}

fn at_tick(tick: u32) -> Cursor {
    Cursor {
        happened: Some(Happened::Tick(tick)),
        ..Cursor::default()
    }
}

fn describe(scene: &Scene) -> String {
    let token = |token: &super::scene::Token| {
        let place = token.place.as_ref();
        let place = place.map_or("nowhere".to_owned(), ToString::to_string);
        let levels: Vec<&str> = token.meters.iter().map(|l| l.text.as_str()).collect();
        let levels = levels.join(", ");
        match (&token.ghost, &token.carrier, &token.departure) {
            (_, Some(carrier), _) => format!("{} with {carrier}", token.thing),
            (_, _, Some(departure)) => {
                let Departure { text, is_own } = departure;
                let who = if *is_own { "own" } else { "other" };
                format!("{} in {place} {text} ({who})", token.thing)
            }
            (Some(ghost), ..) => format!("{} believes {} in {place}", ghost.believer, token.thing),
            _ => format!("{} in {place} {levels}", token.thing)
                .trim_end()
                .to_owned(),
        }
    };
    scene
        .tokens
        .iter()
        .map(token)
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn the_start_is_shown_before_there_is_an_answer() {
    let domain = Domain::from(&Document::from_json(HOUSE).unwrap());
    let about = ("night".parse().unwrap(), 0);
    let answer = Answer::without_plan(0, about, Strategy::First, Outcome::Stopped);
    let play = Play::new(&domain, Arc::new(answer)).unwrap();
    let first = "anna in hall strength 0 of 4; ben in hall strength 3 of 4";
    assert_eq!(describe(&play.scene(Cursor::default())), first);
}

#[test]
fn things_are_shown_at_actual_and_believed_places() {
    let play = play(None);
    let places: Vec<String> = play.places.iter().map(ToString::to_string).collect();
    assert_eq!(places, ["cellar", "hall", "vault"]);
    let check =
        |cursor: Cursor, expected: &str| assert_eq!(describe(&play.scene(cursor)), expected);
    let first = "anna in hall strength 0 of 4; ben in hall strength 3 of 4";
    check(Cursor::default(), first);
    check(at_tick(1), first);
    let gone =
        "anna in hall strength 0 of 4; ben in vault strength 2 of 4; anna believes ben in hall";
    check(at_tick(2), gone);
    check(at_tick(6), gone);
    // There she looks at the next even tick.
    check(
        at_tick(100),
        "anna in vault strength -1 of 4; ben in vault strength 2 of 4; anna believes ben in hall",
    );
    // A planned step says nothing about beliefs.
    let step = Cursor {
        plan: Some(0),
        step: Some(1),
        happened: None,
    };
    check(
        step,
        "anna in vault strength -1 of 4; ben in hall strength 3 of 4",
    );
}

#[test]
fn things_that_leave_their_place_are_nowhere() {
    let play = play(Some("lies_in"));
    // Nor does this fact place the actors.
    let actors = "anna in nowhere; ben in nowhere";
    let first = describe(&play.scene(at_tick(2)));
    assert_eq!(first, format!("{actors}; lamp in hall"));
    let event = Cursor {
        happened: Some(Happened::Line(Entry::Event(0))),
        ..Cursor::default()
    };
    // She can't see it, and nothing has changed what she believes.
    assert_eq!(
        describe(&play.scene(event)),
        format!("{actors}; lamp in nowhere; anna believes lamp in hall")
    );
}

#[test]
fn ticks_announce_moves() {
    let play = play(None);
    let scene = |tick: u32| play.scene(at_tick(tick));
    let text = moves((When::Tick(1), &scene(1)), (When::Tick(2), &scene(2)));
    assert_eq!(text, "tick 2: ben moves from hall to vault");
    let text = moves((When::Tick(2), &scene(2)), (When::Tick(3), &scene(3)));
    assert_eq!(text, "");
}

#[test]
fn current_actions_include_their_goal() {
    use super::activities::activities;
    use crate::ui::state_mark::word;
    let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
    let document = Document::from_json(text).unwrap();
    let scenario = "case-5-the-box-slams-shut".parse().unwrap();
    let mut plan = default_planner(Budget::default());
    let run = run_test(&Domain::from(&document), &scenario, &mut plan, 100)
        .run
        .unwrap();
    let describe = |tick| {
        let all = activities(&run, tick, 1);
        assert_eq!(all.len(), 1);
        let steps = all[0].steps.iter();
        let steps = steps.map(|active_step| {
            let text = format!("{} {}", active_step.task, word(active_step.state).1);
            match active_step.reason.as_str() {
                "" => text,
                reason => format!("{text} ({reason})"),
            }
        });
        let steps: Vec<String> = steps.collect();
        format!("{} {}", steps.join(", "), all[0].why)
    };
    assert_eq!(describe(1), "walk-to(box) in progress for get-ball");
    assert_eq!(describe(3), "take-ball in progress for get-ball");
    assert_eq!(
        describe(4),
        "take-ball failed (integrity rule of take-ball: box_open) for get-ball"
    );
    assert_eq!(describe(5), "open-box in progress for get-ball");
    assert_eq!(describe(8), "take-ball complete for get-ball");
}

#[test]
fn plans_and_senses_follow_the_cursor() {
    let play = play(None);
    let names = |seen: &std::collections::BTreeSet<Name>| {
        seen.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let route = |cursor: Cursor, actor| {
        let route = play.route(cursor, actor).into_iter();
        let stops = route.map(|(step, place)| format!("{step} {place}"));
        stops.collect::<Vec<_>>()
    };
    assert_eq!(route(Cursor::default(), 1), ["1 vault"]);
    assert_eq!(route(Cursor::default(), 0), ["2 vault"]);
    assert!(route(at_tick(100), 1).is_empty(), "it has arrived");
    let from = |cursor| play.came_from(cursor, 1).map(|place| place.to_string());
    assert_eq!(from(at_tick(1)), None);
    assert_eq!(from(at_tick(2)).as_deref(), Some("hall"));
    // She sees who is in her room, and never where a thing lies; he has no senses.
    assert_eq!(names(&play.observed(Cursor::default(), 0)), ["hall"]);
    assert_eq!(names(&play.observed(at_tick(100), 0)), ["vault"]);
    assert!(play.observed(Cursor::default(), 1).is_empty());
}

#[test]
fn numbers_of_steps_cover_neither_names_nor_each_other() {
    let play = play(None);
    let cursor = Cursor::default();
    let arranged = arrange(&play, &play.scene(cursor), &Default::default());
    let stops: Vec<Stop> = paths(&play, &arranged, cursor, [0, 1])
        .into_iter()
        .flat_map(|path| path.stops)
        .collect();
    let [one, other] = stops.as_slice() else {
        panic!("both go to the vault: {stops:?}");
    };
    assert!((one.at() - other.at()).length() >= 20.0);
    for stop in &stops {
        let corner = stop.at() - Vec2::new(9.0, 9.0);
        let circle = Rect {
            at: corner.to_point(),
            width: 18,
            height: 18,
        };
        let mut tokens = arranged.tokens.values();
        assert!(!tokens.any(|token| token.overlaps(&circle)), "{circle:?}");
    }
}

#[test]
fn things_move_only_to_fitting_places() {
    let play = play(None);
    let name = |text: &str| text.parse::<Name>().unwrap();
    let (hall, ben) = (name("hall"), name("ben"));
    let describe = |values: Vec<(taskloom_planner::plan::Atom, taskloom_planner::plan::Value)>| {
        let values = values
            .iter()
            .map(|(atom, value)| format!("{atom} = {value}"));
        values.collect::<Vec<_>>().join(", ")
    };
    let moved = play.moving(&ben, Some(&hall), &name("vault")).unwrap();
    assert_eq!(describe(moved), "place_of(ben) = vault");
    assert!(play.moving(&ben, Some(&hall), &name("lamp")).is_err());
    assert!(play.moving(&name("lamp"), None, &hall).is_err());
    let others = play.destinations(&ben, Some(&hall));
    assert_eq!(others, [name("cellar"), name("vault")]);
    let play = self::play(Some("lies_in"));
    let moved = play
        .moving(&name("lamp"), Some(&hall), &name("vault"))
        .unwrap();
    assert_eq!(
        describe(moved),
        "lies_in(lamp, hall) = false, lies_in(lamp, vault) = true"
    );
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn nothing_is_moved_in_the_run_of_a_log() {
    use super::relocate::relocate;
    use crate::session::tests::Tab;
    use crate::testing::world::World;
    use leptos::prelude::*;

    let world = World::new(1);
    let tab = Tab::with_example(&world);
    tab.shows_log();
    let name = |text: &str| text.parse::<Name>().unwrap();
    let before = tab.session.document_untracked();
    let play = play(None);
    for tick in [None, Some(1)] {
        tab.does(|session, _| {
            tick.map_or_else(|| session.show_start(), |tick| session.show_tick(tick));
            relocate(
                session,
                &play,
                &name("ben"),
                Some(&name("hall")),
                &name("vault"),
            );
        });
        let refusal = "A log's run can't be changed. Close the log first.";
        assert!(tab.messages().contains(&refusal.to_owned()), "{tick:?}");
    }
    assert!(Arc::ptr_eq(&before, &tab.session.document_untracked()));
    assert_eq!(tab.session.plan.interventions.get_untracked(), []);
}

#[test]
fn what_happened_to_those_who_left_is_shown_where_they_were() {
    let text = include_str!("../../../public/examples/hunter.taskloom.json");
    let document = Document::from_json(text).unwrap();
    let shown = |document: Document| {
        let play = played(document, "case-2-the-wrong-room");
        let last = play.answer.run.as_ref().map_or(0, |run| run.ticks);
        let first = describe(&play.scene(at_tick(0)));
        assert!(first.contains("iron-key in corridor"), "{first}");
        assert_eq!(play.occupancy.nowhere, 0);
        describe(&play.scene(at_tick(last)))
    };
    let caught = shown(document.clone());
    assert!(caught.contains("wren in hall caught (other)"), "{caught}");
    assert!(caught.contains("iron-key with wren"), "{caught}");
    let mut dark = document;
    let scenario = dark
        .scenarios
        .get_mut(&"case-2-the-wrong-room".parse().unwrap());
    let event = Event {
        at: 4,
        effect: "not lit(hall)".to_owned(),
        ..Event::default()
    };
    Arc::make_mut(scenario.unwrap()).events.push(event);
    let escaped = shown(dark);
    assert!(
        escaped.contains("wren in garden escaped (own)"),
        "{escaped}"
    );
}

#[test]
fn what_somebody_carries_is_with_them() {
    let text = include_str!("../../../public/examples/office.taskloom.json");
    let play = played(Document::from_json(text).unwrap(), "case-5-the-copier-jams");
    let places: Vec<&str> = play.places.iter().map(Name::as_str).collect();
    assert_eq!(places, ["archive", "kitchen", "lobby", "office", "street"]);
    let first = describe(&play.scene(Cursor::default()));
    assert!(first.contains("anna-badge with anna"), "{first}");
    assert!(first.contains("ben-badge in kitchen"), "{first}");
}

#[test]
fn places_of_a_crowd_cover_neither_each_other_nor_their_tokens() {
    let text = include_str!("../../../public/examples/office.taskloom.json");
    let document = Document::from_json(text).unwrap();
    let placed = document.layout.stage.places.clone();
    let play = played(document, "case-8-an-office-of-20");
    for tick in [0, 6, 12, 20] {
        let scene = play.scene(at_tick(tick));
        let arranged = arrange(&play, &scene, &placed);
        let places: Vec<&Rect> = arranged.places.values().collect();
        for (at, one) in places.iter().enumerate() {
            for other in &places[at + 1..] {
                assert!(!one.overlaps(other), "tick {tick}: {one:?} and {other:?}");
            }
        }
        let tokens: Vec<&Rect> = arranged.tokens.values().collect();
        for (at, one) in tokens.iter().enumerate() {
            assert!(places.iter().any(|place| place.contains(one.center())));
            for other in &tokens[at + 1..] {
                assert!(!one.overlaps(other), "tick {tick}: {one:?} and {other:?}");
            }
        }
        let bounds = arranged.bounds;
        assert!(bounds.width < 1_400 && bounds.height < 1_000, "{bounds:?}");
    }
}
