//! Compiles records to parts of a problem.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::flat::{
    BlockCode, ChoiceOrder, Conjunct, FlatBlock, FlatEffect, FlatKind, FlatTask, Import, Root,
};
use super::lower::{Lowering, Variables};
use crate::plan::State;
use taskloom_document::stop::Stop;
use taskloom_document::{ChoicePolicy, EffectTiming, Kind, Name, Param};
use taskloom_domain::flow::{Chart, ChartBlock};
use taskloom_domain::lang::typed::{Call, Formula, FormulaKind, Initial};
use taskloom_domain::method::{Content, Method};
use taskloom_domain::text::TypedText;
use taskloom_domain::{Actor, Domain};

pub(super) struct Compiler {
    pub domain: Domain,
    pub lowering: Lowering,
    pub actor: Arc<Actor>,
    pub stop: Stop,
}

impl Compiler {
    /// Returns the conjuncts of a formula, or a single one if it is invalid.
    pub fn conjuncts(
        &mut self,
        read: &TypedText<Formula>,
        variables: &mut Variables,
    ) -> Vec<Conjunct> {
        let names: Arc<[(Name, u32)]> = variables.names.clone().into();
        let mut conjunct = |text: &str, formula: Option<&Formula>| Conjunct {
            formula: formula.and_then(|f| self.lowering.formula(f, variables)),
            text: text.trim().into(),
            variables: names.clone(),
        };
        let text = &*read.text;
        match &read.value {
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

    /// Returns the preconditions of a task. A task outside the character's repertoire gets one that
    /// never holds.
    fn preconditions(
        &mut self,
        (kind, name): (Kind, &Name),
        texts: &[TypedText<Formula>],
        variables: &mut Variables,
    ) -> Vec<Conjunct> {
        let may_use = self.actor.may_use(self.domain.document(), kind, name);
        let repertoire = (!may_use).then(|| Conjunct {
            formula: None,
            text: format!("'{name}' in the repertoire").into(),
            variables: Arc::default(),
        });
        let conjuncts = texts.iter().map(|text| self.conjuncts(text, variables));
        repertoire.into_iter().chain(conjuncts.flatten()).collect()
    }

    fn types_of(&mut self, params: &[Param]) -> Vec<u32> {
        let types = params.iter().map(|p| self.lowering.type_number(&p.of));
        types.collect()
    }

    pub fn primitive(&mut self, name: &Name) -> Option<FlatTask> {
        let domain = self.domain.clone();
        let task = domain.primitive(name)?;
        let mut variables = Variables::of_params(&task.record.params);
        let named = (Kind::PrimitiveTask, name);
        let mut preconditions = self.preconditions(named, &task.preconditions, &mut variables);
        let names: Arc<[(Name, u32)]> = variables.names.clone().into();
        let rules = domain.execution_rules(task).integrity.iter();
        let rules = rules.flat_map(|rule| self.conjuncts(rule, &mut variables));
        let rules = rules.collect();
        let claims = task.claims.iter().map(|claim| Conjunct {
            formula: self
                .lowering
                .unclaimed(claim.value.as_ref(), &mut variables),
            text: claim.text.trim().into(),
            variables: names.clone(),
        });
        preconditions.extend(claims);
        let planned = task.effects.iter();
        let planned = planned.filter(|(timing, _)| *timing != EffectTiming::Executed);
        let effects: Vec<FlatEffect> = planned
            .filter_map(|(_, effect)| self.lowering.effect(effect.value.as_ref()?, &mut variables))
            .collect();
        let effects = effects.into_iter();
        let effects = effects
            .chain(self.lowering.passing(task, &mut variables))
            .collect();
        let cost = task.cost.as_ref().and_then(|cost| cost.value.as_ref());
        let cost = cost.and_then(|cost| self.lowering.number(cost, &mut variables));
        Some(FlatTask {
            name: name.clone(),
            params: self.types_of(&task.record.params),
            frame: variables.slots,
            preconditions,
            rules,
            kind: FlatKind::Primitive { effects, cost },
        })
    }

    pub fn compound(&mut self, name: &Name) -> Option<FlatTask> {
        let domain = self.domain.clone();
        let task = domain.compound(name)?;
        let mut variables = Variables::of_params(&task.record.params);
        let named = (Kind::CompoundTask, name);
        let preconditions = self.preconditions(named, &task.preconditions, &mut variables);
        let rules = domain.integrity(task).iter();
        let rules = rules.flat_map(|rule| self.conjuncts(rule, &mut variables));
        let rules = rules.collect();
        let goal = task.goal.as_ref();
        let goal = goal.map(|goal| self.conjuncts(goal, &mut variables));
        let method = domain.ways(task);
        let chart = method.map(|method| method.chart.unrolled());
        let blocks = match (method, &chart) {
            (Some(method), Some(chart)) => self.blocks(method, chart, &mut variables),
            _ => vec![],
        };
        Some(FlatTask {
            name: name.clone(),
            params: self.types_of(&task.record.params),
            frame: variables.slots,
            preconditions,
            rules,
            kind: FlatKind::Compound {
                chart,
                blocks,
                goal,
            },
        })
    }

    fn blocks(
        &mut self,
        method: &Method,
        chart: &Chart,
        variables: &mut Variables,
    ) -> Vec<FlatBlock> {
        // Each Bind block has its own slot, so that two on different paths do not interfere.
        let slots = method.binds().iter();
        let slots = slots
            .map(|position| (*position, variables.fresh()))
            .collect();
        let mut blocks = vec![];
        for ChartBlock { drawn, block, .. } in &chart.blocks {
            let texts = block.texts();
            let work = texts.map(|(.., text)| text.len()).sum();
            if self.stop.after(work) {
                break;
            }
            blocks.push(self.block(method, *drawn, &slots, variables));
        }
        blocks
    }

    fn block(
        &mut self,
        method: &Method,
        position: u32,
        slots: &FxHashMap<u32, u32>,
        variables: &mut Variables,
    ) -> FlatBlock {
        let domain = self.domain.clone();
        let mut own = variables.clone();
        own.used.clear();
        let mut imports = imports(method, position, slots, &mut own);
        let code = match domain.content(method, position) {
            Content::Task { call, .. } => BlockCode::Task {
                text: call.text.trim().into(),
                call: call.value.as_ref().and_then(|call| {
                    let task = self.lowering.task(call)?;
                    Some((task, self.lowering.terms(&call.args, &mut own)?))
                }),
            },
            Content::Branch(condition) => BlockCode::Branch(self.conjuncts(condition, &mut own)),
            Content::Choice {
                alternatives,
                policy,
                scores,
            } => {
                let labels = alternatives.iter();
                let labels = labels.map(|output| output.to_string().trim().into());
                let scores = scores.iter().map(|score| {
                    let score = score.as_ref().and_then(|score| score.value.as_ref());
                    score.and_then(|score| self.lowering.number(score, &mut own))
                });
                let scores = scores.collect();
                BlockCode::Choice {
                    labels: labels.collect(),
                    order: match policy {
                        ChoicePolicy::First => ChoiceOrder::Drawn,
                        ChoicePolicy::Cheapest => ChoiceOrder::Lowest(scores),
                        ChoicePolicy::Highest => ChoiceOrder::Highest(scores),
                        ChoicePolicy::Random => ChoiceOrder::Random(scores),
                    },
                }
            }
            Content::Bind {
                variable,
                condition,
                order_by,
                query,
            } => {
                // The variable is what the query finds, so it is none of its arguments.
                let query = query.as_ref().and_then(|query| query.value.as_ref());
                let query = query.and_then(|query| {
                    let args = self.lowering.terms(&query.args, &mut own)?;
                    Some((self.lowering.query(&query.name), args))
                });
                let slot = slots.get(&position).copied().unwrap_or_default();
                own.names.push((variable.name.clone(), slot));
                let condition = condition
                    .as_ref()
                    .map_or_else(Vec::new, |condition| self.conjuncts(condition, &mut own));
                let order = order_by.as_ref().and_then(|order| order.value.as_ref());
                let order = order.and_then(|order| self.lowering.number(order, &mut own));
                BlockCode::Bind {
                    variable: variable.name.clone(),
                    slot,
                    of: self.lowering.type_number(&variable.of),
                    type_name: variable.of.clone(),
                    condition,
                    order,
                    query,
                }
            }
            Content::Pass => BlockCode::Pass,
        };
        imports.retain(|import| own.used.contains(&import.slot));
        variables.slots = own.slots;
        FlatBlock { imports, code }
    }

    /// Adds an initial value of the scenario to a state.
    pub fn initial(&mut self, initial: &Initial, state: &mut State) {
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

    /// Returns a task of the scenario with its arguments in a state.
    pub fn root(&mut self, call: &Call, state: &State) -> Option<Root> {
        let args = call.args.iter().map(|a| self.lowering.ground(a, state));
        Some((self.lowering.task(call)?, args.collect::<Option<_>>()?))
    }
}

/// Adds to a block's scope the variables that its texts name and Bind blocks upstream bind, and
/// returns each with its slots.
///
/// If several Bind blocks, or a parameter, have the same name, the path taken decides which one
/// applies.
fn imports(
    method: &Method,
    position: u32,
    slots: &FxHashMap<u32, u32>,
    own: &mut Variables,
) -> Vec<Import> {
    let mut binding: Vec<(&Name, Vec<u32>)> = vec![];
    for bind in method.binds_named(position) {
        let (Some(variable), Some(slot)) = (method.variable(bind), slots.get(&bind)) else {
            continue;
        };
        match binding.iter_mut().find(|(name, _)| **name == variable.name) {
            Some((_, slots)) => slots.push(*slot),
            None => binding.push((&variable.name, vec![*slot])),
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
