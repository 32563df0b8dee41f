//! Records to parts of a problem.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::lower::{Lowering, Variables};
use super::problem::{
    BlockCode, Conjunct, FlatBlock, FlatEffect, FlatKind, FlatTask, Import, Root,
};
use crate::plan::State;
use taskloom_document::BlockKind;
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::stop::Stop;
use taskloom_document::{
    Block, BlockId, CompoundTask, Document, EffectTiming, Field, Kind, Name, Param, PrimitiveTask,
    RecordRef,
};
use taskloom_domain::flow::Chart;
use taskloom_domain::lang::typed::{Formula, FormulaKind};
use taskloom_domain::lang::{
    Scope, Typed, read_effect, read_formula, read_initial, read_number, read_task_call,
};

pub(super) struct Compiler<'a> {
    pub document: &'a Document,
    pub lowering: Lowering<'a>,
    /// The record whose texts are being read.
    pub place: RecordRef,
    pub diagnostics: Vec<Diagnostic>,
    pub stop: Stop,
}

impl<'a> Compiler<'a> {
    /// What a text means; reports it where it means nothing.
    fn read<T>(
        &mut self,
        field: Field,
        text: &str,
        scope: &Scope,
        read: fn(&str, &Scope) -> Typed<T>,
    ) -> Option<T> {
        if self.stop.after(text.len()) {
            return None;
        }
        let typed = read(text, scope);
        if typed.value.is_none() {
            let mistake = typed
                .mistakes
                .into_iter()
                .find(|m| m.severity == Severity::Error);
            self.diagnostics.extend(mistake.map(|mistake| Diagnostic {
                severity: Severity::Error,
                code: mistake.code,
                place: Place {
                    record: self.place.clone(),
                    field,
                    span: Some(mistake.span),
                },
                message: mistake.message,
                fixes: vec![],
            }));
        }
        typed.value
    }

    /// The conjuncts of a formula; a single one where it cannot be read.
    pub fn conjuncts(
        &mut self,
        text: &str,
        field: Field,
        scope: &Scope,
        variables: &mut Variables,
    ) -> Vec<Conjunct> {
        let formula = self.read(field, text, scope, read_formula);
        let names: Arc<[(Name, u32)]> = variables.names.clone().into();
        let mut conjunct = |text: &str, formula: Option<&Formula>| Conjunct {
            formula: formula.and_then(|f| self.lowering.formula(f, variables)),
            text: text.trim().into(),
            variables: names.clone(),
        };
        match &formula {
            Some(Formula {
                kind: FormulaKind::And(parts),
                ..
            }) => parts
                .iter()
                .map(|part| conjunct(text.get(part.span.range()).unwrap_or(text), Some(part)))
                .collect(),
            formula => vec![conjunct(text, formula.as_ref())],
        }
    }

    fn preconditions(
        &mut self,
        texts: &[String],
        scope: &Scope,
        variables: &mut Variables,
    ) -> Vec<Conjunct> {
        let numbered = texts.iter().enumerate();
        numbered
            .flat_map(|(n, text)| self.conjuncts(text, Field::Precondition(n), scope, variables))
            .collect()
    }

    fn types_of(&mut self, params: &[Param]) -> Vec<u32> {
        let types = params.iter().map(|p| self.lowering.type_number(&p.of));
        types.collect()
    }

    pub fn primitive(&mut self, name: &Name, task: &PrimitiveTask) -> FlatTask {
        self.place = RecordRef::new(Kind::PrimitiveTask, name.clone());
        let scope = Scope::of_domain(self.document, task.params.clone());
        let mut variables = Variables::of_params(&task.params);
        let preconditions = self.preconditions(&task.preconditions, &scope, &mut variables);
        let planned = task.effects.iter().enumerate();
        let planned = planned.filter(|(_, e)| e.timing != EffectTiming::Executed);
        let effects: Vec<FlatEffect> = planned
            .filter_map(|(n, effect)| {
                let effect = self.read(Field::Effect(n), &effect.text, &scope, read_effect)?;
                self.lowering.effect(&effect, &mut variables)
            })
            .collect();
        let cost = match task.cost.trim().is_empty() {
            true => None,
            false => self
                .read(Field::Cost, &task.cost, &scope, read_number)
                .and_then(|cost| self.lowering.number(&cost, &mut variables)),
        };
        FlatTask {
            name: name.clone(),
            params: self.types_of(&task.params),
            frame: variables.slots,
            preconditions,
            kind: FlatKind::Primitive { effects, cost },
        }
    }

    pub fn compound(&mut self, name: &Name, task: &CompoundTask) -> FlatTask {
        self.place = RecordRef::new(Kind::CompoundTask, name.clone());
        let scope = Scope::of_domain(self.document, task.params.clone());
        let mut variables = Variables::of_params(&task.params);
        let preconditions = self.preconditions(&task.preconditions, &scope, &mut variables);
        let chart = Chart::new(&task.method);
        let blocks = match &chart {
            Some(chart) => self.blocks(task, chart, &mut variables),
            None => vec![],
        };
        FlatTask {
            name: name.clone(),
            params: self.types_of(&task.params),
            frame: variables.slots,
            preconditions,
            kind: FlatKind::Compound { chart, blocks },
        }
    }

    fn blocks(
        &mut self,
        task: &CompoundTask,
        chart: &Chart,
        variables: &mut Variables,
    ) -> Vec<FlatBlock> {
        // Each Bind block has a slot of its own, so that two that are not on one
        // way do not disturb each other.
        let mut binds: Vec<(u32, &Param, u32)> = vec![];
        for (position, block) in (0u32..).zip(&chart.blocks) {
            if let (BlockKind::Bind, Some(Block::Bind { variable, .. })) =
                (block.kind, task.method.blocks.get(&block.id).map(|b| &**b))
            {
                binds.push((position, variable, variables.fresh()));
            }
        }
        let positions = 0..chart.blocks.len() as u32;
        positions
            .map(|position| {
                let mut above = vec![];
                if !binds.is_empty() && !self.stop.after(chart.wires.len()) {
                    let upstream = chart.upstream(position);
                    above.extend(
                        binds
                            .iter()
                            .filter(|(at, ..)| upstream.binary_search(at).is_ok()),
                    );
                }
                let own = binds.iter().find(|(at, ..)| *at == position);
                let id = &chart.blocks[position as usize].id;
                let block = Binds {
                    above,
                    own: own.map(|(_, _, slot)| *slot),
                };
                self.block(task, id, block, variables)
            })
            .collect()
    }

    fn block(
        &mut self,
        task: &CompoundTask,
        id: &BlockId,
        binds: Binds,
        variables: &mut Variables,
    ) -> FlatBlock {
        let mut scope = Scope::of_domain(self.document, task.params.clone());
        let mut own = variables.clone();
        own.used.clear();
        let mut imports = binds.imports(&mut own);
        let variables_above = binds.above.iter().map(|(_, param, _)| (*param).clone());
        scope.variables.extend(variables_above);
        let text = Field::BlockText(id.clone());
        let code = match task.method.blocks.get(id).map(|b| &**b) {
            Some(Block::Task { call }) => {
                let read = self.read(text, call, &scope, read_task_call);
                BlockCode::Task {
                    text: call.trim().into(),
                    call: read.and_then(|call| {
                        let task = self.lowering.task(&call)?;
                        Some((task, self.lowering.terms(&call.args, &mut own)?))
                    }),
                }
            }
            Some(Block::Branch { condition }) => {
                BlockCode::Branch(self.conjuncts(condition, text, &scope, &mut own))
            }
            Some(Block::Choice { alternatives, .. }) => {
                let labels = alternatives.iter().map(|a| a.to_string().trim().into());
                BlockCode::Choice(labels.collect())
            }
            Some(Block::Bind {
                variable,
                condition,
                order_by,
            }) => {
                let slot = binds.own.unwrap_or_default();
                own.names.push((variable.name.clone(), slot));
                scope.variables.push(variable.clone());
                let condition = match condition.trim().is_empty() {
                    true => vec![],
                    false => self.conjuncts(condition, text, &scope, &mut own),
                };
                let order = match order_by.trim().is_empty() {
                    true => None,
                    false => self
                        .read(Field::BlockOrder(id.clone()), order_by, &scope, read_number)
                        .and_then(|order| self.lowering.number(&order, &mut own)),
                };
                BlockCode::Bind {
                    variable: variable.name.clone(),
                    slot,
                    of: self.lowering.type_number(&variable.of),
                    type_name: variable.of.clone(),
                    condition,
                    order,
                }
            }
            Some(Block::Begin {} | Block::End {}) | None => BlockCode::Pass,
        };
        imports.retain(|import| own.used.contains(&import.slot));
        variables.slots = own.slots;
        FlatBlock { imports, code }
    }

    /// Puts an initial value of the scenario, by number, into a state.
    pub fn initial(&mut self, number: usize, text: &str, scope: &Scope, state: &mut State) {
        let Some(initial) = self.read(Field::Initial(number), text, scope, read_initial) else {
            return;
        };
        let names = (&self.lowering.facts, &self.lowering.objects);
        let fact = names.0.get(&initial.atom.fact).copied();
        let args = initial.atom.args.iter();
        let args = args.map(|arg| names.1.get(arg).copied());
        let Some(atom) = std::iter::once(fact)
            .chain(args)
            .collect::<Option<Vec<u32>>>()
        else {
            return;
        };
        state.put_value(&atom, &initial.value, |object| names.1.get(object).copied());
    }

    /// A task of the scenario, by number, and its arguments in a state.
    pub fn root(
        &mut self,
        number: usize,
        text: &str,
        scope: &Scope,
        state: &State,
    ) -> Option<Root> {
        let call = self.read(Field::Task(number), text, scope, read_task_call)?;
        let args = call.args.iter().map(|a| self.lowering.ground(a, state));
        Some((self.lowering.task(&call)?, args.collect::<Option<_>>()?))
    }
}

/// The Bind blocks that matter to a block: positions, variables and slots.
struct Binds<'a> {
    above: Vec<(u32, &'a Param, u32)>,
    /// The slot that the block itself binds.
    own: Option<u32>,
}

impl Binds<'_> {
    /// Names the variables bound upstream. Where several Bind blocks, or a
    /// parameter, have the same name, which one counts depends on the way there.
    fn imports(&self, own: &mut Variables) -> Vec<Import> {
        let mut binding: Vec<(&Name, Vec<u32>)> = vec![];
        let mut known: FxHashMap<&Name, usize> = FxHashMap::default();
        for (_, param, slot) in &self.above {
            let at = *known.entry(&param.name).or_insert(binding.len());
            match binding.get_mut(at) {
                Some((_, slots)) => slots.push(*slot),
                None => binding.push((&param.name, vec![*slot])),
            }
        }
        let parameters = own.names.len();
        let mut imports = vec![];
        for (name, mut from) in binding {
            from.reverse();
            let mut same = own.names.iter().take(parameters).rev();
            let otherwise = same.find(|(n, _)| n == name);
            let otherwise = otherwise.map(|(_, slot)| *slot);
            let slot = match (&from[..], otherwise) {
                ([slot], None) => *slot,
                _ => own.fresh(),
            };
            own.names.push((name.clone(), slot));
            imports.push(Import {
                slot,
                from,
                otherwise,
            });
        }
        imports
    }
}
