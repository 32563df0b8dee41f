//! Messages about common mistakes, and comments and line ends of other systems.

use expect_test::{Expect, expect};

use crate::broken::wrong;
use crate::solved::steps;

/// Shows the diagnostics of a domain alone.
fn domain(text: &str, expected: Expect) {
    wrong(text, None, expected);
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
