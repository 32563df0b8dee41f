//! The validation of a plan in small pieces.

use std::sync::Arc;

use super::Invalid;
use super::method::Methods;
use super::order::Order;
use super::path::Paths;
use super::replay::Replay;
use super::tree::{self, Tree};
use crate::ground::GroundTask;
use crate::lang::World as _;
use crate::plan::{NodeKind, Plan, RootOrder};
use crate::world::{Values, World};

/// The reference that plans of a scenario are validated against: its world and its flowcharts, each
/// prepared once.
#[derive(Debug)]
pub struct Validator {
    world: World,
    methods: Methods,
}

impl Validator {
    /// Creates a validator for plans in worlds of the same scenario. The world's stop ends all
    /// validations.
    pub fn new(world: World) -> Self {
        Self {
            methods: Methods::new(world.document(), world.stop()),
            world,
        }
    }

    /// Returns the world that gives values their meaning.
    pub fn world(&self) -> &World {
        &self.world
    }
}

/// The progress of a validation. It stores neither the plan nor the validator: both must be the
/// same in each step.
#[derive(Debug)]
pub struct Validation {
    tasks: Vec<Result<GroundTask, String>>,
    /// The values of the world in which the plan starts, until the first step.
    values: Arc<Values>,
    /// The world, as far as the plan has been replayed.
    world: Option<World>,
    pass: Pass,
    /// The number of pieces of the pass that are done.
    done: usize,
    tree: Tree,
    order: Order,
    replay: Replay,
    paths: Paths,
}

/// The passes of a validation, one after the other. A piece of a pass is a step or a node.
#[derive(Debug, Clone, Copy)]
enum Pass {
    Steps,
    Nodes,
    Children,
    Roots,
    Spans,
    Sequence,
    Wires,
    Orderings,
    Replay,
    End,
}

impl Pass {
    fn next(self) -> Option<Self> {
        Some(match self {
            Self::Steps => Self::Nodes,
            Self::Nodes => Self::Children,
            Self::Children => Self::Roots,
            Self::Roots => Self::Spans,
            Self::Spans => Self::Sequence,
            Self::Sequence => Self::Wires,
            Self::Wires => Self::Orderings,
            Self::Orderings => Self::Replay,
            Self::Replay => Self::End,
            Self::End => return None,
        })
    }

    fn pieces(self, plan: &Plan) -> usize {
        match self {
            Self::Steps | Self::Orderings => plan.steps.len(),
            Self::Nodes | Self::Children | Self::Spans | Self::Wires | Self::Replay => {
                plan.nodes.len()
            }
            Self::Roots | Self::Sequence => plan.roots.len(),
            Self::End => 1,
        }
    }
}

impl Validation {
    /// Starts the validation of a plan that starts in a world with these values and does these
    /// tasks. A task that is invalid is given as an error.
    pub fn new(plan: &Plan, values: Arc<Values>, tasks: Vec<Result<GroundTask, String>>) -> Self {
        let (steps, nodes) = (plan.steps.len(), plan.nodes.len());
        Self {
            tasks,
            values,
            world: None,
            pass: Pass::Steps,
            done: 0,
            tree: Tree::new(nodes),
            order: Order::new(steps, nodes),
            replay: Replay::new(steps, nodes),
            paths: Paths::default(),
        }
    }

    /// Requires another order of the tasks than a sequence.
    #[must_use]
    pub fn ordered(mut self, order: Arc<RootOrder>) -> Self {
        self.order.require(order);
        self
    }

    /// Tells that the first tasks, this many, clean up before the others.
    #[must_use]
    pub fn after_cleanups(mut self, count: usize) -> Self {
        self.replay.cleanups = count;
        self
    }

    /// Checks this many more pieces of the plan. Returns the result once all are done; it is
    /// meaningless if the validator's stop was triggered.
    pub fn step(
        &mut self,
        validator: &Validator,
        plan: &Plan,
        pieces: u64,
    ) -> Option<Result<(), Invalid>> {
        let stop = &validator.methods.stop;
        let mut world = self.world.take().unwrap_or_else(|| {
            let values = std::mem::take(&mut self.values);
            validator.world.with_values(values, stop.clone())
        });
        for _ in 0..pieces {
            while self.done == self.pass.pieces(plan) {
                let Some(next) = self.pass.next() else {
                    return Some(Ok(()));
                };
                (self.pass, self.done) = (next, 0);
                if let Err(invalid) = self.enter(plan) {
                    return Some(Err(invalid));
                }
            }
            if stop.after(1) {
                return Some(Ok(()));
            }
            if let Err(invalid) = self.check(&validator.methods, &mut world, plan) {
                return Some(Err(invalid));
            }
            self.done += 1;
        }
        self.world = Some(world);
        None
    }

    /// Checks the rest of the plan, as [`step`](Self::step) does.
    pub fn finish(mut self, validator: &Validator, plan: &Plan) -> Result<(), Invalid> {
        loop {
            if let Some(checked) = self.step(validator, plan, u64::MAX) {
                return checked;
            }
        }
    }

    /// Runs the checks that precede the first piece of a pass.
    fn enter(&self, plan: &Plan) -> Result<(), Invalid> {
        match self.pass {
            Pass::Children => self.tree.check_roots(plan),
            Pass::Roots => tree::check_count(plan, self.tasks.len()),
            _ => Ok(()),
        }
    }

    /// Checks the next piece of the pass.
    fn check(&mut self, methods: &Methods, world: &mut World, plan: &Plan) -> Result<(), Invalid> {
        let number = self.done;
        match self.pass {
            Pass::Steps => Tree::check_step(plan, number),
            Pass::Nodes => {
                let node = &plan.nodes[number];
                if node.kind == NodeKind::Pending && !world.actor().is_reactive() {
                    let message = format!("'{}' is not decomposed", node.task);
                    return Err(Invalid::new(message));
                }
                self.order.note(plan, number);
                self.tree.check_node(plan, number)
            }
            Pass::Children => self.tree.check_children(plan, number),
            Pass::Roots => match self.tasks.get(number) {
                Some(task) => tree::check_root(plan, plan.roots[number], task),
                None => tree::check_goal_root(world, plan, plan.roots[number]),
            },
            Pass::Spans => {
                let number = plan.nodes.len() - 1 - number;
                self.replay.note(plan, number);
                self.order.join_parent(plan, number)
            }
            Pass::Sequence => self.order.check_root(plan, number),
            Pass::Wires => self
                .order
                .check_wires(methods, &mut self.paths, plan, number),
            Pass::Orderings => self.order.check_stated(plan, number, &methods.stop),
            Pass::Replay => self.replay.advance(methods, &mut self.paths, world, plan),
            Pass::End => self.replay.check_end(world, plan),
        }
    }
}
