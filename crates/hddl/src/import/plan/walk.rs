//! Walks through a plan step by step, and decomposes each compound task as early as
//! it can be: once what comes before it is done and its method is applicable. That
//! leaves what comes after it the most room.
//!
//! Where several [`Way`]s fit a task, all of them are followed side by side. What is
//! below a task knows nothing of what is beside it but when it may begin, and the
//! others nothing of it but when it is done: so of ways the one that is done first is
//! as good as any, and no choice here has to be tried with each one there.

use super::Candidate;
use super::bind::{Bindings, Conditions};
use super::tree::{Tree, TreeKind};
use taskloom_document::{Document, EffectTiming, Name, Scenario};
use taskloom_planner::plan::{GroundTask, Invalid, Step, World};

/// A compound task that may begin at some step.
#[derive(Debug)]
pub struct Begun {
    node: usize,
    since: usize,
    /// Ways that were not applicable so far.
    waiting: Vec<usize>,
    /// The ways that it was decomposed by.
    tried: Vec<usize>,
    /// How many of those can still come to an end.
    alive: usize,
    /// The one that did.
    done: Option<usize>,
    is_dead: bool,
    /// Who waits for it.
    waiters: Vec<(usize, usize)>,
    /// Why the first way was not applicable at last.
    why: String,
}

/// A task decomposed in one way.
#[derive(Debug)]
pub struct Tried {
    begun: usize,
    /// Its way.
    pub way: usize,
    /// The first step before which it was decomposed.
    pub at: usize,
    /// What its variables stand for.
    pub bindings: Bindings,
    /// For how many children each child waits.
    waits: Vec<u32>,
    /// What became of each child; nothing of steps.
    children: Vec<Option<usize>>,
    /// How many children are not done.
    open: usize,
    is_dead: bool,
}

/// A plan that holds: which way each task was decomposed by.
pub struct Walked {
    pub steps: Vec<Step>,
    begun: Vec<Begun>,
    tried: Vec<Tried>,
}

impl Walked {
    /// How the task above the initial ones was decomposed.
    pub fn top(&self) -> Option<&Tried> {
        self.tried.get(self.begun.first()?.done?)
    }

    /// How a child was decomposed.
    pub fn child(&self, of: &Tried, place: usize) -> Option<&Tried> {
        let begun = of.children.get(place).copied().flatten()?;
        self.tried.get(self.begun.get(begun)?.done?)
    }
}

struct Walk<'a> {
    tree: &'a Tree,
    candidates: &'a [Vec<Candidate>],
    document: &'a Document,
    world: World<'a>,
    conditions: Conditions,
    begun: Vec<Begun>,
    tried: Vec<Tried>,
    /// Of each node, each time that it began.
    begun_of: Vec<Vec<usize>>,
    /// Those that may be applicable now, and those that were not.
    ready: Vec<usize>,
    waiting: Vec<usize>,
}

/// Walks through the plan that a tree stands for, with the ways that fit each node.
///
/// # Errors
/// The first thing that is wrong, step by step.
pub fn walk(
    tree: &Tree,
    candidates: &[Vec<Candidate>],
    document: &Document,
    scenario: &Name,
) -> Result<Walked, Invalid> {
    let nothing = Scenario::default();
    let scenario = document.scenarios.get(scenario);
    let mut walk = Walk {
        tree,
        candidates,
        document,
        world: World::initial(document, scenario.map_or(&nothing, |s| &**s)),
        conditions: Conditions::default(),
        begun: vec![],
        tried: vec![],
        begun_of: vec![vec![]; tree.nodes.len()],
        ready: vec![],
        waiting: vec![],
    };
    walk.begin(0, 0);
    let mut steps = vec![];
    for number in 0..tree.steps.len() {
        steps.push(walk.step(number)?);
    }
    walk.settle(steps.len());
    if walk.begun.first().is_none_or(|top| top.done.is_none()) {
        return Err(Invalid {
            message: walk.unfinished(),
            step: None,
        });
    }
    Ok(Walked {
        steps,
        begun: walk.begun,
        tried: walk.tried,
    })
}

impl Walk<'_> {
    /// A compound task may begin before a step.
    fn begin(&mut self, node: usize, at: usize) -> usize {
        let own = self.begun_of.get(node).into_iter().flatten();
        let same = own
            .copied()
            .find(|b| self.begun.get(*b).is_some_and(|b| b.since == at));
        if let Some(same) = same {
            return same;
        }
        let number = self.begun.len();
        let ways = self.candidates.get(node).map_or(0, Vec::len);
        self.begun.push(Begun {
            node,
            since: at,
            waiting: (0..ways).collect(),
            tried: vec![],
            alive: 0,
            done: None,
            is_dead: false,
            waiters: vec![],
            why: String::new(),
        });
        if let Some(own) = self.begun_of.get_mut(node) {
            own.push(number);
        }
        self.ready.push(number);
        number
    }

    /// Decomposes all that can be decomposed before a step.
    fn settle(&mut self, at: usize) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.reverse();
        self.ready.append(&mut waiting);
        while let Some(begun) = self.ready.pop() {
            if self.decompose(begun, at) {
                waiting.push(begun);
            }
        }
        self.waiting = waiting;
    }

    /// Decomposes a task in every way that is applicable; whether there may be more.
    fn decompose(&mut self, begun: usize, at: usize) -> bool {
        let Some(own) = self.begun.get_mut(begun) else {
            return false;
        };
        if own.done.is_some() || own.is_dead {
            return false;
        }
        let node = own.node;
        let mut left = vec![];
        for way in std::mem::take(&mut own.waiting) {
            let Some(candidate) = self.candidates.get(node).and_then(|all| all.get(way)) else {
                continue;
            };
            // Where it has the same order and began already, only its variables differ:
            // nothing below it sees those.
            if self.is_begun_alike(begun, candidate) {
                continue;
            }
            match self.applicable(node, candidate) {
                Err(why) => {
                    if let Some(own) = self.begun.get_mut(begun)
                        && left.is_empty()
                    {
                        own.why = why;
                    }
                    left.push(way);
                }
                Ok(bindings) => {
                    self.start(begun, way, at, bindings);
                    if self.begun.get(begun).is_some_and(|b| b.done.is_some()) {
                        return false;
                    }
                }
            }
        }
        let is_open = !left.is_empty();
        if let Some(own) = self.begun.get_mut(begun) {
            own.waiting = left;
        }
        is_open
    }

    /// Whether a task was decomposed in a way that allows its children all that
    /// another one does.
    fn is_begun_alike(&self, begun: usize, candidate: &Candidate) -> bool {
        let tried = self.begun.get(begun).into_iter().flat_map(|b| &b.tried);
        tried.into_iter().any(|tried| {
            let tried = self.tried.get(*tried);
            let node = self.begun.get(begun).map_or(0, |b| b.node);
            let other = tried.and_then(|t| self.candidates.get(node)?.get(t.way));
            other.is_some_and(|other| {
                other.way.order.is_empty() || other.way.order == candidate.way.order
            })
        })
    }

    fn applicable(&mut self, node: usize, candidate: &Candidate) -> Result<Bindings, String> {
        let (pattern, way) = (&*candidate.pattern, &candidate.way);
        let Some(own) = self
            .tree
            .nodes
            .get(node)
            .filter(|_| pattern.resolution.is_some())
        else {
            return Ok(vec![]);
        };
        let stated = way.places.iter().filter_map(|place| {
            let (_, child) = self.tree.child(node, *place as usize)?;
            Some(&child.task)
        });
        let stated: Vec<&GroundTask> = stated.collect();
        let (document, world) = (self.document, &self.world);
        self.conditions
            .bindings(document, world, &own.task, pattern, &way.known, &stated)
    }

    fn start(&mut self, begun: usize, way: usize, at: usize, bindings: Bindings) {
        let node = self.begun.get(begun).map_or(0, |b| b.node);
        let children = self.tree.children(node).len();
        let mut waits = vec![0; children];
        for (_, second) in self.order(node, way) {
            if let Some(waits) = waits.get_mut(*second as usize) {
                *waits += 1;
            }
        }
        let free: Vec<usize> = (0..children)
            .filter(|c| waits.get(*c) == Some(&0))
            .collect();
        let number = self.tried.len();
        self.tried.push(Tried {
            begun,
            way,
            at,
            bindings,
            waits,
            children: vec![None; children],
            open: children,
            is_dead: false,
        });
        if let Some(own) = self.begun.get_mut(begun) {
            own.tried.push(number);
            own.alive += 1;
        }
        let mut done = vec![];
        if children == 0 {
            self.finish(number, &mut done);
        }
        for place in free {
            self.release(number, place, at, &mut done);
        }
        self.complete(done, at);
    }

    /// The orderings of a node's children in one way.
    fn order(&self, node: usize, way: usize) -> &[(u32, u32)] {
        let candidate = self.candidates.get(node).and_then(|all| all.get(way));
        candidate.map_or(&[], |candidate| &candidate.way.order)
    }

    /// A child waits for nothing any more.
    fn release(&mut self, tried: usize, place: usize, at: usize, done: &mut Vec<(usize, usize)>) {
        let begun = self.tried.get(tried).map_or(0, |t| t.begun);
        let node = self.begun.get(begun).map_or(0, |b| b.node);
        let Some((child, own)) = self.tree.child(node, place) else {
            return;
        };
        if matches!(own.kind, TreeKind::Step(_)) {
            return;
        }
        let begun = self.begin(child, at);
        if let Some(slot) = self
            .tried
            .get_mut(tried)
            .and_then(|t| t.children.get_mut(place))
        {
            *slot = Some(begun);
        }
        if let Some(begun) = self.begun.get_mut(begun) {
            if begun.done.is_some() {
                done.push((tried, place));
            } else {
                begun.waiters.push((tried, place));
            }
        }
    }

    /// A task is done in one way, and with it those that wait for it know.
    fn finish(&mut self, tried: usize, done: &mut Vec<(usize, usize)>) {
        let begun = self.tried.get(tried).map_or(0, |t| t.begun);
        if let Some(own) = self.begun.get_mut(begun)
            && own.done.is_none()
        {
            own.done = Some(tried);
            own.waiting.clear();
            done.append(&mut own.waiters);
        }
    }

    /// Children are done, and with them perhaps those above.
    fn complete(&mut self, mut done: Vec<(usize, usize)>, at: usize) {
        while let Some((number, place)) = done.pop() {
            let Some(tried) = self.tried.get_mut(number).filter(|t| !t.is_dead) else {
                continue;
            };
            tried.open -= 1;
            let (begun, is_done) = (tried.begun, tried.open == 0);
            if is_done {
                self.finish(number, &mut done);
                continue;
            }
            let way = tried.way;
            let node = self.begun.get(begun).map_or(0, |b| b.node);
            let order = self.order(node, way);
            let first = order.partition_point(|(first, _)| (*first as usize) < place);
            let behind = order.iter().skip(first);
            let behind = behind.take_while(|(first, _)| *first as usize == place);
            let behind: Vec<usize> = behind.map(|(_, second)| *second as usize).collect();
            for second in behind {
                let waits = self
                    .tried
                    .get_mut(number)
                    .and_then(|t| t.waits.get_mut(second));
                let is_free = waits.is_some_and(|waits| {
                    *waits -= 1;
                    *waits == 0
                });
                if is_free {
                    self.release(number, second, at, &mut done);
                }
            }
        }
    }

    /// Does a step.
    fn step(&mut self, number: usize) -> Result<Step, Invalid> {
        let at = |message: String| Invalid {
            message,
            step: Some(number),
        };
        self.settle(number);
        let node = self.tree.steps.get(number).copied().unwrap_or_default();
        if let Some(why) = self.rule_out(node, number) {
            return Err(at(why));
        }
        let task = self.tree.nodes.get(node).map(|n| n.task.clone());
        let task = task.ok_or_else(|| at("it belongs to no task".to_owned()))?;
        let Some(record) = self.world.primitive(&task) else {
            return Err(at(format!("'{}' is not a primitive task", task.task)));
        };
        if record.params.len() != task.args.len() {
            return Err(at(format!("'{task}' has {} arguments", task.args.len())));
        }
        let mut args = record.params.iter().zip(&task.args);
        if let Some((param, object)) = args.find(|(p, o)| !self.world.has_object(o, &p.of)) {
            return Err(at(format!("'{task}': '{object}' is not a {}", param.of)));
        }
        let (starts, params) = (&record.preconditions, record.params);
        if let Some(why) = self.world.first_violation(starts, params, &task.args) {
            return Err(at(format!(
                "'{task}' cannot start, for this does not hold: {why}"
            )));
        }
        let planned = |timing| timing != EffectTiming::Executed;
        let changes = self.world.changes(record, &task.args, planned);
        let changes = changes.map_err(|why| at(format!("'{task}': {why}")))?;
        let cost = self.world.cost(record, &task.args);
        self.world.apply(&changes);
        let mut done = vec![];
        if let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
        {
            for tried in self.alive(parent) {
                done.push((tried, own.place));
            }
        }
        self.complete(done, number + 1);
        Ok(Step {
            task,
            node,
            cost,
            after: vec![],
            changes,
        })
    }

    /// The ways by which a node was decomposed that can still come to an end.
    fn alive(&self, node: usize) -> Vec<usize> {
        let begun = self.begun_of.get(node).into_iter().flatten();
        let begun = begun.filter_map(|begun| self.begun.get(*begun));
        let begun = begun.filter(|begun| begun.done.is_none() && !begun.is_dead);
        let tried = begun.flat_map(|begun| &begun.tried).copied();
        let is_alive = |tried: &usize| self.tried.get(*tried).is_some_and(|t| !t.is_dead);
        tried.filter(is_alive).collect()
    }

    /// Rules out the ways in which a step comes too early; why it does, where none is
    /// left.
    fn rule_out(&mut self, step: usize, number: usize) -> Option<String> {
        let mut late: Vec<usize> = vec![];
        let mut closed: Vec<usize> = vec![];
        let mut node = step;
        // Those above it begin with it as far as it is their first step.
        while let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
            && self.tree.first(node) == Some(number)
        {
            let waits = |tried: &usize| {
                let tried = self.tried.get(*tried);
                tried.is_some_and(|t| t.waits.get(own.place).is_none_or(|w| *w > 0))
            };
            late.extend(self.alive(parent).into_iter().filter(waits));
            if self.tree.first(parent) == Some(number) {
                let begun = self.begun_of.get(parent).into_iter().flatten();
                closed.extend(begun.copied());
            }
            node = parent;
        }
        let closed = closed.into_iter().filter(|begun| {
            let begun = self.begun.get(*begun);
            begun.is_some_and(|b| !b.waiting.is_empty() && b.done.is_none() && !b.is_dead)
        });
        let closed: Vec<usize> = closed.collect();
        if late.is_empty() && closed.is_empty() {
            return None;
        }
        let why = self.too_early(step);
        let mut dead = vec![];
        for begun in closed {
            if let Some(own) = self.begun.get_mut(begun) {
                own.waiting.clear();
                if own.alive == 0 {
                    dead.push(begun);
                }
            }
        }
        loop {
            while let Some(tried) = late.pop() {
                let Some(own) = self.tried.get_mut(tried).filter(|t| !t.is_dead) else {
                    continue;
                };
                own.is_dead = true;
                let begun = own.begun;
                if let Some(own) = self.begun.get_mut(begun) {
                    own.alive -= 1;
                    if own.alive == 0 && own.waiting.is_empty() && own.done.is_none() {
                        dead.push(begun);
                    }
                }
            }
            let Some(begun) = dead.pop() else { break };
            if let Some(own) = self.begun.get_mut(begun) {
                own.is_dead = true;
                late.extend(own.waiters.drain(..).map(|(tried, _)| tried));
            }
        }
        let is_over = self.begun.first().is_none_or(|top| top.is_dead);
        is_over.then_some(why)
    }

    /// The first way by which a task was decomposed that can come to an end.
    fn first_alive(&self, begun: usize) -> Option<(usize, &Tried)> {
        let tried = self.begun.get(begun)?.tried.iter();
        let mut tried = tried.filter_map(|tried| Some((*tried, self.tried.get(*tried)?)));
        tried.find(|(_, tried)| !tried.is_dead)
    }

    /// Why a step comes too early.
    fn too_early(&self, step: usize) -> String {
        let name = |node: usize| {
            let node = self.tree.nodes.get(node);
            node.map(|n| n.task.to_string()).unwrap_or_default()
        };
        let mut path = vec![];
        let mut node = step;
        while let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
        {
            path.push((parent, own.place));
            node = parent;
        }
        let mut begun = 0;
        for (node, place) in path.into_iter().rev() {
            let Some((_, tried)) = self.first_alive(begun) else {
                return self.not_applicable(begun);
            };
            if tried.waits.get(place).is_some_and(|waits| *waits > 0) {
                let order = self.order(node, tried.way).iter();
                let mut before = order.filter(|(_, second)| *second as usize == place);
                let open = before.find_map(|(first, _)| {
                    let (child, _) = self.tree.child(node, *first as usize)?;
                    let begun = tried.children.get(*first as usize).copied().flatten();
                    let is_done = match begun.and_then(|begun| self.begun.get(begun)) {
                        Some(begun) => begun.done.is_some(),
                        // A step, or what could not begin.
                        None => self.tree.first(child).is_some_and(|first| {
                            Some(first) < self.tree.first(step)
                                && matches!(
                                    self.tree.nodes.get(child).map(|n| &n.kind),
                                    Some(TreeKind::Step(_))
                                )
                        }),
                    };
                    (!is_done).then_some((child, begun))
                });
                return match open {
                    Some((_, Some(begun))) if self.first_alive(begun).is_none() => {
                        self.not_applicable(begun)
                    }
                    Some((child, _)) => {
                        format!("'{}' comes before '{}' is done", name(step), name(child))
                    }
                    None => format!("'{}' comes too early", name(step)),
                };
            }
            match tried.children.get(place).copied().flatten() {
                Some(child) => begun = child,
                None => break,
            }
        }
        format!("'{}' comes too early", name(step))
    }

    /// What was not decomposed until the end.
    fn unfinished(&self) -> String {
        let mut begun = 0;
        while let Some((_, tried)) = self.first_alive(begun) {
            let open = tried.children.iter().flatten().find(|child| {
                let child = self.begun.get(**child);
                child.is_some_and(|child| child.done.is_none())
            });
            match open {
                Some(child) => begun = *child,
                None => break,
            }
        }
        self.not_applicable(begun)
    }

    fn not_applicable(&self, begun: usize) -> String {
        let Some(begun) = self.begun.get(begun) else {
            return "the initial tasks are not done".to_owned();
        };
        let why = &begun.why;
        match self.tree.nodes.get(begun.node).map(|n| (&n.task, &n.kind)) {
            Some((task, TreeKind::Compound { method, .. })) if !method.is_empty() => {
                format!("method '{method}' of '{task}' is not applicable: {why}")
            }
            _ => why.clone(),
        }
    }
}
