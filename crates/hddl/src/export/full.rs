//! Full HDDL export: quantifiers, conditional effects, method names and the initial task network
//! stay as they are, so that importing the files gives the same document. Not every planner reads
//! this; [`super::export`] writes what most do.
//!
//! It supports documents of predicates and numbers. Object-valued facts, named conditions and
//! numbers with ranges have no such form.

use std::collections::{BTreeMap, BTreeSet};

use super::form::GENERATED;
use super::input::{Input, effects};
use crate::import::ImportNames;
use crate::syntax::ast::{
    Action, Atom, Change, Domain, Effect, Formula, Ident, Number, Problem, Signature, Typed,
};
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Kind, Name, Param, RecordRef, ValueKind, kebab};
use taskloom_domain::records::Primitive;
use taskloom_domain::text::values;

mod methods;
mod problem;
mod words;

use words::{change, formula, number};

/// Reserved words that can't be predicate names.
const RESERVED: &[&str] = &[
    "and", "or", "not", "imply", "implies", "forall", "exists", "when", "assign", "increase",
    "decrease", "sortof", "typeof",
];

/// The reason why a document can't be exported: its location, and a sentence.
pub type Refused = (RecordRef, Field, String);

/// Writes a domain and a problem.
///
/// # Errors
/// The first part of the document that this form can't express. If stopped, it is meaningless, as
/// is the output.
pub fn full(input: &Input, stop: &Stop) -> Result<(Domain, Option<Problem>), Refused> {
    let none = Name::root();
    let scenario = input.scenario.unwrap_or(&none);
    let writer = Full {
        input,
        stop,
        imported: ImportNames::of(input.document, scenario),
        names: names(input),
        costs: input.primitives.iter().any(|(_, p)| p.cost.is_some()),
    };
    let domain = writer.domain()?;
    let problem = input.scenario.map(|name| writer.problem(name, &domain));
    Ok((domain, problem.transpose()?))
}

/// Returns the names of records: their titles if those are the names they were imported with.
fn names(input: &Input) -> BTreeMap<(Kind, Name), Ident> {
    let document = input.document;
    let mut titled: Vec<(Kind, Kind, &Name, &str)> = vec![];
    titled.extend(
        document
            .types
            .iter()
            .map(|(n, r)| (Kind::Type, Kind::Type, n, &*r.title)),
    );
    titled.extend(
        document
            .facts
            .iter()
            .map(|(n, r)| (Kind::Fact, Kind::Fact, n, &*r.title)),
    );
    let primitive = document.primitive_tasks.iter();
    let task = (Kind::PrimitiveTask, Kind::CompoundTask);
    titled.extend(primitive.map(|(n, r)| (task.0, task.1, n, &*r.title)));
    let compound = document.compound_tasks.iter();
    titled.extend(compound.map(|(n, r)| (task.1, task.1, n, &*r.title)));
    let objects = document.objects.iter().chain(&input.scene.record.objects);
    titled.extend(objects.map(|(n, r)| (Kind::Object, Kind::Object, n, &*r.title)));
    // Names come first, so that no title takes another record's name.
    let is_own = |title: &str| is_word(title);
    let mut taken: BTreeSet<(Kind, String)> = BTreeSet::new();
    for (_, space, name, title) in &titled {
        if !is_own(title) {
            taken.insert((*space, name.as_str().to_ascii_lowercase()));
        }
    }
    let mut names = BTreeMap::new();
    for (kind, space, name, title) in titled {
        let is_free = is_own(title) && taken.insert((space, title.to_ascii_lowercase()));
        let given = if is_free { title } else { name.as_str() };
        names.insert((kind, name.clone()), Ident::from(given));
    }
    names
}

/// Returns `true` if a title can be a name in a file.
fn is_word(title: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !"();".contains(c);
    !title.is_empty()
        && !title.starts_with(['?', ':', '-'])
        && title.chars().all(is_plain)
        && !RESERVED.iter().any(|word| title.eq_ignore_ascii_case(word))
}

struct Full<'m> {
    input: &'m Input<'m>,
    stop: &'m Stop,
    imported: ImportNames,
    names: BTreeMap<(Kind, Name), Ident>,
    costs: bool,
}

/// A feature that this form can't express, as the end of a sentence.
type Lacks = &'static str;

const OBJECT_FACT: Lacks = "object-valued facts";
const CONDITION: Lacks = "named conditions";
pub(super) const AGGREGATE: Lacks = "aggregates such as 'count' and 'sum'";
pub(super) const TIME: Lacks = "the current time";
pub(super) const FUNCTION: Lacks = "numeric functions such as 'min' and 'sqrt'";
const NOBODY: Lacks = "'?me' of an actor without an object";
const ABSENCE: Lacks = "facts that make objects absent";
const TOTAL_COST: Lacks = "a fact called 'total-cost' in addition to costs";
const RANGE: Lacks = "numbers with limits";
const TASK_GOAL: Lacks = "goals of compound tasks";
const SHADOWED: Lacks = "two variables with the same name";

fn refused(kind: Kind, name: &Name, lacks: Lacks) -> Refused {
    let message = format!("full HDDL can't express {lacks}");
    (RecordRef::new(kind, name.clone()), Field::Whole, message)
}

impl Full<'_> {
    fn name(&self, kind: Kind, name: &Name) -> Ident {
        match self.names.get(&(kind, name.clone())) {
            Some(given) => given.clone(),
            None => Ident::from(name.as_str()),
        }
    }

    fn typed(&self, param: &Param) -> Typed {
        Typed {
            name: Ident::from(param.name.as_str()),
            of: vec![self.name(Kind::Type, &param.of)],
        }
    }

    fn signature(&self, kind: Kind, name: &Name, params: &[Param]) -> Signature {
        Signature {
            name: self.name(kind, name),
            params: params.iter().map(|p| self.typed(p)).collect(),
        }
    }

    fn domain(&self) -> Result<Domain, Refused> {
        let document = self.input.document;
        if let Some(name) = document.conditions.keys().next() {
            return Err(refused(Kind::Condition, name, CONDITION));
        }
        let mut domain = Domain {
            comment: vec![GENERATED.to_owned()],
            name: title(&document.info.title, "domain"),
            ..Domain::default()
        };
        domain.types = self.types();
        for (name, object) in &document.objects {
            domain.constants.push(Typed {
                name: self.name(Kind::Object, name),
                of: vec![self.name(Kind::Type, &object.of)],
            });
        }
        // The domain's texts may name it, as it is `?me`.
        let actor = self.input.scene.actor(0);
        if let (Some(name), Some(of)) = (actor.me(), actor.type_of_me())
            && !document.objects.contains_key(name)
        {
            domain.constants.push(Typed {
                name: self.name(Kind::Object, name),
                of: vec![self.name(Kind::Type, of)],
            });
        }
        for (name, fact) in &document.facts {
            let signature = self.signature(Kind::Fact, name, &fact.params);
            match fact.value {
                _ if fact.absence => return Err(refused(Kind::Fact, name, ABSENCE)),
                _ if self.costs && signature.name.eq_ignore_ascii_case("total-cost") => {
                    return Err(refused(Kind::Fact, name, TOTAL_COST));
                }
                ValueKind::Boolean => domain.predicates.push(signature),
                ValueKind::Number {
                    integer: false,
                    min: None,
                    max: None,
                } => domain.functions.push(signature),
                ValueKind::Number { .. } => return Err(refused(Kind::Fact, name, RANGE)),
                ValueKind::Object(_) => return Err(refused(Kind::Fact, name, OBJECT_FACT)),
            }
        }
        if self.costs {
            domain.functions.push(Signature {
                name: Ident::from("total-cost"),
                params: vec![],
            });
        }
        for (name, compound) in &self.input.compounds {
            if self.imported.initial_network.as_ref() == Some(*name) {
                continue;
            }
            let params = &compound.record.params;
            let signature = self.signature(Kind::CompoundTask, name, params);
            let methods = self.methods(name, compound, &signature);
            domain
                .methods
                .extend(methods.map_err(|lacks| refused(Kind::CompoundTask, name, lacks))?);
            domain.tasks.push(signature);
        }
        for (name, primitive) in &self.input.primitives {
            if self.stop.after(1 + primitive.effects.len()) {
                break;
            }
            let action = self.action(name, primitive);
            domain
                .actions
                .push(action.map_err(|lacks| refused(Kind::PrimitiveTask, name, lacks))?);
        }
        Ok(domain)
    }

    fn types(&self) -> Vec<Typed> {
        let types = self.input.document.types.iter();
        let types = types.map(|(name, record)| Typed {
            name: self.name(Kind::Type, name),
            of: vec![self.name(Kind::Type, &record.parent)],
        });
        types.collect()
    }

    fn action(&self, name: &Name, primitive: &Primitive) -> Result<Action, Lacks> {
        let mut parts = vec![];
        for precondition in values(&primitive.preconditions) {
            parts.push(formula(self, precondition)?);
        }
        let mut changes = vec![];
        let planned = effects(primitive);
        let planned = planned.filter(|(t, _)| *t != taskloom_document::EffectTiming::Executed);
        for (_, effect) in planned {
            changes.push(Effect {
                forall: effect.forall.iter().map(|p| self.typed(p)).collect(),
                when: match &effect.when {
                    Some(when) => formula(self, when)?,
                    None => Formula::TRUE,
                },
                change: change(self, &effect.change)?,
            });
        }
        let cost = match values(&primitive.cost).next() {
            Some(cost) => number(self, cost)?,
            None => Number::Constant(1.0),
        };
        if self.costs && cost != Number::Constant(0.0) {
            let total = Atom {
                name: Ident::from("total-cost"),
                args: vec![],
            };
            changes.push(Effect {
                forall: vec![],
                when: Formula::TRUE,
                change: Change::Increase(total, cost),
            });
        }
        Ok(Action {
            comment: String::new(),
            signature: self.signature(Kind::PrimitiveTask, name, &primitive.record.params),
            precondition: conjunction(parts),
            effects: changes,
        })
    }
}

/// Returns a name for a definition: its title if that is a valid name.
fn title(title: &str, otherwise: &str) -> Ident {
    let small = title.trim().to_ascii_lowercase();
    match is_word(&small) {
        true => Ident::from(small),
        false if title.trim().is_empty() => Ident::from(otherwise),
        false => Ident::from(kebab(title, otherwise)),
    }
}

/// Returns the conjunction of some formulas, as flat as it was written.
fn conjunction(parts: Vec<Formula>) -> Formula {
    let mut flat = vec![];
    for part in parts {
        match part {
            Formula::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Formula::And(flat)
}
