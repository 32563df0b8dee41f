//! Announces to screen readers how an edit changed the plan, and which problems are new.

use std::time::Duration;

use leptos::prelude::*;
use taskloom_planner::plan::Outcome;

use super::Session;
use crate::web::live;
use crate::worker::Answer;

/// The time during which further changes are gathered, so that typing announces only its result.
const PAUSE: Duration = Duration::from_millis(600);

/// Makes announcements for as long as the page lives.
pub fn announce(session: Session) {
    let pending = RwSignal::new((None::<String>, vec![]));
    let waiting = StoredValue::new(false);
    let soon = move || {
        if waiting.get_value() {
            return;
        }
        waiting.set_value(true);
        let speak = move || {
            waiting.set_value(false);
            let (plan, problems) = pending.try_update(std::mem::take).unwrap_or_default();
            let words: Vec<String> = plan.into_iter().chain(problems).collect();
            if !words.is_empty() {
                live::say(&words.join(". "));
            }
        };
        set_timeout(speak, PAUSE);
    };
    Effect::new(move |before: Option<Option<String>>| {
        let now = session.plan.planned.get().map(|answer| words(&answer));
        let before = before.flatten();
        // The first answer is not news, nor is one that is missing for a moment.
        if let (Some(words), Some(before)) = (&now, &before)
            && words != before
        {
            pending.update_untracked(|pending| pending.0 = Some(words.clone()));
            soon();
        }
        now.or(before)
    });
    Effect::new(move |before: Option<Vec<String>>| {
        let diagnostics = session.open.diagnostics.get();
        let now = diagnostics
            .iter()
            .map(|d| format!("{}: {}", d.place.record.name, d.message));
        let now: Vec<String> = now.collect();
        if let Some(before) = before {
            let mut new = now
                .iter()
                .filter(|message| !before.contains(message))
                .cloned();
            if let Some(first) = new.next() {
                let more = match new.count() {
                    0 => String::new(),
                    count => format!(", and {count} more"),
                };
                pending.update_untracked(|pending| {
                    pending.1 = vec![format!("New problem: {first}{more}")]
                });
                soon();
            }
        }
        now
    });
}

/// Describes the plan, without the figures that differ between runs.
fn words(answer: &Answer) -> String {
    match &answer.outcome {
        Outcome::Plan(plan) => {
            let steps: Vec<String> = plan
                .steps
                .iter()
                .take(12)
                .map(|step| step.task.to_string())
                .collect();
            let count = match plan.steps.len() {
                1 => "1 step".to_owned(),
                count => format!("{count} steps"),
            };
            format!("Plan of {count}: {}", steps.join(", "))
        }
        Outcome::NoPlan => "No plan".to_owned(),
        Outcome::GaveUp(_) => "The planner gave up".to_owned(),
        Outcome::Stopped => "Planning stopped".to_owned(),
        Outcome::NotPlanned(why) => format!("Not planned. {why}"),
    }
}
