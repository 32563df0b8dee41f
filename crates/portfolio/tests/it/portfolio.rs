//! The plans of the strategy `any`, and the work that they take.

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Outcome, Progress, validate};
use taskloom_portfolio::Search;
use testkit::domain::document;

/// Searches in the smallest slices. Returns the steps of the validated plan, or another outcome,
/// and the number of slices.
fn run(document: &Document, grounded: bool) -> (String, u32) {
    let scenario = Name::new("s").expect("a name");
    let problem = compile(&Domain::from(document), &scenario);
    let mut search = match grounded {
        true => Search::grounded(&problem, Budget::default()),
        false => Search::new(&problem, Budget::default()),
    };
    let mut slices = 1;
    while search.step(1) == Progress::Running {
        slices += 1;
    }
    let shown = match search.outcome() {
        Some(Outcome::Plan(plan)) => {
            assert_eq!(validate(&Domain::from(document), &scenario, &plan), Ok(()));
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            steps.join(", ")
        }
        other => format!("{other:?}"),
    };
    (shown, slices)
}

#[test]
fn variable_equal_to_another_is_not_enumerated() {
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
fn variable_equal_to_another_keeps_its_own_type() {
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

/// A heuristic that considers only the first of many tasks ignores what later tasks achieve when
/// all are done at once.
#[test]
fn unevaluated_states_are_not_dead_ends() {
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

/// A task whose effect needs an undefined value is impossible. The planners once took such an
/// effect to do nothing, found an invalid plan, and then called the problem impossible.
#[test]
fn effect_that_requires_a_value() {
    let domain = |initial: &str| {
        document(&format!(
            "
type thing
object cup: thing
value at: thing
fact wet(?t: thing)
fact dry
primitive spill
  eff wet(at)
primitive stay
  eff at := at
primitive pour
  eff forall ?t: thing. wet(at) when wet(?t)
primitive wait
  eff dry
compound act
  block a begin
  block b choice spill,stay,pour,wait
  wire a.out -> b
  block c task spill
  wire b.1 -> c
  block d task stay
  wire b.2 -> d
  block e task pour
  wire b.3 -> e
  block f task wait
  wire b.4 -> f
scenario s
{initial}
"
        ))
    };
    let sure = "  task act\n  goal dry";
    let pour = "  task pour";
    let wet = "  initial wet(cup)\n  task pour";
    let there = "  initial at = cup\n  task spill\n  task stay";
    for grounded in [false, true] {
        assert_eq!(run(&domain(sure), grounded).0, "wait");
        assert_eq!(run(&domain("  task act"), grounded).0, "pour");
        assert_eq!(run(&domain("  task spill"), grounded).0, "Some(NoPlan)");
        assert_eq!(run(&domain(pour), grounded).0, "pour");
        assert_eq!(run(&domain(wet), grounded).0, "Some(NoPlan)");
        assert_eq!(run(&domain(there), grounded).0, "spill, stay");
    }
}

/// Each condition costs twice as much as those it depends on, so that the last costs exceed 32
/// bits. They are reachable nevertheless.
#[test]
fn very_costly_goals_are_reachable() {
    let mut text = String::from(
        "
fact left
fact right
primitive turn-left
  eff left
primitive turn-right
  eff right
compound choose
  block a begin
  block b choice one,two
  block c task turn-left
  block d task turn-right
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
",
    );
    let mut tasks = String::from("scenario s\n  task choose\n");
    for n in 0..70 {
        text += &format!("fact p{n}\nfact q{n}\nprimitive do{n}\n  eff p{n}\n  eff q{n}\n");
        if n > 0 {
            text += &format!("  pre p{}\n  pre q{}\n", n - 1, n - 1);
        }
        tasks += &format!("  task do{n}\n");
    }
    tasks += "  task choose\n  goal left and right\n";
    for length in [31, 32, 33, 34, 65, 70] {
        let before = tasks.lines().filter(|line| {
            let number = line.strip_prefix("  task do");
            number.is_none_or(|n| n.parse::<usize>().expect("a number") < length)
        });
        let scenario = before.collect::<Vec<_>>().join("\n");
        let (steps, _) = run(&document(&format!("{text}{scenario}\n")), true);
        assert_eq!(steps.split(", ").count(), length + 2, "{steps}");
    }
}

/// Steps without alternatives may lead beyond what the heuristic considered, to a network with as
/// many tasks as before.
#[test]
fn tasks_done_outside_the_frontier_are_not_dead_ends() {
    let mut text = "
fact left
fact right
fact known
fact made
fact noted
primitive turn-left
  eff left
  eff not right
primitive turn-right
  eff right
  eff not left
primitive skip
primitive learn
  eff known
primitive study
  eff known
primitive make
  eff made
primitive note-it
  eff noted
primitive use
  pre known
  pre made
  pre noted
primitive spend
  pre known
  pre made
  pre noted
primitive idle
compound choose
  block a begin
  block b choice one,two
  block c task turn-left
  block d task turn-right
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
compound find-out
  block a begin
  block b choice one,two
  block c task learn
  block d task study
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
compound prepare
  block a begin
  block b choice one,two
  block c task skip
  block d task note-it
  block e task find-out
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
  wire d.out -> e
compound employ
  block a begin
  block b choice one,two
  block c task use
  block d task spend
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
compound work
  sequence make; employ; idle; idle
scenario s
  task prepare
  task work
  goal left and not right
"
    .to_owned();
    text += &"  task choose\n".repeat(1000);
    let (steps, _) = run(&document(&text), true);
    assert_eq!(steps.split(", ").count(), 1006, "{steps}");
}

/// A condition that turns out to be a contradiction once the reachable facts are known is false,
/// rather than absent.
#[test]
fn contradiction_about_the_only_object() {
    let document = document(
        "
type thing
object cup: thing
object jug: thing
fact wet(?t: thing)
primitive wash
  eff wet(cup)
primitive dry
  eff not wet(cup)
scenario s
  task wash
  task dry
  goal exists ?t: thing. (wet(?t) and not wet(?t))
",
    );
    for grounded in [false, true] {
        assert_eq!(run(&document, grounded).0, "Some(NoPlan)");
    }
}

/// A variable with only negative conditions can't be bound to just any object.
#[test]
fn variable_with_a_negative_condition() {
    let document = document(
        "
type thing
object cup: thing
object jug: thing
fact wet(?t: thing)
primitive dry(?t: thing)
  eff not wet(?t)
compound find
  block a begin
  block b bind ?t: thing where not wet(?t)
  wire a.out -> b
scenario s
  initial wet(cup)
  task find
",
    );
    for grounded in [false, true] {
        assert_eq!(run(&document, grounded).0, "");
    }
}

/// The conditions that all methods of a task share are found step by step. Here, each step swaps two of them.
#[test]
fn a_method_that_swaps_its_parameters_is_prepared_in_finite_time() {
    let document = document(
        "
type thing
object a: thing
object b: thing
fact good(?t: thing)
fact done
primitive finish(?x: thing, ?y: thing)
  pre good(?x) and good(?y)
  eff done
compound both(?x: thing, ?y: thing)
  block a begin
  block b choice swapped, direct
  block c task both(?y, ?x)
  block d task finish(?x, ?y)
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
scenario s
  task both(a, b)
  initial good(a)
  initial good(b)
",
    );
    for grounded in [false, true] {
        let (steps, _) = run(&document, grounded);
        assert!(steps.starts_with("finish("), "{steps}");
    }
}
