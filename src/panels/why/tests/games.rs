//! Explanations of what a game's actors plan with its answers to queries.

use taskloom_document::Name;
use taskloom_planner::compile::GroundQuery;
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Entry, Reason, Run, StepRef, TickBudget,
    World,
};
use testkit::domain::document;

use super::answer_of;
use crate::panels::why::explanation::{Explanation, FailedCondition, explain};
use crate::panels::why::failure::WhyFalse;
use crate::session::Subject;

/// A guard takes cover where the game says, or prays.
const COVER: &str = "
type person
type spot
object ann: person
object crate: spot
object wall: spot
sensor fact dark(?spot: spot)
action Walk 1
primitive walk(?spot: spot) = Walk
primitive pray = Walk
compound flee
  block a begin
  block b choice hide, pray
  block c bind ?spot: spot{bind}
  block d task walk(?spot)
  block e task pray
  wire a.out -> b
  wire b.1 -> c
  wire c.out -> d
  wire b.2 -> e
agent guard: person
  task flee
scenario s
  cast ann as guard
";

/// A game that answers every query with these objects.
struct Game(&'static [&'static str]);

impl Body for Game {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        ByDurations::status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        ByDurations::status(step)
    }

    fn stop(&mut self, _: &StepRef, _: &Reason) {}

    fn query(&mut self, _: &GroundQuery) -> Option<Vec<Name>> {
        Some(self.0.iter().map(|name| name.parse().unwrap()).collect())
    }
}

/// Returns the explanation of the first plan of a game. `bind` is what follows the variable of the Bind.
fn of_game(bind: &str, mut game: Game) -> Explanation {
    let (domain, mut answer) = answer_of(&document(&COVER.replace("{bind}", bind)), "s");
    let mut world = World::new(&domain, &"s".parse().unwrap()).unwrap();
    let mut actor = Actor::new(&mut world, 0).unwrap();
    let turn = actor.tick(&mut world, &mut game, TickBudget::unlimited());
    let plans = turn.events.into_iter().filter_map(|event| match event {
        ActorEvent::Planned(planning) => Some(*planning),
        _ => None,
    });
    answer.run = Some(Run {
        plans: plans.collect(),
        ..Run::default()
    });
    let planning = Subject::Entry(Entry::Planning(0));
    explain(&domain, &answer, planning).expect("a planning")
}

#[test]
fn planning_of_a_game_names_the_answers_to_its_queries() {
    let asks = " asks cover(?me)";
    let hides = of_game(asks, Game(&["wall", "crate"]));
    let answered = |objects: &str| vec![("cover(ann)".to_owned(), objects.to_owned())];
    assert_eq!(hides.answers, answered("wall, crate"));
    assert_eq!(texts(&hides), ["2, “pray”: not tried, later in the order"]);
    let prays = of_game(asks, Game(&[]));
    assert_eq!(prays.answers, answered("no object"));
    let many = of_game(asks, Game(&["wall"; 20]));
    let objects = format!("{}wall and 8 more", "wall, ".repeat(11));
    assert_eq!(many.answers, answered(&objects));
    let why = "the game's answer to cover(ann) has no object of type spot";
    assert_eq!(
        rejected(prays),
        (
            "1, “hide”: flee needs cover(?me)".to_owned(),
            why.to_owned()
        )
    );
}

#[test]
fn alternative_without_objects_is_rejected_in_words() {
    let prays = of_game(" where dark(?spot)", Game(&[]));
    let why = "no object of type spot makes it true";
    assert_eq!(
        rejected(prays),
        (
            "1, “hide”: flee needs dark(?spot)".to_owned(),
            why.to_owned()
        )
    );
}

/// Returns what the alternative not taken needs, and why it is false.
fn rejected(explanation: Explanation) -> (String, String) {
    let rejected = explanation.rejected.into_iter().next();
    let rejected = rejected.expect("an alternative");
    let Some(FailedCondition {
        why: WhyFalse::Words(why),
        ..
    }) = rejected.failure
    else {
        panic!("{:?}", rejected.failure);
    };
    (rejected.text.to_string(), why)
}

/// Returns what is said of each alternative that wasn't taken.
fn texts(explanation: &Explanation) -> Vec<String> {
    let rejected = explanation.rejected.iter();
    rejected.map(|one| one.text.to_string()).collect()
}
