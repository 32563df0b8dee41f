//! The validator finds the errors in a plan.

use std::sync::Arc;

use expect_test::{Expect, expect};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_domain::lang::Env;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{
    Budget, Decomposed, Invalid, NodeKind, Outcome, Plan, Validation, Validator, Value, World,
    plan, validate,
};
use testkit::domain::{document, example};

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn decomposed(plan: &mut Plan, node: usize) -> &mut Decomposed {
    match &mut plan.nodes[node].kind {
        NodeKind::Decomposed(decomposed) => decomposed,
        NodeKind::Step(_) | NodeKind::Pending => panic!("node {node} is not decomposed"),
    }
}

fn edit<T: Clone>(shared: &mut Arc<[T]>, change: impl FnOnce(&mut Vec<T>)) {
    let mut own = shared.to_vec();
    change(&mut own);
    *shared = own.into();
}

/// Returns the validator's result if each of its steps checks one piece of the plan.
fn validated_in_pieces(document: &Document, scenario: &Name, plan: &Plan) -> Result<(), Invalid> {
    let domain = Domain::from(document);
    let scene = domain.scene_or_empty(scenario);
    let validator = Validator::new(World::initial(&domain, &scene));
    let world = validator.world();
    let tasks = scene.record.tasks.iter().map(|text| {
        let call = world.task(text)?;
        world.ground(&call, &Env::new())
    });
    let mut validation = Validation::new(plan, world.values().clone(), tasks.collect());
    let mut steps = 0;
    loop {
        steps += 1;
        if let Some(validated) = validation.step(&validator, plan, 1) {
            assert!(validated.is_err() || steps > plan.nodes.len() * 5);
            return validated;
        }
    }
}

/// Finds the scenario's plan, corrupts it, and shows the validator's error.
#[track_caller]
fn check(document: &Document, scenario: &str, spoil: impl Fn(&mut Plan), expected: Expect) {
    let scenario = name(scenario);
    let outcome = plan(
        &compile(&Domain::from(document), &scenario),
        Budget::default(),
    );
    let Outcome::Plan(mut plan) = outcome else {
        panic!("there is a plan");
    };
    assert_eq!(validate(&Domain::from(document), &scenario, &plan), Ok(()));
    assert_eq!(validated_in_pieces(document, &scenario, &plan), Ok(()));
    spoil(Arc::make_mut(&mut plan));
    let invalid = validate(&Domain::from(document), &scenario, &plan).expect_err("it was spoilt");
    let in_pieces = validated_in_pieces(document, &scenario, &plan);
    assert_eq!(in_pieces.as_ref(), Err(&invalid));
    expected.assert_eq(&invalid.to_string());
}

const KEY: &str = "case-3-key-in-the-drawer";

#[test]
fn rejects_damaged_replays() {
    let document = example("ball-in-the-box");
    let check = |spoil: fn(&mut Plan), expected| check(&document, KEY, spoil, expected);
    check(
        |plan| plan.cost = 3.0,
        expect!["the steps cost 7, but the plan says 3"],
    );
    check(
        |plan| plan.steps[2].cost = 0.0,
        expect!["step 3: it costs 1, not 0"],
    );
    check(
        |plan| plan.steps[0].changes.truncate(1),
        expect!["step 1: it changes 'at(box) = true, at(table) = false', not 'at(table) = false'"],
    );
    check(
        |plan| plan.steps[2].changes[0].after = Value::Number(1.0),
        expect![
            "step 3: it changes 'has(key) = true, item_at(key, drawer) = false', not 'has(key) = true, item_at(key, drawer) = 1'"
        ],
    );
    check(
        |plan| {
            // Walks to the shed instead, in both tree and steps.
            let node = plan.steps[1].node;
            plan.nodes[node].task.args = vec![name("shed")];
            plan.steps[1].task.args = vec![name("shed")];
        },
        expect!["decomposition of 'get-key': 'walk-to(shed)' is where 'walk-to(drawer)' should be"],
    );
    check(
        |plan| {
            let node = plan.steps[1].node;
            plan.nodes[node].task.args = vec![name("key")];
            plan.steps[1].task.args = vec![name("key")];
        },
        expect!["decomposition of 'get-key': 'walk-to(key)' is where 'walk-to(drawer)' should be"],
    );
}

#[test]
fn rejects_damaged_trees() {
    let document = example("ball-in-the-box");
    let check = |spoil: fn(&mut Plan), expected| check(&document, KEY, spoil, expected);
    check(
        |plan| plan.roots.clear(),
        expect!["the roots aren't the tasks without a parent"],
    );
    check(
        |plan| plan.nodes[1].parent = None,
        expect!["the roots aren't the tasks without a parent"],
    );
    check(
        |plan| plan.nodes[2].parent = Some(5),
        expect!["'get-key' comes before its parent in the tree"],
    );
    check(
        |plan| plan.steps.swap(0, 1),
        expect!["step 1: its node in the tree belongs to another task"],
    );
    check(
        |plan| {
            plan.steps.pop();
        },
        expect!["'take-ball' is in the tree, but isn't one of the steps"],
    );
    check(
        |plan| {
            decomposed(plan, 0).children.pop();
        },
        expect!["the subtasks of 'get-ball' aren't its children"],
    );
    check(
        |plan| plan.nodes[0].task.task = name("get-key"),
        expect!["the plan does 'get-key', but the scenario says 'get-ball'"],
    );
    check(
        |plan| decomposed(plan, 2).at = 0,
        expect!["'get-key' comes before 'walk-to(box)' is done"],
    );
    check(
        |plan| decomposed(plan, 2).at = 99,
        expect!["'get-key' is decomposed after the end of the plan"],
    );
    check(
        |plan| plan.steps[3].after.clear(),
        expect!["step 4: its stated order doesn't match the flowcharts"],
    );
    check(
        |plan| plan.steps[3].after = vec![5],
        expect!["step 4: it waits for the later step 6"],
    );
}

#[test]
fn rejects_damaged_resolutions() {
    let document = example("ball-in-the-box");
    let check = |spoil: fn(&mut Plan), expected| check(&document, KEY, spoil, expected);
    check(
        |plan| {
            edit(&mut decomposed(plan, 0).wires, |wires| drop(wires.pop()));
        },
        expect!["decomposition of 'get-ball': no wire leads to block bmveiztg"],
    );
    check(
        |plan| {
            let wires = &mut decomposed(plan, 0).wires;
            edit(wires, |wires| wires.push(wires[0].clone()));
        },
        expect!["decomposition of 'get-ball': the wire 'dj7xax4r.out -> xkn65ny3' occurs twice"],
    );
    check(
        |plan| {
            edit(&mut decomposed(plan, 0).blocks, |blocks| {
                blocks.remove(0);
            });
        },
        expect![
            "decomposition of 'get-ball': the wire 'dj7xax4r.out -> xkn65ny3' doesn't connect two blocks in order"
        ],
    );
    check(
        |plan| edit(&mut decomposed(plan, 0).blocks, |blocks| blocks.swap(0, 1)),
        expect![
            "decomposition of 'get-ball': the wire 'dj7xax4r.out -> xkn65ny3' doesn't connect two blocks in order"
        ],
    );
    check(
        |plan| decomposed(plan, 2).bindings[0].2 = name("shed"),
        expect!["decomposition of 'get-key': 'key_at(?place)' does not hold"],
    );
    check(
        |plan| decomposed(plan, 2).bindings[0].2 = name("hammer"),
        expect!["decomposition of 'get-key': 'hammer' is not a place"],
    );
    check(
        |plan| decomposed(plan, 2).bindings.clear(),
        expect!["decomposition of 'get-key': the bindings don't match its Bind blocks"],
    );
    // The decomposition of another scenario, in which the box is open.
    let open = name("case-1-box-open");
    let outcome = plan(&compile(&Domain::from(&document), &open), Budget::default());
    let Outcome::Plan(plan) = outcome else {
        panic!("there is a plan");
    };
    let invalid =
        validate(&Domain::from(&document), &name(KEY), &plan).expect_err("the box is locked");
    expect!["decomposition of 'get-ball': the Branch 'box_open' takes the other side"]
        .assert_eq(&invalid.to_string());
}

#[test]
fn rejects_damaged_orders_and_goals() {
    let text = "
fact a
fact b
primitive one
  eff a
primitive two
  eff b
compound both
  block s begin
  block t task one
  block u task two
  wire s.out -> t
  wire s.out -> u
compound in-turn
  sequence one; two
scenario free
  task both
scenario bound
  task in-turn
";
    let mut document = document(text);
    let swap = |plan: &mut Plan| {
        plan.steps.swap(0, 1);
        for (number, step) in plan.steps.iter_mut().enumerate() {
            step.after.clear();
            plan.nodes[step.node].kind = NodeKind::Step(number);
        }
    };
    check(
        &document,
        "bound",
        swap,
        expect!["'two' comes before 'one' is done"],
    );
    // Without an order, the same exchange is a valid plan.
    let free = name("free");
    let outcome = plan(&compile(&Domain::from(&document), &free), Budget::default());
    let Outcome::Plan(mut plan) = outcome else {
        panic!("there is a plan");
    };
    swap(Arc::make_mut(&mut plan));
    assert_eq!(validate(&Domain::from(&document), &free, &plan), Ok(()));

    let scenario = document.scenarios.get_mut(&free).expect("it is there");
    Arc::make_mut(scenario).goal = "a and not b".to_owned();
    let invalid = validate(&Domain::from(&document), &free, &plan).expect_err("b holds");
    expect!["at the end, 'a and not b' does not hold"].assert_eq(&invalid.to_string());
}

#[test]
fn checks_every_decomposition_of_a_flowchart() {
    let text = "
type place
object shed: place
object well: place
fact seen(?p: place)
primitive look(?p: place)
  pre not seen(?p)
  eff seen(?p)
compound explore
  block s begin
  block n bind ?p: place where not seen(?p)
  block t task look(?p)
  wire s.out -> n
  wire n.out -> t
scenario all
  task explore
  task explore
";
    let document = document(text);
    let check = |spoil: fn(&mut Plan), expected| check(&document, "all", spoil, expected);
    check(
        |plan| decomposed(plan, 1).bindings[0].2 = name("shed"),
        expect!["decomposition of 'explore': 'not seen(?p)' does not hold"],
    );
    check(
        |plan| {
            decomposed(plan, 1).bindings.clear();
        },
        expect!["decomposition of 'explore': the bindings don't match its Bind blocks"],
    );
    check(
        |plan| {
            edit(&mut decomposed(plan, 1).wires, |wires| drop(wires.pop()));
        },
        expect!["decomposition of 'explore': no wire leads to block t"],
    );
    check(
        |plan| edit(&mut decomposed(plan, 1).blocks, |blocks| blocks.swap(1, 2)),
        expect![
            "decomposition of 'explore': the wire 'n.out -> t' doesn't connect two blocks in order"
        ],
    );
}
