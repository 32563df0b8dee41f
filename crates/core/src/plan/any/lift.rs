//! From a compiled problem to the lifted model: flowcharts become lists of
//! methods, formulas become negation normal form, object facts become atoms.

use super::model::{
    Action, Arg, Atom, Cond, Effect, Method, Model, Predicate, Source, Subtask, Task, TaskKind,
};
use crate::compile::{
    BlockCode, BlockKind, Chart, Conjunct, Decider, Flat, FlatBlock, FlatChange, FlatEffect,
    FlatKind, FlatTask, FlatValue, Formula, FormulaId, List, Move, Problem, Read, Resolution,
    Resolutions, TaskOrder, Term,
};
use crate::document::{BlockId, Name};

/// Charts whose branches multiply to more methods than this are not lifted.
const MAX_METHODS: usize = 20_000;

/// Why a problem has no lifted model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unliftable {
    /// It counts: a number fact is read or changed.
    Numbers,
    /// Its flowcharts stand for too many methods.
    TooManyMethods,
}

impl Model {
    /// Lifts a problem. `Ok(None)` where its initial network cannot be read, so
    /// that no plan exists.
    pub fn new(problem: &Problem) -> Result<Option<Self>, Unliftable> {
        let flat = problem.flat();
        let Some(roots) = flat.roots.clone() else {
            return Ok(None);
        };
        let mut types = flat.types.clone();
        types.push((0..flat.objects.len() as u32).collect());
        let lift = Lift {
            flat,
            every: types.len() as u32 - 1,
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
                FlatKind::Compound { chart, blocks } => {
                    let first = methods.len() as u32;
                    if let Some(chart) = chart {
                        lift.methods(number, task, chart, blocks, &mut methods)?;
                    }
                    TaskKind::Compound(first..methods.len() as u32)
                }
            };
            tasks.push(Task { params, kind });
        }
        let mut goal = Rule::new(vec![], 0);
        let goal_parts = lift.conjuncts(&mut goal, &flat.goal)?;
        let initial = flat.initial.listing();
        let predicates = predicates(flat, &initial, &actions);
        Ok(Some(Self {
            problem: problem.clone(),
            objects: flat.objects.len() as u32,
            types,
            predicates,
            tasks,
            actions,
            methods,
            initial,
            roots,
            goal: goal_parts,
            goal_frame: goal.frame,
        }))
    }
}

/// Arity is what the atoms that occur have: a fact that does not occur has 0.
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

/// The variables of a rule while it is made.
struct Rule {
    /// What the slots of the flat task's frame stand for.
    slots: Vec<Option<Arg>>,
    frame: u32,
    /// Variables that facts in argument places stand for, to be bound by the
    /// conjuncts beside them: variable, predicate, arguments.
    opened: Vec<(u32, Atom)>,
}

impl Rule {
    fn new(params: Vec<u32>, slots: u32) -> Self {
        let count = params.len();
        let mut rule = Self {
            slots: vec![None; slots.max(count as u32) as usize],
            frame: count as u32,
            opened: vec![],
        };
        for n in 0..count {
            rule.slots[n] = Some(Arg::Variable(n as u32));
        }
        rule
    }

    fn fresh(&mut self) -> u32 {
        self.frame += 1;
        self.frame - 1
    }

    /// Gives a slot a variable of its own for a while; what it stood for.
    fn bind(&mut self, slot: u32) -> (u32, Option<Arg>) {
        let variable = self.fresh();
        let before = self.slots[slot as usize].replace(Arg::Variable(variable));
        (variable, before)
    }
}

/// Both sides of every Branch, every output, one binding that stands for all.
struct Every<'a>(&'a [FlatBlock]);

impl Decider for Every<'_> {
    fn pass(&mut self, position: u32) -> bool {
        !matches!(
            self.0[position as usize].code,
            BlockCode::Task { call: None, .. }
        )
    }

    fn next(&mut self, _: u32, kind: BlockKind, before: Option<u32>) -> Option<u32> {
        let options = match kind {
            BlockKind::Branch => 2,
            BlockKind::Choice(outputs) => outputs,
            _ => 1,
        };
        Some(before.map_or(0, |b| b + 1)).filter(|o| *o < options)
    }
}

struct Lift<'a> {
    flat: &'a Flat,
    /// The type of all objects.
    every: u32,
}

impl Lift<'_> {
    fn action(
        &self,
        number: u32,
        task: &FlatTask,
        effects: &[FlatEffect],
    ) -> Result<Action, Unliftable> {
        let mut rule = Rule::new(task.params.clone(), task.frame);
        let precondition = self.conjuncts(&mut rule, &task.preconditions)?;
        let mut lifted = vec![];
        for effect in effects {
            self.effect(&mut rule, effect, &mut lifted)?;
        }
        Ok(Action {
            task: number,
            params: task.params.clone(),
            frame: rule.frame,
            precondition,
            effects: lifted,
        })
    }

    fn effect(
        &self,
        rule: &mut Rule,
        effect: &FlatEffect,
        into: &mut Vec<Effect>,
    ) -> Result<(), Unliftable> {
        let mut forall = vec![];
        let mut hidden = vec![];
        for (slot, of) in &effect.forall {
            let (variable, before) = rule.bind(*slot);
            forall.push((variable, *of));
            hidden.push((*slot, before));
        }
        let when = match effect.when {
            Some(when) => self.formula(rule, when, true)?,
            None => Cond::truth(),
        };
        let mut atom = self.open_atom(rule, effect.target)?;
        let change = |forall: &Vec<_>, when: Cond, add, atom| Effect {
            forall: forall.clone(),
            when,
            add,
            atom,
        };
        match effect.change {
            FlatChange::Set | FlatChange::Unset if !self.is_object(effect.target.fact) => {
                let (forall, when) = self.close_effect(rule, forall, when);
                into.push(change(
                    &forall,
                    when,
                    matches!(effect.change, FlatChange::Set),
                    atom,
                ));
            }
            FlatChange::Set | FlatChange::Unset | FlatChange::Object(_) => {
                let value = match effect.change {
                    FlatChange::Object(term) => Some(self.arg(rule, term)?),
                    _ => None,
                };
                let (forall, when) = self.close_effect(rule, forall, when);
                let old = rule.fresh();
                let mut all = forall.clone();
                all.push((old, self.every));
                let mut args = atom.args.to_vec();
                args.push(Arg::Variable(old));
                let other = Atom {
                    predicate: atom.predicate,
                    args: args.clone().into(),
                };
                into.push(change(&all, when.clone(), false, other));
                if let Some(value) = value {
                    args.pop();
                    args.push(value);
                    atom.args = args.into();
                    into.push(change(&forall, when, true, atom));
                }
            }
            FlatChange::Assign(_) | FlatChange::Increase(_) | FlatChange::Decrease(_) => {
                return Err(Unliftable::Numbers);
            }
        }
        for (slot, before) in hidden.into_iter().rev() {
            rule.slots[slot as usize] = before;
        }
        Ok(())
    }

    /// Facts in argument places of an effect are read for every value they may have.
    fn close_effect(
        &self,
        rule: &mut Rule,
        mut forall: Vec<(u32, u32)>,
        when: Cond,
    ) -> (Vec<(u32, u32)>, Cond) {
        let mut parts = vec![when];
        for (variable, atom) in std::mem::take(&mut rule.opened) {
            forall.push((variable, self.every));
            parts.push(Cond::Atom(atom, true));
        }
        (forall, all(parts))
    }

    /// Lists the methods that a chart stands for.
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
        let mut decider = Every(blocks);
        let mut last = Move::Working;
        loop {
            match last {
                Move::Working => {
                    last = resolutions.advance(&mut resolution, chart, &mut decider);
                }
                Move::Resolved => {
                    if into.len() >= MAX_METHODS {
                        return Err(Unliftable::TooManyMethods);
                    }
                    order.set(chart, resolutions.wires(&resolution, None));
                    let found = Found {
                        chart,
                        blocks,
                        resolutions: &resolutions,
                        resolution: &resolution,
                        order: &order,
                    };
                    into.extend(self.method(number, task, &found)?);
                    last = resolutions.take_back(&mut resolution, chart, &mut decider);
                }
                Move::Exhausted => return Ok(()),
            }
        }
    }

    /// The method that a resolution is; none where a text of it cannot be read or
    /// a variable is not bound on its path.
    fn method(
        &self,
        number: u32,
        task: &FlatTask,
        found: &Found<'_>,
    ) -> Result<Option<Method>, Unliftable> {
        let Found { chart, blocks, .. } = *found;
        let mut rule = Rule::new(task.params.clone(), task.frame);
        let mut vars = task.params.clone();
        let mut binds: Vec<(Option<(BlockId, Name)>, u32)> = vec![];
        let mut precondition = self.conjuncts(&mut rule, &task.preconditions)?;
        // Variables of conditions come after all that are to be bound; the Bind
        // blocks' are numbered first, then moved behind the parameters.
        let decisions = found.resolutions.decisions(found.resolution, None);
        let mut chosen = decisions.iter();
        let (mut subtasks, mut tasks, mut positions) = (vec![], vec![], vec![]);
        for (position, block) in (0u32..).zip(blocks) {
            if !found.resolutions.is_present(found.resolution, position) {
                continue;
            }
            let id = || chart.blocks[position as usize].id.clone();
            let needs_decision = matches!(
                chart.blocks[position as usize].kind,
                BlockKind::Branch | BlockKind::Choice(_) | BlockKind::Bind
            );
            let option = match needs_decision {
                true => chosen.next().map_or(0, |d| d.option),
                false => 0,
            };
            for import in &block.imports {
                let from = import.from.iter().find_map(|s| rule.slots[*s as usize]);
                let otherwise = import.otherwise.and_then(|s| rule.slots[s as usize]);
                match from.or(otherwise) {
                    Some(arg) => rule.slots[import.slot as usize] = Some(arg),
                    None => return Ok(None),
                }
            }
            match &block.code {
                BlockCode::Pass | BlockCode::Choice(_) | BlockCode::Task { call: None, .. } => {}
                BlockCode::Task {
                    call: Some((task, args)),
                    ..
                } => {
                    let args = self.args(&mut rule, *args)?;
                    subtasks.push(Subtask { task: *task, args });
                    tasks.push(id());
                    positions.push(position);
                }
                BlockCode::Branch(condition) => {
                    if condition.iter().any(|c| c.formula.is_none()) {
                        return Ok(None);
                    }
                    match option {
                        0 => precondition.extend(self.conjuncts(&mut rule, condition)?),
                        _ => {
                            let mut parts = vec![];
                            for conjunct in condition {
                                parts.push(self.conjunct(&mut rule, conjunct, false)?);
                            }
                            flatten(any(parts), &mut precondition);
                        }
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
                    vars.push(*of);
                    binds.push((Some((id(), variable.clone())), number));
                    precondition.extend(self.conjuncts(&mut rule, condition)?);
                }
            }
            // A fact in the place of an argument is a variable that its atom binds.
            for (variable, atom) in std::mem::take(&mut rule.opened) {
                vars.push(self.every);
                binds.push((None, variable));
                precondition.push(Cond::Atom(atom, true));
            }
        }
        let params = task.params.len();
        let mut new_number: Vec<u32> = (0..rule.frame).collect();
        let mut next = params as u32;
        for (_, variable) in &binds {
            new_number[*variable as usize] = next;
            next += 1;
        }
        for (old, new) in (0u32..).zip(&mut new_number).skip(params) {
            if !binds.iter().any(|(_, v)| *v == old) {
                *new = next;
                next += 1;
            }
        }
        for cond in &mut precondition {
            renumber(cond, &new_number);
        }
        for subtask in &mut subtasks {
            subtask
                .args
                .iter_mut()
                .for_each(|a| renumber_arg(a, &new_number));
        }
        let binds = binds.into_iter().filter_map(|(block, variable)| {
            let (id, name) = block?;
            Some((id, name, new_number[variable as usize]))
        });
        let binds = binds.collect();
        let (order, is_sequence) = found.order(&positions);
        Ok(Some(Method {
            task: number,
            vars,
            frame: rule.frame,
            precondition,
            subtasks,
            order,
            is_sequence,
            source: found.source(binds, tasks),
        }))
    }

    fn is_object(&self, fact: u32) -> bool {
        matches!(self.flat.facts[fact as usize].value, FlatValue::Object)
    }

    fn conjuncts(&self, rule: &mut Rule, conjuncts: &[Conjunct]) -> Result<Vec<Cond>, Unliftable> {
        let mut parts = vec![];
        for conjunct in conjuncts {
            flatten(self.conjunct(rule, conjunct, true)?, &mut parts);
        }
        Ok(parts)
    }

    fn conjunct(
        &self,
        rule: &mut Rule,
        conjunct: &Conjunct,
        positive: bool,
    ) -> Result<Cond, Unliftable> {
        match conjunct.formula {
            Some(formula) => self.formula(rule, formula, positive),
            None => Ok(any(vec![])),
        }
    }

    /// A formula, or the opposite of it. The recursion is as deep as formulas
    /// are, which compiling limits.
    fn formula(
        &self,
        rule: &mut Rule,
        formula: FormulaId,
        positive: bool,
    ) -> Result<Cond, Unliftable> {
        let code = &self.flat.code;
        Ok(match code.formulas[formula.0 as usize] {
            Formula::Constant(value) if value == positive => Cond::truth(),
            Formula::Constant(_) => Cond::falsehood(),
            Formula::Holds(read) => {
                let outer = std::mem::take(&mut rule.opened);
                let atom = self.open_atom(rule, read)?;
                let cond = self.close(rule, Cond::Atom(atom, positive), positive);
                rule.opened = outer;
                cond
            }
            Formula::Same(list) => {
                let outer = std::mem::take(&mut rule.opened);
                let args = self.args(rule, list)?;
                let (Some(a), Some(b)) = (args.first(), args.get(1)) else {
                    return Ok(any(vec![]));
                };
                let cond = self.close(rule, Cond::Same(*a, *b, positive), positive);
                rule.opened = outer;
                cond
            }
            Formula::Not(of) => self.formula(rule, of, !positive)?,
            Formula::All(list) => self.parts(rule, list, positive, positive)?,
            Formula::Any(list) => self.parts(rule, list, positive, !positive)?,
            Formula::Imply(a, b) => {
                let parts = vec![
                    self.formula(rule, a, !positive)?,
                    self.formula(rule, b, positive)?,
                ];
                if positive { any(parts) } else { all(parts) }
            }
            Formula::Compare(..) => return Err(Unliftable::Numbers),
            Formula::Every(slot, of, body) => {
                self.quantified(rule, slot, of, body, positive, positive)?
            }
            Formula::Some(slot, of, body) => {
                self.quantified(rule, slot, of, body, positive, !positive)?
            }
            Formula::Condition(number, args) => {
                let condition = code.conditions[number as usize];
                let Some(body) = condition.body else {
                    return Ok(if positive { any(vec![]) } else { all(vec![]) });
                };
                let outer = std::mem::take(&mut rule.opened);
                let args = self.args(rule, args)?;
                let opened = std::mem::take(&mut rule.opened);
                let mut frame = vec![None; (condition.frame as usize).max(args.len())];
                for (slot, arg) in frame.iter_mut().zip(args.iter()) {
                    *slot = Some(*arg);
                }
                let slots = std::mem::replace(&mut rule.slots, frame);
                let cond = self.formula(rule, body, positive);
                rule.slots = slots;
                rule.opened = opened;
                let cond = self.close(rule, cond?, positive);
                rule.opened = outer;
                cond
            }
        })
    }

    fn parts(
        &self,
        rule: &mut Rule,
        list: List,
        positive: bool,
        conjunction: bool,
    ) -> Result<Cond, Unliftable> {
        let parts = self.flat.code.lists[list.range()].iter();
        let parts: Result<Vec<Cond>, _> = parts.map(|f| self.formula(rule, *f, positive)).collect();
        Ok(if conjunction {
            all(parts?)
        } else {
            any(parts?)
        })
    }

    fn quantified(
        &self,
        rule: &mut Rule,
        slot: u32,
        of: u32,
        body: FormulaId,
        positive: bool,
        every: bool,
    ) -> Result<Cond, Unliftable> {
        let (variable, before) = rule.bind(slot);
        let body = Box::new(self.formula(rule, body, positive)?);
        rule.slots[slot as usize] = before;
        Ok(match every {
            true => Cond::Every(variable, of, body),
            false => Cond::Some(variable, of, body),
        })
    }

    /// Quantifies the variables of facts in argument places: a condition holds if
    /// they have values for which it does, and its opposite if they have not.
    fn close(&self, rule: &mut Rule, cond: Cond, positive: bool) -> Cond {
        let opened = std::mem::take(&mut rule.opened);
        opened
            .into_iter()
            .rev()
            .fold(cond, |cond, (variable, atom)| {
                let parts = vec![Cond::Atom(atom, positive), cond];
                match positive {
                    true => Cond::Some(variable, self.every, Box::new(all(parts))),
                    false => Cond::Every(variable, self.every, Box::new(any(parts))),
                }
            })
    }

    fn open_atom(&self, rule: &mut Rule, read: Read) -> Result<Atom, Unliftable> {
        if let FlatValue::Number { .. } = self.flat.facts[read.fact as usize].value {
            return Err(Unliftable::Numbers);
        }
        Ok(Atom {
            predicate: read.fact,
            args: self.args(rule, read.args)?,
        })
    }

    fn args(&self, rule: &mut Rule, list: List) -> Result<Box<[Arg]>, Unliftable> {
        let terms = self.flat.code.terms[list.range()].iter();
        terms.map(|term| self.arg(rule, *term)).collect()
    }

    fn arg(&self, rule: &mut Rule, term: Term) -> Result<Arg, Unliftable> {
        Ok(match term {
            Term::Object(object) => Arg::Object(object),
            // Typing has seen to it that the slot is bound.
            Term::Slot(slot) => rule.slots[slot as usize].unwrap_or(Arg::Object(u32::MAX)),
            Term::Fact(read) => {
                let mut atom = self.open_atom(rule, read)?;
                let variable = rule.fresh();
                let mut args = atom.args.to_vec();
                args.push(Arg::Variable(variable));
                atom.args = args.into();
                rule.opened.push((variable, atom));
                Arg::Variable(variable)
            }
        })
    }
}

/// A resolution that was found.
struct Found<'a> {
    chart: &'a Chart,
    blocks: &'a [FlatBlock],
    resolutions: &'a Resolutions,
    resolution: &'a Resolution,
    order: &'a TaskOrder,
}

impl Found<'_> {
    /// The direct orderings of the Task blocks at these positions, and whether
    /// they are a sequence.
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

    fn source(&self, binds: Vec<(BlockId, Name, u32)>, tasks: Vec<BlockId>) -> Source {
        let chart = self.chart;
        let present = |p: &u32| self.resolutions.is_present(self.resolution, *p);
        let wires = self.resolutions.wires(self.resolution, None);
        Source {
            blocks: (0..chart.blocks.len() as u32)
                .filter(present)
                .map(|p| chart.blocks[p as usize].id.clone())
                .collect(),
            wires: wires
                .iter()
                .map(|w| chart.wires[*w as usize].wire.clone())
                .collect(),
            binds,
            tasks,
        }
    }
}

fn flatten(cond: Cond, into: &mut Vec<Cond>) {
    match cond {
        Cond::All(parts) => parts.into_iter().for_each(|part| flatten(part, into)),
        cond => into.push(cond),
    }
}

fn all(parts: Vec<Cond>) -> Cond {
    let mut flat = vec![];
    parts.into_iter().for_each(|part| flatten(part, &mut flat));
    match flat.len() {
        1 => flat.remove(0),
        _ => Cond::All(flat),
    }
}

fn any(parts: Vec<Cond>) -> Cond {
    let mut flat = vec![];
    for part in parts {
        match part {
            Cond::Any(inner) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    match flat.len() {
        1 => flat.remove(0),
        _ => Cond::Any(flat),
    }
}

fn renumber_arg(arg: &mut Arg, new_number: &[u32]) {
    if let Arg::Variable(variable) = arg {
        *variable = new_number[*variable as usize];
    }
}

fn renumber(cond: &mut Cond, new_number: &[u32]) {
    match cond {
        Cond::Atom(atom, _) => {
            atom.args
                .iter_mut()
                .for_each(|a| renumber_arg(a, new_number));
        }
        Cond::Same(a, b, _) => {
            renumber_arg(a, new_number);
            renumber_arg(b, new_number);
        }
        Cond::All(parts) | Cond::Any(parts) => {
            parts.iter_mut().for_each(|p| renumber(p, new_number));
        }
        Cond::Every(variable, _, body) | Cond::Some(variable, _, body) => {
            *variable = new_number[*variable as usize];
            renumber(body, new_number);
        }
    }
}
