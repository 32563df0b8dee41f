//! The options of Task blocks during a run.

use taskloom_planner::plan::Plan;

use super::interpreter::Run;
use super::model::{Domain, Object, Options, PRIMITIVES};
use super::record::Step;
use super::tree;

/// A task with the options of its block, and its start.
#[derive(Debug, Clone, Copy)]
pub struct Limited {
    pub task: (usize, Object),
    pub options: Option<Options>,
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
                let block = link.block.as_ref()?.to_string();
                Some(options(self.domain, tasks[at].0, &block))
            }),
            // This step may be the first one.
            start: Some(link.start.map_or(step.start, |start| start.min(step.start))),
        });
        let mut all: Vec<Limited> = above.collect();
        let block = match plan.nodes[node].parent {
            Some(_) => plan.nodes[node].block.clone(),
            // A task that was open before this plan was made.
            None => {
                let place = plan.roots.iter().position(|root| *root == node);
                let within = place.and_then(|place| self.cast[number].within.get(place));
                within.and_then(|within| within.block.clone())
            }
        };
        all.push(Limited {
            task: tree::task(plan, node),
            options: block
                .and_then(|block| Some(options(self.domain, tasks.last()?.0, &block.to_string()))),
            start: Some(step.start),
        });
        all
    }

    /// Returns the depth of the lowest task above a step, or of its own, that has timed out, and its
    /// timeout.
    pub fn timed_out(&self, number: usize, plan: &Plan, step: &Step) -> Option<(usize, u32)> {
        let limited = self.limited(number, plan, step);
        let mut upwards = limited.iter().enumerate().rev();
        upwards.find_map(|(depth, one)| {
            let ticks = one.options?.timeout?;
            (self.tick >= one.start? + ticks).then_some((depth, ticks))
        })
    }
}

/// Returns the options of a block of a compound task's method.
fn options(domain: &Domain, compound: usize, block: &str) -> Options {
    let call: usize = block[1..].parse().expect("the number of a call");
    domain.compounds[compound - PRIMITIVES].options[call]
}
