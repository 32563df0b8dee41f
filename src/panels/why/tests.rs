//! Explanations of the shipped examples.

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Budget, Strategy};
use taskloom_runtime::{Entry, MAX_TICKS, Reason, TaskState, default_planner, run_test};

use super::explanation::{EarlyEnd, Explanation, explain};
use crate::session::{LinkTarget, Subject, task_of};
use crate::worker::Answer;

mod decided;
mod games;

const HUNTER: &str = include_str!("../../../public/examples/hunter.taskloom.json");
const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");

fn answer(text: &str, scenario: &str) -> (Domain, Answer) {
    answer_of(&Document::from_json(text).unwrap(), scenario)
}

fn answer_of(document: &Document, scenario: &str) -> (Domain, Answer) {
    let domain = Domain::from(document);
    let scenario: Name = scenario.parse().unwrap();
    let mut plan = default_planner(Budget::default());
    let test = run_test(&domain, &scenario, &mut plan, MAX_TICKS);
    let outcome = test.outcome.unwrap();
    let mut answer = Answer::without_plan(1, (scenario, 0), Strategy::First, outcome);
    answer.run = test.run;
    (domain, answer)
}

/// Returns the number of the first executed step of a task.
fn step(answer: &Answer, task: &str) -> usize {
    let run = answer.run.as_ref().unwrap();
    let mut steps = run.executed.iter();
    let is_it = |step: &_| task_of(run, step).is_some_and(|own| own.to_string() == task);
    steps.position(is_it).expect(task)
}

fn of_step(domain: &Domain, answer: &Answer, task: &str) -> Explanation {
    let entry = Entry::Step(step(answer, task));
    explain(domain, answer, Subject::Entry(entry)).expect(task)
}

fn path(explanation: &Explanation) -> String {
    let path: Vec<String> = explanation.path.iter().map(ToString::to_string).collect();
    path.join(" > ")
}

#[test]
fn step_names_its_plan_and_the_wrong_belief_behind_it() {
    let (domain, answer) = answer(HUNTER, "case-2-the-wrong-room");
    let catch = of_step(&domain, &answer, "catch(wren, kitchen)");
    assert_eq!(catch.title, "Why does rook catch(wren, kitchen)?");
    assert!(
        catch.position.starts_with("Step 3 of "),
        "{}",
        catch.position
    );
    let reason = catch.reason.to_string();
    assert_eq!(reason, "Planned at tick 0, when the run started.");
    assert!(
        path(&catch).starts_with("hunt > chase(wren, kitchen)"),
        "{}",
        path(&catch)
    );
    let (kind, outcome) = catch.outcome.clone().expect("it fails");
    assert_eq!(kind, EarlyEnd::Failed);
    assert!(
        outcome.to_string().contains("at(wren, kitchen)"),
        "{outcome}"
    );
    let belief = catch.beliefs.first().expect("it believes her there");
    assert_eq!(belief.atom.to_string(), "at(wren, kitchen)");
    assert!(belief.is_wrong(), "{belief:?}");
    assert!(matches!(catch.block, Some(LinkTarget::Block(..))));
    assert_eq!(catch.tick, Some(0));
}

#[test]
fn replan_names_the_failed_step_and_the_rejected_alternative() {
    let (domain, answer) = answer(HUNTER, "case-2-the-wrong-room");
    let run = answer.run.as_ref().unwrap();
    let failed = step(&answer, "catch(wren, kitchen)");
    let replan = run
        .plans
        .iter()
        .position(|planning| planning.cause == taskloom_runtime::Cause::Failure(failed));
    let replan = replan.expect("the failure makes it replan");
    let subject = Subject::Entry(Entry::Planning(replan));
    let replan = explain(&domain, &answer, subject).unwrap();
    assert_eq!(replan.title, "Why does rook replan?");
    let reason = replan.reason.to_string();
    assert!(
        reason.contains("because catch(wren, kitchen) failed: "),
        "{reason}"
    );
    let taken = replan.taken.clone().map(|taken| taken.to_string());
    assert_eq!(taken.as_deref(), Some("no in hunt"));
    let rejected = replan.rejected.first().expect("nobody is tracked");
    let text = rejected.text.to_string();
    assert_eq!(text, "yes: hunt needs exists ?who: hunted. tracked(?who)");
}

#[test]
fn interrupted_step_is_no_failure() {
    let (domain, answer) = answer(HUNTER, "case-2-the-wrong-room");
    let run = answer.run.as_ref().unwrap();
    let is_interrupted = |step: &taskloom_runtime::StepExecution| {
        step.state == TaskState::Failed && step.reason == Some(Reason::Interrupted)
    };
    let Some(at) = run.executed.iter().position(is_interrupted) else {
        return;
    };
    let explained = explain(&domain, &answer, Subject::Entry(Entry::Step(at))).unwrap();
    let (kind, _) = explained.outcome.expect("it was interrupted");
    assert_eq!(kind, EarlyEnd::Interrupted);
}

#[test]
fn plan_after_a_failure_explains_its_detour() {
    let (domain, answer) = answer(BALL, "case-5-the-box-slams-shut");
    let open = of_step(&domain, &answer, "open-box");
    let reason = open.reason.to_string();
    let expected =
        "Planned at tick 5 because take-ball failed: integrity rule of take-ball: box_open.";
    assert_eq!(reason, expected);
    assert_eq!(path(&open), "get-ball");
    let rejected = open.rejected.first().expect("the box isn't locked");
    assert!(
        rejected.text.to_string().contains("needs box_locked"),
        "{}",
        rejected.text
    );
}

#[test]
fn every_entry_of_the_examples_has_an_explanation() {
    for (text, scenario) in [
        (HUNTER, "case-2-the-wrong-room"),
        (BALL, "case-5-the-box-slams-shut"),
    ] {
        let (domain, answer) = answer(text, scenario);
        for entry in answer.run.as_ref().unwrap().entries() {
            let explained = explain(&domain, &answer, Subject::Entry(entry));
            let explained = explained.unwrap_or_else(|| panic!("{entry:?}"));
            assert!(
                !explained.title.is_empty() && !explained.reason.is_empty(),
                "{entry:?}"
            );
        }
    }
}

#[test]
fn compound_task_covers_its_steps() {
    let (domain, answer) = answer(BALL, "case-5-the-box-slams-shut");
    let subject = Subject::Task {
        plan: None,
        node: 0,
    };
    let root = explain(&domain, &answer, subject).unwrap();
    assert_eq!(root.position, "Steps 1–2 of 2");
    assert_eq!(root.block, None);
}

#[test]
fn step_names_the_objects_that_it_claims() {
    let squad = include_str!("../../../tests/published/squad.taskloom.json");
    let (domain, answer) = answer(squad, "case-3-one-gun-for-two");
    let step = of_step(&domain, &answer, "pick-up(rifle)");
    assert_eq!(step.position, "Step 1 of 3 · ticks 0–1 · claims rifle");
}
