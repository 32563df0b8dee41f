//! Damaged planning files, by bytes and by words: reading them quickly returns a document or
//! reasons, and never panics.

use std::panic::{catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use taskloom_document::diagnostic::Severity;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_hddl::export::export_full;
use taskloom_hddl::import::{file_of_plan, plan_of_file, read_planning_files};
use taskloom_hddl::syntax::{read_plan, write_plan};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan};

use crate::examples::texts;
use testkit::counts::{is_sample, on_small_stacks, seeds};
use testkit::random::Random;

/// The maximum time for a small file.
const LONGEST: Duration = Duration::from_secs(5);

const WORDS: &[&str] = &[
    "(",
    ")",
    "()",
    "(and",
    "(or",
    "(not",
    "(imply",
    "(forall (?x - room)",
    "(exists ()",
    "(when",
    "(=",
    "(<",
    ">=",
    "-",
    "either",
    "?x",
    "?",
    ":",
    ":parameters",
    ":precondition",
    ":effect",
    ":task",
    ":subtasks",
    ":ordered-tasks",
    ":ordering",
    ":constraints",
    "(:htn",
    "(:init",
    "(:goal",
    "(:action",
    "(:method",
    "(:types",
    "(:objects",
    "(define",
    "(domain",
    "object",
    "a",
    "1",
    "-2.5",
    "1e309",
    "99999999999999999999",
    "(increase",
    "(assign",
    "total-cost",
    "(sortof",
    "when",
    "and",
    "NOT",
    "\u{e9}",
    "\"",
    ";",
    "\n",
    "\r",
    "#|",
    "|#",
    "(:metric minimize",
    "root",
    "->",
    "==>",
    "<==",
    "((((((((((((((((((((((((((((((",
    "))))))))))))))))))))))))))))))",
];

/// Returns the positions where words of a text begin and end.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = vec![];
    let mut start = None;
    for (at, c) in text.char_indices() {
        let splits = c.is_whitespace() || matches!(c, '(' | ')');
        if splits {
            words.extend(start.take().map(|start| (start, at)));
            if !c.is_whitespace() {
                words.push((at, at + 1));
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    words.extend(start.map(|start| (start, text.len())));
    words
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        let all = words(&text);
        if all.is_empty() {
            return (*random.pick(WORDS)).to_owned();
        }
        let (start, end) = *random.pick(&all);
        let (from, to) = *random.pick(&all);
        let other = text[from..to].to_owned();
        match random.below(8) {
            0 => text.replace_range(start..end, ""),
            1 => text.replace_range(start..end, random.pick::<&str>(WORDS)),
            2 => text.insert_str(start, &format!(" {} ", random.pick(WORDS))),
            3 => text.replace_range(start..end, &other),
            4 => text.insert_str(start, &format!("{other} ")),
            5 => {
                // A part of the text is duplicated.
                let (a, b) = (start.min(from), end.max(to));
                if b - a < 600 {
                    let part = text[a..b].to_owned();
                    text.insert_str(b, &part);
                }
            }
            6 if random.below(4) == 0 => text.truncate(start),
            6 => {
                let (a, b) = (start.min(from), end.max(to));
                if b - a < 400 {
                    text.replace_range(a..b, "");
                }
            }
            _ => {
                let mut bytes = text.into_bytes();
                let place = random.below(bytes.len());
                bytes[place] ^= 1 << random.below(8);
                text = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
    }
    text
}

/// Reads damaged files, and processes the results as usual. Returns whether they could be read, and
/// whether they had a plan.
fn survive([domain, problem, plan_text]: [&str; 3], number: u64) -> (bool, bool) {
    let start = Instant::now();
    let Ok(imported) = read_planning_files(domain, Some(problem)) else {
        return (false, false);
    };
    let mut has_plan = false;
    let (document, scenario) = (&imported.document, &imported.scenario);
    assert_eq!(document.invariants(), Ok(()));
    let read = read_plan(plan_text);
    if number.is_multiple_of(4) {
        let _ = plan_of_file(
            &read.plan,
            &Domain::from(document),
            scenario,
            &imported.names,
        );
    }
    if number.is_multiple_of(8) {
        let problem = compile(&Domain::from(document), scenario);
        let budget = Budget {
            nodes: 200,
            depth: 20,
            memory: 10 << 20,
        };
        if let Outcome::Plan(found) = plan(&problem, budget) {
            has_plan = true;
            let file = file_of_plan(&found, &imported.names);
            // No name in a plan can equal the arrow before a method.
            let tasks = file.steps.iter().map(|step| &step.task);
            let tasks = tasks.chain(file.decompositions.iter().map(|d| &d.task));
            if tasks.flatten().all(|word| *word != "->") {
                assert_eq!(read_plan(&write_plan(&file)).plan, file);
            }
            let again = plan_of_file(&file, &Domain::from(document), scenario, &imported.names);
            // If two methods share a name, a file does not say which one was used.
            let is_clear = |message: &str| !message.starts_with("duplicate method");
            let is_clear = imported.diagnostics.iter().all(|d| is_clear(&d.message));
            assert!(again.is_ok() || !is_clear, "{again:?}");
        }
        // What the import accepts is a document without errors.
        let is_error = |severity| severity == Severity::Error;
        let is_refused = imported.diagnostics.iter().any(|d| is_error(d.severity));
        let mut wrong = check(&Domain::from(document)).into_iter();
        let wrong = wrong.find(|found| is_error(found.severity) && !is_refused);
        assert_eq!(wrong, None);
    }
    if number.is_multiple_of(64) {
        let _ = export_full(&Domain::from(document), Some(scenario), &Stop::default());
    }
    assert!(start.elapsed() < LONGEST, "it took {:?}", start.elapsed());
    (true, has_plan)
}

#[test]
fn damaged_files_are_parsed_or_rejected() {
    let originals: Vec<[String; 3]> = [
        ("museum", "problem-1"),
        ("bakery", "problem-1"),
        ("bakery", "problem-2"),
        ("orchestra", "problem-1"),
        ("canal", "problem-1"),
    ]
    .into_iter()
    .map(|(domain, problem)| {
        let (domain, problem) = texts(domain, problem);
        let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
        let compiled = compile(&Domain::from(&imported.document), &imported.scenario);
        let plan = match plan(&compiled, Budget::default()) {
            Outcome::Plan(plan) => write_plan(&file_of_plan(&plan, &imported.names)),
            _ => String::from("==>\nroot\n<==\n"),
        };
        [domain, problem, plan]
    })
    .collect();
    let all = on_small_stacks(seeds(100_000), |seed| {
        let mut random = Random::seeded(seed);
        let mut texts = random.pick(&originals).clone();
        let which = random.below(5);
        for (at, text) in texts.iter_mut().enumerate() {
            if at == which || (which == 3 && at < 2) || (which == 4 && at == 0) {
                *text = mutate(text, &mut random);
            }
        }
        let survived = catch_unwind(|| survive(texts.each_ref().map(String::as_str), seed));
        survived.unwrap_or_else(|panic| {
            eprintln!("{}", texts.join("\n"));
            resume_unwind(panic)
        })
    });
    let count = all.len();
    let opened = all.iter().filter(|(is_open, _)| *is_open).count();
    let plans = all.iter().filter(|(_, has_plan)| *has_plan).count();
    assert!(
        is_sample() || opened > count / 3,
        "{opened} of {count} were read"
    );
    assert!(
        is_sample() || plans > count / 160,
        "{plans} of {count} had a plan"
    );
}
