//! Counts of the events in runs: the comparison has to meet each kind of them often enough.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_planner::plan::Outcome;
use taskloom_runtime::TaskState;

use super::model::{COMPOUNDS, Domain, PRIMITIVES};
use crate::reference::domain::Domain as Lowered;
use crate::reference::record::{Cause, End, Record, Step, Why};
use crate::reference::state::State;
use crate::reference::tree;

/// The number of occurrences of each kind of event, by name.
#[derive(Debug, Default)]
pub struct Counts(BTreeMap<&'static str, usize>);

/// The number of occurrences to expect in 2,500 domains.
const LEAST: &[(&str, usize)] = &[
    ("another object", 500),
    ("awaited events", 50),
    ("beliefs that are not so", 21000),
    ("complete", 200),
    ("cleanups that failed", 60),
    ("cleanups that were dropped", 80),
    ("complete after waiting", 30),
    ("complete steps", 2000),
    ("decomposing", 500),
    ("denied preconditions", 5),
    ("earlier alternatives looked for in vain", 400),
    ("effects out of range", 280),
    ("characters that plan by the time", 100),
    ("facts unknown at first", 500),
    ("plans for the same task again", 8),
    ("plans for what is open", 100),
    ("plans with a goal of a task that was searched for", 120),
    ("plans with a goal of a task that was true", 200),
    ("plans that were stopped", 20),
    ("repetitions that were done", 1000),
    ("repetitions that were skipped", 1000),
    ("rests that are not possible", 100),
    ("steps side by side", 80),
    ("steps that were stopped", 10),
    ("tasks that were excluded", 100),
    ("endless", 100),
    ("events", 10000),
    ("executed only", 500),
    ("failed", 300),
    ("failing actions", 200),
    ("first plans", 1000),
    ("four", 100),
    ("goal missed", 2),
    ("goals that cooled down", 60),
    ("tasks that were begun again", 20),
    ("goals without a plan", 2000),
    ("idle turns after a release", 20),
    ("integrity above", 120),
    ("integrity while waiting", 2),
    ("interrupted steps", 40),
    ("main branches that ended", 80),
    ("tasks that missed their goals", 20),
    ("rests that relied on the background", 4),
    ("steps stopped in the background", 15),
    ("kinds together", 200),
    ("nobody", 300),
    ("one", 300),
    ("out of plans", 50),
    ("out of ticks", 400),
    ("own integrity", 500),
    ("own timeouts", 100),
    ("perceptions", 2000),
    ("planned only", 500),
    ("plannings that waited for a step", 20),
    ("plannings without a plan", 4000),
    ("plans after failures", 2000),
    ("plans after waiting", 200),
    ("plans as time goes by", 50),
    ("plans by perception", 40),
    ("plans that clean up", 250),
    ("plans for a goal that was tried before", 5),
    ("plans for an earlier alternative", 3),
    ("plans for another goal", 15),
    ("plans for the same again", 1000),
    ("plans for what is next", 300),
    ("plans given up for others", 40),
    ("plans of least cost", 500),
    ("plans by a task that serves the goal", 100),
    ("plans that kept the tasks of steps in progress", 1),
    ("plans that lead part of the way", 10),
    ("preconditions", 2),
    ("pursuing goals", 500),
    ("reactive", 200),
    ("refused events", 1000),
    ("repeated events", 6000),
    ("steps cut off", 100),
    ("steps gone on with by others", 50),
    ("steps that are the first possible", 1500),
    ("steps that claimed", 1000),
    ("steps that could not claim", 5),
    ("switches that waited for a commitment", 2),
    ("tasks kept", 1000),
    ("tasks that were given up", 70),
    ("tasks that were given up and may be tried again", 20),
    ("tasks that cooled down", 1000),
    ("three", 100),
    ("timeouts above", 20),
    ("turns after a cooldown", 500),
    ("two", 300),
    ("waits at the end for completion", 200),
];

impl Counts {
    pub fn add(&mut self, what: &'static str, times: usize) {
        *self.0.entry(what).or_default() += times;
    }

    fn if_so(&mut self, what: &'static str, is: bool) {
        self.add(what, usize::from(is));
    }

    /// Adds the counts of other domains.
    pub fn extend(&mut self, others: Self) {
        for (what, times) in others.0 {
            self.add(what, times);
        }
    }

    /// Fails if any kind of event occurred too rarely in so many domains to count as tested.
    pub fn assert_enough(&self, domains: usize) {
        let count = |what: &str| self.0.get(what).copied().unwrap_or(0);
        // Half of them, less what varies between seeds.
        let enough = |expected: f64| (expected / 2.0 - 2.0 * expected.sqrt()).max(0.0) as usize;
        let least = LEAST.iter();
        let least = least.map(|(what, in_2_500)| {
            let expected = *in_2_500 as f64 * domains as f64 / 2_500.0;
            (what, enough(expected))
        });
        let short = least.filter(|(what, least)| count(what) < *least);
        let short: Vec<String> = short
            .map(|(what, least)| format!("{what}: {} instead of {least}", count(what)))
            .collect();
        assert!(short.is_empty(), "{short:#?} of {self:#?}");
    }

    pub fn count(&mut self, domain: &Domain, lowered: &Lowered, record: &Record) {
        let acts = |step: &Step, timing| {
            let Outcome::Plan(plan) = &record.plans[step.plan].outcome else {
                panic!("it is of a plan");
            };
            let task = tree::task_of_step(lowered, plan, step.step).task;
            let mut effects = domain.primitives[task].effects.iter();
            step.acted.is_some() && effects.any(|e| e.timing == timing)
        };
        for step in &record.steps {
            self.if_so("planned only", acts(step, "planned"));
            self.if_so("executed only", acts(step, "executed"));
            let why = match &step.why {
                Some(Why::Precondition(_)) => "preconditions",
                Some(Why::Denied(_)) => "denied preconditions",
                Some(Why::Forestalled(_)) => "steps that were forestalled",
                Some(Why::Claimed(_)) => "steps that could not claim",
                Some(Why::Interrupted) => "interrupted steps",
                Some(Why::Impossible) => "steps that were stopped",
                Some(Why::MainBranchEnded(_)) => "steps stopped in the background",
                Some(Why::ParallelFailure) => "steps that failed with others",
                Some(Why::Integrity(..)) if step.acted.is_some() => "integrity while waiting",
                Some(Why::Integrity(task, _)) if task.starts_with('c') => "integrity above",
                Some(Why::Integrity(..)) => "own integrity",
                Some(Why::MissedGoal(..)) => "tasks that missed their goals",
                Some(Why::Timeout(task, _)) if task.starts_with('c') => "timeouts above",
                Some(Why::Timeout(..)) => "own timeouts",
                Some(Why::Effects) => "effects out of range",
                Some(Why::Action) => "failing actions",
                Some(Why::Completion(_)) => "waits at the end for completion",
                Some(Why::Duration) => "steps cut off",
                None => "complete steps",
            };
            self.add(why, 1);
            let waited = step.state == TaskState::Complete && step.acted != step.end;
            self.if_so("complete after waiting", waited);
        }
        for planned in &record.plans {
            let is_plan = matches!(planned.outcome, Outcome::Plan(_));
            let what = match (planned.cause, is_plan) {
                (_, false) => "plannings without a plan",
                (Cause::Start, true) => "first plans",
                (Cause::Failure(_), true) => "plans after failures",
                (Cause::Event, true) => "plans after waiting",
                (Cause::Again, true) => "plans for the same again",
                (Cause::Perception, true) => "plans by perception",
                (Cause::Every, true) => "plans as time goes by",
                (Cause::Onward, true) => "plans for what is next",
                (Cause::Goal, true) => "plans for another goal",
                (Cause::Retry, true) => "plans for a goal that was tried before",
                (Cause::Alternative, true) => "plans for an earlier alternative",
                (Cause::Background, true) => "plans without the background",
            };
            self.add(what, 1);
            let mut aborts = planned.aborts.iter();
            let dropped = aborts.clone().filter(|(.., is_dropped)| *is_dropped);
            self.add("cleanups that were dropped", dropped.count());
            self.if_so(
                "plans that clean up",
                aborts.any(|(.., is_dropped)| !is_dropped),
            );
        }
        self.add("cleanups that failed", record.failed_cleanups);
        self.add(
            "plans that kept the tasks of steps in progress",
            record.kept_tasks,
        );
        self.add("tasks that were begun again", record.begun_again);
        self.add("rests that are not possible", record.impossible);
        self.add("plans that were stopped", record.stopped);
        self.add("main branches that ended", record.ended_by_background);
        self.add("rests that relied on the background", record.relied_on);
        self.add("backgrounds that the rest needed", record.needed.len());
        self.add("tasks that cooled down", record.cooled_tasks);
        self.add("goals that cooled down", record.cooled_goals);
        self.add("turns after a cooldown", record.activated);
        self.add("idle turns after a release", record.released);
        let claims = record.steps.iter().filter(|step| !step.claims.is_empty());
        self.add("steps that claimed", claims.count());
        self.add("switches that waited for a commitment", record.switched);
        self.add("plannings that waited for a step", record.delayed);
        self.add("plans for what is open", record.repaired);
        self.add("plans for the same task again", record.shortened);
        for planned in &record.plans {
            let Outcome::Plan(plan) = &planned.outcome else {
                continue;
            };
            let by_goal = || {
                let all = plan.nodes.iter().filter_map(|node| node.decomposed());
                all.filter(|one| one.is_by_goal())
            };
            let repetitions = plan.nodes.iter().filter_map(|node| {
                let task = lowered.names.task(&node.task.task);
                let is_repetition = task >= PRIMITIVES + COMPOUNDS;
                node.decomposed().filter(|_| is_repetition)
            });
            let (done, skipped): (Vec<_>, Vec<_>) =
                repetitions.partition(|one| !one.children.is_empty());
            self.add("repetitions that were done", done.len());
            self.add("repetitions that were skipped", skipped.len());
            self.if_so(
                "plans with a goal of a task that was searched for",
                by_goal().any(|one| !one.children.is_empty()),
            );
            self.if_so(
                "plans with a goal of a task that was true",
                by_goal().any(|one| one.children.is_empty()),
            );
        }
        self.add("tasks that were excluded", record.excluded);
        self.add("tasks that were given up", record.gave_up);
        self.add(
            "tasks that were given up and may be tried again",
            record.resumed,
        );
        let timed = (0..lowered.characters()).filter(|one| lowered.plans_by_time(*one));
        self.add("characters that plan by the time", timed.count());
        let senses = domain.agents.iter().flat_map(|agent| &agent.senses);
        self.add(
            "facts unknown at first",
            senses.filter(|sense| sense.unknown).count(),
        );
        let steps = record.steps.iter();
        let overlapping = steps.filter(|step| {
            let mut others = record.steps.iter();
            others.any(|other| {
                let is_later = other.plan == step.plan && other.step > step.step;
                is_later && other.start < step.end.unwrap_or(u32::MAX) && other.start >= step.start
            })
        });
        self.add("steps side by side", overlapping.count());
        self.add("plans given up for others", record.interrupted);
        self.add("steps gone on with by others", record.continued);
        self.add("earlier alternatives looked for in vain", record.kept);
        self.add("perceptions", record.perceptions.len());
        self.add("events", record.events.len());
        for (tick, number, could_happen) in &record.events {
            let event = &domain.events[*number];
            self.if_so("repeated events", event.every.is_some() && *tick > event.at);
            self.if_so("awaited events", event.every.is_none() && *tick > event.at);
            self.if_so("refused events", !could_happen);
        }
        for (world, beliefs) in record.worlds.iter().zip(&record.beliefs) {
            let differs = beliefs.iter().filter(|belief| *belief != world).count();
            self.add("beliefs that are not so", differs);
        }
        for worlds in record.worlds.windows(2) {
            let v = lowered.names.facts.len() - 1;
            let v = lowered.names.atom(v, &[]).expect("it has no parameters");
            let held = |world: &State| world.value(v);
            self.if_so("another object", held(&worlds[0]) != held(&worlds[1]));
        }
        let kind =
            |character: usize| match (lowered.pursues(character), lowered.is_reactive(character)) {
                (Some(_), _) => "pursuing goals",
                (None, true) => "reactive",
                (None, false) => "decomposing",
            };
        let kinds = (0..domain.cast.len()).map(kind);
        kinds.clone().for_each(|kind| self.add(kind, 1));
        let kinds: BTreeSet<&str> = kinds.collect();
        self.if_so("kinds together", kinds.len() > 1);
        let casts = ["nobody", "one", "two", "three", "four"];
        self.add(casts[domain.cast.len()], 1);
        let end = match record.end.as_ref().expect("it has ended") {
            End::Complete => "complete",
            End::GoalMissed(_) => "goal missed",
            End::Failed => "failed",
            End::OutOfTicks => "out of ticks",
            End::OutOfPlans => "out of plans",
            End::Endless => "endless",
        };
        self.add(end, 1);
    }
}
