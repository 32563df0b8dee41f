//! The map of the world: the fact that gives the positions of things, and the positions of its
//! places.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Document;
use super::edit_error::EditError;
use super::json::unique;
use super::name::Name;
use super::point::Point;
use super::record::Kind;
use super::rename::Renames;

/// A map of the world as arranged by the designer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The fact that gives the positions of things; none: the first suitable fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<Name>,
    /// The facts that give the coordinates of places; none: the facts `x` and `y`, if there are
    /// any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Axes>,
    /// Places that the designer has positioned: objects of the domain or of a scenario, with their
    /// upper left corners.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique"
    )]
    pub places: BTreeMap<Name, Point>,
}

/// Facts that give places a number each.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Axes {
    /// The fact that counts from left to right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Name>,
    /// The fact that counts from top to bottom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Name>,
}

impl Axes {
    fn facts_mut(&mut self) -> [&mut Option<Name>; 2] {
        [&mut self.x, &mut self.y]
    }
}

impl Stage {
    /// Returns `true` if everything has its default.
    pub fn is_empty(&self) -> bool {
        self.fact.is_none() && self.axes.is_none() && self.places.is_empty()
    }

    /// Returns the facts that the designer has chosen.
    fn facts(&self) -> impl Iterator<Item = &Name> {
        let axes = self.axes.iter().flat_map(|axes| [&axes.x, &axes.y]);
        self.fact.iter().chain(axes.flatten())
    }

    fn facts_mut(&mut self) -> impl Iterator<Item = &mut Option<Name>> {
        let axes = self.axes.iter_mut().flat_map(Axes::facts_mut);
        std::iter::once(&mut self.fact).chain(axes)
    }

    /// Moves the entries of renamed records to their new names, all at the same time.
    pub(super) fn rename(&mut self, renames: &Renames) {
        for fact in self.facts_mut().flatten() {
            if let Some(to) = renames.of_reference(&[Kind::Fact], fact) {
                *fact = to.clone();
            }
        }
        renames.move_entries(Kind::Object, &mut self.places);
    }
}

impl Document {
    /// Returns the first reference of the map to something that does not exist.
    pub(super) fn missing_in_stage(&self) -> Option<&Name> {
        let stage = &self.layout.stage;
        let fact = stage.facts().find(|fact| !self.facts.contains_key(*fact));
        fact.or_else(|| stage.places.keys().find(|place| !self.is_object(place)))
    }

    /// Drops from the map everything that does not exist.
    pub(super) fn prune_stage(&mut self) {
        if self.missing_in_stage().is_none() {
            return;
        }
        let mut stage = std::mem::take(&mut self.layout.stage);
        for fact in stage.facts_mut() {
            *fact = fact.take().filter(|fact| self.facts.contains_key(fact));
        }
        stage.places.retain(|place, _| self.is_object(place));
        self.layout.stage = stage;
    }

    pub(super) fn choose_map(&mut self, fact: Option<&Name>) -> Result<(), EditError> {
        self.layout.stage.fact = fact.map(|fact| self.spelled_fact(fact)).transpose()?;
        Ok(())
    }

    pub(super) fn choose_axes(&mut self, axes: Option<&Axes>) -> Result<(), EditError> {
        let mut axes = axes.cloned();
        for fact in axes.iter_mut().flat_map(Axes::facts_mut).flatten() {
            *fact = self.spelled_fact(fact)?;
        }
        self.layout.stage.axes = axes;
        Ok(())
    }

    /// Returns the name of a fact as it is spelled in the document.
    fn spelled_fact(&self, fact: &Name) -> Result<Name, EditError> {
        let found = self.facts.get_key_value(fact);
        let found = found.map(|(name, _)| name.clone());
        found.ok_or_else(|| EditError::new(format!("there is no fact '{fact}'")))
    }

    pub(super) fn move_places(&mut self, moves: &[(Name, Option<Point>)]) -> Result<(), EditError> {
        for (place, to) in moves {
            match to {
                Some(to) if self.is_object(place) => {
                    self.layout.stage.places.insert(place.clone(), *to);
                }
                Some(_) => {
                    let message = format!("there is no object '{place}' to move");
                    return Err(EditError::new(message));
                }
                None => drop(self.layout.stage.places.remove(place)),
            }
        }
        Ok(())
    }

    /// Returns `true` if the domain or one of the scenarios has this object.
    fn is_object(&self, name: &Name) -> bool {
        let mut scenarios = self.scenarios.values();
        self.objects.contains_key(name)
            || scenarios.any(|scenario| {
                scenario.objects.contains_key(name) || self.is_in_crowd(scenario, name)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edit, Record, RecordRef, Scenario};

    const GUARD: &str = include_str!("../../../public/examples/night-guard.taskloom.json");

    fn name(name: &str) -> Name {
        name.parse().unwrap()
    }

    fn arranged() -> Document {
        let mut document = Document::from_json(GUARD).unwrap();
        document.layout.stage = Stage::default();
        let at = |x, y| Some(Point { x, y });
        let edit = Edit::Batch(vec![
            Edit::ChooseMap(Some(name("kept_at"))),
            Edit::MovePlaces(vec![(name("hall"), at(10, 20)), (name("thief"), at(0, 0))]),
        ]);
        document.apply(&edit).unwrap()
    }

    /// Checks the map after edits, as it is written to a file, and that this file opens as it was
    /// written.
    fn check(edits: Vec<Edit>, expected: &str) {
        let document = arranged().apply(&Edit::Batch(edits)).unwrap();
        let text = document.to_json();
        assert_eq!(Document::from_json(&text).unwrap(), document);
        let stage = serde_json::to_string(&document.layout.stage).unwrap();
        assert_eq!(stage, expected);
    }

    #[test]
    fn map_round_trips_through_a_file() {
        check(
            vec![],
            r#"{"fact":"kept_at","places":{"hall":"10,20","thief":"0,0"}}"#,
        );
        check(
            vec![
                Edit::ChooseMap(None),
                Edit::MovePlaces(vec![(name("hall"), None), (name("thief"), None)]),
            ],
            "{}",
        );
    }

    #[test]
    fn axes_follow_renames_and_removals() {
        let chosen = |x, y| {
            let axes = Axes {
                x: Option::map(x, name),
                y: Option::map(y, name),
            };
            vec![Edit::ChooseMap(None), Edit::ChooseAxes(Some(axes))]
        };
        let rest = r#","places":{"hall":"10,20","thief":"0,0"}}"#;
        let of = |axes: &str| format!(r#"{{"axes":{axes}{rest}"#);
        check(chosen(None, None), &of("{}"));
        let mut edits = chosen(Some("Kept_At"), Some("kept_at"));
        check(edits.clone(), &of(r#"{"x":"kept_at","y":"kept_at"}"#));
        let fact = RecordRef::new(Kind::Fact, name("kept_at"));
        edits.push(Edit::Rename(fact.clone(), name("lies_in")));
        check(edits.clone(), &of(r#"{"x":"lies_in","y":"lies_in"}"#));
        let renamed = RecordRef::new(Kind::Fact, name("lies_in"));
        edits.push(Edit::RemoveWithUses(renamed));
        check(edits, &of("{}"));
        let unknown = Edit::Batch(chosen(Some("nowhere"), None));
        let refused = arranged().apply(&unknown).unwrap_err();
        assert_eq!(refused.message, "there is no fact 'nowhere'");
    }

    #[test]
    fn map_follows_renames_and_removals() {
        let fact = RecordRef::new(Kind::Fact, name("kept_at"));
        let hall = RecordRef::new(Kind::Object, name("hall"));
        check(
            vec![
                Edit::Rename(fact.clone(), name("lies_in")),
                Edit::Rename(hall.clone(), name("foyer")),
            ],
            r#"{"fact":"lies_in","places":{"foyer":"10,20","thief":"0,0"}}"#,
        );
        check(
            vec![Edit::RemoveWithUses(fact), Edit::Remove(hall)],
            r#"{"places":{"thief":"0,0"}}"#,
        );
    }

    #[test]
    fn scenario_objects_leave_the_map_with_their_last_scenario() {
        let document = arranged();
        let with_thief = |(_, scenario): &(&Name, &std::sync::Arc<Scenario>)| {
            scenario.objects.contains_key(&name("thief"))
        };
        let mut names: Vec<Name> = document
            .scenarios
            .iter()
            .filter(with_thief)
            .map(|(name, _)| name.clone())
            .collect();
        let last = names.pop().unwrap();
        let remove = |name| Edit::Remove(RecordRef::new(Kind::Scenario, name));
        let others: Vec<Edit> = names.into_iter().map(remove).collect();
        check(
            others.clone(),
            r#"{"fact":"kept_at","places":{"hall":"10,20","thief":"0,0"}}"#,
        );
        let emptied = Edit::Replace(last, Record::Scenario(Scenario::default().into()));
        check(
            others.into_iter().chain([emptied]).collect(),
            r#"{"fact":"kept_at","places":{"hall":"10,20"}}"#,
        );
    }

    #[test]
    fn rejects_unknown_places_and_facts() {
        let document = arranged();
        let nowhere = name("nowhere");
        let at = Some(Point::default());
        let moved = document.apply(&Edit::MovePlaces(vec![(nowhere.clone(), at)]));
        assert_eq!(
            moved.unwrap_err().message,
            "there is no object 'nowhere' to move"
        );
        let chosen = document.apply(&Edit::ChooseMap(Some(nowhere)));
        assert_eq!(chosen.unwrap_err().message, "there is no fact 'nowhere'");
    }
}
