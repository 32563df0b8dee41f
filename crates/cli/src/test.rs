//! `taskloom test`.

use taskloom_document::stop::Stopped;
use taskloom_document::{Expectation, Kind, Name, Scenario};
use taskloom_domain::Domain;
use taskloom_runtime::{RunEnd, Verdict, check_expectations};

use crate::args::{InputArgs, LimitArgs};
use crate::input::Files;
use crate::running::{RunOptions, RunResult, run_within_limits};
use crate::search::{Limits, gave_up};
use crate::{Exit, Failure, print, say};

pub fn run(files: &[String], limits: &LimitArgs) -> Result<Exit, Failure> {
    let limits = Limits::new(limits);
    let mut counts = Counts::default();
    let tested = files
        .iter()
        .try_for_each(|file| match of_file(file, &limits, &mut counts) {
            // The others are tested all the same.
            Err(Failure::Input(why)) => {
                counts.invalid += 1;
                say(&why);
                print(&format!("FAILED {file}\n       invalid\n"))
            }
            result => result,
        });
    let is_finished = match tested {
        Ok(()) => true,
        Err(Failure::Stopped(limit)) => {
            say(&gave_up(limit));
            false
        }
        Err(failure) => return Err(failure),
    };
    let invalid = match counts.invalid {
        0 => String::new(),
        1 => ", 1 invalid file".to_owned(),
        count => format!(", {count} invalid files"),
    };
    print(&format!(
        "{} passed, {} failed, {} not checked{invalid}{}\n",
        counts.met,
        counts.missed,
        counts.open,
        if is_finished {
            ""
        } else {
            ", the rest unfinished"
        }
    ))?;
    if counts.invalid > 0 {
        let files = "error: fix the invalid files named above".to_owned();
        return Err(Failure::Input(files));
    }
    if is_finished && counts.met + counts.missed + counts.open == 0 {
        let none = "error: no scenario has an expectation, so nothing was tested".to_owned();
        return Err(Failure::Input(none));
    }
    Ok(match counts {
        Counts { missed: 1.., .. } => Exit::Refuted,
        Counts { open: 1.., .. } => Exit::GaveUp,
        _ if !is_finished => Exit::GaveUp,
        _ => Exit::Success,
    })
}

fn of_file(file: &str, limits: &Limits, counts: &mut Counts) -> Result<(), Failure> {
    let input = InputArgs {
        file: file.to_owned(),
        problem: None,
    };
    let files = Files::read(&input, limits)?;
    let opened = files.open(limits)?;
    opened.refuse_errors(|record| {
        record.kind != Kind::Scenario || {
            let scenario = opened.document.scenarios.get(&record.name);
            scenario.is_some_and(|scenario| !scenario.expect.is_empty())
        }
    })?;
    let domain = Domain::from(opened.document);
    for (name, scenario) in &domain.document().scenarios {
        counts.add(&scenario_of(&domain, file, (name, scenario), limits)?);
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Counts {
    met: usize,
    missed: usize,
    open: usize,
    invalid: usize,
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

fn scenario_of(
    domain: &Domain,
    file: &str,
    (name, scenario): (&Name, &Scenario),
    limits: &Limits,
) -> Result<Vec<Verdict>, Failure> {
    let expectations = &scenario.expect;
    if expectations.is_empty() {
        return Ok(vec![]);
    }
    let failed = |why: &str| print(&format!("FAILED {file}: {name}\n{why}"));
    let is_stopped = |result: &RunResult| {
        let executed = result.executed.as_ref();
        executed.is_some_and(|executed| executed.run.end == RunEnd::Stopped)
    };
    let result = run_within_limits(domain, name, limits, RunOptions::default());
    let RunResult { outcome, executed } = match result {
        Ok(result) if is_stopped(&result) => Err(Stopped),
        result => result,
    }
    .map_err(|Stopped| match failed("       unfinished\n") {
        Ok(()) => limits.failure(),
        Err(failure) => failure,
    })?;
    let run = executed.as_ref().map(|executed| &executed.run);
    let found = outcome.as_ref().map_err(String::as_str);
    let verdicts = check_expectations(domain, name, found, run);
    let mut missed = String::new();
    for (expectation, verdict) in expectations.iter().zip(&verdicts) {
        let (word, why) = match verdict {
            Verdict::Met => continue,
            Verdict::Missed(why) => ("failed", why),
            Verdict::Open(why) => ("not checked", why),
        };
        missed += &format!("       {word}: {}: {why}\n", describe(expectation));
    }
    match missed.is_empty() {
        true => print(&format!("ok     {file}: {name}\n"))?,
        false => failed(&missed)?,
    }
    Ok(verdicts)
}

fn describe(expectation: &Expectation) -> String {
    match expectation {
        Expectation::PlanExists => "a plan exists".to_owned(),
        Expectation::NoPlan => "no plan exists".to_owned(),
        Expectation::Plan(steps) => format!("the plan is {}", steps.join("; ")),
        Expectation::Contains(task) => format!("the plan contains {task}"),
        Expectation::CostAtMost(cost) => format!("the cost is at most {cost}"),
        Expectation::Finally(formula) => format!("at the end, {formula}"),
        Expectation::Recovers => "the run recovers".to_owned(),
    }
}
