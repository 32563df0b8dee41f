//! One planning, in stages: the document is read and compiled, a search looks for a
//! plan, the validator replays it, the simulator carries it out. A search is cut into
//! slices; the other stages are not. What takes longer than a slice looks at the clock
//! by itself; messages it does not hear, and is ended by the page.

use std::cell::OnceCell;

use taskloom_core::compile::{Problem, compile, compile_until};
use taskloom_core::document::{Document, Name};
use taskloom_core::plan::{
    self, Atom, Budget, Engine, Limit, Outcome, Plan, Progress, Strategy, Value, policy,
};
use taskloom_core::simulate::{MOST_TICKS, judge, simulate_by, trial};
use taskloom_core::stop::{Stop, Stopped};

use super::message::{Answer, MOST_FACTS, Stage, Wanted};

/// Decisions between two looks at the clock.
const STRIDE: u64 = 256;
/// Time for each planning of a run, and for validating a plan, in milliseconds: nothing
/// is heard meanwhile.
const AGAIN: f64 = 5_000.0;
/// How long a search goes on before its best plan so far is shown, and before a better
/// one is, in milliseconds.
const SHOW_BEST: f64 = 500.0;
/// The budget of a search that nothing but time shall end: as much memory as a page
/// may be trusted to have.
const LARGE: Budget = Budget {
    nodes: u64::MAX,
    depth: 100_000,
    memory: 1 << 30,
};

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
    Compile(Document),
    Prepare(Document, Problem),
    Search(Search),
    Validate(Search, Outcome),
    Simulate(Search, Box<Answer>),
    /// It has ended.
    Nothing,
}

struct Search {
    document: Document,
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
            Work::Compile(_) => Stage::Compiling,
            Work::Prepare(..) => Stage::Preparing,
            Work::Search(search) => Stage::Searching(search.engine.statistics().nodes),
            Work::Validate(..) => Stage::Validating,
            Work::Simulate(..) | Work::Nothing => Stage::Simulating,
        }
    }

    /// Does a stage, or a small part of a search. `now` is the time in milliseconds.
    pub fn step(&mut self, now: fn() -> f64) -> Next {
        self.work = match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Read(text) => match Document::from_json(&text) {
                Ok(document) => Work::Compile(document),
                // The page wrote it: this is no user's mistake.
                Err(_) => return Next::Answer(self.empty(Outcome::Stopped)),
            },
            Work::Compile(document) => {
                let problem = compile(&document, &self.scenario).problem;
                Work::Prepare(document, problem)
            }
            Work::Prepare(document, problem) => {
                let budget = budget(self.strategy);
                let shown = now();
                let deadline = shown + f64::from(self.millis);
                let problem = problem.until(&until(now, deadline));
                let engine = self.strategy.search(&problem, budget, self.trace_bound);
                Work::Search(Search {
                    document,
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
                self.work = Work::Simulate(search, answer);
                return shown.map_or(Next::More, Next::Meanwhile);
            }
            Work::Simulate(search, mut answer) => {
                let strategy = self.strategy;
                answer.run = Some(simulate_by(
                    &search.document,
                    &self.scenario,
                    Some(answer.outcome.clone()),
                    &mut |document| self.plan_anew(strategy, document, now),
                    MOST_TICKS,
                ));
                let mut answer = self.end(&search, answer);
                if let Some(said) = self.judged_by(&search.document) {
                    let mut planner = |document: &Document| self.plan_anew(said, document, now);
                    let trial = trial(&search.document, &self.scenario, &mut planner, MOST_TICKS);
                    answer.verdicts = trial.verdicts;
                }
                return Next::Answer(answer);
            }
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
            Work::Simulate(search, answer) => self.end(search, answer.clone()),
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
        let said = Strategy::from(policy(document, &self.scenario));
        (said != self.strategy && !scenario.expect.is_empty()).then_some(said)
    }

    /// A plan in the world as it is at some moment of a run.
    fn plan_anew(&self, strategy: Strategy, document: &Document, now: fn() -> f64) -> Outcome {
        let stop = until(now, now() + AGAIN);
        let Ok(compiled) = compile_until(document, &self.scenario, &stop) else {
            return Outcome::GaveUp(Limit::Time);
        };
        let mut engine = strategy.search(&compiled.problem, budget(strategy), 0);
        while engine.step(u64::MAX) == Progress::Running {}
        best_of(ended(&*engine), engine.best())
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
            let stop = until(now, now() + AGAIN);
            match plan::validate_until(document, &self.scenario, found, &stop) {
                Ok(validated) => answer.invalid = validated.err().map(|error| error.to_string()),
                Err(Stopped) => answer.outcome = Outcome::GaveUp(Limit::Time),
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

fn budget(strategy: Strategy) -> Budget {
    match strategy {
        Strategy::First => Budget::default(),
        Strategy::Cheapest | Strategy::Any => LARGE,
    }
}

/// Stops at a time.
fn until(now: fn() -> f64, deadline: f64) -> Stop {
    Stop::when(move || now() >= deadline)
}

/// How a search ended. What stopped it from within is its time.
fn ended(engine: &dyn Engine) -> Outcome {
    match engine.outcome() {
        Some(Outcome::Stopped) => Outcome::GaveUp(Limit::Time),
        outcome => outcome.unwrap_or(Outcome::Stopped),
    }
}

/// A search's outcome, or its best plan so far where it did not end by itself.
fn best_of(outcome: Outcome, best: Option<&Plan>) -> Outcome {
    match (outcome, best) {
        (Outcome::GaveUp(_) | Outcome::Stopped, Some(best)) => Outcome::Plan(best.clone()),
        (outcome, _) => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_core::simulate::{Verdict, by_policy};

    fn answered(document: &Document, scenario: &Name, strategy: Strategy) -> Box<Answer> {
        let wanted = Wanted {
            revision: 1,
            document: document.to_json(),
            scenario: scenario.clone(),
            strategy,
            millis: 1_000,
            trace_bound: 0,
        };
        let mut job = Job::new(wanted, 0.0);
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
        let mut missed = 0;
        for text in [TWO_WAYS, ball, guard] {
            let document = Document::from_json(text).unwrap();
            for scenario in document.scenarios.keys() {
                let mut plan = by_policy(scenario, Budget::default());
                let expected = trial(&document, scenario, &mut plan, MOST_TICKS).verdicts;
                let missing = expected.iter().filter(|v| matches!(v, Verdict::Missed(_)));
                missed += missing.count();
                for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Any] {
                    let answer = answered(&document, scenario, strategy);
                    assert_eq!(answer.strategy, strategy);
                    assert_eq!(answer.verdicts, expected, "{scenario}, {strategy:?}");
                }
            }
        }
        assert_eq!(missed, 1, "the dear plan costs more than 4");
    }
}
