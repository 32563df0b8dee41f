//! Runs of logs, shown in place of the simulator's.

use std::sync::Arc;

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Budget, Strategy, Value};
use taskloom_runtime::{Verdict, default_planner, run_test};

use super::*;
use crate::session::{Following, LogFollower};
use crate::worker::{Answer, Intervention, LoggedRun};

const CASE: &str = "case-5-the-box-slams-shut";

impl Tab {
    /// Opens the first example, and lets the planner answer for a scenario.
    pub fn with_example(world: &World) -> Self {
        let tab = Self::open(world, 1, 1);
        let document = crate::examples::first();
        tab.does(|session, _| session.open_document(document));
        tab.plans(CASE);
        tab
    }

    /// Chooses a scenario of the open document, and answers for it.
    fn plans(&self, scenario: &str) {
        let scenario: Name = scenario.parse().unwrap();
        let domain = self.session.domain_untracked();
        let mut plan = default_planner(Budget::default());
        let test = run_test(&domain, &scenario, &mut plan, 100);
        let revision = self.planner.revision.get_untracked();
        let about = (scenario.clone(), 0);
        let outcome = test.outcome.unwrap();
        let answer = Answer {
            ended: true,
            run: test.run,
            verdicts: test.verdicts,
            ..Answer::without_plan(revision, about, Strategy::First, outcome)
        };
        self.does(|session, _| session.choose_scenario(Some(scenario)));
        self.planner.answer.set(Some(Arc::new(answer)));
    }

    /// Shows a log of the planned scenario, in which all expectations failed after some ticks.
    pub fn shows_log(&self) {
        let logged = logged(self, 2);
        self.does(|session, _| session.show_log("game.jsonl".to_owned(), logged));
    }

    fn shows_a_log(&self) -> bool {
        let shown = self.session.plan.shown;
        shown.with_untracked(|shown| shown.log().is_some())
    }

    /// Returns the last tick of the run that is shown.
    fn last_tick(&self) -> u32 {
        let answer = self.session.plan.answer.get_untracked().unwrap();
        answer.run.as_ref().unwrap().ticks
    }
}

fn logged(tab: &Tab, ticks: u32) -> LoggedRun {
    let answer = tab.session.plan.planned.get_untracked().unwrap();
    let mut run = answer.run.clone().unwrap();
    run.ticks = ticks;
    let missed = |_: &Verdict| Verdict::Missed("the game differs".to_owned());
    LoggedRun {
        scenario: answer.scenario.clone(),
        run,
        verdicts: answer.verdicts.iter().map(missed).collect(),
        is_of_this_version: true,
        title: tab.title(),
        others: vec![],
    }
}

fn override_at(tick: u32) -> Intervention {
    let atom = Atom {
        fact: "open".parse().unwrap(),
        args: vec![],
    };
    Intervention {
        at: tick,
        atom,
        value: Value::Bool(true),
    }
}

#[test]
fn run_of_a_log_cannot_be_changed_until_the_log_is_closed() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    let simulated = tab.last_tick();
    tab.shows_log();
    assert_eq!(tab.last_tick(), 2);
    let changes = || tab.does(|session, _| session.plan.intervene(vec![override_at(1)]));
    assert!(changes().is_err());
    assert_eq!(tab.session.plan.interventions.get_untracked(), []);
    // Until the next scenario is planned, the run is still that of the log.
    let next: Name = "case-1-box-open".parse().unwrap();
    tab.does(|session, _| session.choose_scenario(Some(next)));
    assert!(changes().is_err());
    tab.plans("case-1-box-open");
    assert!(changes().is_ok());
    tab.plans(CASE);
    assert!(tab.shows_a_log() && changes().is_err());
    tab.does(|session, _| session.close_log());
    assert_eq!(tab.last_tick(), simulated);
    assert!(changes().is_ok());
    assert_eq!(tab.session.plan.interventions.get_untracked().len(), 1);
}

#[test]
fn log_of_a_scenario_is_shown_after_the_scenario_is_renamed() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    tab.shows_log();
    let record =
        taskloom_document::RecordRef::new(taskloom_document::Kind::Scenario, CASE.parse().unwrap());
    tab.does(|session, _| session.rename(&record, "slam").unwrap());
    assert!(tab.shows_a_log(), "the answer has the old name");
    tab.plans("slam");
    assert!(tab.shows_a_log());
}

#[test]
fn followed_log_is_shown_only_on_its_own_document() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    let first = logged(&tab, 2);
    let mut follower = tab.does(|session, _| LogFollower::new(session, "game.jsonl".to_owned()));
    // The game writes nothing until the designer has opened something else.
    tab.opens_text("Other");
    assert!(!follower.goes_on());
    follower.show(first.clone(), Following::Growing);
    follower.follow_end();
    assert!(tab.session.plan.log.get_untracked().is_none());

    let again = crate::examples::first();
    tab.does(|session, _| session.open_document(again));
    tab.plans(CASE);
    follower.show(first.clone(), Following::Growing);
    assert!(!tab.shows_a_log(), "the same example, opened again");

    let mut follower = tab.does(|session, _| LogFollower::new(session, "game.jsonl".to_owned()));
    follower.show(first.clone(), Following::Growing);
    follower.follow_end();
    assert_eq!((tab.shows_a_log(), tab.session.tick()), (true, Some(2)));
    follower.show(logged(&tab, 3), Following::Growing);
    follower.follow_end();
    assert_eq!(tab.session.tick(), Some(3), "it was at the end");
    tab.does(|session, _| session.close_log());
    follower.show(first, Following::Growing);
    assert!(!follower.goes_on() && !tab.shows_a_log());
}

#[test]
fn plan_of_another_document_keeps_no_log() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    tab.shows_log();
    let domain = Domain::from(&crate::examples::first());
    assert!(
        domain
            .document()
            .scenarios
            .contains_key(&CASE.parse::<Name>().unwrap())
    );
    let again = crate::examples::first();
    tab.does(|session, _| session.open_document(again));
    tab.plans(CASE);
    assert!(!tab.shows_a_log());
}
