//! `time`: the tick, and in a plan the tick at which a step would start.

use std::fmt::Write;

use expect_test::{Expect, expect};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Edit, Name};
use taskloom_domain::Domain;
use taskloom_domain::check::check as findings;
use taskloom_domain::world::World;
use taskloom_hddl::export::{export, export_full};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Plan, Progress, Strategy, validate};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::document;
use testkit::random::Random;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// Returns the outcome of planning by a strategy, with a validated plan.
fn outcome(document: &Document, strategy: Strategy) -> Outcome {
    let budget = Budget {
        nodes: 3000,
        ..Budget::default()
    };
    let problem = compile(&Domain::from(document), &name("s"));
    let mut search = taskloom_portfolio::search(strategy, &problem, budget, 0);
    while search.step(64) == Progress::Running {}
    let outcome = search.outcome().expect("the search has ended");
    if let Outcome::Plan(plan) = &outcome {
        let valid = validate(&Domain::from(document), &name("s"), plan);
        assert_eq!(valid, Ok(()), "{plan:#?}");
    }
    outcome
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Plan(plan) => {
            let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
            format!("{} (cost {})", steps.join(", "), plan.cost)
        }
        other => format!("{other:?}"),
    }
}

fn planned(document: &Document, strategy: Strategy) -> String {
    shown(&outcome(document, strategy))
}

fn check(text: &str, expected: Expect) {
    let document = document(text);
    assert_eq!(findings(&Domain::from(&document)), []);
    expected.assert_eq(&planned(&document, Strategy::First));
}

/// A shop that opens at tick 8, with a walk of this many ticks.
const SHOP: &str = "
type place
object home: place
object far: place
value at: place
number distance(?a: place, ?b: place)
fact bread
action Walk(?from: place, ?to: place) distance(?from, ?to) / 2
action Wait 3
primitive walk(?to: place) = Walk(at, ?to)
  eff at := ?to
primitive wait = Wait
primitive buy
  pre time >= 8
  eff bread
compound shop
  block a begin
  block b branch time + distance(at, far) / 2 >= 8
  block c task walk(far)
  block d task buy
  block e task wait
  block f task shop
  wire a.out -> b
  wire b.true -> c
  wire c.out -> d
  wire b.false -> e
  wire e.out -> f
scenario s
  initial at = home
  initial distance(home, far) = 5
  task shop
";

#[test]
fn plans_record_the_start_of_each_step() {
    // Twice 3 ticks, and 2.5 for the walk, rounded up.
    check(SHOP, expect!["wait, wait, walk(far), buy (cost 4)"]);
    let nobody_is_anywhere = SHOP.replace("  initial at = home\n", "");
    // The length of the walk is undefined, so the walk is impossible.
    check(&nobody_is_anywhere, expect!["GaveUp(Nodes)"]);
}

#[test]
fn goals_are_reached_in_time() {
    let text = "
fact cold
fact done
action Heat 4
action Do 2
primitive heat = Heat
  eff not cold
primitive hurry = Do
  eff done
  cost 10
primitive work = Do
  pre not cold
  eff done
scenario s
  initial cold
  goal done and time <= 6";
    check(text, expect!["heat, work (cost 2)"]);
    let sooner = text.replace("<= 6", "<= 5");
    check(&sooner, expect!["hurry (cost 10)"]);
    let later = text.replace("<= 6", "= 10");
    // Nothing else fills the remaining time.
    let found = planned(&document(&later), Strategy::Cheapest);
    assert_eq!(found, "heat, heat, work (cost 3)");
}

/// Names of the document take precedence over the word.
#[test]
fn records_named_time_shadow_the_time() {
    let used = "
number Time
action Go 5
primitive go = Go
primitive end
  pre time = 3
compound both
  sequence go; end
scenario s
  initial time = 3
  task both";
    check(used, expect!["go, end (cost 2)"]);
    let condition = used
        .replace("number Time", "fact lit\ncondition time: lit")
        .replace("pre time = 3", "pre time")
        .replace("initial time = 3", "initial lit");
    check(&condition, expect!["go, end (cost 2)"]);
    let object = "
object time
value what: object
primitive go
  pre what = time
scenario s
  initial what = time
  task go";
    check(object, expect!["go (cost 1)"]);
    // A variable has a question mark, and is never confused with the word.
    let variable = "
object box
fact at(?x: object)
primitive go(?time: object)
  pre at(?time) and time = 0
scenario s
  initial at(box)
  task go(box)";
    check(variable, expect!["go(box) (cost 1)"]);
}

#[test]
fn rejects_renames_that_shadow_the_time() {
    let document = document("number n\nprimitive go\n  pre time > n\n");
    let edit = Edit::Rename("fact:n".parse().expect("a record"), name("time"));
    let refused = document.apply(&edit).expect_err("it is refused");
    let expected =
        "cannot use the name 'time': it would change the meaning of the primitive task 'go'";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn reports_the_time_where_it_is_not_allowed() {
    let found = |text: &str| {
        let found = findings(&Domain::from(&document(text)));
        found
            .iter()
            .map(|one| one.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    };
    let text = "fact at(?x: object)\nprimitive go\n  pre ";
    let said = |pre: &str| found(&format!("{text}{pre}\n"));
    expect!["'time' is a number, but an object is expected."].assert_eq(&said("at(time)"));
    expect!["'time' is the current tick and takes no arguments."].assert_eq(&said("time(3) = 1"));
    expect!["'time' is a number, but a formula is expected: compare it, as in 'time > 0'."]
        .assert_eq(&said("time"));
    expect!["There is no fact 'time'."].assert_eq(&found("primitive go\n  eff time += 1\n"));
}

#[test]
fn planning_file_export_reports_unsupported_time() {
    let stop = Stop::default();
    let refused =
        export(&Domain::from(&document(SHOP)), Some(&name("s")), &stop).expect_err("it is refused");
    expect!["error[export] compound:shop: block b of compound task 'shop' can't be exported: HDDL can't express the current time"].assert_eq(&refused[0].to_string());
    let asks = "primitive p\n  pre time > 2\nscenario s\n  task p\n";
    let refused = export_full(&Domain::from(&document(asks)), Some(&name("s")), &stop)
        .expect_err("it is refused");
    expect!["error[export] primitive:p: full HDDL can't express the current time"]
        .assert_eq(&refused[0].to_string());
    let costs = "fact f\nprimitive p\n  eff f\n  cost 1 + time\nscenario s\n  task p\n";
    let written =
        export(&Domain::from(&document(costs)), Some(&name("s")), &stop).expect("it is written");
    expect![
        "the cost of p depends on the state, which PDDL action costs can't: all costs are omitted"
    ]
    .assert_eq(&written.warnings.join("\n"));
}

/// A domain in which tasks take time and read it. `clock` is the word for the time, and `takes` the
/// text of a task's duration.
fn random_domain(
    seed: u64,
    clock: &str,
    takes: &dyn Fn(usize, &str) -> (String, String),
) -> String {
    let random = &mut Random(seed);
    let durations = ["0", "1", "2", "n", "n + 0.5", "m / 2"];
    let mut text =
        String::from("number n integer 0..3\nnumber m integer 0..5\nfact f\nfact g\nfact h\n");
    let tests = |random: &mut Random| match random.below(6) {
        0 => format!("{clock} >= {}", random.below(8)),
        1 => format!("{clock} < {}", 3 + random.below(8)),
        2 => format!("{clock} != n + {}", random.below(4)),
        3 => random.pick(&["f", "not g", "h"]).to_string(),
        4 => format!("n <= {}", random.below(3)),
        _ => "m > 1".to_owned(),
    };
    for task in 0..4 {
        let (action, effect) = takes(task, durations[random.below(6)]);
        let call = if action.is_empty() {
            String::new()
        } else {
            format!(" = A{task}")
        };
        let _ = writeln!(text, "{action}primitive t{task}{call}");
        if random.below(2) == 0 {
            let _ = writeln!(text, "  pre {}", tests(random));
        }
        let change = random.pick(&["f", "g", "h", "not f", "n += 1", "m += 2", "n := 0"]);
        let _ = writeln!(text, "  eff {change}\n{effect}");
        if random.below(2) == 0 {
            let _ = writeln!(text, "  cost 1 + abs({clock} - {})", random.below(6));
        }
    }
    let _ = writeln!(
        text,
        "compound go\n  block a begin\n  block b branch {}\n  block c choice one, two\n  block t task t0\n  \
         block u task t1\n  block v task t2\n  block w task t3\n  block x task go\n  wire a.out -> b\n  \
         wire b.true -> c\n  wire b.false -> t\n  wire c.1 -> u\n  wire c.2 -> v\n  wire v.out -> x\n  wire t.out -> w",
        tests(random)
    );
    let _ = writeln!(text, "scenario s\n  initial m = 1");
    let goal = format!("{} and {}", tests(random), tests(random));
    if random.below(2) == 0 {
        text.push_str("  task go\n");
    }
    let _ = writeln!(text, "  goal {goal}");
    text
}

/// Returns the same steps as a plan of another document, in which they change other facts. Requires that no
/// effect depends on the time.
fn plan_of(document: &Document, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let domain = Domain::from(document);
    let mut world = World::initial(&domain, &domain.scene_or_empty(&name("s")));
    for step in &mut plan.steps {
        let task = world.primitive(&step.task).expect("a primitive task");
        let changes = world.changes(task, &step.task.args, |_| true);
        step.changes = changes.expect("the effects can be applied");
        world.apply(&step.changes);
    }
    plan
}

/// The time is equivalent to a number that each task increases by its duration: every plan with one
/// is a plan with the other. `First` and `Cheapest` find the same plan. `Any` promises only to find
/// one, and its heuristics may differ between the two.
#[test]
fn time_plans_match_plans_with_a_counter_for_random_domains() {
    let plans = on_all_cores(seeds(4_000), |seed| {
        let mut plans = 0;
        let text = random_domain(seed + 1, "time", &|task, ticks| {
            (format!("action A{task} {ticks}\n"), String::new())
        });
        let timed = document(&text);
        let counted = random_domain(seed + 1, "clock", &|_, ticks| {
            (String::new(), format!("  eff clock += ceil({ticks})\n"))
        });
        let counted = document(&format!("number clock integer 0..\n{counted}"));
        for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
            let by_time = outcome(&timed, strategy);
            let by_number = outcome(&counted, strategy);
            for (other, found) in [(&counted, &by_time), (&timed, &by_number)] {
                if let Outcome::Plan(plan) = found {
                    let valid = validate(&Domain::from(other), &name("s"), &plan_of(other, plan));
                    assert_eq!(valid, Ok(()), "{strategy:?}\n{text}");
                    plans += usize::from(plan.steps.len() > 1);
                }
            }
            let both = [&by_time, &by_number];
            // States with different times are the same if nothing reads the time; those of a counter never are.
            let is_read = text.contains("time");
            let gave_up = matches!(by_number, Outcome::GaveUp(_));
            if strategy != Strategy::Fastest && (is_read || !gave_up) {
                assert_eq!(shown(&by_time), shown(&by_number), "{strategy:?}\n{text}");
            } else if strategy == Strategy::Fastest
                && !both.iter().any(|one| matches!(one, Outcome::GaveUp(_)))
            {
                let [a, b] = both.map(|one| matches!(one, Outcome::Plan(_)));
                assert_eq!(a, b, "{by_time:?}\n{by_number:?}\n{text}");
            }
        }
        plans
    });
    let (plans, domains) = (plans.iter().sum::<usize>(), plans.len());
    assert!(
        is_sample() || plans > domains / 2,
        "only {plans} plans are longer than a step"
    );
}
