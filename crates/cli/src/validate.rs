//! `taskloom validate`.

use taskloom_document::diagnostic::Severity;
use taskloom_hddl::import::plan_of_file_cancellable;
use taskloom_hddl::syntax::{SyntaxError, read_plan_cancellable};

use crate::args::{InputArgs, ValidateArgs};
use crate::input::{Files, Situation};
use crate::read::read;
use crate::search::Limits;
use crate::show;
use crate::snippet::report;
use crate::{Exit, Failure, print};

/// Returns `true` if a plan has to decompose tasks, not to reach a goal alone.
fn has_tasks(situation: &Situation) -> bool {
    let scene = situation
        .domain
        .executable()
        .scene_or_empty(&situation.scenario);
    !scene.actor(0).tasks().is_empty()
}

pub fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let (file, problem, plan) = match args.files.as_slice() {
        [document, plan] => (document, None, plan),
        [domain, problem, plan] => (domain, Some(problem.clone()), plan),
        _ => {
            return Err(Failure::Internal("expected two or three files".to_owned()));
        }
    };
    let input = InputArgs {
        file: file.clone(),
        problem,
    };
    let limits = Limits::new(&args.limits);
    let files = Files::read(&input, &limits)?;
    let source = read(plan, &limits)?;
    let situation = files.open(&limits)?.situation(args.scenario.as_deref())?;
    let read = limits.result(read_plan_cancellable(&source.text, &limits.stop_reading()))?;
    if !read.errors.is_empty() {
        let severity = Severity::Error;
        let show = |error: &SyntaxError| source.show(severity, &error.message, error.span);
        return Err(Failure::Input(report(&read.errors, |_| severity, show)));
    }
    if read.is_step_list && has_tasks(&situation) {
        return Err(Failure::Input(format!(
            "error: {}: this plan has no decompositions, so it can't be validated as a plan for \
             the tasks of '{}'",
            source.name, situation.scenario
        )));
    }
    let stop = limits.stop();
    let (domain, names) = (&situation.domain, &situation.names);
    let plan = plan_of_file_cancellable(&read.plan, domain, &situation.scenario, names, &stop);
    match limits.result(plan)? {
        Ok(plan) => {
            let steps = show::count(plan.steps.len());
            print(&format!("valid: {steps}, cost {}\n", plan.cost))?;
            Ok(Exit::Success)
        }
        Err(invalid) => {
            print(&format!("invalid: {invalid}\n"))?;
            Ok(Exit::Refuted)
        }
    }
}
