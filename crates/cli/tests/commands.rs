//! The program as its user sees it: output, errors and exit status.
//!
//! Files are written below the target folder, so that messages name them alike on every machine.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};

/// A van takes parcels along roads.
const DOMAIN: &str = "(define (domain delivery)
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

const PROBLEM: &str = "(define (problem one-parcel)
  (:domain delivery)
  (:objects depot mill farm - place book - parcel)
  (:htn :ordered-subtasks (and (deliver book farm)))
  (:init (at depot) (lies book mill) (road depot mill) (road mill farm)))
";

/// A round through towns, all of which are near each other in one way only: that a round is the cheapest takes long
/// to prove.
fn round(towns: usize) -> (String, String) {
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

/// A folder of its own for a test, with files in it.
fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

fn delivery(test: &str) -> PathBuf {
    folder(test, &[("domain.hddl", DOMAIN), ("problem.hddl", PROBLEM)])
}

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../public/examples")
}

fn taskloom(folder: &PathBuf, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taskloom"));
    command.current_dir(folder).args(line.split_whitespace());
    command.stdin(Stdio::null());
    command
}

fn shown(output: &Output) -> String {
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

/// Output, then errors after a `!`, then the exit status.
fn check(folder: &PathBuf, line: &str, expected: Expect) {
    let output = taskloom(folder, line).output().expect("the program runs");
    expected.assert_eq(&shown(&output));
}

#[test]
fn plans_are_written_for_people_and_for_programs() {
    let folder = delivery("plan");
    check(
        &folder,
        "plan domain.hddl problem.hddl",
        expect![[r#"
        1  drive(depot, mill)
        2  load(book, mill)
        3  drive(mill, farm)
        4  unload(book, farm)
        4 steps, cost 4
        exit 0"#]],
    );
    let ipc = |strategy| {
        let line = format!("plan domain.hddl problem.hddl --format ipc --strategy {strategy}");
        shown(&taskloom(&folder, &line).output().expect("the program runs"))
    };
    expect![[r#"
        ==>
        5 drive depot mill
        2 load book mill
        7 drive mill farm
        4 unload book farm
        root 0
        0 deliver book farm -> m-deliver 1 2 3 4
        1 go mill -> m-drive 5 6
        3 go farm -> m-drive 7 8
        6 go mill -> m-there
        8 go farm -> m-there
        <==
        exit 0"#]]
    .assert_eq(&ipc("first"));
    assert_eq!(ipc("cheapest"), ipc("first"));
    assert_eq!(ipc("any"), ipc("first"));
    let line = "plan domain.hddl problem.hddl --format json";
    let output = taskloom(&folder, line).output().expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let steps = answer["plan"]["steps"].as_array().expect("steps");
    let last = &steps.last().expect("a step")["task"];
    expect![[r#""plan" {"args":["book","farm"],"task":"unload"}"#]]
        .assert_eq(&format!("{} {last}", answer["outcome"]));
}

#[test]
fn a_scenario_is_named_unless_there_is_only_one() {
    let file = "ball-in-the-box.taskloom.json";
    check(
        &examples(),
        &format!("plan {file}"),
        expect![[r#"
        ! error: --scenario NAME is needed: it is one of case-1-box-open, case-2-box-closed, case-3-key-in-the-drawer, case-4-hammer-in-the-shed, case-5-the-box-slams-shut, case-6-no-way-in
        exit 2"#]],
    );
    check(
        &examples(),
        &format!("plan {file} --scenario case-7"),
        expect![[r#"
            ! error: no scenario 'case-7': it is one of case-1-box-open, case-2-box-closed, case-3-key-in-the-drawer, case-4-hammer-in-the-shed, case-5-the-box-slams-shut, case-6-no-way-in
            exit 2"#]],
    );
    let line = format!("plan {file} --scenario Case-2-Box-Closed --trace");
    check(
        &examples(),
        &line,
        expect![[r#"
        get-ball: next, after 0 steps
          get-ball: tries no, no, no
            walk-to(box): next, after 0 steps
            open-box: next, after 1 steps
            take-ball: next, after 2 steps
        1  walk-to(box)
        2  open-box
        3  take-ball
        3 steps, cost 3
        exit 0"#]],
    );
    let line = format!("plan {file} --scenario case-6-no-way-in --trace=4 --strategy cheapest");
    check(
        &examples(),
        &line,
        expect![[r#"
        get-ball: next, after 0 steps
          get-ball: tries no, no, yes, 1 with the key
            walk-to(box): next, after 0 steps
            get-key: next, after 1 steps
        and 14 more events
        ! no plan exists: everything was searched
        exit 1"#]],
    );
    let line = format!("plan {file} --scenario case-6-no-way-in --trace --strategy any");
    check(
        &examples(),
        &line,
        expect![[r#"
        ! error: the strategy 'any' keeps no trace: leave out --trace, or take another one
        exit 2"#]],
    );
}

#[test]
fn an_unsolvable_problem_is_proved_so() {
    let folder = folder(
        "unsolvable",
        &[
            ("domain.hddl", DOMAIN),
            ("problem.hddl", &PROBLEM.replace("(road mill farm)", "")),
        ],
    );
    let plan = "plan domain.hddl problem.hddl";
    check(
        &folder,
        plan,
        expect![[r#"
        ! no plan exists: everything was searched
        exit 1"#]],
    );
    check(
        &folder,
        &format!("{plan} --strategy cheapest"),
        expect![[r#"
            ! no plan exists: everything was searched
            exit 1"#]],
    );
    check(
        &folder,
        &format!("{plan} --strategy any"),
        expect![[r#"
        ! no plan exists: everything was searched
        exit 1"#]],
    );
}

#[test]
fn who_gives_up_says_why() {
    let (domain, problem) = round(12);
    let folder = folder(
        "budgets",
        &[("domain.hddl", &domain), ("problem.hddl", &problem)],
    );
    let plan = |options: &str, expected| {
        check(
            &folder,
            &format!("plan domain.hddl problem.hddl {options}"),
            expected,
        );
    };
    plan(
        "--node-limit 3",
        expect![[r#"
        ! gave up: the budget of decisions is used up (--node-limit sets it); it is not known whether there is a plan
        exit 3"#]],
    );
    plan(
        "--depth-limit 0",
        expect![[r#"
        ! gave up: the budget of depth is used up (--depth-limit sets it); it is not known whether there is a plan
        exit 3"#]],
    );
    plan(
        "--memory-limit 1K",
        expect![[r#"
        ! gave up: the budget of memory is used up (--memory-limit sets it); it is not known whether there is a plan
        exit 3"#]],
    );
    plan(
        "--time-limit 0",
        expect![[r#"
        ! gave up: the budget of time is used up (--time-limit sets it); it is not known whether there is a plan
        exit 3"#]],
    );
    plan(
        "--strategy cheapest --node-limit 2000",
        expect![[r#"
             1  visit(t0, t0)
             2  visit(t0, t1)
             3  visit(t1, t2)
             4  visit(t2, t3)
             5  visit(t3, t4)
             6  visit(t4, t5)
             7  visit(t5, t6)
             8  visit(t6, t7)
             9  visit(t7, t8)
            10  visit(t8, t9)
            11  visit(t9, t11)
            12  visit(t11, t10)
            12 steps, cost 89
            ! gave up: the budget of decisions is used up (--node-limit sets it); this is the cheapest plan so far, and there may be a cheaper one
            exit 0"#]],
    );
}

#[test]
fn plans_are_validated() {
    let folder = delivery("validate");
    let plan = "==>
1 drive depot mill
3 load book mill
5 drive mill farm
7 unload book farm
root 0
0 deliver book farm -> m-deliver 10 3 11 7
10 go mill -> m-drive 1 12
12 go mill -> m-there
11 go farm -> m-drive 5 13
13 go farm -> m-there
<==
";
    let validate = |plan: &str, expected| {
        fs::write(folder.join("plan.txt"), plan).expect("a file");
        check(
            &folder,
            "validate domain.hddl problem.hddl plan.txt",
            expected,
        );
    };
    validate(
        plan,
        expect![[r#"
        valid: 4 steps, cost 4
        exit 0"#]],
    );
    validate(
        &plan.replace(
            "3 load book mill\n5 drive mill farm",
            "5 drive mill farm\n3 load book mill",
        ),
        expect![[r#"
            invalid: step 2: 'drive(mill, farm)' comes before 'load(book, mill)' is done
            exit 1"#]],
    );
    validate(
        &plan.replace("12 go mill -> m-there", "12 go mill -> m-drive"),
        expect![[r#"
            invalid: decomposition of 'go mill': its method 'm-drive' has 2 subtasks, the plan says 0
            exit 1"#]],
    );
    validate(
        &plan.replace("root 0\n", "root\n7 7 7\n"),
        expect![[r#"
        invalid: two tasks have the id 7
        exit 1"#]],
    );
}

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
    check(
        &folder,
        "plan domain.hddl problem.hddl",
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
        ! error: expected value
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

#[test]
fn scenarios_are_tests() {
    let file = "ball-in-the-box.taskloom.json";
    check(
        &examples(),
        &format!("test {file}"),
        expect![[r#"
        ok     ball-in-the-box.taskloom.json: case-1-box-open
        ok     ball-in-the-box.taskloom.json: case-2-box-closed
        ok     ball-in-the-box.taskloom.json: case-3-key-in-the-drawer
        ok     ball-in-the-box.taskloom.json: case-4-hammer-in-the-shed
        ok     ball-in-the-box.taskloom.json: case-5-the-box-slams-shut
        ok     ball-in-the-box.taskloom.json: case-6-no-way-in
        16 met, 0 missed, 0 open
        exit 0"#]],
    );
    let text = fs::read_to_string(examples().join(file)).expect("the example");
    let text = text.replace("\"take-ball\"\n", "\"open-box\"\n");
    let folder = folder("test", &[(file, &text)]);
    check(
        &folder,
        &format!("test {file}"),
        expect![[r#"
        FAILED ball-in-the-box.taskloom.json: case-1-box-open
               missed: at the end has(ball): at the end of the run this does not hold: has(ball)
        FAILED ball-in-the-box.taskloom.json: case-2-box-closed
               missed: at the end has(ball): at the end of the run this does not hold: has(ball)
        FAILED ball-in-the-box.taskloom.json: case-3-key-in-the-drawer
               missed: at the end has(ball): at the end of the run this does not hold: has(ball)
        FAILED ball-in-the-box.taskloom.json: case-4-hammer-in-the-shed
               missed: the plan is walk-to(box); walk-to(shed); pick-up(hammer); walk-to(box); smash-box; open-box: there is no plan
               missed: the plan contains get-hammer: there is no plan
               missed: the cost is at most 10: there is no plan
               missed: at the end has(ball): there is no plan
        FAILED ball-in-the-box.taskloom.json: case-5-the-box-slams-shut
               missed: at the end has(ball) and box_open: at the end of the run this does not hold: has(ball)
        ok     ball-in-the-box.taskloom.json: case-6-no-way-in
        8 met, 8 missed, 0 open
        exit 1"#]],
    );
}

#[test]
fn imports_and_exports_come_back() {
    let folder = delivery("convert");
    let import = "import domain.hddl problem.hddl --output delivery.taskloom.json";
    check(&folder, import, expect!["exit 0"]);
    check(
        &folder,
        "plan delivery.taskloom.json",
        expect![[r#"
        1  drive(depot, mill)
        2  load(book, mill)
        3  drive(mill, farm)
        4  unload(book, farm)
        4 steps, cost 4
        exit 0"#]],
    );
    let export = "export delivery.taskloom.json --to hddl --output hddl";
    check(
        &folder,
        export,
        expect![[r#"
        hddl/domain.hddl
        hddl/problem.hddl
        exit 0"#]],
    );
    check(
        &folder,
        "plan hddl/domain.hddl hddl/problem.hddl",
        expect![[r#"
            1  drive_depot_mill
            2  load(book, mill)
            3  drive_mill_farm
            4  unload(book, farm)
            4 steps, cost 4
            exit 0"#]],
    );
    check(
        &folder,
        "stats delivery.taskloom.json",
        expect![[r#"
        types                               2
        objects                             0
        facts                               3
        conditions                          0
        actions                             3
        primitive tasks                     3
        compound tasks                      2
        goals                               0
        agents                              0
        scenarios                           1
        most parameters of a fact           2
        most parameters of a task           2

        flowcharts
        blocks                             15
          tasks                             6
          branches                          2
          choices                           1
          bindings                          3
        wires                              13
        largest: go                         9

        scenario one-parcel
        objects                             4
        initial values                      4
        tasks                               1
        goals                               0
        events                              0
        expectations                        0
        exit 0"#]],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_no_answer() {
    let full = fs::File::create("/dev/full").expect("a device that is always full");
    let output = taskloom(&delivery("full"), "plan domain.hddl problem.hddl")
        .stdout(full)
        .output();
    expect![[r#"
        ! error: the output cannot be written: No space left on device (os error 28)
        exit 4"#]]
    .assert_eq(&shown(&output.expect("the program runs")));
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_the_cheapest_plan_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    let (domain, problem) = round(14);
    let folder = folder(
        "interrupt",
        &[("domain.hddl", &domain), ("problem.hddl", &problem)],
    );
    let child = taskloom(&folder, "plan domain.hddl problem.hddl --strategy cheapest")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it still searches");
    let output = child.wait_with_output().expect("the program ends");
    let shown = shown(&output);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines.len() > 14 && lines[14].starts_with("14 steps, cost "),
        "{shown}"
    );
    expect![[r#"
        ! stopped; this is the cheapest plan so far, and there may be a cheaper one
        exit 0"#]]
    .assert_eq(&lines[15..].join("\n"));
}
