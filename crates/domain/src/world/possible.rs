//! The tasks that are possible in a world.

use super::World;
use crate::ground::GroundTask;
use crate::lang::Env;
use taskloom_document::{EffectTiming, Kind, Name};

/// The tasks that are possible now.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Possible {
    /// The ground primitive tasks, with their costs.
    pub tasks: Vec<(GroundTask, f64)>,
    /// `true` if there are more combinations of arguments than were tried.
    pub is_cut: bool,
}

impl World {
    /// Returns the primitive tasks that the acting character may use, with the arguments for which
    /// their preconditions hold, nobody else claims what they claim, and their planned effects can be
    /// applied, in the order of the tasks
    /// and objects. At most `most` combinations of arguments are tried. Tasks with invalid texts
    /// are skipped.
    pub fn possible(&self, most: usize) -> Possible {
        let mut found = Possible::default();
        let mut tried = 0;
        for (name, record) in self.document().primitive_tasks.iter() {
            if !self
                .actor
                .may_use(self.document(), Kind::PrimitiveTask, name)
            {
                continue;
            }
            let fitting: Vec<Vec<&Name>> = record
                .params
                .iter()
                .map(|param| self.objects_of(&param.of))
                .collect();
            let mut choice = vec![0; fitting.len()];
            let mut goes_on = fitting.iter().all(|objects| !objects.is_empty());
            while goes_on {
                tried += 1;
                if tried > most {
                    found.is_cut = true;
                    return found;
                }
                let chosen = fitting.iter().zip(&choice);
                let args = chosen.map(|(objects, at): (_, &usize)| objects[*at].clone());
                let task = GroundTask {
                    task: name.clone(),
                    args: args.collect(),
                };
                if let Some(cost) = self.cost_if_possible(&task) {
                    found.tasks.push((task, cost));
                }
                // The last parameter changes fastest.
                let mut places = choice.iter_mut().zip(&fitting).rev();
                goes_on = places.any(|(at, objects)| {
                    *at += 1;
                    let fits = *at < objects.len();
                    if !fits {
                        *at = 0;
                    }
                    fits
                });
            }
        }
        found
    }

    fn cost_if_possible(&self, task: &GroundTask) -> Option<f64> {
        let read = self.primitive(task)?;
        let env = Env::bound(&read.record.params, &task.args);
        let mut preconditions = read.preconditions.iter();
        let holds = preconditions.all(|text| self.holds(text, &env) == Ok(true));
        let planned = |timing| timing != EffectTiming::Executed;
        let is_free = holds && self.check_claims(read, &task.args).is_ok();
        let is_possible = is_free && self.changes(read, &task.args, planned).is_ok();
        is_possible.then(|| self.cost(read, &task.args))
    }

    fn objects_of(&self, of: &Name) -> Vec<&Name> {
        let objects = self.scene.objects().iter().map(|(name, _)| name);
        objects.filter(|object| self.fits(object, of)).collect()
    }
}

#[cfg(test)]
mod tests {
    use taskloom_document::Document;

    use super::*;

    #[test]
    fn reports_applicable_tasks_with_their_costs() {
        let text = r#"{ "taskloom": 4,
            "types": { "place": { "parent": "object" } },
            "objects": { "camp": { "type": "place" }, "field": { "type": "place" }, "stone": { "type": "object" } },
            "facts": {
                "place": { "value": { "object": "place" } },
                "food": { "value": { "number": { "min": 0, "max": 2 } } }
            },
            "primitive_tasks": {
                "eat": { "effects": [{ "text": "food -= 2" }] },
                "gather": { "preconditions": ["place = field"], "effects": [{ "text": "food += 1" }], "cost": "food + 1" },
                "go": { "params": ["?to: place"], "preconditions": ["place != ?to"], "effects": [{ "text": "place := ?to" }] },
                "wait": { "preconditions": ["nonsense and"] }
            },
            "agents": { "walker": { "uses": ["go"] } },
            "scenarios": {
                "alone": { "initial": ["place = field", "food = 1"] },
                "played": { "initial": ["place = field"], "cast": [{ "agent": "walker" }] }
            } }"#;
        let domain = crate::Domain::from(&Document::from_json(text).unwrap());
        let possible = |scenario: &str, most| {
            let scene = domain.scene(&scenario.parse().unwrap()).unwrap();
            let world = World::initial(&domain, scene).played_by(scene.actor(0).clone());
            let found = world.possible(most);
            let tasks = found.tasks.iter();
            let tasks: Vec<String> = tasks
                .map(|(task, cost)| format!("{task}: {cost}"))
                .collect();
            (tasks.join(", "), found.is_cut)
        };
        assert_eq!(
            possible("alone", 99),
            ("gather: 2, go(camp): 1".to_owned(), false)
        );
        assert_eq!(possible("alone", 2), ("gather: 2".to_owned(), true));
        assert_eq!(possible("played", 99), ("go(camp): 1".to_owned(), false));
    }
}
