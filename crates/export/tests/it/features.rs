//! All features of a domain, in C#: for small domains of each kind, and for many random ones, the
//! exported planner finds the core's plan.

use std::fmt::Write as _;
use std::sync::Arc;

use taskloom_document::{Document, Info};
use taskloom_domain::Domain;
use taskloom_export::{Target, export};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Value, initial_state, plan};

use super::domains::{DOMAINS, large};
use super::host::{check_changed, remember, scenario, task};
use super::valueless;
use testkit::charts;
use testkit::domain::document;

/// A case: a domain whose scenario `s` has one task and no goal.
struct Case {
    title: String,
    document: Document,
    /// The plan, and the facts that are true after it.
    expected: String,
}

fn case(title: String, text: &str) -> Option<Case> {
    let mut document = document(text);
    document.info = Arc::new(Info {
        title: title.clone(),
        note: String::new(),
    });
    let budget = Budget {
        nodes: 3_000,
        ..Budget::default()
    };
    let mut state = initial_state(&Domain::from(&document), &scenario());
    let expected = match plan(&compile(&Domain::from(&document), &scenario()), budget) {
        Outcome::Plan(plan) => {
            let mut lines = vec!["plan".to_owned()];
            for step in &plan.steps {
                lines.push(step.task.to_string());
                for change in &step.changes {
                    state.retain(|(atom, _)| *atom != change.atom);
                    state.push((change.atom.clone(), change.after.clone()));
                }
            }
            let is_set = |value: &Value| {
                !matches!(value, Value::Bool(false) | Value::Object(None))
                    && *value != Value::Number(0.0)
            };
            let mut after: Vec<String> = state
                .iter()
                .filter(|(_, value)| is_set(value))
                .map(|(atom, value)| match value {
                    Value::Bool(_) => format!("{atom}: 1"),
                    other => format!("{atom}: {other}"),
                })
                .collect();
            after.sort();
            lines.extend(after);
            lines.join("\n")
        }
        Outcome::NoPlan => "none".to_owned(),
        Outcome::GaveUp(_) | Outcome::Stopped | Outcome::NotPlanned(_) => return None,
    };
    Some(Case {
        title,
        document,
        expected,
    })
}

/// Returns a program that plans every case and executes its plan.
fn host(cases: &[Case]) -> String {
    let mut text = String::from(
        "using System;\nusing System.Collections.Generic;\nusing Taskloom;\n\n\
         static class Host\n{\n    static void Run(Agent agent, Task task)\n    {\n\
         agent.Planned += plan =>\n        {\n            Console.WriteLine(\"plan\");\n\
         foreach (var step in plan.Steps) Console.WriteLine(step.Task);\n        };\n\
         agent.Pursue(task);\n        while (agent.State == AgentState.Busy) agent.Tick();\n\
         if (agent.State == AgentState.Failed) Console.WriteLine(\"none\");\n\
         else\n        {\n            var lines = new List<string>();\n\
         foreach (var pair in agent.Memory) lines.Add(pair.Key + \": \" + \
         (pair.Value.Thing == null ? pair.Value.Number.ToString() : pair.Value.Thing.Name));\n\
         lines.Sort(string.CompareOrdinal);\n\
         foreach (var line in lines) Console.WriteLine(line);\n        }\n\
         Console.WriteLine();\n    }\n",
    );
    let mut main = String::new();
    for case in cases {
        let space = &case.title;
        let record = &case.document.scenarios[&scenario()];
        let _ = writeln!(
            text,
            "    class {space}Self : {space}.{space}Agent\n    {{\n        \
             public static void Go()\n        {{\n            var agent = new {space}Self();"
        );
        for (atom, value) in initial_state(&Domain::from(&case.document), &scenario()) {
            let remember = remember(space, (&atom, &value));
            let _ = writeln!(text, "            agent.{remember}");
        }
        let task = task(space, &record.tasks[0]);
        let _ = writeln!(text, "            Run(agent, {task});\n        }}\n    }}");
        let _ = writeln!(main, "        {space}Self.Go();");
    }
    let _ = writeln!(text, "    static void Main()\n    {{\n{main}    }}\n}}");
    text
}

fn check(test: &str, cases: &[Case]) {
    let expected = cases.iter().map(|case| (&case.document, &*case.expected));
    let expected: Vec<(&Document, &str)> = expected.collect();
    super::host::check(test, &host(cases), &expected);
}

#[test]
fn csharp_plans_match_for_all_supported_features() {
    let case = |(title, text): &(&str, &str)| case((*title).to_owned(), text);
    let cases: Vec<Case> = DOMAINS.iter().filter_map(case).collect();
    assert_eq!(cases.len(), DOMAINS.len(), "some search gave up");
    for case in &cases {
        println!("{}: {}", case.title, case.expected.replace('\n', "; "));
    }
    check("csharp_plans_match_for_all_supported_features", &cases);
}

#[test]
fn csharp_plans_match_for_undefined_values() {
    let case = case("Valueless".to_owned(), &valueless::domain()).expect("the search ends");
    assert!(
        case.expected.starts_with("plan\nsee0\n"),
        "{}",
        case.expected
    );
    check("csharp_plans_match_for_undefined_values", &[case]);
}

/// Numbers are decimals: C# adds, multiplies and divides them as the core does.
const DECIMALS: &str = "
type drop
object a: drop
object b: drop
object c: drop
number level 0..1
number size(?d: drop)
number rest
fact exact
primitive drip
  eff level += 0.1
primitive leak
  eff level -= size(c)
primitive note
  pre level = 1 and sum ?d: drop. size(?d) = 0.6 and sum ?d: drop. (size(?d) / 3) = 0.2
  pre level - 0.7 = 0.3 and 3 * size(a) = size(c) and 0.9 / size(c) = 3 and sqrt(0.01) = size(a)
  pre 1 / 3 * 3 = level and size(a) + size(b) = size(c) and 100000 + size(a) - 100000 = 0.1
  pre 10000000 + size(a) / 7 + size(b) != 0 and size(a) - size(a) = 0 and -size(a) * 3 = -0.3
  eff exact
  eff rest := 2 / 3 + 12345678 + size(a)
compound fill
  block a begin
  block b branch level = 1
  block c task note
  block d task drip
  block e task fill
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
compound go
  block a begin
  block b task fill
  block c task leak
  wire a.out -> b
  wire b.out -> c
scenario s
  initial size(a) = 0.1
  initial size(b) = 0.2
  initial size(c) = 0.3
  task go
";

#[test]
fn csharp_plans_match_for_decimals() {
    let case = case("Decimals".to_owned(), DECIMALS).expect("the search ends");
    assert!(case.expected.contains("\nexact: 1\n"), "{}", case.expected);
    check("csharp_plans_match_for_decimals", &[case]);
}

#[test]
fn csharp_plans_match_for_random_flowcharts() {
    let mut cases = vec![];
    let mut without = 0;
    for number in 0..800 {
        let Some(case) = case(format!("Random{number}"), &charts::domain(number)) else {
            continue;
        };
        without += usize::from(case.expected == "none");
        // Most random domains have no plan: some of those are enough.
        let wanted = case.expected != "none" || without <= 40;
        if wanted && export(&case.document, None, Target::CSharp).is_ok() {
            cases.push(case);
        }
    }
    println!("{} domains", cases.len());
    assert!(cases.len() >= 100, "hardly any domain drawn has a plan");
    check("csharp_plans_match_for_random_flowcharts", &cases);
}

/// Hashes only narrow down the lookup: if equal hashes were taken for equal states, a plan would be
/// missed.
#[test]
fn states_with_equal_hashes_are_distinguished() {
    const TEST: &str = "states_with_equal_hashes_are_distinguished";
    const HASH: &str = "hash = unchecked((hash ^ number) * 16777619);";
    let mut cases = vec![];
    for number in 0..400 {
        let case = case(format!("Random{number}"), &charts::domain(number));
        let case = case.filter(|case| case.expected != "none");
        cases.extend(case.filter(|case| export(&case.document, None, Target::CSharp).is_ok()));
    }
    assert!(cases.len() >= 50, "hardly any domain drawn has a plan");
    let expected = cases.iter().map(|case| (&case.document, &*case.expected));
    let expected: Vec<(&Document, &str)> = expected.collect();
    check_changed(TEST, &host(&cases), &expected, |path, text| {
        if !path.ends_with("Planner.cs") {
            return text;
        }
        assert_eq!(text.matches(HASH).count(), 1, "where networks are hashed");
        text.replace(HASH, "hash = 0 * number;")
    });
}

#[test]
fn large_domains_are_exported_or_rejected() {
    let mut document = document(&large());
    document.info = Arc::new(Info {
        title: "Large".to_owned(),
        note: String::new(),
    });
    // As small a stack as a Web Worker may have.
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let join = thread.spawn(move || {
        let csharp = export(&document, None, Target::CSharp).map(|export| export.files.len());
        let hddl = export(&document, Some(&scenario()), Target::Hddl);
        let hddl = hddl.map(|_| ()).map_err(|errors| errors[0].message.clone());
        (csharp, hddl)
    });
    let (csharp, hddl) = join.expect("a thread").join().expect("no overflow");
    assert_eq!(csharp, Ok(5));
    let refused = "precondition 1 of compound task 'go' is too large once quantifiers, conditions and cases are \
                   expanded over all objects: export to 'full-hddl', which keeps them, or use fewer objects";
    assert_eq!(hddl, Err(refused.to_owned()));
}
