//! Files that take long to read, and documents that take long to export.

use std::fmt::Write;
use std::sync::Arc;

use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_domain::check::check_cancellable;
use taskloom_export::{Target, export_cancellable};
use taskloom_hddl::import::{
    plan_of_file_cancellable, read_planning_files, read_planning_files_cancellable,
};
use taskloom_hddl::syntax::read_plan_cancellable;
use testkit::domain;

/// A result, as text on request.
type Text = Box<dyn FnOnce() -> String>;
/// Work that can be cancelled.
type Run = Box<dyn Fn(&Stop) -> Result<Text, Stopped>>;

/// Work that takes long.
pub struct Work {
    pub name: String,
    pub run: Run,
}

impl Work {
    fn new(
        name: impl Into<String>,
        run: impl Fn(&Stop) -> Result<Text, Stopped> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

/// Returns all work of about this size: 1 takes milliseconds.
pub fn all(size: usize) -> Vec<Work> {
    let mut all = reading(size);
    all.extend(plans(size));
    all.extend(exporting(size));
    all
}

fn numbered(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect::<Vec<_>>().join(" ")
}

fn planning_files(name: &str, domain: &str, problem: &str) -> Work {
    let domain = format!("(define (domain d) {domain})");
    let problem = format!("(define (problem p) (:domain d) {problem})");
    Work::new(format!("reading {name}"), move |stop| {
        let read = read_planning_files_cancellable(&domain, Some(&problem), stop)?;
        Ok(Box::new(|| match read {
            Ok(read) => format!("{}\n{:?}", read.document.to_json(), read.diagnostics),
            Err(wrong) => format!("{wrong:?}"),
        }))
    })
}

/// Returns planning files that are large, each in another respect.
pub fn reading(size: usize) -> Vec<Work> {
    let many = 2_000 * size;
    let some = 200 * size;
    let facts = "(:types t) (:predicates (p ?a ?b - t) (q)) (:task go :parameters ())";
    let act = "(:action act :parameters (?a - t) :precondition (q) :effect (not (q)))";
    let objects = format!("(:objects {} - t)", numbered(some, |n| format!("o{n}")));
    let go = "(:htn :ordered-subtasks (go))";
    vec![
        planning_files(
            "many facts",
            &format!("{facts} {act}"),
            &format!(
                "{objects} (:init {})",
                numbered(5 * many, |n| format!("(p o{} o{})", n % some, n / some))
            ),
        ),
        planning_files(
            "many mistakes",
            &format!("{facts} {act}"),
            &format!(
                "{objects} (:init {})",
                numbered(many, |n| format!("(r{n} o1)"))
            ),
        ),
        planning_files(
            "many methods of one task",
            &format!(
                "{facts} {act} {}",
                numbered(some * 5, |n| format!(
                    "(:method m{n} :parameters (?x - t) :task (go) :precondition (q)
                     :ordered-subtasks (and (act ?x) (go)))"
                ))
            ),
            &format!("{objects} {go}"),
        ),
        planning_files(
            "a method of many variables",
            &format!(
                "{facts} {act} (:method m :parameters ({}) :task (go) :precondition (and {})
                 :ordered-subtasks (go))",
                numbered(some, |n| format!("?x{n} - t")),
                numbered(some - 1, |n| format!("(p ?x{n} ?x{})", n + 1)),
            ),
            &format!("{objects} {go}"),
        ),
        planning_files(
            "a method of many subtasks in some order",
            &format!(
                "{facts} {act} (:method m :parameters (?x - t) :task (go)
                 :subtasks (and {}) :ordering (and {}))",
                numbered(some, |n| format!("(t{n} (act ?x))")),
                numbered(some * 4, |n| format!(
                    "(< t{} t{})",
                    n % some / 2,
                    some / 2 + n * 7 % (some / 2)
                )),
            ),
            &format!("{objects} {go}"),
        ),
        planning_files(
            "types of types",
            &format!(
                "(:types {} - object) (:predicates (p ?a - t0))",
                numbered(some * 2, |n| format!("t{n} - t{}", n + 1))
            ),
            "(:objects o - t0)",
        ),
        planning_files(
            "many names that are declared twice",
            &format!(
                "(:types t) (:predicates (p ?a - t)) {}",
                numbered(some, |n| format!(
                    "(:action a :parameters (?x ?x - t) :precondition (p ?x) :effect (p o{n}))"
                ))
            ),
            &format!(
                "(:objects {} - t)",
                numbered(many, |n| format!("o{}", n / 2))
            ),
        ),
    ]
}

/// A plan file, with its domain and problem.
fn plan(name: &str, domain: &str, problem: &str, plan: String) -> Work {
    let domain = format!("(define (domain d) {domain})");
    let problem = format!("(define (problem p) (:domain d) {problem})");
    let read = read_planning_files(&domain, Some(&problem));
    let read = read.unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
    assert!(
        read.diagnostics.is_empty(),
        "{name}: {:?}",
        read.diagnostics
    );
    Work::new(format!("a plan file of {name}"), move |stop| {
        let file = read_plan_cancellable(&plan, stop)?;
        assert!(file.errors.is_empty(), "{:?}", file.errors);
        let (document, names) = (&read.document, &read.names);
        let plan = plan_of_file_cancellable(
            &file.plan,
            &Domain::from(document),
            &read.scenario,
            names,
            stop,
        )?;
        Ok(Box::new(move || format!("{plan:?}")))
    })
}

/// Returns plan files that are long, or ambiguous.
pub fn plans(size: usize) -> Vec<Work> {
    let many = 1_000 * size;
    let few = 10 + size.min(30);
    let facts = "(:types t) (:predicates (p ?a ?b - t) (q ?a - t)) (:task go :parameters ())";
    let act = "(:action act :parameters (?a - t) :precondition () :effect (q ?a))";
    let objects = |count| format!("(:objects {} - t)", numbered(count, |n| format!("o{n}")));
    let go = "(:htn :ordered-subtasks (go))";
    let lines = |count: usize, line: &dyn Fn(usize) -> String| {
        (0..count).map(|n| line(n) + "\n").collect::<String>()
    };
    let mut long = lines(many, &|n| format!("{n} act o{}", n % 9));
    let _ = writeln!(long, "root {}", many);
    long += &lines(many, &|n| {
        let next = many + n + 1;
        format!("{} go -> more {n} {next}", many + n)
    });
    let _ = writeln!(long, "{} go -> none", 2 * many);
    let wide = lines(many, &|n| format!("{n} act o{}", n % 9))
        + &format!(
            "root {many}\n{many} go -> all {}\n",
            numbered(many, |n| n.to_string())
        );
    // Which task is which step of the round is unknown before all rounds are tried, and there is
    // none.
    let ties: Vec<String> = (0..few * few)
        .filter(|n| n % few != n / few)
        .take(2 * few - 7)
        .map(|n| format!("o{} o{}", n % few % 5, n / few % 5))
        .collect();
    let round = lines(ties.len(), &|n| format!("{n} tie {}", ties[n]))
        + &format!(
            "root {few}000\n{few}000 go -> ring {}\n",
            numbered(ties.len(), |n| n.to_string())
        );
    let unsaid = "0 act o0\nroot 1\n1 go -> any 0\n".to_owned();
    vec![
        plan(
            "many tasks, one below the other",
            &format!(
                "{facts} {act}
                 (:method more :parameters (?x - t) :task (go) :ordered-subtasks (and (act ?x) (go)))
                 (:method none :parameters () :task (go))"
            ),
            &format!("{} {go}", objects(9)),
            format!("==>\n{long}<==\n"),
        ),
        plan(
            "many tasks beside each other",
            &format!(
                "{facts} {act} (:method all :parameters ({}) :task (go) :subtasks (and {}))",
                numbered(9, |n| format!("?x{n} - t")),
                numbered(many, |n| format!("(act ?x{})", n % 9)),
            ),
            &format!("{} {go}", objects(9)),
            format!("==>\n{wide}<==\n"),
        ),
        plan(
            "tasks that may be many",
            &format!(
                "{facts} (:action tie :parameters (?a ?b - t) :precondition () :effect (p ?a ?b))
                 (:method ring :parameters ({}) :task (go) :subtasks (and {}))",
                numbered(ties.len(), |n| format!("?x{n} - t")),
                numbered(ties.len(), |n| format!("(tie ?x{n} ?x{})", (n + 1) % ties.len())),
            ),
            &format!("{} {go}", objects(5)),
            format!("==>\n{round}<==\n"),
        ),
        plan(
            "variables that nothing tells of",
            &format!(
                "{facts} {act} (:method any :parameters ({}) :task (go)
                 :precondition (and {} (p ?x5 ?x0)) :ordered-subtasks (act ?x0))",
                numbered(6, |n| format!("?x{n} - t")),
                numbered(5, |n| format!("(p ?x{n} ?x{})", n + 1)),
            ),
            &format!(
                "{} {go} (:init {})",
                objects(12 + size.min(16)),
                // They go up, and never through the round.
                numbered((12 + size.min(16)).pow(2), |n| {
                    let count = 12 + size.min(16);
                    let (a, b) = (n % count, n / count);
                    if a < b { format!("(p o{a} o{b})") } else { String::new() }
                })
            ),
            format!("==>\n{unsaid}<==\n"),
        ),
    ]
}

fn scenario() -> Name {
    Name::new("s").expect("a name")
}

fn written(name: &str, document: &Document, targets: &[Target]) -> Vec<Work> {
    let of = |target: &Target| {
        let (document, target) = (document.clone(), *target);
        Work::new(format!("exporting {name} to {target:?}"), move |stop| {
            let export = export_cancellable(&document, Some(&scenario()), target, stop)?;
            Ok(Box::new(|| match export {
                Ok(export) => export.files.into_iter().map(|file| file.text).collect(),
                Err(wrong) => format!("{wrong:?}"),
            }))
        })
    };
    targets.iter().map(of).collect()
}

/// Returns documents with large exports.
pub fn exporting(size: usize) -> Vec<Work> {
    let every = [Target::Hddl, Target::FullHddl, Target::CSharp];
    let some = 4 + size.min(22);
    let world = |count: usize| {
        let mut text = "type t\nfact p(?a: t, ?b: t)\nfact q(?a: t)\n".to_owned();
        for n in 0..count {
            let _ = writeln!(text, "object o{n}: t");
        }
        text
    };
    let plain = "primitive act(?a: t)\n  eff q(?a)\n";
    let quantified = domain::document(&format!(
        "{}value at(?a: t): t\nprimitive step\n  pre forall ?a: t, ?b: t, ?c: t. p(?a, ?b) or q(?c)
  eff forall ?a: t, ?b: t, ?c: t. p(?a, ?b) when q(?c) and not p(?b, ?c)
scenario s\n  task step\n  goal forall ?a: t, ?b: t. at(?a) = at(?b) or p(?a, ?b)\n",
        world(some)
    ));
    let cases = domain::document(&format!(
        "{}value at(?a: t): t\nprimitive move(?a: t, ?b: t, ?c: t)\n  pre not p(?a, ?b)
  eff at(?a) := ?b\n  eff at(?b) := ?c\n  eff at(?c) := ?a\n  eff q(?a) when ?b = at(?c)
scenario s\n  task move(o0, o1, o2)\n",
        world(some)
    ));
    // A path for each side of each Branch.
    let levels = 5 + size.min(8);
    let mut branching = world(some) + plain + "compound go(?a: t)\n  block a0 begin\n";
    let mut wires = String::from("  wire a0.out -> b0\n");
    for level in 0..levels {
        let _ = writeln!(
            branching,
            "  block b{level} branch p(?a, o{})",
            level % some
        );
        let _ = writeln!(
            branching,
            "  block y{level} task act(?a)\n  block n{level} task act(o0)"
        );
        let _ = writeln!(
            wires,
            "  wire b{level}.true -> y{level}\n  wire b{level}.false -> n{level}"
        );
        let next = if level + 1 < levels {
            format!("b{}", level + 1)
        } else {
            "z".to_owned()
        };
        let _ = writeln!(
            wires,
            "  wire y{level}.out -> {next}\n  wire n{level}.out -> {next}"
        );
    }
    branching += &format!("  block z end\n{wires}scenario s\n  task go(o0)\n");
    // Parallel choices, with variables that are used late.
    let wide = 3 + size.min(7);
    let mut parallel = world(some) + plain + "compound go\n  block a0 begin\n";
    let mut wires = String::new();
    for row in 0..wide {
        let _ = writeln!(parallel, "  block b{row} bind ?v{row}: t where q(?v{row})");
        let _ = writeln!(parallel, "  block c{row} choice one, two");
        let _ = writeln!(
            parallel,
            "  block d{row} task act(?v{row})\n  block e{row} task act(o0)"
        );
        let _ = writeln!(
            wires,
            "  wire a0.out -> b{row}\n  wire b{row}.out -> c{row}"
        );
        let _ = writeln!(
            wires,
            "  wire c{row}.1 -> d{row}\n  wire c{row}.2 -> e{row}"
        );
    }
    parallel += &format!("{wires}scenario s\n  task go\n");
    let mut large = world(500 * size);
    for n in 0..50 * size {
        let _ = writeln!(
            large,
            "primitive act{n}(?a: t)\n  pre p(?a, o{n}) and not q(?a)\n  eff q(?a)\n  eff not p(?a, o1)"
        );
    }
    large += "scenario s\n";
    for n in 0..500 * size {
        let _ = writeln!(
            large,
            "  initial p(o{n}, o{})\n  task act{}(o{n})",
            n / 2,
            n % (50 * size)
        );
    }
    let large = domain::document(&large);
    let mut works = written("quantifiers", &quantified, &every);
    works.extend(written("values", &cases, &[Target::Hddl, Target::CSharp]));
    works.extend(written(
        "a Branch behind the other",
        &domain::document(&branching),
        &every,
    ));
    works.extend(written(
        "Choices beside each other",
        &domain::document(&parallel),
        &every,
    ));
    works.extend(written("much", &large, &every));
    works.push(Work::new("checking much", move |stop| {
        let domain = Domain::new(Arc::new(large.clone()), stop);
        let found = check_cancellable(&domain)?;
        Ok(Box::new(move || format!("{found:?}")))
    }));
    works
}
