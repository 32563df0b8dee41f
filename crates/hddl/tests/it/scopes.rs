//! Variables that hide others of the same name.

use crate::round_trip::round_trip;
use crate::solved::steps;

/// Returns the plan for a goal about lamps `a`, `b` and `c`, of which some are on, with an action
/// `flash(?x)` of this effect.
fn flash(effect: &str, on: &str, goal: &str) -> String {
    let domain = format!(
        "(define (domain lamps) (:requirements :adl :typing) (:types t)
  (:predicates (on ?x - t) (lit ?x - t) (near ?x ?y - t) (fin))
  (:functions (level ?x - t))
  (:action flash :parameters (?x - t) :precondition (not (fin)) :effect (and (fin) {effect})))"
    );
    let problem = format!(
        "(define (problem p) (:domain lamps) (:objects a b c - t)
  (:init {on} (near a b) (near b c) (= (level a) 1) (= (level b) 2) (= (level c) 3))
  (:goal {goal}))"
    );
    assert_eq!(round_trip(&domain, &problem), None);
    steps(&domain, &problem)
}

#[test]
fn outer_condition_is_not_about_an_inner_variable() {
    let effect = "(when (on ?x) (forall (?x - t) (lit ?x)))";
    let all = "(and (lit a) (lit b) (lit c))";
    assert_eq!(flash(effect, "(on a)", all), "flash(a): cost 1");
    let two = "(and (lit a) (lit b) (not (lit c)))";
    assert_eq!(flash(effect, "(on a) (on b)", two), "no plan");
}

#[test]
fn outer_quantifier_is_not_about_an_inner_variable() {
    // Each lamp that is on lights all lamps near the lamp that is flashed.
    let effect = "(forall (?y - t) (when (and (on ?y) (not (on ?x)))
        (forall (?y - t) (when (near ?x ?y) (lit ?y)))))";
    let goal = "(and (lit b) (not (lit a)) (not (lit c)))";
    assert_eq!(flash(effect, "(on c)", goal), "flash(a): cost 1");
    assert_eq!(flash(effect, "(on a)", goal), "no plan");
    // A lamp that is on and near itself would be needed if both were one variable.
    let effect = "(forall (?x - t) (when (on ?x) (forall (?y - t) (when (near ?x ?y)
        (forall (?x - t) (when (near ?y ?x) (lit ?x)))))))";
    assert_eq!(flash(effect, "(on a)", "(lit c)"), "flash(a): cost 1");
    assert_eq!(flash(effect, "(on b)", "(lit c)"), "no plan");
}

#[test]
fn inner_conditions_keep_their_own_variables() {
    let effect = "(when (on ?x) (forall (?x - t)
        (when (and (exists (?x - t) (on ?x)) (not (on ?x))) (lit ?x))))";
    let goal = "(and (not (lit a)) (lit b) (lit c))";
    assert_eq!(flash(effect, "(on a)", goal), "flash(a): cost 1");
    // The new name of the inner variable is not that of another one.
    let effect = "(when (and (on ?x) (not (lit ?x-2))) (forall (?x ?x-2 - t)
        (when (near ?x ?x-2) (lit ?x-2))))";
    let effect = format!("(forall (?x-2 - t) {effect})");
    let goal = "(and (not (lit a)) (lit b) (lit c))";
    assert_eq!(flash(&effect, "(on a)", goal), "flash(a): cost 1");
    assert_eq!(flash(&effect, "", goal), "no plan");
}

#[test]
fn numbers_of_inner_effects_keep_their_variables() {
    let effect = "(when (>= (level ?x) 3) (forall (?x - t) (increase (level ?x) (level ?x))))";
    let goal = "(and (= (level a) 2) (= (level b) 4) (= (level c) 6))";
    assert_eq!(flash(effect, "", goal), "flash(c): cost 1");
}

#[test]
fn conditions_of_actions_and_methods_keep_their_variables() {
    let domain = "(define (domain rooms) (:types room)
  (:predicates (at ?r - room) (door ?a ?b - room) (open ?r - room))
  (:task visit :parameters (?r - room))
  (:method m :parameters (?x ?r - room) :task (visit ?x)
    :precondition (and (at ?r) (not (exists (?r - room) (and (open ?r) (door ?x ?r))))
      (forall (?x - room) (imply (open ?x) (at ?x))))
    :subtasks (go ?r ?x))
  (:action go :parameters (?r ?to - room)
    :precondition (and (door ?r ?to) (exists (?to - room) (door ?to ?r)))
    :effect (and (not (at ?r)) (at ?to))))";
    let problem = |init: &str| {
        format!(
            "(define (problem p) (:domain rooms) (:objects a b c - room)
  (:htn :parameters (?x - room) :subtasks (visit ?x)
    :constraints (and (not (= ?x a)) (forall (?x - room) (= ?x ?x))))
  (:init (at a) (door a b) {init}))"
        )
    };
    for (init, expected) in [
        ("(door c a) (open a)", "go(a, b): cost 1"),
        ("(open a)", "no plan"),
        ("(door c a) (open c)", "no plan"),
    ] {
        let problem = problem(init);
        assert_eq!(steps(domain, &problem), expected, "{init}");
        assert_eq!(round_trip(domain, &problem), None, "{init}");
    }
}
