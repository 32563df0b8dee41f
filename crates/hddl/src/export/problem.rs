//! A scenario as a problem.

use std::collections::BTreeMap;

use super::form::Form;
use super::form::GENERATED;
use super::values::Bindings;
use super::writer::Writer;
use crate::syntax::ast::{Atom, Domain, Formula, Metric, Network, Problem, Term, Typed};
use taskloom_document::sort::set_of;
use taskloom_document::{Field, Kind, Name, RecordRef, ValueKind};
use taskloom_planner::plan::{self, Value};

/// The maximum number of ground number facts.
const MAX_NUMBERS: usize = 100_000;

impl Writer<'_> {
    pub(super) fn problem(&mut self, name: &Name, domain: &Domain) -> Problem {
        let input = self.lowering.input;
        let scenario = &input.scene.record;
        let at = RecordRef::new(Kind::Scenario, name.clone());
        let mut problem = empty_problem(domain);
        problem.name = self.more.unique(name.as_str()).into();
        let mut network = Network::default();
        problem.comment.extend(
            [&scenario.title, &scenario.note]
                .into_iter()
                .filter_map(|text| {
                    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    (!line.is_empty()).then_some(line)
                }),
        );
        problem.comment.push(GENERATED.to_owned());
        for (n, call) in input.tasks.iter().enumerate() {
            let kind = call.callee.kind();
            self.lowering.begin(at.clone(), Field::Task(n));
            let values = self.lowering.terms(&call.args, &Bindings::new());
            let [(guard, args)] = values.as_slice() else {
                let message = "HDDL requires objects as arguments here".to_owned();
                self.error(at.clone(), Field::Task(n), message);
                continue;
            };
            if guard.is_true() {
                network.tasks.push(Atom {
                    name: self.name(kind, &call.name),
                    args: args.iter().map(|place| place.term.clone()).collect(),
                });
            }
        }
        let last = network.tasks.len().saturating_sub(1);
        network.order = (0..last).map(|n| (n, n + 1)).collect();
        problem.network = (self.form == Form::Hddl).then_some(network);
        if let Some((of, goal)) = &input.goal {
            self.lowering.begin(of.clone(), Field::Goal);
            problem.goal = self.lowering.formula(goal, &Bindings::new());
        }
        self.initial(&at, &mut problem);
        let constants = set_of(domain.constants.iter().map(|c| c.name.as_str()));
        for (name, of) in input.scene.objects() {
            if self.lowering.stop.after(1) {
                break;
            }
            let name = self.name(Kind::Object, name);
            if !constants.contains(name.as_str()) {
                let of = vec![self.of(of)];
                problem.objects.push(Typed { name, of });
            }
        }
        problem
    }

    fn initial(&mut self, at: &RecordRef, problem: &mut Problem) {
        let input = self.lowering.input;
        let mut values = BTreeMap::new();
        for initial in &input.initial {
            if self.lowering.stop.after(1) {
                return;
            }
            values.insert(&initial.atom, &initial.value);
        }
        let constant = |name: &Name| Term::Constant(self.name(Kind::Object, name));
        for (atom, value) in &values {
            if self.lowering.stop.after(1) {
                return;
            }
            let mut fact = Atom {
                name: self.name(Kind::Fact, &atom.fact),
                args: atom.args.iter().map(constant).collect(),
            };
            match value {
                Value::Bool(true) => problem.facts.push(fact),
                Value::Object(Some(object)) => {
                    fact.args.push(constant(object));
                    problem.facts.push(fact);
                }
                Value::Bool(false) | Value::Object(None) | Value::Number(_) => {}
            }
        }
        for (name, fact) in &input.document.facts {
            let ValueKind::Number { .. } = fact.value else {
                continue;
            };
            let mut tuples: Vec<Vec<Name>> = vec![vec![]];
            for param in &fact.params {
                let objects = self.lowering.names_of(&param.of);
                if tuples.len().saturating_mul(objects.len()) > MAX_NUMBERS {
                    let message = format!(
                        "'{name}' has more than {MAX_NUMBERS} values to write: export to \
                         'full-hddl', which writes only those that are set"
                    );
                    self.error(at.clone(), Field::Whole, message);
                    return;
                }
                tuples = tuples
                    .iter()
                    .flat_map(|tuple| {
                        let longer = |object: &Name| {
                            let longer = tuple.iter().chain([object]);
                            longer.cloned().collect()
                        };
                        objects.iter().map(longer).collect::<Vec<_>>()
                    })
                    .collect();
            }
            for args in tuples {
                if self.lowering.stop.after(1) {
                    return;
                }
                let function = Atom {
                    name: self.name(Kind::Fact, name),
                    args: args.iter().map(constant).collect(),
                };
                let fact = name.clone();
                let value = match values.get(&plan::Atom { fact, args }) {
                    Some(Value::Number(value)) => *value,
                    _ => 0.0,
                };
                problem.numbers.push((function, value));
            }
        }
        if self.costs {
            let total = Atom {
                name: "total-cost".into(),
                args: vec![],
            };
            problem.numbers.push((total, 0.0));
            problem.metrics.push(Metric::total_cost());
        }
    }
}

fn empty_problem(domain: &Domain) -> Problem {
    Problem {
        comment: vec![],
        name: "problem".into(),
        domain: domain.name.clone(),
        objects: vec![],
        network: None,
        facts: vec![],
        denied: vec![],
        numbers: vec![],
        goal: Formula::TRUE,
        metrics: vec![],
    }
}
