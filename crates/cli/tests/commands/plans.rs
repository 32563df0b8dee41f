//! Planning and validating.

use std::fs;
#[cfg(unix)]
use std::process::Stdio;

use expect_test::expect;

use super::fixture::{
    DOMAIN, PROBLEM, check, delivery, examples, folder, round, said, shown, taskloom,
};

#[test]
fn prints_plans_as_text_and_json() {
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
        said(&folder, &line)
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
fn scenario_may_be_omitted_only_if_there_is_one() {
    let file = "ball-in-the-box.taskloom.json";
    check(
        &examples(),
        &format!("plan {file}"),
        expect![[r#"
        ! error: --scenario NAME is required: use one of case-1-box-open, case-2-box-closed, case-3-key-in-the-drawer, case-4-hammer-in-the-shed, case-5-the-box-slams-shut, case-6-no-way-in
        exit 2"#]],
    );
    check(
        &examples(),
        &format!("plan {file} --scenario case-7"),
        expect![[r#"
            ! error: no scenario 'case-7': use one of case-1-box-open, case-2-box-closed, case-3-key-in-the-drawer, case-4-hammer-in-the-shed, case-5-the-box-slams-shut, case-6-no-way-in
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
            open-box: next, after 1 step
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
            get-key: next, after 1 step
        and 14 more events
        ! no plan exists: the search space is exhausted
        exit 1"#]],
    );
    let line = format!("plan {file} --scenario case-6-no-way-in --trace --strategy any");
    check(
        &examples(),
        &line,
        expect![[r#"
        ! error: the strategy 'any' records no trace: omit --trace, or choose another strategy
        exit 2"#]],
    );
}

#[test]
fn proves_that_a_problem_is_unsolvable() {
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
        ! no plan exists: the search space is exhausted
        exit 1"#]],
    );
    check(
        &folder,
        &format!("{plan} --strategy cheapest"),
        expect![[r#"
            ! no plan exists: the search space is exhausted
            exit 1"#]],
    );
    check(
        &folder,
        &format!("{plan} --strategy any"),
        expect![[r#"
        ! no plan exists: the search space is exhausted
        exit 1"#]],
    );
}

/// A quantifier over all tuples of ten objects, whose evaluation never ends in practice, and
/// methods that decompose endlessly.
fn endless() -> [(&'static str, String); 3] {
    let variables: String = (0..10).map(|n| format!("?x{n} ")).collect();
    let objects: String = (0..100).map(|n| format!("o{n} ")).collect();
    let wide = format!(
        "(define (domain d) (:types t) (:predicates (p {variables}- t) (p2) (p3) (p4)) (:task big :parameters ())
         (:method m :parameters () :task (big)
           :precondition (forall ({variables}- t) (not (p {variables}))) :ordered-subtasks ())
         (:action a3 :parameters () :precondition () :effect (p4)))"
    );
    let deep = "(define (domain d) (:types t) (:predicates (p0) (p2) (p3) (p4))
         (:task big :parameters ()) (:task small :parameters ()) (:task deeper :parameters ())
         (:method b0 :parameters () :task (big) :precondition (not (p0))
           :subtasks (and (t0 (deeper)) (t1 (a3))) :ordering (and (< t0 t1)))
         (:method b1 :parameters () :task (big) :precondition (p2) :subtasks (small))
         (:method b2 :parameters () :task (big) :precondition (not (p4)) :subtasks (and (deeper) (deeper)))
         (:method s0 :parameters () :task (small) :precondition (not (p2))
           :subtasks (and (t0 (deeper)) (t1 (a0)) (t2 (a0))) :ordering (and (< t0 t1) (< t0 t2)))
         (:method s1 :parameters () :task (small) :subtasks ())
         (:method s2 :parameters () :task (small) :subtasks (a0))
         (:method d0 :parameters () :task (deeper)
           :subtasks (and (t0 (a1)) (t1 (big)) (t2 (a1))) :ordering (and (< t0 t1) (< t2 t0)))
         (:action a0 :parameters () :precondition (not (p2)) :effect (not (p2)))
         (:action a1 :parameters () :precondition (not (p4)) :effect ())
         (:action a3 :parameters () :precondition () :effect (p3)))";
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {objects}- t) (:htn :ordered-subtasks (and (big) (a3)))
         (:init (p2) (p3)) (:goal (and (p2) (p4))))"
    );
    [
        ("wide.hddl", wide),
        ("deep.hddl", deep.to_owned()),
        ("p.hddl", problem),
    ]
}

const FOUND: &str = "! a plan was found, but there was no time left to validate it\n";

#[test]
fn a_time_limit_ends_every_search() {
    let files = endless();
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = folder("endless", &files);
    for (domain, strategy, found) in [
        ("wide", "first", ""),
        ("wide", "cheapest", ""),
        // No action makes the quantifier false, so this strategy finds a plan without evaluating
        // it. It still has to be validated.
        ("wide", "any", FOUND),
        ("deep", "first", ""),
        ("deep", "cheapest", ""),
    ] {
        let line = format!("plan {domain}.hddl p.hddl --strategy {strategy} --time-limit 0.3");
        let output = taskloom(&folder, &line).output();
        let shown = shown(&output.expect("the program runs"));
        let gave_up = "! gave up: time limit reached (see --time-limit); \
            a plan may still exist\nexit 3";
        assert_eq!(shown, format!("{found}{gave_up}"), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_every_search_and_validation() {
    use rustix::process::{Pid, Signal, kill_process};
    let files = endless();
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = folder("endless-and-interrupted", &files);
    for (domain, strategy, signal, found) in [
        ("wide", "first", Signal::TERM, ""),
        ("deep", "cheapest", Signal::INT, ""),
        ("wide", "any", Signal::TERM, FOUND),
    ] {
        let line = format!("plan {domain}.hddl p.hddl --strategy {strategy}");
        let child = taskloom(&folder, &line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(std::time::Duration::from_secs(1));
        kill_process(Pid::from_child(&child), signal).expect("it still searches");
        let output = child.wait_with_output().expect("the program ends");
        let stopped = "! stopped; a plan may still exist\nexit 3";
        assert_eq!(shown(&output), format!("{found}{stopped}"), "{line}");
    }
}

#[test]
fn reports_the_reason_for_giving_up() {
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
        ! gave up: decisions limit reached (see --node-limit); a plan may still exist
        exit 3"#]],
    );
    plan(
        "--depth-limit 0",
        expect![[r#"
        ! gave up: depth limit reached (see --depth-limit); a plan may still exist
        exit 3"#]],
    );
    plan(
        "--memory-limit 1K",
        expect![[r#"
        ! gave up: memory limit reached (see --memory-limit); a plan may still exist
        exit 3"#]],
    );
    plan(
        "--time-limit 0",
        expect![[r#"
            ! gave up: time limit reached (see --time-limit); a plan may still exist
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
            ! gave up: decisions limit reached (see --node-limit); this is the cheapest plan so far; a cheaper one may exist
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
            invalid: decomposition of 'go(mill)': its method 'm-drive' has 2 subtasks, but the plan lists 0
            exit 1"#]],
    );
    validate(
        &plan.replace("root 0\n", "root\n7 7 7\n"),
        expect![[r#"
        invalid: two tasks have the id 7
        exit 1"#]],
    );
}

/// A plain PDDL problem is planned for its goal.
#[test]
fn plans_for_a_goal_without_a_task() {
    let domain = "(define (domain lamp) (:predicates (lit))
  (:action switch :parameters () :precondition (not (lit)) :effect (lit)))
";
    let problem =
        |init: &str| format!("(define (problem on) (:domain lamp) (:init {init}) (:goal (lit)))\n");
    let folder = folder(
        "goal-alone",
        &[
            ("domain.pddl", domain),
            ("dark.pddl", &problem("")),
            ("lit.pddl", &problem("(lit)")),
            ("switch.plan", "==>\n0 switch\nroot 0\n<==\n"),
        ],
    );
    let line = |problem: &str, strategy: &str| {
        format!("plan domain.pddl {problem}.pddl --strategy {strategy}")
    };
    check(
        &folder,
        &line("dark", "first"),
        expect![[r#"
            1  switch
            1 step, cost 1
            exit 0"#]],
    );
    check(
        &folder,
        &line("lit", "first"),
        expect![[r#"
            0 steps, cost 0
            exit 0"#]],
    );
    for strategy in ["cheapest", "any"] {
        for problem in ["dark", "lit"] {
            let first = said(&folder, &line(problem, "first"));
            assert_eq!(said(&folder, &line(problem, strategy)), first);
        }
    }
    check(&folder, "check domain.pddl dark.pddl", expect!["exit 0"]);
    check(
        &folder,
        "validate domain.pddl dark.pddl switch.plan",
        expect![[r#"
            valid: 1 step, cost 1
            exit 0"#]],
    );
}

#[test]
fn agents_plan_by_their_policy_without_a_strategy() {
    let example = examples().join("night-guard.taskloom.json");
    let text = fs::read_to_string(example).expect("the example");
    let cheapest = text.replace(r#""policy": "first""#, r#""policy": "cheapest""#);
    assert_ne!(text, cheapest);
    let folder = folder(
        "policy",
        &[("first.json", &text), ("cheapest.json", &cheapest)],
    );
    let plan = |line: &str| {
        said(
            &folder,
            &format!("plan {line} --scenario night-06-no-coffee"),
        )
    };
    let first = plan("first.json");
    let least = plan("cheapest.json");
    assert!(first.ends_with("21\nexit 0"), "{first}");
    assert!(least.ends_with("19\nexit 0"), "{least}");
    assert_eq!(plan("first.json --strategy cheapest"), least);
    assert_eq!(plan("cheapest.json --strategy first"), first);
}

/// Ids may appear in any order, and names as the files declare them.
#[test]
fn reads_plan_files_of_other_planners_in_any_order() {
    let folder = folder(
        "spelling",
        &[
            (
                "domain.hddl",
                &DOMAIN
                    .replace("m-deliver", "Deliver-It")
                    .replace("load", "Load"),
            ),
            (
                "problem.hddl",
                &PROBLEM.replace("book", "Book").replace("farm", "Farm"),
            ),
        ],
    );
    check(
        &folder,
        "plan domain.hddl problem.hddl --format ipc",
        expect![[r#"
            ==>
            5 drive depot mill
            2 Load Book mill
            7 drive mill Farm
            4 unLoad Book Farm
            root 0
            0 deliver Book Farm -> Deliver-It 1 2 3 4
            1 go mill -> m-drive 5 6
            3 go Farm -> m-drive 7 8
            6 go mill -> m-there
            8 go Farm -> m-there
            <==
            exit 0"#]],
    );
    let other = "==>
5 drive depot mill
2 load book mill
7 drive mill farm
4 UNLOAD Book farm
ROOT 0
8 go farm -> m-there
0 deliver book farm -> deliver-it 4 3 2 1
1 go mill -> m-drive 6 5
3 go farm -> m-drive 8 7
6 go mill -> m-there
<==
";
    fs::write(folder.join("plan.txt"), other).expect("a file");
    check(
        &folder,
        "validate domain.hddl problem.hddl plan.txt",
        expect![[r#"
            valid: 4 steps, cost 4
            exit 0"#]],
    );
}

/// A cast whose agent does a task that has only a goal, and one with goals.
const EVENING: &str = r#"{
  "taskloom": 4,
  "facts": { "lit": { "source": "sensor" }, "warm": { "source": "sensor" } },
  "actions": { "Act": { "duration": "1" } },
  "primitive_tasks": {
    "light": { "action": "Act", "effects": [{ "text": "lit" }] },
    "heat": { "action": "Act", "preconditions": ["lit"], "effects": [{ "text": "warm" }] }
  },
  "compound_tasks": { "be-cosy": { "goal": "warm" } },
  "goals": { "warmth": { "condition": "warm", "priority": 2 }, "light": { "condition": "lit", "priority": 1 } },
  "agents": {
    "host": { "planning": { "decomposition": { "tasks": ["be-cosy"] } } },
    "guest": { "planning": { "goals": { "goals": ["warmth", "light"] } } }
  },
  "scenarios": {
    "alone": { "cast": [{ "agent": "host" }] },
    "dark": { "cast": [{ "agent": "guest" }] },
    "bright": { "cast": [{ "agent": "guest" }], "initial": ["warm"] }
  }
}"#;

#[test]
fn plans_of_casts_are_validated() {
    let folder = folder("casts", &[("evening.taskloom.json", EVENING)]);
    let both = |scenario: &str| {
        let options = format!("evening.taskloom.json --scenario {scenario}");
        let plan = said(&folder, &format!("plan {options} --format ipc"));
        fs::write(folder.join("plan.txt"), &plan).expect("a file");
        let line = options.replace(".json ", ".json plan.txt ");
        format!("{plan}\n{}", said(&folder, &format!("validate {line}")))
    };
    expect![[r#"
        ==>
        1 light
        2 heat
        root 0
        0 be-cosy -> by-goal 1 2
        <==
        exit 0
        valid: 2 steps, cost 2
        exit 0"#]]
    .assert_eq(&both("alone"));
    expect![[r#"
        ==>
        0 light
        1 heat
        root 0 1
        <==
        exit 0
        valid: 2 steps, cost 2
        exit 0"#]]
    .assert_eq(&both("dark"));
    expect![[r#"
        ==>
        0 light
        root 0
        <==
        exit 0
        valid: 1 step, cost 1
        exit 0"#]]
    .assert_eq(&both("bright"));
}

#[test]
fn plans_for_goals_reach_one_that_is_false() {
    let folder = folder("goals", &[("evening.taskloom.json", EVENING)]);
    let steps = |scenario: &str, steps: &str| {
        let ids = steps
            .lines()
            .map(|line| line.split(' ').next().expect("an id"));
        let plan = format!(
            "==>\n{steps}root {}\n<==\n",
            ids.collect::<Vec<_>>().join(" ")
        );
        fs::write(folder.join("plan.txt"), plan).expect("a file");
        let line = format!("validate evening.taskloom.json plan.txt --scenario {scenario}");
        said(&folder, &line)
    };
    // The second goal is reached.
    expect![[r#"
        valid: 1 step, cost 1
        exit 0"#]]
    .assert_eq(&steps("dark", "0 light\n"));
    expect![[r#"
        invalid: at the end, 'warm' does not hold
        exit 1"#]]
    .assert_eq(&steps("dark", ""));
    expect![[r#"
        invalid: step 1: 'heat' can't start: this condition is false: lit
        exit 1"#]]
    .assert_eq(&steps("dark", "0 heat\n1 light\n"));
    // One goal is true, and nothing reaches the other.
    expect![[r#"
        invalid: at the end, 'lit' does not hold
        exit 1"#]]
    .assert_eq(&steps("bright", ""));
}

#[test]
fn competition_format_is_for_whole_plans() {
    check(
        &examples(),
        "plan rts.taskloom.json --scenario case-6-a-day-hand --format ipc",
        expect![[r#"
            ! error: the format 'ipc' is for whole plans, but the agent is reactive: only --strategy cheapest plans beyond its next step
            exit 2"#]],
    );
}
