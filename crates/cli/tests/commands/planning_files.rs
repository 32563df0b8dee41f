//! Planning files and plans as other tools write them.

use expect_test::expect;

use super::fixture::{check, folder, said};

#[test]
fn domain_may_name_objects_of_its_problem() {
    let domain = "(define (domain depot) (:types place robot)
  (:predicates (at ?p - place ?r - robot) (gone ?r - robot))
  (:task set-off :parameters (?r - robot))
  (:method m :parameters (?r - robot) :task (set-off ?r) :ordered-subtasks (leave ?r))
  (:action leave :parameters (?r - robot) :precondition (at home ?r) :effect (gone ?r)))";
    let problem = "(define (problem z) (:domain depot) (:objects home - place max - robot)
  (:htn :ordered-subtasks (set-off max)) (:init (at home max)))";
    let folder = folder(
        "named-objects",
        &[("domain.hddl", domain), ("problem.hddl", problem)],
    );
    check(
        &folder,
        "plan domain.hddl problem.hddl",
        expect![[r#"
            1  leave(max)
            1 step, cost 1
            exit 0"#]],
    );
    let warned = said(&folder, "check domain.hddl problem.hddl");
    let warning = "! warning: 'home' is not declared in ':constants' of the domain, only in the \
                   problem's ':objects'";
    assert!(warned.starts_with(warning), "{warned}");
    assert!(warned.ends_with("exit 0"), "{warned}");
    for command in ["plan", "check", "import", "run", "export --to json"] {
        let alone = said(&folder, &format!("{command} domain.hddl"));
        let error = "! error: no object is called 'home' here";
        assert!(alone.starts_with(error), "{command}: {alone}");
        assert!(alone.ends_with("exit 2"), "{command}: {alone}");
    }
}

const GLUE: &str = "(define (domain glue) (:predicates (p ?a ?b))
  (:task join :parameters (?a ?b))
  (:method m :parameters (?a ?b) :task (join ?a ?b) :ordered-subtasks (mk ?a ?b))
  (:action mk :parameters (?a ?b) :effect (p ?a ?b))
  (:action use :parameters (?a ?b) :precondition (p ?a ?b) :effect (p ?b ?a)))";

#[test]
fn validates_plans_of_classical_planners() {
    let goal = "(define (problem x) (:domain glue) (:objects oa ob) (:goal (p ob oa)))";
    let tasks = "(define (problem x) (:domain glue) (:objects oa ob)
  (:htn :ordered-subtasks (join oa ob)) (:init) (:goal (p oa ob)))";
    let folder = folder(
        "step-lists",
        &[
            ("domain.hddl", GLUE),
            ("goal.hddl", goal),
            ("tasks.hddl", tasks),
            ("plan", "(MK oa ob)\n(use OA ob)\n; cost = 2 (unit cost)\n"),
            (
                "timed",
                "0.000: (mk oa ob) [1.000]\n0.001: (use oa ob) [1.000]\n",
            ),
            ("short", "(mk oa ob)\n"),
            ("wrong", "(mk oa ob)\nuse oa ob\n"),
        ],
    );
    for plan in ["plan", "timed"] {
        let line = format!("validate domain.hddl goal.hddl {plan}");
        assert_eq!(said(&folder, &line), "valid: 2 steps, cost 2\nexit 0");
    }
    check(
        &folder,
        "validate domain.hddl goal.hddl short",
        expect![[r#"
            invalid: at the end, 'p(ob, oa)' does not hold
            exit 1"#]],
    );
    check(
        &folder,
        "validate domain.hddl goal.hddl wrong",
        expect![[r#"
            ! error: expected an action such as '(drive truck depot)', found 'use'
            !   --> wrong:2:1
            !   |
            ! 2 | use oa ob
            !   | ^^^
            ! 
            ! 1 error
            exit 2"#]],
    );
    check(
        &folder,
        "validate domain.hddl tasks.hddl short",
        expect![[r#"
            ! error: short: this plan has no decompositions, so it can't be validated as a plan for the tasks of 'x'
            exit 2"#]],
    );
}

#[test]
fn lines_that_end_with_carriage_returns_are_counted() {
    let domain = "; of an old system\r(define (domain d)\r  (:predicates (p))\r  what)\r";
    let folder = folder("carriage-returns", &[("d.pddl", domain)]);
    check(
        &folder,
        "check d.pddl",
        expect![[r#"
            ! error: expected a section, found 'what'
            !   --> d.pddl:4:3
            !   |
            ! 4 |   what)
            !   |   ^^^^
            ! 
            ! 1 error
            exit 2"#]],
    );
}
