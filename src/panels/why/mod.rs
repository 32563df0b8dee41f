//! Why, in one click: a popover beside a bar, a mark, a step or an actor, with the reason for it.

mod decision;
mod explanation;
mod failure;
mod origin;
mod place;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod view;
mod worlds;

use leptos::prelude::{GetUntracked, untrack};
use taskloom_runtime::{Entry, Run};
use web_sys::Element;

use crate::session::{Anchor, Question, Session, Subject};
pub use view::WhyPopover;

/// Opens the reason for what an actor does at the cursor's tick, or else for its first step, beside
/// an element.
pub fn open_reason(session: Session, actor: usize, anchor: &Element) {
    let tick = untrack(|| session.tick()).unwrap_or(0);
    let answer = session.plan.answer.get_untracked();
    let run = answer.as_ref().and_then(|answer| answer.run.as_ref());
    let entry = run.and_then(|run| current(run, tick, actor));
    if let Some(entry) = entry {
        ask(session, Subject::Entry(entry), anchor);
    }
}

/// Opens the explanation of a subject beside an element.
pub fn ask(session: Session, subject: Subject, anchor: &Element) {
    let rect = anchor.get_bounding_client_rect();
    let anchor = Anchor {
        left: rect.left(),
        top: rect.top(),
        right: rect.right(),
        bottom: rect.bottom(),
    };
    session.desk.ask(Question { subject, anchor });
}

/// Returns the step that an actor executes at a tick, or else the last one that it has begun, or
/// else its latest planning.
fn current(run: &Run, tick: u32, actor: usize) -> Option<Entry> {
    let steps = run.executed.iter().enumerate();
    let begun = steps.filter(|(at, step)| {
        step.start <= tick && run.character_of(Entry::Step(*at)) == Some(actor)
    });
    let step = begun.max_by_key(|(_, step)| (step.start, step.end.unwrap_or(u32::MAX)));
    let mut plans = run.plans.iter();
    let planning = plans.rposition(|p| p.character == actor && p.tick <= tick);
    match (step, planning) {
        (Some((at, step)), _) if step.end.is_none_or(|end| end >= tick) => Some(Entry::Step(at)),
        (Some((at, step)), Some(planning)) if step.plan >= planning => Some(Entry::Step(at)),
        (_, Some(planning)) => Some(Entry::Planning(planning)),
        (step, None) => step.map(|(at, _)| Entry::Step(at)),
    }
}
