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
            leave(max)
            exit 0"#]],
    );
    let warned = said(&folder, "check domain.hddl problem.hddl");
    let warning = "! warning: 'home' is not declared in ':constants' of the domain, only in the \
                   problem's ':objects'";
    assert!(warned.starts_with(warning), "{warned}");
    assert!(warned.ends_with("exit 0"), "{warned}");
    for command in ["plan", "check", "import", "run", "stats", "export --to json"] {
        let alone = said(&folder, &format!("{command} domain.hddl"));
        let error = "! error: no object is called 'home' here";
        assert!(alone.starts_with(error), "{command}: {alone}");
        assert!(alone.ends_with("exit 2"), "{command}: {alone}");
    }
}
