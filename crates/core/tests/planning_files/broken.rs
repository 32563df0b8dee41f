//! What is said of files that are not right: every mistake, at its place.

use expect_test::{Expect, expect};
use taskloom_core::compile::compile;
use taskloom_core::hddl::position;
use taskloom_core::import::{SourceFile, read_planning_files};

/// The diagnostics of a domain and perhaps a problem, by line and column.
fn wrong(domain: &str, problem: Option<&str>, expected: Expect) {
    let found = match read_planning_files(domain, problem) {
        Ok(imported) => imported.diagnostics,
        Err(diagnostics) => diagnostics,
    };
    let shown = found.iter().map(|found| {
        let (name, text) = match found.file {
            SourceFile::Domain => ("domain", domain),
            SourceFile::Problem => ("problem", problem.unwrap_or_default()),
        };
        let at = position(text, found.span.start as usize);
        let (severity, message) = (found.severity, &found.message);
        format!("{name} {}:{} {severity:?}: {message}\n", at.line, at.column)
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn nothing_at_all() {
    wrong(
        "",
        None,
        expect![[r#"
        domain 1:1 Error: expected '(define (domain ...' or '(define (problem ...', found nothing
        domain 1:1 Error: expected '(define (domain ...', found none
    "#]],
    );
    wrong(
        "; a comment",
        Some("(define (domain d))"),
        expect![[r#"
        domain 1:1 Error: expected '(define (domain ...' or '(define (problem ...', found nothing
        problem 1:1 Error: expected '(define (problem ...', found none
        domain 1:1 Error: expected '(define (domain ...', found none
    "#]],
    );
    wrong(
        "hello (world)",
        None,
        expect![[r#"
        domain 1:1 Error: expected '(define ...', found 'hello'
        domain 1:8 Error: expected 'define', found 'world'
        domain 1:1 Error: expected '(define (domain ...', found none
    "#]],
    );
}

#[test]
fn parentheses() {
    wrong(
        "(define (domain d)
  (:predicates (p) (q)
  (:action a :parameters () :precondition (and (p)) :effect (q)))
  (:action b :effect (p))
",
        None,
        expect![[r#"
            domain 1:1 Error: expected ')' for this '(' before the end of the file
            domain 2:3 Error: expected ')' for this '(' before the section ':action' begins
            domain 3:65 Error: there is no '(' for this ')'
        "#]],
    );
}

#[test]
fn keywords_and_lists() {
    wrong(
        "(define (domain d)
  (:types a - )
  (:prediactes (p))
  (:predicates (p ?x - ) q)
  (:durative-action move)
  (:task t :parameters (x ?y - a))
  (:method m :parameters (?y - a) :precondition (p ?y) :subtasks (and))
  (:method n :task (t ?y) :subtasks (and (s1 (t ?y)) (s1 (a ?y))) :ordering (and (< s1 s2) (s1 s1)))
  (:action a :parameters (?y - a) :effect :precondition (not (p ?y) (p ?y))))
",
        None,
        expect![[r#"
            domain 2:15 Error: expected a type, found ')'
            domain 3:4 Error: ':prediactes' is no section that belongs here
            domain 4:24 Error: expected a type, found ')'
            domain 4:26 Error: expected a predicate such as '(at ?x - place)', found 'q'
            domain 5:4 Error: ':durative-action' cannot be planned with here
            domain 6:25 Error: expected a variable such as '?x', found 'x'
            domain 7:12 Error: the method 'm' does not say its ':task'
            domain 8:23 Error: '?y' is not among the method's ':parameters'
            domain 8:55 Error: there are two subtasks 's1'
            domain 8:88 Error: no subtask has the label 's2'
            domain 8:96 Error: expected '<', found 's1'
            domain 9:35 Error: nothing stands behind ':effect'
            domain 9:69 Error: expected the end of 'not', found '(p ?y)'
        "#]],
    );
}

#[test]
fn names_that_there_are_not() {
    wrong(
        "(define (domain d)
  (:types a b - c)
  (:predicates (p ?x - a) (p2 ?x - d))
  (:functions (f))
  (:task t :parameters (?x - a))
  (:task t2)
  (:method m :parameters (?x - a ?z - b) :task (t ?x)
    :precondition (and (q ?x) (p ?x ?x) (p ?y) (> (g) 1) (f))
    :ordered-subtasks (and (t ?x ?x) (go ?x) (t3)))
  (:method m2 :parameters (?x - a) :task (go ?x) :subtasks ())
  (:method m3 :parameters (?x - a) :task (t2 ?x) :subtasks ())
  (:action go :parameters (?x - a ?x - a) :effect (and (r) (p box)))
)
",
        Some(
            "(define (problem p) (:domain d)
  (:objects o - a u - z)
  (:htn :subtasks (and (t u) (t5) (t ?v)))
  (:init (p o) (p) (= (f) many) (p ?x) (at o))
  (:goal (and (p o) (= o z))))",
        ),
        expect![[r#"
            domain 3:36 Warning: the type 'd' is not declared in ':types'
            domain 6:10 Warning: the task 't2' has no methods
            domain 8:25 Error: no predicate is called 'q'
            domain 8:32 Error: 'p' takes 1 argument, found 2
            domain 8:44 Error: no variable is called '?y' here
            domain 8:52 Error: no function is called 'g'
            domain 8:59 Error: 'f' is no predicate
            domain 9:29 Error: 't' takes 1 argument, found 2
            domain 9:39 Error: 'go' takes 2 arguments, found 1
            domain 9:47 Error: no task or action is called 't3'
            domain 10:43 Error: 'go' takes 2 arguments, found 1
            domain 11:43 Error: 't2' takes 0 arguments, found 1
            domain 12:35 Error: there are two parameters '?x'
            domain 12:57 Error: no predicate is called 'r'
            domain 12:63 Error: no object is called 'box' here
            problem 2:23 Warning: the type 'z' is not declared in ':types'
            problem 3:27 Error: expected an object of type 'a', found 'u'
            problem 3:31 Error: no task or action is called 't5'
            problem 3:38 Error: no variable is called '?v' here
            problem 4:17 Error: 'p' takes 1 argument, found 0
            problem 4:27 Error: expected a number, found 'many'
            problem 4:36 Error: expected an object, found '?x'
            problem 4:41 Error: no predicate is called 'at'
            problem 5:26 Error: no object is called 'z' here
        "#]],
    );
}

#[test]
fn methods_that_never_apply() {
    wrong(
        "(define (domain d)
  (:types a b - object)
  (:constants x - b)
  (:predicates (p ?x - a))
  (:task t :parameters (?x - a))
  (:task never)
  (:method wrong-type :parameters (?x - b) :task (t ?x) :subtasks (and (go ?x)))
  (:method wrong-constant :parameters (?x - a) :task (t ?x) :subtasks (and (go x)))
  (:method circle :parameters (?x - a) :task (t ?x)
    :subtasks (and (s1 (go ?x)) (s2 (go ?x))) :ordering (and (< s1 s2) (< s2 s1)))
  (:action go :parameters (?x - a) :effect (p ?x)))
",
        None,
        expect![[r#"
            domain 6:10 Warning: the task 'never' has no methods
            domain 7:12 Warning: no object can be '?x', so this is never applied
            domain 8:12 Warning: a subtask's argument is of a wrong type, so this is never applied
            domain 9:12 Error: the orderings of the subtasks go in a circle
        "#]],
    );
}

#[test]
fn files_the_wrong_way_round() {
    wrong(
        "(define (problem p) (:domain d) (:init (q)))",
        Some("(define (domain d) (:predicates (p) (p)))"),
        expect![[r#"
            problem 1:38 Warning: there is another predicate 'p'
            domain 1:41 Error: no predicate is called 'q'
        "#]],
    );
}

/// A domain whose one action has a precondition of nested lists.
fn nested(depth: usize) -> String {
    let mut formula = String::from("(p)");
    for level in 0..depth {
        formula = match level % 4 {
            0 => format!("(or (q) {formula})"),
            1 => format!("(not {formula})"),
            2 => format!("(exists (?x{level} - object) (and (p) {formula}))"),
            _ => format!("(imply {formula} (q))"),
        };
    }
    format!("(define (domain d) (:predicates (p) (q)) (:action a :precondition {formula}))")
}

#[test]
fn deep_lists_are_refused_before_they_are_too_deep_for_anything() {
    for depth in [1, 10, 40, 85, 110, 1_000, 20_000] {
        let domain = nested(depth);
        let imported = read_planning_files(&domain, None).expect("a document");
        let is_refused = !imported.diagnostics.is_empty();
        let compiled = compile(&imported.document, &imported.scenario);
        assert_eq!(compiled.diagnostics, [], "{depth}");
        assert_eq!(
            is_refused,
            depth > 90,
            "{depth}: {:?}",
            imported.diagnostics
        );
    }
}
