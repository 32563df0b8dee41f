//! Which plan it is that is shown: words over it.

use leptos::prelude::*;
use taskloom::planner::plan::{NodeKind, Outcome, Plan, Strategy};

use super::steps::is_another;
use crate::session::Session;
use crate::worker::Planning;

/// Says that what is shown is of before the last change, and whether a search goes on.
#[component]
pub fn OldNote() -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        if !session.is_old() {
            return None;
        }
        let answer = session.answer.get()?;
        let what = match answer.outcome {
            Outcome::Plan(_) => "old plan",
            _ => "old answer",
        };
        Some(match session.is_planning() {
            true => format!("{what}, searching…"),
            false => format!("{what}, not searching"),
        })
    });
    move || {
        text.get()
            .map(|text| view! { <span class="old-note">{text}</span> })
    }
}

/// Which of all plans the answer's is, and whether it may still be replaced.
#[component]
pub fn Which() -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        if session.is_old() {
            return match session.planning.get() {
                Planning::Broken(why) => format!("An old plan, of before your last change. {why}"),
                _ if session.is_planning() => {
                    "An old plan, of before your last change: the search for a new one goes on."
                        .to_owned()
                }
                _ => "An old plan, of before your last change: the search was stopped.".to_owned(),
            };
        }
        session.answer.with(|answer| {
            let Some(answer) = answer else {
                return String::new();
            };
            // What a plan for a goal is, its own words say.
            let is_for_goal = matches!(&answer.outcome, Outcome::Plan(plan) if plan.aim.is_some());
            match answer.strategy {
                Strategy::First if is_for_goal => String::new(),
                Strategy::Cheapest if is_for_goal => "A plan of least cost.".to_owned(),
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
    // Of a plan that the run made more is said above.
    let is_of_the_run = Memo::new(move |_| {
        let plan = session.cursor.get().plan;
        let is_another = |at| {
            let answer = session.answer.get();
            answer.is_some_and(|answer| is_another(&answer, at))
        };
        plan.is_some_and(is_another)
    });
    let whose = move || {
        let name = session.shown_name().filter(|_| !is_of_the_run.get())?;
        Some(view! { <b>{format!("{name}’s plan.")}</b> })
    };
    view! {
        <div class="which-line">
            {whose}
            <p class="hint which">{text}</p>
        </div>
    }
}

/// What a plan is for and how far it leads, where it is not simply all that is to be done.
pub fn reach(plan: &Plan) -> Option<String> {
    let Some(aim) = &plan.aim else {
        let pending = plan
            .nodes
            .iter()
            .filter(|node| node.kind == NodeKind::Pending);
        return match pending.count() {
            0 => None,
            1 => {
                Some("It looks no further: one task is decomposed when its turn comes.".to_owned())
            }
            count => Some(format!(
                "It looks no further: {count} tasks are decomposed when their turn comes."
            )),
        };
    };
    let goal = match &aim.goal {
        Some(goal) => format!("the goal {goal}"),
        None => "the scenario's goal".to_owned(),
    };
    Some(match aim.left {
        Some(left) => {
            format!("Part of the way to {goal}: what is left is estimated to cost {left}.")
        }
        None if aim.is_optimal => format!("For {goal}. The plan is proven to be optimal."),
        None => format!("For {goal}."),
    })
}
