//! Types, facts and objects as records.

use std::sync::Arc;

use super::{Importer, title};
use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Fact, Name, Object, Param, Scenario, Type, ValueKind};

impl Importer<'_> {
    /// Writes types, facts and objects, once their uses are known.
    pub fn write_world(&mut self, document: &mut Document, name: &Name, mut scenario: Scenario) {
        for (number, of) in self.types.names.iter().enumerate().skip(1) {
            if self.stop.after(1) {
                break;
            }
            let name = self.type_name(number);
            let parent = self.types.parents.get(number).copied().unwrap_or_default();
            let record = Type {
                parent: self.type_name(parent),
                title: title(of, &name),
                note: String::new(),
            };
            document.types.insert(name, Arc::new(record));
        }
        let mut objects: Vec<_> = self.objects.iter().collect();
        objects.compact_sort_by(|a, b| a.1.name.cmp(&b.1.name));
        for (_, constant) in objects {
            if self.stop.after(1) {
                break;
            }
            let record = Arc::new(Object {
                of: self.type_name(constant.of),
                title: constant.title.clone(),
                note: String::new(),
            });
            let table = match constant.is_of_domain {
                true => &mut document.objects,
                false => &mut scenario.objects,
            };
            table.insert(constant.name.clone(), record);
            for (of, fact) in self.facts.memberships() {
                if self.stop.after(1) {
                    break;
                }
                if self.types.is_kind_of(constant.of, of) {
                    scenario.initial.push(format!("{fact}({})", constant.name));
                }
            }
        }
        for (_, fact) in self.facts.memberships() {
            let record = Fact {
                params: vec![Param {
                    name: Name::new("x").unwrap_or_else(|_| Name::root()),
                    of: Name::root(),
                }],
                ..Fact::default()
            };
            document.facts.insert(fact.clone(), Arc::new(record));
        }
        for fact in self.facts.all() {
            let params = fact.params.iter().zip(&fact.uses).map(|(param, uses)| {
                let mut used = uses.clone();
                used.grow_and_insert(param.of);
                Param {
                    name: param.name.clone(),
                    of: self.type_name(self.types.cover(&used).unwrap_or_default()),
                }
            });
            let record = Fact {
                params: params.collect(),
                value: match fact.is_number {
                    true => ValueKind::Number {
                        integer: false,
                        min: None,
                        max: None,
                    },
                    false => ValueKind::Boolean,
                },
                title: title(&fact.original, &fact.name),
                ..Fact::default()
            };
            document.facts.insert(fact.name.clone(), Arc::new(record));
        }
        document.scenarios.insert(name.clone(), Arc::new(scenario));
    }
}
