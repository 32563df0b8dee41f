//! Flowcharts as methods, one for each resolution.

use std::collections::BTreeMap;

use super::formula::{self, Bindings, Place, and, not};
use super::{Writer, free_variable};
use crate::compile::methods;
use crate::document::{Field, Kind, Name, Param, Port, RecordRef};
use crate::export::model::{BlockText, Compound};
use crate::hddl::ast::{Atom, Formula, Method, Network, Signature, Term, Typed};
use crate::lang::typed::Callee;

/// A flowchart may stand for so many methods.
const MOST_METHODS: usize = 10_000;

impl Writer<'_> {
    pub(super) fn methods(&mut self, name: &Name, compound: &Compound) -> Vec<Method> {
        let at = RecordRef::new(Kind::CompoundTask, name.clone());
        let Ok(resolutions) = methods(&compound.record.method) else {
            self.error(
                at,
                Field::Method,
                "its flowchart has no resolutions".to_owned(),
            );
            return vec![];
        };
        let mut written = vec![];
        for (number, resolution) in resolutions.enumerate() {
            if number == MOST_METHODS {
                let message = format!("its flowchart stands for more than {MOST_METHODS} methods");
                self.error(at, Field::Method, message);
                return vec![];
            }
            self.resolution(name, compound, &resolution, &mut written);
        }
        written
    }

    /// Writes a resolution as a method, or as several where a task's argument is
    /// an object fact: one for each value.
    fn resolution(
        &mut self,
        name: &Name,
        compound: &Compound,
        resolution: &crate::compile::Method,
        written: &mut Vec<Method>,
    ) {
        let lowering = self.lowering;
        let mut params: Vec<Typed> = vec![];
        let mut bindings = Bindings::new();
        let variable = |params: &mut Vec<Typed>, bindings: &mut Bindings, param: &Param| {
            let name = free_variable(param.name.as_str(), |n| params.iter().any(|p| p.name == n));
            let place = Place {
                term: Term::Variable(name.clone()),
                of: param.of.clone(),
            };
            bindings.insert(param.name.clone(), vec![(Formula::TRUE, place)]);
            name
        };
        for param in &compound.record.params {
            let name = variable(&mut params, &mut bindings, param);
            let of = self.of(&param.of);
            params.push(Typed { name, of });
        }
        let own = params.len();
        // A block sees the variables of Bind blocks upstream, whatever stands
        // before it elsewhere; the last one of a name counts.
        let chart = &compound.chart;
        let present = |position: u32| {
            let block = chart.blocks.get(position as usize);
            block.is_some_and(|b| resolution.blocks.contains(&b.id))
        };
        let parameters = bindings.clone();
        let mut bound: BTreeMap<u32, (Name, formula::Values)> = BTreeMap::new();
        let mut needs: Vec<Formula> = vec![];
        let mut said: Vec<String> = vec![];
        let mut calls: Vec<Vec<(Formula, Atom)>> = vec![];
        for formula in &compound.preconditions {
            needs.push(lowering.formula(formula, &bindings));
        }
        for (position, text) in (0u32..).zip(&compound.blocks) {
            if !present(position) {
                continue;
            }
            let mut bindings = parameters.clone();
            for above in chart.upstream(position) {
                if let Some((name, values)) = bound.get(&above) {
                    bindings.insert(name.clone(), values.clone());
                }
            }
            let id = chart.blocks.get(position as usize).map(|b| &b.id);
            let output = resolution
                .outputs
                .iter()
                .find(|(block, _)| Some(block) == id);
            match text {
                BlockText::Pass => {}
                BlockText::Branch { text, formula } => {
                    let holds = output.is_some_and(|(_, port)| *port == Port::True);
                    let formula = lowering.formula(formula, &bindings);
                    needs.push(if holds { formula } else { not(formula) });
                    said.push(format!("{text}? {}", if holds { "yes" } else { "no" }));
                }
                BlockText::Choice(labels) => {
                    let block = id.and_then(|id| compound.record.method.blocks.get(id));
                    let ports = block.map(|b| b.ports()).unwrap_or_default();
                    let chosen = ports
                        .iter()
                        .position(|p| output.is_some_and(|(_, o)| o == p));
                    let chosen = chosen.unwrap_or_default();
                    let label = labels.get(chosen).copied().unwrap_or_default();
                    said.push(format!("{} {label}", chosen + 1).trim().to_owned());
                }
                BlockText::Bind {
                    variable: param,
                    condition,
                    ..
                } => {
                    let name = variable(&mut params, &mut bindings, param);
                    let of = self.of(&param.of);
                    params.push(Typed { name, of });
                    if let Some(formula) = condition {
                        needs.push(lowering.formula(formula, &bindings));
                    }
                    let values = bindings.remove(&param.name).unwrap_or_default();
                    bound.insert(position, (param.name.clone(), values));
                    said.push(format!("some ?{}", param.name));
                }
                BlockText::Task(call) => {
                    let kind = match call.callee {
                        Callee::CompoundTask => Kind::CompoundTask,
                        _ => Kind::PrimitiveTask,
                    };
                    let callee = self.name(kind, &call.name);
                    let calls_of = lowering.terms(&call.args, &bindings).into_iter();
                    calls.push(
                        calls_of
                            .map(|(guard, args)| {
                                let atom = Atom {
                                    name: callee.clone(),
                                    args: args.into_iter().map(|place| place.term).collect(),
                                };
                                (guard, atom)
                            })
                            .collect(),
                    );
                }
            }
        }
        let mut networks = vec![(and(needs), vec![])];
        for alternatives in calls {
            let mut longer = vec![];
            for (guard, tasks) in &networks {
                for (also, task) in &alternatives {
                    let guard = and([guard.clone(), also.clone()]);
                    let mut tasks: Vec<Atom> = tasks.clone();
                    tasks.push(task.clone());
                    longer.push((guard, tasks));
                }
            }
            networks = longer;
        }
        let task = Atom {
            name: self.name(Kind::CompoundTask, name),
            args: params
                .iter()
                .take(own)
                .map(|p| Term::Variable(p.name.clone()))
                .collect(),
        };
        for (precondition, tasks) in networks {
            if precondition.is_false() {
                continue;
            }
            let number = written.len() + 1;
            let method = self.more.unique(&format!("{}_{number}", task.name));
            written.push(Method {
                comment: said.join("; "),
                signature: Signature {
                    name: method,
                    params: params.clone(),
                },
                task: task.clone(),
                precondition,
                network: Network {
                    tasks,
                    order: resolution.order.clone(),
                },
            });
        }
    }
}
