//! The execution of a character's plan.

use taskloom_domain::lang::typed::Formula;
use taskloom_planner::plan::Plan;
use taskloom_runtime::TaskState;

use super::chance::{draw, seed};
use super::cooldowns::is_open;
use super::evaluate::Env;
use super::interpreter::{Activity, Character, Run};
use super::names::{Atom, Ground, Kind};
use super::open::Open;
use super::record::{Cause, End, Step, Why};
use super::state::State;
use super::{alike, claims, failures, goals, tree};

impl Run<'_> {
    /// Executes the steps whose duration is over. Returns `true` if one has failed.
    pub fn settle(&mut self, number: usize) -> bool {
        let Activity::Follows(followed) = self.cast[number].activity else {
            return false;
        };
        let tick = self.tick;
        loop {
            let over = self.cast[number].running.iter();
            let mut over = over.filter(|(step, seen)| step.due <= tick && *seen != Some(tick));
            let Some(step) = over.next().map(|(step, _)| step.step) else {
                return false;
            };
            if self.carry_on(number, followed, step) {
                return true;
            }
        }
    }

    /// Executes a character's plan.
    pub fn follow(&mut self, number: usize) {
        while let Activity::Follows(followed) = self.cast[number].activity {
            let plan = self.record.plan(followed).clone();
            let ended = self.end_background(number, followed, false);
            self.record.steps.extend(ended);
            if self.must_plan(number) {
                return;
            }
            let one = &self.cast[number];
            if one.complete.len() == plan.steps.len() {
                return self.come_to_its_end(number, followed);
            }
            let waiting = one
                .running
                .iter()
                .filter(|(_, seen)| *seen != Some(self.tick));
            let mut steps: Vec<usize> = waiting.map(|(step, _)| step.step).collect();
            // A reason to plan waits for no other uninterruptible step.
            let waits = one.pending.is_some();
            let startable = self.startable(number, followed, &plan).into_iter();
            steps.extend(startable.filter(|step| {
                let task = tree::task_of_step(self.domain, &plan, *step);
                !(waits && self.domain.primitive(task.task).uninterruptible)
            }));
            let Some(step) = steps.into_iter().min() else {
                return;
            };
            if self.carry_on(number, followed, step) {
                return;
            }
        }
    }

    /// Gives a step its turn. Returns `true` if it fails, and the plan with it.
    fn carry_on(&mut self, number: usize, followed: usize, step: usize) -> bool {
        let plan = self.record.plan(followed).clone();
        let running = &mut self.cast[number].running;
        let begun = running.iter().position(|(other, _)| other.step == step);
        let begun = begun.map(|at| running.remove(at).0);
        let current = self.go_on(number, &plan, (followed, step), begun);
        let tick = self.tick;
        let one = &mut self.cast[number];
        match current.state {
            TaskState::Complete => {
                one.complete.insert(step);
                one.needs_background = false;
                self.record.steps.push(current);
                let ended = self.end_background(number, followed, false);
                if let Some(why) = self.missed_goal(number, followed, &plan, step) {
                    let mut current = self.record.steps.pop().expect("it was just added");
                    (current.state, current.why) = (TaskState::Failed, Some(why));
                    self.cast[number].complete.remove(&step);
                    self.fail(number, followed, &plan, current, ended);
                    return true;
                }
                self.end_tasks(number, followed, step, None);
                self.count_completion(number, followed, step);
                self.record.steps.extend(ended);
                false
            }
            TaskState::Failed => {
                self.fail(number, followed, &plan, current, vec![]);
                true
            }
            _ => {
                one.running.push((current, Some(tick)));
                one.running.sort_by_key(|(step, _)| step.step);
                false
            }
        }
    }

    /// Returns the lowest task whose last step was just completed while its goal is false.
    fn missed_goal(&self, number: usize, followed: usize, plan: &Plan, step: usize) -> Option<Why> {
        let believed = self.cast[number].knowledge.believed(&self.world);
        let open = self.work_left(number, followed);
        let links = self.links(number, followed, plan.steps[step].node);
        for link in links.iter().rev() {
            if is_open(link, &open) {
                return None;
            }
            let goal = self.domain.compound(link.task.task).goal.as_ref();
            let env = self.domain.env(number, link.task);
            let goal: Vec<_> = goal.cloned().into_iter().collect();
            if let Some(goal) = believed.broken(&goal, &env) {
                return Some(Why::MissedGoal(self.domain.text(link.task), goal));
            }
        }
        None
    }

    /// Ends a step that fails, after steps in the background that have ended with it.
    fn fail(
        &mut self,
        number: usize,
        followed: usize,
        plan: &Plan,
        mut step: Step,
        ended: Vec<Step>,
    ) {
        let tick = self.tick;
        let task = tree::task_of_step(self.domain, plan, step.step);
        let links = self.links(number, followed, plan.steps[step.step].node);
        let above = |depth: usize| {
            // The node above it, or its own.
            let from_root = links.iter().take(depth.max(1));
            from_root.rev().map(|link| link.id).collect()
        };
        let limited = self.limited(number, plan, &step);
        // The task at a depth, if it has begun; otherwise it is open as a whole.
        let begun = |depth: usize| {
            let Some(own) = links.get(depth) else {
                return vec![];
            };
            let is_below = |done: &usize| {
                let below = self.links(number, followed, plan.steps[*done].node);
                below.iter().any(|link| link.id == own.id)
            };
            let complete = &self.cast[number].complete;
            match own.first.is_some() || complete.iter().any(is_below) {
                true => above(depth + 1),
                false => vec![],
            }
        };
        // What remains of a repetition goes on.
        let failed_at = |depth: usize| match &limited[depth].options {
            Some(options) if options.repeat > 1 => begun(depth),
            _ => above(depth),
        };
        let broken = match &step.why {
            Some(Why::Timeout(..)) => {
                let timed_out = self.timed_out(number, plan, &step);
                failed_at(timed_out.expect("it has timed out").0)
            }
            Some(Why::Integrity(of, _)) => {
                let mut tasks = links.iter().map(|link| link.task).chain([task]).rev();
                let up = tasks.position(|task| *of == self.domain.text(task));
                failed_at(links.len() - up.expect("it is one of them"))
            }
            Some(Why::MissedGoal(of, _)) => {
                let mut tasks = links.iter();
                let at = tasks.rposition(|link| *of == self.domain.text(link.task));
                begun(at.expect("it is one of them"))
            }
            _ => vec![],
        };
        let broken = match self.count_failure(number, plan, &mut step) {
            Some(depth) => above(depth),
            None => broken,
        };
        self.end_tasks(number, followed, step.step, step.why.as_ref());
        for (beside, _) in self.cast[number].running.clone() {
            let why = Some(&Why::ParallelFailure);
            self.end_tasks(number, followed, beside.step, why);
        }
        let one = &mut self.cast[number];
        one.failed += 1;
        one.pending = None;
        let is_unforeseen = match step.why {
            Some(Why::Effects | Why::Denied(_) | Why::Forestalled(_)) => true,
            Some(Why::Action) => self.domain.pursues(number).is_some(),
            _ => false,
        };
        let cause = Cause::Failure(self.record.steps.len());
        let failed = step.step;
        self.record.steps.push(step);
        self.record.steps.extend(ended);
        for (mut beside, _) in std::mem::take(&mut one.running) {
            beside.state = TaskState::Failed;
            beside.end = Some(tick);
            beside.why = Some(Why::ParallelFailure);
            self.record.steps.push(beside);
        }
        self.end_background(number, followed, true);
        let one = &mut self.cast[number];
        if is_unforeseen {
            one.excluded.retain(|(other, _)| *other != task);
            one.excluded.push((task, None));
            self.record.excluded += 1;
        }
        self.give_up(number, (followed, plan), broken, Some(failed));
        let one = &mut self.cast[number];
        let wait = self.domain.agent(number).map_or(Some(1), |a| a.failure);
        one.knowledge.noticed.clear();
        one.activity = match wait {
            Some(wait) => Activity::HasToPlan(tick + wait, cause),
            None => Activity::Recovers,
        };
    }

    /// Returns the steps that can start.
    pub fn startable(&self, number: usize, followed: usize, plan: &Plan) -> Vec<usize> {
        let one = &self.cast[number];
        let is_running = |step: usize| one.running.iter().any(|(other, _)| other.step == step);
        let executor = |step: usize| {
            let task = tree::task_of_step(self.domain, plan, step);
            &self.domain.primitive(task.task).executor
        };
        let all = 0..plan.steps.len();
        let is_alone = all.clone().all(|step| executor(step) == executor(0));
        let open = all.filter(|step| !one.complete.contains(step));
        let open: Vec<usize> = open.collect();
        let startable = open.iter().enumerate().filter(|(at, step)| {
            let mut before = open[..*at].iter();
            !is_running(**step)
                && !before.any(|other| {
                    is_alone
                        || executor(*other) == executor(**step)
                        || self.must_wait(number, followed, plan, (*other, **step))
                })
        });
        startable.map(|(_, step)| *step).collect()
    }

    /// Handles the end of a character's plan.
    fn come_to_its_end(&mut self, number: usize, followed: usize) {
        let plan = self.record.plan(followed).clone();
        self.end_tasks_without_steps(number, followed);
        let mut left = match plan.target {
            Some(_) => vec![],
            None => self.left(number, followed),
        };
        let target = plan.target.as_ref();
        let is_whole = target.is_some_and(|target| target.remaining_estimate.is_none());
        if is_whole && tree::goal(self.domain, &plan).is_some() {
            self.pursue(number, None);
        }
        let one = &mut self.cast[number];
        let (_, own) = Self::parted(&left);
        if let Some(first) = own.first().map(|first| first.root) {
            one.tasks.drain(..first);
            left.iter_mut()
                .for_each(|left| left.root = left.root.saturating_sub(first));
            one.activity = Activity::GoesOn(alike::collapsed(self.domain, left));
        } else if plan
            .target
            .as_ref()
            .is_some_and(|target| target.goal.is_some())
        {
            one.activity = Activity::HasToPlan(self.tick + 1, Cause::Onward);
        } else {
            self.complete(number);
        }
    }

    /// Handles the completion of a character's tasks.
    fn complete(&mut self, number: usize) {
        let one = &mut self.cast[number];
        one.failed = 0;
        one.open = Open::default();
        if self.domain.pursues(number).is_some() {
            one.activity = Activity::Content;
            one.excluded_goals.clear();
            return;
        }
        if self.domain.begins_again(number) {
            one.tasks = self.domain.tasks_of(number).to_vec();
            one.activity = Activity::HasToPlan(self.tick + 1, Cause::Again);
            return;
        }
        one.activity = Activity::Done;
        let mut all = self.cast.iter();
        if all.all(|one| matches!(one.activity, Activity::Done)) {
            self.record.end = self.finish();
        }
    }

    /// Returns the end of a run in which all tasks are complete; `None` if they are not.
    pub fn finish(&self) -> Option<End> {
        self.finish_among(|_| true)
    }

    /// Returns the end of a run in which nothing more happens: nothing is expected of characters
    /// that are absent.
    pub fn finish_among_present(&self) -> Option<End> {
        self.finish_among(|one| !self.is_absent(one))
    }

    /// Returns `true` if a character is absent in the world.
    pub fn is_absent(&self, one: &Character) -> bool {
        let absences = &self.domain.cast[one.number].absences;
        absences.iter().any(|atom| self.world.value(*atom) == 1.0)
    }

    fn finish_among(&self, is_counted: impl Fn(&Character) -> bool) -> Option<End> {
        let is_complete =
            |activity: &Activity| matches!(activity, Activity::Done | Activity::Content);
        let mut all = self.cast.iter().filter(|one| is_counted(one));
        all.all(|one| is_complete(&one.activity)).then(|| {
            let missed = self.cast.iter().find_map(|one| {
                let goal = self.domain.goal(one.number)?;
                let actual = one.knowledge.actual(&self.world);
                let env = self.domain.env_of(one.number);
                actual.broken(std::slice::from_ref(goal), &env)
            });
            missed.map_or(End::Complete, End::GoalMissed)
        })
    }

    /// Returns `true` if the scenario makes an action that is over fail.
    fn fails(&mut self, number: usize, task: Ground) -> bool {
        let mut fails = false;
        for (at, failure) in self.domain.failures.iter().enumerate() {
            let args = failure.args.as_ref();
            if failure.task != task.task
                || args.is_some_and(|args| !task.args().eq(args.iter().copied()))
            {
                continue;
            }
            let count = &mut self.cast[number].over[at];
            *count += 1;
            let is_time = failure.time.is_none_or(|time| time == *count);
            let decision = format!("failure {at} {number} {} {count}", self.tick);
            let seed = seed(u64::from(self.domain.seed), "failures");
            let is_unlucky = failure
                .chance
                .is_none_or(|chance| draw(seed, &decision) < chance);
            fails |= is_time && is_unlucky;
        }
        fails
    }

    /// Returns a step's result at this tick.
    fn go_on(
        &mut self,
        number: usize,
        plan: &Plan,
        (followed, step): (usize, usize),
        begun: Option<Step>,
    ) -> Step {
        let tick = self.tick;
        let node = plan.steps[step].node;
        let own = tree::task(self.domain, plan, node);
        let task = self.domain.primitive(own.task);
        let env = &self.domain.env(number, own);
        let believed = self.cast[number].knowledge.believed(&self.world);
        let actual = self.cast[number].knowledge.actual(&self.world);
        let starts = begun.is_none();
        let mut current = begun.unwrap_or_else(|| {
            let ticks = goals::duration(task, &actual, env);
            Step {
                plan: followed,
                step,
                start: tick,
                due: tick + ticks,
                acted: None,
                end: None,
                state: TaskState::InProgress,
                claims: vec![],
                gave_up: vec![],
                why: None,
            }
        });
        let why = 'fails: {
            if starts {
                // A step that fails before it starts takes no time.
                let due = std::mem::replace(&mut current.due, tick);
                let pre = &self.domain.tasks[own.task].pre;
                if let Some(rule) = believed.broken(pre, env) {
                    break 'fails Some(Why::Precondition(rule));
                }
                if let Some(rule) = actual.first_broken(pre, env) {
                    self.learn_denied(number, &actual, rule, env);
                    let rule = actual.broken(pre, env);
                    break 'fails rule.map(Why::Denied);
                }
                let claims = claims::claims(self.domain, own.task, &believed, env);
                if let Some(why) = claims::refusal(self.domain, &claims, &self.cast[number].claimed)
                {
                    break 'fails Some(Why::Claimed(why));
                }
                current.claims = claims;
                current.due = due;
            }
            let mut above = self.links(number, followed, node);
            let above: Vec<_> = std::iter::once(own)
                .chain(above.drain(..).rev().map(|link| link.task))
                .collect();
            for of in above {
                let rules = &self.domain.tasks[of.task].integrity;
                if let Some(rule) = believed.broken(rules, &self.domain.env(number, of)) {
                    break 'fails Some(Why::Integrity(self.domain.text(of), rule));
                }
            }
            if let Some((depth, ticks)) = self.timed_out(number, plan, &current) {
                let of = self.limited(number, plan, &current)[depth].task;
                break 'fails Some(Why::Timeout(self.domain.text(of), ticks));
            }
            if current.acted.is_none() && tick >= current.due {
                if self.fails(number, own) {
                    break 'fails Some(Why::Action);
                }
                if let Some(rule) = self.forestalled(number, &self.domain.tasks[own.task].pre, env)
                {
                    self.learn_denied(number, &actual, rule, env);
                    let rules = std::slice::from_ref(rule);
                    break 'fails actual.broken(rules, env).map(Why::Forestalled);
                }
                let effects = task.effects.iter().map(|one| &one.effect);
                let Some(writes) = actual.writes(effects, env) else {
                    break 'fails Some(Why::Effects);
                };
                self.write(Some(number), &writes);
                current.acted = Some(tick);
            }
            None
        };
        let believed = self.cast[number].knowledge.believed(&self.world);
        if why.is_some() {
            current.state = TaskState::Failed;
            current.end = Some(tick);
            current.why = why;
        } else if current.acted.is_none() {
            current.why = Some(Why::Duration);
        } else if let Some(rule) = believed.broken(&task.done, env) {
            current.why = Some(Why::Completion(rule));
        } else {
            current.state = TaskState::Complete;
            current.end = Some(tick);
            current.why = None;
        }
        current
    }

    /// Returns the first precondition that is false because of what others have changed at this tick.
    fn forestalled<'f>(
        &self,
        number: usize,
        rules: &'f [Formula],
        env: &Env,
    ) -> Option<&'f Formula> {
        let mut before = self.world.clone();
        let others = self.acts.iter().filter(|(who, ..)| *who != number);
        for (_, atom, value) in others.rev() {
            before.set(*atom, *value);
        }
        let now = self.cast[number].knowledge.actual(&self.world);
        let before = self.cast[number].knowledge.actual(&before);
        let mut rules = rules.iter();
        rules.find(|rule| !now.holds(rule, env) && before.holds(rule, env))
    }

    /// Lets a character learn that a precondition is false, and the true values where it sees them.
    fn learn_denied(&mut self, number: usize, actual: &State, rule: &Formula, env: &Env) {
        let tick = self.tick;
        let believed = self.cast[number].knowledge.believed(&self.world);
        let names = &self.domain.names;
        let is_predicate = |atom| names.fact_of(atom).kind == Kind::Bool;
        for atom in actual.read_in_broken(rule, env) {
            let knowledge = &mut self.cast[number].knowledge;
            let value = match atom {
                _ if knowledge.perceives(&self.world, atom) => actual.value(atom),
                _ if is_predicate(atom) => actual.value(atom),
                _ => 0.0,
            };
            if believed.value(atom) != actual.value(atom) {
                knowledge.believe(atom, value, (tick, false));
            }
        }
        let one = &mut self.cast[number];
        let now = one.knowledge.believed(&self.world);
        let learned: Vec<Atom> = believed
            .changes_to(&now)
            .iter()
            .map(|change| change.0)
            .collect();
        failures::clear_excluded(self.domain, one, &learned);
        if now != believed {
            one.has_changes = true;
            self.changed_at = tick;
        }
    }
}
