//! Reads a planning problem in HDDL and solves it: `cargo run --features hddl,portfolio --example
//! read_hddl -- DOMAIN PROBLEM`. Without files it solves a built-in problem.

use taskloom::hddl::{Imported, read_planning_files};
use taskloom::{Budget, Domain, Outcome, Strategy};

const DOMAIN: &str = "
(define (domain delivery)
  (:types parcel place)
  (:predicates (at ?p - parcel ?l - place) (van ?l - place) (loaded ?p - parcel))
  (:task deliver :parameters (?p - parcel ?to - place))
  (:task drive-to :parameters (?l - place))
  (:method there :parameters (?l - place) :task (drive-to ?l) :precondition (van ?l) :subtasks ())
  (:method elsewhere :parameters (?l ?from - place) :task (drive-to ?l)
    :precondition (and (van ?from) (not (= ?from ?l))) :ordered-subtasks (drive ?from ?l))
  (:method by-van :parameters (?p - parcel ?from ?to - place) :task (deliver ?p ?to)
    :precondition (at ?p ?from)
    :ordered-subtasks (and (drive-to ?from) (load ?p ?from) (drive-to ?to) (unload ?p ?to)))
  (:action drive :parameters (?from ?to - place)
    :precondition (van ?from) :effect (and (not (van ?from)) (van ?to)))
  (:action load :parameters (?p - parcel ?l - place)
    :precondition (and (van ?l) (at ?p ?l)) :effect (and (not (at ?p ?l)) (loaded ?p)))
  (:action unload :parameters (?p - parcel ?l - place)
    :precondition (and (van ?l) (loaded ?p)) :effect (and (not (loaded ?p)) (at ?p ?l))))";

const PROBLEM: &str = "
(define (problem two-parcels) (:domain delivery)
  (:objects book lamp - parcel depot home office - place)
  (:htn :ordered-subtasks (and (deliver book home) (deliver lamp office)))
  (:init (van home) (at book depot) (at lamp depot)))";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let steps = match &files[..] {
        [domain, problem] => {
            let (domain, problem) = (
                std::fs::read_to_string(domain)?,
                std::fs::read_to_string(problem)?,
            );
            solved(&domain, &problem)?
        }
        _ => solved(DOMAIN, PROBLEM)?,
    };
    for step in steps {
        println!("{step}");
    }
    Ok(())
}

/// Returns the steps of a plan, with the names of Taskloom's document.
fn solved(domain: &str, problem: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let read = read_planning_files(domain, Some(problem));
    let Imported {
        document, scenario, ..
    } = read.map_err(|wrong| {
        let lines: Vec<&str> = wrong
            .iter()
            .map(|mistake| mistake.message.as_str())
            .collect();
        lines.join("\n")
    })?;
    let situation = Domain::new(document)?.situation(scenario.as_str(), None)?;
    // Such problems need any plan, quickly.
    let planning = situation
        .plan(&situation.scenario().tasks, Budget::default())?
        .with_strategy(Strategy::Fastest);
    match planning.finish()? {
        Outcome::Plan(plan) => Ok(plan
            .steps
            .iter()
            .map(|step| step.task.to_string())
            .collect()),
        outcome => Err(format!("there is no plan: {outcome:?}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delivers_both_parcels() {
        let steps = solved(DOMAIN, PROBLEM).expect("a plan");
        assert_eq!(
            steps,
            [
                "drive(home, depot)",
                "load(book, depot)",
                "drive(depot, home)",
                "unload(book, home)",
                "drive(home, depot)",
                "load(lamp, depot)",
                "drive(depot, office)",
                "unload(lamp, office)",
            ]
        );
    }
}
