//! Plans of other planners: valid ones, and the first error in others.

use expect_test::{Expect, expect};
use taskloom_domain::Domain;
use taskloom_hddl::import::{plan_of_file, read_planning_files};
use taskloom_hddl::syntax::{position, read_plan};

use crate::examples::texts;

/// Returns the result of validating a plan for one of the project's own problems.
fn judge(domain: &str, problem: &str, plan: &str, expected: Expect) {
    let (domain, problem) = texts(domain, problem);
    let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
    let read = read_plan(plan);
    let mut shown = String::new();
    for error in &read.errors {
        let at = position(plan, error.span.start as usize);
        shown += &format!("{}:{} {}\n", at.line, at.column, error.message);
    }
    let (document, scenario) = (&imported.document, &imported.scenario);
    shown += &match plan_of_file(
        &read.plan,
        &Domain::from(document),
        scenario,
        &imported.names,
    ) {
        Ok(plan) => format!("valid, at a cost of {}\n", plan.cost),
        Err(wrong) => format!("{wrong}\n"),
    };
    expected.assert_eq(&shown);
}

/// A plan for two loaves, in another order than ours, with words around it.
const LOAVES: &str = "\
found in 3 s
==>
11 heat iron
10 mix wheat pot
12 prove wheat pot
13 bake wheat iron small
14 mix rye tub
15 prove rye tub
16 heat stone
17 bake rye stone large
3 sell wheat
4 sell rye
root 2 3 4
2 bake-two rye wheat -> bake-two-at-once 14 10 15 12 16 11 17 13
<==
bye
";

fn loaves(from: &str, to: &str, expected: Expect) {
    assert!(LOAVES.contains(from), "{from}");
    judge("bakery", "problem-1", &LOAVES.replace(from, to), expected);
}

#[test]
fn accepts_any_order_that_the_method_allows() {
    loaves(
        "bye",
        "",
        expect![[r#"
        valid, at a cost of 205
    "#]],
    );
    loaves(
        "10 mix wheat pot\n12 prove wheat pot\n",
        "12 prove wheat pot\n10 mix wheat pot\n",
        expect![[r#"
            step 2: 'prove(wheat, pot)' comes before 'mix(wheat, pot)' is done
        "#]],
    );
    loaves(
        "3 sell wheat\n4 sell rye\n",
        "4 sell rye\n3 sell wheat\n",
        expect![[r#"
            valid, at a cost of 205
        "#]],
    );
    loaves(
        "17 bake rye stone large\n3 sell wheat\n",
        "3 sell wheat\n17 bake rye stone large\n",
        expect![[r#"
            step 8: 'sell(wheat)' comes before 'bake-two(rye, wheat)' is done
        "#]],
    );
}

#[test]
fn ignores_empty_lines() {
    loaves(
        "root 2 3 4",
        "root two 3 4",
        expect![[r#"
            13:6 expected the id of a task, found 'two'
            the initial tasks don't match: there are 3, but the plan lists 2
        "#]],
    );
    loaves(
        "root 2 3 4\n",
        "",
        expect![[r#"
            15:1 expected a line 'root' with the ids of the initial tasks
            the initial tasks don't match: there are 3, but the plan lists 0
        "#]],
    );
    loaves(
        "<==",
        "",
        expect![[r#"
        16:1 expected the id of a task, found 'bye'
        17:1 expected a line '<==' at the end of the plan
        valid, at a cost of 205
    "#]],
    );
    loaves(
        "-> bake-two-at-once 14 10 15 12 16 11 17 13",
        "->",
        expect![[r#"
            14:1 expected a method after '->'
            the initial tasks don't match: no unused task has the id 2
        "#]],
    );
}

#[test]
fn reports_malformed_trees() {
    loaves(
        "root 2 3 4",
        "root 2 3",
        expect![[r#"
            the initial tasks don't match: there are 3, but the plan lists 2
        "#]],
    );
    loaves(
        "root 2 3 4",
        "root 2 4 3",
        expect![[r#"
            valid, at a cost of 205
        "#]],
    );
    loaves(
        "11 heat iron",
        "10 heat iron",
        expect![[r#"
        two tasks have the id 10
    "#]],
    );
    loaves(
        "16 11 17 13",
        "16 16 17 13",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': no unused task has the id 16
        "#]],
    );
    loaves(
        "16 11 17 13",
        "16 99 17 13",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': no unused task has the id 99
        "#]],
    );
    loaves(
        "17 13",
        "13 17",
        expect![[r#"
            valid, at a cost of 205
        "#]],
    );
    loaves(
        "17 13",
        "17",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': its method 'bake-two-at-once' has 8 subtasks, but the plan lists 7
        "#]],
    );
    loaves(
        "-> bake-two-at-once",
        "-> bake-by-hand",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': it has no method 'bake-by-hand'
        "#]],
    );
    loaves(
        "bake-two rye wheat ->",
        "bake-two rye rye ->",
        expect![[r#"
            the initial tasks don't match: no task that the plan lists fits the subtask 'bake-two(rye, wheat)'
        "#]],
    );
    loaves(
        "11 heat iron",
        "11 heat tub",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': no task that the plan lists fits the subtask 'bake(?b, ?ob, ?sb)'
        "#]],
    );
    loaves(
        "11 heat iron",
        "11 heat kettle",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': no object is called 'kettle'
        "#]],
    );
    loaves(
        "11 heat iron",
        "11 boil iron",
        expect![[r#"
            decomposition of 'bake-two(rye, wheat)': no task is called 'boil'
        "#]],
    );
}

#[test]
fn reports_conditions_that_do_not_hold() {
    let round = "\
==>
1 walk ben lobby cellar
root 0
0 round ben -> round-next 2 3 4
2 go ben cellar -> go-next-door 1
3 see-to ben cellar -> see-to-quiet-room 5
5 check ben cellar
4 round ben -> round-done 6 7
6 go ben lobby -> go-nowhere
7 lock-up ben
<==
";
    judge(
        "museum",
        "problem-2",
        round,
        expect![[r#"
            step 1: 'walk(ben, lobby, cellar)' can't start: this condition is false: not dark(cellar) or has-lamp(ben) (dark(cellar) is true, has-lamp(ben) is false)
        "#]],
    );
    let round = "\
==>
5 check ben cellar
7 lock-up ben
root 0
0 round ben -> round-next 2 3 4
2 go ben cellar -> go-nowhere
3 see-to ben cellar -> see-to-quiet-room 5
4 round ben -> round-done 6 7
6 go ben lobby -> go-nowhere
<==
";
    judge(
        "museum",
        "problem-2",
        round,
        expect![[r#"
            step 1: method 'go-nowhere' of 'go(ben, cellar)' is not applicable: 'in(ben, cellar)' does not hold
        "#]],
    );
    let done = "==>\n7 lock-up ben\nroot 0\n0 round ben -> round-done 6 7\n6 go ben lobby -> go-nowhere\n<==\n";
    judge(
        "museum",
        "problem-2",
        done,
        expect![[r#"
            step 1: method 'round-done' of 'round(ben)' is not applicable: 'checked(cellar)' does not hold
        "#]],
    );
}

#[test]
fn reports_missed_goals() {
    judge(
        "canal",
        "problem-1",
        "==>\nroot\n<==\n",
        expect![[r#"
        at the end, 'at(otter, high)' does not hold
    "#]],
    );
}
