//! The description of the plan that is shown.

use leptos::prelude::*;
use taskloom_document::Kind;
use taskloom_planner::plan::{NodeKind, Outcome, Plan, Strategy};

use crate::page::Linked;
use crate::panels::run::because;
use crate::session::{LinkTarget, LinkedText, Session};
use crate::ui::live::live;
use crate::worker::Planning;

/// Marks a plan from before the last change, and says whether a search is running.
#[component]
pub fn OutdatedNote() -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        if !session.plan.is_old() {
            return None;
        }
        let answer = session.plan.answer.get()?;
        let what = match answer.outcome {
            Outcome::Plan(_) => "old plan",
            _ => "old result",
        };
        Some(match session.plan.is_planning() {
            true => format!("{what}, searching…"),
            false => format!("{what}, not searching"),
        })
    });
    live(move || {
        text.get()
            .map(|text| view! { <span class="old-note">{text}</span> })
    })
}

/// Describes the plan of the answer, and says whether a better one may still replace it.
#[component]
pub fn PlanDescription() -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        if session.plan.is_old() {
            return match session.plan.planning.get() {
                Planning::Broken(why) => format!("Plan from before your last change. {why}"),
                _ if session.plan.is_planning() => {
                    "Plan from before your last change; still searching.".to_owned()
                }
                _ => "Plan from before your last change; the search was stopped.".to_owned(),
            };
        }
        session.plan.answer.with(|answer| {
            let Some(answer) = answer else {
                return String::new();
            };
            // A plan for a goal has its own description.
            let is_for_goal = matches!(&answer.outcome, Outcome::Plan(plan) if plan.target.is_some());
            match answer.strategy {
                Strategy::First if is_for_goal => String::new(),
                Strategy::Cheapest if is_for_goal => "A plan of lowest cost.".to_owned(),
                Strategy::First => "The first plan in your order.".to_owned(),
                Strategy::Fastest => {
                    "The first plan found, regardless of order or cost."
                        .to_owned()
                }
                Strategy::Cheapest if answer.search.proved => "The cheapest plan.".to_owned(),
                Strategy::Cheapest => {
                    let least = match answer.search.bound {
                        Some(bound) => format!(" Every plan costs at least {bound}."),
                        None => String::new(),
                    };
                    let still_searching = if answer.ended {
                        ""
                    } else {
                        " Still searching."
                    };
                    format!(
                        "The cheapest plan found so far; it may not be the cheapest.{least}{still_searching}"
                    )
                }
            }
        })
    });
    // A plan that the run made has its own line above.
    let is_of_the_run = Memo::new(move |_| {
        let plan = session.desk.cursor.get().plan;
        let is_another = |at| {
            let answer = session.plan.answer.get();
            answer.is_some_and(|answer| answer.is_another_plan(at))
        };
        plan.is_some_and(is_another)
    });
    let whose = move || {
        let name = session
            .desk
            .character_name()
            .filter(|_| !is_of_the_run.get())?;
        Some(view! { <b>{format!("{name}’s plan.")}</b> })
    };
    view! {
        <div class="which-line">
            {whose}
            <p class="hint which">{text}</p>
        </div>
    }
}

/// Describes what a plan is for and how far it leads, unless it simply completes all tasks.
pub fn describe_target(plan: &Plan) -> Option<LinkedText> {
    let Some(aim) = &plan.target else {
        let pending = plan
            .nodes
            .iter()
            .filter(|node| node.kind == NodeKind::Pending);
        return match pending.count() {
            0 => None,
            1 => Some("1 task will be decomposed when it is reached.".into()),
            count => {
                Some(format!("{count} tasks will be decomposed when they are reached.").into())
            }
        };
    };
    let (before, after) = match aim.remaining_estimate {
        Some(left) => (
            "Partial plan for ",
            format!("; estimated remaining cost: {left}."),
        ),
        None if aim.is_optimal => ("For ", ". The plan is proven optimal.".to_owned()),
        None => ("For ", ".".to_owned()),
    };
    let text = LinkedText::from(before);
    let text = match &aim.goal {
        Some(goal) => text.text("the goal ").record(Kind::Goal, goal),
        None => text.text("the scenario's goal"),
    };
    Some(text.text(after))
}

/// Says which plan is shown if the run made it, with a button that leads back.
#[component]
pub fn ShownPlan() -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        let at = session.desk.cursor.get().plan?;
        session.plan.answer.with(|answer| {
            let answer = answer
                .as_ref()
                .filter(|answer| answer.is_another_plan(at))?;
            let run = answer.run.as_ref()?;
            let planning = run.plans.get(at)?;
            let of = run.plans[..=at].iter();
            let number = of.filter(|p| p.character == planning.character).count();
            let whose = session
                .desk
                .characters
                .with(|names| names.get(planning.character).cloned());
            let text = match whose {
                Some(name) => LinkedText::default()
                    .link(name, LinkTarget::Character(planning.character))
                    .text("’s plan"),
                None => LinkedText::from("Plan"),
            };
            let text = text.text(format!(" {number} of the run, made at tick "));
            let text = text.tick(planning.tick).then(because(run, planning));
            Some(text.text("."))
        })
    });
    let back = move || match session.desk.character_name() {
        Some(name) => format!("Show {name}’s initial plan"),
        None => "Show the scenario's plan".to_owned(),
    };
    live(move || {
        let text = text.get()?;
        Some(view! {
            <p class="hint shown-plan" role="status">
                <Linked text/>" "
                <button on:click=move |_| session.show_start()>
                    {back}
                </button>
            </p>
        })
    })
}
