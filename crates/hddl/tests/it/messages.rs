//! Messages about common mistakes, and comments and line ends of other systems.

use expect_test::{Expect, expect};

use crate::broken::wrong;
use crate::solved::steps;

/// Shows the diagnostics of a domain alone.
fn domain(text: &str, expected: Expect) {
    wrong(text, None, expected);
}

#[test]
fn suggests_keywords_for_misspelt_ones() {
    domain(
        "(define (domain d) (:requirement :strips) (:type t) (:predicate (p)) (:const a) (:objects a)
  (:actions a :parameters ())
  (:action b :parameter () :preconditions (p) :effects (not (p)))
  (:task t :params () :parametres ())
  (:method m :paramters () :tasks (t) :task (t) :pre (p) :ordered-subtask (b) :order ()
    :whatever (p)))",
        expect![[r#"
            domain 1:21 Error: ':requirement': this section isn't allowed here; did you mean ':requirements'?
            domain 1:44 Error: ':type': this section isn't allowed here; did you mean ':types'?
            domain 1:54 Error: ':predicate': this section isn't allowed here; did you mean ':predicates'?
            domain 1:71 Error: ':const': this section isn't allowed here; did you mean ':constants'?
            domain 1:82 Error: ':objects': this section isn't allowed here
            domain 2:4 Error: ':actions': this section isn't allowed here; did you mean ':action'?
            domain 3:14 Error: ':parameter': this isn't allowed here; did you mean ':parameters'?
            domain 3:28 Error: ':preconditions': this isn't allowed here; did you mean ':precondition'?
            domain 3:47 Error: ':effects': this isn't allowed here; did you mean ':effect'?
            domain 4:12 Error: ':params': this isn't allowed here; did you mean ':parameters'?
            domain 4:23 Error: ':parametres': this isn't allowed here; did you mean ':parameters'?
            domain 5:14 Error: ':paramters': this isn't allowed here; did you mean ':parameters'?
            domain 5:49 Error: ':pre': this isn't allowed here; did you mean ':precondition'?
            domain 5:58 Error: ':ordered-subtask': this isn't allowed here; did you mean ':ordered-subtasks'?
            domain 6:5 Error: ':whatever': this isn't allowed here
        "#]],
    );
    wrong(
        "(define (domain d) (:predicates (p)))",
        Some(
            "(define (problem p) (:domains d) (:object a) (:inits (p)) (:goals (p))
  (:metrics minimize (total-time)) (:htm :subtasks ()) (:htn :parameter () :subtask ()))",
        ),
        expect![[r#"
            problem 1:22 Error: ':domains': this section isn't allowed here; did you mean ':domain'?
            problem 1:35 Error: ':object': this section isn't allowed here; did you mean ':objects'?
            problem 1:47 Error: ':inits': this section isn't allowed here; did you mean ':init'?
            problem 1:60 Error: ':goals': this section isn't allowed here; did you mean ':goal'?
            problem 2:4 Error: ':metrics': this section isn't allowed here; did you mean ':metric'?
            problem 2:37 Error: ':htm': this section isn't allowed here; did you mean ':htn'?
            problem 2:62 Error: ':parameter': this isn't allowed here; did you mean ':parameters'?
            problem 2:76 Error: ':subtask': this isn't allowed here; did you mean ':subtasks'?
        "#]],
    );
}

#[test]
fn names_what_is_duplicate() {
    domain(
        "(define (domain d) (:task t) (:task T) (:task go) (:action go) (:action go))",
        expect![[r#"
            domain 1:27 Warning: the task 't' has no methods
            domain 1:37 Error: duplicate task 't'
            domain 1:47 Error: the task 'go' has the name of an action
            domain 1:73 Error: duplicate action 'go'
        "#]],
    );
}

#[test]
fn undeclared_total_cost_is_one_kind_of_mistake() {
    wrong(
        "(define (domain d) (:predicates (p))
  (:action a :effect (and (p) (increase (total-cost) 1))))",
        Some(
            "(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (p))
  (:metric minimize (total-cost)))",
        ),
        expect![[r#"
            domain 2:42 Error: no function is called 'total-cost'
            problem 1:44 Error: no function is called 'total-cost'
        "#]],
    );
}

#[test]
fn effects_of_methods_and_types_as_predicates_are_not_supported() {
    domain(
        "(define (domain d) (:types truck) (:predicates (p ?x - truck)) (:task t)
  (:method m :parameters (?x - truck) :task (t) :precondition (truck ?x) :effect (p ?x)
    :subtasks (a ?x))
  (:method n :parameters () :task (t) :effects (p) :subtasks ())
  (:action a :parameters (?x - truck) :precondition (not (truck ?x)) :effect (truck ?x)))",
        expect![[r#"
            domain 2:64 Error: no predicate is called 'truck': it is a type, and types are not supported as predicates
            domain 2:74 Error: ':effect': effects of methods are not supported
            domain 4:39 Error: ':effects': effects of methods are not supported
            domain 5:59 Error: no predicate is called 'truck': it is a type, and types are not supported as predicates
            domain 5:79 Error: no predicate is called 'truck': it is a type, and types are not supported as predicates
        "#]],
    );
}

#[test]
fn functions_need_parentheses() {
    wrong(
        "(define (domain d) (:predicates (p)) (:functions (total-cost) (fuel) (g ?x))
  (:action a :precondition (and (>= fuel 3) (= fuel 3) (= total-cost 3) (= fuel (total-cost))
      (< (+ 1 fuel) 2))
    :effect (and (p) (increase total-cost 5) (decrease (fuel) total-cost) (assign fuel 3))))",
        Some(
            "(define (problem p) (:domain d) (:init (= total-cost 0) (= (fuel) 1))
  (:goal (> total-cost 2)) (:metric minimize total-cost))",
        ),
        expect![[r#"
            domain 2:37 Error: expected a number, a function or '+', '-', '*', '/', found 'fuel': a function is written '(fuel)', and functions whose values are objects are not supported
            domain 2:48 Error: no object is called 'fuel' here: a function is written '(fuel)'
            domain 2:59 Error: no object is called 'total-cost' here: a function is written '(total-cost)'
            domain 2:76 Error: expected a number, a function or '+', '-', '*', '/', found 'fuel': a function is written '(fuel)', and functions whose values are objects are not supported
            domain 3:15 Error: expected a number, a function or '+', '-', '*', '/', found 'fuel': a function is written '(fuel)', and functions whose values are objects are not supported
            domain 4:32 Error: expected a function, found 'total-cost': write '(total-cost)'
            domain 4:63 Error: expected a number, a function or '+', '-', '*', '/', found 'total-cost': write '(total-cost)'
            domain 4:83 Error: expected a function, found 'fuel': write '(fuel)'
            problem 1:43 Error: expected a function, found 'total-cost': write '(total-cost)'
            problem 2:13 Error: expected a number, a function or '+', '-', '*', '/', found 'total-cost': write '(total-cost)'
            problem 2:46 Error: expected a number, a function or '+', '-', '*', '/', found 'total-cost': write '(total-cost)'
        "#]],
    );
}

const DOMAIN: &str = "; a domain; (with a comment
(define (domain d) ; of
  (:predicates (p)) ; 
  ; (:predicates (q))
  (:action a :effect (p)))
";
const PROBLEM: &str = "(define (problem p) (:domain d)\n  ; (\n(:goal (p)))";

#[test]
fn lines_may_end_with_carriage_returns() {
    for end in ["\n", "\r\n", "\r"] {
        let of = |text: &str| text.replace('\n', end);
        assert_eq!(steps(&of(DOMAIN), &of(PROBLEM)), "a: cost 1", "{end:?}");
        let text = of("; one\n\n(define (domain d)\n  what)\n; end");
        wrong(
            &text,
            None,
            expect![[r#"
                domain 4:3 Error: expected a section, found 'what'
            "#]],
        );
    }
}

#[test]
fn reads_comments_of_several_lines() {
    let commented = |comment: &str| {
        let domain = DOMAIN.replace("(domain d)", &format!("(domain{comment}d)"));
        let domain = domain.replace("(:action a", &format!("{comment}(:action a{comment}"));
        steps(&format!("{comment}{domain}{comment}"), PROBLEM)
    };
    for comment in [
        " #| words, (lists and ; more |# ",
        "#|one|#",
        "#||#",
        "#| outer #| (inner |# ) |#",
        "\n#|\n (:action a :effect (q))\n|#\n",
        " ; not #| this\n",
    ] {
        assert_eq!(commented(comment), "a: cost 1", "{comment}");
    }
    domain(
        "(define (domain d) (:predicates (p)))\n#| it goes on (and on",
        expect![[r#"
            domain 2:1 Error: expected '|#' for this '#|' before the end of the file
        "#]],
    );
    domain(
        "(define (domain d) (:predicates (p#1) (p|) (#p)) |# (:types a))",
        expect![[r#"
            domain 1:50 Error: expected a section, found '|#'
        "#]],
    );
}
