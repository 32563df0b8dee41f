//! The open tasks of a plan, and the searches for their replacement.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::BlockId;
use taskloom_planner::plan::{NodeKind, Plan};

use super::interpreter::Run;
use super::model::{Arg, Call, Domain, Object};
use super::tree::{self, Link};

/// A task that is still to be done.
#[derive(Debug, Clone)]
pub struct Left {
    pub call: Call,
    /// The tasks above it, the root first.
    pub above: Vec<Link>,
    /// The block that called it.
    pub block: Option<BlockId>,
    /// The character's task that it belongs to.
    pub root: usize,
    /// Its node: the plan and the node's index.
    pub id: (usize, usize),
}

/// The open tasks of an abandoned plan.
#[derive(Debug, Clone, Default)]
pub struct Open {
    pub left: Vec<Left>,
    /// If a rule of a task was violated, the nodes of the task above it and of those above that, the
    /// lowest first.
    pub broken: Vec<(usize, usize)>,
}

/// The input of one search.
#[derive(Debug, Clone)]
pub struct Network {
    pub tasks: Vec<Call>,
    /// The positions of the first tasks, if tasks are under way.
    pub within: Vec<Left>,
    /// The other open tasks.
    pub rest: Vec<Left>,
    pub excludes: bool,
    /// The task under way that an earlier output should replace, and its position.
    pub leaves: Option<(Link, usize)>,
    /// `true` if the open tasks should be done by earlier alternatives.
    pub compares: bool,
}

impl Run<'_> {
    /// Returns the open tasks of a character's plan, in the designer's order.
    pub fn left(&self, number: usize, followed: usize) -> Vec<Left> {
        let plan = self.record.plan(followed);
        let one = &self.cast[number];
        let mut left = vec![];
        for (at, root) in plan.roots.iter().enumerate() {
            let (above, block) = match one.within.get(at) {
                Some(within) => (within.above.clone(), within.block.clone()),
                None => (vec![], None),
            };
            let index = match one.within.is_empty() {
                true => at,
                // The first ones are parts of the first task.
                false => (at + 1).saturating_sub(one.within.len()),
            };
            let part = Part {
                root: index,
                ..self.part(number, followed)
            };
            part.collect(*root, above, block, &mut left);
        }
        left.extend(one.rest.iter().cloned());
        left
    }

    /// Returns the roots of a plan that are not complete, each with the character's task that it
    /// belongs to.
    pub fn open_roots(&self, number: usize, followed: usize) -> Vec<(usize, usize)> {
        let plan = self.record.plan(followed);
        let one = &self.cast[number];
        let roots = plan.roots.iter().enumerate().map(|(at, root)| {
            let index = match one.within.is_empty() {
                true => at,
                false => (at + 1).saturating_sub(one.within.len()),
            };
            (index, *root)
        });
        let complete = |node: usize| self.part(number, followed).is_complete(node);
        roots.filter(|(_, root)| !complete(*root)).collect()
    }

    fn part(&self, number: usize, followed: usize) -> Part<'_> {
        Part {
            domain: self.domain,
            plan: self.record.plan(followed),
            followed,
            complete: &self.cast[number].complete,
            running: self.cast[number]
                .running
                .iter()
                .map(|(step, _)| step.step)
                .collect(),
            starts: self.starts(number, followed),
            is_reactive: self.domain.is_reactive(number),
            root: 0,
        }
    }

    /// Returns the start of each step of a character's plan that has started.
    fn starts(&self, number: usize, followed: usize) -> BTreeMap<usize, u32> {
        let running = self.cast[number].running.iter().map(|(step, _)| step);
        let all = self.record.steps.iter().chain(running);
        let own = all.filter(|step| step.plan == followed);
        own.map(|step| (step.step, step.start)).collect()
    }

    /// Returns the compound tasks above a node of a character's plan, the root first.
    pub fn links(&self, number: usize, followed: usize, node: usize) -> Vec<Link> {
        let plan = self.record.plan(followed);
        let mut links = tree::links(self.domain, plan, (followed, node));
        for link in &mut links {
            let first = self.part(number, followed).first(link.id.1);
            link.first = first.map(|step| tree::task(plan, plan.steps[step].node));
            link.start = self.part(number, followed).start(link.id.1);
        }
        let root = *tree::ancestors(plan, node).last().expect("itself");
        let place = plan.roots.iter().position(|other| *other == root);
        let within = place.and_then(|place| self.cast[number].within.get(place));
        let Some(within) = within else {
            return links;
        };
        if let Some(first) = links.first_mut() {
            first.block.clone_from(&within.block);
        }
        [within.above.clone(), links].concat()
    }

    /// Returns the searches for a replacement, in the order in which they are tried.
    pub fn networks(&self, number: usize, open: &Open) -> Vec<Network> {
        let Some(first) = open.left.first() else {
            return vec![self.alone(number)];
        };
        let under_way = first.above.len();
        let depth = |id: &(usize, usize)| first.above.iter().position(|above| above.id == *id);
        let levels: Vec<Option<usize>> = match open.broken.iter().find_map(depth) {
            Some(depth) => (0..=depth).rev().map(Some).collect(),
            None => std::iter::once(None)
                .chain((0..under_way).rev().map(Some))
                .collect(),
        };
        let mut networks: Vec<Network> = vec![];
        for level in levels {
            let again = level.map(|depth| &first.above[depth]);
            let network = self.network(number, &open.left, again);
            if networks.iter().all(|other| other.tasks != network.tasks) {
                networks.push(network);
            }
        }
        networks
    }

    /// Returns the character's tasks, unchanged.
    pub fn alone(&self, number: usize) -> Network {
        Network {
            tasks: self.cast[number].tasks.clone(),
            within: vec![],
            rest: vec![],
            excludes: true,
            leaves: None,
            compares: false,
        }
    }

    /// Returns the search in which a task under way is planned again, if given.
    pub fn network(&self, number: usize, left: &[Left], again: Option<&Link>) -> Network {
        let mut left = left.to_vec();
        if let Some(link) = again {
            let is_part =
                |one: &Left| one.id == link.id || one.above.iter().any(|above| above.id == link.id);
            let place = left.iter().position(is_part);
            let place = place.expect("a part of it is open");
            let above = left[place].above.iter();
            let again = Left {
                call: (link.task.0, Arg::Object(link.task.1)),
                above: above
                    .take_while(|above| above.id != link.id)
                    .cloned()
                    .collect(),
                block: link.block.clone(),
                root: left[place].root,
                id: link.id,
            };
            left.retain(|one| !is_part(one));
            left.insert(place, again);
        }
        if left[0].above.is_empty() {
            return self.alone(number);
        }
        if self.domain.is_reactive(number) {
            return Network {
                tasks: vec![left[0].call],
                rest: left.split_off(1),
                within: left,
                excludes: true,
                leaves: None,
                compares: false,
            };
        }
        // The first of the character's tasks is the one under way.
        left.retain(|one| one.root == 0);
        let own = left.iter().map(|one| one.call);
        let later = self.cast[number].tasks.iter().skip(1).copied();
        Network {
            tasks: own.chain(later).collect(),
            within: left,
            rest: vec![],
            excludes: true,
            leaves: None,
            compares: false,
        }
    }
}

/// A part of a plan's tree.
struct Part<'r> {
    domain: &'r Domain,
    plan: &'r Plan,
    followed: usize,
    complete: &'r BTreeSet<usize>,
    running: Vec<usize>,
    starts: BTreeMap<usize, u32>,
    /// `true` if a search for a goal is repeated for each step.
    is_reactive: bool,
    root: usize,
}

impl Part<'_> {
    fn is_complete(&self, node: usize) -> bool {
        match &self.plan.nodes[node].kind {
            NodeKind::Step(step) => self.complete.contains(step),
            NodeKind::Pending => false,
            NodeKind::Decomposed(decomposed) if decomposed.children.is_empty() => {
                // It is complete once the step after it has started.
                let at = decomposed.at;
                let is_past = (0..=at).all(|step| self.complete.contains(&step));
                let begins =
                    (0..at).all(|step| self.complete.contains(&step)) && self.running.contains(&at);
                is_past || begins || at >= self.plan.steps.len()
            }
            NodeKind::Decomposed(decomposed) => decomposed
                .children
                .iter()
                .all(|child| self.is_complete(*child)),
        }
    }

    /// Returns the first step that is complete below a node.
    fn first(&self, node: usize) -> Option<usize> {
        match &self.plan.nodes[node].kind {
            NodeKind::Step(step) => self.complete.contains(step).then_some(*step),
            NodeKind::Pending => None,
            NodeKind::Decomposed(decomposed) => decomposed
                .children
                .iter()
                .filter_map(|child| self.first(*child))
                .min(),
        }
    }

    /// Returns the tick at which the first step below a node started.
    fn start(&self, node: usize) -> Option<u32> {
        match &self.plan.nodes[node].kind {
            NodeKind::Step(step) => self.starts.get(step).copied(),
            NodeKind::Pending => None,
            NodeKind::Decomposed(decomposed) => {
                let children = decomposed.children.iter();
                children.filter_map(|child| self.start(*child)).min()
            }
        }
    }

    fn collect(&self, node: usize, above: Vec<Link>, block: Option<BlockId>, left: &mut Vec<Left>) {
        if self.is_complete(node) {
            return;
        }
        let (task, object): (usize, Object) = tree::task(self.plan, node);
        let decomposed = self.plan.nodes[node].decomposed();
        let decomposed = decomposed.filter(|one| !self.is_reactive || !one.blocks.is_empty());
        let first = self
            .first(node)
            .map(|step| tree::task(self.plan, self.plan.steps[step].node));
        let (Some(decomposed), Some(first)) = (decomposed, first) else {
            left.push(Left {
                call: (task, Arg::Object(object)),
                above,
                block,
                root: self.root,
                id: (self.followed, node),
            });
            return;
        };
        let link = tree::link(self.domain, self.plan, (self.followed, node));
        let link = Link {
            block,
            first: Some(first),
            start: self.start(node),
            ..link.expect("it is decomposed")
        };
        let above = [above, vec![link]].concat();
        for child in &decomposed.children {
            let block = self.plan.nodes[*child].block.clone();
            self.collect(*child, above.clone(), block, left);
        }
    }
}
