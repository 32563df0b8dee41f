//! Aggregates and functions: in checks, plans, edits and exports.

use expect_test::{Expect, expect};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Edit, Name};
use taskloom_domain::Domain;
use taskloom_hddl::export::{export, export_full};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan, validate};
use testkit::domain::document;

const UNITS: &str = "
type unit
object a: unit
object b: unit
object c: unit
fact idle(?u: unit)
number hp(?u: unit) 0..100
number morale
condition weak(?u: unit): hp(?u) < 3
primitive hit(?u: unit)
  pre hp(?u) > 0
  eff hp(?u) -= min(2, hp(?u))
  eff morale += count ?v: unit. weak(?v)
  cost 1 + max ?v: unit. hp(?v) of (?v != ?u) / 10
primitive rest
  pre count ?v: unit. weak(?v) >= 2
  pre sum ?v: unit. hp(?v) of not idle(?v) < 20
  eff morale := floor(sqrt(morale * morale + 1))
compound go
  block k0 begin
  block k1 branch count ?u: unit. (not weak(?u)) >= 2
  block k2 bind ?t: unit where hp(?t) = max ?v: unit. hp(?v) by count ?v: unit. (hp(?v) > hp(?t))
  block k3 task hit(?t)
  block k4 task go
  block k5 task rest
  wire k0.out -> k1
  wire k1.true -> k2
  wire k2.out -> k3
  wire k3.out -> k4
  wire k1.false -> k5
scenario s
  initial hp(a) = 5
  initial hp(b) = 3
  initial hp(c) = 6
  task go
  goal morale = 1
";

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn planned(document: &Document, expected: Expect) {
    let outcome = plan(
        &compile(&Domain::from(document), &name("s")),
        Budget::default(),
    );
    let shown = match &outcome {
        Outcome::Plan(plan) => {
            assert_eq!(validate(&Domain::from(document), &name("s"), plan), Ok(()));
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            format!("{} (cost {})", steps.join(", "), plan.cost)
        }
        other => format!("{other:?}"),
    };
    expected.assert_eq(&shown);
}

#[test]
fn plans_use_aggregates_and_the_validator_agrees() {
    let document = document(UNITS);
    assert_eq!(taskloom_domain::check::check(&Domain::from(&document)), []);
    planned(
        &document,
        expect!["hit(c), hit(a), hit(c), hit(a), rest (cost 6.5)"],
    );
}

#[test]
fn aggregate_over_its_own_condition_is_recursive() {
    let text = UNITS.replace(
        "hp(?u) < 3",
        "hp(?u) < max(3, count ?v: unit. strong(?v))\ncondition strong(?u: unit): sum ?v: unit. 1 of weak(?v) > 1",
    );
    let found = taskloom_domain::check::check(&Domain::from(&document(&text)));
    let found: Vec<String> = found.iter().map(|d| d.message.clone()).collect();
    expect![[r#"
        'strong' calls itself: strong, weak, strong.
        'weak' calls itself: weak, strong, weak."#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn renames_references_inside_aggregates() {
    let mut after = document(UNITS);
    for (from, to) in [
        ("fact:hp", "max"),
        ("condition:weak", "of"),
        ("type:unit", "min"),
        ("object:a", "sum"),
    ] {
        let edit = Edit::Rename(from.parse().expect("a record"), name(to));
        after = after.apply(&edit).expect("an edit");
    }
    assert_eq!(taskloom_domain::check::check(&Domain::from(&after)), []);
    let hit = &after.primitive_tasks[&name("hit")];
    expect!["1 + max ?v: min. max(?v) of (?v != ?u) / 10 | morale += count ?v: min. of(?v)"]
        .assert_eq(&format!("{} | {}", hit.cost, hit.effects[1].text));
    planned(
        &after,
        expect!["hit(c), hit(sum), hit(c), hit(b), rest (cost 6.5)"],
    );
}

#[test]
fn a_fact_cannot_take_the_name_of_a_function_that_is_used() {
    let edit = Edit::Rename("fact:hp".parse().expect("a record"), name("Min"));
    let refused = document(UNITS).apply(&edit).expect_err("it is refused");
    let expected =
        "cannot use the name 'Min': it would change the meaning of the primitive task 'hit'";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn hddl_export_reports_unsupported_aggregates() {
    let refused = |text: &str, is_full: bool| {
        let write = if is_full { export_full } else { export };
        let refused = write(
            &Domain::from(&document(text)),
            Some(&name("s")),
            &Stop::default(),
        );
        refused.expect_err("it is refused")[0].to_string()
    };
    expect!["error[export] compound:go: block k1 of compound task 'go' can't be exported: HDDL can't express aggregates such as 'count' and 'sum'"].assert_eq(&refused(UNITS, false));
    let functions = "number n\nprimitive p\n  eff n := abs(n)\nscenario s\n  task p\n";
    expect!["error[export] primitive:p: effect 1 of primitive task 'p' can't be exported: HDDL can't express numeric functions such as 'min' and 'sqrt'"].assert_eq(&refused(functions, false));
    expect!["error[export] primitive:p: full HDDL can't express numeric functions such as 'min' and 'sqrt'"].assert_eq(&refused(functions, true));
    let counts = functions.replace("abs(n)", "count ?o: object. (n = 0)");
    expect![
        "error[export] primitive:p: full HDDL can't express aggregates such as 'count' and 'sum'"
    ]
    .assert_eq(&refused(&counts, true));
}
