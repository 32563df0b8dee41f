//! What the strategy `any` finds, and how much it has to look at.

use taskloom_core::compile::compile;
use taskloom_core::document::{Document, Name};
use taskloom_core::plan::{Budget, Outcome, Progress, any, validate};

mod domain;
use domain::document;

/// Searches in the smallest slices: the steps of the plan, which is validated, or
/// how else it ended, and how many slices that took.
fn run(document: &Document, grounded: bool) -> (String, u32) {
    let scenario = Name::new("s").expect("a name");
    let problem = compile(document, &scenario).problem;
    let mut search = match grounded {
        true => any::Search::grounded(&problem, Budget::default()),
        false => any::Search::new(&problem, Budget::default()),
    };
    let mut slices = 1;
    while search.step(1) == Progress::Running {
        slices += 1;
    }
    let shown = match search.outcome() {
        Some(Outcome::Plan(plan)) => {
            assert_eq!(validate(document, &scenario, &plan), Ok(()));
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            steps.join(", ")
        }
        other => format!("{other:?}"),
    };
    (shown, slices)
}

#[test]
fn a_variable_that_has_to_be_another_is_not_searched_for() {
    let mut text = "
type thing
fact seen(?t: thing)
primitive look(?t: thing)
  eff seen(?t)
compound inspect(?a: thing)
  block a begin
  block b bind ?x: thing where ?x = ?a
  block c bind ?y: thing where ?y = ?x
  block d task look(?y)
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
scenario s
  task inspect(o9999)
"
    .to_owned();
    for number in 0..10_000 {
        text += &format!("object o{number}: thing\n");
    }
    let document = document(&text);
    for grounded in [false, true] {
        let (steps, slices) = run(&document, grounded);
        assert_eq!(steps, "look(o9999)");
        assert!(slices < 1000, "{slices}");
    }
}

#[test]
fn a_variable_that_has_to_be_another_is_of_its_own_type() {
    let document = document(
        "
type animal
type cat: animal
object dog: animal
object tom: cat
fact fed(?a: animal)
primitive feed(?c: cat)
  eff fed(?c)
compound care(?a: animal)
  block a begin
  block b bind ?c: cat where ?c = ?a
  block d task feed(?c)
  wire a.out -> b
  wire b.out -> d
scenario s
  task care(tom)
  task care(dog)
",
    );
    for grounded in [false, true] {
        assert_eq!(run(&document, grounded).0, "Some(NoPlan)");
    }
}

/// A heuristic that looks at the first of many tasks alone does not know what the
/// tasks behind it bring about when they are done at once.
#[test]
fn what_the_heuristic_has_not_looked_at_is_no_dead_end() {
    let mut text = "
fact left
fact right
fact made
primitive turn-left
  eff left
  eff not right
primitive turn-right
  eff right
  eff not left
primitive make
  eff made
primitive use
  pre made
  eff not left
primitive waste
  pre made
  eff left
compound choose
  block a begin
  block b choice one, two
  block c task turn-left
  block d task turn-right
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
compound employ
  block a begin
  block b choice one, two
  block c task use
  block d task waste
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
scenario s
  task choose
  task choose
  task make
  task employ
  goal left and not right
"
    .to_owned();
    text += &"  task choose\n".repeat(1000);
    let (steps, _) = run(&document(&text), true);
    assert!(steps.contains("make, "), "{steps}");
    assert_eq!(steps.split(", ").count(), 1004);
}
