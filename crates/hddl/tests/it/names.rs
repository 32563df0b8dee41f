//! Names that are numbers, or have to change in a document.

use taskloom_hddl::import::read_planning_files;

use crate::round_trip::round_trip;
use crate::solved::steps;

/// Returns the plan of a counter with objects for numbers that stops at a condition.
fn count(condition: &str) -> String {
    let domain = format!(
        "(define (domain steps) (:requirements :typing :equality) (:types num)
  (:constants 0 1 2 01 - num) (:functions (f))
  (:predicates (val ?n - num) (next ?a ?b - num))
  (:action inc :parameters (?a ?b - num)
    :precondition (and (val ?a) (next ?a ?b) {condition})
    :effect (and (not (val ?a)) (val ?b))))"
    );
    let problem = "(define (problem x) (:domain steps)
  (:init (val 0) (next 0 1) (next 1 2) (= (f) 2)) (:goal (val 2)))";
    assert_eq!(round_trip(&domain, problem), None);
    steps(&domain, problem)
}

#[test]
fn objects_called_numbers_can_be_compared() {
    let both = "inc(n0, n1), inc(n1, n2): cost 2";
    for (condition, expected) in [
        ("(not (= ?a 2))", both),
        ("(not (= 2 ?a))", both),
        ("(not (= ?a 1))", "no plan"),
        ("(or (= ?a 0) (= 1 ?a))", both),
        ("(exists (?c - num) (and (= ?c 2) (not (= ?c ?a))))", both),
        // Two words are objects if both are: these have the same value as numbers.
        ("(not (= 1 01))", both),
        ("(= 2 2)", both),
        ("(= 1 2)", "no plan"),
        // If not, they are numbers.
        ("(= 7 7.0)", both),
        ("(not (= 7 7.0))", "no plan"),
        // A function is a number.
        ("(= (f) 2)", both),
        ("(not (= 2 (f)))", "no plan"),
        ("(< 1 2)", both),
    ] {
        assert_eq!(count(condition), expected, "{condition}");
    }
}

#[test]
fn constraints_and_arguments_may_name_objects_called_numbers() {
    let domain = "(define (domain d) (:types num) (:predicates (p ?x - num)) (:constants 1 - num)
  (:task t :parameters (?x - num))
  (:method m :parameters (?x ?y - num) :task (t ?x) :subtasks (go ?y)
    :constraints (and (= ?x 1) (not (= ?y 1)) (not (= 3 ?y))))
  (:action go :parameters (?x - num) :precondition (= ?x 2)))";
    let problem = "(define (problem p) (:domain d) (:objects 2 3 - num)
  (:htn :parameters (?n - num) :subtasks (and (1 (t ?n))) :constraints (not (= ?n 2))) (:init))";
    assert_eq!(steps(domain, problem), "go(n2): cost 1");
}

#[test]
fn reports_numbers_that_are_no_objects() {
    let domain = "(define (domain d) (:predicates (p ?x))
  (:action a :parameters (?x) :precondition (not (= ?x 2)) :effect (p ?x)))";
    let found = read_planning_files(domain, None).expect("a document");
    let found: Vec<&str> = found.diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(found, ["no object is called '2' here"]);
}
