//! Actions that a scenario makes fail (semantics, section 6).

use serde::{Deserialize, Serialize};
use taskloom_document::Scenario;
use taskloom_domain::chance::{draw, seed};
use taskloom_domain::lang::{parse_call, print_reference};
use taskloom_planner::plan::GroundTask;

/// The failures of a scenario.
pub struct Failures {
    seed: u64,
    failures: Vec<Failing>,
}

struct Failing {
    /// A task with its arguments, or only its name.
    task: String,
    time: Option<u32>,
    chance: Option<f64>,
    /// The number of times that each character has done it.
    done: Vec<u32>,
}

/// The progress of one of a scenario's failures, by what it says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedFailing {
    task: String,
    time: Option<u32>,
    chance: Option<f64>,
    done: Vec<u32>,
}

impl Failures {
    /// Creates the failures of a scenario, before anything was done.
    pub fn new(scenario: &Scenario) -> Self {
        let failures = scenario.failures.iter().map(|failure| Failing {
            task: canonical(&failure.task),
            time: failure.time,
            chance: failure.chance,
            done: vec![],
        });
        Self {
            seed: u64::from(scenario.seed),
            failures: failures.collect(),
        }
    }

    /// Returns how often each character has done what may fail.
    pub fn save(&self) -> Vec<SavedFailing> {
        let saved = self.failures.iter().map(|failure| SavedFailing {
            task: failure.task.clone(),
            time: failure.time,
            chance: failure.chance,
            done: failure.done.clone(),
        });
        saved.collect()
    }

    /// Restores the counts of the failures that still exist. `cast` has the new index of each saved
    /// character; `None` if it doesn't exist any more.
    pub fn load(&mut self, saved: &[SavedFailing], cast: &[Option<usize>]) {
        let mut saved: Vec<&SavedFailing> = saved.iter().collect();
        for failure in &mut self.failures {
            let is_same = |one: &&SavedFailing| {
                (&one.task, one.time, one.chance) == (&failure.task, failure.time, failure.chance)
            };
            let Some(at) = saved.iter().position(is_same) else {
                continue;
            };
            let done = saved.remove(at).done.iter().zip(cast);
            for (done, character) in done.filter_map(|(done, at)| Some((*done, (*at)?))) {
                if failure.done.len() <= character {
                    failure.done.resize(character + 1, 0);
                }
                failure.done[character] = done;
            }
        }
    }

    /// Returns `true` if a character's action that is over at this tick fails. Call it once per action,
    /// since it counts the calls.
    pub fn fails(&mut self, character: usize, task: &GroundTask, tick: u32) -> bool {
        if self.failures.is_empty() {
            return false;
        }
        let written = task.to_string();
        let mut fails = false;
        for (number, failure) in self.failures.iter_mut().enumerate() {
            let is_match = failure.task.eq_ignore_ascii_case(&written)
                || failure.task.eq_ignore_ascii_case(task.task.as_str());
            if !is_match {
                continue;
            }
            if failure.done.len() <= character {
                failure.done.resize(character + 1, 0);
            }
            let done = &mut failure.done[character];
            *done = done.saturating_add(1);
            let is_time = failure.time.is_none_or(|time| time == *done);
            let has_bad_luck = failure.chance.is_none_or(|chance| {
                let decision = format!("failure {number} {character} {tick} {done}");
                draw(seed(self.seed, "failures"), &decision) < chance
            });
            fails |= is_time && has_bad_luck;
        }
        fails
    }
}

/// Returns a call in canonical form, so that spaces make no difference; other texts are only trimmed.
pub(crate) fn canonical(call: &str) -> String {
    let parsed = parse_call(call);
    match parsed.value {
        Some(reference) if parsed.errors.is_empty() => print_reference(&reference),
        _ => call.trim().to_owned(),
    }
}
