//! Moving an object or actor to another place: in the initial situation, or from a tick on.

use leptos::prelude::*;
use taskloom_document::{Name, Scenario};
use taskloom_planner::plan::{Atom, Value, World};

use super::play::Play;
use crate::panels::inspector::put_initial;
use crate::session::{Cursor, Session, ShownRun};
use crate::web::live;
use crate::worker::Intervention;

impl Play {
    /// Returns the values that move a thing from a place, or from nowhere, to another one.
    ///
    /// # Errors
    /// Returns the reason why it can't be there.
    pub fn moving(
        &self,
        thing: &Name,
        from: Option<&Name>,
        to: &Name,
    ) -> Result<Vec<(Atom, Value)>, String> {
        let scene = self.domain.scene(&self.answer.scenario);
        let scene = scene.ok_or("the scenario has changed")?;
        let mut reason = format!("no location fact is about {thing}");
        for map in &self.maps {
            let mut world = World::initial(&self.domain, scene);
            if map.actor() != Some(thing) && !world.has_object(thing, &map.things) {
                continue;
            }
            let values = map.moving(thing, from, to);
            let mut set = values
                .iter()
                .map(|(atom, value)| world.set(atom, value.clone()));
            match set.find_map(Result::err) {
                None => return Ok(values),
                Some(refusal) => reason = refusal,
            }
        }
        Err(reason)
    }

    /// Returns the places that a thing can be moved to.
    pub fn destinations(&self, thing: &Name, from: Option<&Name>) -> Vec<Name> {
        let others = self.places.iter().filter(|place| Some(*place) != from);
        let possible = others.filter(|place| self.moving(thing, from, place).is_ok());
        possible.cloned().collect()
    }
}

/// Moves a thing: before the run, as an initial value of the scenario; later, as an override from
/// that tick on.
pub fn relocate(session: Session, play: &Play, thing: &Name, from: Option<&Name>, to: &Name) {
    if let Err(reason) = session.plan.shown.with_untracked(ShownRun::can_be_changed) {
        return session.complain(reason);
    }
    let cursor = session.desk.cursor.get_untracked();
    let values = match play.moving(thing, from, to) {
        Ok(values) => values,
        Err(reason) => {
            return session.complain(format!("Couldn't move {thing} to {to}: {reason}."));
        }
    };
    if cursor == Cursor::default() {
        let label = format!("Move {thing} to {to}");
        let document = session.document_untracked();
        session.change(&play.answer.scenario, &label, |scenario: &mut Scenario| {
            for (atom, value) in &values {
                put_initial(&document, scenario, &atom.to_string(), literal(atom, value));
            }
        });
        live::say(&format!("{thing} starts in {to}."));
        return;
    }
    let Some(at) = play.tick(cursor) else {
        return session.complain(format!(
            "Couldn't move {thing}: this is a planned step. Go to the start or to a tick of the run."
        ));
    };
    let intervention = |(atom, value)| Intervention { at, atom, value };
    match session
        .plan
        .intervene(values.into_iter().map(intervention).collect())
    {
        Ok(()) => live::say(&format!(
            "{thing} is in {to} from tick {at} on. Run updated."
        )),
        Err(reason) => session.complain(reason),
    }
}

/// Returns the initial value that gives a ground fact this value; `None` for its default.
fn literal(atom: &Atom, value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some(atom.to_string()),
        Value::Bool(false) | Value::Object(None) => None,
        value => Some(format!("{atom} = {value}")),
    }
}
