//! The cheapest plan in C# with recursive tasks: the search terminates, finds what the core finds,
//! and never claims that there is no plan if there is one.

use std::fmt::Write as _;

use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_export::{Target, export};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, cheapest, initial_state, plan};

use super::host::{answers, class, remember, scenario, wanted};
use super::rich;
use testkit::charts::Draw;
use testkit::counts::{is_sample, on_all_cores, seeds_of_each_run};

/// The number of decisions that an exported search may take.
const DECISIONS: usize = 1_000;

/// The core's result for a domain.
enum Known {
    /// No plan costs less.
    Costs(f64),
    NoPlan,
    /// There is a plan.
    Plan,
    Nothing,
}

struct Case {
    title: String,
    document: Document,
    known: Known,
}

/// A domain with recursive tasks, most of whose steps cost nothing: networks grow, possibly without
/// end and at no cost.
fn growing(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9) + 11);
    let mut text = String::from(
        "type thing\nobject x1: thing\nobject x2: thing\nfact f\nfact g(?t: thing)\n\
         primitive turn(?t: thing)\n  eff g(?t)\n  cost 0\n\
         primitive back(?t: thing)\n  pre g(?t)\n  eff not g(?t)\n  cost 0\n",
    );
    let price = 1 + draw.below(3);
    let _ = writeln!(
        text,
        "primitive pay(?t: thing)\n  eff f\n  cost {price}\nprimitive ask(?t: thing)\n  pre f\n  cost 1"
    );
    for name in ["go", "on"] {
        let ways = 2 + draw.below(2);
        let outputs: Vec<String> = (0..ways).map(|way| format!("m{way}")).collect();
        let _ = writeln!(
            text,
            "compound {name}(?t: thing)\n  block a begin\n  block b choice {}\n  wire a.out -> b",
            outputs.join(",")
        );
        for way in 0..ways {
            let mut last = format!("b.{}", way + 1);
            if draw.below(4) == 0 {
                let condition = draw.one(&["f", "not f", "g(?t)", "not g(?t)"]);
                let _ = writeln!(text, "  block n{way} branch {condition}");
                let _ = writeln!(text, "  wire {last} -> n{way}");
                last = format!("n{way}.true");
            }
            for task in 0..=draw.below(3) {
                let called = draw.one(&["turn", "back", "pay", "ask", "go", "go", "on"]);
                let arg = draw.one(&["?t", "?t", "x1", "x2"]);
                let _ = writeln!(text, "  block t{way}x{task} task {called}({arg})");
                let _ = writeln!(text, "  wire {last} -> t{way}x{task}");
                // Some are unordered.
                if draw.below(3) > 0 {
                    last = format!("t{way}x{task}.out");
                }
            }
        }
    }
    text + "scenario s\n  task go(x1)\n"
}

fn case(number: u64) -> Option<Case> {
    let title = format!("Cheapest{number}");
    let domain = if number.is_multiple_of(2) {
        rich::domain(number, true)
    } else {
        growing(number)
    };
    let document = rich::document(&title, &domain, true);
    export(&document, None, Target::CSharp).ok()?;
    let budget = Budget {
        nodes: 5_000,
        ..Budget::default()
    };
    let problem = compile(&Domain::from(&document), &scenario());
    let known = match cheapest(&problem, budget) {
        (Outcome::Plan(plan), _) => Known::Costs(plan.cost),
        (Outcome::NoPlan, _) => Known::NoPlan,
        (_, Some(_)) => Known::Plan,
        (_, None) => match plan(&problem, budget) {
            Outcome::Plan(_) => Known::Plan,
            Outcome::NoPlan => Known::NoPlan,
            _ => Known::Nothing,
        },
    };
    Some(Case {
        title,
        document,
        known,
    })
}

const HOST: &str = r#"using System;
using System.Globalization;
using Taskloom;

static class Host
{
    public static void Run(Agent agent, int decisions, Func<State, bool> goal, params Task[] tasks)
    {
        var planner = new Planner(agent.Observe(), tasks, goal, true);
        var end = planner.Search(decisions);
        var plan = planner.Plan;
        Console.WriteLine(end + " " + planner.Decisions + " "
            + (plan == null ? "none" : plan.Cost.ToString("R", CultureInfo.InvariantCulture)));
        Console.WriteLine();
    }
"#;

/// Returns a program that plans in every domain.
fn host(cases: &[Case]) -> String {
    let mut text = HOST.to_owned();
    let mut main = String::new();
    for case in cases {
        let space = &case.title;
        text += &class(space, &case.document, |_| {
            "return ActionStatus.Complete;".to_owned()
        });
        text += "        public void Go()\n        {\n";
        for (atom, value) in initial_state(&Domain::from(&case.document), &scenario()) {
            let _ = writeln!(text, "            {}", remember(space, (&atom, &value)));
        }
        let (tasks, goal) = wanted(space, &case.document);
        let goal = goal.unwrap_or_else(|| "null".to_owned());
        let _ = writeln!(
            text,
            "            Host.Run(this, {DECISIONS}, {goal}, {tasks});\n        }}\n    }}"
        );
        let _ = writeln!(main, "        new {space}Self().Go();");
    }
    let _ = writeln!(text, "    static void Main()\n    {{\n{main}    }}\n}}");
    text
}

/// The results of the searches.
#[derive(Debug, Default)]
struct Seen {
    cheapest: usize,
    best_so_far: usize,
    gave_up: usize,
    exhausted: usize,
    /// The core found a plan with a larger budget.
    gave_up_too_soon: usize,
}

#[test]
fn csharp_finds_cheapest_plans_of_recursive_tasks() {
    const TEST: &str = "csharp_finds_cheapest_plans_of_recursive_tasks";
    let (mut cases, mut without) = (vec![], 0);
    for case in on_all_cores(seeds_of_each_run(500), case)
        .into_iter()
        .flatten()
    {
        without += usize::from(matches!(case.known, Known::NoPlan));
        // Most random domains have no plan: some of those are enough.
        if !matches!(case.known, Known::NoPlan) || without <= 40 {
            cases.push(case);
        }
    }
    let documents: Vec<&Document> = cases.iter().map(|case| &case.document).collect();
    let Some(answers) = answers(TEST, &host(&cases), &documents, |_, text| text) else {
        return;
    };
    let mut seen = Seen::default();
    for (at, case) in cases.iter().enumerate() {
        let answer = answers.get(at).map_or("", String::as_str);
        let context = format!("{}: {answer}\n{}", case.title, case.document.to_json());
        let [end, decisions, cost] = answer.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{context}");
        };
        let decisions: usize = decisions.parse().expect("a number");
        // One decision may count as several.
        assert!(decisions < DECISIONS + 100, "{context}");
        let cost: Option<f64> = cost.parse().ok();
        let is_least = |cost: f64| match case.known {
            Known::Costs(least) => (cost - least).abs() <= 1e-9 * least.abs(),
            Known::NoPlan => false,
            Known::Plan | Known::Nothing => true,
        };
        match (end, cost) {
            ("Found", Some(cost)) => {
                assert!(is_least(cost), "{context}");
                seen.cheapest += 1;
            }
            ("Exhausted", None) => {
                let may_be = matches!(case.known, Known::NoPlan | Known::Nothing);
                assert!(may_be, "{context}");
                seen.exhausted += 1;
            }
            ("GaveUp", Some(cost)) => {
                let may_be = match case.known {
                    Known::Costs(least) => cost >= least - 1e-9 * least.abs(),
                    Known::NoPlan => false,
                    Known::Plan | Known::Nothing => true,
                };
                assert!(may_be, "{context}");
                seen.best_so_far += 1;
            }
            ("GaveUp", None) => {
                seen.gave_up += 1;
                let is_plan = matches!(case.known, Known::Costs(_) | Known::Plan);
                seen.gave_up_too_soon += usize::from(is_plan);
            }
            _ => panic!("{context}"),
        }
    }
    println!("{seen:?}");
    let least = [
        seen.cheapest,
        seen.best_so_far,
        seen.gave_up,
        seen.exhausted,
    ];
    assert!(
        is_sample() || least.iter().all(|count| *count >= 2),
        "{seen:?}"
    );
}
