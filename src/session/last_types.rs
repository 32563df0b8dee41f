//! The types that were chosen last: new objects and parameters get them.

use taskloom::document::{Document, Edit, Name, Record, RecordRef};

/// The type of the last object and of the last parameter whose type was chosen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LastTypes {
    object: Option<Name>,
    parameter: Option<Name>,
}

impl LastTypes {
    /// Learns the types that an edit changes.
    pub fn learn(&mut self, before: &Document, edit: &Edit) {
        match edit {
            Edit::Batch(edits) => edits.iter().for_each(|edit| self.learn(before, edit)),
            Edit::Replace(name, record) => {
                let old = before.get(&RecordRef::new(record.kind(), name.clone()));
                self.learn_record(old.as_ref(), record);
            }
            _ => {}
        }
    }

    fn learn_record(&mut self, old: Option<&Record>, new: &Record) {
        if let (Some(Record::Object(old)), Record::Object(new)) = (old, new)
            && old.of != new.of
        {
            self.object = Some(new.of.clone());
        }
        let old = old.map(|old| old.view().params().to_vec());
        let old = old.unwrap_or_default();
        let mut params = new.view().params().iter();
        let changed = params.rfind(|param| !old.contains(param));
        if let Some(param) = changed {
            self.parameter = Some(param.of.clone());
        }
    }

    /// Returns the type of a new object: the one chosen last, if it still exists.
    pub fn of_object(&self, document: &Document) -> Name {
        known(document, self.object.as_ref()).unwrap_or_else(Name::root)
    }

    /// Returns the type of a new parameter: the one chosen last, otherwise the first one.
    pub fn of_parameter(&self, document: &Document) -> Name {
        let first = || document.types.keys().next().cloned();
        let last = known(document, self.parameter.as_ref());
        last.or_else(first).unwrap_or_else(Name::root)
    }
}

fn known(document: &Document, name: Option<&Name>) -> Option<Name> {
    let known = |name: &&Name| **name == Name::root() || document.types.contains_key(*name);
    name.filter(known).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taskloom::document::Object;

    #[test]
    fn new_objects_get_the_type_chosen_last() {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let mut last = LastTypes::default();
        assert_eq!(last.of_object(&document), Name::root());
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
