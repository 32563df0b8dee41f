//! Problems that take practically forever, each in its own way and of any size.

use std::fmt::Write;

use taskloom_document::{Document, Name};
use taskloom_hddl::import::read_planning_files;
use testkit::domain;

/// A problem, and the minimum number of things that its search must visit.
pub struct Hostile {
    /// The problem's description.
    pub name: &'static str,
    pub document: Document,
    pub scenario: Name,
    /// The bodies of quantifiers, tasks and so on, in a search for the first plan.
    pub work: u64,
}

/// Returns a document from a domain and a problem in HDDL.
fn imported(name: &'static str, work: u64, domain: &str, problem: &str) -> Hostile {
    let domain = format!("(define (domain d) (:requirements :typing) {domain})");
    let problem = format!("(define (problem p) (:domain d) {problem})");
    let read = read_planning_files(&domain, Some(&problem));
    let read = read.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    Hostile {
        name,
        document: read.document,
        scenario: read.scenario,
        work,
    }
}

fn objects(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|n| format!("o{n}")).collect();
    format!("(:objects {} - t)", names.join(" "))
}

/// Returns `?x0 ?x1 ?x2 ?x3`.
fn variables(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|n| format!("?x{n}")).collect();
    names.join(" ")
}

const WIDTH: usize = 4;

/// Quantifiers over four variables with this many objects, wherever conditions are possible: none
/// of them is decided until everything was visited.
pub fn quantifiers(objects_there: usize) -> Vec<Hostile> {
    let work = (objects_there as u64).pow(WIDTH as u32);
    let all = variables(WIDTH);
    let every = format!("(forall ({all} - t) (not (p {all})))");
    let facts = format!("(:types t) (:predicates (p {all} - t) (done)) (:task go :parameters ())");
    let step = "(:action step :parameters () :precondition () :effect (done))";
    let go = "(:method m :parameters () :task (go) :ordered-subtasks (step))";
    let problem = |goal: &str| {
        let objects = objects(objects_there);
        format!("{objects} (:htn :ordered-subtasks (go)) (:init) (:goal {goal})")
    };
    vec![
        imported(
            "a method's precondition",
            work,
            &format!(
                "{facts} {step} (:method m :parameters () :task (go) :precondition {every}
                 :ordered-subtasks (step))"
            ),
            &problem("(done)"),
        ),
        imported(
            "a primitive task's precondition",
            work,
            &format!(
                "{facts} {go}
                 (:action step :parameters () :precondition {every} :effect (done))"
            ),
            &problem("(done)"),
        ),
        imported(
            "an effect's condition",
            work,
            &format!(
                "{facts} {go} (:action step :parameters () :precondition ()
                 :effect (when (not {every}) (done)))"
            ),
            &problem("(not (done))"),
        ),
        imported(
            "an effect's objects",
            work,
            &format!(
                "{facts} {go} (:action step :parameters () :precondition ()
                 :effect (forall ({all} - t) (when (p {all}) (done))))"
            ),
            &problem("(not (done))"),
        ),
        imported(
            "the goal",
            work,
            &format!("{facts} {go} {step}"),
            &problem(&format!("(and (done) {every})")),
        ),
        imported(
            "a variable's condition",
            work,
            &format!(
                "{facts} {step} (:method m :parameters (?y - t) :task (go)
                 :precondition (forall (?x0 ?x1 ?x2 - t) (not (p ?y ?x0 ?x1 ?x2)))
                 :ordered-subtasks (step))"
            ),
            // The first object suffices if nothing else in the plan depends on it.
            &problem("(not (done))"),
        ),
    ]
}

/// This many conditions, each of which uses the next one twice.
pub fn conditions(levels: usize) -> Hostile {
    let mut text = "fact lit\ncondition c0: not lit\n".to_owned();
    for level in 1..=levels {
        let below = level - 1;
        let _ = writeln!(text, "condition c{level}: c{below} and c{below}");
    }
    let _ = writeln!(text, "primitive step\n  pre c{levels}\n  eff lit");
    text += "scenario s\n  task step\n";
    Hostile {
        name: "conditions that call each other",
        document: domain::document(&text),
        scenario: Name::new("s").expect("a name"),
        work: 1 << levels.min(63),
    }
}

/// Recursion that leaves tasks behind, in sequence and unordered, all of which wait for later ones.
pub fn depth() -> Hostile {
    imported(
        "recursion that leaves tasks behind",
        u64::MAX,
        "(:predicates (p) (q)) (:task c :parameters ()) (:task e :parameters ())
         (:method m0 :parameters () :task (c) :precondition (not (p))
          :subtasks (and (t0 (e)) (t1 (b))) :ordering (and (< t0 t1)))
         (:method m1 :parameters () :task (c) :precondition (not (q))
          :subtasks (and (t0 (e)) (t1 (e))))
         (:method m2 :parameters () :task (e) :precondition ()
          :ordered-subtasks (and (a) (a) (c)))
         (:action a :parameters () :precondition (not (q)) :effect (and))
         (:action b :parameters () :precondition () :effect (p))",
        "(:htn :ordered-subtasks (and (c) (b))) (:init) (:goal (q))",
    )
}

/// This many tasks, one after the other.
pub fn sequence(steps: usize) -> Hostile {
    let mut text = "type t\nfact seen(?x: t)\nprimitive see(?x: t)\n  eff seen(?x)\n".to_owned();
    let (mut there, mut tasks) = (String::new(), String::new());
    for step in 0..steps {
        let _ = writeln!(there, "object o{step}: t");
        let _ = writeln!(tasks, "  task see(o{step})");
    }
    text += &format!("{there}scenario s\n{tasks}");
    Hostile {
        name: "many tasks in sequence",
        document: domain::document(&text),
        scenario: Name::new("s").expect("a name"),
        work: steps as u64,
    }
}

/// A method with this many variables over this many objects, whose tasks don't restrict the
/// variables.
pub fn grounding(variables_there: usize, objects_there: usize) -> Hostile {
    let all = variables(variables_there);
    let put: Vec<String> = (0..variables_there)
        .map(|n| format!("(put ?x{n})"))
        .collect();
    let near: Vec<String> = (1..variables_there)
        .map(|n| format!("(near ?x{} ?x{n})", n - 1))
        .collect();
    let mut init = String::new();
    for a in 0..objects_there {
        for b in 0..objects_there {
            let _ = write!(init, "(near o{a} o{b})");
        }
    }
    imported(
        "a method of many variables",
        u64::MAX,
        &format!(
            "(:types t) (:predicates (near ?a ?b - t) (full ?a - t) (done))
             (:task go :parameters ())
             (:method m :parameters ({all} - t) :task (go) :precondition (and {})
              :ordered-subtasks (and {} (go)))
             (:action put :parameters (?a - t) :precondition (not (full ?a))
              :effect (full ?a))",
            near.join(" "),
            put.join(" "),
        ),
        &format!(
            "{} (:htn :ordered-subtasks (go)) (:init {init}) (:goal (done))",
            objects(objects_there)
        ),
    )
}
