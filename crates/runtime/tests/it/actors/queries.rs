//! Queries of Bind blocks: a game answers them with objects while an actor plans.

use std::collections::BTreeMap;

use expect_test::expect;
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::compile::GroundQuery;
use taskloom_planner::plan::{Budget, Outcome, Strategy};
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Log, LogEntry, LogFile, LogLevel,
    PlanRequest, Reason, Status, StepRef, TickBudget, World,
};
use testkit::domain::document;

use crate::logs::Sink;

/// A guard takes cover, from the foe that she fears if she fears one; `{bind}` is what follows the variable in
/// Bind `b`.
const GUARD: &str = "
type person
type spot
type foe
object ann: person
object barrel: spot
object crate: spot
object wall: spot
object rat: foe
object wolf: foe
sensor fact burning(?spot: spot)
sensor number distance(?spot: spot)
memory fact rested
action Walk 2
primitive walk(?spot: spot) = Walk
  eff rested
primitive pray = Walk
compound hide(?from: foe)
  block a begin
  block b bind ?spot: spot{bind}
  block c task walk(?spot)
  wire a.out -> b
  wire b.out -> c
compound flee
  block a begin
  block b choice hide, pray
  block c task hide(wolf)
  block d task pray
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
agent guard: person
  task flee
scenario s
  cast ann as guard
  initial burning(crate)
  initial distance(wall) = 1
  initial distance(barrel) = 2
";

/// A body with answers by the text of the query; the actions take the document's durations.
#[derive(Default)]
struct Knowing {
    answers: BTreeMap<&'static str, Vec<&'static str>>,
    asked: Vec<String>,
}

impl Body for Knowing {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        ByDurations::status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        ByDurations::status(step)
    }

    fn stop(&mut self, _: &StepRef, _: &Reason) {}

    fn query(&mut self, query: &GroundQuery) -> Option<Vec<Name>> {
        let args: Vec<&str> = query.args.iter().map(Name::as_str).collect();
        let text = format!("{}({})", query.name, args.join(", "));
        let answer = self.answers.get(text.as_str());
        self.asked.push(text);
        answer.map(|names| {
            names
                .iter()
                .map(|name| name.parse().expect("a name"))
                .collect()
        })
    }
}

struct Game {
    world: World,
    actor: Actor,
    body: Knowing,
}

impl Game {
    fn new(text: &str, answers: &[(&'static str, &[&'static str])]) -> Self {
        let domain = Domain::from(&document(text));
        let mut world = World::new(&domain, &"s".parse().expect("a name")).expect("a scenario");
        let actor = Actor::new(&mut world, 0).expect("an actor");
        let answers = answers
            .iter()
            .map(|(query, objects)| (*query, objects.to_vec()));
        let body = Knowing {
            answers: answers.collect(),
            ..Knowing::default()
        };
        Self { world, actor, body }
    }

    /// Gives the actor its turn. Returns the steps that it plans, if it does.
    fn turn(&mut self, budget: TickBudget) -> Option<Vec<String>> {
        let done = self.actor.tick(&mut self.world, &mut self.body, budget);
        done.events.iter().find_map(planned)
    }
}

fn planned(event: &ActorEvent) -> Option<Vec<String>> {
    let ActorEvent::Planned(planning) = event else {
        return None;
    };
    let Ok(Outcome::Plan(plan)) = &planning.outcome else {
        return Some(vec!["no plan".to_owned()]);
    };
    Some(
        plan.steps
            .iter()
            .map(|step| step.task.to_string())
            .collect(),
    )
}

/// Returns the steps of the first plan with these answers, and what was asked.
fn check(bind: &str, answers: &[(&'static str, &[&'static str])], plan: &[&str], asked: &[&str]) {
    let mut game = Game::new(&GUARD.replace("{bind}", bind), answers);
    assert_eq!(
        game.turn(TickBudget::unlimited()).as_deref(),
        Some(&plan.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()[..])
    );
    assert_eq!(game.body.asked, asked);
}

const COVER: &str = " asks cover(?me, ?from)";

#[test]
fn bind_chooses_the_first_object_of_the_answer() {
    let asked = &["cover(ann, wolf)"];
    check(
        COVER,
        &[("cover(ann, wolf)", &["wall", "crate"])],
        &["walk(wall)"],
        asked,
    );
    check(
        COVER,
        &[("cover(ann, wolf)", &["crate", "wall"])],
        &["walk(crate)"],
        asked,
    );
}

#[test]
fn condition_and_order_apply_to_the_answer() {
    let asked = &["cover(ann, wolf)"];
    let answer: &[(&str, &[&str])] = &[("cover(ann, wolf)", &["crate", "barrel", "wall"])];
    let bind = format!(" where not burning(?spot){COVER}");
    check(&bind, answer, &["walk(barrel)"], asked);
    let bind = format!(" where not burning(?spot) by distance(?spot){COVER}");
    check(&bind, answer, &["walk(wall)"], asked);
}

#[test]
fn empty_answer_leaves_the_next_alternative() {
    check(
        COVER,
        &[("cover(ann, wolf)", &[])],
        &["pray"],
        &["cover(ann, wolf)"],
    );
    // Objects of another type, and names of none, can't be chosen.
    check(
        COVER,
        &[("cover(ann, wolf)", &["rat", "moon"])],
        &["pray"],
        &["cover(ann, wolf)"],
    );
}

#[test]
fn condition_alone_decides_without_an_answer() {
    let bind = format!(" where not burning(?spot){COVER}");
    check(&bind, &[], &["walk(barrel)"], &["cover(ann, wolf)"]);
}

#[test]
fn absent_objects_are_not_chosen() {
    let text = GUARD.replace(
        "memory fact rested\n",
        "memory fact rested\nsensor fact ruined(?spot: spot) absence\n",
    );
    let text = text.replace(
        "  initial burning(crate)\n",
        "  initial burning(crate)\n  initial ruined(wall)\n",
    );
    let answers: &[(&str, &[&str])] = &[("cover(ann, wolf)", &["wall", "barrel"])];
    let mut game = Game::new(&text.replace("{bind}", COVER), answers);
    assert_eq!(
        game.turn(TickBudget::unlimited()),
        Some(vec!["walk(barrel)".to_owned()])
    );
}

#[test]
fn tasks_that_serve_a_goal_ask_too() {
    let text = GUARD.replace("agent guard: person\n  task flee\n", "goal rested: rested\n  priority 1\n  task hide(rat)\n  task hide(wolf)\nagent guard: person\n  wants rested\n");
    let answers: &[(&str, &[&str])] =
        &[("cover(ann, rat)", &[]), ("cover(ann, wolf)", &["barrel"])];
    let mut game = Game::new(&text.replace("{bind}", COVER), answers);
    assert_eq!(
        game.turn(TickBudget::unlimited()),
        Some(vec!["walk(barrel)".to_owned()])
    );
    assert_eq!(game.body.asked, ["cover(ann, rat)", "cover(ann, wolf)"]);
}

#[test]
fn repetitions_ask_each_time_with_what_is_true_then() {
    let text = GUARD
        .replace("{bind}", " asks cover(?me, shelter)")
        .replace(
            "memory fact rested\n",
            "memory fact rested\nmemory value shelter: spot\nmemory number walks\n",
        );
    let text = text.replace(
        "  eff rested\n",
        "  eff rested\n  eff shelter := ?spot\n  eff walks += 1\n",
    );
    let text = text.replace(
        "  block c task hide(wolf)\n",
        "  block c task hide(wolf) repeat 5 while walks < 2\n",
    );
    let text = text.replace("  initial burning(crate)\n", "  initial shelter = crate\n");
    let answers: &[(&str, &[&str])] = &[
        ("cover(ann, crate)", &["wall"]),
        ("cover(ann, wall)", &["barrel"]),
    ];
    let mut game = Game::new(&text, answers);
    let plan = game.turn(TickBudget::unlimited()).expect("a plan");
    assert_eq!(plan, ["walk(wall)", "walk(barrel)"]);
    assert_eq!(game.body.asked, ["cover(ann, crate)", "cover(ann, wall)"]);
}

#[test]
fn actor_explains_an_answer_that_leaves_no_plan() {
    let text = GUARD.replace("{bind}", COVER);
    let text = text.replace(
        "primitive pray = Walk",
        "primitive pray = Walk\n  pre rested",
    );
    let mut game = Game::new(&text, &[("cover(ann, wolf)", &["rat"])]);
    let file = Sink::default();
    let log = Log::new(&document(&text), file.clone()).with_level(LogLevel::All);
    game.world.start_log(log.with_snapshot_interval(None));
    assert_eq!(
        game.turn(TickBudget::unlimited()),
        Some(vec!["no plan".to_owned()])
    );
    expect!["ann does nothing because it has no plan for flee: no plan exists (tick 0). hide(wolf) is not possible: the game's answer to cover(ann, wolf) has no object of type spot. It replans when one of its beliefs changes."].assert_eq(&game.actor.explain(&game.world));
    let read = LogFile::read(&file.bytes()).expect("a log");
    let answers = &read.run().expect("a run").plans[0].answers;
    let answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
    assert_eq!(answers, ["the game answered cover(ann, wolf) with rat"]);
    let entries = read.entries;
    let plannings = entries.iter().filter_map(|(_, entry)| match entry {
        LogEntry::Plan(entry) => Some(serde_json::to_string_pretty(entry).expect("JSON")),
        _ => None,
    });
    expect![[r#"
        {
          "tick": 0,
          "actor": 0,
          "number": 0,
          "cause": "start",
          "outcome": "no-plan",
          "answers": [
            {
              "query": "cover(ann, wolf)",
              "objects": [
                "rat"
              ]
            }
          ],
          "rejected": [
            {
              "before": 0,
              "task": "hide(wolf)",
              "block": "b",
              "why": "the game's answer to cover(ann, wolf) has no object of type spot"
            },
            {
              "before": 0,
              "task": "pray",
              "why": "rested does not hold"
            }
          ]
        }"#]]
    .assert_eq(&plannings.collect::<String>());
    // A saved actor knows the answers.
    let saved = game.world.save();
    let actor = game.actor.save();
    let domain = Domain::from(&document(&text));
    let (mut world, _) = World::load(&domain, &saved).expect("a world");
    let (loaded, _) = Actor::load(&mut world, &actor).expect("an actor");
    assert_eq!(loaded.explain(&world), game.actor.explain(&game.world));
}

#[test]
fn each_search_asks_once_for_the_same_arguments() {
    let text = GUARD.replace("{bind}", COVER).replace(
        "  task flee\n",
        "  task hide(rat)\n  task hide(wolf)\n  task hide(rat)\n",
    );
    let answers: &[(&str, &[&str])] = &[
        ("cover(ann, rat)", &["wall"]),
        ("cover(ann, wolf)", &["barrel"]),
    ];
    let mut game = Game::new(&text, answers);
    let plan = game.turn(TickBudget::unlimited()).expect("a plan");
    assert_eq!(plan, ["walk(wall)", "walk(barrel)", "walk(wall)"]);
    assert_eq!(game.body.asked, ["cover(ann, rat)", "cover(ann, wolf)"]);
}

#[test]
fn search_in_slices_asks_as_well() {
    let mut game = Game::new(
        &GUARD.replace("{bind}", COVER),
        &[("cover(ann, wolf)", &["wall"])],
    );
    let mut ticks = 0;
    let plan = loop {
        if let Some(plan) = game.turn(TickBudget::decisions(1)) {
            break plan;
        }
        game.world.advance();
        ticks += 1;
        assert!(ticks < 100, "the search never ends");
    };
    assert_eq!(plan, ["walk(wall)"]);
    assert!(ticks > 2, "{ticks}");
    assert_eq!(game.body.asked, ["cover(ann, wolf)"]);
}

/// Searches elsewhere.
fn found(request: &PlanRequest) -> Outcome {
    let problem = request.problem();
    let mut engine = Strategy::from(problem.policy()).search(problem, Budget::default(), 0);
    engine.step(u64::MAX);
    engine.outcome().expect("an outcome")
}

#[test]
fn turns_during_a_search_elsewhere_change_nothing() {
    for budget in [TickBudget::decisions(0), TickBudget::without_planning()] {
        let mut game = Game::new(
            &GUARD.replace("{bind}", COVER),
            &[("cover(ann, wolf)", &["wall"])],
        );
        assert_eq!(game.turn(TickBudget::decisions(0)), None);
        let mut searches = 0;
        let plan = loop {
            let request = game.actor.wanted_plan().expect("a request");
            let outcome = found(&request);
            game.world.advance();
            assert_eq!(game.turn(budget), None);
            assert_eq!(game.actor.wanted_plan(), Some(request.clone()));
            assert!(game.actor.hand_over(&request, outcome));
            game.world.advance();
            searches += 1;
            if let Some(plan) = game.turn(TickBudget::decisions(0)) {
                break plan;
            }
        };
        assert_eq!((plan, searches), (vec!["walk(wall)".to_owned()], 2));
    }
}

#[test]
fn outcome_for_another_request_is_ignored() {
    let text = GUARD.replace("{bind}", "");
    let mut game = Game::new(&text, &[]);
    let mut other = Game::new(&text, &[]);
    game.turn(TickBudget::decisions(0));
    other.turn(TickBudget::decisions(0));
    let first = game.actor.wanted_plan().expect("a request");
    assert!(!other.actor.hand_over(&first, found(&first)));
    game.actor.orders().assign(&["pray"]);
    for _ in 0..2 {
        game.world.advance();
        assert_eq!(game.turn(TickBudget::decisions(0)), None);
    }
    let second = game.actor.wanted_plan().expect("a request");
    assert_ne!(first, second);
    assert!(!game.actor.hand_over(&first, Outcome::NoPlan));
    assert!(game.actor.hand_over(&second, found(&second)));
    game.world.advance();
    let plan = game.turn(TickBudget::decisions(0)).expect("a plan");
    assert_eq!(plan, ["pray"]);
    assert!(!game.actor.hand_over(&second, Outcome::Stopped));
}

#[test]
fn plan_that_was_found_elsewhere_counts_once_all_queries_are_answered() {
    let mut game = Game::new(
        &GUARD.replace("{bind}", COVER),
        &[("cover(ann, wolf)", &["wall"])],
    );
    let mut tries = 0;
    let plan = loop {
        let done = game.turn(TickBudget::decisions(0));
        if let Some(plan) = done {
            break plan;
        }
        let request = game.actor.wanted_plan().expect("a request");
        assert!(game.actor.hand_over(&request, found(&request)));
        game.world.advance();
        tries += 1;
        assert!(tries < 10, "it never ends");
    };
    assert_eq!(plan, ["walk(wall)"]);
    assert_eq!(tries, 2);
    assert_eq!(game.body.asked, ["cover(ann, wolf)"]);
}

#[test]
fn reactive_actor_asks_before_each_step() {
    let text = GUARD.replace("{bind}", COVER).replace(
        "  task flee\n",
        "  reactive\n  task hide(rat)\n  task hide(wolf)\n",
    );
    let answers: &[(&str, &[&str])] = &[
        ("cover(ann, rat)", &["wall"]),
        ("cover(ann, wolf)", &["barrel"]),
    ];
    let mut game = Game::new(&text, answers);
    let mut plans = vec![];
    for _ in 0..5 {
        plans.extend(game.turn(TickBudget::unlimited()));
        game.world.advance();
    }
    assert_eq!(plans, [["walk(wall)"], ["walk(barrel)"]]);
    assert_eq!(game.body.asked, ["cover(ann, rat)", "cover(ann, wolf)"]);
    assert_eq!(
        game.actor
            .tick(&mut game.world, &mut game.body, TickBudget::unlimited())
            .status,
        Status::Complete
    );
}
