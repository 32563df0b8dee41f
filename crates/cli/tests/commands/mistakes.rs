//! Errors in files, and their locations.

use std::fs;

use expect_test::expect;

use super::fixture::{DOMAIN, PROBLEM, check, delivery, examples, folder, said};

#[test]
fn shows_every_error_at_its_location() {
    let domain = DOMAIN
        .replace(
            "(at ?p) (lies ?b ?p))\n    :effect",
            "(att ?p) (lies ?b))\n    :effect",
        )
        .replace("?from ?next)", "?from ?nxt)");
    let folder = folder(
        "wrong",
        &[
            ("domain.hddl", &domain),
            ("problem.hddl", PROBLEM),
            ("cut.hddl", DOMAIN.get(..200).expect("a part")),
            ("cut.taskloom.json", "{ \"taskloom\": 4,\n  \"types\": }"),
            (
                "merged.taskloom.json",
                "{ \"taskloom\": 4,\n  \"types\": {\n<<<<<<< ours\n    \"a\": {}\n=======\n    \"b\": {}\n\
                 >>>>>>> theirs\n  }\n}\n",
            ),
            (
                "merged.hddl",
                &DOMAIN.replacen("(define", "<<<<<<< ours\n(define", 1),
            ),
            ("newer.taskloom.json", "{ \"taskloom\": 1000000 }"),
            (
                "mistake.taskloom.json",
                "{ \"taskloom\": 4, \"facts\": { \"open\": { \"value\": \"boolean\" } }, \"primitive_tasks\": { \"shut\": \
                 { \"preconditions\": [\"opn\"], \"effects\": [{ \"text\": \"not open\" }] } } }",
            ),
        ],
    );
    check(
        &folder,
        "check domain.hddl problem.hddl",
        expect![[r#"
        ! error: no variable is called '?nxt' here
        !    --> domain.hddl:19:62
        !    |
        ! 19 |     :precondition (and (at ?from) (not (at ?to)) (road ?from ?nxt))
        !    |                                                              ^^^^
        ! 
        ! error: no variable is called '?nxt' here
        !    --> domain.hddl:20:41
        !    |
        ! 20 |     :ordered-subtasks (and (drive ?from ?nxt) (go ?to)))
        !    |                                         ^^^^
        ! 
        ! error: no predicate is called 'att'
        !    --> domain.hddl:27:25
        !    |
        ! 27 |     :precondition (and (att ?p) (lies ?b))
        !    |                         ^^^
        ! 
        ! error: 'lies' takes 2 arguments, found 1
        !    --> domain.hddl:27:34
        !    |
        ! 27 |     :precondition (and (att ?p) (lies ?b))
        !    |                                  ^^^^
        ! 
        ! 4 errors
        exit 2"#]],
    );
    assert_eq!(
        said(&folder, "plan domain.hddl problem.hddl"),
        said(&folder, "check domain.hddl problem.hddl"),
        "what is not right is not planned with"
    );
    check(
        &folder,
        "check cut.hddl",
        expect![[r#"
        ! warning: the task 'deliver' has no methods
        !   --> cut.hddl:4:10
        !   |
        ! 4 |   (:task deliver :parameters (?b - parcel ?to - place))
        !   |          ^^^^^^^
        ! 
        ! error: expected ')' for this '(' before the end of the file
        !   --> cut.hddl:5:3
        !   |
        ! 5 |   (:task go
        !   |   ^
        ! 
        ! warning: the task 'go' has no methods
        !   --> cut.hddl:5:10
        !   |
        ! 5 |   (:task go
        !   |          ^^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check cut.taskloom.json",
        expect![[r#"
        ! error: expected a value
        !   --> cut.taskloom.json:2:12
        !   |
        ! 2 |   "types": }
        !   |            ^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check merged.taskloom.json",
        expect![[r#"
        ! error: this file has unresolved merge conflicts (line 3: <<<<<<< ours)
        !   --> merged.taskloom.json:3:1
        !   |
        ! 3 | <<<<<<< ours
        !   | ^^^^^^^^^^^^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check merged.hddl",
        expect![[r#"
        ! error: this file has unresolved merge conflicts (line 1: <<<<<<< ours)
        !   --> merged.hddl:1:1
        !   |
        ! 1 | <<<<<<< ours
        !   | ^^^^^^^^^^^^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check newer.taskloom.json",
        expect![[r#"
        ! error: the file has version 1000000, but this Taskloom reads only up to version 4: open it with a newer Taskloom
        !   --> newer.taskloom.json:1:15
        !   |
        ! 1 | { "taskloom": 1000000 }
        !   |               ^^^^^^^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check mistake.taskloom.json",
        expect![[r#"
            ! error: There is no fact or condition 'opn'; did you mean 'open'? [unknown-name]
            !   --> mistake.taskloom.json:1:113: primitive task 'shut', precondition 1
            !   |
            ! 1 | { "taskloom": 4, "facts": { "open": { "value": "boolean" } }, "primitive_tasks": { "shut": { "preconditions": ["opn"], "effects": [{ "text": "not open" }] } } }
            !   |                                                                                                                 ^^^
            !   = Change to 'open'
            ! 
            ! 1 error
            exit 2"#]],
    );
    check(
        &folder,
        "check nothing.hddl",
        expect![[r#"
        ! error: nothing.hddl: No such file or directory (os error 2)
        exit 2"#]],
    );
    check(
        &folder,
        "check mistake.taskloom.json problem.hddl",
        expect![[r#"
            ! error: mistake.taskloom.json is a document with its own scenarios: leave out problem.hddl
            exit 2"#]],
    );
    check(
        &folder,
        "plan domain.hddl --strategy best",
        expect![[r#"
        ! error: invalid value 'best' for '--strategy <STRATEGY>'
        !   [possible values: first, cheapest, any]
        ! 
        ! For more information, try '--help'.
        exit 2"#]],
    );
    check(
        &folder,
        "plan domain.hddl --memory-limit 3X",
        expect![[r#"
        ! error: invalid value '3X' for '--memory-limit <BYTES>': '3X' is not an amount of memory: use a number above 0, with an optional unit, as in 512M, 1.5G or 2GiB
        ! 
        ! For more information, try '--help'.
        exit 2"#]],
    );
}

#[test]
fn shows_document_errors_at_their_location_in_the_file() {
    let file = "ball-in-the-box.taskloom.json";
    let text = fs::read_to_string(examples().join(file)).expect("the example");
    let text = text.replace("has(hammer)", "not has(\\\"hamer)");
    let folder = folder("mistake", &[(file, &text)]);
    check(
        &folder,
        &format!("check {file}"),
        expect![[r#"
            ! error: Unexpected '"'. [syntax]
            !     --> ball-in-the-box.taskloom.json:163:18: primitive task 'smash-box', precondition 2
            !     |
            ! 163 |         "not has(\"hamer)"
            !     |                  ^^
            ! 
            ! error: There is no object 'hamer'; did you mean 'hammer'? [unknown-name]
            !     --> ball-in-the-box.taskloom.json:163:20: primitive task 'smash-box', precondition 2
            !     |
            ! 163 |         "not has(\"hamer)"
            !     |                    ^^^^^
            !   = Change to 'hammer'
            ! 
            ! 2 errors
            exit 2"#]],
    );
}

#[test]
fn prints_nothing_for_valid_files() {
    check(
        &delivery("check"),
        "check domain.hddl problem.hddl",
        expect!["exit 0"],
    );
    check(
        &examples(),
        "check night-guard.taskloom.json",
        expect!["exit 0"],
    );
}

#[test]
fn shows_all_format_errors_in_one_run() {
    let document = "\u{feff}{
  \"taskloom\": 4,
  \"facts\": { \"open\": { \"valeu\": \"boolean\" } },
  \"compound_tasks\": { \"begin\": { \"method\": { \"blocks\": { \"ü\": {}, \"a1\": { \"kind\": \"choice\" } } } } },
  \"scenarios\": { \"s\": { \"events\": [{ \"at\": -1, \"effect\": \"open\" }] } }
}
";
    let folder = folder("form", &[("h.taskloom.json", document)]);
    check(
        &folder,
        "check h.taskloom.json",
        expect![[r#"
        ! error: In fact 'open', valeu: unknown field `valeu`, expected one of `params`, `value`, `source`, `absence`, `title`, `note`
        !   --> h.taskloom.json:3:24
        !   |
        ! 3 |   "facts": { "open": { "valeu": "boolean" } },
        !   |                        ^^^^^^^
        ! 
        ! error: In compound task 'begin', method.blocks.ü: missing field `kind`
        !   --> h.taskloom.json:4:58
        !   |
        ! 4 |   "compound_tasks": { "begin": { "method": { "blocks": { "ü": {}, "a1": { "kind": "choice" } } } } },
        !   |                                                          ^^^
        ! 
        ! error: In compound task 'begin', method.blocks.ü: 'ü' is not a block id: 1 to 16 letters and digits
        !   --> h.taskloom.json:4:58
        !   |
        ! 4 |   "compound_tasks": { "begin": { "method": { "blocks": { "ü": {}, "a1": { "kind": "choice" } } } } },
        !   |                                                          ^^^
        ! 
        ! error: In compound task 'begin', method.blocks.a1: missing field `alternatives`
        !   --> h.taskloom.json:4:67
        !   |
        ! 4 |   "compound_tasks": { "begin": { "method": { "blocks": { "ü": {}, "a1": { "kind": "choice" } } } } },
        !   |                                                                   ^^^^
        ! 
        ! error: In scenario 's', events[0].at: invalid value: integer `-1`, expected a whole number from 0
        !   --> h.taskloom.json:5:44
        !   |
        ! 5 |   "scenarios": { "s": { "events": [{ "at": -1, "effect": "open" }] } }
        !   |                                            ^^
        ! 
        ! 5 errors
        exit 2"#]],
    );
}

#[test]
fn truncates_long_lines() {
    let calm = "open and ".repeat(10_000);
    let document = format!(
        "{{ \"taskloom\": 4, \"facts\": {{ \"open\": {{}} }}, \"conditions\": {{ \"c\": {{ \"formula\": \"{calm}opn and {calm}open\" }} }} }}"
    );
    let cut = document.get(..50_000).expect("a part");
    let number = document
        .replace(&calm, "")
        .replace("\"formula\": ", &format!("\"formula\": 7, \"{calm}\": "));
    let folder = folder(
        "long",
        &[
            ("long.taskloom.json", &document),
            ("cut.taskloom.json", cut),
            ("field.taskloom.json", &number),
            (
                "long.hddl",
                &format!("(define (domain d) {}", "x".repeat(100_000)),
            ),
        ],
    );
    check(
        &folder,
        "check long.taskloom.json",
        expect![[r#"
        ! error: There is no fact or condition 'opn'; did you mean 'open'? [unknown-name]
        !   --> long.taskloom.json:1:90078: condition 'c', formula
        !   |
        ! 1 | …open and open and open and open and open and open and open and open and open and open and open and opn and open and open and open and open and open and open and open and open and open and open and o…
        !   |                                                                                                     ^^^
        !   = Change to 'open'
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check cut.taskloom.json",
        expect![[r#"
        ! error: the text ends where '"' is expected
        !   --> cut.taskloom.json:1:50001
        !   |
        ! 1 | …open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and 
        !   |                                                                                                                                                                                                        ^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check field.taskloom.json",
        expect![[r#"
            ! error: In condition 'c', formula: invalid type: integer `7`, expected a string in quotes
            !   --> field.taskloom.json:1:77
            !   |
            ! 1 | { "taskloom": 4, "facts": { "open": {} }, "conditions": { "c": { "formula": 7, "open and open and open and open and open and open and open and open and open and open and open and open and open and o…
            !   |                                                                             ^
            ! 
            ! error: In condition 'c', open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and op…open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and open and `, expected one of `params`, `formula`, `title`, `note`
            !   --> field.taskloom.json:1:80
            !   |
            ! 1 | { "taskloom": 4, "facts": { "open": {} }, "conditions": { "c": { "formula": 7, "open and open and open and open and open and open and open and open and open and open and open and open and open and o…
            !   |                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            ! 
            ! 2 errors
            exit 2"#]],
    );
    check(
        &folder,
        "check long.hddl",
        expect![[r#"
        ! error: expected ')' for this '(' before the end of the file
        !   --> long.hddl:1:1
        !   |
        ! 1 | (define (domain d) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        !   | ^
        ! 
        ! error: expected a section, found 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
        !   --> long.hddl:1:20
        !   |
        ! 1 | (define (domain d) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        !   |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        ! 
        ! 2 errors
        exit 2"#]],
    );
}

#[test]
fn escapes_control_characters() {
    let hostile = "\u{1b}[31m\0\u{202e}\u{9b}\r";
    let document = format!(
        "{{ \"taskloom\": 4, \"facts\": {{ \"open\": {{}} }},\n\t\"types\": [\"{}\u{202e}\", \"\t",
        hostile.escape_unicode()
    );
    let domain = DOMAIN.replace(
        "(at ?p) (lies ?b ?p))\n    :effect",
        &format!("(att ?p) ; {hostile}\n\t(lies ?c ?p))\n    :effect"),
    );
    let text = "{ \"taskloom\": 4, \"conditions\": { \"c\": { \"formula\": \"\u{202e}open \\u001b[2J\" } } }";
    let folder = folder(
        "hostile",
        &[
            ("a.taskloom.json", &document),
            ("text.taskloom.json", text),
            ("domain.hddl", &domain),
            ("problem.hddl", PROBLEM),
        ],
    );
    check(
        &folder,
        "check a.taskloom.json",
        expect![[r#"
        ! error: invalid character code
        !   --> a.taskloom.json:2:13
        !   |
        ! 2 | 	"types": ["\u{1b}\u{5b}\u{33}\u{31}\u{6d}\u{0}\u{202e}\u{9b}\u{d}\u{202e}", "	
        !   | 	           ^
        ! 
        ! 1 error
        exit 2"#]],
    );
    check(
        &folder,
        "check text.taskloom.json",
        expect![[r#"
        ! error: Unexpected '\u{202e}'. [syntax]
        !   --> text.taskloom.json:1:53: condition 'c', formula
        !   |
        ! 1 | { "taskloom": 4, "conditions": { "c": { "formula": "\u{202e}open \u001b[2J" } } }
        !   |                                                     ^^^^^^^^
        ! 
        ! error: There is no fact or condition 'open'. [unknown-name]
        !   --> text.taskloom.json:1:54: condition 'c', formula
        !   |
        ! 1 | { "taskloom": 4, "conditions": { "c": { "formula": "\u{202e}open \u001b[2J" } } }
        !   |                                                             ^^^^
        ! 
        ! error: Expected 'and', 'or' or the end after 'open', found '\u{1b}'. [syntax]
        !   --> text.taskloom.json:1:59: condition 'c', formula
        !   |
        ! 1 | { "taskloom": 4, "conditions": { "c": { "formula": "\u{202e}open \u001b[2J" } } }
        !   |                                                                  ^^^^^^
        ! 
        ! error: This is a number, but a formula is expected: compare it, as in 'ammo > 0'. [not-a-formula]
        !   --> text.taskloom.json:1:66: condition 'c', formula
        !   |
        ! 1 | { "taskloom": 4, "conditions": { "c": { "formula": "\u{202e}open \u001b[2J" } } }
        !   |                                                                         ^
        ! 
        ! error: Expected 'and', 'or' or the end after '2', found 'J'. [syntax]
        !   --> text.taskloom.json:1:67: condition 'c', formula
        !   |
        ! 1 | { "taskloom": 4, "conditions": { "c": { "formula": "\u{202e}open \u001b[2J" } } }
        !   |                                                                          ^
        ! 
        ! error: There is no fact or condition 'J'; did you mean 'c'? [unknown-name]
        !   --> text.taskloom.json:1:67: condition 'c', formula
        !   |
        ! 1 | { "taskloom": 4, "conditions": { "c": { "formula": "\u{202e}open \u001b[2J" } } }
        !   |                                                                          ^
        !   = Change to 'c'
        ! 
        ! 6 errors
        exit 2"#]],
    );
    check(
        &folder,
        "check domain.hddl problem.hddl",
        expect![[r#"
        ! error: no predicate is called 'att'
        !    --> domain.hddl:27:25
        !    |
        ! 27 |     :precondition (and (att ?p) ; \u{1b}[31m\u{0}\u{202e}\u{9b}
        !    |                         ^^^
        ! 
        ! error: no variable is called '?c' here
        !    --> domain.hddl:28:8
        !    |
        ! 28 | 	(lies ?c ?p))
        !    | 	      ^^
        ! 
        ! 2 errors
        exit 2"#]],
    );
    check(
        &folder,
        "check \u{1b}[31m.hddl",
        expect![[r#"
        ! error: \u{1b}[31m.hddl: No such file or directory (os error 2)
        exit 2"#]],
    );
    check(
        &folder,
        "check --\u{1b}[31m",
        expect![[r#"
            ! error: unexpected argument '--\u{1b}[31m' found
            ! 
            !   tip: to pass '--\u{1b}[31m' as a value, use '-- --\u{1b}[31m'
            ! 
            ! Usage: taskloom check [OPTIONS] <FILE|DOMAIN> [PROBLEM]
            ! 
            ! For more information, try '--help'.
            exit 2"#]],
    );
}
