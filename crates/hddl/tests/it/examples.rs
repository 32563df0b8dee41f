//! The project's own planning files: tests/hddl.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_hddl::import::{file_of_plan, plan_of_file, read_planning_files};
use taskloom_hddl::syntax::{read_plan, write_plan};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, plan, validate};

use crate::round_trip::round_trip;

/// Returns the texts of a domain and one of its problems.
pub fn texts(domain: &str, problem: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hddl");
    let read = |file: &str| {
        let file = folder.join(domain).join(file);
        fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    };
    (read("domain.hddl"), read(&format!("{problem}.hddl")))
}

/// Returns the outcome of one of the project's own problems.
fn solve(domain: &str, problem: &str, expected: Expect) {
    let (domain, problem) = texts(domain, problem);
    let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
    let (document, scenario) = (&imported.document, &imported.scenario);
    let mut shown = String::new();
    for found in &imported.diagnostics {
        let _ = writeln!(shown, "{:?}: {}", found.severity, found.message);
    }
    for found in check(&Domain::from(document)) {
        let _ = writeln!(shown, "{found}");
    }
    assert_eq!(document.invariants(), Ok(()));
    let compiled = compile(&Domain::from(document), scenario);
    let budget = Budget {
        nodes: 20_000,
        depth: 100,
        ..Budget::default()
    };
    let first = plan(&compiled, budget);
    match &first {
        Outcome::Plan(found) => {
            validate(&Domain::from(document), scenario, found).expect("a valid plan");
            let file = write_plan(&file_of_plan(found, &imported.names));
            shown += &file;
            let read = read_plan(&file);
            let again = plan_of_file(
                &read.plan,
                &Domain::from(document),
                scenario,
                &imported.names,
            );
            assert_eq!(again.map(|plan| plan.cost), Ok(found.cost));
            let _ = writeln!(shown, "cost {}", found.cost);
        }
        other => {
            let _ = writeln!(shown, "{other:?}");
        }
    }
    // With the fastest search, whether there is a plan must be the same.
    let mut any = taskloom_portfolio::search(Strategy::Fastest, &compiled, budget, 0);
    while any.step(u64::MAX) == Progress::Running {}
    let any = any.outcome();
    if let Some(Outcome::Plan(found)) = &any {
        validate(&Domain::from(document), scenario, found).expect("a valid plan");
    }
    let solved = |outcome: &Outcome| matches!(outcome, Outcome::Plan(_));
    assert_eq!(any.as_ref().map(solved), Some(solved(&first)), "{any:?}");
    if let Some(difference) = round_trip(&domain, &problem) {
        let _ = writeln!(shown, "round trip: {difference}");
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_round_through_the_museum() {
    solve(
        "museum",
        "problem-1",
        expect![[r#"
            ==>
            4 check anna lobby
            8 walk anna lobby masters
            9 silence anna masters
            10 check anna masters
            14 walk anna masters moderns
            15 check anna moderns
            18 walk anna moderns masters
            20 walk anna masters lobby
            17 lock-up anna
            root 0
            0 round anna -> round-next 1 2 3
            1 go anna lobby -> go-nowhere
            2 see-to anna lobby -> see-to-quiet-room 4
            3 round anna -> round-next 5 6 7
            5 go anna masters -> go-next-door 8
            6 see-to anna masters -> see-to-alarm 9 10
            7 round anna -> round-next 11 12 13
            11 go anna moderns -> go-next-door 14
            12 see-to anna moderns -> see-to-quiet-room 15
            13 round anna -> round-done 16 17
            16 go anna lobby -> go-through 18 19
            19 go anna lobby -> go-next-door 20
            <==
            cost 9
        "#]],
    );
}

#[test]
fn no_round_without_a_lamp() {
    solve(
        "museum",
        "problem-2",
        expect![[r#"
            NoPlan
        "#]],
    );
}

#[test]
fn two_loaves_at_once() {
    solve(
        "bakery",
        "problem-1",
        expect![[r#"
            ==>
            4 mix rye pot
            5 mix wheat tub
            6 heat stone
            7 heat iron
            8 prove rye pot
            9 prove wheat tub
            10 bake rye stone large
            11 bake wheat iron small
            2 sell wheat
            3 sell rye
            root 1 2 3
            1 bake-two rye wheat -> bake-two-at-once 4 5 6 7 8 9 10 11
            <==
            cost 205
        "#]],
    );
}

#[test]
fn a_variable_in_the_initial_network() {
    solve(
        "bakery",
        "problem-2",
        expect![[r#"
        ==>
        3 mix roll tub
        4 heat stone
        5 prove roll tub
        6 bake roll stone small
        2 sell roll
        root 1 2
        1 bake-one roll -> bake-by-hand 3 4 5 6
        <==
        cost 90
    "#]],
    );
}

#[test]
fn players_of_two_types() {
    solve(
        "orchestra",
        "problem-1",
        expect![[r#"
            ==>
            6 tune Clara
            7 sit Clara desk
            10 tune Dora
            11 sit Dora chair1
            14 tune Emil
            15 sit Emil chair2
            root 1 2 3
            1 fill desk -> fill-with-strings 4 5
            2 fill chair1 -> fill-with-anyone 8 9
            3 fill chair2 -> fill-with-anyone 12 13
            4 call Clara -> call-by-name
            5 seat Clara desk -> seat-in-front 6 7
            8 call Dora -> call-by-name
            9 seat Dora chair1 -> seat-and-tune 10 11
            12 call Emil -> call-by-name
            13 seat Emil chair2 -> seat-and-tune 14 15
            <==
            cost 6
        "#]],
    );
}

#[test]
fn type_without_objects() {
    solve(
        "orchestra",
        "problem-2",
        expect![[r#"
        NoPlan
    "#]],
    );
}

#[test]
fn plans_for_a_goal_without_a_hierarchy() {
    solve(
        "canal",
        "problem-1",
        expect![[r#"
            ==>
            0 fill low
            1 pass otter low high
            root 0 1
            <==
            cost 2
        "#]],
    );
}

#[test]
fn goal_that_already_holds_needs_no_steps() {
    solve(
        "canal",
        "problem-2",
        expect![[r#"
            ==>
            root
            <==
            cost 0
        "#]],
    );
}
