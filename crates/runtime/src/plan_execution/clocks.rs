//! The starts of a plan's tasks, and their timeouts.

use serde::{Deserialize, Serialize};
use taskloom_domain::Domain;
use taskloom_planner::plan::Plan;

use crate::task_options;

/// The ticks at which the tasks of a plan have started.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Clocks {
    /// For each node, the tick at which the first of its steps started; `None` if none has.
    started: Vec<Option<u32>>,
    /// The nodes with a timeout, each with its ticks, in order; `None` if not computed yet. Depends on
    /// the plan and the document only.
    #[serde(skip)]
    timeouts: Option<Vec<(usize, u32)>>,
}

/// A task that has timed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expired {
    /// The node.
    pub node: usize,
    /// The number of ticks after which it fails.
    pub ticks: u32,
}

impl Clocks {
    /// Creates the clocks of a plan, of whose first nodes some have started before it was made.
    pub fn new(plan: &Plan, mut started: Vec<Option<u32>>) -> Self {
        started.resize(plan.nodes.len(), None);
        Self {
            started,
            timeouts: None,
        }
    }

    /// Returns the starts of the plan's nodes.
    pub fn started(&self) -> &[Option<u32>] {
        &self.started
    }

    /// Finds the timeouts, if that hasn't been done.
    pub fn prepare(&mut self, domain: &Domain, plan: &Plan) {
        self.started.resize(plan.nodes.len(), None);
        self.timeouts.get_or_insert_with(|| {
            let nodes = 0..plan.nodes.len();
            let timeout = |node| Some((node, task_options::timeout(domain, plan, node)?));
            nodes.filter_map(timeout).collect()
        });
    }

    /// Records that a step has started at a tick, given its node: so have the tasks above it.
    pub fn start(&mut self, plan: &Plan, node: usize, tick: u32) {
        for number in ancestors(plan, node) {
            if let Some(started) = self.started.get_mut(number) {
                *started = Some(started.map_or(tick, |known| known.min(tick)));
            }
        }
    }

    /// Returns the lowest task from a node upwards that has timed out.
    pub fn expired(&self, plan: &Plan, node: usize, tick: u32) -> Option<Expired> {
        let mut above = ancestors(plan, node);
        above.find_map(|node| {
            let ticks = self.ticks(node)?;
            (self.end(node, ticks)? <= tick).then_some(Expired { node, ticks })
        })
    }

    /// Returns the first tick at which a task from a node upwards times out.
    pub fn next(&self, plan: &Plan, node: usize) -> Option<u32> {
        let above = ancestors(plan, node);
        let ends = above.filter_map(|node| self.end(node, self.ticks(node)?));
        ends.min()
    }

    /// Returns the timeout of a node.
    fn ticks(&self, node: usize) -> Option<u32> {
        let timeouts = self.timeouts.as_deref()?;
        let at = timeouts.binary_search_by_key(&node, |(node, _)| *node);
        Some(timeouts[at.ok()?].1)
    }

    /// Returns the tick at which a node times out, if it has started: the first one after that by
    /// which it has to be complete.
    fn end(&self, node: usize, ticks: u32) -> Option<u32> {
        let started = self.started.get(node).copied().flatten()?;
        Some(started.saturating_add(ticks).saturating_add(1))
    }
}

/// Returns a node and those above it.
pub(super) fn ancestors(plan: &Plan, node: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(node), |node| plan.nodes.get(*node)?.parent)
}
