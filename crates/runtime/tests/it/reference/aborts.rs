//! Tasks that a new plan aborts, and the tasks that clean up after them.

use std::collections::BTreeSet;

use taskloom_document::{BlockId, Name};
use taskloom_planner::plan::{NodeKind, Outcome, Plan};
use taskloom_runtime::TaskState;

use super::evaluate::Env;
use super::interpreter::{Activity, Run};
use super::names::{Ground, Object};
use super::open::{Left, Network, Open};
use super::options::options;
use super::record::{Cause, Planned, Step, Why};
use super::state::State;
use super::tree;

/// A node of a plan, by the plan's number and its own.
pub type Id = (usize, usize);

/// The node of a cleanup that isn't in any plan yet.
pub const NEW: Id = (usize::MAX, usize::MAX);

/// A task that has started, and isn't complete.
#[derive(Debug, Clone)]
pub struct Started {
    pub id: Id,
    pub task: Ground,
    /// The task that cleans up after it.
    pub cleanup: Option<Ground>,
    /// `true` if a step of it is complete.
    pub is_under_way: bool,
}

/// The task above a node, and the objects of its Binds.
type Parent<'p> = Option<(Ground, &'p [(Name, Object)])>;

/// A task and the block that called it.
type Called = (Ground, Option<BlockId>);

impl Run<'_> {
    /// Returns the tasks that have started and aren't complete, in the designer's order.
    pub fn started(&self, number: usize, left: &[Left], believed: &State) -> Vec<Started> {
        let mut found: Vec<Started> = vec![];
        for one in left.iter().filter(|one| one.cleanup.is_none()) {
            for (at, link) in one.above.iter().enumerate() {
                if found.iter().any(|other| other.id == link.id) {
                    continue;
                }
                let parent = at.checked_sub(1).map(|at| &one.above[at]);
                let parent = parent.map(|parent| (parent.task, &parent.found[..]));
                found.push(Started {
                    id: link.id,
                    task: link.task,
                    cleanup: self.cleanup(number, parent, link.block.as_ref(), believed),
                    is_under_way: true,
                });
            }
            if !one.is_fresh && one.id != NEW {
                let parent = one.above.last();
                let parent = parent.map(|parent| (parent.task, &parent.found[..]));
                let block = one.block.as_ref();
                self.add_below(number, one.id, (parent, block), believed, &mut found);
            }
        }
        found
    }

    /// Adds the tasks at and below a node that have started.
    fn add_below(
        &self,
        number: usize,
        id: Id,
        (parent, block): (Parent, Option<&BlockId>),
        believed: &State,
        found: &mut Vec<Started>,
    ) {
        let plan = self.record.plan(id.0);
        if !self.has_started(number, id) || self.has_ended(number, id) {
            return;
        }
        let task = tree::task(self.domain, plan, id.1);
        found.push(Started {
            id,
            task,
            cleanup: self.cleanup(number, parent, block, believed),
            is_under_way: false,
        });
        let Some(decomposed) = plan.nodes[id.1].decomposed() else {
            return;
        };
        let objects = tree::found(self.domain, decomposed);
        for child in &decomposed.children {
            let block = plan.nodes[*child].block.as_ref();
            let within = (Some((task, &objects[..])), block);
            self.add_below(number, (id.0, *child), within, believed, found);
        }
    }

    /// Returns `true` if a step at or below a node has begun.
    fn has_started(&self, number: usize, id: Id) -> bool {
        let plan = self.record.plan(id.0);
        match &plan.nodes[id.1].kind {
            NodeKind::Pending => false,
            NodeKind::Step(at) => self.begun(number, id.0).contains(at),
            NodeKind::Decomposed(decomposed) => {
                let mut children = decomposed.children.iter();
                children.any(|child| self.has_started(number, (id.0, *child)))
            }
        }
    }

    /// Returns `true` if what remained of a node has ended in the background.
    fn has_ended(&self, number: usize, id: Id) -> bool {
        let one = &self.cast[number];
        let plan = self.record.plan(id.0);
        let (mut open, mut leaves) = (vec![id.1], vec![]);
        while let Some(node) = open.pop() {
            match plan.nodes[node].decomposed() {
                Some(decomposed) if !decomposed.children.is_empty() => {
                    open.extend(&decomposed.children);
                }
                _ => leaves.push(node),
            }
        }
        let is_done = |node: &usize| match &plan.nodes[*node].kind {
            NodeKind::Step(step) => one.complete.contains(step),
            _ => one.ended.contains(node),
        };
        one.last == Some(id.0)
            && leaves.iter().all(is_done)
            && leaves.iter().any(|node| one.ended.contains(node))
    }

    /// Returns the steps of a character's plan that have begun.
    pub fn begun(&self, number: usize, followed: usize) -> BTreeSet<usize> {
        let running = self.cast[number].running.iter().map(|(step, _)| step);
        let all = self.record.steps.iter().chain(running);
        let refused = |step: &Step| {
            let why = step.why.as_ref();
            let why = why.filter(|_| step.state == TaskState::Failed);
            matches!(
                why,
                Some(Why::Precondition(_) | Why::Denied(_) | Why::Claimed(_))
            )
        };
        let own = all.filter(|step| step.plan == followed && !refused(step));
        own.map(|step| step.step).collect()
    }

    /// Returns the task that cleans up after that of a block.
    fn cleanup(
        &self,
        number: usize,
        parent: Parent,
        block: Option<&BlockId>,
        believed: &State,
    ) -> Option<Ground> {
        let (above, found) = parent?;
        let call = options(self.domain, above, block?).on_abort?;
        let mut env: Env = self.domain.env(number, above);
        env.variables.extend_from_slice(found);
        Some(Ground::new(call.task, &believed.objects(&call.args, &env)?))
    }

    /// Returns the open parts of a character's cleanups, and its other open tasks.
    pub fn parted(left: &[Left]) -> (Vec<Left>, Vec<Left>) {
        let is_cleanup = |one: &Left| one.cleanup.is_some();
        left.iter().cloned().partition(is_cleanup)
    }

    /// Returns the cleanups that are open, as the tasks that they clean up after and themselves.
    pub fn pending(left: &[Left]) -> Vec<(Ground, Ground)> {
        let mut found = vec![];
        for one in left {
            if let Some(cleanup) = one.cleanup.filter(|cleanup| !found.contains(cleanup)) {
                found.push(cleanup);
            }
        }
        found
    }

    /// Returns how a search for these open tasks cleans up, `kept` being the tasks under way that it keeps:
    /// the tasks that it aborts, and the cleanups to do first.
    pub fn aborted(
        &self,
        number: usize,
        open: &[Left],
        kept: &BTreeSet<Id>,
        believed: &State,
    ) -> (Vec<Started>, Vec<Left>) {
        let mut started = self.started(number, open, believed);
        started.retain(|one| one.cleanup.is_some() && !kept.contains(&one.id));
        started.reverse();
        let known = Self::pending(open);
        let mut new: Vec<Left> = vec![];
        for one in &started {
            let cleanup = one.cleanup.expect("it has one");
            let is_known = known.iter().any(|(_, other)| *other == cleanup);
            let is_new = !is_known && new.iter().all(|other| other.task != cleanup);
            if is_new {
                new.push(Left {
                    task: cleanup,
                    above: vec![],
                    block: None,
                    root: 0,
                    id: NEW,
                    cleanup: Some((one.task, cleanup)),
                    is_fresh: true,
                });
            }
        }
        (started, new)
    }

    /// Returns `true` if a plan continues the steps in progress of these tasks as parts of the same tasks.
    pub fn keeps(&mut self, number: usize, network: &Network, outcome: &Outcome) -> bool {
        let Outcome::Plan(plan) = outcome else {
            return false;
        };
        if network.keeps.iter().any(|one| one.is_under_way) {
            return false;
        }
        let running: Vec<Step> = self.cast[number]
            .running
            .iter()
            .map(|one| one.0.clone())
            .collect();
        let old: Vec<Vec<(Called, Id)>> = running
            .iter()
            .map(|step| self.above(number, step.plan, step.step))
            .collect();
        // As if it were followed.
        let new = self.record.plans.len();
        self.record.plans.push(Planned {
            character: number,
            tick: self.tick,
            cause: Cause::Start,
            goal_values: vec![],
            outcome: outcome.clone(),
            above: vec![],
            aborts: vec![],
        });
        let one = &mut self.cast[number];
        let within = std::mem::replace(&mut one.within, network.within.clone());
        let complete = std::mem::take(&mut one.complete);
        let in_progress = std::mem::take(&mut one.running);
        let activity = std::mem::replace(&mut one.activity, Activity::Follows(new));
        let mut startable = self.startable(number, new, plan);
        let continued: Vec<Option<Vec<Called>>> = running
            .iter()
            .map(|step| {
                let task = &self.record.plan(step.plan).steps[step.step].task;
                let mut alike = startable.iter();
                let at = alike.position(|one| plan.steps[*one].task == *task)?;
                let above = self.above(number, new, startable.remove(at));
                Some(above.into_iter().map(|(called, _)| called).collect())
            })
            .collect();
        self.record.plans.pop();
        let one = &mut self.cast[number];
        (one.within, one.complete) = (within, complete);
        (one.running, one.activity) = (in_progress, activity);
        network.keeps.iter().all(|kept| {
            old.iter().zip(&continued).all(|(old, continued)| {
                let Some(at) = old.iter().position(|(_, id)| *id == kept.id) else {
                    return true;
                };
                let part = old[at..].iter().map(|(called, _)| called);
                let depth = old.len() - at;
                continued.as_ref().is_some_and(|new| {
                    let from = new.len().checked_sub(depth);
                    from.is_some_and(|from| part.eq(&new[from..]))
                })
            })
        })
    }

    /// Returns the tasks above a step, the root first, and finally its own, each with its block and node.
    fn above(&self, number: usize, followed: usize, step: usize) -> Vec<(Called, Id)> {
        let plan = self.record.plan(followed);
        let node = plan.steps[step].node;
        let links = self.links(number, followed, node).into_iter();
        let links = links.map(|link| ((link.task, link.block), link.id));
        let own = tree::task(self.domain, plan, node);
        let block = self.block_of(number, plan, node);
        links.chain([((own, block), (followed, node))]).collect()
    }

    /// Returns the block that called the task of a node of a character's plan.
    pub fn block_of(&self, number: usize, plan: &Plan, node: usize) -> Option<BlockId> {
        if plan.nodes[node].parent.is_some() {
            return plan.nodes[node].block.clone();
        }
        // A task that was open before this plan was made.
        let place = plan.roots.iter().position(|root| *root == node);
        let within = place.and_then(|place| self.cast[number].within.get(place));
        within.and_then(|within| within.block.clone())
    }

    /// Returns the number of a plan's first roots that are cleanups, or parts of them.
    pub fn cleanups(&self, number: usize) -> usize {
        let within = self.cast[number].within.iter();
        within.filter(|one| one.cleanup.is_some()).count()
    }

    /// Drops the cleanup that a step was part of, because it has failed.
    pub fn drop_cleanup(&mut self, number: usize, plan: &Plan, step: usize, open: &mut Open) {
        let node = plan.steps[step].node;
        let root = *tree::ancestors(plan, node).last().expect("itself");
        let place = plan.roots.iter().position(|other| *other == root);
        let within = place.and_then(|place| self.cast[number].within.get(place));
        if let Some(cleanup) = within.and_then(|within| within.cleanup) {
            open.left.retain(|one| one.cleanup != Some(cleanup));
            self.record.failed_cleanups += 1;
        }
    }
}
