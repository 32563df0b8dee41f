//! Explanations name the facts that decided, and what was not taken.

use taskloom_document::Document;
use taskloom_runtime::Entry;
use testkit::domain::document;

use super::{answer_of, of_step};
use crate::panels::why::explanation::{Explanation, explain};
use crate::session::Subject;

/// A shopkeeper who flees from a visitor, or else fills the shelf.
const SHOP: &str = "
type person
type place
object sam: person
object nick: person
object shop: place
object store: place
object street: place
sensor value at(?p: person): place
sensor number shelf integer 0..9
action Work 2
primitive go(?to: place) = Work
  eff at(?me) := ?to
primitive restock = Work
  eff shelf += 3
primitive idle = Work
compound keep
  block a begin
  block b choice flee, restock, idle
  block c bind ?t: person where at(?t) = at(?me) and ?t != ?me
  block d task go(store)
  block e branch shelf < 2
  block f task restock
  block g task idle
  wire a.out -> b
  wire b.1 -> c
  wire c.out -> d
  wire b.2 -> e
  wire e.true -> f
  wire b.3 -> g
agent keeper: person
  task keep
  again
  perception
  sense at 1
  sense shelf 1
scenario s
  initial at(sam) = shop
  initial at(nick) = street
  initial shelf = 1
  event 5 at(nick) := shop
  cast sam as keeper
";

fn explained(document: &Document, task: &str) -> (Vec<String>, Vec<String>) {
    let (domain, answer) = answer_of(document, "s");
    let Explanation {
        grounds, rejected, ..
    } = of_step(&domain, &answer, task);
    let grounds = grounds.iter().map(ToString::to_string);
    (
        grounds.collect(),
        rejected.iter().map(|one| one.text.to_string()).collect(),
    )
}

#[test]
fn branch_names_its_deciding_value_and_what_was_not_taken() {
    let (grounds, rejected) = explained(&document(SHOP), "restock");
    assert_eq!(grounds, ["shelf < 2: shelf is 1"]);
    assert_eq!(
        rejected,
        [
            "1, “flee”: keep needs at(?t) = at(?me) and ?t != ?me",
            "3, “idle”: not tried, later in the order",
        ]
    );
}

#[test]
fn bind_names_the_object_and_when_its_fact_was_noticed() {
    let (grounds, rejected) = explained(&document(SHOP), "go(store)");
    assert_eq!(
        grounds,
        ["?t = nick: at(nick) is shop, noticed at tick 5; at(sam) is shop"]
    );
    assert_eq!(
        rejected,
        ["2, “restock”; 3, “idle”: not tried, later in the order"]
    );
}

#[test]
fn alternative_that_failed_at_a_later_task_is_listed() {
    let text = SHOP.replace(
        "  block d task go(store)\n",
        "  block d task go(store)\n  block h task hide\n  wire d.out -> h\n",
    );
    let text = text.replace(
        "compound keep",
        "primitive hide\n  pre at(?me) = street\ncompound keep",
    );
    let text = text.replace("initial at(nick) = street", "initial at(nick) = shop");
    let (_, rejected) = explained(&document(&text), "restock");
    assert_eq!(
        rejected,
        [
            "1, “flee”: led to no plan",
            "3, “idle”: not tried, later in the order",
        ]
    );
}

/// A shopkeeper who decides only the next step: restocking is one step of what it decided before.
const REACTIVE: &str = "
object sam: object
sensor number shelf integer 0..9
action Work 2
primitive restock = Work
  eff shelf += 3
primitive clean = Work
primitive idle = Work
compound keep
  block a begin
  block b branch shelf < 5
  block c task restock
  block d task clean
  block e task idle
  wire a.out -> b
  wire b.true -> c
  wire c.out -> d
  wire b.false -> e
agent keeper: object
  task keep
  reactive
  again
scenario s
  initial shelf = 1
  cast sam as keeper
";

#[test]
fn step_below_a_task_under_way_names_the_planning_that_decided() {
    let (domain, answer) = answer_of(&document(REACTIVE), "s");
    let steps = (0..4).map(|at| {
        let subject = Subject::Entry(Entry::Step(at));
        let step = explain(&domain, &answer, subject).expect("a step");
        let grounds = step.grounds.iter().map(ToString::to_string);
        (step.title, step.decided_at, grounds.collect::<Vec<_>>())
    });
    let [restock, clean] = ["restock", "clean"].map(|task| format!("Why does sam {task}?"));
    let [first, second] = [1, 4].map(|shelf| vec![format!("shelf < 5: shelf is {shelf}")]);
    assert_eq!(
        Vec::from_iter(steps),
        [
            (restock.clone(), None, first.clone()),
            (clean.clone(), Some(0), first),
            (restock, None, second.clone()),
            (clean, Some(5), second),
        ]
    );
}
