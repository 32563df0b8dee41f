//! Which plan it is that is shown: words over it.

use leptos::prelude::*;
use taskloom::planner::plan::{Outcome, Strategy};

use crate::session::Session;

/// That what is shown is of before the last change, while the search goes on.
#[component]
pub fn OldNote() -> impl IntoView {
    let session = Session::expect();
    let old = Memo::new(move |_| session.is_old());
    let text = move || {
        session.answer.with(
            |answer| match answer.as_ref().map(|answer| &answer.outcome) {
                Some(Outcome::Plan(_)) => "old plan, searching…",
                _ => "old answer, searching…",
            },
        )
    };
    view! {
        <Show when=move || old.get()>
            <span class="old-note">{text}</span>
        </Show>
    }
}

/// Which of all plans the answer's is, and whether it may still be replaced.
#[component]
pub fn Which() -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        if session.is_old() {
            return "An old plan, of before your last change: the search for a new one goes on."
                .to_owned();
        }
        session.answer.with(|answer| {
            let Some(answer) = answer else {
                return String::new();
            };
            match answer.strategy {
                Strategy::First => "The first plan in your order.".to_owned(),
                Strategy::Any => {
                    "The plan that was found soonest, neither the first in your order nor the cheapest."
                        .to_owned()
                }
                Strategy::Cheapest if answer.proved => "The cheapest plan.".to_owned(),
                Strategy::Cheapest => {
                    let least = match answer.bound {
                        Some(bound) => format!(" Every plan costs at least {bound}."),
                        None => String::new(),
                    };
                    let goes_on = if answer.ended {
                        ""
                    } else {
                        " The search goes on."
                    };
                    format!(
                        "The cheapest plan found so far, not proved to be the cheapest.{least}{goes_on}"
                    )
                }
            }
        })
    });
    view! { <p class="hint which">{text}</p> }
}
