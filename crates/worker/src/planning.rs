//! One planning, in phases: the document is read and compiled, a search finds a plan, validation
//! replays it, and the simulator executes it. Compiling, searching and executing are divided into
//! slices; reading, preparing a search and validating are not. A step longer than a slice, such as
//! a costly condition, looks at the clock itself; it receives no messages, and is ended by the
//! page.

use std::cell::OnceCell;
use std::sync::Arc;

use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::{Compilation, Problem};
use taskloom_planner::plan::{
    self, Atom, Engine, Limit, Outcome, Progress, StartSearch, Strategy, Value, policy,
};
use taskloom_runtime::{check_expectations, with_other_mode};

use crate::answer::{Answer, MAX_FACTS, SearchReport};
use crate::attempt::{STRIDE, best_of, budget, ended, until, validated};
use crate::experiment::with_interventions;
use crate::message::{KnownDocument, Phase, SentDocument, Wanted};
use crate::running::{Comparison, Running, TestRun};

#[cfg(test)]
mod tests;

/// The time after which a search's best plan so far is shown, and before a better one is, in
/// milliseconds.
const SHOW_BEST: f64 = 500.0;

/// A planning request in progress.
pub struct Job {
    /// The request.
    pub wanted: Wanted,
    /// The time of the request.
    pub started: f64,
    /// The document that the worker has read last.
    known: Option<KnownDocument>,
    start: StartSearch,
    work: Work,
}

/// The next phase, with the results of the previous ones.
enum Work {
    Read,
    Compile(Domain, Box<Compilation>),
    Prepare(Domain, Problem),
    Search(Search),
    Validate(Search, Outcome),
    /// The plan was for a character other than the first: the run begins with the first.
    Begin(Search, Box<Answer>, Box<Compilation>),
    Simulate(Search, Box<Answer>, Box<Running>),
    /// The expectations are checked against a plan other than the requested one.
    Judge(Search, Box<Answer>, Box<TestRun>),
    /// Everything is answered except for the run in the other planning mode.
    Compare(Box<Answer>, Box<Comparison>),
    /// It has ended.
    Nothing,
}

struct Search {
    domain: Domain,
    /// The first character's problem, once it is needed: it may be searched again, from another
    /// state or with another strategy.
    first: Problem,
    engine: Box<dyn Engine>,
    /// The ground facts to list, and how many more there are; large ones take a while.
    initial: OnceCell<(Vec<(Atom, Value)>, usize)>,
    deadline: f64,
    /// The time at which the best plan so far was last shown, and its cost.
    shown: f64,
    shown_cost: f64,
}

/// The result of a step.
pub enum Next {
    /// More steps are needed.
    More,
    /// More steps are needed, and this answer can be shown in the meantime.
    Meanwhile(Box<Answer>),
    /// It has ended.
    Answer(Box<Answer>),
    /// It has ended without an answer: its document is the difference from one that isn't known.
    UnknownBase,
}

impl Job {
    /// Creates a job that has not begun, with a function that starts its searches.
    pub fn new(wanted: Wanted, started: f64, start: StartSearch) -> Self {
        Self {
            wanted,
            started,
            known: None,
            start,
            work: Work::Read,
        }
    }

    /// Returns the job with the document that the worker has read last.
    pub fn knowing(self, known: Option<KnownDocument>) -> Self {
        Self { known, ..self }
    }

    /// Takes the document that the worker has read last: that of this job, also if it has not begun.
    pub fn take_known(&mut self) -> Option<KnownDocument> {
        if matches!(self.work, Work::Read) {
            self.work = Work::Nothing;
            self.read();
        }
        self.known.take()
    }

    /// Reads the document.
    fn read(&mut self) -> Option<Arc<Document>> {
        let nothing = SentDocument::Whole(String::new());
        let sent = std::mem::replace(&mut self.wanted.document, nothing);
        let document = Arc::new(sent.read(self.known.take().as_ref())?);
        self.known = Some((self.wanted.revision, document.clone()));
        Some(document)
    }

    /// Returns the phase of the next step.
    pub fn phase(&self) -> Phase {
        match &self.work {
            Work::Read => Phase::Reading,
            Work::Compile(..) => Phase::Compiling,
            Work::Prepare(..) => Phase::Preparing,
            Work::Search(search) => Phase::Searching(search.engine.statistics().nodes),
            Work::Validate(..) => Phase::Validating,
            Work::Begin(..)
            | Work::Simulate(..)
            | Work::Judge(..)
            | Work::Compare(..)
            | Work::Nothing => Phase::Simulating,
        }
    }

    /// Performs a phase, or a small part of one. `now` returns the time in milliseconds.
    pub fn step(&mut self, now: fn() -> f64) -> Next {
        self.work = match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Read => {
                let is_whole = matches!(self.wanted.document, SentDocument::Whole(_));
                match self.read() {
                    Some(mut document) => {
                        let interventions = &self.wanted.experiment.interventions;
                        if !interventions.is_empty() {
                            let scenario = &self.wanted.scenario;
                            let changed = Arc::unwrap_or_clone(document);
                            document =
                                Arc::new(with_interventions(changed, scenario, interventions));
                        }
                        let domain = Domain::from(document);
                        let compilation = Compilation::new(&domain, self.whose(), &Stop::default());
                        Work::Compile(domain, Box::new(compilation))
                    }
                    // The page wrote it: this is not the user's mistake.
                    None if is_whole => return Next::Answer(self.empty(Outcome::Stopped)),
                    None => return Next::UnknownBase,
                }
            }
            Work::Compile(domain, mut compilation) => match compilation.step() {
                Some(problem) => Work::Prepare(domain, problem),
                None => Work::Compile(domain, compilation),
            },
            Work::Prepare(domain, problem) => self.prepare(domain, problem, now),
            Work::Search(search) => return self.search(search, now),
            Work::Validate(search, outcome) => return self.validate(search, outcome, now),
            Work::Begin(mut search, answer, mut compilation) => match compilation.step() {
                None => Work::Begin(search, answer, compilation),
                Some(first) => {
                    search.first = first;
                    if self.wanted.is_for_all {
                        self.run(search, answer)
                    } else {
                        self.judge(search, answer, now)
                    }
                }
            },
            Work::Simulate(search, mut answer, mut running) => match running.step(now) {
                None => Work::Simulate(search, answer, running),
                Some(run) => {
                    answer.run = Some(run);
                    if self.needs_separate_trial(&search.domain) {
                        self.judge(search, answer, now)
                    } else {
                        let answer = self.end(&search, answer);
                        return self.compare(&search.domain, answer, now);
                    }
                }
            },
            Work::Judge(search, answer, mut test) => match test.step(now) {
                None => Work::Judge(search, answer, test),
                Some((run, verdicts)) => {
                    let mut answer = self.end(&search, answer);
                    answer.run = answer.run.or(run);
                    answer.verdicts = verdicts;
                    return self.compare(&search.domain, answer, now);
                }
            },
            Work::Compare(mut answer, mut comparison) => match comparison.step(now) {
                None => Work::Compare(answer, comparison),
                Some(run) => {
                    answer.compared = Some(run);
                    return Next::Answer(answer);
                }
            },
            Work::Nothing => return Next::Answer(self.empty(Outcome::Stopped)),
        };
        Next::More
    }

    /// Starts the search.
    fn prepare(&self, domain: Domain, problem: Problem, now: fn() -> f64) -> Work {
        let shown = now();
        let deadline = shown + f64::from(self.wanted.millis);
        let limited = problem.with_stop(&until(now, deadline));
        let strategy = self.wanted.strategy;
        let engine = (self.start)(
            strategy,
            &limited,
            budget(strategy),
            self.wanted.trace_bound,
        );
        Work::Search(Search {
            domain,
            first: problem,
            engine,
            initial: OnceCell::new(),
            deadline,
            shown,
            shown_cost: f64::INFINITY,
        })
    }

    /// Validates the outcome of the search, and continues with the run.
    fn validate(&mut self, search: Search, outcome: Outcome, now: fn() -> f64) -> Next {
        let answer = self.answer(&search, outcome, now);
        // A plan that validation rejects is a bug: it is reported and not run.
        if answer.outcome == Outcome::Stopped || answer.invalid.is_some() {
            return Next::Answer(self.end(&search, answer));
        }
        let slow = now() - self.started >= SHOW_BEST;
        let found = matches!(answer.outcome, Outcome::Plan(_));
        let shown = (slow && found).then(|| answer.clone());
        self.work = match self.wanted.character {
            0 => self.run(search, answer),
            _ => {
                let whose = (&self.wanted.scenario, 0);
                let compilation = Compilation::new(&search.domain, whose, &Stop::default());
                Work::Begin(search, answer, Box::new(compilation))
            }
        };
        shown.map_or(Next::More, Next::Meanwhile)
    }

    /// Ends the job. Returns the best plan so far, or the current result.
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
            Work::Begin(search, answer, _)
            | Work::Simulate(search, answer, _)
            | Work::Judge(search, answer, _) => self.end(search, answer.clone()),
            Work::Compare(answer, _) => answer.clone(),
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
            // The search notices that its time is over, and provides its best plan, possibly a
            // partial one.
            search.engine.step(STRIDE);
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

    /// Returns the character to plan for.
    fn whose(&self) -> (&Name, usize) {
        (&self.wanted.scenario, self.wanted.character)
    }

    /// Executes the plan.
    fn run(&self, search: Search, answer: Box<Answer>) -> Work {
        let first = (self.wanted.character == 0).then(|| answer.outcome.clone());
        let (domain, scenario) = (&search.domain, &self.wanted.scenario);
        let running = Running::new(domain, scenario, &search.first, first);
        let running = match self.wanted.is_for_all {
            true => running.with_strategy(self.wanted.strategy, self.start),
            false => running,
        };
        Work::Simulate(search, answer, Box::new(running))
    }

    fn judge(&self, search: Search, answer: Box<Answer>, now: fn() -> f64) -> Work {
        let test = TestRun::new(&search.domain, &self.wanted.scenario, &search.first, now);
        Work::Judge(search, answer, Box::new(test))
    }

    /// Continues with the run in the other planning mode, if it is requested and there is one.
    fn compare(&mut self, domain: &Domain, answer: Box<Answer>, now: fn() -> f64) -> Next {
        let compares = self.wanted.experiment.compares;
        let other = compares.then(|| with_other_mode(domain, &self.wanted.scenario));
        let Some(other) = other.flatten() else {
            return Next::Answer(answer);
        };
        let slow = now() - self.started >= SHOW_BEST;
        let shown = slow.then(|| {
            Box::new(Answer {
                ended: false,
                ..Answer::clone(&answer)
            })
        });
        let comparison = Comparison::new(Domain::from(Arc::new(other)), &self.wanted.scenario);
        self.work = Work::Compare(answer, Box::new(comparison));
        shown.map_or(Next::More, Next::Meanwhile)
    }

    /// Returns `true` if the expectations refer to something other than what is shown: they are
    /// about the first character's plan, and the run in which each character uses its agent's
    /// strategy.
    fn needs_separate_trial(&self, domain: &Domain) -> bool {
        let scenario = domain.document().scenarios.get(&self.wanted.scenario);
        let is_judged = scenario.is_some_and(|scenario| !scenario.expect.is_empty());
        let requested = self.wanted.is_for_all.then_some(self.wanted.strategy);
        is_judged
            && (self.wanted.character != 0 || is_another(domain, &self.wanted.scenario, requested))
    }

    fn empty(&self, outcome: Outcome) -> Box<Answer> {
        let (revision, whose) = (
            self.wanted.revision,
            (self.wanted.scenario.clone(), self.wanted.character),
        );
        let answer = Answer::without_plan(revision, whose, self.wanted.strategy, outcome);
        Box::new(Answer {
            experiment: self.wanted.experiment.clone(),
            ..answer
        })
    }

    /// Returns the validated result of a search, without a run.
    fn answer(&self, search: &Search, outcome: Outcome, now: fn() -> f64) -> Box<Answer> {
        let mut answer = self.empty(best_of(outcome.clone(), search.engine.best()));
        let (domain, engine) = (&search.domain, &search.engine);
        answer.ended = false;
        let proved =
            self.wanted.strategy == Strategy::Cheapest && matches!(outcome, Outcome::Plan(_));
        let micros = ((now() - self.started) * 1000.0) as u64;
        answer.search = SearchReport::of(&**engine, proved, micros);
        if let Outcome::Plan(found) = &answer.outcome {
            let found = Outcome::Plan(found.clone());
            match validated(domain, self.whose(), found, now) {
                Ok(outcome) => answer.outcome = outcome,
                Err(reason) => answer.invalid = Some(reason),
            }
        }
        let listed = search.initial.get_or_init(|| {
            let mut initial = plan::initial_state(domain, &self.wanted.scenario);
            let unlisted = initial.len().saturating_sub(MAX_FACTS);
            initial.truncate(MAX_FACTS);
            (initial, unlisted)
        });
        (answer.initial, answer.unlisted) = listed.clone();
        answer
    }

    /// Checks the expectations once planning has ended.
    fn end(&self, search: &Search, mut answer: Box<Answer>) -> Box<Answer> {
        let domain = &search.domain;
        let needs_separate_trial = self.needs_separate_trial(domain);
        let found = match &answer.invalid {
            // The plan that the expectations refer to is unknown.
            _ if needs_separate_trial => Ok(&Outcome::Stopped),
            Some(reason) => Err(reason.as_str()),
            None => Ok(&answer.outcome),
        };
        let run = answer.run.as_ref().filter(|_| !needs_separate_trial);
        answer.verdicts = check_expectations(domain, &self.wanted.scenario, found, run);
        answer.ended = true;
        answer
    }
}

/// Returns `true` if all characters use a requested strategy, and it differs from their agents'
/// settings.
pub fn is_another(domain: &Domain, scenario: &Name, requested: Option<Strategy>) -> bool {
    let Some(requested) = requested else {
        return false;
    };
    let mut all = 0..domain.scene_or_empty(scenario).cast.len();
    all.any(|character| Strategy::from(policy(domain, scenario, character)) != requested)
}
