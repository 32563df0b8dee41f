//! Objects of a problem that the texts of its domain name.

use taskloom_hddl::import::read_planning_files;
use taskloom_hddl::syntax::position;

use crate::round_trip::round_trip;
use crate::solved::steps;

/// Returns the plan for `max` to do `set-off`, and the diagnostics. `max` is at `home`, an object of
/// the problem, which also has a `place` called `yard`.
fn set_off(action: &str, method: &str, htn: &str) -> (String, Vec<String>) {
    let domain = format!(
        "(define (domain depot) (:types place robot)
  (:predicates (at ?p - place ?r - robot) (gone ?r - robot))
  (:task set-off :parameters (?r - robot))
  (:task visit :parameters (?p - place ?r - robot))
{method}
{action}
)"
    );
    let problem = format!(
        "(define (problem z) (:domain depot) (:objects home yard - place max - robot)
  (:htn {htn}) (:init (at home max)))"
    );
    let found = read_planning_files(&domain, Some(&problem)).expect("a document");
    // Not all tests use both tasks.
    let mut shown = found.diagnostics;
    shown.retain(|found| !found.message.ends_with("has no methods"));
    let shown = shown.iter().map(|found| {
        let line = position(&domain, found.span.start as usize).line;
        let word = &domain[found.span.range()];
        let (file, severity) = (found.file, found.severity);
        format!("{file:?} {line} {word} {severity:?}: {}", found.message)
    });
    let shown = shown.collect();
    assert_eq!(round_trip(&domain, &problem), None);
    (steps(&domain, &problem), shown)
}

const LEAVE: &str = "(:action leave :parameters (?p - place ?r - robot)
  :precondition (at ?p ?r) :effect (gone ?r))";
const SET_OFF: &str = ":ordered-subtasks (set-off max)";

fn warning(line: usize, word: &str) -> String {
    format!(
        "Domain {line} {word} Warning: '{word}' is not declared in ':constants' of the domain, \
         only in the problem's ':objects'"
    )
}

#[test]
fn domain_may_name_objects_of_the_problem() {
    let plain = "(:method m :parameters (?r - robot) :task (set-off ?r) :subtasks (leave ?r))";
    let precondition = "(:action leave :parameters (?r - robot)
  :precondition (and (at home ?r) (not (at yard ?r))) :effect (gone ?r))";
    let found = set_off(precondition, plain, SET_OFF);
    let expected = [warning(7, "home"), warning(7, "yard")];
    assert_eq!(found, ("leave(max): cost 1".to_owned(), expected.to_vec()));

    let effect = "(:action leave :parameters (?r - robot)
  :effect (and (gone ?r) (when (not (at yard ?r)) (not (at home ?r)))))";
    let found = set_off(effect, plain, SET_OFF);
    let expected = [warning(7, "yard"), warning(7, "home")];
    assert_eq!(found, ("leave(max): cost 1".to_owned(), expected.to_vec()));

    let subtask = "(:method m :parameters (?r - robot) :task (set-off ?r)
  :subtasks (leave home ?r))";
    let found = set_off(LEAVE, subtask, SET_OFF);
    let expected = (
        "leave(home, max): cost 1".to_owned(),
        vec![warning(6, "home")],
    );
    assert_eq!(found, expected);

    let constraint = "(:method m :parameters (?p - place ?r - robot) :task (set-off ?r)
  :constraints (and (not (= ?p yard)) (or (= ?p home) (= ?p yard))) :subtasks (leave ?p ?r))";
    let found = set_off(LEAVE, constraint, SET_OFF);
    let expected = [warning(6, "yard"), warning(6, "home")];
    assert_eq!(
        found,
        ("leave(home, max): cost 1".to_owned(), expected.to_vec())
    );

    let head = "(:method m :parameters (?r - robot) :task (visit home ?r) :precondition
  (forall (?p - place) (imply (at ?p ?r) (= ?p home))) :subtasks (leave home ?r))";
    let found = set_off(LEAVE, head, ":subtasks (visit home max)");
    let expected = (
        "leave(home, max): cost 1".to_owned(),
        vec![warning(5, "home")],
    );
    assert_eq!(found, expected);
}

#[test]
fn initial_network_may_name_objects_in_any_constraint() {
    let method = "(:method m :parameters (?p - place ?r - robot) :task (visit ?p ?r)
  :subtasks (leave ?p ?r))";
    let htn = ":parameters (?p - place) :subtasks (visit ?p max)
  :constraints (or (= ?p home) (not (or (= ?p yard) (at yard max))))";
    let found = set_off(LEAVE, method, htn);
    assert_eq!(found, ("leave(home, max): cost 1".to_owned(), vec![]));
}

#[test]
fn domain_without_a_problem_has_to_declare_its_objects() {
    let domain = "(define (domain d) (:predicates (p ?x)) (:action a :effect (p home)))";
    let found = read_planning_files(domain, None).expect("a document");
    let found: Vec<&str> = found.diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(found, ["no object is called 'home' here"]);
}
