//! A scenario as a problem.

use super::super::form::GENERATED;
use super::words::formula;
use super::{Full, Lacks, Refused, conjunction, refused, title};
use crate::syntax::ast::{Atom, Domain, Formula, Metric, Network, Problem, Term, Typed};
use taskloom_document::{Kind, Name};
use taskloom_planner::compile::methods;
use taskloom_planner::plan::Value;

impl Full<'_> {
    /// Returns the scenario as a problem of the domain.
    pub(super) fn problem(&self, name: &Name, domain: &Domain) -> Result<Problem, Refused> {
        let scenario = &self.input.scene.record;
        let lacks = |lacks| refused(Kind::Scenario, name, lacks);
        let network = self.network().map_err(lacks)?;
        let mut problem = Problem {
            comment: vec![GENERATED.to_owned()],
            name: title(&scenario.title, name.as_str()),
            domain: domain.name.clone(),
            objects: vec![],
            network: (!network.tasks.is_empty() || !network.params.is_empty()).then_some(network),
            facts: vec![],
            denied: vec![],
            numbers: vec![],
            goal: match &self.input.goal {
                Some((_, goal)) => formula(self, goal).map_err(lacks)?,
                None => Formula::TRUE,
            },
            metrics: match domain.functions.iter().any(|f| f.name == *"total-cost") {
                true if self.costs => vec![Metric::total_cost()],
                // A number of this name would be the costs.
                true => vec![Metric::steps()],
                false => vec![],
            },
        };
        for (name, object) in &scenario.objects {
            if self.stop.after(1) {
                break;
            }
            problem.objects.push(Typed {
                name: self.name(Kind::Object, name),
                of: vec![self.name(Kind::Type, &object.of)],
            });
        }
        for initial in &self.input.initial {
            if self.stop.after(1) {
                break;
            }
            let args = initial.atom.args.iter();
            let args = args.map(|object| Term::Constant(self.name(Kind::Object, object)));
            let atom = Atom {
                name: self.name(Kind::Fact, &initial.atom.fact),
                args: args.collect(),
            };
            match &initial.value {
                Value::Bool(true) => problem.facts.push(atom),
                Value::Number(value) => problem.numbers.push((atom, *value)),
                Value::Bool(false) | Value::Object(_) => {}
            }
        }
        Ok(problem)
    }

    /// Returns the scenario's tasks.
    fn network(&self) -> Result<Network, Lacks> {
        let mut network = Network::default();
        let initial = self.imported.initial_network.as_ref();
        match initial.and_then(|initial| Some((initial, self.input.domain.compound(initial)?))) {
            Some((initial, compound)) => {
                let mut resolutions = methods(&compound.record.method).into_iter().flatten();
                let known = self.imported.methods.get(initial).and_then(|m| m.first());
                let declared = known.map_or(&[][..], |method| &method.subtasks);
                if let Some(resolution) = resolutions.next() {
                    let path = self.path(compound, &resolution, declared);
                    let (params, parts, own) = path?;
                    network = Network {
                        params,
                        constraints: conjunction(parts),
                        ..own
                    };
                }
            }
            None => {
                for call in &self.input.tasks {
                    network.tasks.push(self.call(call)?);
                }
                let last = network.tasks.len().saturating_sub(1);
                network.order = (0..last).map(|n| (n, n + 1)).collect();
            }
        }
        Ok(network)
    }
}
