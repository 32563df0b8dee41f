//! Plans, and the outcomes of searches.

use expect_test::{Expect, expect};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{
    Budget, Engine, Limit, NodeKind, Outcome, Plan, Progress, Search, plan, validate,
};
use testkit::domain::{document, example};

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// Every plan is validated.
fn outcome(document: &Document, scenario: &str, budget: Budget) -> Outcome {
    let problem = compile(&Domain::from(document), &name(scenario));
    let outcome = plan(&problem, budget);
    if let Outcome::Plan(plan) = &outcome {
        assert_eq!(
            validate(&Domain::from(document), &name(scenario), plan),
            Ok(())
        );
    }
    outcome
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Plan(plan) => {
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            format!("{} (cost {})", steps.join(", "), plan.cost)
        }
        other => format!("{other:?}"),
    }
}

fn check(document: &Document, scenario: &str, expected: Expect) {
    expected.assert_eq(&shown(&outcome(document, scenario, Budget::default())));
}

#[test]
fn ball_in_the_box() {
    let document = example("ball-in-the-box");
    check(
        &document,
        "case-1-box-open",
        expect!["walk-to(box), take-ball (cost 2)"],
    );
    check(
        &document,
        "case-2-box-closed",
        expect!["walk-to(box), open-box, take-ball (cost 3)"],
    );
    check(
        &document,
        "case-3-key-in-the-drawer",
        expect![
            "walk-to(box), walk-to(drawer), pick-up(key), walk-to(box), unlock-box, open-box, take-ball (cost 7)"
        ],
    );
    check(
        &document,
        "case-4-hammer-in-the-shed",
        expect![
            "walk-to(box), walk-to(shed), pick-up(hammer), walk-to(box), smash-box, take-ball (cost 10)"
        ],
    );
    check(
        &document,
        "case-5-the-box-slams-shut",
        expect!["walk-to(box), take-ball (cost 2)"],
    );
    check(&document, "case-6-no-way-in", expect!["NoPlan"]);
}

const COUNTER: &str = "
number n integer 0..5000
fact on
primitive up
  eff n += 1
primitive down
  eff n -= 1
primitive switch
  eff on
  eff not on
compound fill
  block a begin
  block b branch n >= 1000
  block c end
  block d task up
  block e task fill
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
compound loop
  sequence switch; loop
compound itself
  sequence itself
compound climb
  sequence up; climb
scenario deep
  task fill
scenario shallow
  initial n = 998
  task fill
scenario circle
  initial on
  task loop
scenario at-once
  task itself
scenario endless
  task climb
scenario range
  task down
scenario goal
  task up
  task up
  goal n = 2 and not on
scenario other-goal
  task up
  goal n = 2 and not on
scenario nothing
";

/// Two recursions that alternate; what follows each of their turns waits until the end.
#[cfg(not(target_arch = "wasm32"))]
const TURNS: &str = "
number n integer 0..1000000
number m integer 0..1000000
number most integer 0..1000000
fact left-is-done
primitive go-left
  pre not left-is-done
  eff left-is-done
  eff n += 1
primitive go-right
  pre left-is-done
  eff not left-is-done
  eff m += 1
primitive back
compound left
  block a begin
  block b branch n >= most
  block c end
  block d task go-left
  block e task left
  block f task back
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
  wire e.out -> f
compound right
  block a begin
  block b branch m >= most
  block c end
  block d task go-right
  block e task right
  block f task back
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
  wire e.out -> f
compound both
  block a begin
  block b task left
  block c task right
  wire a.out -> b
  wire a.out -> c
";

/// Returns the processor time of a search with this many turns, in seconds.
#[cfg(not(target_arch = "wasm32"))]
fn time_of_turns(turns: u32) -> f64 {
    let text = format!("{TURNS}scenario s\n  initial most = {turns}\n  task both\n");
    let document = document(&text);
    let problem = compile(&Domain::from(&document), &name("s"));
    let budget = Budget {
        depth: u32::MAX,
        memory: u64::MAX,
        ..Budget::default()
    };
    let mut search = Search::new(&problem, budget, 0);
    let begun = cpu_time::ThreadTime::now();
    while search.step(100_000) == Progress::Running {}
    let time = begun.elapsed();
    let Some(Outcome::Plan(plan)) = search.outcome() else {
        panic!("{:?}", search.outcome());
    };
    assert_eq!(plan.steps.len(), 4 * turns as usize);
    time.as_secs_f64()
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn waiting_tasks_do_not_slow_decisions() {
    let (short, long) = (time_of_turns(4_000), time_of_turns(64_000));
    println!("{short:.3} s, {long:.3} s");
    assert!(long < 50.0 * short, "{short:.3} s, then {long:.3} s");
}

#[test]
fn recursion_terminates() {
    let document = document(COUNTER);
    check(&document, "shallow", expect!["up, up (cost 2)"]);
    check(&document, "circle", expect!["NoPlan"]);
    check(&document, "at-once", expect!["NoPlan"]);
    check(&document, "endless", expect!["GaveUp(Depth)"]);
    let Outcome::Plan(plan) = outcome(&document, "deep", Budget::default()) else {
        panic!("there is a plan");
    };
    assert_eq!(plan.steps.len(), 1000);
    assert_eq!(plan.nodes.len(), 2001);
}

#[test]
fn respects_budgets() {
    let document = document(COUNTER);
    let spent = |budget: Budget| {
        let problem = compile(&Domain::from(&document), &name("endless"));
        let mut search = Search::new(&problem, budget, 0);
        let mut slices = 0;
        while search.step(100) == Progress::Running {
            assert_eq!(search.outcome(), None);
            slices += 1;
        }
        let used = search.statistics();
        assert!(used.memory <= budget.memory, "{used:?}");
        assert!(used.nodes <= budget.nodes + 1, "{used:?}");
        assert!(used.depth <= budget.depth, "{used:?}");
        (search.outcome(), slices > 1)
    };
    let budget = Budget {
        nodes: 1000,
        ..Budget::default()
    };
    assert_eq!(spent(budget), (Some(Outcome::GaveUp(Limit::Nodes)), true));
    let budget = Budget {
        depth: 10,
        ..Budget::default()
    };
    assert_eq!(spent(budget), (Some(Outcome::GaveUp(Limit::Depth)), false));
    let budget = Budget {
        memory: 200_000,
        ..Budget::default()
    };
    assert_eq!(spent(budget), (Some(Outcome::GaveUp(Limit::Memory)), true));
}

#[test]
fn numbers_goals_and_empty_networks() {
    let document = document(COUNTER);
    check(&document, "range", expect!["NoPlan"]);
    check(&document, "goal", expect!["up, up (cost 2)"]);
    check(&document, "other-goal", expect!["NoPlan"]);
    check(&document, "nothing", expect![" (cost 0)"]);
    check(&document, "unknown", expect![" (cost 0)"]);
}

const KITCHEN: &str = "
type dish
object cup: dish
object plate: dish
object tray: dish
fact clean(?d: dish)
fact wet
number weight(?d: dish)
value held: dish
primitive wash(?d: dish)
  pre not clean(?d)
  eff clean(?d)
  eff wet
primitive dry
  pre wet
  eff not wet
primitive hold(?d: dish)
  pre clean(?d)
  eff held := ?d
  cost weight(?d) / 2
compound both
  block a begin
  block b task dry
  block c task wash(cup)
  wire a.out -> b
  wire a.out -> c
compound heaviest
  block a begin
  block b bind ?d: dish where clean(?d) by -weight(?d)
  block c task hold(?d)
  wire a.out -> b
  wire b.out -> c
compound any
  block a begin
  block b bind ?d: dish where not clean(?d)
  block c task wash(?d)
  block d task hold(?d)
  block e task heaviest
  wire a.out -> b
  wire b.out -> c
  wire b.out -> d
  wire d.out -> e
compound guarded
  block a begin
  block b branch wet
  block c task dry
  wire a.out -> b
  wire b.true -> c
scenario unordered
  task both
scenario by-weight
  initial clean(cup)
  initial clean(plate)
  initial clean(tray)
  initial weight(cup) = 1
  initial weight(plate) = 3
  initial weight(tray) = 3
  task heaviest
scenario bound
  initial clean(cup)
  initial weight(tray) = 7
  task any
scenario guard
  task guarded
scenario unreadable
  task heaviest(
";

#[test]
fn unordered_tasks_and_bindings() {
    let document = document(KITCHEN);
    check(&document, "unordered", expect!["wash(cup), dry (cost 2)"]);
    check(&document, "by-weight", expect!["hold(plate) (cost 1.5)"]);
    check(
        &document,
        "bound",
        expect!["wash(plate), hold(plate), hold(cup) (cost 1)"],
    );
    check(&document, "guard", expect!["NoPlan"]);
    check(&document, "unreadable", expect!["NotPlanned(Unreadable)"]);
}

#[test]
fn planning_continues_while_the_designer_types() {
    let texts = [
        "primitive a\n  pre on and\n",
        "primitive a\n  eff on and\n",
        "primitive a\n  cost 3 +\n",
        "compound a\n  block x begin\n  block y branch onn\n  block z end\n  wire x.out -> y\n  wire y.false -> z\n  wire y.true -> z\n",
        "compound a\n  block x begin\n  block y task walk(\n  wire x.out -> y\n",
        "compound a\n  block x begin\n  block y task walk(\n",
        "compound a\n  block y end\n",
        "condition c: not c\nprimitive a\n  pre not c\n",
    ];
    let outcomes = texts.map(|text| {
        let document = document(&format!("fact on\n{text}scenario s\n  task a\n"));
        shown(&outcome(&document, "s", Budget::default()))
    });
    expect![[r#"
        NoPlan
        a (cost 1)
        a (cost 1)
        NoPlan
        NoPlan
         (cost 0)
        NoPlan
        NoPlan"#]]
    .assert_eq(&outcomes.join("\n"));
}

#[test]
fn plans_record_their_derivation() {
    let document = document(KITCHEN);
    let Outcome::Plan(plan) = outcome(&document, "bound", Budget::default()) else {
        panic!("there is a plan");
    };
    expect![[r#"
        0 any: before step 0, a b c d e (a.out -> b, b.out -> c, b.out -> d, d.out -> e), children [1, 2, 3], b: ?d = plate
        1 wash(plate) of 0 by c: step after [], cost 1, clean(plate): false -> true, wet: false -> true
        2 hold(plate) of 0 by d: step after [], cost 0, held: none -> plate
        3 heaviest of 0 by e: before step 2, a b c (a.out -> b, b.out -> c), children [4], b: ?d = cup
        4 hold(cup) of 3 by c: step after [1], cost 0, held: plate -> cup
    "#]].assert_eq(&tree(&plan));
}

fn tree(plan: &Plan) -> String {
    let mut out = String::new();
    for (number, node) in plan.nodes.iter().enumerate() {
        out += &format!("{number} {}", node.task);
        if let (Some(parent), Some(block)) = (node.parent, &node.block) {
            out += &format!(" of {parent} by {block}");
        }
        match &node.kind {
            NodeKind::Pending => out += ": pending",
            NodeKind::Step(step) => {
                let step = &plan.steps[*step];
                out += &format!(": step after {:?}, cost {}", step.after, step.cost);
                for change in &step.changes {
                    out += &format!(", {}: {} -> {}", change.atom, change.before, change.after);
                }
            }
            NodeKind::Decomposed(method) => {
                let blocks: Vec<&str> = method.blocks.iter().map(|b| b.as_str()).collect();
                let wires: Vec<String> = method.wires.iter().map(|w| w.to_string()).collect();
                out += &format!(
                    ": before step {}, {} ({}), children {:?}",
                    method.at,
                    blocks.join(" "),
                    wires.join(", "),
                    method.children
                );
                for (block, variable, object) in &method.bindings {
                    out += &format!(", {block}: ?{variable} = {object}");
                }
            }
        }
        out += "\n";
    }
    out
}

#[test]
fn gives_up_on_large_problems() {
    let objects: String = (0..40).map(|n| format!("object o{n}\n")).collect();
    let text = format!(
        "{objects}
fact a(?x)
primitive asked
  pre not exists ?p, ?q, ?r, ?s, ?t, ?u. a(?p) and a(?q) and a(?r) and a(?s) and a(?t) and a(?u)
compound bound
  block s begin
  block t bind ?p
  block u bind ?q
  block v bind ?r
  block w branch a(?p) and a(?q) and a(?r)
  block x end
  wire s.out -> t
  wire t.out -> u
  wire u.out -> v
  wire v.out -> w
  wire w.true -> x
scenario asked
  task asked
scenario bound
  task bound
"
    );
    let document = document(&text);
    let budget = Budget {
        nodes: 10_000,
        ..Budget::default()
    };
    for scenario in ["asked", "bound"] {
        let outcome = outcome(&document, scenario, budget);
        assert_eq!(outcome, Outcome::GaveUp(Limit::Nodes), "{scenario}");
    }
}

/// A fact that is unknown at first is false in the problem, however its initial value is spelled.
#[test]
fn unknown_facts_are_false_at_first() {
    for initial in ["door(north)", "door( north )", "door(NORTH)"] {
        for (unknown, has_plan) in [(false, true), (true, false)] {
            let text = format!(
                r#"{{ "taskloom": 4,
                "objects": {{ "north": {{ "type": "object" }} }},
                "facts": {{ "door": {{ "params": ["?d: object"], "source": "sensor" }} }},
                "primitive_tasks": {{ "leave": {{ "preconditions": ["door(north)"] }} }},
                "agents": {{ "guest": {{ "senses": [{{ "fact": "door", "every": 1, "unknown": {unknown} }}] }} }},
                "scenarios": {{ "s": {{ "initial": ["{initial}"], "cast": [{{ "agent": "guest", "tasks": ["leave"] }}] }} }} }}"#
            );
            let document = Document::from_json(&text).expect("a document");
            let problem = compile(&Domain::from(&document), &name("s"));
            let outcome = plan(&problem, Budget::default());
            let planned = matches!(outcome, Outcome::Plan(_));
            assert_eq!(
                planned, has_plan,
                "{initial}, unknown: {unknown}: {outcome:?}"
            );
        }
    }
}
