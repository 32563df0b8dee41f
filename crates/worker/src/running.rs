//! Running a scenario in slices, and checking its expectations.

use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_planner::compile::{Compilation, Problem};
use taskloom_planner::plan::{Outcome, StartSearch, Strategy};
use taskloom_runtime::{MAX_TICKS, Next, Run, Simulation, Verdict, check_expectations};

use crate::attempt::{AGAIN, Attempt, until, validated};

/// A run of a scenario, which replans when a plan fails.
pub struct Running {
    /// `None` if the scenario doesn't exist.
    simulation: Option<Simulation>,
    /// The strategy of all characters, and its searches; `None` if each uses its agent's.
    strategy: Option<(Strategy, StartSearch)>,
    /// The search that it is waiting for.
    attempt: Option<Attempt>,
}

impl Running {
    /// Creates a run, which has not begun, of a scenario that was compiled to this problem for its
    /// first character. `first` is the validated outcome of planning for the initial situation, if
    /// known. Each character uses its agent's strategy.
    pub fn new(
        domain: &Domain,
        scenario: &Name,
        problem: &Problem,
        first: Option<Outcome>,
    ) -> Self {
        Self {
            simulation: Simulation::new(domain, scenario, problem, first, MAX_TICKS),
            strategy: None,
            attempt: None,
        }
    }

    /// Returns the run with one strategy for all characters.
    pub fn with_strategy(mut self, strategy: Strategy, start: StartSearch) -> Self {
        self.strategy = Some((strategy, start));
        self
    }

    /// Simulates a little more. Returns the run once it has ended.
    pub fn step(&mut self, now: fn() -> f64) -> Option<Run> {
        if let Some(attempt) = &mut self.attempt {
            let outcome = attempt.step()?;
            self.attempt = None;
            let stop = until(now, now() + AGAIN);
            if let Some(simulation) = &mut self.simulation {
                simulation.planned(outcome, &stop);
            }
            return None;
        }
        match self.simulation.as_mut().map(Simulation::step) {
            None => Some(Run::default()),
            Some(Next::More) => None,
            Some(Next::Plan(problem)) => {
                let own = || (problem.policy().into(), Strategy::search as StartSearch);
                let (strategy, start) = self.strategy.unwrap_or_else(own);
                self.attempt = Some(Attempt::new(&problem, strategy, start, now));
                None
            }
            Some(Next::Ended(run)) => Some(*run),
        }
    }
}

/// A second run of a scenario, of which only the run itself is needed.
pub struct Comparison {
    domain: Domain,
    scenario: Name,
    work: Compared,
}

enum Compared {
    Compile(Box<Compilation>),
    Run(Box<Running>),
}

impl Comparison {
    /// Creates a run, which has not begun, in which each character uses its agent's strategy.
    pub fn new(domain: Domain, scenario: &Name) -> Self {
        let compiling = Compilation::new(&domain, (scenario, 0), &Stop::default());
        Self {
            domain,
            scenario: scenario.clone(),
            work: Compared::Compile(Box::new(compiling)),
        }
    }

    /// Simulates a little more. Returns the run once it has ended.
    pub fn step(&mut self, now: fn() -> f64) -> Option<Run> {
        match &mut self.work {
            Compared::Compile(compiling) => {
                let problem = compiling.step()?;
                let running = Running::new(&self.domain, &self.scenario, &problem, None);
                self.work = Compared::Run(Box::new(running));
                None
            }
            Compared::Run(running) => running.step(now),
        }
    }
}

/// A test run of a scenario in which each character uses its agent's strategy, like
/// [`taskloom_runtime::run_test`].
pub struct TestRun {
    domain: Domain,
    scenario: Name,
    problem: Problem,
    work: Work,
}

enum Work {
    Plan(Attempt),
    Run(Outcome, Box<Running>),
}

impl TestRun {
    /// Creates a test run, which has not begun, of a scenario that was compiled to this problem for
    /// its first character.
    pub fn new(domain: &Domain, scenario: &Name, problem: &Problem, now: fn() -> f64) -> Self {
        let attempt = Attempt::new(problem, problem.policy().into(), Strategy::search, now);
        Self {
            domain: domain.clone(),
            scenario: scenario.clone(),
            problem: problem.clone(),
            work: Work::Plan(attempt),
        }
    }

    /// Advances a little. At the end, returns the run, if there is one, and the verdicts on the
    /// scenario's expectations.
    pub fn step(&mut self, now: fn() -> f64) -> Option<(Option<Run>, Vec<Verdict>)> {
        let (domain, scenario) = (&self.domain, &self.scenario);
        match &mut self.work {
            Work::Plan(attempt) => match validated(domain, (scenario, 0), attempt.step()?, now) {
                Ok(outcome) if outcome != Outcome::Stopped => {
                    let (problem, first) = (&self.problem, outcome.clone());
                    let run = Running::new(domain, scenario, problem, Some(first));
                    self.work = Work::Run(outcome, Box::new(run));
                    None
                }
                outcome => {
                    let found = outcome.as_ref().map_err(String::as_str);
                    Some((None, check_expectations(domain, scenario, found, None)))
                }
            },
            Work::Run(outcome, running) => {
                let run = running.step(now)?;
                let verdicts = check_expectations(domain, scenario, Ok(outcome), Some(&run));
                Some((Some(run), verdicts))
            }
        }
    }
}
