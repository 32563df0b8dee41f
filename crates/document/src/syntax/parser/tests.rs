use expect_test::{Expect, expect};

use super::*;
use crate::syntax::{print_effect, print_expr, print_initial, print_reference};

/// Returns the canonical text, then the errors, each below its position.
fn shown(text: &str, printed: String, errors: &[SyntaxError]) -> String {
    let mut out = printed;
    for SyntaxError { span, message } in errors {
        out += &format!("\n{text}\n");
        out += &" ".repeat(text[..span.start as usize].chars().count());
        out += &"^".repeat(text[span.range()].chars().count().max(1));
        out += &format!(" {message}");
    }
    out
}

fn expr(text: &str, expected: Expect) {
    let parsed = parse_expr(text);
    expected.assert_eq(&shown(text, print_expr(&parsed.value), &parsed.errors));
}

fn effect(text: &str, expected: Expect) {
    let parsed = parse_effect(text);
    expected.assert_eq(&shown(text, print_effect(&parsed.value), &parsed.errors));
}

fn call(text: &str, expected: Expect) {
    let parsed = parse_call(text);
    let printed = parsed.value.as_ref().map_or(String::new(), print_reference);
    expected.assert_eq(&shown(text, printed, &parsed.errors));
}

fn initial(text: &str, expected: Expect) {
    let parsed = parse_initial(text);
    expected.assert_eq(&shown(text, print_initial(&parsed.value), &parsed.errors));
}

#[test]
fn formulas_print_with_the_fewest_parentheses() {
    expr("((a and (b and c)) or (d))", expect!["a and b and c or d"]);
    expr(
        "a and (b or c) and not (d and e)",
        expect!["a and (b or c) and not (d and e)"],
    );
    expr(
        "(a imply b) imply (c imply d)",
        expect!["(a imply b) imply c imply d"],
    );
    expr("not ((at(?p)) = at(box))", expect!["not at(?p) = at(box)"]);
    expr(
        "(1 - (2 - 3)) - 4 * -(x + 1) / (y * 2)",
        expect!["1 - (2 - 3) - 4 * -(x + 1) / (y * 2)"],
    );
    expr(
        "a and (forall ?p: place. b) and exists ?q. (c or d)",
        expect!["a and (forall ?p: place. b) and exists ?q. c or d"],
    );
}

#[test]
fn accepts_alternative_notations() {
    expr(
        "A && !b || C == 3 -> x ≠ y",
        expect!["A and not b or C = 3 imply x != y"],
    );
    expr("a implies b => NOT c()", expect!["a imply b imply not c"]);
}

#[test]
fn aggregates_bind_tightly() {
    expr(
        "count ?u: unit. idle(?u) >= 3 and sum ?u: unit. hp(?u) * 2 > 1",
        expect!["count ?u: unit. idle(?u) >= 3 and sum ?u: unit. hp(?u) * 2 > 1"],
    );
    expr(
        "Sum ?u: unit, ?v. ((d(?u, ?v) + 1)) OF (not (a(?u)) or b) - -max ?u. (-x)",
        expect!["sum ?u: unit, ?v. (d(?u, ?v) + 1) of (not a(?u) or b) - -max ?u. (-x)"],
    );
    expr(
        "count ?u. not not idle(?u) = count ?u. (exists ?v. near(?u, ?v))",
        expect!["count ?u. not not idle(?u) = count ?u. (exists ?v. near(?u, ?v))"],
    );
    expr(
        "sum ?u. max ?v. d(?u, ?v) of a(?v) of b(?u) = min ?u. (count ?v. c(?u)) of (c or d)",
        expect![
            "sum ?u. (max ?v. d(?u, ?v) of a(?v)) of b(?u) = min ?u. (count ?v. c(?u)) of (c or d)"
        ],
    );
    expr(
        "count + sum(min, of) - max > of",
        expect!["count + sum(min, of) - max > of"],
    );
}

#[test]
fn parses_half_typed_aggregates() {
    expr(
        "count ?",
        expect![[r#"
        count
        count ?
              ^ expected 'and', 'or' or the end after 'count', found '?'"#]],
    );
    expr(
        "count ?u",
        expect![[r#"
        count ?u. …
        count ?u
                ^ expected '.' and then a formula after '?u', found the end"#]],
    );
    expr(
        "sum ?u:",
        expect![[r#"
        sum ?u. …
        sum ?u:
               ^ expected a type after ':', found the end"#]],
    );
    expr(
        "sum ?u: unit",
        expect![[r#"
        sum ?u: unit. …
        sum ?u: unit
                    ^ expected '.' and then a number after 'unit', found the end"#]],
    );
    expr(
        "sum ?u: unit. ",
        expect![[r#"
        sum ?u: unit. …
        sum ?u: unit. 
                     ^ expected a number after '.', found the end"#]],
    );
    expr(
        "sum ?u: unit. hp(?u) of",
        expect![[r#"
        sum ?u: unit. hp(?u) of …
        sum ?u: unit. hp(?u) of
                               ^ expected a formula after 'of', found the end"#]],
    );
    expr(
        "sum ?u: unit. hp(?u) of and b",
        expect![[r#"
        sum ?u: unit. hp(?u) of … and b
        sum ?u: unit. hp(?u) of and b
                                ^^^ expected a formula after 'of', found 'and'"#]],
    );
    expr(
        "count ?u. a(?u) of b(?u)",
        expect![[r#"
        count ?u. a(?u)
        count ?u. a(?u) of b(?u)
                        ^^ 'count' takes no 'of': combine its conditions with 'and'"#]],
    );
    expr(
        "min (?u. a(?u",
        expect![[r#"
        min(?u) and a(?u)
        min (?u. a(?u
               ^ expected ')' after '?u', found '.'
        min (?u. a(?u
                  ^ the ')' for this '(' is missing"#]],
    );
}

#[test]
fn reports_every_error_and_parses_the_rest() {
    expr(
        "has(key) and",
        expect![[r#"
        has(key) and …
        has(key) and
                    ^ expected a formula after 'and', found the end"#]],
    );
    expr(
        "has(key and locked(",
        expect![[r#"
        has(key and locked(…))
        has(key and locked(
                           ^ expected an argument after '(', found the end
        has(key and locked(
                          ^ the ')' for this '(' is missing
        has(key and locked(
           ^ the ')' for this '(' is missing"#]],
    );
    expr(
        "has(key box) cheap",
        expect![[r#"
        has(key, box) and cheap
        has(key box) cheap
                ^^^ expected ',' or ')' after 'key', found 'box'
        has(key box) cheap
                     ^^^^^ expected 'and', 'or' or the end after ')', found 'cheap'"#]],
    );
    expr(
        "a < b < c and ) or d",
        expect![[r#"
            (a < b) < c and … and d
            a < b < c and ) or d
                  ^ two comparisons in a row: join them with 'and'
            a < b < c and ) or d
                          ^ expected a formula after 'and', found ')'"#]],
    );
    expr(
        "(a b) and $ c",
        expect![[r#"
        a and c
        (a b) and $ c
           ^ expected ')' after 'a', found 'b'
        (a b) and $ c
                  ^ unexpected '$'"#]],
    );
    expr(
        "exists p: place. near(?p) and forall . x",
        expect![[r#"
        exists ?p: place. near(?p) and forall . x
        exists p: place. near(?p) and forall . x
               ^ a variable starts with a question mark: '?p'
        exists p: place. near(?p) and forall . x
                                             ^ expected a variable such as '?place' after 'forall', found '.'"#]],
    );
    expr(
        "ammo := 3",
        expect![[r#"
        ammo = 3
        ammo := 3
             ^^ ':=' is only allowed in effects: compare with '='"#]],
    );
    expr(
        "a when b",
        expect![[r#"
            a and b
            a when b
              ^^^^ 'when' belongs in an effect, once, after the change"#]],
    );
    let blank = parse_expr("   ");
    assert!(blank.empty);
    assert_eq!(blank.errors[0].message, "the text is empty");
    assert_eq!(blank.errors.len(), 1);
}

#[test]
fn parses_effects() {
    effect("has(ball)", expect!["has(ball)"]);
    effect(
        "not has(ball) when (a and b)",
        expect!["not has(ball) when a and b"],
    );
    effect("ammo-=2*?x", expect!["ammo -= 2 * ?x"]);
    effect("ammo = 3", expect!["ammo := 3"]);
    effect(
        "forall ?p: place, ?q. not at(?p) when ?p != ?q",
        expect!["forall ?p: place, ?q. not at(?p) when ?p != ?q"],
    );
    effect(
        "a and b",
        expect![[r#"
            a
            a and b
              ^^^ an effect makes one change: write the next one as a separate effect"#]],
    );
    effect(
        "a + 3 when",
        expect![[r#"
            a when …
            a + 3 when
              ^ expected ':=', '+=', '-=', 'when' or the end after 'a', found '+'
            a + 3 when
                      ^ expected a formula after 'when', found the end"#]],
    );
    effect(
        "",
        expect![[r#"
        …

        ^ the text is empty"#]],
    );
    effect(
        "a when b when c",
        expect![[r#"
            a when b
            a when b when c
                     ^^^^ 'when' belongs in an effect, once, after the change"#]],
    );
}

#[test]
fn parses_calls_and_initial_values() {
    call("walk-to(box, ?p)", expect!["walk-to(box, ?p)"]);
    call("get-ball()", expect!["get-ball"]);
    call(
        "get-ball now",
        expect![[r#"
        get-ball
        get-ball now
                 ^^^ expected the end after 'get-ball', found 'now'"#]],
    );
    call(
        "3",
        expect![[r#"

        3
        ^ expected a name, found '3'"#]],
    );
    initial("at(box)", expect!["at(box)"]);
    initial("not at(box)", expect!["not at(box)"]);
    initial("ammo := 3", expect!["ammo = 3"]);
    initial(
        "not ammo = 3",
        expect![[r#"
            not ammo
            not ammo = 3
                     ^ expected the end after 'ammo', found '='"#]],
    );
    initial(
        "ammo > 3",
        expect![[r#"
            ammo
            ammo > 3
                 ^ expected '=' or the end after 'ammo', found '>'"#]],
    );
}

#[test]
fn nesting_depth_is_limited_but_length_is_not() {
    for deep in [
        "not ".repeat(100_000),
        "(".repeat(100_000),
        "f(".repeat(100_000),
        "-".repeat(100_000),
        "a imply ".repeat(100_000),
        "forall ?x. ".repeat(100_000),
        "count ?x. ".repeat(100_000),
        "count ?x. ".to_owned() + &"not ".repeat(100_000),
        "sum ?x. 1 of (".repeat(100_000),
        "1 + ".repeat(100_000) + "1",
        "not ".repeat(150) + &"1 - ".repeat(150) + "1",
        "f(".repeat(150) + &"1 - ".repeat(150) + "1" + &")".repeat(150),
    ] {
        let parsed = parse_expr(&deep);
        let messages: Vec<&str> = parsed.errors.iter().map(|e| &*e.message).collect();
        assert_eq!(
            messages,
            ["nested too deeply: 200 levels at most"],
            "{deep:.60}"
        );
    }
    for wide in ["a and ", "a or ", "f(a, b) and "] {
        let parsed = parse_expr(&(wide.repeat(100_000) + "z"));
        assert_eq!(parsed.errors, []);
    }
}
