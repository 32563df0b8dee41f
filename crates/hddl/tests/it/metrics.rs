//! Metrics of PDDL 2.1.

use taskloom_hddl::import::read_planning_files;

use crate::round_trip::round_trip;
use crate::solved::{read, steps};

/// Returns the plan for `p`, which one action or several in sequence achieve.
fn plan(actions: &str, metric: &str) -> String {
    let (domain, problem) = files(actions, metric);
    assert_eq!(round_trip(&domain, &problem), None, "{metric}");
    steps(&domain, &problem)
}

fn files(actions: &str, metric: &str) -> (String, String) {
    let domain = format!(
        "(define (domain d) (:requirements :fluents) (:types truck place) (:constants t1 - truck)
  (:predicates (p) (at ?t - truck) (half) (on))
  (:functions (fuel) (wear) (total-cost) (used ?t - truck) (far ?a ?b - place) (weight)
    (speed ?t - truck))
  {actions})"
    );
    let problem = format!(
        "(define (problem t) (:domain d) (:objects t2 - truck a b - place)
  (:init (= (fuel) 0) (= (wear) 0) (= (total-cost) 0) (= (used t1) 0) (= (used t2) 0)
    (= (far a b) 7) (= (far b a) 1) (= (weight) 3) (= (speed t1) 2) (= (speed t2) 5))
  (:goal (p)) {metric})"
    );
    (domain, problem)
}

/// Returns the only diagnostic.
fn warning(actions: &str, metric: &str) -> String {
    let (domain, problem) = files(actions, metric);
    let found = read_planning_files(&domain, Some(&problem)).expect("a document");
    let found: Vec<String> = found
        .diagnostics
        .iter()
        .map(|found| {
            let place = &problem[found.span.range()];
            format!("{place} {:?}: {}", found.severity, found.message)
        })
        .collect();
    found.join("\n")
}

const TWO: &str = "
  (:action a :effect (and (p) (increase (fuel) 4) (increase (wear) 1)))
  (:action b :effect (and (p) (increase (fuel) 1) (increase (wear) 9)))
  (:action c :effect (and (half) (increase (fuel) 1) (increase (total-cost) 1)))
  (:action d :precondition (half) :effect (and (p) (increase (fuel) 1)))";

#[test]
fn any_function_can_be_minimised() {
    for (metric, expected) in [
        ("(:metric minimize (fuel))", "b: cost 1"),
        ("(:metric minimize (wear))", "c, d: cost 0"),
        ("(:metric MINIMIZE (Total-Cost))", "a: cost 0"),
        ("", "a: cost 0"),
        ("(:metric minimize (total-time))", "a: cost 1"),
        ("(:metric minimize total-time)", "a: cost 1"),
        ("(:metric minimize (weight))", "a: cost 0"),
    ] {
        assert_eq!(plan(TWO, metric), expected, "{metric}");
        assert_eq!(warning(TWO, metric), "", "{metric}");
    }
}

#[test]
fn weighted_sums_can_be_minimised() {
    for (metric, expected) in [
        ("(+ (fuel) (wear))", "c, d: cost 2"),
        ("(+ (* 3 (fuel)) (* 0.1 (wear)))", "b: cost 3.9"),
        ("(+ (fuel) (* 5 (total-cost)) (wear))", "a: cost 5"),
        (
            "(+ (* (+ 1 1) (fuel)) (/ (wear) 3) (total-cost) 100)",
            "b: cost 5",
        ),
        ("(- (* 2 (fuel)) (fuel))", "b: cost 1"),
        ("(* (fuel) (weight))", "b: cost 3"),
        ("(+ (fuel) (* 3 (total-time)))", "b: cost 4"),
        ("(- (- (wear)))", "c, d: cost 0"),
    ] {
        let metric = format!("(:metric minimize {metric})");
        assert_eq!(plan(TWO, &metric), expected, "{metric}");
        assert_eq!(warning(TWO, &metric), "", "{metric}");
    }
}

#[test]
fn sums_may_have_many_parts() {
    let metric = format!("(:metric minimize (+ {}))", "(fuel) (wear) ".repeat(2_000));
    assert_eq!(warning(TWO, &metric), "");
    assert_eq!(plan(TWO, &metric), "c, d: cost 4000");
}

const TRUCKS: &str = "
  (:action go :parameters (?t - truck ?a ?b - place)
    :precondition (not (= ?a ?b)) :effect (and (p) (increase (used ?t) (* (speed ?t) (far ?a ?b)))))
  (:action all :effect (and (p) (forall (?t - truck) (increase (used ?t) (speed ?t)))
    (increase (used t1) 1)))
  (:action none :parameters (?a - place) :effect (and (half) (increase (wear) (far ?a ?a))))
  (:action then :precondition (half) :effect (and (p) (decrease (used t1) -3)))";

#[test]
fn functions_of_objects_can_be_minimised() {
    for (metric, expected) in [
        ("(used t1)", "go(t2, a, b): cost 0"),
        ("(used t2)", "go(t1, a, b): cost 0"),
        ("(+ (used t1) (used t2))", "go(t1, b, a): cost 2"),
        ("(+ (* 9 (used t1)) (used t2))", "go(t2, b, a): cost 5"),
        (
            "(+ (* 9 (used t1)) (* 9 (used t2)) (total-time))",
            "go(t1, b, a): cost 19",
        ),
    ] {
        let metric = format!("(:metric minimize {metric})");
        assert_eq!(plan(TRUCKS, &metric), expected, "{metric}");
        assert_eq!(warning(TRUCKS, &metric), "", "{metric}");
    }
    // The other actions.
    let rest = TRUCKS.replace("(p) (increase (used ?t) (*", "(increase (used ?t) (*");
    for (metric, expected) in [
        ("(used t1)", "all: cost 3"),
        ("(used t2)", "none(a), then: cost 0"),
        ("(+ (used t1) (used t2))", "none(a), then: cost 3"),
        ("(+ (* 8 (used t1)) (used t2))", "none(a), then: cost 24"),
    ] {
        let metric = format!("(:metric minimize {metric})");
        assert_eq!(plan(&rest, &metric), expected, "{metric}");
    }
}

#[test]
fn function_that_is_read_stays_a_fact() {
    let actions = "
  (:action fill :precondition (< (fuel) 4) :effect (increase (fuel) 2))
  (:action burn :precondition (>= (fuel) 4) :effect (p))
  (:action skip :effect (and (p) (increase (fuel) 5)))";
    let metric = "(:metric minimize (fuel))";
    assert_eq!(plan(actions, metric), "fill, fill, burn: cost 4");
    let facts = |metric: &str| {
        let (domain, problem) = files(actions, metric);
        let document = read(&domain, &problem).document;
        document.facts.keys().any(|name| name.as_str() == "fuel")
    };
    assert!(facts(metric));
    assert!(facts(""));
}

#[test]
fn metrics_that_are_no_costs_are_ignored_with_a_warning() {
    let twice = format!("{TWO}(:action e :effect (and (p) (assign (fuel) 0)))");
    let when = format!("{TWO}(:action e :effect (and (p) (when (on) (increase (fuel) 2))))");
    let lower = format!("{TWO}(:action e :effect (and (p) (decrease (fuel) 2)))");
    let several = format!("{TWO}(:action e :effect (forall (?t - truck) (increase (fuel) 1)))");
    for (actions, metric, reason) in [
        (
            TWO,
            "(:metric maximize (fuel))",
            "'maximize' is not supported",
        ),
        (
            TWO,
            "(:metric minimize (* (fuel) (wear)))",
            "it is not a weighted sum of functions",
        ),
        (
            TWO,
            "(:metric minimize (/ 1 (fuel)))",
            "it is not a weighted sum of functions",
        ),
        (
            TWO,
            "(:metric minimize (- (fuel)))",
            "'a' may lower it by changing 'fuel'",
        ),
        (
            TWO,
            "(:metric minimize (- (fuel) (total-time)))",
            "each step would lower it",
        ),
        (
            TWO,
            "(:metric minimize (gas))",
            "no function is called 'gas'",
        ),
        (
            TWO,
            "(:metric minimize (used))",
            "'used' takes 1 argument, found 0",
        ),
        (
            TWO,
            "(:metric minimize (used t9))",
            "no object is called 't9'",
        ),
        (
            TWO,
            "(:metric minimize (used ?t))",
            "expected an object, found '?t'",
        ),
        (
            TWO,
            "(:metric minimize (is-violated x))",
            "no function is called 'is-violated'",
        ),
        (
            TWO,
            "(:metric minimize (fuel)) (:metric minimize (wear))",
            "there is another one",
        ),
        (
            &twice,
            "(:metric minimize (+ (fuel) (wear)))",
            "'e' assigns 'fuel'",
        ),
        (
            &when,
            "(:metric minimize (fuel))",
            "'e' changes 'fuel' conditionally or for several objects",
        ),
        (
            &lower,
            "(:metric minimize (fuel))",
            "'e' may lower it by changing 'fuel'",
        ),
        (
            &several,
            "(:metric minimize (fuel))",
            "'e' changes 'fuel' conditionally or for several objects",
        ),
    ] {
        let found = warning(actions, metric);
        let direction = metric.split(' ').nth(1).unwrap_or_default();
        let expected = format!(
            "{direction} Warning: this metric is ignored, and the number of steps is minimised: \
             {reason}"
        );
        assert_eq!(found, expected);
        assert_eq!(plan(actions, metric), "a: cost 1", "{metric}");
    }
}
