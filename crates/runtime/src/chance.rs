//! Actions that fail by themselves, because a scenario says so (semantics, section 6).

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
    /// A task with its arguments, or its name alone.
    task: String,
    time: Option<u32>,
    chance: Option<f64>,
    /// How often each character has done it.
    done: Vec<u32>,
}

impl Failures {
    /// Nothing was done.
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

    /// Whether a character's action fails that is over at this tick; each is asked of once. The
    /// first failure that says so decides.
    pub fn fails(&mut self, character: usize, task: &GroundTask, tick: u32) -> bool {
        if self.failures.is_empty() {
            return false;
        }
        let written = task.to_string();
        let mut fails = false;
        for (number, failure) in self.failures.iter_mut().enumerate() {
            let is_meant = failure.task.eq_ignore_ascii_case(&written)
                || failure.task.eq_ignore_ascii_case(task.task.as_str());
            if !is_meant {
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

/// A call as the printer writes it, so that blanks make no difference; what is no call stays.
pub(crate) fn canonical(call: &str) -> String {
    let parsed = parse_call(call);
    match parsed.value {
        Some(reference) if parsed.errors.is_empty() => print_reference(&reference),
        _ => call.trim().to_owned(),
    }
}
