//! What is wrong with files, and where.

use std::fs;

use expect_test::expect;

use super::fixture::{DOMAIN, PROBLEM, check, delivery, examples, folder, said};

#[test]
fn everything_wrong_is_shown_in_place() {
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
            ("cut.taskloom.json", "{ \"taskloom\": 1,\n  \"types\": }"),
            ("newer.taskloom.json", "{ \"taskloom\": 1000000 }"),
            (
                "mistake.taskloom.json",
                "{ \"taskloom\": 1, \"facts\": { \"open\": { \"value\": \"boolean\" } }, \"primitive_tasks\": { \"shut\": \
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
        exit 2"#]],
    );
    check(
        &folder,
        "check newer.taskloom.json",
        expect![[r#"
        ! error: the file is of version 1000000, and this Taskloom reads up to version 1: open it with a newer Taskloom
        !   --> newer.taskloom.json
        exit 2"#]],
    );
    check(
        &folder,
        "check mistake.taskloom.json",
        expect![[r#"
            ! error: No fact or condition is called 'opn'; did you mean 'open'? [unknown-name]
            !  --> mistake.taskloom.json: primitive task 'shut', precondition 1, column 1
            !  |
            !  | opn
            !  | ^^^
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
            ! error: mistake.taskloom.json is a document, which holds its scenarios: problem.hddl has no place beside it
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
        ! error: invalid value '3X' for '--memory-limit <BYTES>': a number of bytes, or one with K, M or G behind it
        ! 
        ! For more information, try '--help'.
        exit 2"#]],
    );
}

#[test]
fn a_mistake_in_a_document_is_shown_where_its_file_has_it() {
    let file = "ball-in-the-box.taskloom.json";
    let text = fs::read_to_string(examples().join(file)).expect("the example");
    let text = text.replace("has(hammer)", "not has(\\\"hamer)");
    let folder = folder("mistake", &[(file, &text)]);
    check(
        &folder,
        &format!("check {file}"),
        expect![[r#"
            ! error: '"' means nothing here. [syntax]
            !     --> ball-in-the-box.taskloom.json:163:18: primitive task 'smash-box', precondition 2
            !     |
            ! 163 |         "not has(\"hamer)"
            !     |                  ^^
            ! 
            ! error: No object is called 'hamer'; did you mean 'hammer'? [unknown-name]
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
fn what_is_right_is_checked_in_silence() {
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
