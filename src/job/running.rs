//! A scenario that is carried out in slices, and judged.

use self_cell::self_cell;
use taskloom::document::{Document, Name};
use taskloom::planner::plan::{Outcome, Strategy};
use taskloom::runtime::{MOST_TICKS, Next, Run, Simulation, Verdict, judge};

use super::attempt::Attempt;

self_cell!(
    struct Steps {
        owner: Document,
        #[not_covariant]
        dependent: MaybeSimulation,
    }
);

/// None of a scenario that does not exist.
type MaybeSimulation<'a> = Option<Simulation<'a>>;

/// A run of a scenario, which plans again where a plan fails.
pub struct Running {
    steps: Steps,
    scenario: Name,
    strategy: Strategy,
    /// The plan that it waits for.
    attempt: Option<Attempt>,
}

impl Running {
    /// A run that has not begun. `first` is what planning the scenario comes to as it
    /// stands, validated.
    pub fn new(document: &Document, scenario: &Name, strategy: Strategy, first: Outcome) -> Self {
        Self {
            steps: Steps::new(document.clone(), |document| {
                Simulation::new(document, scenario, Some(first), MOST_TICKS)
            }),
            scenario: scenario.clone(),
            strategy,
            attempt: None,
        }
    }

    /// Goes on a little; what happened, once it has ended.
    pub fn step(&mut self, now: fn() -> f64) -> Option<Run> {
        if let Some(attempt) = &mut self.attempt {
            let outcome = attempt.step(now)?;
            self.attempt = None;
            self.steps.with_dependent_mut(|_, simulation| {
                if let Some(simulation) = simulation {
                    simulation.planned(outcome);
                }
            });
            return None;
        }
        let next = self
            .steps
            .with_dependent_mut(|_, simulation| simulation.as_mut().map(Simulation::step));
        match next {
            None => Some(Run::default()),
            Some(Next::More) => None,
            Some(Next::Plan(situation)) => {
                let attempt = Attempt::new(*situation, &self.scenario, self.strategy, now);
                self.attempt = Some(attempt);
                None
            }
            Some(Next::Ended(run)) => Some(*run),
        }
    }
}

/// A scenario as a test, by a strategy; as [`taskloom::runtime::trial`].
pub struct Trial {
    document: Document,
    scenario: Name,
    strategy: Strategy,
    work: Work,
}

enum Work {
    Plan(Attempt),
    Run(Outcome, Running),
}

impl Trial {
    /// One that has not begun.
    pub fn new(document: &Document, scenario: &Name, strategy: Strategy, now: fn() -> f64) -> Self {
        let attempt = Attempt::new(document.clone(), scenario, strategy, now);
        Self {
            document: document.clone(),
            scenario: scenario.clone(),
            strategy,
            work: Work::Plan(attempt),
        }
    }

    /// Goes on a little; what became of the scenario's expectations, once that is known.
    pub fn step(&mut self, now: fn() -> f64) -> Option<Vec<Verdict>> {
        let (document, scenario) = (&self.document, &self.scenario);
        match &mut self.work {
            Work::Plan(attempt) => match attempt.step(now)? {
                Ok(outcome) if outcome != Outcome::Stopped => {
                    let run = Running::new(document, scenario, self.strategy, outcome.clone());
                    self.work = Work::Run(outcome, run);
                    None
                }
                outcome => {
                    let found = outcome.as_ref().map_err(String::as_str);
                    Some(judge(document, scenario, found, None))
                }
            },
            Work::Run(outcome, running) => {
                let run = running.step(now)?;
                Some(judge(document, scenario, Ok(outcome), Some(&run)))
            }
        }
    }
}
