//! The types that were used last: new objects and parameters get them.

use taskloom_document::{Document, Edit, Name, Record, RecordRef};

/// The type of the object and of the parameter that was added, or got its type, last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LastTypes {
    object: Option<Name>,
    parameter: Option<Name>,
}

impl LastTypes {
    /// Learns the types that an edit uses.
    pub fn learn(&mut self, before: &Document, edit: &Edit) {
        match edit {
            Edit::Batch(edits) => edits.iter().for_each(|edit| self.learn(before, edit)),
            Edit::Replace(name, record) => {
                let old = before.get(&RecordRef::new(record.kind(), name.clone()));
                self.learn_record(old.as_ref(), record);
            }
            Edit::Add(_, record) => self.learn_record(None, record),
            _ => {}
        }
    }

    fn learn_record(&mut self, old: Option<&Record>, new: &Record) {
        if let Record::Object(new) = new {
            let is_same = matches!(old, Some(Record::Object(old)) if old.of == new.of);
            if !is_same {
                self.object = Some(new.of.clone());
            }
        }
        let old = old.map(|old| old.view().params().to_vec());
        let old = old.unwrap_or_default();
        let mut params = new.view().params().iter();
        let changed = params.rfind(|param| !old.contains(param));
        if let Some(param) = changed {
            self.parameter = Some(param.of.clone());
        }
    }

    /// Returns the type of a new object: the one used last, otherwise the first one.
    pub fn of_object(&self, document: &Document) -> Name {
        last_or_first(document, self.object.as_ref())
    }

    /// Returns the type of a new parameter: the one used last, otherwise the first one.
    pub fn of_parameter(&self, document: &Document) -> Name {
        last_or_first(document, self.parameter.as_ref())
    }
}

fn last_or_first(document: &Document, last: Option<&Name>) -> Name {
    let first = || document.types.keys().next().cloned();
    known(document, last)
        .or_else(first)
        .unwrap_or_else(Name::root)
}

fn known(document: &Document, name: Option<&Name>) -> Option<Name> {
    let known = |name: &&Name| **name == Name::root() || document.types.contains_key(*name);
    name.filter(known).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taskloom_document::Object;

    #[test]
    fn new_objects_get_the_type_used_last() {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let mut last = LastTypes::default();
        let first = document.types.keys().next().unwrap().clone();
        assert_eq!(last.of_object(&document), first);
        let name: Name = document.objects.keys().next().unwrap().clone();
        let of: Name = "item".parse().unwrap();
        let mut object = Object::clone(&document.objects[&name]);
        object.of = Name::root();
        let edit = Edit::Replace(name.clone(), Record::Object(Arc::new(object.clone())));
        last.learn(&document, &edit);
        let after = document.apply(&edit).unwrap();
        object.of = of.clone();
        last.learn(&after, &Edit::Replace(name, Record::Object(object.into())));
        assert_eq!(last.of_object(&document), of);
        assert_eq!(last.of_object(&Document::default()), Name::root());
    }
}
