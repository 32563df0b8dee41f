//! `taskloom test`.

use taskloom::document::stop::Stop;
use taskloom::document::{Document, Expectation, Kind, Name};
use taskloom::planner::plan::Budget;
use taskloom::runtime::{MOST_TICKS, Verdict, by_policy, trial};

use crate::args::InputArgs;
use crate::input::Files;
use crate::{Exit, Failure, print};

pub fn run(files: &[String]) -> Result<Exit, Failure> {
    let mut counts = Counts::default();
    for file in files {
        let input = InputArgs {
            file: file.clone(),
            problem: None,
        };
        let opened = Files::read(&input)?.open(&Stop::default())?;
        opened.refuse_errors(|record| {
            record.kind != Kind::Scenario || {
                let scenario = opened.document.scenarios.get(&record.name);
                scenario.is_some_and(|scenario| !scenario.expect.is_empty())
            }
        })?;
        for scenario in opened.document.scenarios.keys() {
            counts.add(&scenario_of(&opened.document, file, scenario)?);
        }
    }
    print(&format!(
        "{} met, {} missed, {} open\n",
        counts.met, counts.missed, counts.open
    ))?;
    Ok(match counts {
        Counts { missed: 1.., .. } => Exit::Refuted,
        Counts { open: 1.., .. } => Exit::GaveUp,
        _ => Exit::Success,
    })
}

#[derive(Debug, Default)]
struct Counts {
    met: usize,
    missed: usize,
    open: usize,
}

impl Counts {
    fn add(&mut self, verdicts: &[Verdict]) {
        for verdict in verdicts {
            match verdict {
                Verdict::Met => self.met += 1,
                Verdict::Missed(_) => self.missed += 1,
                Verdict::Open(_) => self.open += 1,
            }
        }
    }
}

fn scenario_of(document: &Document, file: &str, name: &Name) -> Result<Vec<Verdict>, Failure> {
    let expectations = document.scenarios.get(name).map(|s| s.expect.as_slice());
    let expectations = expectations.unwrap_or_default();
    if expectations.is_empty() {
        return Ok(vec![]);
    }
    let mut plan = by_policy(Budget::default());
    let verdicts = trial(document, name, &mut plan, MOST_TICKS).verdicts;
    let is_met = verdicts.iter().all(|verdict| *verdict == Verdict::Met);
    print(&format!(
        "{} {file}: {name}\n",
        if is_met { "ok    " } else { "FAILED" }
    ))?;
    for (expectation, verdict) in expectations.iter().zip(&verdicts) {
        let (word, why) = match verdict {
            Verdict::Met => continue,
            Verdict::Missed(why) => ("missed", why),
            Verdict::Open(why) => ("open", why),
        };
        print(&format!("       {word}: {}: {why}\n", wanted(expectation)))?;
    }
    Ok(verdicts)
}

fn wanted(expectation: &Expectation) -> String {
    match expectation {
        Expectation::PlanExists => "a plan exists".to_owned(),
        Expectation::NoPlan => "no plan exists".to_owned(),
        Expectation::Plan(steps) => format!("the plan is {}", steps.join("; ")),
        Expectation::Contains(task) => format!("the plan contains {task}"),
        Expectation::CostAtMost(cost) => format!("the cost is at most {cost}"),
        Expectation::Finally(formula) => format!("at the end {formula}"),
        Expectation::Recovers => "the run recovers".to_owned(),
    }
}
