//! Tasks and goals that aren't planned for a while after they have ended.

use std::collections::BTreeMap;

use taskloom_planner::plan::{NodeKind, Plan};

use super::interpreter::{Activity, Character, Run};
use super::open::Left;
use super::record::{GoalRecord, Why};
use super::state::State;
use super::tree::Link;
use super::{goals, options, tree};

impl Run<'_> {
    /// Starts the cooldowns of the tasks that end with a step: its own, and those above it that have
    /// failed with it, or of which nothing remains.
    pub fn end_tasks(&mut self, number: usize, followed: usize, step: usize, why: Option<&Why>) {
        let tasks = self.ended_with(number, followed, step, why);
        self.cool_down(number, &tasks);
    }

    /// Returns the tasks that end with a step.
    pub fn ended_with(
        &self,
        number: usize,
        followed: usize,
        step: usize,
        why: Option<&Why>,
    ) -> Vec<usize> {
        // It has not begun.
        if let Some(Why::Precondition(_) | Why::Denied(_) | Why::Claimed(_)) = why {
            return vec![];
        }
        let plan = self.record.plan(followed);
        let node = plan.steps[step].node;
        let open = self.work_left(number, followed);
        let above = self.links(number, followed, node).into_iter();
        let ended = above.filter(|link| why.is_some() || !is_open(link, &open));
        let own = tree::task(self.domain, plan, node);
        ended.map(|link| link.task.task).chain([own.task]).collect()
    }

    /// Starts the cooldowns of tasks under way of which nothing remains, although the plan that is
    /// complete has no step of them.
    pub fn end_tasks_without_steps(&mut self, number: usize, followed: usize) {
        let plan = self.record.plan(followed);
        let open = self.work_left(number, followed);
        let within = self.cast[number].within.iter().zip(&plan.roots);
        let mut done: Vec<(Link, bool)> = vec![];
        for (left, root) in within {
            for link in &left.above {
                let found = done.iter_mut().find(|(other, _)| other.id == link.id);
                match found {
                    Some((_, works)) => *works |= has_work(plan, *root),
                    None => done.push((link.clone(), has_work(plan, *root))),
                }
            }
        }
        let ended = done
            .into_iter()
            .filter(|(link, works)| !works && !is_open(link, &open));
        let ended: Vec<Link> = ended.map(|(link, _)| link).collect();
        let lefts = self.cast[number].within.clone();
        for above in lefts.iter().map(|left| &left.above) {
            for (at, link) in above.iter().enumerate() {
                let is_ended = ended.iter().any(|other| other.id == link.id);
                if let Some(key) = options::key_of(above, at).filter(|_| is_ended) {
                    self.cast[number].attempts.remove(&key);
                }
            }
        }
        let ended: Vec<usize> = ended.iter().map(|link| link.task.task).collect();
        self.cool_down(number, &ended);
    }

    /// Starts the cooldowns of tasks that have ended.
    pub fn cool_down(&mut self, number: usize, tasks: &[usize]) {
        for task in tasks {
            let cooldown = self.domain.tasks[*task].cooldown;
            if cooldown > 0 {
                let until = self.tick + cooldown;
                self.cast[number].cooling.insert(*task, until);
                self.record.cooled_tasks += 1;
            }
        }
    }

    /// Records that a character pursues another goal, or none, from now on. Starts the cooldown of the
    /// goal that it pursued.
    pub fn pursue(&mut self, number: usize, goal: Option<usize>) {
        let tick = self.tick;
        let one = &mut self.cast[number];
        let old = std::mem::replace(&mut one.pursued, goal);
        let Some(old) = old.filter(|old| Some(*old) != goal) else {
            return;
        };
        let cooldown = self.domain.goals[old].cooldown;
        if cooldown > 0 {
            one.cooling_goals.insert(old, tick + cooldown);
            self.record.cooled_goals += 1;
        }
    }

    /// Returns the values of a character's goals.
    pub fn goal_values(&self, number: usize, believed: &State) -> Vec<GoalRecord> {
        let mut goal_values = goals::goal_values(self.domain, number, believed);
        let cooling = remaining(&self.cast[number].cooling_goals, self.tick);
        goals::cool_down(&mut goal_values, &cooling);
        goal_values
    }

    /// Returns the open tasks of a plan, without those that take no step.
    pub fn work_left(&self, number: usize, followed: usize) -> Vec<Left> {
        let plan = self.record.plan(followed);
        let mut left = match plan.target {
            Some(_) if !goals::is_served(plan) => vec![],
            _ => self.left(number, followed),
        };
        left.retain(|one| one.id.0 != followed || has_work(plan, one.id.1));
        left
    }
}

pub fn is_open(link: &Link, open: &[Left]) -> bool {
    let is_above = |left: &Left| left.above.iter().any(|above| above.id == link.id);
    open.iter().any(|left| left.id == link.id || is_above(left))
}

/// Returns `true` if a node has a step, or a task that is not planned yet.
fn has_work(plan: &Plan, node: usize) -> bool {
    match &plan.nodes[node].kind {
        NodeKind::Step(_) | NodeKind::Pending => true,
        NodeKind::Decomposed(decomposed) => {
            let mut children = decomposed.children.iter();
            children.any(|child| has_work(plan, *child))
        }
    }
}

/// Takes the tasks or goals that have cooled down by a tick.
pub fn take_over(cooling: &mut BTreeMap<usize, u32>, tick: u32) -> Vec<usize> {
    let over = cooling.iter().filter(|(_, until)| **until <= tick);
    let over: Vec<usize> = over.map(|(one, _)| *one).collect();
    cooling.retain(|_, until| *until > tick);
    over
}

/// Returns the tasks or goals that are cooling down, with the number of ticks until they have.
pub fn remaining(cooling: &BTreeMap<usize, u32>, tick: u32) -> Vec<(usize, u32)> {
    let remaining = cooling.iter();
    let remaining = remaining.map(|(one, until)| (*one, until.saturating_sub(tick)));
    remaining.filter(|(_, ticks)| *ticks > 0).collect()
}

/// Returns `true` if a task or goal that is cooling down may make an idle character plan.
pub fn may_cool_down(one: &Character) -> bool {
    let has_goals = !one.cooling_goals.is_empty();
    match one.activity {
        Activity::Content => has_goals,
        Activity::Waits | Activity::Recovers => has_goals || !one.cooling.is_empty(),
        _ => false,
    }
}
