//! Versions of a scene with other objects: a game adds and removes them while it runs.

use std::sync::Arc;

use super::Scene;
use crate::actor::Actor;
use crate::ground::Value;
use crate::lang::typed::Initial;
use crate::text::TextReader;
use taskloom_document::{Document, Expansion, Field, Name, Object, Scenario};

impl Scene {
    /// Returns a version of it with objects in addition, each with its type. None of them may exist.
    #[must_use]
    pub fn with_objects(&self, texts: &TextReader, objects: &[(Name, Name)]) -> Self {
        let mut record = Scenario::clone(&self.record);
        record.objects.extend(objects.iter().map(|(name, of)| {
            let object = Object {
                of: of.clone(),
                title: String::new(),
                note: String::new(),
            };
            (name.clone(), Arc::new(object))
        }));
        self.with_record(texts, record)
    }

    /// Returns a version of it without some of the scenario's own objects.
    #[must_use]
    pub fn without_objects(&self, texts: &TextReader, objects: &[Name]) -> Self {
        let mut record = Scenario::clone(&self.record);
        record.objects.retain(|name, _| !objects.contains(name));
        let mut scene = self.with_record(texts, record);
        for object in objects.iter().filter(|object| self.plain.has(object)) {
            Arc::make_mut(&mut scene.plain).remove(object);
            scene.removed.insert(object.clone());
        }
        scene
    }

    /// Returns the default character, from whose view nothing is private.
    pub fn nobody(&self) -> &Arc<Actor> {
        &self.nobody
    }

    fn with_record(&self, texts: &TextReader, record: Scenario) -> Self {
        let expansion = Expansion {
            scenario: Arc::new(record),
            sizes: self.sizes.clone(),
            origins: self.origins.clone(),
        };
        // The values of a world refer to the indices of objects in initial values, so those stay the same.
        Self {
            removed: self.removed.clone(),
            ..Self::of(texts, &self.written, expansion, self.plain.clone())
        }
    }

    /// Returns the first task of the scenario or its cast that names an object, or the goal.
    pub fn needs(&self, document: &Document, object: &Name) -> Option<String> {
        let is_needed =
            |field: &Field| matches!(field, Field::Task(_) | Field::Goal | Field::CastTask(..));
        let fields = document.texts_with_object(&self.record, object, is_needed);
        Some(match fields.into_iter().next()? {
            Field::Task(at) => self.record.tasks.get(at)?.clone(),
            Field::CastTask(actor, at) => self.record.cast.get(actor)?.tasks.get(at)?.clone(),
            _ => self.record.goal.clone(),
        })
    }

    /// Returns `true` if an initial value is about an object that was removed.
    pub(crate) fn is_past(&self, initial: &Initial) -> bool {
        let is_removed = |object: &Name| self.removed.contains(object);
        initial.atom.args.iter().any(is_removed)
            || matches!(&initial.value, Value::Object(Some(object)) if is_removed(object))
    }
}
