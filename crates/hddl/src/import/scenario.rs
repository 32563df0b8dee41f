//! A problem as a scenario.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{number, text_of};
use super::methods::Source;
use super::scope::Scope;
use super::{Importer, Owner, chart, conjuncts, legal_scenario, order, original, title};
use crate::syntax::ast::{Atom, Formula, Network, Term};
use taskloom_document::syntax::ast::Initial;
use taskloom_document::syntax::{print_initial, print_reference};
use taskloom_document::{CompoundTask, Document, Name, Scenario};

/// Returns a fact as written in files.
fn shown(atom: &Atom) -> String {
    let mut shown = format!("({}", atom.name);
    for arg in &atom.args {
        match arg {
            Term::Variable(name) => shown += &format!(" ?{name}"),
            Term::Constant(name) => shown += &format!(" {name}"),
        }
    }
    shown + ")"
}

impl Importer<'_> {
    pub fn read_scenario(&mut self, document: &mut Document) -> (Name, Scenario) {
        let mut scenario = Scenario::default();
        let Some(problem) = self.problem else {
            return (legal_scenario("scenario"), scenario);
        };
        let name = legal_scenario(&problem.name);
        scenario.title = title(&problem.name, &name);
        if !problem.domain.is_empty() && problem.domain != self.domain.name {
            let message = format!(
                "this problem is for the domain '{}', but the domain is '{}'",
                problem.domain, self.domain.name
            );
            self.warning(problem.domain.span, message);
        }
        self.initial(&mut scenario);
        if let Some(network) = &problem.network {
            self.initial_network(network, document, &mut scenario);
        }
        let mut scope = Scope::default();
        let goal = conjuncts(&problem.goal).into_iter();
        scenario.goal = text_of(goal.map(|part| self.formula(part, &mut scope)).collect());
        self.report_metric();
        (name, scenario)
    }

    fn initial(&mut self, scenario: &mut Scenario) {
        let Some(problem) = self.problem else { return };
        let scope = Scope::default();
        scenario.initial.reserve(problem.facts.len());
        let denied: FxHashSet<&Atom> = problem.denied.iter().collect();
        let mut seen: FxHashSet<&Atom> = FxHashSet::default();
        for fact in &problem.facts {
            if self.stop.after(1) {
                return;
            }
            self.known_fact(fact, false);
            if denied.contains(fact) {
                let message = format!("'{}' is declared both true and false", shown(fact));
                self.error(fact.name.span, message);
            } else if !seen.insert(fact) {
                let message = format!("duplicate fact '{}'", shown(fact));
                self.warning(fact.name.span, message);
                continue;
            }
            if self.has_variables(&fact.args) {
                continue;
            }
            let fact = self.call(fact, &scope);
            scenario.initial.push(print_reference(&fact));
        }
        let mut values: FxHashMap<&Atom, f64> = FxHashMap::default();
        for (function, value) in &problem.numbers {
            if self.stop.after(1) {
                return;
            }
            let before = values.insert(function, *value);
            if before.is_some_and(|before| before == *value) {
                let message = format!("'{}' is set twice", shown(function));
                self.warning(function.name.span, message);
                continue;
            }
            if before.is_some() {
                let message = format!("'{}' is set to a different number above", shown(function));
                self.error(function.name.span, message);
                continue;
            }
            if self
                .costs
                .replace(function.name.text(), function.args.len())
            {
                continue;
            }
            self.known_fact(function, true);
            if self.has_variables(&function.args) {
                continue;
            }
            let initial = Initial::Value(self.call(function, &scope), number(*value));
            scenario.initial.push(print_initial(&initial));
        }
        let weights = self.initial_weights();
        scenario.initial.extend(weights.iter().map(print_initial));
    }

    /// Reports variables in place of objects.
    fn has_variables(&mut self, args: &[Term]) -> bool {
        let before = self.diagnostics.len();
        for arg in args {
            if let Term::Variable(name) = arg {
                self.error(name.span, format!("expected an object, found '?{name}'"));
            }
        }
        self.diagnostics.len() > before
    }

    /// Reads the initial network: a sequence of ground tasks becomes the scenario's tasks; any
    /// other network becomes the method of a generated task.
    fn initial_network(
        &mut self,
        network: &Network,
        document: &mut Document,
        scenario: &mut Scenario,
    ) {
        if network.tasks.is_empty() && network.params.is_empty() {
            return;
        }
        for task in &network.tasks {
            self.types_fit(&task.name, &task.args);
        }
        let is_ground = network
            .tasks
            .iter()
            .all(|task| task.args.iter().all(|a| matches!(a, Term::Constant(_))));
        let direct = order::reduced(network.tasks.len(), &network.order, self.stop);
        let is_sequence =
            direct.is_some_and(|direct| order::is_sequence(network.tasks.len(), &direct));
        if is_ground
            && is_sequence
            && network.params.is_empty()
            && conjuncts(&network.constraints).is_empty()
        {
            let scope = Scope::default();
            for task in &network.tasks {
                let task = self.subtask(task, &scope);
                scenario.tasks.push(print_reference(&task));
            }
            return;
        }
        let at = network.tasks.first().map(|task| task.name.span);
        let source = Source {
            label: original::INITIAL_NETWORK,
            at: at.unwrap_or_default(),
            params: &network.params,
            precondition: &Formula::TRUE,
            network,
        };
        // The task belongs to the domain, and so do the objects that it mentions.
        self.owner = Owner::DomainForProblem;
        let path = self.path(&source, &[], &[]);
        self.owner = Owner::Scenario;
        let (method, points) = chart::draw(std::slice::from_ref(&path), self.stop);
        let name = self.task_names.give(original::INITIAL_NETWORK, "task");
        let record = CompoundTask {
            method,
            note: original::INITIAL_NOTE.to_owned(),
            ..CompoundTask::default()
        };
        scenario.tasks.push(name.to_string());
        document
            .layout
            .methods
            .insert(name.clone(), Arc::new(points));
        document.compound_tasks.insert(name, Arc::new(record));
    }

    /// Reports objects of the wrong type for a task.
    fn types_fit(&mut self, name: &str, args: &[Term]) {
        let Some(task) = self.tasks.get(name).cloned() else {
            return;
        };
        for (arg, param) in args.iter().zip(&task.params) {
            if let Term::Constant(object) = arg
                && let Some(of) = self.objects.get(object.text()).map(|o| o.of)
                && !param.range.set.contains(of)
            {
                self.wrong_type(object.span, object.text(), param.of);
            }
        }
    }
}
