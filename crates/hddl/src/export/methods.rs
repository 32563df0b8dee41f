//! Flowcharts as methods, one per resolution.

use std::collections::{BTreeMap, BTreeSet};

use super::names::free_variable;
use super::simplify::{and, not};
use super::unify::{unify, write_out};
use super::values::{Bindings, Place};
use super::writer::Writer;
use crate::syntax::ast::{Atom, Formula, Ident, Method, Network, Signature, Term, Typed};
use taskloom_document::{BlockId, Field, Kind, Name, Param, Port, RecordRef};
use taskloom_domain::lang::typed::{Call, Term as TypedTerm};
use taskloom_domain::method::{self, Content};
use taskloom_domain::records::Compound;
use taskloom_domain::text::values;
use taskloom_domain::variables::{in_formula, in_terms};
use taskloom_planner::compile::{self, methods};

use rustc_hash::FxHashSet;

/// The maximum number of methods per flowchart.
const MAX_METHODS: usize = 10_000;

/// Returns the warning about a compound task with a goal.
pub(super) fn goal_warning(name: &Name) -> String {
    format!(
        "compound task {name}: the search for its goal is not exported; it is done only as drawn"
    )
}

/// A method under construction.
struct MethodDraft<'w, 'm> {
    writer: &'w Writer<'m>,
    at: RecordRef,
    parts: MethodParts,
}

/// The parts of a method.
#[derive(Default)]
struct MethodParts {
    params: Vec<Typed>,
    needs: Vec<Formula>,
    tasks: Vec<Atom>,
    /// The decisions, in words.
    decisions: Vec<String>,
}

impl Writer<'_> {
    /// Returns the methods of a compound task.
    pub(super) fn methods(&mut self, name: &Name, compound: &Compound) -> Vec<Method> {
        let at = RecordRef::new(Kind::CompoundTask, name.clone());
        let mut written = vec![];
        if compound.goal.is_some() {
            self.warnings.push(goal_warning(name));
            let mut draft = MethodDraft::new(self, &at);
            draft.common(compound, true);
            let mut parts = draft.parts;
            let own = parts.params.len();
            parts.decisions.push("the goal is true".to_owned());
            written.extend(self.method(name, own, parts, vec![], 1));
        }
        let flow = self.lowering.input.domain.ways(compound);
        if flow.is_none() && compound.goal.is_some() {
            return written;
        }
        let Some((flow, resolutions)) = flow.zip(methods(&compound.record.method)) else {
            let message = "its flowchart has no resolutions".to_owned();
            self.error(at, Field::Method, message);
            return vec![];
        };
        let blocks = flow.chart.blocks.len();
        for (number, resolution) in resolutions.enumerate() {
            // Another method has some of every kind of block.
            self.lowering.begin(at.clone(), Field::Method);
            if !self.lowering.spend(1 + blocks / 8) {
                return vec![];
            }
            if number == MAX_METHODS {
                let message = format!("its flowchart expands to more than {MAX_METHODS} methods");
                self.error(at, Field::Method, message);
                return vec![];
            }
            let mut draft = MethodDraft::new(self, &at);
            let Some(own) = draft.resolution(compound, flow, &resolution) else {
                continue;
            };
            let parts = draft.parts;
            let number = written.len() + 1;
            written.extend(self.method(name, own, parts, resolution.order, number));
        }
        written
    }

    /// Returns a method of a compound task with `own` parameters; `None` if its precondition never holds.
    fn method(
        &mut self,
        name: &Name,
        own: usize,
        parts: MethodParts,
        order: Vec<(usize, usize)>,
        number: usize,
    ) -> Option<Method> {
        let MethodParts {
            params,
            needs,
            tasks,
            decisions,
        } = parts;
        let args = params.iter().take(own);
        let task = Atom {
            name: self.name(Kind::CompoundTask, name),
            args: args.map(|p| Term::Variable(p.name.clone())).collect(),
        };
        let preferred = format!("{}_{number}", task.name);
        let mut method = Method {
            comment: decisions.join("; "),
            signature: Signature {
                name: Ident::default(),
                params,
            },
            task,
            precondition: and(needs),
            network: Network {
                tasks,
                order,
                ..Network::default()
            },
        };
        unify(&mut method, &self.kinds);
        write_out(&mut method, |of| self.objects_called(of));
        if method.precondition.is_false() {
            return None;
        }
        method.signature.name = self.more.unique(&preferred).into();
        Some(method)
    }
}

impl Writer<'_> {
    /// Returns the objects of a type by its name in the file; `None` if there are too many.
    fn objects_called(&self, of: &Ident) -> Option<Vec<Term>> {
        let types = &self.lowering.input.document.types;
        let root = Name::root();
        let mut names = types.keys().chain([&root]);
        let of = names.find(|name| self.of(name) == *of)?;
        let objects = self.lowering.objects_of(of);
        let is_possible = self.lowering.spend(objects.len());
        is_possible.then(|| objects.into_iter().map(|place| place.term).collect())
    }
}

impl<'w, 'm> MethodDraft<'w, 'm> {
    fn new(writer: &'w Writer<'m>, at: &RecordRef) -> Self {
        Self {
            writer,
            at: at.clone(),
            parts: MethodParts::default(),
        }
    }

    /// Adds a parameter to the method.
    fn param(&mut self, name: &str, of: &Name) -> Place {
        let taken = |name: &str| self.parts.params.iter().any(|p| p.name == *name);
        let name: Ident = free_variable(name, taken).into();
        self.parts.params.push(Typed {
            name: name.clone(),
            of: vec![self.writer.of(of)],
        });
        Place {
            term: Term::Variable(name),
            of: of.clone(),
        }
    }

    /// Writes the task's own parameters and preconditions and, if it has a goal, that it is true or not. Returns
    /// the bindings of the parameters.
    fn common(&mut self, compound: &Compound, is_achieved: bool) -> Bindings {
        let lowering = self.writer.lowering;
        let mut parameters = Bindings::new();
        for Param { name, of } in &compound.record.params {
            let place = self.param(name.as_str(), of);
            parameters.insert(name.clone(), vec![(Formula::TRUE, place)]);
        }
        for (number, formula) in values(&compound.preconditions).enumerate() {
            lowering.begin(self.at.clone(), Field::Precondition(number));
            let needed = lowering.formula(formula, &parameters);
            self.parts.needs.push(needed);
        }
        for goal in values(&compound.goal) {
            lowering.begin(self.at.clone(), Field::Goal);
            let goal = lowering.formula(goal, &parameters);
            self.parts
                .needs
                .push(if is_achieved { goal } else { not(goal) });
        }
        parameters
    }

    /// Writes a resolution and returns the number of the task's own parameters. `None` if a
    /// variable is undefined in it.
    fn resolution(
        &mut self,
        compound: &Compound,
        flow: &method::Method,
        resolution: &compile::Method,
    ) -> Option<usize> {
        let lowering = self.writer.lowering;
        let parameters = self.common(compound, false);
        let own = self.parts.params.len();
        let mut bound: BTreeMap<u32, (&Name, Place)> = BTreeMap::new();
        let present: FxHashSet<&BlockId> = resolution.blocks.iter().collect();
        for (position, block) in (0u32..).zip(&flow.chart.blocks) {
            let id = &block.id;
            if !present.contains(id) {
                continue;
            }
            if lowering.stop.after(flow.chart.wires.len()) {
                return None;
            }
            // The variables of present Bind blocks upstream are visible to a block; the last one of
            // a name takes precedence.
            let mut bindings = parameters.clone();
            for above in flow.binds_above(position) {
                if let Some((name, place)) = bound.get(&above) {
                    bindings.insert((*name).clone(), vec![(Formula::TRUE, place.clone())]);
                }
            }
            lowering.begin(self.at.clone(), Field::BlockText(id.clone()));
            let mut used = BTreeSet::new();
            let output = resolution.outputs.iter().find(|(block, _)| block == id);
            let output = output.map(|(_, port)| *port);
            match lowering.input.domain.content(flow, position) {
                Content::Pass => {}
                Content::Branch(condition) => {
                    let formula = condition.value.as_ref()?;
                    in_formula(formula, &mut used);
                    let formula = lowering.formula(formula, &bindings);
                    let holds = output == Some(Port::True);
                    self.parts
                        .needs
                        .push(if holds { formula } else { not(formula) });
                    let answer = if holds { "yes" } else { "no" };
                    self.parts
                        .decisions
                        .push(format!("{}? {answer}", condition.text));
                }
                Content::Choice { alternatives, .. } => {
                    let ports = compound.record.method.blocks.get(id)?.ports();
                    let chosen = ports.iter().position(|port| output == Some(*port));
                    let chosen = chosen.unwrap_or_default();
                    let label = alternatives.get(chosen).map_or("", |output| &output.label);
                    let choice = format!("{} {label}", chosen + 1);
                    self.parts.decisions.push(choice.trim().to_owned());
                }
                Content::Bind {
                    variable: Param { name, of },
                    condition,
                    ..
                } => {
                    let place = self.param(name.as_str(), of);
                    bindings.insert(name.clone(), vec![(Formula::TRUE, place.clone())]);
                    if let Some(formula) = values(condition).next() {
                        in_formula(formula, &mut used);
                        self.parts.needs.push(lowering.formula(formula, &bindings));
                    }
                    bound.insert(position, (name, place));
                    self.parts.decisions.push(format!("some ?{name}"));
                }
                Content::Task { call, .. } => {
                    let call = call.value.as_ref()?;
                    in_terms(&call.args, &mut used);
                    let task = self.call(call, &bindings)?;
                    let times = block.block.repetitions() as usize;
                    self.parts.tasks.extend(std::iter::repeat_n(task, times));
                }
            }
            if used.iter().any(|name| !bindings.contains_key(name)) {
                return None;
            }
        }
        Some(own)
    }

    fn call(&mut self, call: &Call, bindings: &Bindings) -> Option<Atom> {
        let kind = call.callee.kind();
        let mut args = vec![];
        for arg in &call.args {
            args.push(self.argument(arg, bindings)?.term);
        }
        Some(Atom {
            name: self.writer.name(kind, &call.name),
            args,
        })
    }

    /// Returns an argument. The value of an object fact becomes an extra parameter of the method,
    /// constrained to be the fact's value.
    fn argument(&mut self, term: &TypedTerm, bindings: &Bindings) -> Option<Place> {
        let lowering = self.writer.lowering;
        match term {
            TypedTerm::Variable(name) => Some(bindings.get(name)?.first()?.1.clone()),
            TypedTerm::Object(name) => Some(lowering.object(name)),
            TypedTerm::Me => None,
            TypedTerm::Fact(fact, args) => {
                let mut places = vec![];
                for arg in args {
                    places.push(self.argument(arg, bindings)?);
                }
                let place = self.param("value", lowering.value_type(fact)?);
                let atom = lowering.predicate(fact, places.into_iter().chain([place.clone()]));
                self.parts.needs.push(Formula::Atom(atom));
                Some(place)
            }
        }
    }
}
