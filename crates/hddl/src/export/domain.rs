//! The domain's file: types, constants, facts, tasks, methods and actions.

use std::collections::BTreeMap;

use super::names::free_variable;
use super::writer::Writer;
use crate::syntax::ast::{Domain, Signature, Typed};
use taskloom_document::sort::{CompactSort, set_of};
use taskloom_document::{Kind, Name, ValueKind, kebab};

impl Writer<'_> {
    pub(super) fn domain(&mut self) -> Domain {
        let input = self.lowering.input;
        let document = input.document;
        let mut domain = Domain {
            name: self
                .more
                .unique(&kebab(&document.info.title, "domain"))
                .into(),
            comment: vec![
                document
                    .info
                    .title
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                String::new(),
            ],
            types: self.types(),
            ..Domain::default()
        };
        let header = self.form.header().iter();
        domain.comment.extend(header.map(|line| (*line).to_owned()));
        domain
            .comment
            .extend(self.lowering.names.changed().iter().cloned());
        domain.comment.extend(self.warnings.iter().cloned());
        for (name, fact) in &document.facts {
            let mut signature = self.signature(Kind::Fact, name, &fact.params);
            match &fact.value {
                ValueKind::Number { .. } => domain.functions.push(signature),
                ValueKind::Boolean => domain.predicates.push(signature),
                ValueKind::Object(of) => {
                    let taken = set_of(fact.params.iter().map(|p| &p.name));
                    let name = free_variable("value", |n| taken.iter().any(|t| **t == *n));
                    let of = vec![self.of(of)];
                    let name = name.into();
                    signature.params.push(Typed { name, of });
                    domain.predicates.push(signature);
                }
            }
        }
        if self.costs {
            domain.functions.push(Signature {
                name: "total-cost".into(),
                params: vec![],
            });
        }
        for (name, compound) in &input.compounds {
            let task = self.signature(Kind::CompoundTask, name, &compound.record.params);
            domain.tasks.push(task);
            let methods = self.methods(name, compound);
            domain.methods.extend(methods);
        }
        for (name, primitive) in &input.primitives {
            self.actions(name, primitive, &mut domain);
        }
        let mentioned = self.lowering.mentioned();
        for (name, of) in input.scene.objects() {
            if self.lowering.stop.after(1) {
                break;
            }
            if document.objects.contains_key(name) || mentioned.contains(name) {
                domain.constants.push(Typed {
                    name: self.name(Kind::Object, name),
                    of: vec![self.of(of)],
                });
            }
        }
        domain
    }

    /// Returns the types, parents first.
    pub(super) fn types(&self) -> Vec<Typed> {
        let types = &self.lowering.input.document.types;
        // Each round goes over all types in order; a type whose parent comes later is written in a
        // later round.
        let mut rounds: BTreeMap<&Name, usize> = BTreeMap::new();
        for name in types.keys() {
            let mut open = vec![];
            let mut next = Some(name);
            let mut above = None;
            while let Some(name) = next {
                above = rounds.get(name).map(|round| (name, *round));
                if above.is_some() || open.len() > types.len() || self.lowering.stop.after(1) {
                    break;
                }
                open.push(name);
                let parent = types.get(name).map(|of| &of.parent);
                next = parent.filter(|parent| **parent != "object");
            }
            for name in open.into_iter().rev() {
                let round = above.map_or(0, |(above, round)| round + usize::from(above > name));
                rounds.insert(name, round);
                above = Some((name, round));
            }
        }
        let mut ordered: Vec<(usize, &Name)> = rounds.into_iter().map(|(n, r)| (r, n)).collect();
        ordered.compact_sort();
        let typed = |name: &Name| {
            Some(Typed {
                name: self.name(Kind::Type, name),
                of: vec![self.of(&types.get(name)?.parent)],
            })
        };
        ordered
            .into_iter()
            .filter_map(|(_, name)| typed(name))
            .collect()
    }
}
