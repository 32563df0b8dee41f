//! Lifts a compiled problem: flowcharts become lists of methods, formulas become negation normal
//! form, object facts become atoms.

use std::cell::Cell;

use super::condition::{Arg, Condition};
use super::model::{Action, Method, Model, Predicate, Source, Subtask, Task, TaskKind};
use taskloom_document::stop::Stop;
use taskloom_document::{BlockId, Name};
use taskloom_domain::flow::ChartBlock;
use taskloom_planner::compile::{BlockKind, Chart, Problem};
use taskloom_planner::search_kit::{
    BlockCode, Compiled, Decider, Flat, FlatBlock, FlatKind, FlatTask, Move, Resolution,
    Resolutions, TaskOrder,
};

mod action;
mod formula;

use formula::RuleFrame;

/// Problems with more methods than this are not lifted.
const MAX_METHODS: usize = 20_000;

/// Problems whose conditions have more parts than this in total are not lifted: each method has its
/// own copy, and each call of a named condition copies its body.
const MAX_PARTS: usize = 8_000_000;

/// The maximum arity: positions in an atom are bytes, and an object fact has an additional one for
/// its value.
const MAX_PLACES: usize = 250;

/// The reason why a problem has no lifted model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unliftable {
    /// A number fact is read or changed.
    Numbers,
    /// Its flowcharts have too many methods.
    TooManyMethods,
    /// Its conditions are too long when expanded.
    TooLong,
    /// The problem's stop token was triggered.
    Stopped,
    /// A fact with too many parameters is read.
    TooManyPlaces,
    /// A task has a goal.
    Goals,
}

impl Model {
    /// Lifts a problem. Returns `Ok(None)` if its initial network is invalid, so that no plan
    /// exists.
    pub fn new(problem: &Problem) -> Result<Option<Self>, Unliftable> {
        let flat = problem.flat();
        let Some(roots) = problem.roots() else {
            return Ok(None);
        };
        let mut types = flat.types.clone();
        types.push((0..flat.objects.len() as u32).collect());
        let lift = Lift {
            flat,
            every: types.len() as u32 - 1,
            stop: problem.stop(),
            parts: Cell::new(0),
        };
        let mut tasks = vec![];
        let mut actions = vec![];
        let mut methods = vec![];
        for (number, task) in (0u32..).zip(&flat.tasks) {
            let params = task.params.clone();
            let kind = match &task.kind {
                FlatKind::Primitive { effects, .. } => {
                    actions.push(lift.action(number, task, effects)?);
                    TaskKind::Primitive(actions.len() as u32 - 1)
                }
                FlatKind::Compound { goal: Some(_), .. } => return Err(Unliftable::Goals),
                FlatKind::Compound { chart, blocks, .. } => {
                    let first = methods.len() as u32;
                    if let Some(chart) = chart {
                        lift.methods(number, task, chart, blocks, &mut methods)?;
                    }
                    TaskKind::Compound(first..methods.len() as u32)
                }
            };
            tasks.push(Task { params, kind });
        }
        let mut goal = RuleFrame::new(vec![], flat.goal_frame);
        let goal_parts = lift.conjuncts(&mut goal, &flat.goal)?;
        let initial = problem.initial().listing();
        let predicates = predicates(flat, &initial, &actions);
        Ok(Some(Self {
            problem: problem.clone(),
            objects: flat.objects.len() as u32,
            types: types.into(),
            predicates,
            tasks,
            actions,
            methods,
            initial: initial.into(),
            roots: roots.into(),
            goal: goal_parts,
            goal_frame: goal.frame,
        }))
    }
}

/// Arity is taken from the atoms that occur; a fact that does not occur has 0.
fn predicates(flat: &Flat, initial: &[Box<[u32]>], actions: &[Action]) -> Vec<Predicate> {
    let unused = Predicate {
        arity: 0,
        added: false,
        deleted: false,
    };
    let mut predicates = vec![unused; flat.facts.len()];
    for atom in initial {
        predicates[atom[0] as usize].arity = atom.len() - 1;
    }
    for effect in actions.iter().flat_map(|a| &a.effects) {
        let predicate = &mut predicates[effect.atom.predicate as usize];
        predicate.arity = effect.atom.args.len();
        predicate.added |= effect.add;
        predicate.deleted |= !effect.add;
    }
    predicates
}

/// Takes both sides of every Branch and every output of a Choice, and one representative binding.
struct EveryOption<'a>(&'a [FlatBlock]);

impl Decider for EveryOption<'_> {
    fn pass(&mut self, position: u32) -> bool {
        self.0[position as usize].code.is_passable()
    }

    fn next(&mut self, _: u32, kind: BlockKind, before: Option<u32>) -> Option<u32> {
        Some(before.map_or(0, |b| b + 1)).filter(|o| *o < kind.options())
    }
}

struct Lift<'a> {
    flat: &'a Flat,
    /// The type of all objects.
    every: u32,
    stop: &'a Stop,
    /// The number of condition parts expanded.
    parts: Cell<usize>,
}

impl Lift<'_> {
    /// Lists the methods of a chart.
    fn methods(
        &self,
        number: u32,
        task: &FlatTask,
        chart: &Chart,
        blocks: &[FlatBlock],
        into: &mut Vec<Method>,
    ) -> Result<(), Unliftable> {
        let mut resolutions = Resolutions::default();
        let mut resolution = resolutions.start(chart);
        let mut order = TaskOrder::default();
        let mut decider = EveryOption(blocks);
        let mut last = Move::Working;
        loop {
            match last {
                Move::Working => {
                    if self.stop.after(chart.blocks.len() / 16 + 1) {
                        return Err(Unliftable::Stopped);
                    }
                    last = resolutions.advance(&mut resolution, chart, &mut decider);
                }
                Move::Resolved => {
                    if into.len() >= MAX_METHODS {
                        return Err(Unliftable::TooManyMethods);
                    }
                    if self.stop.after(chart.wires.len()) {
                        return Err(Unliftable::Stopped);
                    }
                    order.set(chart, resolutions.wires(&resolution, None));
                    let resolved = Resolved {
                        chart,
                        blocks,
                        resolutions: &resolutions,
                        resolution: &resolution,
                        order: &order,
                    };
                    into.extend(self.method(number, task, &resolved)?);
                    last = resolutions.take_back(&mut resolution, chart, &mut decider);
                }
                Move::Exhausted => return Ok(()),
            }
        }
    }

    /// Returns the method of a resolution, or `None` if it has invalid text or a variable that is
    /// not bound on its path.
    fn method(
        &self,
        number: u32,
        task: &FlatTask,
        resolved: &Resolved<'_>,
    ) -> Result<Option<Method>, Unliftable> {
        let mut draft = Draft {
            rule: RuleFrame::new(task.params.clone(), task.frame),
            vars: task.params.clone(),
            ..Draft::default()
        };
        draft.precondition = self.conjuncts(&mut draft.rule, &task.preconditions)?;
        let decisions = resolved.resolutions.decisions(resolved.resolution, None);
        let mut chosen = decisions.iter();
        for (position, block) in (0u32..).zip(resolved.blocks) {
            if !resolved.is_present(position) {
                continue;
            }
            let option = if resolved.chart.blocks[position as usize].kind.decides() {
                chosen.next().map_or(0, |decision| decision.option)
            } else {
                0
            };
            let drawn = (position, &resolved.chart.blocks[position as usize]);
            if !draft.import(block) || !self.add(&mut draft, drawn, &block.code, option)? {
                return Ok(None);
            }
            // A fact in an argument position becomes a variable that its atom binds.
            for (variable, atom) in std::mem::take(&mut draft.rule.opened) {
                draft.vars.push(self.every);
                draft.binds.push((None, variable));
                draft.precondition.push(Condition::Atom(atom, true));
            }
        }
        let binds = draft.number_binds(task.params.len());
        let (order, is_sequence) = resolved.order(&draft.positions);
        Ok(Some(Method {
            task: number,
            vars: draft.vars,
            frame: draft.rule.frame,
            precondition: draft.precondition,
            subtasks: draft.subtasks,
            order,
            is_sequence,
            source: resolved.source(binds, draft.tasks),
        }))
    }

    /// Adds a block to a method. Returns `false` if the block is invalid.
    fn add(
        &self,
        draft: &mut Draft,
        (position, drawn): (u32, &ChartBlock),
        code: &BlockCode,
        option: u32,
    ) -> Result<bool, Unliftable> {
        let rule = &mut draft.rule;
        let id = &drawn.id;
        match code {
            BlockCode::Pass | BlockCode::Choice { .. } | BlockCode::Task { call: None, .. } => {}
            BlockCode::Task {
                call: Some((task, args)),
                ..
            } => {
                let args = self.args(rule, *args)?;
                draft.subtasks.push(Subtask { task: *task, args });
                let is_background = drawn.block.is_background();
                draft.tasks.push((id.clone(), is_background));
                draft.positions.push(position);
            }
            BlockCode::Branch(condition) => {
                if condition.iter().any(|c| c.formula.is_none()) {
                    return Ok(false);
                }
                if option == 0 {
                    draft.precondition.extend(self.conjuncts(rule, condition)?);
                } else {
                    let parts = condition.iter();
                    let parts = parts.map(|conjunct| self.conjunct(rule, conjunct, false));
                    let parts = parts.collect::<Result<_, _>>()?;
                    Condition::any(parts).flatten(&mut draft.precondition);
                }
            }
            BlockCode::Bind {
                variable,
                slot,
                of,
                condition,
                ..
            } => {
                let number = rule.fresh();
                rule.slots[*slot as usize] = Some(Arg::Variable(number));
                draft.vars.push(*of);
                let bind = (id.clone(), variable.clone());
                draft.binds.push((Some(bind), number));
                draft.precondition.extend(self.conjuncts(rule, condition)?);
            }
        }
        Ok(true)
    }
}

/// A method under construction.
#[derive(Default)]
struct Draft {
    rule: RuleFrame,
    vars: Vec<u32>,
    /// The bound variables, by number in `rule`: the Bind block and its variable's name, or `None`
    /// for a fact in an argument position.
    binds: Vec<(Option<(BlockId, Name)>, u32)>,
    precondition: Vec<Condition>,
    subtasks: Vec<Subtask>,
    /// The Task blocks of the subtasks, and their positions.
    tasks: Vec<(BlockId, bool)>,
    positions: Vec<u32>,
}

impl Draft {
    /// Imports the variables that other blocks bind for this one. Returns `false` if one is not
    /// bound.
    fn import(&mut self, block: &FlatBlock) -> bool {
        let slots = &mut self.rule.slots;
        block.imports.iter().all(|import| {
            let from = import.from.iter().find_map(|slot| slots[*slot as usize]);
            let otherwise = import.otherwise.and_then(|slot| slots[slot as usize]);
            let arg = from.or(otherwise);
            if arg.is_some() {
                slots[import.slot as usize] = arg;
            }
            arg.is_some()
        })
    }

    /// Numbers the variables: parameters first, then bound ones, then those of conditions. Returns
    /// the Bind blocks with the numbers of their variables.
    fn number_binds(&mut self, params: usize) -> Vec<(BlockId, Name, u32)> {
        let mut numbers: Vec<u32> = (0..self.rule.frame).collect();
        let mut next = params as u32;
        for (_, variable) in &self.binds {
            numbers[*variable as usize] = next;
            next += 1;
        }
        for old in params as u32..self.rule.frame {
            if !self.binds.iter().any(|(_, v)| *v == old) {
                numbers[old as usize] = next;
                next += 1;
            }
        }
        for cond in &mut self.precondition {
            cond.renumber(&numbers);
        }
        for arg in self.subtasks.iter_mut().flat_map(|s| &mut s.args) {
            arg.renumber(&numbers);
        }
        let binds = std::mem::take(&mut self.binds).into_iter();
        let binds = binds.filter_map(|(block, variable)| {
            let (id, name) = block?;
            Some((id, name, numbers[variable as usize]))
        });
        binds.collect()
    }
}

/// A resolution of a flowchart.
struct Resolved<'a> {
    chart: &'a Chart,
    blocks: &'a [FlatBlock],
    resolutions: &'a Resolutions,
    resolution: &'a Resolution,
    order: &'a TaskOrder,
}

impl Resolved<'_> {
    fn is_present(&self, position: u32) -> bool {
        self.resolutions.is_present(self.resolution, position)
    }

    /// Returns the direct orderings of the Task blocks at these positions, and `true` if they form
    /// a sequence.
    fn order(&self, positions: &[u32]) -> (Vec<(u32, u32)>, bool) {
        let mut number = vec![0u32; self.chart.tasks.len()];
        for (n, position) in (0u32..).zip(positions) {
            if let Some(task) = self.chart.blocks[*position as usize].task {
                number[task as usize] = n;
            }
        }
        let mut order = vec![];
        for (to, position) in (0u32..).zip(positions) {
            let direct = self.order.direct(self.chart, *position);
            order.extend(direct.map(|task| (number[task as usize], to)));
        }
        let is_sequence = order.len() + 1 == positions.len().max(1)
            && order.iter().all(|(from, to)| from + 1 == *to);
        (order, is_sequence)
    }

    fn source(&self, binds: Vec<(BlockId, Name, u32)>, tasks: Vec<(BlockId, bool)>) -> Source {
        let (blocks, wires) = self.resolutions.path(self.chart, self.resolution, None);
        Source {
            blocks,
            wires,
            binds,
            tasks,
        }
    }
}
