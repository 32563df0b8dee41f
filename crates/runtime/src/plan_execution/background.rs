//! Tasks in the background: they end when the main branch of the task above them is complete (semantics,
//! section 5).

use std::mem;

use taskloom_document::stop::Stop;
use taskloom_domain::validate::{Remains, validate_rest};
use taskloom_planner::plan::{NodeKind, World};

use super::PlanExecution;
use super::clocks::ancestors;
use super::cooldowns::{Ended, ended};
use crate::body::Body;
use crate::parallel::relies_on;
use crate::run::{Cause, Reason, StepExecution, TaskState};
use taskloom_document::sort::CompactSort;

/// The result of ending tasks in the background.
#[derive(Debug, Default)]
pub struct EndedBackground {
    /// The steps that were in progress, in the plan's order.
    pub stopped: Vec<StepExecution>,
    /// The tasks with a cooldown that end now.
    pub over: Vec<Ended>,
    /// The nodes of the tasks that are complete now.
    pub complete: Vec<usize>,
    /// `true` if the rest of the plan may depend on what was skipped.
    pub is_relied_on: bool,
}

impl PlanExecution {
    /// Ends the tasks in the background of tasks whose main branch is complete. Their steps in progress are
    /// stopped, unless they are uninterruptible, and those that haven't started are skipped.
    ///
    /// They go on if, by these beliefs, the rest of the plan is possible only with them. `None` if the plan has failed:
    /// those that went on before are to be planned again.
    pub fn end_background(
        &mut self,
        at: (&World, u32),
        believed: Option<&World>,
        body: &mut dyn Body,
    ) -> EndedBackground {
        let mut ending = EndedBackground::default();
        if mem::replace(&mut self.background_is_checked, true) || self.needs_background {
            return ending;
        }
        let mut skipped = vec![];
        // What is skipped may have been all that remained of a main branch.
        while let Some(nodes) = self.next_to_end() {
            if believed.is_some_and(|believed| self.is_needed(&nodes, believed, at.1)) {
                self.needs_background = true;
                break;
            }
            self.over.resize(self.plan.nodes.len(), false);
            for (node, above) in nodes {
                self.end_below(node, above, at, body, (&mut ending, &mut skipped));
                ending.complete.extend(ancestors(&self.plan, above));
            }
            let closed = self.complete.iter().skip(self.step);
            self.step += closed.take_while(|closed| **closed).count();
        }
        ending.stopped.compact_sort_by_key(|stopped| stopped.step);
        ending.complete.compact_sort();
        ending.complete.dedup();
        let stopped = &ending.stopped;
        ending
            .complete
            .retain(|node| !self.remains_below(*node) && self.has_begun(*node, stopped));
        let complete = ending.complete.iter();
        let over = complete.filter_map(|node| ended(&self.plan.nodes[*node], at.0));
        ending.over.extend(over);
        let remaining = (self.step..self.plan.steps.len()).filter(|step| !self.complete[*step]);
        ending.is_relied_on = relies_on(at.0, &self.plan, &skipped, remaining);
        if ending.is_relied_on {
            self.reconsiders.get_or_insert(Cause::Background);
        }
        ending
    }

    /// Returns the nodes in the background below which anything ends now, each with the node above it;
    /// `None` if there are none.
    fn next_to_end(&mut self) -> Option<Vec<(usize, usize)>> {
        let plan = &self.plan;
        let background = self.background.get_or_insert_with(|| {
            let nodes = 0..plan.nodes.len();
            nodes.filter(|node| plan.is_in_background(*node)).collect()
        });
        if background.is_empty() {
            return None;
        }
        let kept = self.kept();
        let background = self.background.iter().flatten();
        let ends = background.filter_map(|node| {
            let above = self.plan.nodes[*node].parent?;
            let siblings = &self.plan.nodes[above].decomposed()?.children;
            let mut main = siblings
                .iter()
                .filter(|child| !self.plan.nodes[**child].is_background);
            let mut below = self.below(*node).into_iter();
            let ends = below.any(|node| self.is_open(node) && !kept.contains(&node))
                && !main.any(|child| self.remains_below(*child));
            ends.then_some((*node, above))
        });
        let ends: Vec<(usize, usize)> = ends.collect();
        (!ends.is_empty()).then_some(ends)
    }

    /// Makes the next turn check what ends in the background, because a step has ended.
    pub(super) fn background_may_end(&mut self) {
        self.background_is_checked = false;
        self.needs_background = false;
    }

    /// Returns `true` if the rest of the plan is possible, but not without what remains below these nodes.
    fn is_needed(&self, nodes: &[(usize, usize)], believed: &World, tick: u32) -> bool {
        let is_possible = |remains: &[Remains]| {
            let world = believed.with_values(believed.values().clone(), Stop::default());
            let is_under_way = |node| self.was_begun(node);
            let checked = validate_rest(world, &self.plan, remains, &is_under_way);
            matches!(checked, Ok(Ok(_)))
        };
        let remains = self.remains(tick);
        let mut others = remains.clone();
        let kept = self.kept();
        let below = nodes.iter().flat_map(|(node, _)| self.below(*node));
        for node in below.filter(|node| !kept.contains(node)) {
            if let NodeKind::Step(step) = self.plan.nodes[node].kind {
                others[step] = Remains::Nothing;
            }
        }
        !is_possible(&others) && is_possible(&remains)
    }

    /// Returns `true` for a step or a task without steps that isn't complete, or a task that isn't planned yet.
    fn is_open(&self, node: usize) -> bool {
        match self.plan.nodes[node].kind {
            NodeKind::Step(step) => !self.complete[step],
            NodeKind::Pending => !self.is_over(node),
            NodeKind::Decomposed(ref one) => {
                one.children.is_empty() && one.at >= self.step && !self.is_over(node)
            }
        }
    }

    /// Returns the nodes of the uninterruptible steps in progress, and those above them.
    fn kept(&self) -> Vec<usize> {
        let running = self.running.iter().filter(|one| one.is_uninterruptible);
        let kept = running.filter_map(|one| self.plan.steps.get(one.execution.step));
        kept.flat_map(|step| ancestors(&self.plan, step.node))
            .collect()
    }

    /// Ends what is below a node in the background, except uninterruptible steps in progress.
    fn end_below(
        &mut self,
        node: usize,
        above: usize,
        at: (&World, u32),
        body: &mut dyn Body,
        (ending, skipped): (&mut EndedBackground, &mut Vec<usize>),
    ) {
        let plan = self.plan.clone();
        let kept = self.kept();
        for number in self.below(node) {
            if kept.contains(&number) {
                continue;
            }
            if self.remains_below(number) && self.has_begun(number, &ending.stopped) {
                ending.over.extend(ended(&plan.nodes[number], at.0));
            }
            if let NodeKind::Step(step) = plan.nodes[number].kind {
                if mem::replace(&mut self.complete[step], true) {
                    continue;
                }
                let mut running = self.running.iter();
                let running = running.position(|one| one.execution.step == step);
                let stopped = running.map(|running| {
                    let reason = Reason::MainBranchEnded(plan.nodes[above].task.clone());
                    let stopped = self.running.remove(running).fail(&plan, reason, at, body);
                    StepExecution {
                        state: TaskState::Stopped,
                        ..stopped
                    }
                });
                let has_acted = stopped.as_ref().is_some_and(|step| step.acted.is_some());
                skipped.extend(Some(step).filter(|_| !has_acted));
                ending.stopped.extend(stopped);
            }
            self.over[number] = true;
        }
    }

    /// Returns `true` if a task was in the background of one whose main branch is complete, or below such a
    /// task, and wasn't complete then.
    pub(super) fn is_over(&self, node: usize) -> bool {
        self.over.get(node).copied().unwrap_or(false)
    }

    /// Returns `true` if a step below a node has been done, is in progress, or was just stopped.
    fn has_begun(&self, node: usize, stopped: &[StepExecution]) -> bool {
        let has_begun = |node: usize| match self.plan.nodes[node].kind {
            NodeKind::Step(step) => {
                let is_done = self.complete[step] && !self.is_over(node);
                let mut started = self.running().chain(stopped);
                is_done || started.any(|other| other.step == step)
            }
            NodeKind::Decomposed(_) | NodeKind::Pending => false,
        };
        self.was_begun(node) || self.below(node).into_iter().any(has_begun)
    }
}
