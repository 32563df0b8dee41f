//! The options of a flowchart's blocks in a state.

use super::evaluate::{Evaluation, Frames, UNDEFINED};
use super::memory::MemoryUse;
use super::state::{AtomKey, State};
use super::tracer::{Tracer, explain};
use crate::compile::{
    Answers, BlockCode, BlockKind, Chart, ChoiceOrder, Conjunct, Decider, Flat, FlatBlock, List,
    NumberId,
};
use crate::plan::{TraceEvent, TraceKind};
use taskloom_document::Name;
use taskloom_domain::chance::draw;

/// The orderings of the Bind and Choice blocks in progress.
#[derive(Debug, Default)]
pub struct Orderings {
    /// The objects or outputs of all orderings, one ordering after the other.
    objects: Vec<u32>,
    starts: Vec<u32>,
    /// A buffer, reused by each new ordering.
    keyed: Vec<(f64, u32)>,
}

impl Orderings {
    /// Removes all orderings.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.starts.clear();
    }

    /// Adds an ordering of these objects or outputs.
    fn push(&mut self, keyed: Vec<(f64, u32)>) {
        self.starts.push(self.objects.len() as u32);
        self.objects.extend(keyed.iter().map(|(_, object)| *object));
        self.keyed = keyed;
    }

    /// Removes the last ordering.
    fn pop(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.objects.truncate(start as usize);
        }
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.objects)
            + MemoryUse::of_vec(&self.starts)
            + MemoryUse::of_vec(&self.keyed)
    }
}

/// Evaluates the conditions of a compound task's flowchart in the state in which the task is
/// decomposed.
pub struct BlockOptions<'a> {
    /// The domain.
    pub flat: &'a Flat,
    /// The chart.
    pub chart: &'a Chart,
    /// Its blocks, by position.
    pub blocks: &'a [FlatBlock],
    /// The state.
    pub state: &'a State,
    /// All frames.
    pub frames: &'a mut Frames,
    /// The start of the compound task's frame.
    pub base: usize,
    /// The tuple of the task that is decomposed.
    pub task: &'a [u32],
    /// The number of steps before it.
    pub step: usize,
    /// The seed of random choices.
    pub seed: u64,
    /// The answers to the queries of Bind blocks; `None` if queries don't count.
    pub answers: Option<&'a Answers>,
    /// The orderings of Bind and Choice blocks.
    pub orderings: &'a mut Orderings,
    /// The counter of the options tried.
    pub tried: &'a mut u64,
    /// The tracer that records failures.
    pub tracer: &'a mut Tracer,
    /// Creates the event of a failure.
    pub event: &'a dyn Fn(TraceKind) -> TraceEvent,
}

/// The objects among which a Bind with a query chooses.
enum Answer {
    /// All of its type.
    Any,
    /// These, in this order.
    Objects(Vec<u32>),
    /// Unknown until the query is answered.
    Open,
}

impl BlockOptions<'_> {
    fn evaluation(&mut self) -> Evaluation<'_> {
        Evaluation::new(self.flat, self.state, self.frames, self.base)
    }

    fn slot(&mut self, slot: u32) -> &mut u32 {
        &mut self.frames.slots[self.base + slot as usize]
    }

    /// Copies the variables of Bind blocks that a block's texts use. A Bind that isn't on the path
    /// has not bound its slot.
    fn import(&mut self, position: u32) -> bool {
        let blocks = self.blocks;
        blocks[position as usize].imports.iter().all(|import| {
            let bound = import.from.iter().map(|slot| *self.slot(*slot));
            let mut bound = bound.collect::<smallvec::SmallVec<[u32; 4]>>();
            bound.extend(import.otherwise.map(|slot| *self.slot(slot)));
            let object = bound.into_iter().find(|o| *o != UNDEFINED);
            *self.slot(import.slot) = object.unwrap_or(UNDEFINED);
            object.is_some()
        })
    }

    /// Records that a condition doesn't hold.
    fn record_failed(&mut self, position: u32, conjunct: Option<&Conjunct>) {
        if let Some(conjunct) = conjunct {
            self.record(position, conjunct, None);
        }
    }

    /// Records that a condition doesn't hold for an object of a Bind block.
    fn record_unfit(&mut self, position: u32, conjunct: &Conjunct) {
        let blocks = self.blocks;
        let bound = blocks[position as usize].code.binds();
        self.record(position, conjunct, bound.map(|(variable, _)| variable));
    }

    fn record(&mut self, position: u32, conjunct: &Conjunct, tried: Option<&Name>) {
        let block = &self.chart.blocks[position as usize].id;
        let (flat, state, base, event) = (self.flat, self.state, self.base, self.event);
        let frames = &mut *self.frames;
        if frames.is_spent() {
            // The evaluation was cut short, so nothing failed.
            return;
        }
        self.tracer.add(|| {
            let block = Some(block.clone());
            let mut failed = explain(flat, state, frames, base, conjunct, block);
            if let TraceKind::Failed { variable, .. } = &mut failed {
                *variable = tried.cloned();
            }
            event(failed)
        });
    }

    /// Records that all of a condition holds, if the output for that is a dead end.
    fn record_negation_failed(&mut self, position: u32, condition: &[Conjunct]) {
        let block = self.chart.blocks[position as usize].id.clone();
        let (flat, state, base, event) = (self.flat, self.state, self.base, self.event);
        let frames = &mut *self.frames;
        if frames.is_spent() {
            return;
        }
        self.tracer.add(|| {
            let (mut texts, mut seen) = (vec![], vec![]);
            for conjunct in condition {
                let why = explain(flat, state, frames, base, conjunct, None);
                if let TraceKind::Failed { conjunct, saw, .. } = why {
                    texts.push(conjunct);
                    seen.extend(
                        saw.into_iter()
                            .filter(|s| !seen.contains(s))
                            .collect::<Vec<_>>(),
                    );
                }
            }
            event(TraceKind::Failed {
                block: Some(block),
                variable: None,
                conjunct: format!("not ({})", texts.join(" and ")),
                saw: seen,
            })
        });
    }

    fn side(&mut self, position: u32, condition: &[Conjunct]) -> Option<u32> {
        let readable = condition.iter().all(|c| c.formula.is_some());
        if !readable || !self.import(position) {
            self.record_failed(position, condition.first());
            return None;
        }
        let failing = self.evaluation().first_failing(condition);
        let side = u32::from(failing.is_some());
        let wires = &self.chart.wires[wires_of(self.chart, position)];
        if !wires.iter().any(|w| w.option == side) {
            // The output that is taken is a dead end: record what would have to differ.
            match failing {
                Some(_) => self.record_failed(position, failing),
                None => self.record_negation_failed(position, condition),
            }
            return None;
        }
        Some(side)
    }

    /// Returns a query, given by its number, with the values of its arguments.
    fn query_key(&mut self, query: u32, args: List) -> AtomKey {
        let flat = self.flat;
        let mut key = AtomKey::from_slice(&[query]);
        for term in &flat.code.terms[args.range()] {
            key.push(self.evaluation().term(*term));
        }
        key
    }

    /// Returns the objects to choose from according to the answer to a query.
    fn answer(&mut self, query: Option<(u32, List)>, of_type: &[u32]) -> Answer {
        let (Some(answers), Some((query, args))) = (self.answers, query) else {
            return Answer::Any;
        };
        let key = self.query_key(query, args);
        // Nothing is near an undefined object.
        if key.contains(&UNDEFINED) {
            return Answer::Objects(vec![]);
        }
        match answers.to(&key) {
            Some(Some(objects)) => {
                let fitting = objects.iter().filter(|object| of_type.contains(object));
                Answer::Objects(fitting.copied().collect())
            }
            Some(None) => Answer::Any,
            None => Answer::Open,
        }
    }

    /// Records that the answer to the query of a Bind block has no object of its type.
    fn record_no_answer(&mut self, position: u32) {
        if !self.tracer.is_on() {
            return;
        }
        let flat = self.flat;
        let block = &self.blocks[position as usize];
        let BlockCode::Bind {
            type_name,
            query: Some((query, args)),
            ..
        } = &block.code
        else {
            return;
        };
        let key = self.query_key(*query, *args);
        let Some(query) = flat.query(&key) else {
            return;
        };
        let block = self.chart.blocks[position as usize].id.clone();
        let (of, event) = (type_name.clone(), self.event);
        self.tracer
            .add(|| event(TraceKind::NoAnswer { block, query, of }));
    }

    fn bind(&mut self, position: u32, before: Option<u32>) -> Option<u32> {
        let flat = self.flat;
        let BlockCode::Bind {
            slot,
            of,
            type_name,
            condition,
            order,
            query,
            ..
        } = &self.blocks[position as usize].code
        else {
            return None;
        };
        let (slot, objects) = (*slot, &flat.types[*of as usize]);
        if before.is_none() && !self.import(position) {
            self.record_failed(position, condition.first());
            *self.slot(slot) = UNDEFINED;
            return None;
        }
        if before.is_none() && objects.is_empty() {
            let block = self.chart.blocks[position as usize].id.clone();
            let (of, event) = (type_name.clone(), self.event);
            self.tracer.add(|| event(TraceKind::NoObject { block, of }));
            *self.slot(slot) = UNDEFINED;
            return None;
        }
        let answered;
        let objects = match self.answer(*query, objects) {
            Answer::Any => objects,
            Answer::Objects(found) => {
                if before.is_none() && found.is_empty() {
                    self.record_no_answer(position);
                }
                answered = found;
                &answered
            }
            Answer::Open => {
                *self.slot(slot) = UNDEFINED;
                return None;
            }
        };
        let Some(order) = order else {
            let first = before.map_or(0, |b| b as usize + 1);
            for (number, object) in objects.iter().enumerate().skip(first) {
                *self.tried += 1;
                *self.slot(slot) = *object;
                match self.evaluation().first_failing(condition) {
                    None => return Some(number as u32),
                    Some(conjunct) => self.record_unfit(position, conjunct),
                }
            }
            *self.slot(slot) = UNDEFINED;
            return None;
        };
        if before.is_none() {
            let mut keyed = std::mem::take(&mut self.orderings.keyed);
            keyed.clear();
            for object in objects {
                *self.tried += 1;
                *self.slot(slot) = *object;
                match self.evaluation().first_failing(condition) {
                    None => keyed.push((self.evaluation().number(*order), *object)),
                    Some(conjunct) => self.record_unfit(position, conjunct),
                }
            }
            // The sort is stable, so ties stay in object order. Undefined values come last.
            keyed.sort_by(|(a, _), (b, _)| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));
            self.orderings.push(keyed);
        }
        let start = *self.orderings.starts.last()?;
        let number = before.map_or(0, |b| b + 1);
        match self.orderings.objects.get((start + number) as usize) {
            Some(object) => {
                *self.tried += 1;
                *self.slot(slot) = *object;
                Some(number)
            }
            None => {
                self.orderings.pop();
                *self.slot(slot) = UNDEFINED;
                None
            }
        }
    }
}

impl BlockOptions<'_> {
    /// Returns the output of a Choice to try after the previous one, in order of descending keys.
    /// Ties are in the order as drawn, and outputs without a key come last.
    fn output(
        &mut self,
        position: u32,
        before: Option<u32>,
        scores: &[Option<NumberId>],
        key: fn(&Self, f64, (u32, u32)) -> f64,
    ) -> Option<u32> {
        if before.is_none() {
            // A score that reads an unbound variable is undefined.
            self.import(position);
            let mut keyed = std::mem::take(&mut self.orderings.keyed);
            keyed.clear();
            for (output, score) in (0u32..).zip(scores) {
                let score = score.map_or(f64::NAN, |score| self.evaluation().number(score));
                // Adding 0 removes the sign of a negative zero.
                keyed.push((key(self, score, (position, output)) + 0.0, output));
            }
            keyed.sort_by(|(a, _), (b, _)| a.is_nan().cmp(&b.is_nan()).then(b.total_cmp(a)));
            self.orderings.push(keyed);
        }
        let start = *self.orderings.starts.last()? as usize;
        let outputs = &self.orderings.objects[start..];
        let next = match before {
            Some(before) => outputs.iter().position(|output| *output == before)? + 1,
            None => 0,
        };
        let output = outputs.get(next).copied();
        if output.is_none() {
            self.orderings.pop();
        }
        output
    }

    /// Returns the random key of a Choice's output, so that the probability of each output to come
    /// first is its share of all weights: u^(1 / weight) for a draw u (Efraimidis and Spirakis
    /// 2006). An output without a score has the weight 1; one without a positive weight has no key.
    fn random_key(&self, weight: f64, (position, output): (u32, u32)) -> f64 {
        let weight = if weight.is_nan() { 1.0 } else { weight };
        if weight <= 0.0 {
            return f64::NAN;
        }
        let block = &self.chart.blocks[position as usize].id;
        let task = self.flat.ground_task(self.task);
        let decision = format!("{} {task} {block} {output}", self.step);
        // The logarithm of the key has the same order and doesn't underflow for small weights.
        draw(self.seed, &decision).ln() / weight
    }
}

fn wires_of(chart: &Chart, position: u32) -> std::ops::Range<usize> {
    let range = chart.wires_from(position);
    range.start as usize..range.end as usize
}

impl Decider for BlockOptions<'_> {
    fn pass(&mut self, position: u32) -> bool {
        let blocks = self.blocks;
        let code = &blocks[position as usize].code;
        let passes = match code.call() {
            Some((_, args)) => {
                let flat = self.flat;
                let args = &flat.code.terms[args.range()];
                self.import(position)
                    && args.iter().all(|t| self.evaluation().term(*t) != UNDEFINED)
            }
            None => code.is_passable(),
        };
        if let (false, BlockCode::Task { text, .. }) = (passes, code) {
            let block = self.chart.blocks[position as usize].id.clone();
            let event = self.event;
            self.tracer.add(|| {
                event(TraceKind::Failed {
                    block: Some(block),
                    variable: None,
                    conjunct: text.to_string(),
                    saw: vec![],
                })
            });
        }
        passes
    }

    fn next(&mut self, position: u32, kind: BlockKind, before: Option<u32>) -> Option<u32> {
        match &self.blocks[position as usize].code {
            BlockCode::Branch(condition) => {
                *self.tried += 1;
                before.is_none().then(|| self.side(position, condition))?
            }
            BlockCode::Bind { .. } => self.bind(position, before),
            BlockCode::Choice { order, .. } => {
                *self.tried += 1;
                match order {
                    ChoiceOrder::Drawn => {
                        Some(before.map_or(0, |b| b + 1)).filter(|o| *o < kind.options())
                    }
                    ChoiceOrder::Lowest(costs) => {
                        self.output(position, before, costs, |_, cost, _| -cost)
                    }
                    ChoiceOrder::Highest(scores) => {
                        self.output(position, before, scores, |_, score, _| score)
                    }
                    ChoiceOrder::Random(weights) => {
                        self.output(position, before, weights, Self::random_key)
                    }
                }
            }
            BlockCode::Pass | BlockCode::Task { .. } => None,
        }
    }
}
