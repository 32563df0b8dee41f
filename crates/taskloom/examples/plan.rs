//! Prints the plan of each scenario of a file: `cargo run --example plan -- FILE`. Without a file
//! it uses three guards with goals.

use taskloom::{Budget, Domain, Error, Outcome};

const GUARDS: &str = include_str!("guards.taskloom.json");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => GUARDS.to_owned(),
    };
    for line in plans(&text)? {
        println!("{line}");
    }
    Ok(())
}

/// Returns a line for each scenario of a file.
fn plans(text: &str) -> Result<Vec<String>, Error> {
    let domain = Domain::read(text)?;
    let names = domain.document().scenarios.keys();
    let lines = names.map(|name| Ok(format!("{name}: {}", planned(&domain, name.as_str())?)));
    lines.collect()
}

/// Returns the outcome of planning a scenario, as one line.
fn planned(domain: &Domain, scenario: &str) -> Result<String, Error> {
    let situation = domain.situation(scenario, None)?;
    let planning = situation.plan(situation.tasks(), Budget::default())?;
    Ok(match planning.finish()? {
        Outcome::Plan(plan) => {
            let steps: Vec<String> = plan
                .steps
                .iter()
                .map(|step| step.task.to_string())
                .collect();
            format!("{} (cost {})", steps.join(", "), plan.cost)
        }
        Outcome::NoPlan => "no plan exists".to_owned(),
        Outcome::NotPlanned(why) => why.to_string(),
        Outcome::GaveUp(_) | Outcome::Stopped => "no plan was found".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_the_plan_of_each_scenario() {
        let lines = plans(GUARDS).expect("a domain");
        let [line] = lines.as_slice() else {
            panic!("{lines:#?}")
        };
        assert!(line.starts_with("night: "), "{line}");
        assert!(line.contains("look(north)"), "{line}");
        assert!(line.ends_with("(cost 5)"), "{line}");
    }
}
