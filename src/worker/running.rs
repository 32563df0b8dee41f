//! A scenario that is carried out in slices, and judged.

use self_cell::self_cell;
use taskloom::document::{Document, Name};
use taskloom::planner::compile::Problem;
use taskloom::planner::plan::{Outcome, Strategy};
use taskloom::runtime::{MOST_TICKS, Next, Run, Simulation, Verdict, judge};

use super::attempt::{AGAIN, Attempt, until, validated};

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
    strategy: Strategy,
    /// The plan that it waits for.
    attempt: Option<Attempt>,
}

impl Running {
    /// A run that has not begun, of a scenario that was compiled to this problem. `first`
    /// is what planning it comes to as it stands, validated.
    pub fn new(
        document: &Document,
        scenario: &Name,
        problem: &Problem,
        strategy: Strategy,
        first: Outcome,
    ) -> Self {
        let whole = document.without_muted().into_owned();
        Self {
            steps: Steps::new(whole, |document| {
                Simulation::new(document, scenario, problem, Some(first), MOST_TICKS)
            }),
            strategy,
            attempt: None,
        }
    }

    /// Goes on a little; what happened, once it has ended.
    pub fn step(&mut self, now: fn() -> f64) -> Option<Run> {
        if let Some(attempt) = &mut self.attempt {
            let outcome = attempt.step()?;
            self.attempt = None;
            let stop = until(now, now() + AGAIN);
            self.steps.with_dependent_mut(|_, simulation| {
                if let Some(simulation) = simulation {
                    simulation.planned(outcome, &stop);
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
            Some(Next::Plan(problem)) => {
                self.attempt = Some(Attempt::new(&problem, self.strategy, now));
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
    problem: Problem,
    strategy: Strategy,
    work: Work,
}

enum Work {
    Plan(Attempt),
    Run(Outcome, Running),
}

impl Trial {
    /// One that has not begun, of a scenario that was compiled to this problem.
    pub fn new(
        document: &Document,
        scenario: &Name,
        problem: &Problem,
        strategy: Strategy,
        now: fn() -> f64,
    ) -> Self {
        Self {
            document: document.clone(),
            scenario: scenario.clone(),
            problem: problem.clone(),
            strategy,
            work: Work::Plan(Attempt::new(problem, strategy, now)),
        }
    }

    /// Goes on a little; what became of the scenario's expectations, once that is known.
    pub fn step(&mut self, now: fn() -> f64) -> Option<Vec<Verdict>> {
        let (document, scenario) = (&self.document, &self.scenario);
        match &mut self.work {
            Work::Plan(attempt) => match validated(document, scenario, attempt.step()?, now) {
                Ok(outcome) if outcome != Outcome::Stopped => {
                    let (problem, first) = (&self.problem, outcome.clone());
                    let run = Running::new(document, scenario, problem, self.strategy, first);
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
