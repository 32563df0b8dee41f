//! Everything that a domain can say, in C#: for small domains of each kind, and
//! for many that are drawn at random, the exported planner finds the core's plan.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::sync::Arc;

use taskloom_core::compile::compile;
use taskloom_core::document::{Document, Info, Name};
use taskloom_core::export::{Target, export};
use taskloom_core::plan::{Budget, Outcome, Value, initial_state, plan};

use super::domains::{DOMAINS, large};
use super::random;
use super::tools::{folder, mono, output};
use super::valueless;
use crate::domain::document;

/// What is planned: a domain whose scenario `s` has one task and no goal.
struct Case {
    title: String,
    document: Document,
    /// The plan, and what is true after it.
    expected: String,
}

pub fn scenario() -> Name {
    Name::new("s").expect("a name")
}

/// `walk-to`: `WalkTo`, as long as nothing else is called so.
pub fn pascal(name: &str) -> String {
    name.split(['-', '_'])
        .map(|word| word[..1].to_ascii_uppercase() + &word[1..])
        .collect()
}

pub fn call(name: &str, args: &[Name], class: &str) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|arg| format!("Objects.{}", pascal(arg.as_str())))
        .collect();
    format!("{}{class}({})", pascal(name), args.join(", "))
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
    let mut state = initial_state(&document, &scenario());
    let expected = match plan(&compile(&document, &scenario()).problem, budget) {
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

/// A program that plans every case and executes its plan.
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
        for (atom, value) in initial_state(&case.document, &scenario()) {
            let value = match value {
                Value::Object(Some(object)) => {
                    format!("{space}.Objects.{}", pascal(object.as_str()))
                }
                Value::Object(None) => continue,
                Value::Bool(value) => value.to_string(),
                Value::Number(value) => format!("{value:?}"),
            };
            let atom = call(atom.fact.as_str(), &atom.args, "");
            let atom = atom.replace("Objects.", &format!("{space}.Objects."));
            let _ = writeln!(
                text,
                "            agent.Memory[{space}.Facts.{atom}] = {value};"
            );
        }
        let (task, args) = record.tasks[0]
            .split_once('(')
            .unwrap_or((&record.tasks[0], ""));
        let args = args
            .trim_end_matches(')')
            .split(", ")
            .filter(|a| !a.is_empty());
        let args: Vec<Name> = args.map(|a| Name::new(a).expect("a name")).collect();
        let task = call(task, &args, "Task").replace("Objects.", &format!("{space}.Objects."));
        let _ = writeln!(
            text,
            "            Run(agent, new {space}.{task});\n        }}\n    }}"
        );
        let _ = writeln!(main, "        {space}Self.Go();");
    }
    let _ = writeln!(text, "    static void Main()\n    {{\n{main}    }}\n}}");
    text
}

fn check(test: &str, cases: &[Case]) {
    let Some((compiler, mono)) = mono(test) else {
        return;
    };
    let folder = folder(test);
    let mut files = vec![folder.join("Host.cs")];
    fs::write(&files[0], host(cases)).expect("a file can be written");
    for case in cases {
        let export = export(&case.document, None, Target::CSharp).expect("an export");
        for file in export.files {
            let path = folder.join(file.path.replace('/', "."));
            if !files.contains(&path) {
                fs::write(&path, file.text).expect("a file can be written");
                files.push(path);
            }
        }
    }
    let exe = folder.join("host.exe");
    output(
        Command::new(compiler)
            .args(["-langversion:7", "-warnaserror", "-nologo"])
            .arg(format!("-out:{}", exe.display()))
            .args(files),
    );
    let printed = output(Command::new(mono).arg(exe));
    let mut answers = printed.split("\n\n");
    for case in cases {
        let answer = answers.next().unwrap_or_default();
        assert_eq!(
            answer,
            case.expected,
            "{}\n{}",
            case.title,
            case.document.to_json()
        );
    }
}

#[test]
fn what_can_be_said_is_planned_alike_in_csharp() {
    let case = |(title, text): &(&str, &str)| case((*title).to_owned(), text);
    let cases: Vec<Case> = DOMAINS.iter().filter_map(case).collect();
    assert_eq!(cases.len(), DOMAINS.len(), "some search gave up");
    for case in &cases {
        println!("{}: {}", case.title, case.expected.replace('\n', "; "));
    }
    check("what_can_be_said_is_planned_alike_in_csharp", &cases);
}

#[test]
fn what_has_no_value_is_planned_alike_in_csharp() {
    let case = case("Valueless".to_owned(), &valueless::domain()).expect("the search ends");
    assert!(
        case.expected.starts_with("plan\nsee0\n"),
        "{}",
        case.expected
    );
    check("what_has_no_value_is_planned_alike_in_csharp", &[case]);
}

#[test]
fn random_flowcharts_are_planned_alike_in_csharp() {
    let mut cases = vec![];
    let mut without = 0;
    for number in 0..800 {
        let Some(case) = case(format!("Random{number}"), &random::domain(number)) else {
            continue;
        };
        without += usize::from(case.expected == "none");
        // Most domains drawn have no plan: some of those will do.
        let wanted = case.expected != "none" || without <= 40;
        if wanted && export(&case.document, None, Target::CSharp).is_ok() {
            cases.push(case);
        }
    }
    println!("{} domains", cases.len());
    assert!(cases.len() >= 100, "hardly any domain drawn has a plan");
    check("random_flowcharts_are_planned_alike_in_csharp", &cases);
}

#[test]
fn large_domains_are_exported_or_refused() {
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
    let refused = "precondition 1 of compound task 'go' is too large where quantifiers, conditions and cases are \
                   written out over all objects: export to 'full-hddl', which keeps them as they are, or have fewer objects";
    assert_eq!(hddl, Err(refused.to_owned()));
}
