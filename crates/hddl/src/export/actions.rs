//! Primitive tasks as actions, or as tasks with one action per case.

use super::cases::{Case, cases};
use super::form::Form;
use super::simplify::and;
use super::writer::Writer;
use crate::syntax::ast::{Action, Domain, Formula, Method, Network, Signature, Term, Typed};
use taskloom_document::{EffectTiming, Kind, Name, RecordRef};
use taskloom_domain::records::Primitive;

impl Writer<'_> {
    /// Adds the actions of a primitive task, and the task and methods that choose between them.
    pub(super) fn actions(&mut self, name: &Name, primitive: &Primitive, domain: &mut Domain) {
        let at = RecordRef::new(Kind::PrimitiveTask, name.clone());
        let cases = cases(self.lowering, &at, primitive, self.costs);
        if self.lowering.has_ended() {
            return;
        }
        let task = self.signature(Kind::PrimitiveTask, name, &primitive.record.params);
        let at_once =
            |case: &Case| case.fixed.is_empty() && case.before.is_empty() && case.side.is_true();
        let conditional = |case: &Case| case.effects.iter().any(|e| !e.when.is_true());
        if cases.iter().any(conditional) {
            self.warnings.push(format!(
                "primitive task {name}: too many cases; its effects stay conditional, \
                 which not every planner supports"
            ));
        }
        match cases.as_slice() {
            [case] if at_once(case) => {
                domain.actions.push(action(name, primitive, case, task));
            }
            cases => {
                for case in cases {
                    self.case(name, primitive, case, &task, domain);
                }
                if self.form == Form::Hddl {
                    domain.tasks.push(task);
                }
            }
        }
    }

    /// Adds the action of a case, and the method that chooses it for the task.
    fn case(
        &mut self,
        name: &Name,
        primitive: &Primitive,
        case: &Case,
        task: &Signature,
        domain: &mut Domain,
    ) {
        let params = &primitive.record.params;
        let own = self.case_name(case, task);
        let before = case.before.iter().map(|(name, of)| Typed {
            name: name.as_str().into(),
            of: vec![self.of(of)],
        });
        let before: Vec<Typed> = before.collect();
        let free = params.iter().filter(|p| !case.fixed.contains_key(&p.name));
        let signature = Signature {
            name: own.as_str().into(),
            params: free.map(|p| self.typed(p)).chain(before.clone()).collect(),
        };
        if self.form == Form::Hddl {
            let method = self.choosing(primitive, case, task, &own, before, &signature);
            domain.methods.push(method);
        }
        domain
            .actions
            .push(action(name, primitive, case, signature));
    }

    /// Returns the method that decomposes a task into the action of a case.
    fn choosing(
        &mut self,
        primitive: &Primitive,
        case: &Case,
        task: &Signature,
        own: &str,
        before: Vec<Typed>,
        action: &Signature,
    ) -> Method {
        let is_fixed = primitive.record.params.iter().filter_map(|param| {
            let object = self.lowering.object(case.fixed.get(&param.name)?);
            let variable = Term::Variable(param.name.as_str().into());
            Some(Formula::Equal(variable, object.term))
        });
        let precondition = and(is_fixed);
        Method {
            comment: String::new(),
            signature: Signature {
                name: self.more.unique(&format!("do_{own}")).into(),
                params: task.params.iter().cloned().chain(before).collect(),
            },
            task: task.atom(),
            precondition,
            network: Network {
                tasks: vec![action.atom()],
                ..Network::default()
            },
        }
    }

    /// Returns the name of a case's action: the task and the objects of the case.
    fn case_name(&mut self, case: &Case, task: &Signature) -> String {
        let objects = case.fixed.values();
        let objects: Vec<_> = objects
            .map(|object| self.name(Kind::Object, object).to_string())
            .collect();
        let suffix = match objects.as_slice() {
            [] if !case.before.is_empty() => "change".to_owned(),
            [] => "case".to_owned(),
            objects => objects.join("_"),
        };
        self.more.unique(&format!("{}_{suffix}", task.name))
    }
}

fn action(name: &Name, primitive: &Primitive, case: &Case, signature: Signature) -> Action {
    Action {
        comment: comment(name, primitive, case),
        signature,
        precondition: case.precondition.clone(),
        effects: case.effects.clone(),
    }
}

/// Returns the call that an action represents, so that another planner's plan can be read back, and
/// the designer's note.
fn comment(name: &Name, primitive: &Primitive, case: &Case) -> String {
    let args: Vec<_> = primitive
        .record
        .params
        .iter()
        .map(|param| match case.fixed.get(&param.name) {
            Some(object) => object.to_string(),
            None => format!("?{}", param.name),
        })
        .collect();
    let mut line = name.to_string();
    if !args.is_empty() {
        line += &format!("({})", args.join(", "));
    }
    let later = primitive
        .effects
        .iter()
        .any(|(t, _)| *t == EffectTiming::Executed);
    if later {
        line += " (without effects that apply only in execution)";
    }
    if !primitive.record.note.is_empty() {
        line += &format!(": {}", primitive.record.note);
    }
    line
}
