//! One planning, in stages: the document is read and compiled, a search looks for a
//! plan, the validator replays it, the simulator carries it out. Compiling, searching and
//! carrying out are cut into slices; reading, preparing a search and validating are not.
//! What takes longer than a slice, one condition perhaps, looks at the clock by itself;
//! messages it does not hear, and is ended by the page.

use std::cell::OnceCell;

use taskloom::document::stop::Stop;
use taskloom::document::{Document, Name};
use taskloom::planner::compile::Problem;
use taskloom::planner::plan::{
    self, Atom, Engine, Limit, Outcome, Progress, Strategy, Value, policy,
};
use taskloom::runtime::judge;

use super::attempt::{Compiling, STRIDE, best_of, budget, ended, until, validated};
use super::message::{Answer, MOST_FACTS, Stage, Wanted};
use super::running::{Running, Trial};

/// How long a search goes on before its best plan so far is shown, and before a better
/// one is, in milliseconds.
const SHOW_BEST: f64 = 500.0;

/// A planning in progress.
pub struct Job {
    /// The document's revision.
    pub revision: u64,
    /// When it was asked for.
    pub started: f64,
    scenario: Name,
    strategy: Strategy,
    millis: u32,
    trace_bound: usize,
    work: Work,
}

/// What comes next, with what the stages before have left.
enum Work {
    Read(String),
    Compile(Document, Compiling),
    Prepare(Document, Problem),
    Search(Search),
    Validate(Search, Outcome),
    Simulate(Search, Box<Answer>, Box<Running>),
    /// Another strategy than that which is looked at is judged.
    Judge(Search, Box<Answer>, Box<Trial>),
    /// It has ended.
    Nothing,
}

struct Search {
    document: Document,
    /// What may be searched again, from another state or by another strategy.
    problem: Problem,
    engine: Box<dyn Engine>,
    /// The ground facts to list, and how many more there are; large ones take a while.
    initial: OnceCell<(Vec<(Atom, Value)>, usize)>,
    deadline: f64,
    /// When the best plan so far was last shown, and its cost.
    shown: f64,
    shown_cost: f64,
}

/// What a step came to.
pub enum Next {
    /// There is more to do.
    More,
    /// There is more to do, and this to show meanwhile.
    Meanwhile(Box<Answer>),
    /// It has ended.
    Answer(Box<Answer>),
}

impl Job {
    /// A planning that has not begun.
    pub fn new(wanted: Wanted, started: f64) -> Self {
        let Wanted {
            revision,
            document,
            scenario,
            strategy,
            millis,
            trace_bound,
        } = wanted;
        Self {
            revision,
            started,
            scenario,
            strategy,
            millis,
            trace_bound,
            work: Work::Read(document),
        }
    }

    /// What the next step does.
    pub fn stage(&self) -> Stage {
        match &self.work {
            Work::Read(_) => Stage::Reading,
            Work::Compile(..) => Stage::Compiling,
            Work::Prepare(..) => Stage::Preparing,
            Work::Search(search) => Stage::Searching(search.engine.statistics().nodes),
            Work::Validate(..) => Stage::Validating,
            Work::Simulate(..) | Work::Judge(..) | Work::Nothing => Stage::Simulating,
        }
    }

    /// Does a stage, or a small part of one. `now` is the time in milliseconds.
    pub fn step(&mut self, now: fn() -> f64) -> Next {
        self.work = match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Read(text) => match Document::from_json(&text) {
                Ok(document) => {
                    let compiling = Compiling::new(&document, &self.scenario, &Stop::default());
                    Work::Compile(document, compiling)
                }
                // The page wrote it: this is no user's mistake.
                Err(_) => return Next::Answer(self.empty(Outcome::Stopped)),
            },
            Work::Compile(document, mut compiling) => match compiling.step() {
                Some(problem) => Work::Prepare(document, problem),
                None => Work::Compile(document, compiling),
            },
            Work::Prepare(document, problem) => {
                let budget = budget(self.strategy);
                let shown = now();
                let deadline = shown + f64::from(self.millis);
                let limited = problem.until(&until(now, deadline));
                let engine = self.strategy.search(&limited, budget, self.trace_bound);
                Work::Search(Search {
                    document,
                    problem,
                    engine,
                    initial: OnceCell::new(),
                    deadline,
                    shown,
                    shown_cost: f64::INFINITY,
                })
            }
            Work::Search(search) => return self.search(search, now),
            Work::Validate(search, outcome) => {
                let answer = self.answer(&search, outcome, now);
                // A plan that the validator refuses is a fault: it is told, and not run.
                if answer.outcome == Outcome::Stopped || answer.invalid.is_some() {
                    return Next::Answer(self.end(&search, answer));
                }
                let slow = now() - self.started >= SHOW_BEST;
                let found = matches!(answer.outcome, Outcome::Plan(_));
                let shown = (slow && found).then(|| answer.clone());
                let (document, first) = (&search.document, answer.outcome.clone());
                let (scenario, problem) = (&self.scenario, &search.problem);
                let running = Running::new(document, scenario, problem, self.strategy, first);
                self.work = Work::Simulate(search, answer, Box::new(running));
                return shown.map_or(Next::More, Next::Meanwhile);
            }
            Work::Simulate(search, mut answer, mut running) => match running.step(now) {
                None => Work::Simulate(search, answer, running),
                Some(run) => {
                    answer.run = Some(run);
                    match self.judged_by(&search.document) {
                        None => return Next::Answer(self.end(&search, answer)),
                        Some(said) => {
                            let (document, problem) = (&search.document, &search.problem);
                            let trial = Trial::new(document, &self.scenario, problem, said, now);
                            Work::Judge(search, answer, Box::new(trial))
                        }
                    }
                }
            },
            Work::Judge(search, answer, mut trial) => match trial.step(now) {
                None => Work::Judge(search, answer, trial),
                Some(verdicts) => {
                    let mut answer = self.end(&search, answer);
                    answer.verdicts = verdicts;
                    return Next::Answer(answer);
                }
            },
            Work::Nothing => return Next::Answer(self.empty(Outcome::Stopped)),
        };
        Next::More
    }

    /// Ends it: the best plan so far, or what it has come to.
    pub fn stop(self, now: fn() -> f64) -> Box<Answer> {
        match &self.work {
            Work::Search(search) => {
                let answer = self.answer(search, Outcome::Stopped, now);
                self.end(search, answer)
            }
            Work::Validate(search, outcome) => {
                let answer = self.answer(search, outcome.clone(), now);
                self.end(search, answer)
            }
            Work::Simulate(search, answer, _) | Work::Judge(search, answer, _) => {
                self.end(search, answer.clone())
            }
            _ => self.empty(Outcome::Stopped),
        }
    }

    fn search(&mut self, mut search: Search, now: fn() -> f64) -> Next {
        let progress = search.engine.step(STRIDE);
        let time = now();
        if progress == Progress::Done {
            let outcome = ended(&*search.engine);
            self.work = Work::Validate(search, outcome);
            return Next::More;
        }
        if time >= search.deadline {
            self.work = Work::Validate(search, Outcome::GaveUp(Limit::Time));
            return Next::More;
        }
        let better = search.engine.best().map(|best| best.cost);
        let better = better.filter(|cost| *cost < search.shown_cost);
        let mut next = Next::More;
        if let Some(cost) = better.filter(|_| time - search.shown >= SHOW_BEST) {
            let mut answer = self.answer(&search, Outcome::Stopped, now);
            answer.ended = false;
            next = Next::Meanwhile(answer);
            search.shown = now();
            search.shown_cost = cost;
        }
        self.work = Work::Search(search);
        next
    }

    /// The strategy that the expectations mean, where another one is looked at: they are
    /// of the plan that the document says.
    fn judged_by(&self, document: &Document) -> Option<Strategy> {
        let scenario = document.scenarios.get(&self.scenario)?;
        let said = Strategy::from(policy(document, &self.scenario, 0));
        (said != self.strategy && !scenario.expect.is_empty()).then_some(said)
    }

    fn empty(&self, outcome: Outcome) -> Box<Answer> {
        let (revision, scenario) = (self.revision, self.scenario.clone());
        Box::new(Answer::without_plan(
            revision,
            scenario,
            self.strategy,
            outcome,
        ))
    }

    /// What a search found, validated, but not run.
    fn answer(&self, search: &Search, outcome: Outcome, now: fn() -> f64) -> Box<Answer> {
        let mut answer = self.empty(best_of(outcome.clone(), search.engine.best()));
        let (document, engine) = (&search.document, &search.engine);
        answer.ended = false;
        answer.micros = ((now() - self.started) * 1000.0) as u64;
        answer.proved = self.strategy == Strategy::Cheapest && matches!(outcome, Outcome::Plan(_));
        answer.bound = engine.bound().filter(|bound| bound.is_finite());
        if let Outcome::Plan(found) = &answer.outcome {
            let found = Outcome::Plan(found.clone());
            match validated(document, &self.scenario, found, now) {
                Ok(outcome) => answer.outcome = outcome,
                Err(reason) => answer.invalid = Some(reason),
            }
        }
        let listed = search.initial.get_or_init(|| {
            let mut initial = plan::initial_state(document, &self.scenario);
            let unlisted = initial.len().saturating_sub(MOST_FACTS);
            initial.truncate(MOST_FACTS);
            (initial, unlisted)
        });
        (answer.initial, answer.unlisted) = listed.clone();
        answer.statistics = engine.statistics();
        answer.trace = engine.trace().cloned().unwrap_or_default();
        answer
    }

    /// Judges what has ended.
    fn end(&self, search: &Search, mut answer: Box<Answer>) -> Box<Answer> {
        let document = &search.document;
        let found = match (&answer.invalid, self.judged_by(document)) {
            // Of the plan that the expectations mean nothing is known.
            (_, Some(_)) => Ok(&Outcome::Stopped),
            (Some(reason), None) => Err(reason.as_str()),
            (None, None) => Ok(&answer.outcome),
        };
        let run = answer
            .run
            .as_ref()
            .filter(|_| self.judged_by(document).is_none());
        answer.verdicts = judge(document, &self.scenario, found, run);
        answer.ended = true;
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::planner::plan::Budget;
    use taskloom::runtime::{MOST_TICKS, Verdict, by_policy, simulate, trial};

    fn begun(document: &Document, scenario: &Name, strategy: Strategy) -> Job {
        let wanted = Wanted {
            revision: 1,
            document: document.to_json(),
            scenario: scenario.clone(),
            strategy,
            millis: 1_000,
            trace_bound: 0,
        };
        Job::new(wanted, 0.0)
    }

    fn answered(document: &Document, scenario: &Name, strategy: Strategy) -> Box<Answer> {
        let mut job = begun(document, scenario, strategy);
        loop {
            if let Next::Answer(answer) = job.step(|| 0.0) {
                return answer;
            }
        }
    }

    /// A dear way that comes first, and a cheap one.
    const TWO_WAYS: &str = r#"{ "taskloom": 1, "facts": { "open": { "source": "memory" } },
        "primitive_tasks": { "dear": { "cost": "5" }, "cheap": { "preconditions": ["open"] } },
        "compound_tasks": { "go": { "method": { "blocks": {
            "a": { "kind": "begin" },
            "b": { "kind": "choice", "alternatives": ["1", "2"] },
            "c": { "kind": "task", "call": "dear" }, "d": { "kind": "task", "call": "cheap" } },
            "wires": ["a.out -> b", "b.1 -> c", "b.2 -> d"] } } },
        "scenarios": { "s": { "tasks": ["go"], "initial": ["open"],
            "expect": [{ "plan": ["dear"] }, { "cost_at_most": 4 }, "recovers"] } } }"#;

    #[test]
    fn expectations_are_judged_as_taskloom_test_does_whichever_search_is_looked_at() {
        let ball = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        let guard = include_str!("../../public/examples/night-guard.taskloom.json");
        let (mut judged, mut missed) = (0, 0);
        for text in [TWO_WAYS, ball, guard] {
            let document = Document::from_json(text).unwrap();
            for scenario in document.scenarios.keys() {
                let mut plan = by_policy(Budget::default());
                let expected = trial(&document, scenario, &mut plan, MOST_TICKS).verdicts;
                let missing = expected.iter().filter(|v| matches!(v, Verdict::Missed(_)));
                missed += missing.count();
                judged += expected.len();
                for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Any] {
                    let answer = answered(&document, scenario, strategy);
                    assert_eq!(answer.strategy, strategy);
                    assert_eq!(answer.verdicts, expected, "{scenario}, {strategy:?}");
                }
            }
        }
        assert_eq!(missed, 1, "the dear plan costs more than 4");
        assert!(judged >= 40, "{judged} judged");
    }

    const GUARD: &str = include_str!("../../public/examples/night-guard.taskloom.json");

    #[test]
    fn a_run_in_small_steps_is_the_run_at_once() {
        let document = Document::from_json(GUARD).unwrap();
        let mut replanned = 0;
        for scenario in document.scenarios.keys() {
            let expected = simulate(&document, scenario, Budget::default(), MOST_TICKS);
            let strategy = Strategy::from(policy(&document, scenario, 0));
            let mut job = begun(&document, scenario, strategy);
            let mut steps = 0;
            let answer = loop {
                steps += usize::from(job.stage() == Stage::Simulating);
                if let Next::Answer(answer) = job.step(|| 0.0) {
                    break answer;
                }
            };
            assert!(steps > expected.executed.len(), "{scenario}: {steps} steps");
            replanned += expected.plans.len() - 1;
            assert_eq!(answer.run, Some(expected), "{scenario}");
        }
        assert!(replanned > 0, "no scenario plans again");
    }

    #[test]
    fn a_planning_ends_between_any_two_steps() {
        let document = Document::from_json(GUARD).unwrap();
        let (mut with_plan, mut without) = (0, 0);
        for scenario in document.scenarios.keys() {
            for most in (0..).step_by(5) {
                let mut job = begun(&document, scenario, Strategy::First);
                let ended = (0..most).any(|_| matches!(job.step(|| 0.0), Next::Answer(_)));
                if ended {
                    break;
                }
                let simulating = job.stage() == Stage::Simulating;
                let answer = job.stop(|| 0.0);
                assert!(answer.ended && answer.run.is_none() && answer.invalid.is_none());
                if simulating {
                    assert_ne!(answer.outcome, Outcome::Stopped, "{scenario}, step {most}");
                }
                match answer.outcome {
                    Outcome::Plan(_) => with_plan += 1,
                    _ => without += 1,
                }
            }
        }
        assert!(
            with_plan > 5 && without > 5,
            "{with_plan} with a plan, {without} without"
        );
    }
}
