//! The resolutions of a flowchart, as methods.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{formula, terms};
use super::{Full, Lacks, SHADOWED, TASK_GOAL, conjunction, is_word};
use crate::export::unify::{Kinds, narrow};
use crate::syntax::ast::{Atom, Formula, Ident, Method, Network, Signature, Typed};
use taskloom_document::sort::{CompactSort, set_of};
use taskloom_document::{BlockId, Name, Port, kebab};
use taskloom_domain::lang::typed;
use taskloom_domain::method::Content;
use taskloom_domain::records::Compound;
use taskloom_domain::text::values;
use taskloom_planner::compile::{self, methods};

/// The maximum number of methods per flowchart.
const MAX_METHODS: usize = 10_000;

impl Full<'_> {
    /// Returns the methods that a task's flowchart expands to.
    pub(super) fn methods(
        &self,
        name: &Name,
        compound: &Compound,
        task: &Signature,
    ) -> Result<Vec<Method>, Lacks> {
        if compound.goal.is_some() {
            return Err(TASK_GOAL);
        }
        let mut written: Vec<Method> = vec![];
        // Lower-case names, each with the next free number.
        let mut taken: FxHashMap<String, usize> = FxHashMap::default();
        let kinds = Kinds::new(&self.types());
        let known = self.imported.methods.get(name);
        let resolutions = methods(&compound.record.method).into_iter().flatten();
        for resolution in resolutions.take(MAX_METHODS) {
            if self.stop.after(compound.record.method.blocks.len()) {
                break;
            }
            let leads_here = |output: &Option<_>| match output {
                Some(output) => resolution.outputs.contains(output),
                None => true,
            };
            let known = known.and_then(|all| all.iter().find(|m| leads_here(&m.output)));
            let declared = known.map_or(&[][..], |method| &method.subtasks);
            let (binds, mut parts, network) = self.path(compound, &resolution, declared)?;
            let mut preconditions = vec![];
            for precondition in values(&compound.preconditions) {
                preconditions.push(formula(self, precondition)?);
            }
            parts.splice(0..0, preconditions);
            // A task without methods is drawn as a path that is never taken.
            let is_never = parts.len() == 1 && parts.iter().all(Formula::is_false);
            let has_no_name =
                compound.record.note.is_empty() && known.is_none_or(|m| m.output.is_none());
            if is_never && has_no_name {
                continue;
            }
            let preferred = known.map_or("method", |method| &method.name);
            let preferred = if is_word(preferred) {
                preferred.to_owned()
            } else {
                kebab(preferred, "method")
            };
            let own = free_name(&mut taken, preferred);
            let mut method = Method {
                comment: String::new(),
                signature: Signature {
                    name: Ident::from(own),
                    params: task.params.iter().cloned().chain(binds).collect(),
                },
                task: task.atom(),
                precondition: conjunction(parts),
                network,
            };
            narrow(&mut method, &kinds);
            written.push(method);
        }
        Ok(written)
    }

    /// Returns the variables, conditions and network of a resolution.
    pub(super) fn path(
        &self,
        compound: &Compound,
        resolution: &compile::Method,
        declared: &[BlockId],
    ) -> Result<(Vec<Typed>, Vec<Formula>, Network), Lacks> {
        let domain = self.input.domain;
        let Some(method) = domain.method(compound) else {
            return Ok((vec![], vec![], Network::default()));
        };
        let mut binds: Vec<Typed> = vec![];
        let mut parts = vec![];
        let mut calls = BTreeMap::new();
        let params = compound.record.params.iter();
        let mut names = set_of(params.map(|param| param.name.clone()));
        let present: FxHashSet<&BlockId> = resolution.blocks.iter().collect();
        let blocks = (0u32..).zip(&method.chart.blocks);
        for (position, block) in blocks.filter(|(_, block)| present.contains(&block.id)) {
            if self.stop.after(1 + resolution.outputs.len() / 64) {
                break;
            }
            match domain.content(method, position) {
                Content::Pass | Content::Choice { .. } => {}
                Content::Branch(text) => {
                    let Some(read) = &text.value else { continue };
                    let taken = resolution.outputs.iter().find(|(id, _)| *id == block.id);
                    let holds = taken.is_some_and(|(_, port)| *port == Port::True);
                    let written = formula(self, read)?;
                    match holds {
                        true => parts.push(written),
                        false => parts.push(Formula::Not(Box::new(written))),
                    }
                }
                Content::Bind {
                    variable,
                    condition,
                    ..
                } => {
                    if !names.insert(variable.name.clone()) {
                        return Err(SHADOWED);
                    }
                    binds.push(self.typed(variable));
                    if let Some(condition) = values(condition).next() {
                        parts.push(formula(self, condition)?);
                    }
                }
                Content::Task { call, .. } => {
                    let Some(call) = &call.value else { continue };
                    calls.insert(&block.id, self.call(call)?);
                }
            }
        }
        // The subtasks in their declared order, then any others.
        let mut order: Vec<usize> = (0..resolution.tasks.len()).collect();
        let declared: FxHashMap<&BlockId, usize> = declared.iter().zip(0..).collect();
        order.compact_sort_by_key(|task| {
            let block = resolution.tasks.get(*task);
            let at = block.and_then(|block| declared.get(block).copied());
            at.unwrap_or(usize::MAX)
        });
        let mut place = vec![0; order.len()];
        for (at, task) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(*task) {
                *place = at;
            }
        }
        let at = |task: usize| place.get(task).copied().unwrap_or_default();
        let mut pairs: Vec<_> = resolution
            .order
            .iter()
            .map(|(a, b)| (at(*a), at(*b)))
            .collect();
        pairs.compact_sort();
        let tasks = order
            .iter()
            .filter_map(|task| calls.get(resolution.tasks.get(*task)?).cloned());
        let network = Network {
            tasks: tasks.collect(),
            order: pairs,
            ..Network::default()
        };
        Ok((binds, parts, network))
    }

    /// Returns a call as an atom.
    pub(super) fn call(&self, call: &typed::Call) -> Result<Atom, Lacks> {
        let kind = call.callee.kind();
        Ok(Atom {
            name: self.name(kind, &call.name),
            args: terms(self, &call.args)?,
        })
    }
}

/// Returns the preferred name, or that name with the first number that makes it unique.
fn free_name(taken: &mut FxHashMap<String, usize>, preferred: String) -> String {
    let folded = preferred.to_ascii_lowercase();
    let Some(mut number) = taken.get(&folded).copied() else {
        taken.insert(folded, 2);
        return preferred;
    };
    let mut own = format!("{folded}_{number}");
    while taken.contains_key(&own) {
        number += 1;
        own = format!("{folded}_{number}");
    }
    taken.insert(folded, number + 1);
    taken.insert(own, 2);
    format!("{preferred}_{number}")
}
