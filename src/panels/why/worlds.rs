//! The world that a character planned in, as it was and as the character believed it to be.

use std::collections::BTreeSet;

use taskloom_domain::Domain;
use taskloom_domain::lang::{Env, World as _};
use taskloom_domain::method::Content;
use taskloom_domain::world::{Reads, World};
use taskloom_planner::compile::QueryAnswer;
use taskloom_planner::plan::{Atom, Node, Plan, Value};
use taskloom_runtime::{Moment, world_at};

use crate::worker::Answer;
use taskloom_document::sort::{CompactSort, set_of};

/// The maximum number of beliefs that are listed.
const MAX_BELIEFS: usize = 3;

/// A belief that a plan is based on.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// The ground fact.
    pub atom: Atom,
    /// The value that the character believed it to have.
    pub believed: Value,
    /// Its value in the world.
    pub actual: Value,
}

impl Belief {
    /// Returns `true` if it differs from the world.
    pub fn is_wrong(&self) -> bool {
        self.believed != self.actual
    }
}

/// The world at the time of a planning.
pub struct Worlds {
    believed: World,
    actual: World,
    /// The game's answers to queries.
    pub answers: Vec<QueryAnswer>,
}

impl Worlds {
    /// Returns the worlds in which one of the run's plans was made, or the scenario's plan.
    pub fn at(
        domain: &Domain,
        answer: &Answer,
        character: usize,
        plan: Option<usize>,
    ) -> Option<Self> {
        let scene = domain.scene(&answer.scenario)?;
        let actor = scene.actor(character).clone();
        let moment = plan.map_or(Moment::Start, Moment::Planning);
        let mut believed = World::initial(domain, scene)
            .with_own_memory()
            .believed_by(actor.clone());
        let mut actual = World::initial(domain, scene);
        if let Some(run) = &answer.run {
            for change in run.believed_until(domain.document(), character, moment) {
                believed.apply(std::slice::from_ref(change));
            }
            actual = world_at(domain, scene, run, moment);
            if domain.clock().runs {
                believed.set_time(f64::from(run.tick_at(moment)));
            }
        }
        let planning = plan.and_then(|at| answer.run.as_ref()?.plans.get(at));
        Some(Self {
            believed,
            actual: actual.played_by(actor),
            answers: planning.map_or_else(Vec::new, |planning| planning.answers.clone()),
        })
    }

    /// Returns the believed world after the first steps of a plan.
    pub fn after(&self, plan: &Plan, steps: usize) -> World {
        let mut world = self.believed.clone();
        for step in plan.steps.iter().take(steps) {
            let task = world.primitive(&step.task);
            let ticks = task.map_or(0, |task| world.duration(task, &step.task.args));
            world.apply(&step.changes);
            world.pass(f64::from(ticks));
        }
        world
    }

    /// Returns the beliefs that a task of a plan depends on, wrong ones first: those that its
    /// preconditions read, and wrong ones that the decisions above it read. Only facts that the
    /// character has senses for can be wrong.
    pub fn beliefs(&self, plan: &Plan, node: usize, above: &[usize]) -> Vec<Belief> {
        let Some(own) = plan.nodes.get(node) else {
            return vec![];
        };
        let belief = |atom: Atom| Belief {
            believed: self.believed.value(&atom),
            actual: self.actual.value(&atom),
            atom,
        };
        let is_sensed = |atom: &Atom| self.believed.actor().senses(&atom.fact);
        let own = self.read(|world| read_preconditions(world, own));
        let decisions = self.read(|world| {
            let nodes = above.iter().filter_map(|node| plan.nodes.get(*node));
            nodes.for_each(|node| read_decisions(world, node));
        });
        let decisions = decisions.into_iter().filter(|atom| !own.contains(atom));
        let decisions: Vec<Belief> = decisions.filter(is_sensed).map(belief).collect();
        let own = own.iter().filter(|atom| is_sensed(atom)).cloned();
        let mut all: Vec<Belief> = own.map(belief).collect();
        all.extend(decisions.into_iter().filter(Belief::is_wrong));
        all.compact_sort_by_key(|belief| !belief.is_wrong());
        all.truncate(MAX_BELIEFS);
        all
    }

    /// Returns the ground facts read from the believed world.
    fn read(&self, ask: impl FnOnce(&World)) -> BTreeSet<Atom> {
        let reads = Reads::default();
        ask(&self.believed.clone().recording_reads(reads.clone(), false));
        let read = reads.lock().map(|reads| set_of(reads.iter().cloned()));
        read.unwrap_or_default()
    }
}

fn read_preconditions(world: &World, node: &Node) {
    let (conditions, params) = match (world.primitive(&node.task), world.compound(&node.task)) {
        (Some(task), _) => (&task.preconditions, &task.record.params),
        (None, Some(task)) => (&task.preconditions, &task.record.params),
        (None, None) => return,
    };
    let env = Env::bound(params, &node.task.args);
    for condition in conditions {
        // An invalid condition reads nothing.
        let _ = world.holds(condition, &env);
    }
}

/// Evaluates the conditions on the path by which a task was decomposed.
fn read_decisions(world: &World, node: &Node) {
    let (Some(decomposed), Some(compound)) = (node.decomposed(), world.compound(&node.task)) else {
        return;
    };
    let mut env = Env::bound(&compound.record.params, &node.task.args);
    if let Some(goal) = &compound.goal {
        let _ = world.holds(goal, &env);
    }
    let Some(method) = world.domain().method(compound) else {
        return;
    };
    for (position, block) in (0..).zip(&method.chart.blocks) {
        if !decomposed.blocks.contains(&block.id) {
            continue;
        }
        let content = world.domain().content(method, position);
        if let Content::Bind { variable, .. } = content {
            let mut bindings = decomposed.bindings.iter();
            if let Some((.., object)) = bindings.find(|(id, ..)| *id == block.id) {
                env.bind(variable.name.clone(), object.clone());
            }
        }
        if let Some(condition) = content.condition() {
            // An invalid condition reads nothing.
            let _ = world.holds(condition, &env);
        }
    }
}
