//! Names that are numbers, or have to change in a document.

use expect_test::expect;
use taskloom_hddl::import::read_planning_files;

use crate::round_trip::round_trip;
use crate::solved::{read, steps};

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

#[test]
fn names_that_need_no_change_keep_theirs() {
    let domain = "(define (domain d) (:types 1 n1 n1-type 2 - object)
  (:predicates (q ?x - n1) (2 ?n2 ?2 - 1) (n2 ?x - object) (1fact) (n1fact))
  (:functions (9) (n9))
  (:constants 2 - n1)
  (:task 5 :parameters (?n1 ?1 - 1)) (:task n5)
  (:method 7 :parameters (?2 ?n2 ?n1 - 1) :task (5 ?2 ?n2)
    :precondition (forall (?3 ?n3 - n1) (imply (q ?3) (q ?n3))) :subtasks (7 ?n1))
  (:method n7 :parameters () :task (n5) :subtasks ())
  (:action 7 :parameters (?1 - 1) :effect (2 ?1 ?1))
  (:action n7))";
    let problem = "(define (problem z) (:domain d)
  (:objects 1 - n1 n1 n1-object q - n1 9 n8 - 1 is-1 - object)
  (:htn :subtasks (5 9 n8)) (:init (q 1)))";
    let document = read(domain, problem).document;
    let scenario = document.scenarios.values().next().expect("a scenario");
    let called = |names: Vec<(&str, &str)>| {
        let names = names.into_iter().map(|(name, title)| match title {
            "" => name.to_owned(),
            title => format!("{name}: {title}"),
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let types = document.types.iter();
    let types = types.map(|(name, record)| (name.as_str(), &*record.title));
    let types = called(types.collect());
    let facts = document.facts.iter();
    let facts = facts.map(|(name, record)| (name.as_str(), &*record.title));
    let facts = called(facts.collect());
    let objects = document.objects.iter().chain(&scenario.objects);
    let objects = objects.map(|(name, record)| (name.as_str(), &*record.title));
    let objects = called(objects.collect());
    let tasks = document.primitive_tasks.iter();
    let tasks = tasks.map(|(name, record)| (name.as_str(), &*record.title));
    let tasks = called(tasks.collect());
    let compound = document.compound_tasks.values();
    let params = compound.flat_map(|task| &task.params);
    let params = params.map(|param| param.name.as_str());
    let params = params.collect::<Vec<_>>().join(" ");
    expect![[r#"
        n1, n1-2: 1, n1-type, n2: 2
        n1fact, n1fact-fact: 1fact, n2, n2-fact: 2, n9, n9-fact: 9, q
        n2-object: 2, is-1, n1, n1-2: 1, n1-object, n8, n9-object: 9, q-object: q
        n7, n7-task: 7
        n1 n1-2"#]]
    .assert_eq(&[types, facts, objects, tasks, params].join("\n"));
    assert_eq!(round_trip(domain, problem), None);
}
