//! Tasks in the background: what remains of them ends with the other tasks of the same decomposition.

use taskloom_document::BlockId;
use taskloom_planner::plan::{NodeKind, Plan};
use taskloom_runtime::TaskState;

use super::cooldowns;
use super::depends;
use super::domain::Domain;
use super::interpreter::{Activity, Run};
use super::open::{Left, Network};
use super::options::{key_of, options};
use super::parallel::chosen;
use super::record::{Cause, Step, Why};
use super::touch::{Bound, meet, read, touched};
use super::tree::{self, Link};

/// Something that is still to be done: a step, or a task that isn't planned yet.
#[derive(Clone)]
struct Item {
    /// Its node in the plan; `None` if it isn't part of the plan.
    node: Option<usize>,
    /// The compound tasks above it, the root first.
    links: Vec<Link>,
    /// The block that called it.
    block: Option<BlockId>,
    id: (usize, usize),
    /// `true` if it takes no step.
    is_empty: bool,
}

impl Item {
    /// Returns the block by which a task above it leads to it, by depth.
    fn block_below(&self, depth: usize) -> Option<BlockId> {
        let below = self.links.get(depth + 1);
        match below {
            Some(link) => link.block.clone(),
            None => self.block.clone(),
        }
    }

    /// Returns the depth of the highest task above it that it is in the background of, if the condition
    /// is true for that one.
    fn ends_at(&self, domain: &Domain, is: impl Fn(&Link) -> bool) -> Option<usize> {
        (0..self.links.len()).find(|depth| {
            let block = self.block_below(*depth);
            let link = &self.links[*depth];
            block.is_some_and(|block| is_aside(domain, link, &block)) && is(link)
        })
    }
}

/// Returns `true` if a block is in the background of a task that does something else, too.
fn is_aside(domain: &Domain, link: &Link, block: &BlockId) -> bool {
    link.has_main_branch && options(domain, link.task, block).background
}

impl Run<'_> {
    /// Returns what a character still has to do.
    fn items(&self, number: usize, followed: usize) -> Vec<Item> {
        let plan = self.record.plan(followed);
        let one = &self.cast[number];
        let mut items = vec![];
        for (node, planned) in plan.nodes.iter().enumerate() {
            let is_open = match &planned.kind {
                NodeKind::Step(step) => !one.complete.contains(step),
                NodeKind::Pending => !one.ended.contains(&node),
                NodeKind::Decomposed(one) => {
                    one.children.is_empty() && !self.is_complete(number, followed, node)
                }
            };
            if !is_open {
                continue;
            }
            let place = plan.roots.iter().position(|root| *root == node);
            let within = place.and_then(|place| one.within.get(place));
            items.push(Item {
                node: Some(node),
                links: self.links(number, followed, node),
                block: match within {
                    Some(within) => within.block.clone(),
                    None => planned.block.clone(),
                },
                id: (followed, node),
                is_empty: planned.decomposed().is_some(),
            });
        }
        items.extend(one.rest.iter().map(|left| Item {
            node: None,
            links: left.above.clone(),
            block: left.block.clone(),
            id: left.id,
            is_empty: false,
        }));
        items
    }

    /// Ends what is in the background of tasks whose other tasks are complete, unless the rest of a plan that hasn't
    /// failed needs it. Returns the steps that were in progress.
    pub fn end_background(
        &mut self,
        number: usize,
        followed: usize,
        has_failed: bool,
    ) -> Vec<Step> {
        let plan = self.record.plan(followed).clone();
        if !matches!(self.cast[number].activity, Activity::Follows(_)) {
            return vec![];
        }
        if self.cast[number].needs_background {
            // No step is complete since.
            return vec![];
        }
        let (mut stopped, mut skipped, mut ended) = (vec![], vec![], vec![]);
        let mut above: Vec<Vec<Link>> = vec![];
        loop {
            let items = self.items(number, followed);
            // Returns whether anything is left to do in the main branch of a task.
            let goes_on = |of: &Link| {
                items.iter().filter(|item| !item.is_empty).any(|item| {
                    let depth = item.links.iter().position(|link| link.id == of.id);
                    let block = depth.and_then(|depth| item.block_below(depth));
                    block.is_some_and(|block| !is_aside(self.domain, of, &block))
                })
            };
            let ends = items.iter().filter_map(|item| {
                let depth = item.ends_at(self.domain, |link| !goes_on(link))?;
                (!self.is_kept(number, item)).then_some((item, depth))
            });
            let ends: Vec<(&Item, usize)> = ends.collect();
            if ends.is_empty() {
                break;
            }
            let nodes = ends.iter().filter_map(|(item, _)| item.node);
            if !has_failed && self.is_needed(number, &plan, &Vec::from_iter(nodes)) {
                self.record.needed.insert(followed);
                self.cast[number].needs_background = true;
                break;
            }
            let kept = items.iter().filter(|item| self.is_kept(number, item));
            let kept: Vec<&Item> = kept.collect();
            let has_kept = |link: &Link| {
                let mut links = kept.iter().flat_map(|item| &item.links);
                links.any(|other| other.id == link.id)
            };
            for (item, depth) in &ends {
                let below = item.links[depth + 1..].iter();
                let below = below.filter(|_| !item.is_empty);
                let begun = below.filter(|link| !has_kept(link) && self.has_begun(number, link));
                for link in begun {
                    if ended.iter().all(|(id, _)| *id != link.id) {
                        ended.push((link.id, link.task.task));
                    }
                }
                above.push(item.links[..=*depth].to_vec());
            }
            let (mut nodes, mut others) = (vec![], vec![]);
            for (item, depth) in &ends {
                match item.node {
                    Some(node) => nodes.push((node, item.links[*depth].task)),
                    None => others.push(item.id),
                }
            }
            let tick = self.tick;
            let one = &mut self.cast[number];
            one.rest.retain(|left| !others.contains(&left.id));
            for (node, task) in nodes {
                one.ended.insert(node);
                let NodeKind::Step(step) = plan.nodes[node].kind else {
                    continue;
                };
                one.complete.insert(step);
                let running = one.running.iter().position(|(other, _)| other.step == step);
                let Some(running) = running else {
                    skipped.push(step);
                    continue;
                };
                let (mut step, _) = one.running.remove(running);
                if step.acted.is_none() {
                    skipped.push(step.step);
                }
                step.state = TaskState::Stopped;
                step.end = Some(tick);
                let of = self.domain.text(task);
                step.why = Some(Why::MainBranchEnded(of));
                let own = tree::task(self.domain, &plan, node);
                ended.push(((followed, node), own.task));
                stopped.push(step);
            }
        }
        let mut tasks: Vec<usize> = ended.iter().map(|(_, task)| *task).collect();
        let open = self.work_left(number, followed);
        for links in above {
            for (at, link) in links.iter().enumerate() {
                let began = self.has_begun(number, link)
                    || stopped.iter().any(|step: &Step| {
                        let node = plan.steps[step.step].node;
                        let mut above = self.links(number, followed, node).into_iter();
                        above.any(|other| other.id == link.id)
                    });
                if began && !cooldowns::is_open(link, &open) {
                    tasks.push(link.task.task);
                    if let Some(key) = key_of(&links, at) {
                        self.cast[number].attempts.remove(&key);
                    }
                }
            }
        }
        self.record.ended_by_background += usize::from(!skipped.is_empty());
        tasks.sort_unstable();
        tasks.dedup();
        self.cool_down(number, &tasks);
        if !has_failed && self.is_relied_on(number, followed, &plan, &skipped) {
            self.record.relied_on += 1;
            let pending = &mut self.cast[number].pending;
            *pending = pending.or(Some(Cause::Background));
        }
        stopped.sort_by_key(|step| step.step);
        stopped
    }

    /// Returns `true` if the rest of a plan is possible, but not without the steps of these nodes.
    fn is_needed(&mut self, number: usize, plan: &Plan, nodes: &[usize]) -> bool {
        let believed = self.cast[number].knowledge.believed(&self.world);
        let complete = self.cast[number].complete.clone();
        let steps = nodes
            .iter()
            .filter_map(|node| match plan.nodes[*node].kind {
                NodeKind::Step(step) => Some(step),
                _ => None,
            });
        self.cast[number].complete.extend(steps);
        let without = self.remaining_cost(number, plan, &believed);
        self.cast[number].complete = complete;
        without.is_none() && self.remaining_cost(number, plan, &believed).is_some()
    }

    /// Returns `true` if a task has begun: a step of it is complete or in progress.
    fn has_begun(&self, number: usize, link: &Link) -> bool {
        let running = self.cast[number].running.iter();
        let mut running = running.map(|(step, _)| (step.plan, step.step));
        link.first.is_some()
            || running.any(|(plan, step)| {
                let node = self.record.plan(plan).steps[step].node;
                let mut above = self.links(number, plan, node).into_iter();
                above.any(|other| other.id == link.id)
            })
    }

    /// Returns `true` for an uninterruptible step in progress.
    fn is_kept(&self, number: usize, item: &Item) -> bool {
        let Some(node) = item.node else {
            return false;
        };
        let plan = self.record.plan(item.id.0);
        let NodeKind::Step(step) = plan.nodes[node].kind else {
            return false;
        };
        let mut running = self.cast[number].running.iter();
        let task = tree::task(self.domain, plan, node);
        self.domain.primitive(task.task).uninterruptible
            && running.any(|(other, _)| other.step == step)
    }

    /// Returns `true` if what remains of a plan may read what steps would have changed.
    fn is_relied_on(&self, number: usize, followed: usize, plan: &Plan, skipped: &[usize]) -> bool {
        let me = self.domain.me(number);
        let touched = |step: usize| {
            let task = tree::task_of_step(self.domain, plan, step);
            touched(self.domain, me, task)
        };
        let remaining =
            (0..plan.steps.len()).filter(|step| !self.cast[number].complete.contains(step));
        let remaining: Vec<usize> = remaining.collect();
        let goal = depends::goal(self.domain, number, plan).map(|goal| goal.condition);
        let variables = vec![];
        let of_goal = read(self.domain, &goal, &Bound { me, variables });
        skipped.iter().any(|skipped| {
            let (_, changes) = touched(*skipped);
            let mut later = remaining.iter().filter(|step| *step > skipped);
            meet(&changes, &of_goal)
                || later.any(|step| {
                    let node = plan.steps[*step].node;
                    let (mut reads, _) = touched(*step);
                    for link in self.links(number, followed, node) {
                        let bound = Bound::of(self.domain, me, link.task);
                        let rules = &self.domain.tasks[link.task.task].integrity;
                        reads.extend(read(self.domain, rules, &bound));
                    }
                    let above = tree::ancestors(plan, node).into_iter();
                    let decided = above.filter(|node| {
                        let decomposed = plan.nodes[*node].decomposed();
                        decomposed.is_some_and(|one| *skipped < one.at)
                    });
                    reads.extend(decided.flat_map(|node| chosen(self.domain, plan, node, me)));
                    meet(&changes, &reads)
                })
        })
    }
}

impl Network {
    /// Returns the tasks that each task waits for, if any of them is in the background.
    pub fn order(&self, domain: &Domain) -> Option<Vec<Vec<usize>>> {
        let is_aside_of = |link: &Link, block: &Option<BlockId>| {
            block
                .as_ref()
                .is_some_and(|block| is_aside(domain, link, block))
        };
        let in_background = |left: &Left| {
            (0..left.above.len()).any(|depth| is_aside_of(&left.above[depth], &called(left, depth)))
        };
        if !self.rest.is_empty() || !self.within.iter().any(in_background) {
            return None;
        }
        let waits = |later: usize, earlier: usize| {
            let (Some(a), Some(b)) = (self.within.get(earlier), self.within.get(later)) else {
                return true;
            };
            let mut both = a.above.iter().zip(&b.above);
            let depth = both.position(|(a, b)| a.id != b.id);
            let depth = depth.unwrap_or(a.above.len().min(b.above.len()));
            // The lowest task above both. A cleanup has none.
            let Some(depth) = depth.checked_sub(1) else {
                return true;
            };
            let link = &a.above[depth];
            let (first, second) = (called(a, depth), called(b, depth));
            let both = first.as_ref().zip(second.as_ref());
            let is_chain = both.is_some_and(|(first, second)| link.leads(first, second));
            if first == second {
                return true;
            }
            !is_aside_of(link, &first) && (is_chain || !is_aside_of(link, &second))
        };
        let mut order: Vec<Vec<usize>> = vec![];
        for later in 0..self.tasks.len() {
            let all = (0..later).filter(|earlier| {
                // Directly, or through one in between.
                waits(later, *earlier)
                    || (earlier + 1..later)
                        .any(|between| waits(later, between) && order[between].contains(earlier))
            });
            let all = all.collect();
            order.push(all);
        }
        Some(order)
    }
}

/// Returns the block by which a task above an open one, given by its depth, leads to it.
fn called(left: &Left, depth: usize) -> Option<BlockId> {
    let block = match left.above.get(depth + 1) {
        Some(link) => &link.block,
        None => &left.block,
    };
    block.clone()
}
