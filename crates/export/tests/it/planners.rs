//! Requirements of planners and plan verifiers on a domain, beyond its grammar.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use expect_test::expect;
use taskloom_document::{Document, Name};
use taskloom_export::{Target, export};
use taskloom_hddl::import::read_planning_files;
use taskloom_hddl::syntax::ast::{Domain, Formula, Term};
use taskloom_hddl::syntax::read;

use super::domains::DOMAINS;
use super::tools::root;
use testkit::charts;
use testkit::domain::document;
use testkit::domain::example;

fn exported(document: &Document, scenario: &Name, target: Target) -> Option<Domain> {
    let export = export(document, Some(scenario), target).ok()?;
    let read = read(&export.files[0].text);
    assert_eq!(read.errors, [], "{}", export.files[0].text);
    read.domain
}

/// Returns the variables of methods that neither tasks nor facts determine, as verifiers read them:
/// these use the parameters of the task, the arguments of subtasks, and the unconditional facts of
/// the precondition.
fn undetermined(domain: &Domain) -> Vec<String> {
    let mut undetermined = vec![];
    for method in &domain.methods {
        let tasks = method.network.tasks.iter().chain([&method.task]);
        let mut terms: Vec<&Term> = tasks.flat_map(|task| &task.args).collect();
        let mut open = vec![&method.precondition];
        while let Some(formula) = open.pop() {
            match formula {
                Formula::And(parts) => open.extend(parts),
                Formula::Atom(atom) => terms.extend(&atom.args),
                _ => {}
            }
        }
        let determined: BTreeSet<&str> = terms
            .iter()
            .filter_map(|term| match term {
                Term::Variable(name) => Some(name.as_str()),
                Term::Constant(_) => None,
            })
            .collect();
        let params = method.signature.params.iter();
        let params = params.filter(|param| !determined.contains(param.name.as_str()));
        undetermined.extend(params.map(|p| format!("?{} of {}", p.name, method.signature.name)));
    }
    undetermined
}

#[test]
fn tasks_and_facts_declare_every_variable() {
    let scenario = Name::new("s").expect("a name");
    let (mut methods, mut domains, mut more) = (0, 0, 0);
    let mut check = |document: &Document, scenario: &Name| {
        if let Some(domain) = exported(document, scenario, Target::Hddl) {
            assert_eq!(undetermined(&domain), [""; 0], "{}", document.info.title);
            domains += 1;
            methods += domain.methods.len();
            let extra = |m: &&_| {
                let m: &taskloom_hddl::syntax::ast::Method = m;
                m.signature.params.len() > m.task.args.len()
            };
            more += domain.methods.iter().filter(extra).count();
        }
    };
    for seed in 0..300 {
        check(&document(&charts::domain(seed)), &scenario);
    }
    for (_, text) in DOMAINS {
        check(&document(text), &scenario);
    }
    for name in ["ball-in-the-box", "night-guard"] {
        let document = example(name);
        for scenario in document.scenarios.keys() {
            check(&document, scenario);
        }
    }
    for (domain, problem) in fixtures() {
        let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
        check(&imported.document, &imported.scenario);
    }
    assert!(domains >= 250, "{domains} domains");
    assert!(methods >= 1_000, "{methods} methods");
    assert!(more >= 100, "{more} methods with variables of their own");
}

/// Returns the project's own planning files.
fn fixtures() -> Vec<(String, String)> {
    let folder = root().join("tests/hddl");
    let mut found = vec![];
    for domain in ["bakery", "canal", "museum", "orchestra"] {
        let read = |file: &str| fs::read_to_string(folder.join(domain).join(file)).expect("a file");
        found.push((read("domain.hddl"), read("problem-1.hddl")));
        found.push((read("domain.hddl"), read("problem-2.hddl")));
    }
    found
}

/// A method that requires a narrower type for its task's parameter.
const NARROWER: &str = "(define (domain d)
  (:types board machine - object saw glazer - machine)
  (:constants big - saw)
  (:predicates (free ?m - machine) (near ?a ?b - board))
  (:task work :parameters (?b - board ?m - machine))
  (:method cut :parameters (?b - board ?m - saw) :task (work ?b ?m)
    :precondition (free ?m) :ordered-subtasks (and (saw ?b ?m)))
  (:method glaze :parameters (?b ?other - board ?m - glazer) :task (work ?b ?m)
    :precondition (and (near ?b ?other) (not (free ?m))) :subtasks ())
  (:method best :parameters (?b - board ?m - machine ?s - saw) :task (work ?b ?m)
    :precondition (and (= ?s big) (free ?m)) :ordered-subtasks (and (saw ?b ?s)))
  (:method never :parameters (?b - board ?m - machine ?g - glazer) :task (work ?b ?m)
    :precondition (not (free ?g)) :subtasks ())
  (:action saw :parameters (?b - board ?m - saw) :precondition (free ?m)))";
const WORK: &str = "(define (problem p) (:domain d)
  (:objects x y - board s - saw g1 g2 - glazer)
  (:htn :ordered-subtasks (and (work x s))) (:init (free s) (near x y)))";

#[test]
fn a_narrower_parameter_has_its_type() {
    let imported = read_planning_files(NARROWER, Some(WORK)).expect("a document");
    let shown = |target| {
        let export = export(&imported.document, Some(&imported.scenario), target);
        let text = export.expect("an export").files[0].text.clone();
        let methods = text.find("(:method").unwrap_or_default();
        let actions = text.find("(:action").unwrap_or(text.len());
        text[methods..actions].trim_end().to_owned()
    };
    expect![[r#"
        (:method work_1
            :parameters (?b - board ?m - saw_type)
            :task (work ?b ?m)
            :precondition (free ?m)
            :ordered-subtasks (and
              (t1 (saw ?b ?m))))

          ; 2 glaze; some ?m-2; some ?other
          (:method work_2
            :parameters (?b - board ?m - glazer ?other - board)
            :task (work ?b ?m)
            :precondition (and (not (free ?m)) (near ?b ?other))
            :ordered-subtasks ())

          ; 3 best; free(?m)? yes; some ?s
          (:method work_3
            :parameters (?b - board ?m - machine)
            :task (work ?b ?m)
            :precondition (free ?m)
            :ordered-subtasks (and
              (t1 (saw ?b big))))

          ; 4 never; some ?g
          (:method work_4
            :parameters (?b - board ?m - machine)
            :task (work ?b ?m)
            :precondition (or (not (free g1)) (not (free g2)))
            :ordered-subtasks ())

          ; saw(?b, ?m)"#]]
    .assert_eq(&shown(Target::Hddl));
    expect![[r#"
        (:method cut
            :parameters (?b - board ?m-2 - saw)
            :task (work ?b ?m-2)
            :precondition (and (free ?m-2))
            :ordered-subtasks (and
              (t1 (saw ?b ?m-2))))

          (:method glaze
            :parameters (?b - board ?m-2 - glazer ?other - board)
            :task (work ?b ?m-2)
            :precondition (and (not (free ?m-2)) (near ?b ?other))
            :ordered-subtasks ())

          (:method best
            :parameters (?b - board ?m - machine ?s - saw)
            :task (work ?b ?m)
            :precondition (and (free ?m) (= ?s big))
            :ordered-subtasks (and
              (t1 (saw ?b ?s))))

          (:method never
            :parameters (?b - board ?m - machine ?g - glazer)
            :task (work ?b ?m)
            :precondition (and (not (free ?g)))
            :ordered-subtasks ())"#]]
    .assert_eq(&shown(Target::FullHddl));
}

/// Quantifiers, conditional effects and conditions over many objects, as in domains of settlers,
/// each of which is too large: that is reported before it is expanded.
#[test]
fn rejects_exponential_exports_quickly() {
    let things = |count: usize| {
        let names = (0..count).map(|n| format!("o{n}"));
        names.collect::<Vec<_>>().join(" ")
    };
    let variables = |count: usize| {
        let names = (0..count).map(|n| format!("?v{n}"));
        names.collect::<Vec<_>>().join(" ")
    };
    let domain = |effect: &str, needs: &str, method: &str| {
        format!(
            "(define (domain settle) (:types thing)
  (:predicates (p ?a ?b - thing) (q ?a - thing) (r ?a ?b ?c - thing))
  (:functions (n ?a ?b - thing))
  (:task t :parameters (?x - thing))
  (:method m :parameters (?x ?y - thing) :task (t ?x) :precondition (and (p ?x ?y) {method})
    :ordered-subtasks (and (a ?x ?y)))
  (:action a :parameters (?x ?y - thing) :precondition {needs} :effect {effect}))"
        )
    };
    let problem = |count: usize| {
        format!(
            "(define (problem p) (:domain settle) (:objects {} - thing)
  (:htn :ordered-subtasks (and (t o1))) (:init (q o1)))",
            things(count)
        )
    };
    let nothing = "()";
    let effects = "(and (forall (?b ?c - thing) (when (r ?x ?b ?c) (and (not (p ?b ?c)) (q ?b))))
      (forall (?b ?c - thing) (when (and (q ?b) (not (= ?c ?x))) (p ?b ?c)))
      (forall (?b ?c - thing) (when (p ?b ?y) (and (not (q ?c)) (increase (n ?b ?c) 1)))))";
    let deep = format!("(forall ({} - thing) (q ?v1))", variables(8));
    let many = "(forall (?a ?b ?c ?d - thing) (or (p ?a ?b) (r ?b ?c ?d) (q ?a)))";
    let some = "(exists (?a ?b ?c - thing) (and (r ?a ?b ?c) (forall (?d - thing) (p ?a ?d))))";
    let cases = "(and (forall (?b ?c - thing) (when (and (= ?b ?x) (p ?b ?c)) (q ?c)))
      (when (q ?x) (p ?x ?y)) (when (q ?y) (p ?y ?x)) (when (p ?x ?y) (q ?x))
      (when (p ?y ?x) (q ?y)) (when (r ?x ?x ?y) (not (q ?x))) (when (r ?x ?y ?y) (not (q ?y))))";
    let mut shown = String::new();
    for (counts, effect, needs, method) in [
        ([3, 30], effects, nothing, nothing),
        ([3, 400], cases, nothing, nothing),
        ([3, 30], nothing, &*deep, nothing),
        ([3, 400], nothing, nothing, many),
        ([3, 400], nothing, some, nothing),
    ] {
        for count in counts {
            let domain = domain(effect, needs, method);
            let imported = read_planning_files(&domain, Some(&problem(count)));
            let imported = imported.expect("a document");
            assert_eq!(imported.diagnostics, []);
            let (document, scenario) = (&imported.document, Some(&imported.scenario));
            let start = Instant::now();
            let end = match export(document, scenario, Target::Hddl) {
                Ok(export) => format!("{} kB", export.files[0].text.len() / 1000),
                Err(errors) => errors[0].to_string(),
            };
            let took = start.elapsed();
            assert!(took < Duration::from_secs(60), "{count}: {took:?}");
            println!("{count} objects: {took:?}");
            let _ = writeln!(shown, "{count}: {end}");
            // All of HDDL expresses it unchanged.
            assert!(export(document, scenario, Target::FullHddl).is_ok());
        }
    }
    expect![[r#"
        3: 8 kB
        30: error[export] primitive:a: effect 5 of primitive task 'a' is too large once quantifiers, conditions and cases are expanded over all objects: export to 'full-hddl', which keeps them, or use fewer objects
        3: 33 kB
        400: error[export] primitive:a: effect 1 of primitive task 'a' is too large once quantifiers, conditions and cases are expanded over all objects: export to 'full-hddl', which keeps them, or use fewer objects
        3: 86 kB
        30: error[export] primitive:a: precondition 1 of primitive task 'a' is too large once quantifiers, conditions and cases are expanded over all objects: export to 'full-hddl', which keeps them, or use fewer objects
        3: 4 kB
        400: error[export] compound:t: block m1if of compound task 't' is too large once quantifiers, conditions and cases are expanded over all objects: export to 'full-hddl', which keeps them, or use fewer objects
        3: 2 kB
        400: error[export] primitive:a: precondition 1 of primitive task 'a' is too large once quantifiers, conditions and cases are expanded over all objects: export to 'full-hddl', which keeps them, or use fewer objects
    "#]].assert_eq(&shown);
}
