//! `taskloom validate`.

use taskloom::document::diagnostic::Severity;
use taskloom::hddl::import::plan_of_file_until;
use taskloom::hddl::syntax::read_plan_until;

use crate::args::InputArgs;
use crate::input::{self, Files};
use crate::search::Limits;
use crate::show;
use crate::{Exit, Failure, print};

pub fn run(files: &[String], scenario: Option<&str>) -> Result<Exit, Failure> {
    let (file, problem, plan) = match files {
        [document, plan] => (document, None, plan),
        [domain, problem, plan] => (domain, Some(problem.clone()), plan),
        _ => {
            return Err(Failure::Internal(
                "two or three files were expected".to_owned(),
            ));
        }
    };
    let input = InputArgs {
        file: file.clone(),
        problem,
    };
    let files = Files::read(&input)?;
    let source = input::read(plan)?;
    let stop = Limits::none().stop();
    let situation = files.open(&stop)?.situation(scenario)?;
    let read = read_plan_until(&source.text, &stop)?;
    if !read.errors.is_empty() {
        let shown = read.errors.iter();
        let shown: Vec<String> = shown
            .map(|error| source.show(Severity::Error, &error.message, error.span))
            .collect();
        return Err(Failure::Input(shown.join("\n")));
    }
    let (document, names) = (&situation.document, &situation.names);
    match plan_of_file_until(&read.plan, document, &situation.scenario, names, &stop)? {
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
