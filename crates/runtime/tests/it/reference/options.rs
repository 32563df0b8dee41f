//! The options of Task blocks during a run.

use taskloom_document::BlockId;
use taskloom_planner::plan::Plan;

use super::cooldowns::is_open;
use super::domain::{Domain, Options};
use super::interpreter::Run;
use super::names::Ground;
use super::record::{Step, Why};
use super::tree::{self, Link};

/// A compound task, a block of its method, and the task of the block.
pub type Key = (usize, BlockId, Ground);

/// A task with the options of its block, and its start.
#[derive(Debug, Clone)]
pub struct Limited {
    pub task: Ground,
    pub options: Option<Options>,
    /// Identifies the task and its block.
    pub key: Option<Key>,
    pub start: Option<u32>,
}

impl Run<'_> {
    /// Returns the tasks above a step of a character's plan, the root first, and finally its own.
    pub fn limited(&self, number: usize, plan: &Plan, step: &Step) -> Vec<Limited> {
        let node = plan.steps[step.step].node;
        let links = self.links(number, step.plan, node);
        let tasks: Vec<_> = links.iter().map(|link| link.task).collect();
        let above = links.iter().enumerate().map(|(at, link)| Limited {
            task: link.task,
            options: at.checked_sub(1).and_then(|at| {
                let block = link.block.as_ref()?;
                Some(options(self.domain, tasks[at], block))
            }),
            key: key_of(&links, at),
            // This step may be the first one.
            start: Some(link.start.map_or(step.start, |start| start.min(step.start))),
        });
        let mut all: Vec<Limited> = above.collect();
        let own = tree::task(self.domain, plan, node);
        let block = self.block_of(number, plan, node);
        let parent = tasks.last().copied();
        all.push(Limited {
            task: own,
            options: parent
                .zip(block.as_ref())
                .map(|(parent, block)| options(self.domain, parent, block)),
            key: parent
                .zip(block)
                .map(|(parent, block)| (parent.task, block, own)),
            start: Some(step.start),
        });
        all
    }

    /// Counts a step's failure for its task and those above it, or for those from the lowest one on that has
    /// failed itself. Returns the depth of the highest one that is given up.
    pub fn count_failure(&mut self, number: usize, plan: &Plan, step: &mut Step) -> Option<usize> {
        let limited = self.limited(number, plan, step);
        let lowest = match step.why.as_ref()? {
            Why::Timeout(..) => self.timed_out(number, plan, step)?.0,
            Why::Integrity(of, _) | Why::MissedGoal(of, _) => {
                let mut tasks = limited.iter();
                tasks.rposition(|one| *of == self.domain.text(one.task))?
            }
            Why::Denied(_) | Why::Forestalled(_) | Why::Effects | Why::Action => limited.len() - 1,
            _ => return None,
        };
        let mut highest = None;
        for depth in (0..=lowest).rev() {
            let one = &limited[depth];
            let limit = one.options.as_ref().and_then(|options| options.retry);
            let (Some(limit), Some(key)) = (limit, one.key.clone()) else {
                continue;
            };
            let character = &mut self.cast[number];
            let failed = character.attempts.entry(key.clone()).or_default();
            *failed += 1;
            if *failed > limit {
                character.attempts.remove(&key);
                character.given_up.retain(|other| *other != one.task);
                character.given_up.push(one.task);
                self.record.gave_up += 1;
                step.gave_up.push(self.domain.text(one.task));
                highest = Some(depth);
            }
        }
        highest
    }

    /// Forgets the failures of the tasks that are complete with the step that has just ended.
    pub fn count_completion(&mut self, number: usize, followed: usize, step: usize) {
        let plan = self.record.plan(followed).clone();
        let node = plan.steps[step].node;
        let ended = self.record.steps.last().expect("it has just ended").clone();
        let links = self.links(number, followed, node);
        let open = self.work_left(number, followed);
        for (depth, one) in self.limited(number, &plan, &ended).into_iter().enumerate() {
            let is_complete = links.get(depth).is_none_or(|link| !is_open(link, &open));
            if let Some(key) = one.key.filter(|_| is_complete) {
                self.cast[number].attempts.remove(&key);
            }
        }
    }

    /// Returns the depth of the lowest task above a step, or of its own, that has timed out, and its
    /// timeout.
    pub fn timed_out(&self, number: usize, plan: &Plan, step: &Step) -> Option<(usize, u32)> {
        let limited = self.limited(number, plan, step);
        let mut upwards = limited.iter().enumerate().rev();
        upwards.find_map(|(depth, one)| {
            let ticks = one.options.as_ref()?.timeout?;
            (self.tick > one.start? + ticks).then_some((depth, ticks))
        })
    }
}

/// Returns the key of one of the compound tasks above a step.
pub fn key_of(links: &[Link], at: usize) -> Option<Key> {
    let (parent, link) = (&links[at.checked_sub(1)?], &links[at]);
    Some((parent.task.task, link.block.clone()?, link.task))
}

/// Returns the options of a block of a compound task's method.
pub fn options(domain: &Domain, compound: Ground, block: &BlockId) -> Options {
    domain.compound(compound.task).method.options(block).clone()
}
