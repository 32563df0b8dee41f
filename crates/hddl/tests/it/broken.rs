//! Diagnostics of invalid files: every error, at its location.

use expect_test::{Expect, expect};
use taskloom_document::diagnostic::Severity;
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_hddl::import::{SourceFile, read_planning_files};
use taskloom_hddl::syntax::position;

/// Returns the diagnostics of a domain and an optional problem, by line and column.
pub fn wrong(domain: &str, problem: Option<&str>, expected: Expect) {
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
fn reports_empty_files() {
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
fn reports_unbalanced_parentheses() {
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
            domain 3:65 Error: unmatched ')'
        "#]],
    );
}

#[test]
fn adjacent_unmatched_parentheses_are_one_error() {
    let text = format!("(define (domain d)){}\n) x )", ")".repeat(100_000));
    wrong(
        &text,
        None,
        expect![[r#"
        domain 1:20 Error: unmatched ')'
        domain 2:3 Error: expected '(define ...', found 'x'
        domain 2:5 Error: unmatched ')'
    "#]],
    );
}

#[test]
fn reports_malformed_keywords_and_lists() {
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
            domain 3:4 Error: ':prediactes': this section isn't allowed here; did you mean ':predicates'?
            domain 4:24 Error: expected a type, found ')'
            domain 4:26 Error: expected a predicate such as '(at ?x - place)', found 'q'
            domain 5:4 Error: ':durative-action': durative actions are not supported
            domain 6:25 Error: expected a variable such as '?x', found 'x'
            domain 7:12 Error: the method 'm' has no ':task'
            domain 8:23 Error: '?y' is not among the method's ':parameters'
            domain 8:55 Error: duplicate subtask label 's1'
            domain 8:88 Error: no subtask has the label 's2'
            domain 8:96 Error: expected '<', found 's1'
            domain 9:35 Error: expected a value after ':effect'
            domain 9:69 Error: expected the end of 'not', found '(p ?y)'
        "#]],
    );
}

#[test]
fn reports_unknown_names() {
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
            domain 8:59 Error: 'f' is not a predicate
            domain 9:29 Error: 't' takes 1 argument, found 2
            domain 9:39 Error: 'go' takes 2 arguments, found 1
            domain 9:47 Error: no task or action is called 't3'
            domain 10:43 Error: 'go' takes 2 arguments, found 1
            domain 11:43 Error: 't2' takes 0 arguments, found 1
            domain 12:35 Error: duplicate parameter '?x'
            domain 12:57 Error: no predicate is called 'r'
            domain 12:63 Error: no object is called 'box' here
            problem 2:23 Warning: the type 'z' is not declared in ':types'
            problem 3:27 Error: expected an object of type 'a', found 'u'
            problem 3:31 Error: no task or action is called 't5'
            problem 3:38 Error: no variable is called '?v' here
            problem 4:17 Error: 'p' takes 1 argument, found 0
            problem 4:27 Error: expected a number, found 'many': functions whose values are objects are not supported
            problem 4:36 Error: expected an object, found '?x'
            problem 4:41 Error: no predicate is called 'at'
            problem 5:26 Error: no object is called 'z' here
        "#]],
    );
}

#[test]
fn reports_methods_that_never_apply() {
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
            domain 7:12 Warning: no object can be '?x', so this never applies
            domain 8:12 Warning: a subtask's argument has the wrong type, so this never applies
            domain 9:12 Error: the orderings of the subtasks form a cycle
        "#]],
    );
}

#[test]
fn reports_swapped_files() {
    wrong(
        "(define (problem p) (:domain d) (:init (q)))",
        Some("(define (domain d) (:predicates (p) (p)))"),
        expect![[r#"
            problem 1:38 Warning: duplicate predicate 'p'
            domain 1:41 Error: no predicate is called 'q'
        "#]],
    );
}

/// A domain whose only action has a precondition of nested lists.
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
fn rejects_deeply_nested_lists() {
    for depth in [1, 10, 40, 85, 110, 1_000, 20_000] {
        let domain = nested(depth);
        let imported = read_planning_files(&domain, None).expect("a document");
        let is_refused = !imported.diagnostics.is_empty();
        let mut findings = check(&Domain::from(&imported.document)).into_iter();
        assert_eq!(
            findings.find(|d| d.severity == Severity::Error),
            None,
            "{depth}"
        );
        assert_eq!(
            is_refused,
            depth > 90,
            "{depth}: {:?}",
            imported.diagnostics
        );
    }
}

#[test]
fn reports_missing_spaces() {
    let domain = "\u{feff}(define (domain d)
  (:types place - object truck boat -vehicle)
  (:predicates (at?x -vehicle?p -place) (near ?a ?b -place))
  (:functions (fuel?x -vehicle)-number)
  (:task go :parameters (?x-1 -vehicle ?to -Place))
  (:method m :parameters (?x -(either truck boat) ?to -place) :task (go?x?to)
    :precondition (forall (?p -place) (imply (at?x?p) (near?p?to))) :subtasks ())
  (:action a :parameters (?x -truck) :precondition (exists (?p -place) (at?x?p))))
";
    let problem = "\u{feff}(define (problem p) (:domain d) (:objects t -truck a b -place)
  (:htn :subtasks (go t b)) (:init (at t a) (near a b) (= (fuel t) -1)))";
    wrong(domain, Some(problem), expect![""]);
    // The same as with all spaces.
    let imported = read_planning_files(domain, Some(problem)).expect("a document");
    let spaced = |text: &str| {
        let text = text.trim_start_matches('\u{feff}').replace("?x-1", "@");
        let text = text
            .replace('-', " - ")
            .replace('?', " ?")
            .replace(" - 1", "-1");
        text.replace('@', "?x-1")
    };
    let other = read_planning_files(&spaced(domain), Some(&spaced(problem))).expect("a document");
    assert_eq!(imported.document.to_json(), other.document.to_json());
    // The byte order mark is not a column.
    wrong(
        "\u{feff}(define (domain d) what)",
        None,
        expect![[r#"
        domain 1:20 Error: expected a section, found 'what'
    "#]],
    );
    let plan = taskloom_hddl::syntax::read_plan("\u{feff}==>\nroot\n<==\n");
    assert_eq!(plan.errors, []);
    let plan = taskloom_hddl::syntax::read_plan("\u{feff}root 1\n1 a -> m 2\nx\n");
    assert_eq!(plan.plan.roots, [1]);
    assert_eq!(plan.errors[0].span.start, 3 + 7 + 11);
}

#[test]
fn reports_duplicates() {
    wrong(
        "(define (domain d)
  (:types a b - c a - c e - f f - g g - e x - x y - e b - d c d)
  (:constants k l - a k - a)
  (:predicates (in ?x ?x) (p ?x - a) (p ?y - b))
  (:functions (f ?x ?x) (g))
  (:task t :parameters (?x ?x))
  (:method m :parameters (?x - a) :parameters (?x - b) :task (t ?x ?x) :subtasks ())
  (:action act :parameters (?x - a) :precondition (p ?x) :effect () :precondition (p ?x)))
",
        Some(
            "(define (problem p) (:domain d) (:objects k - a o o - b l - b)
  (:htn :subtasks (t k l))
  (:init (p k) (in k l) (p k) (not (in k l)) (= (g) 1) (= (f k l) 2) (= (g) 1) (= (f k l) 3))
  (:goal (p k)) (:goal (p k)))",
        ),
        expect![[r#"
            domain 2:19 Warning: the type 'a' is declared twice
            domain 2:25 Error: the types form a cycle: 'e' is a subtype of 'f', a subtype of 'g', a subtype of 'e'
            domain 2:43 Error: the types form a cycle: 'x' is a subtype of 'x'
            domain 3:23 Warning: the object 'k' is declared twice
            domain 4:23 Warning: duplicate parameter '?x'
            domain 4:39 Warning: duplicate predicate 'p'
            domain 5:21 Warning: duplicate parameter '?x'
            domain 6:28 Error: duplicate parameter '?x'
            domain 7:35 Error: duplicate ':parameters'
            domain 8:69 Error: duplicate ':precondition'
            problem 1:43 Warning: the object 'k' is declared twice
            problem 1:51 Warning: the object 'o' is declared twice
            problem 1:57 Warning: the object 'l' is declared twice, with two types, and has both
            problem 3:17 Error: '(in k l)' is declared both true and false
            problem 3:26 Warning: duplicate fact '(p k)'
            problem 3:74 Warning: '(g)' is set twice
            problem 3:84 Error: '(f k l)' is set to a different number above
            problem 4:18 Error: duplicate ':goal'
        "#]],
    );
}

#[test]
fn reports_unsupported_features() {
    wrong(
        "(define (domain d)
  (:types place)
  (:predicates (at ?p - place) (within ?p - place))
  (:functions (loc ?p - place) - place (n))
  (:durative-action fly :parameters () :duration (= ?duration 1))
  (:derived (far ?p - place) (not (at ?p)))
  (:process rain :parameters ())
  (:event flood :parameters ())
  (:constraints (always (at a)))
  (:task t)
  (:method m :parameters () :task (t) :duration (< ?duration 3) :subtasks ())
  (:action a :parameters (?p ?q - place)
    :precondition (and (preference p1 (at ?p)) (at start (at ?p)) (= (loc ?p) ?q) (within ?p))
    :effect (and (assign (loc ?p) ?q) (oneof (at ?p) (at ?q)) (scale-up (n) 2) (at ?q)))
  (:action b :parameters () :observe (n)))
",
        Some(
            "(define (problem p) (:domain d) (:objects a b - place)
  (:init (at 5 (at a)) (at a) (= (loc a) b) (unknown (at b)))
  (:goal (and (at a) (sometime (at b))))
  (:constraints (and (always (at a))))
  (:metric maximize (n)))",
        ),
        expect![[r#"
            domain 4:34 Error: expected 'number', found 'place': functions whose values are objects are not supported
            domain 5:4 Error: ':durative-action': durative actions are not supported
            domain 6:4 Error: ':derived': derived predicates are not supported
            domain 7:4 Error: ':process': processes are not supported
            domain 8:4 Error: ':event': events are not supported
            domain 9:4 Error: ':constraints': trajectory constraints are not supported
            domain 11:39 Error: ':duration': durations are not supported
            domain 13:25 Error: preferences are not supported
            domain 13:49 Error: timed conditions, effects and initial facts are not supported
            domain 13:79 Error: expected a number, a function or '+', '-', '*', '/', found '?q': functions whose values are objects are not supported
            domain 14:35 Error: expected a number, a function or '+', '-', '*', '/', found '?q': functions whose values are objects are not supported
            domain 14:40 Error: uncertain facts and effects are not supported
            domain 14:64 Error: 'scale-up' and 'scale-down' are not supported
            domain 15:29 Error: ':observe': uncertain facts and effects are not supported
            problem 2:11 Error: timed conditions, effects and initial facts are not supported
            problem 2:42 Error: expected a number, found 'b': functions whose values are objects are not supported
            problem 2:46 Error: uncertain facts and effects are not supported
            problem 3:23 Error: trajectory constraints are not supported
            problem 4:4 Error: ':constraints': trajectory constraints are not supported
            problem 5:12 Warning: this metric is ignored, and the number of steps is minimised: 'maximize' is not supported
        "#]],
    );
}
