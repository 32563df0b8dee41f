//! A small domain in files, and running the program on them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use expect_test::Expect;

/// A domain in which a van delivers parcels along roads.
pub const DOMAIN: &str = "(define (domain delivery)
  (:types place parcel)
  (:predicates (at ?p - place) (lies ?b - parcel ?p - place) (road ?a ?b - place))
  (:task deliver :parameters (?b - parcel ?to - place))
  (:task go :parameters (?to - place))
  (:method m-deliver
    :parameters (?b - parcel ?from ?to - place)
    :task (deliver ?b ?to)
    :precondition (lies ?b ?from)
    :ordered-subtasks (and (go ?from) (load ?b ?from) (go ?to) (unload ?b ?to)))
  (:method m-there
    :parameters (?to - place)
    :task (go ?to)
    :precondition (at ?to)
    :ordered-subtasks ())
  (:method m-drive
    :parameters (?from ?next ?to - place)
    :task (go ?to)
    :precondition (and (at ?from) (not (at ?to)) (road ?from ?next))
    :ordered-subtasks (and (drive ?from ?next) (go ?to)))
  (:action drive
    :parameters (?from ?to - place)
    :precondition (and (at ?from) (road ?from ?to))
    :effect (and (not (at ?from)) (at ?to)))
  (:action load
    :parameters (?b - parcel ?p - place)
    :precondition (and (at ?p) (lies ?b ?p))
    :effect (not (lies ?b ?p)))
  (:action unload
    :parameters (?b - parcel ?p - place)
    :precondition (at ?p)
    :effect (lies ?b ?p)))
";

pub const PROBLEM: &str = "(define (problem one-parcel)
  (:domain delivery)
  (:objects depot mill farm - place book - parcel)
  (:htn :ordered-subtasks (and (deliver book farm)))
  (:init (at depot) (lies book mill) (road depot mill) (road mill farm)))
";

/// Returns a domain and a problem of a tour through towns whose distances depend on the direction:
/// proving a tour optimal takes long.
pub fn round(towns: usize) -> (String, String) {
    let domain = "(define (domain round)
  (:requirements :action-costs)
  (:types town)
  (:predicates (at ?t - town) (seen ?t - town))
  (:functions (total-cost) - number (way ?a ?b - town) - number)
  (:task see :parameters (?t - town))
  (:method m-see
    :parameters (?from ?t - town)
    :task (see ?t)
    :precondition (at ?from)
    :ordered-subtasks (and (visit ?from ?t)))
  (:action visit
    :parameters (?from ?t - town)
    :precondition (and (at ?from) (not (seen ?t)))
    :effect (and (not (at ?from)) (at ?t) (seen ?t) (increase (total-cost) (way ?from ?t)))))
";
    let names = |of: &dyn Fn(usize) -> String| (0..towns).map(of).collect::<Vec<_>>().join(" ");
    let ways = |a: usize| {
        let way = move |b: usize| format!("(= (way t{a} t{b}) {})", 1 + (a * 7 + b * 13) % 17);
        (0..towns).map(way).collect::<Vec<_>>().join(" ")
    };
    let problem = format!(
        "(define (problem all) (:domain round) (:objects {} - town)
  (:htn :subtasks (and {}))
  (:init (at t0) {})
  (:metric minimize (total-cost)))
",
        names(&|t| format!("t{t}")),
        names(&|t| format!("(see t{t})")),
        names(&ways),
    );
    (domain.to_owned(), problem)
}

/// Creates a test's own folder, with files in it.
pub fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    // What an earlier run has written.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

pub fn delivery(test: &str) -> PathBuf {
    folder(test, &[("domain.hddl", DOMAIN), ("problem.hddl", PROBLEM)])
}

pub fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../public/examples")
}

pub fn taskloom(folder: &PathBuf, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taskloom"));
    command.current_dir(folder).args(line.split_whitespace());
    command.stdin(Stdio::null());
    command
}

pub fn shown(output: &Output) -> String {
    let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        shown += &format!("! {line}\n");
    }
    let status = output.status.code();
    shown
        + &status.map_or("ended by a signal".to_owned(), |code| {
            format!("exit {code}")
        })
}

/// Returns the output, then the errors after a `!`, then the exit status.
pub fn said(folder: &PathBuf, line: &str) -> String {
    shown(&taskloom(folder, line).output().expect("the program runs"))
}

pub fn check(folder: &PathBuf, line: &str, expected: Expect) {
    expected.assert_eq(&said(folder, line));
}
