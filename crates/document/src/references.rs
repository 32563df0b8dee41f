//! The fields of records that refer to something only by its name.

use std::sync::Arc;

use super::Name;
use super::agents::Planning;
use super::record::{Field, Record};
use super::world::ValueKind;

impl Record {
    /// Returns the name in a field; none if the field is not a name.
    pub(super) fn name_mut(&mut self, field: &Field) -> Option<&mut Name> {
        if let Field::Param(n) = field {
            return Some(&mut self.params_mut()?.get_mut(*n)?.of);
        }
        match (self, field) {
            (Self::Type(r), Field::Type) => Some(&mut Arc::make_mut(r).parent),
            (Self::Object(r), Field::Type) => Some(&mut Arc::make_mut(r).of),
            (Self::Fact(r), Field::Type) => match &mut Arc::make_mut(r).value {
                ValueKind::Object(of) => Some(of),
                _ => None,
            },
            (Self::CompoundTask(r), Field::BlockVariable(id)) => {
                let block = Arc::make_mut(r).method.blocks.get_mut(id)?;
                Some(&mut Arc::make_mut(block).binds_mut()?.of)
            }
            (Self::Agent(r), field) => {
                let agent = Arc::make_mut(r);
                match (field, &mut agent.planning) {
                    (Field::Type, _) => Some(&mut agent.of),
                    (Field::Uses(n), _) => agent.uses.get_mut(*n),
                    (Field::Sense(n), _) => agent.senses.get_mut(*n).map(|sense| &mut sense.fact),
                    (Field::AgentGoal(n), Planning::Goals { goals, .. }) => goals.get_mut(*n),
                    _ => None,
                }
            }
            (Self::Scenario(r), Field::Cast(n)) => {
                Some(&mut Arc::make_mut(r).cast.get_mut(*n)?.agent)
            }
            (Self::Scenario(r), Field::CastObject(n)) => {
                Arc::make_mut(r).cast.get_mut(*n)?.object.as_mut()
            }
            (Self::Scenario(r), Field::Crowd(n)) => {
                Some(&mut Arc::make_mut(r).crowds.get_mut(*n)?.agent)
            }
            (Self::Scenario(r), Field::Object(name)) => {
                let object = Arc::make_mut(r).objects.get_mut(name)?;
                Some(&mut Arc::make_mut(object).of)
            }
            _ => None,
        }
    }
}
