//! Decides which steps of different executors wait for each other.

use taskloom_planner::plan::Plan;

use super::domain::Domain;
use super::goals;
use super::interpreter::Run;
use super::method::Content;
use super::names::Object;
use super::touch::{Bound, Touch, Touches, meet, read, touched};
use super::tree;

impl Run<'_> {
    /// Returns `true` if a step has to wait for an earlier one in the plan.
    pub fn must_wait(
        &self,
        number: usize,
        followed: usize,
        plan: &Plan,
        (before, step): (usize, usize),
    ) -> bool {
        let is_drawn = plan.target.is_none() || goals::is_served(plan);
        if is_drawn && is_ordered(plan, before, step) {
            return true;
        }
        let me = self.domain.me(number);
        let of = |step: usize| {
            let node = plan.steps[step].node;
            let task = tree::task(self.domain, plan, node);
            let (mut reads, changes) = touched(self.domain, me, task);
            for link in self.links(number, followed, node) {
                let bound = Bound::of(self.domain, me, link.task);
                let rules = &self.domain.tasks[link.task.task].integrity;
                reads.extend(read(self.domain, rules, &bound));
            }
            (reads, changes)
        };
        let ((reads_before, changes_before), (reads, changes)) = (of(before), of(step));
        meet(&changes_before, &changes)
            || meet(&changes_before, &reads)
            || meet(&changes, &reads_before)
            || tree::ancestors(plan, plan.steps[step].node)
                .into_iter()
                .any(|node| {
                    let decomposed = plan.nodes[node].decomposed();
                    decomposed.is_some_and(|one| before < one.at)
                        && meet(&changes_before, &chosen(self.domain, plan, node, me))
                })
    }
}

/// Returns `true` if a plan orders two steps.
fn is_ordered(plan: &Plan, before: usize, step: usize) -> bool {
    let mut after = plan.steps[step].after.iter();
    after.any(|other| *other == before || is_ordered(plan, before, *other))
}

/// Returns the facts that selected a node's resolution.
pub fn chosen(domain: &Domain, plan: &Plan, node: usize, me: Option<Object>) -> Vec<Touch> {
    let Some(decomposed) = plan.nodes[node].decomposed() else {
        return vec![];
    };
    let task = tree::task(domain, plan, node);
    let (of_task, compound) = (&domain.tasks[task.task], domain.compound(task.task));
    let mut bound = Bound::of(domain, me, task);
    let conditions = of_task.pre.iter().chain(&compound.goal);
    let mut reads = Touches::new(domain);
    conditions.for_each(|one| reads.formula(one, &bound));
    if decomposed.blocks.is_empty() {
        return reads.all;
    }
    let resolution = compound.method.taken(domain, decomposed);
    let found = tree::found(domain, decomposed).into_iter();
    bound
        .variables
        .extend(found.map(|(name, object)| (name, Some(object))));
    for place in compound.method.blocks_of(&resolution) {
        let block = &compound.method.blocks[place];
        block
            .condition()
            .into_iter()
            .for_each(|one| reads.formula(one, &bound));
        block.numbers().for_each(|one| reads.number(one, &bound));
        if let Content::Task(call, _) = &block.content {
            reads.terms(&call.args, &bound);
        }
    }
    reads.all
}
