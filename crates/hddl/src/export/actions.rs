//! Primitive tasks as actions, or as tasks with an action for each case.

use super::Writer;
use super::cases::{Case, cases};
use super::simplify::and;
use super::values::Place;
use crate::syntax::ast::{Action, Atom, Domain, Formula, Method, Network, Signature, Term, Typed};
use taskloom_document::{EffectTiming, Kind, Name, Param, RecordRef};
use taskloom_domain::model::Primitive;

impl Writer<'_> {
    /// The actions of a primitive task, and the task and methods that choose
    /// between them.
    pub(super) fn actions(&mut self, name: &Name, primitive: &Primitive, domain: &mut Domain) {
        let at = RecordRef::new(Kind::PrimitiveTask, name.clone());
        let cases = cases(self.lowering, &at, primitive, self.costs);
        if self.lowering.has_ended() {
            return;
        }
        let params = &primitive.record.params;
        let task = self.signature(Kind::PrimitiveTask, name, params);
        let at_once =
            |case: &Case| case.fixed.is_empty() && case.before.is_empty() && case.side.is_true();
        let conditional = |case: &Case| case.effects.iter().any(|e| !e.when.is_true());
        if cases.iter().any(conditional) {
            self.warnings.push(format!(
                "primitive task {name}: too many cases, so its effects stay conditional, \
                 which not every planner knows"
            ));
        }
        if let [case] = cases.as_slice()
            && at_once(case)
        {
            domain.actions.push(Action {
                comment: comment(name, primitive, case),
                signature: task,
                precondition: case.precondition.clone(),
                effects: case.effects.clone(),
            });
            return;
        }
        for case in cases {
            let objects: Vec<_> = case
                .fixed
                .values()
                .map(|object| self.name(Kind::Object, object).to_string())
                .collect();
            let suffix = match objects.as_slice() {
                [] if !case.before.is_empty() => "change".to_owned(),
                [] => "case".to_owned(),
                objects => objects.join("_"),
            };
            let own = self.more.unique(&format!("{}_{suffix}", task.name));
            let place = |param: &Param| match case.fixed.get(&param.name) {
                Some(object) => self.lowering.object(object),
                None => Place {
                    term: Term::Variable(param.name.as_str().into()),
                    of: param.of.clone(),
                },
            };
            let free = params.iter().filter(|p| !case.fixed.contains_key(&p.name));
            let is_fixed = params.iter().filter_map(|param| {
                let object = self.lowering.object(case.fixed.get(&param.name)?);
                let variable = Term::Variable(param.name.as_str().into());
                Some(Formula::Equal(variable, object.term))
            });
            let before = case.before.iter().map(|(name, of)| Typed {
                name: name.as_str().into(),
                of: vec![self.of(of)],
            });
            let before: Vec<Typed> = before.collect();
            let values = before.iter().map(|t| Term::Variable(t.name.clone()));
            let call = Atom {
                name: own.as_str().into(),
                args: free.clone().map(|p| place(p).term).chain(values).collect(),
            };
            let precondition = and(is_fixed);
            let signature = Signature {
                name: own.as_str().into(),
                params: free.map(|p| self.typed(p)).chain(before.clone()).collect(),
            };
            domain.methods.push(Method {
                comment: String::new(),
                signature: Signature {
                    name: self.more.unique(&format!("do_{own}")).into(),
                    params: task.params.iter().cloned().chain(before).collect(),
                },
                task: Atom {
                    name: task.name.clone(),
                    args: params
                        .iter()
                        .map(|p| Term::Variable(p.name.as_str().into()))
                        .collect(),
                },
                precondition,
                network: Network {
                    tasks: vec![call],
                    ..Network::default()
                },
            });
            domain.actions.push(Action {
                comment: comment(name, primitive, &case),
                signature,
                precondition: case.precondition,
                effects: case.effects,
            });
        }
        domain.tasks.push(task);
    }
}

/// The call that an action stands for, so that a plan of another planner can be
/// read back, and the designer's note.
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
        .any(|(_, t)| *t == EffectTiming::Executed);
    if later {
        line += " (without the effects that only execution has)";
    }
    if !primitive.record.note.is_empty() {
        line += &format!(": {}", primitive.record.note);
    }
    line
}
