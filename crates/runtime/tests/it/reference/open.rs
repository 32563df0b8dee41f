//! The open tasks of a plan, and the searches for their replacement.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::BlockId;
use taskloom_planner::plan::{NodeKind, Plan};

use super::aborts::Started;
use super::alike;
use super::domain::Domain;
use super::interpreter::{Activity, Run};
use super::names::Ground;
use super::record::Aborted;
use super::state::State;
use super::tree::{self, Link};

/// A task that is still to be done.
#[derive(Debug, Clone)]
pub struct Left {
    pub task: Ground,
    /// The tasks above it, the root first.
    pub above: Vec<Link>,
    /// The block that called it.
    pub block: Option<BlockId>,
    /// The character's task that it belongs to.
    pub root: usize,
    /// Its node: the plan and the node's index.
    pub id: (usize, usize),
    /// If it is a cleanup or a part of one: the aborted task, and the cleanup.
    pub cleanup: Option<(Ground, Ground)>,
    /// `true` if it hasn't started since it was planned.
    pub is_fresh: bool,
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
    pub tasks: Vec<Ground>,
    /// The positions of the first tasks, if tasks are under way.
    pub within: Vec<Left>,
    /// The other open tasks.
    pub rest: Vec<Left>,
    pub excludes: bool,
    /// If a task under way is planned again: its first step that was done.
    pub again_after: Option<Ground>,
    /// The task under way that an earlier output should replace, and its position.
    pub leaves: Option<(Link, usize)>,
    /// `true` if the open tasks should be done by earlier alternatives.
    pub compares: bool,
    /// The tasks that it aborts.
    pub aborts: Vec<Aborted>,
    /// The tasks whose steps in progress its plan must continue.
    pub keeps: Vec<Started>,
    /// The search to run if its plan is better, but doesn't.
    pub otherwise: Option<Box<Network>>,
    /// `true` if a plan without cleanups was found to be better.
    pub is_better: bool,
    /// `true` if it leaves out tasks of which only the same task remains.
    pub is_shorter: bool,
}

/// The treatment of the tasks that a plan aborts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cleaning {
    /// It cleans up first.
    First,
    /// It aborts none.
    None,
    /// It doesn't clean up.
    Dropped,
}

impl Run<'_> {
    /// Returns the open tasks of a character's plan, in the designer's order.
    pub fn left(&self, number: usize, followed: usize) -> Vec<Left> {
        let plan = self.record.plan(followed);
        let one = &self.cast[number];
        let mut left = vec![];
        for (at, root) in plan.roots.iter().enumerate() {
            let (above, block, cleanup) = match one.within.get(at) {
                Some(within) => (within.above.clone(), within.block.clone(), within.cleanup),
                None => (vec![], None, None),
            };
            let part = Part {
                root: self.index_of_root(number, at),
                cleanup,
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
        let roots = plan.roots.iter().enumerate().skip(self.cleanups(number));
        let roots = roots.map(|(at, root)| (self.index_of_root(number, at), *root));
        let part = self.part(number, followed);
        let cleanups = plan.roots.iter().take(self.cleanups(number));
        let is_clean = cleanups.clone().all(|root| part.is_complete(*root));
        let within: Vec<usize> = plan
            .roots
            .iter()
            .copied()
            .take(self.cast[number].within.len())
            .collect();
        // Before the cleanups are complete, a task that takes no step isn't, unless it is under way.
        let is_complete = |root: usize| {
            let is_begun = within.contains(&root) || part.first(root).is_some();
            part.is_complete(root) && (is_clean || is_begun)
        };
        roots.filter(|(_, root)| !is_complete(*root)).collect()
    }

    /// Returns the character's task that the root of its plan at an index belongs to.
    fn index_of_root(&self, number: usize, at: usize) -> usize {
        let cleanups = self.cleanups(number);
        let at = at.saturating_sub(cleanups);
        match self.cast[number].within.len() - cleanups {
            0 => at,
            // The first ones are parts of the first task.
            parts => (at + 1).saturating_sub(parts),
        }
    }

    /// Returns `true` if a node of a character's plan is complete.
    pub fn is_complete(&self, number: usize, followed: usize, node: usize) -> bool {
        self.part(number, followed).is_complete(node)
    }

    fn part(&self, number: usize, followed: usize) -> Part<'_> {
        Part {
            domain: self.domain,
            plan: self.record.plan(followed),
            followed,
            complete: &self.cast[number].complete,
            ended: &self.cast[number].ended,
            begun: self.begun(number, followed),
            starts: self.starts(number, followed),
            is_reactive: self.domain.is_reactive(number),
            root: 0,
            cleanup: None,
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
            link.first = first.map(|step| tree::task_of_step(self.domain, plan, step));
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

    /// Returns the first step of a node that was done.
    pub fn first_done(&self, number: usize, (followed, node): (usize, usize)) -> Option<usize> {
        self.part(number, followed).first(node)
    }

    /// Returns the searches for a replacement, in the order in which they are tried.
    pub fn networks(&self, number: usize, open: &Open, believed: &State) -> Vec<Network> {
        let (_, own) = Self::parted(&open.left);
        let above = own.first().map_or(&[][..], |first| &first.above);
        let depth = |id: &(usize, usize)| above.iter().position(|above| above.id == *id);
        let levels: Vec<Option<usize>> = match open.broken.iter().find_map(depth) {
            Some(depth) => (0..=depth).rev().map(Some).collect(),
            None => std::iter::once(None)
                .chain((0..above.len()).rev().map(Some))
                .collect(),
        };
        self.networks_after((vec![], vec![]), number, (&open.left, levels), believed)
    }

    /// Adds the searches in which the tasks at these depths above the first open one are planned again to others,
    /// of which the second ones drop cleanups.
    pub fn networks_after(
        &self,
        (mut networks, mut dropping): (Vec<Network>, Vec<Network>),
        number: usize,
        (left, levels): (&[Left], Vec<Option<usize>>),
        believed: &State,
    ) -> Vec<Network> {
        let (_, own) = Self::parted(left);
        let above = own.first().map_or(&[][..], |first| &first.above);
        let follows = matches!(self.cast[number].activity, Activity::Follows(_));
        for level in levels {
            let again = level.map(|depth| &above[depth]);
            let network = |cleaning| self.network(number, left, again, cleaning, believed);
            let [kept, first, dropped] =
                [Cleaning::None, Cleaning::First, Cleaning::Dropped].map(network);
            let may_keep = !kept.keeps.is_empty() && !kept.keeps.iter().any(|one| one.is_under_way);
            for network in [kept]
                .into_iter()
                .filter(|_| follows && may_keep)
                .chain([first])
            {
                let is_same = |other: &Network| {
                    let ids = |one: &Network| Vec::from_iter(one.keeps.iter().map(|kept| kept.id));
                    other.tasks == network.tasks && ids(other) == ids(&network)
                };
                if !networks.iter().any(is_same) {
                    networks.push(network);
                }
            }
            let is_new = dropping.iter().all(|other| other.tasks != dropped.tasks);
            if is_new && !dropped.aborts.is_empty() {
                dropping.push(dropped);
            }
        }
        [networks, dropping].concat()
    }

    /// Returns the character's tasks, unchanged.
    pub fn alone(&self, number: usize) -> Network {
        Network {
            tasks: self.cast[number].tasks.clone(),
            within: vec![],
            rest: vec![],
            excludes: true,
            again_after: None,
            leaves: None,
            compares: false,
            aborts: vec![],
            keeps: vec![],
            otherwise: None,
            is_better: false,
            is_shorter: false,
        }
    }

    /// Returns the search in which a task under way is planned again, if given.
    pub fn network(
        &self,
        number: usize,
        open: &[Left],
        again: Option<&Link>,
        cleaning: Cleaning,
        believed: &State,
    ) -> Network {
        let (mut cleanups, mut left) = Self::parted(open);
        if let Some(link) = again {
            let is_part =
                |one: &Left| one.id == link.id || one.above.iter().any(|above| above.id == link.id);
            let place = left.iter().position(is_part);
            let place = place.expect("a part of it is open");
            let above = left[place].above.iter();
            let again = Left {
                task: link.task,
                above: above
                    .take_while(|above| above.id != link.id)
                    .cloned()
                    .collect(),
                block: link.block.clone(),
                root: left[place].root,
                id: link.id,
                cleanup: None,
                is_fresh: true,
            };
            left.retain(|one| !is_part(one));
            left.insert(place, again);
        }
        // A task of which nothing is under way is planned as it is given now.
        let is_under_way = left.first().is_some_and(|first| !first.above.is_empty());
        let is_reactive = self.domain.is_reactive(number);
        let mut rest = vec![];
        if !is_under_way {
            left.clear();
        } else if !is_reactive {
            // The first of the character's tasks is the one under way.
            left.retain(|one| one.root == 0);
        }
        let kept = left.iter().flat_map(|one| {
            // A reactive actor searches again for a goal that it keeps to.
            let decomposed = self.record.plan(one.id.0).nodes[one.id.1].decomposed();
            let is_by_goal = decomposed.is_some_and(|found| found.blocks.is_empty());
            let own = (is_reactive && is_by_goal && !one.is_fresh).then_some(one.id);
            one.above.iter().map(|link| link.id).chain(own)
        });
        let (keeps, new) = self.aborted(number, open, &kept.collect(), believed);
        match cleaning {
            Cleaning::First => cleanups.extend(new.clone()),
            Cleaning::None => {}
            Cleaning::Dropped => cleanups.clear(),
        }
        let aborts = match cleaning {
            Cleaning::Dropped => [Self::pending(open), Self::pending(&new)].concat(),
            _ => Self::pending(&cleanups),
        };
        let aborts = aborts.into_iter();
        let aborts = aborts.map(|(task, cleanup)| (task, cleanup, cleaning == Cleaning::Dropped));
        let all = [cleanups, left].concat();
        let mut within = alike::collapsed(self.domain, all.clone());
        let depth = |all: &[Left]| -> usize { all.iter().map(|left| left.above.len()).sum() };
        let is_shorter = depth(&within) < depth(&all);
        within.iter_mut().for_each(|one| one.is_fresh = true);
        if is_under_way && is_reactive {
            rest = within.split_off(1);
        }
        let own = within.iter().map(|one| one.task);
        let later = self.cast[number].tasks.iter().copied();
        let tasks = match (is_under_way, is_reactive) {
            (true, true) => own.collect(),
            (true, false) => own.chain(later.skip(1)).collect(),
            (false, _) => own.chain(later).collect(),
        };
        Network {
            tasks,
            within,
            rest,
            is_shorter,
            again_after: again.and_then(|link| link.first),
            aborts: aborts.collect(),
            keeps: match cleaning {
                Cleaning::None => keeps,
                _ => vec![],
            },
            ..self.alone(number)
        }
    }
}

/// A part of a plan's tree.
struct Part<'r> {
    domain: &'r Domain,
    plan: &'r Plan,
    followed: usize,
    complete: &'r BTreeSet<usize>,
    ended: &'r BTreeSet<usize>,
    /// The steps that have begun, even if they have failed since.
    begun: BTreeSet<usize>,
    starts: BTreeMap<usize, u32>,
    /// `true` if a search for a goal is repeated for each step.
    is_reactive: bool,
    root: usize,
    cleanup: Option<(Ground, Ground)>,
}

impl Part<'_> {
    fn is_complete(&self, node: usize) -> bool {
        match &self.plan.nodes[node].kind {
            NodeKind::Step(step) => self.complete.contains(step),
            NodeKind::Pending => self.ended.contains(&node),
            NodeKind::Decomposed(_) if self.ended.contains(&node) => true,
            NodeKind::Decomposed(decomposed) if decomposed.children.is_empty() => {
                // It is complete once the step after it has started.
                let at = decomposed.at;
                let is_past = (0..=at).all(|step| self.complete.contains(&step));
                let begins =
                    (0..at).all(|step| self.complete.contains(&step)) && self.begun.contains(&at);
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
            NodeKind::Step(_) if self.ended.contains(&node) => None,
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
        let task = tree::task(self.domain, self.plan, node);
        let decomposed = self.plan.nodes[node].decomposed();
        let decomposed = decomposed.filter(|one| !self.is_reactive || !one.blocks.is_empty());
        let first = self
            .first(node)
            .map(|step| tree::task_of_step(self.domain, self.plan, step));
        let (Some(decomposed), Some(first)) = (decomposed, first) else {
            left.push(Left {
                task,
                above,
                block,
                root: self.root,
                id: (self.followed, node),
                cleanup: self.cleanup,
                is_fresh: false,
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
