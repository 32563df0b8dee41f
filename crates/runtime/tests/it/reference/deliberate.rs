//! A character's planning at its turn, and its choice of a plan.

use std::collections::VecDeque;

use taskloom_planner::plan::{NodeKind, Outcome, Plan};
use taskloom_runtime::TaskState;

use super::chance::seed;
use super::depends::depends;
use super::goals::{self, done};
use super::interpreter::{Activity, Run};
use super::open::{Left, Network, Open};
use super::record::{Asked, Cause, Planned, Why};
use super::state::State;
use super::{cooldowns, goal_selection, tree};

/// The progress of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Remains {
    All,
    Effects(u32),
    Nothing,
}

/// The reason for looking for a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Purpose {
    First,
    Repair,
    /// Its plan has this cost, its goal has this value, and another goal's must be higher by this
    /// margin.
    Improve(f64, Option<f64>, f64),
}

impl Run<'_> {
    /// Plans, for a reason.
    pub fn plan(&mut self, number: usize, cause: Cause, plan: &mut dyn FnMut(Asked) -> Outcome) {
        let tick = self.tick;
        let believed = self.cast[number].knowledge.believed(&self.world);
        let (purpose, mut networks) = self.purpose(number, cause, &believed);
        let pursues = self.domain.pursues(number);
        let has_failed = !self.cast[number].excluded.is_empty();
        if !matches!(purpose, Purpose::Improve(..)) && has_failed && pursues.is_none() {
            let again = networks.clone().into_iter();
            networks.extend(again.map(|network| Network {
                excludes: false,
                ..network
            }));
        }
        let mut networks = VecDeque::from(networks);
        let one = &mut self.cast[number];
        if !matches!(one.activity, Activity::Follows(_)) {
            one.excluded_goals.retain(|excluded| !excluded.is_stale);
        }
        let (drawn_at, steps_before) = match (&one.activity, one.last) {
            (Activity::GoesOn(_), Some(last)) => {
                let steps = self.record.plan(last).steps.len();
                (one.drawn.0, one.drawn.1 + steps)
            }
            _ => (tick, 0),
        };
        let part = format!("plan {number} {drawn_at}");
        let goal_values = self.goal_values(number, &believed);
        // Only the goal that it is committed to is improved.
        let is_committed = goal_selection::is_committed(&self.cast[number]);
        let only = match (&self.cast[number].activity, purpose) {
            (Activity::Follows(followed), Purpose::Improve(..)) if is_committed => {
                tree::goal(self.domain, self.record.plan(*followed))
            }
            _ => None,
        };
        let mut last = (None, Outcome::NoPlan);
        let mut follows = false;
        while let Some(mut network) = networks.pop_front() {
            let one = &mut self.cast[number];
            if let Some(pursuit) = pursues.filter(|_| network.excludes) {
                let until = tick + pursuit.retry;
                one.excluded
                    .iter_mut()
                    .for_each(|failed| _ = failed.1.get_or_insert(until));
            }
            let excluded: Vec<_> = one.excluded.iter().map(|failed| failed.0).collect();
            let mut outcome = plan(Asked {
                character: number,
                tick,
                believed: &believed,
                tasks: &network.tasks,
                cleanups: Self::parted(&network.within).0.len(),
                // A reactive actor does a task in the background in its turn.
                order: match self.domain.is_reactive(number) {
                    true => None,
                    false => network.order(self.domain),
                },
                seed: seed(u64::from(self.domain.seed), &part),
                steps_before,
                excluded_goals: goal_selection::excluded(&goal_values, one, only),
                excluded: match network.excludes {
                    true => [excluded, one.given_up.clone()].concat(),
                    false => one.given_up.clone(),
                },
                cooling: cooldowns::remaining(&one.cooling, tick),
                cooling_goals: cooldowns::remaining(&one.cooling_goals, tick),
                claimed: &one.claimed,
            });
            follows = match (&outcome, purpose) {
                (Outcome::Plan(new), Purpose::Improve(..)) => {
                    self.is_better(number, purpose, &network, new, &goal_values, &believed)
                }
                (Outcome::Plan(new), _) => {
                    let continues = matches!(self.cast[number].activity, Activity::GoesOn(_));
                    let (cleanups, _) = Self::parted(&network.within);
                    let first = tree::first_step(self.domain, new, cleanups.len());
                    let again = network.again_after.filter(|_| continues);
                    again.is_none() || first != again
                }
                _ => false,
            };
            if !follows && matches!((&outcome, purpose), (Outcome::Plan(_), Purpose::First)) {
                outcome = Outcome::NoPlan;
            }
            if follows && !network.keeps.is_empty() {
                follows = self.keeps(number, &network, &outcome);
                self.record.kept_tasks += usize::from(follows);
                let otherwise = network.otherwise.take().filter(|_| !follows);
                otherwise
                    .into_iter()
                    .for_each(|next| networks.push_front(*next));
            }
            last = (Some(network), outcome);
            if follows {
                break;
            }
        }
        let (network, outcome) = last;
        let one = &mut self.cast[number];
        one.knowledge.noticed.clear();
        if network.is_some() {
            goal_selection::exclude(self.domain, one, (&outcome, only), &goal_values, tick);
        }
        if matches!(purpose, Purpose::Improve(..)) && !follows {
            self.record.kept += 1;
            return;
        }
        if cause == Cause::Onward {
            let again = network.as_ref().and_then(|network| network.again_after);
            let is_again = follows && again.is_some();
            one.failed = if is_again { one.failed + 1 } else { 0 };
            self.record.begun_again += usize::from(is_again);
        }
        if let (Outcome::Plan(plan), Some(network)) = (&outcome, &network) {
            let goes_on = match cause {
                Cause::Onward => network.again_after.is_none(),
                cause => matches!(cause, Cause::Start | Cause::Again),
            };
            let mut beliefs = believed.clone();
            if !self.domain.has_clock {
                beliefs.time = 0;
            }
            let steps = 0..plan.steps.len();
            let steps = steps.map(|step| tree::task_of_step(self.domain, plan, step));
            let made = Some((steps.collect(), beliefs, one.claimed.clone()));
            one.times = match one.repeated == made && !goes_on {
                true => one.times + 1,
                false => 1,
            };
            one.repeated = made;
        }
        one.drawn = (drawn_at, steps_before);
        let new = self.record.plans.len();
        self.record.plans.push(Planned {
            character: number,
            tick,
            cause,
            goal_values,
            outcome: outcome.clone(),
            above: match (&outcome, &network) {
                (Outcome::Plan(plan), Some(network)) => {
                    let mut within = network.within.iter();
                    let above = plan.roots.iter().map(|_| match within.next() {
                        Some(left) => left.above.iter().map(|link| link.task).collect(),
                        None => vec![],
                    });
                    above.collect()
                }
                _ => vec![],
            },
            aborts: match (&outcome, &network) {
                (Outcome::Plan(_), Some(network)) => network.aborts.clone(),
                _ => vec![],
            },
        });
        match (&outcome, network) {
            (Outcome::Plan(plan), Some(network)) => {
                self.follow_new(number, (new, plan), network, &believed);
            }
            _ if purpose == Purpose::Repair => {
                self.pursue(number, None);
                self.stop(number);
            }
            _ => {
                self.pursue(number, None);
                let one = &mut self.cast[number];
                if let Activity::GoesOn(left) = &one.activity {
                    one.open = Open {
                        left: left.clone(),
                        broken: vec![],
                    };
                }
                one.activity = Activity::Waits;
            }
        }
    }

    /// Returns the reason for looking for a plan, and the searches.
    fn purpose(
        &mut self,
        number: usize,
        cause: Cause,
        believed: &State,
    ) -> (Purpose, Vec<Network>) {
        let one = &self.cast[number];
        match &one.activity {
            Activity::GoesOn(left) => {
                let one_left = left.clone();
                let next = |left: &[Left], is_dropped: bool| {
                    let cleanups = Self::pending(&one_left).into_iter();
                    Network {
                        tasks: left.first().map(|one| one.task).into_iter().collect(),
                        within: left.iter().take(1).cloned().collect(),
                        rest: left.iter().skip(1).cloned().collect(),
                        aborts: cleanups
                            .map(|(task, cleanup)| (task, cleanup, is_dropped))
                            .collect(),
                        ..self.alone(number)
                    }
                };
                let (cleanups, own) = Self::parted(left);
                let dropped = (!cleanups.is_empty()).then(|| next(&own, true));
                let first = (vec![next(left, false)], dropped.into_iter().collect());
                let above = own.first().map_or(0, |first| first.above.len());
                let levels = (0..above).rev().map(Some).collect();
                let networks = self.networks_after(first, number, (left, levels), believed);
                (Purpose::First, networks)
            }
            Activity::Follows(followed) => {
                let followed = *followed;
                let plan = self.record.plan(followed).clone();
                let mut open_now = Open {
                    left: match plan.target {
                        Some(_) => vec![],
                        None => self.left(number, followed),
                    },
                    broken: vec![],
                };
                let done = self.done(number, followed);
                open_now
                    .left
                    .iter_mut()
                    .for_each(|left| left.root -= done.min(left.root));
                let goal_values = self.goal_values(number, believed);
                let goal = tree::goal(self.domain, &plan);
                let goal_value = goal_values
                    .iter()
                    .find(|goal_value| Some(goal_value.goal) == goal)
                    .cloned();
                let is_moot = goal_value
                    .as_ref()
                    .is_some_and(|goal_value| !goal_value.is_active());
                let cost = self
                    .remaining_cost(number, &plan, believed)
                    .filter(|_| !is_moot);
                // The tasks before it are complete, whatever is planned now.
                let tasks = self.cast[number].tasks.clone();
                self.cast[number].tasks.drain(..done);
                let found = match cost {
                    None => {
                        self.record.impossible += 1;
                        (Purpose::Repair, self.networks(number, &open_now, believed))
                    }
                    Some(cost) => {
                        let agent = self.domain.agent(number);
                        let margin = agent.and_then(|agent| agent.margin);
                        let margin = margin.filter(|_| cause != Cause::Retry).unwrap_or(0.0);
                        let value = goal_value.map(|goal_value| goal_value.worth());
                        let networks = match cause {
                            Cause::Background => vec![],
                            _ => self.improvements(number, (followed, &plan), &open_now, believed),
                        };
                        (Purpose::Improve(cost, value, margin), networks)
                    }
                };
                self.cast[number].tasks = tasks;
                found
            }
            _ => {
                let open = one.open.clone();
                (Purpose::First, self.networks(number, &open, believed))
            }
        }
    }

    /// Starts a new plan.
    fn follow_new(
        &mut self,
        number: usize,
        (new, plan): (usize, &Plan),
        network: Network,
        believed: &State,
    ) {
        let tick = self.tick;
        if !network.within.is_empty() {
            self.record.repaired += 1;
        }
        self.record.shortened += usize::from(network.is_shorter);
        let done = match &self.cast[number].activity {
            Activity::Follows(followed) => self.done(number, *followed),
            _ => 0,
        };
        self.pursue(number, tree::goal(self.domain, plan));
        // If the new plan doesn't continue them, the steps in progress end.
        let running = self.cast[number].running.iter();
        let ends = running.map(|(step, _)| {
            let why = Some(&Why::Interrupted);
            self.ended_with(number, step.plan, step.step, why)
        });
        let mut ends: Vec<Vec<usize>> = ends.collect();
        let one = &mut self.cast[number];
        let old = match one.activity {
            Activity::Follows(followed) => Some(self.record.plan(followed)),
            _ => None,
        };
        goal_selection::commit(self.domain, one, old, plan, tick);
        one.tasks.drain(..done.min(one.tasks.len()));
        (one.within, one.rest) = (network.within, network.rest);
        one.open = Open::default();
        one.depends = depends(self.domain, number, plan, believed);
        one.last = Some(new);
        one.complete.clear();
        one.needs_background = false;
        one.ended.clear();
        one.activity = Activity::Follows(new);
        let old = std::mem::take(&mut one.running);
        let mut startable = self.startable(number, new, plan);
        for ((mut step, seen), ended) in old.into_iter().zip(ends.drain(..)) {
            let task = &self.record.plan(step.plan).steps[step.step].task;
            let same = startable
                .iter()
                .position(|one| plan.steps[*one].task == *task);
            if let Some(same) = same {
                (step.plan, step.step) = (new, startable.remove(same));
                self.cast[number].running.push((step, seen));
                self.record.continued += 1;
            } else {
                step.state = TaskState::Failed;
                step.end = Some(tick);
                step.why = Some(Why::Interrupted);
                self.record.interrupted += 1;
                self.record.steps.push(step);
                self.cool_down(number, &ended);
            }
        }
        self.cast[number].running.sort_by_key(|(step, _)| step.step);
    }

    /// Stops a plan that is no longer possible.
    fn stop(&mut self, number: usize) {
        let Activity::Follows(followed) = self.cast[number].activity else {
            return;
        };
        let plan = self.record.plan(followed).clone();
        self.record.stopped += 1;
        for (step, _) in self.cast[number].running.clone() {
            self.end_tasks(number, followed, step.step, Some(&Why::Impossible));
        }
        for (mut step, _) in std::mem::take(&mut self.cast[number].running) {
            step.state = TaskState::Failed;
            step.end = Some(self.tick);
            step.why = Some(Why::Impossible);
            self.record.steps.push(step);
        }
        self.give_up(number, (followed, &plan), vec![], None);
        self.cast[number].activity = Activity::Waits;
    }

    /// Stores the open tasks of an abandoned plan, of which this step has failed.
    pub fn give_up(
        &mut self,
        number: usize,
        (followed, plan): (usize, &Plan),
        broken: Vec<(usize, usize)>,
        failed: Option<usize>,
    ) {
        let mut left = match plan.target {
            Some(_) => vec![],
            None => self.left(number, followed),
        };
        let done = self.done(number, followed);
        left.iter_mut()
            .for_each(|one| one.root -= done.min(one.root));
        let mut open = Open { left, broken };
        if let Some(step) = failed {
            self.drop_cleanup(number, plan, step, &mut open);
        }
        let one = &mut self.cast[number];
        one.tasks.drain(..done.min(one.tasks.len()));
        one.open = open;
        (one.within, one.rest) = (vec![], vec![]);
    }

    /// Returns the number of a character's tasks that its plan has completed so far.
    fn done(&self, number: usize, followed: usize) -> usize {
        let plan = self.record.plan(followed);
        if plan.target.is_some() {
            return 0;
        }
        let cleanups = self.cleanups(number);
        let within = self.cast[number].within.len() - cleanups;
        let open = self.open_roots(number, followed);
        let roots = plan.roots.len() - cleanups;
        let all = (roots + usize::from(within > 0)).saturating_sub(within);
        open.first().map_or(all, |(index, _)| *index)
    }

    /// Returns the first step that is not complete.
    pub fn first_open(&self, number: usize, plan: &Plan) -> usize {
        let complete = &self.cast[number].complete;
        (0..=plan.steps.len())
            .find(|step| !complete.contains(step))
            .expect("one behind the last")
    }

    /// Returns the steps in progress or, without any, the next one.
    pub fn steps(&self, number: usize, plan: &Plan) -> Vec<usize> {
        let running: Vec<usize> = self.cast[number]
            .running
            .iter()
            .map(|one| one.0.step)
            .collect();
        if running.is_empty() {
            vec![self.first_open(number, plan)]
        } else {
            running
        }
    }

    /// Returns the cost of the rest of a plan, if it is still possible.
    pub fn remaining_cost(&self, number: usize, plan: &Plan, believed: &State) -> Option<f64> {
        let one = &self.cast[number];
        let remains: Vec<Remains> = (0..plan.steps.len())
            .map(|step| {
                let running = one.running.iter().find(|(other, _)| other.step == step);
                match running {
                    _ if one.complete.contains(&step) => Remains::Nothing,
                    None => Remains::All,
                    Some((step, _)) if step.acted.is_some() => Remains::Nothing,
                    Some((step, _)) => Remains::Effects(step.due.saturating_sub(self.tick)),
                }
            })
            .collect();
        let mut state = believed.clone();
        let mut cost = 0.0;
        for at in 0..=plan.steps.len() {
            for (node, _) in plan.nodes.iter().enumerate() {
                let Some(decomposed) = plan.nodes[node].decomposed().filter(|one| one.at == at)
                else {
                    continue;
                };
                if !is_open(plan, node, at, &remains) {
                    continue;
                }
                let task = tree::task(self.domain, plan, node);
                let method = &self.domain.compound(task.task).method;
                let env = &self.domain.env(number, task);
                let is_possible = match decomposed.blocks.is_empty() {
                    true => {
                        let found = decomposed.children.iter();
                        let found = found.map(|child| tree::task(self.domain, plan, *child));
                        let of = (number, &one.claimed);
                        goals::achieves(self.domain, of, &state, task, &Vec::from_iter(found))
                    }
                    false => {
                        let taken = method.taken(self.domain, decomposed);
                        !goals::is_achieved(self.domain, number, &state, task)
                            && method.is_possible(&taken, &state, env)
                    }
                };
                let pre = &self.domain.tasks[task.task].pre;
                let holds = is_possible && state.first_broken(pre, env).is_none();
                if !holds {
                    return None;
                }
            }
            let Some(remains) = remains.get(at) else {
                break;
            };
            let task = tree::task_of_step(self.domain, plan, at);
            let primitive = self.domain.primitive(task.task);
            let ticks = match remains {
                Remains::Nothing => continue,
                Remains::Effects(ticks) => *ticks,
                Remains::All if self.domain.has_clock => {
                    goals::duration(primitive, &state, &self.domain.env(number, task))
                }
                Remains::All => 0,
            };
            let now = state.time;
            let (after, costs) = if *remains == Remains::All {
                done(self.domain, (number, &one.claimed), &state, task)?
            } else {
                goals::apply(self.domain, number, &state, task)?
            };
            (state, cost) = (after, cost + costs);
            state.time = now + ticks;
        }
        let is_partial = plan
            .target
            .as_ref()
            .is_some_and(|target| target.remaining_estimate.is_some());
        if is_partial || self.domain.is_reactive(number) && plan.target.is_none() {
            return Some(cost);
        }
        let condition = match tree::goal(self.domain, plan) {
            Some(goal) => Some(&self.domain.goals[goal].condition),
            None => self.domain.goal(number),
        };
        let env = self.domain.env_of(number);
        condition
            .is_none_or(|one| state.holds(one, &env))
            .then_some(cost)
    }
}

/// Returns `true` if a node is decomposed only when its turn comes.
fn is_open(plan: &Plan, node: usize, at: usize, remains: &[Remains]) -> bool {
    fn steps(plan: &Plan, node: usize) -> Vec<usize> {
        match &plan.nodes[node].kind {
            NodeKind::Step(step) => vec![*step],
            NodeKind::Pending => vec![],
            NodeKind::Decomposed(decomposed) => {
                let children = decomposed.children.iter();
                children.flat_map(|child| steps(plan, *child)).collect()
            }
        }
    }
    let below = steps(plan, node);
    if !below.is_empty() {
        return below.iter().all(|step| remains[*step] == Remains::All);
    }
    remains[at..].iter().all(|one| *one == Remains::All)
}
