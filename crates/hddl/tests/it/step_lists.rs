//! Plans of classical planners.

use taskloom_domain::Domain;
use taskloom_hddl::import::plan_of_file;
use taskloom_hddl::syntax::{position, read_plan};

use crate::solved::read;

const DOMAIN: &str = "(define (domain glue) (:requirements :strips) (:predicates (p ?a ?b) (q))
 (:functions (total-cost))
 (:action mk :parameters (?a ?b) :effect (and (p ?a ?b) (increase (total-cost) 2)))
 (:action use :parameters (?a ?b) :precondition (p ?a ?b) :effect (p ?b ?a))
 (:action rest :effect (q)))";

/// Returns the cost of a plan for `(p ob oa)`, or the reason why it is invalid.
fn judge(plan: &str) -> Result<f64, String> {
    let problem = "(define (problem x) (:domain glue) (:objects o oa aob ob Big)
  (:init) (:goal (p ob oa)))";
    let imported = read(DOMAIN, problem);
    let read = read_plan(plan);
    let errors: Vec<String> = read
        .errors
        .iter()
        .map(|error| {
            let at = position(plan, error.span.start as usize);
            format!("{}:{} {}", at.line, at.column, error.message)
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors.join("; "));
    }
    assert!(read.is_step_list);
    let domain = Domain::from(&imported.document);
    let plan = plan_of_file(&read.plan, &domain, &imported.scenario, &imported.names);
    plan.map(|plan| plan.cost)
        .map_err(|invalid| invalid.to_string())
}

#[test]
fn reads_one_action_per_line() {
    for plan in [
        "(mk oa ob)\n(use oa ob)\n; cost = 2 (unit cost)\n",
        "(mk oa ob)\r\n(use oa ob)",
        "(mk oa ob)\r(use oa ob)\r",
        "\u{feff}; found by a planner\n\n  ( MK OA OB ) ; first\n(Use oA\tOb)",
        "0.000: (mk oa ob)  [1.0]\n1.000: (use oa ob)  [0.5]\n",
        "0: (mk oa ob)\n1: (use oa ob)\n",
        "1.001: (use oa ob) [1]\n.5: (mk oa ob) [1]\n",
        "(mk ob oa)",
        "(rest)\n(mk big o)\n(rest)\n(mk ob oa)",
    ] {
        let cost = 2.0 * plan.to_lowercase().matches("mk").count() as f64;
        assert_eq!(judge(plan), Ok(cost), "{plan}");
    }
}

#[test]
fn reports_the_first_invalid_step() {
    for (plan, why) in [
        (
            "(use oa ob)\n(mk oa ob)",
            "step 1: 'use(oa, ob)' can't start: this condition is false: p(oa, ob)",
        ),
        ("(mk oa ob)", "at the end, 'p(ob, oa)' does not hold"),
        ("; nothing to do\n", "at the end, 'p(ob, oa)' does not hold"),
        (
            "(mk oa ob)\n(make oa ob)",
            "step 2: no task is called 'make'",
        ),
        ("(mk oa box)", "step 1: no object is called 'box'"),
        ("(mk oa)", "step 1: 'mk(oa)' has 1 arguments"),
    ] {
        assert_eq!(judge(plan), Err(why.to_owned()), "{plan}");
    }
}

#[test]
fn reports_malformed_lines() {
    for (plan, why) in [
        (
            "(mk oa ob)\nuse oa ob",
            "2:1 expected an action such as '(drive truck depot)', found 'use'",
        ),
        ("(mk oa ob", "1:10 expected ')', found the end of the line"),
        (
            "(mk oa ob) (use oa ob)",
            "1:12 expected a duration such as '[1.0]' or the end of the line, found '(use'",
        ),
        ("()", "1:2 expected the name of an action, found ')'"),
        ("(mk (oa) ob)", "1:5 expected a name, found '(oa)'"),
        (
            "(mk oa ob)\n0.5: ",
            "2:5 expected an action such as '(drive truck depot)', found the end of the line",
        ),
        (
            "0.5: (mk oa ob) [1",
            "1:17 expected a duration such as '[1.0]' or the end of the line, found '[1'",
        ),
    ] {
        assert_eq!(judge(plan), Err(why.to_owned()), "{plan}");
    }
}
