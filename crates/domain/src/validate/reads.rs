//! Repeats the reads that led to a decomposition: everything that its flowchart evaluates, path by
//! path in order, until the chosen one is found (semantics, sections 3 and 5). This decides
//! nothing; it only makes the world record what is read.

use std::cmp::Ordering;

use super::method::Method;
use super::path::Path;
use crate::lang::typed::{Formula, Number};
use crate::lang::{Env, World as _, eval_number, eval_term};
use crate::method::Content;
use crate::text::{TypedText, values};
use crate::world::World;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Alternative, Block, BlockId, ChoicePolicy, Name, Port};

/// A path with its bindings.
type TakenPath<'p> = (&'p Path, &'p [(BlockId, Name, Name)]);

/// Evaluates what a flowchart evaluates until it reaches a path with these bindings, or everything
/// if there is none. The path must be one of the flowchart's, and `env` has the task's arguments.
pub fn evaluate_until(world: &World, method: &Method, taken: Option<TakenPath>, env: &Env) {
    let mut chosen = vec![None; method.blocks.len()];
    let taken = taken.into_iter();
    let blocks = taken.flat_map(|(path, bindings)| {
        let blocks = path.blocks.iter().enumerate();
        blocks.map(move |(place, block)| (path, bindings, place, block))
    });
    for (path, bindings, place, block) in blocks {
        let port = path.taken[place].first();
        chosen[*block] = match &*method.blocks[*block].block {
            Block::Branch { .. } => port.map(|port| Taken::Port(*port)),
            Block::Choice { .. } => Some(port.map_or(Taken::Nothing, |port| Taken::Port(*port))),
            Block::Bind { .. } => {
                let id = &method.blocks[*block].id;
                let binding = bindings.iter().find(|(bind, ..)| bind == id);
                binding.map(|(_, _, object)| Taken::Object(object.clone()))
            }
            Block::Begin {} | Block::Task { .. } | Block::End {} => None,
        };
    }
    let mut walk = Walk {
        world,
        method,
        env,
        chosen,
        entering: vec![0; method.blocks.len()],
        trail: vec![],
        bound: vec![None; method.blocks.len()],
        open: vec![],
    };
    walk.walk();
}

/// The option taken at a deciding block.
#[derive(Debug, Clone, PartialEq)]
enum Taken {
    Port(Port),
    /// A Choice's output without a wire.
    Nothing,
    Object(Name),
}

/// A decision that was taken, with its remaining options.
struct Open {
    /// The index of the block in the order of resolution.
    place: usize,
    /// The remaining options, the last one first.
    options: Vec<Taken>,
    /// The length of the trail before the decision.
    trail: usize,
    /// `true` if all decisions before it are the chosen ones. The last option is then the chosen
    /// one.
    is_chosen: bool,
}

struct Walk<'p> {
    world: &'p World,
    method: &'p Method,
    env: &'p Env,
    /// The option that the path takes at each block on it.
    chosen: Vec<Option<Taken>>,
    /// The number of wires on the current path that enter each block.
    entering: Vec<usize>,
    /// The blocks that they enter, in the order in which the wires were taken.
    trail: Vec<usize>,
    /// The object bound by each Bind on the current path.
    bound: Vec<Option<Name>>,
    open: Vec<Open>,
}

impl Walk<'_> {
    fn walk(&mut self) {
        let (mut place, mut is_chosen) = (0, true);
        while !self.method.stop.after(1) {
            let Some(block) = self.method.order.get(place).copied() else {
                // A path is complete.
                if is_chosen {
                    return;
                }
                let Some(next) = self.next() else { return };
                (place, is_chosen) = next;
                continue;
            };
            let is_present = block == self.method.begin || self.entering[block] > 0;
            let decides = self.method.blocks[block].block.kind().decides();
            if is_present && decides {
                let chosen = self.chosen[block].clone().filter(|_| is_chosen);
                let mut options = self.options(block, chosen.as_ref());
                options.reverse();
                self.open.push(Open {
                    place,
                    options,
                    trail: self.trail.len(),
                    is_chosen,
                });
                let Some(next) = self.next() else { return };
                (place, is_chosen) = next;
            } else {
                if is_present {
                    self.enter(block, Port::Out);
                }
                place += 1;
            }
        }
    }

    /// Takes the next option of the last decision that has one. Returns the index to continue at,
    /// and `true` if all decisions are then the chosen ones.
    fn next(&mut self) -> Option<(usize, bool)> {
        while let Some(open) = self.open.last_mut() {
            for block in self.trail.drain(open.trail..) {
                self.entering[block] -= 1;
            }
            let block = self.method.order[open.place];
            self.bound[block] = None;
            if let Some(option) = open.options.pop() {
                let next = (open.place + 1, open.is_chosen && open.options.is_empty());
                match option {
                    Taken::Port(port) => self.enter(block, port),
                    Taken::Nothing => {}
                    Taken::Object(object) => {
                        self.bound[block] = Some(object);
                        self.enter(block, Port::Out);
                    }
                }
                return Some(next);
            }
            self.open.pop();
        }
        None
    }

    /// Enters the blocks that the wires of an output lead to.
    fn enter(&mut self, block: usize, port: Port) {
        let id = &self.method.blocks[block].id;
        let wires = &self.method.wires;
        let first = wires.partition_point(|(wire, ..)| wire.from < *id);
        for (wire, from, to) in &wires[first..] {
            if *from != block {
                break;
            }
            if wire.port == port {
                self.entering[*to] += 1;
                self.trail.push(*to);
            }
        }
    }

    /// Returns the options at a block in order, at most up to `chosen` if that is known.
    fn options(&self, block: usize, chosen: Option<&Taken>) -> Vec<Taken> {
        let leaving = &self.method.blocks[block].leaving;
        let content = self.method.content(block, self.world);
        let mut options = match content {
            Some(Content::Branch(condition)) => {
                let port = if self.holds(condition, &self.known(block)) {
                    Port::True
                } else {
                    Port::False
                };
                let side = Some(Taken::Port(port)).filter(|_| leaving.contains(&port));
                side.into_iter().collect()
            }
            Some(Content::Choice {
                alternatives,
                policy,
                scores,
            }) => {
                let score =
                    |score: &Option<TypedText<Number>>| self.number(score, &self.known(block));
                let taken = |output: &Alternative| {
                    let port = Port::Alternative(output.id);
                    let wired = Some(Taken::Port(port)).filter(|_| leaving.contains(&port));
                    wired.unwrap_or(Taken::Nothing)
                };
                let scored = alternatives.iter().zip(scores);
                let mut scored: Vec<(Taken, Option<f64>)> = scored
                    .map(|(output, text)| (taken(output), score(text)))
                    .collect();
                let falling = |score: Option<f64>| score.map(|score| -score);
                match policy {
                    ChoicePolicy::First | ChoicePolicy::Random => {}
                    ChoicePolicy::Cheapest => {
                        scored.compact_sort_by(|(_, a), (_, b)| least_first(*a, *b))
                    }
                    ChoicePolicy::Highest => {
                        scored.compact_sort_by(|(_, a), (_, b)| {
                            least_first(falling(*a), falling(*b))
                        });
                    }
                }
                let mut options: Vec<Taken> = scored.into_iter().map(|(taken, _)| taken).collect();
                if let (ChoicePolicy::Random, Some(chosen)) = (policy, chosen) {
                    // The draw isn't known here: any of the other options may have come before.
                    options.retain(|option| option != chosen);
                    options.push(chosen.clone());
                }
                options
            }
            Some(Content::Bind {
                variable,
                condition,
                order_by,
                query,
            }) => {
                let env = self.known(block);
                for query in values(query) {
                    for arg in &query.args {
                        // What it stands for doesn't matter, only what it reads.
                        let _ = eval_term(arg, self.world, &env);
                    }
                }
                let mut fitting: Vec<(Name, Option<f64>)> = vec![];
                for object in self.world.objects(&variable.of) {
                    let mut env = self.known(block);
                    env.bind(variable.name.clone(), object.clone());
                    let fits = condition.as_ref();
                    if fits.is_none_or(|condition| self.holds(condition, &env)) {
                        let number = self.number(order_by, &env);
                        fitting.push((object, number));
                    }
                    // Any object may come first in the answer to a query.
                    let (Some((last, _)), None, None) = (fitting.last(), order_by, query) else {
                        continue;
                    };
                    if matches!(chosen, Some(Taken::Object(object)) if object == last) {
                        break;
                    }
                }
                fitting.compact_sort_by(|(_, a), (_, b)| least_first(*a, *b));
                let options = fitting.into_iter();
                let options = options.map(|(object, _)| Taken::Object(object));
                let mut options: Vec<Taken> = options.collect();
                if let (Some(_), Some(chosen)) = (query, chosen) {
                    // The answer isn't known here: any of the other objects may have come before.
                    options.retain(|option| option != chosen);
                    options.push(chosen.clone());
                }
                options
            }
            Some(Content::Pass | Content::Task { .. }) | None => vec![],
        };
        let last = options.iter().position(|option| Some(option) == chosen);
        if let Some(last) = last {
            options.truncate(last + 1);
        }
        options
    }

    fn holds(&self, condition: &TypedText<Formula>, env: &Env) -> bool {
        // An invalid condition doesn't hold.
        self.world.holds(condition, env).unwrap_or(false)
    }

    fn number(&self, text: &Option<TypedText<Number>>, env: &Env) -> Option<f64> {
        let number = text.as_ref()?.value.as_ref()?;
        let domain = self.world.domain();
        let number = Some(number).filter(|number| domain.number_is_readable(number))?;
        eval_number(number, self.world, env).ok()
    }

    /// Returns the variables at a block.
    fn known(&self, block: usize) -> Env {
        let mut env = self.env.clone();
        for bind in &self.method.blocks[block].binds {
            let variable = self.method.blocks[*bind].block.binds();
            if let (Some(variable), Some(object)) = (variable, &self.bound[*bind]) {
                env.bind(variable.name.clone(), object.clone());
            }
        }
        env
    }
}

/// Compares by increasing number, with undefined numbers last.
fn least_first(a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}
