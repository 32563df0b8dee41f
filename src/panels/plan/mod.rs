//! The plan as a timeline and as a list.

mod character_select;
mod decomposition;
mod description;
mod strategy;
mod timeline;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use taskloom_document::{Kind, Name, Planning};
use taskloom_planner::plan::{Limit, Outcome, Plan, Strategy};
use taskloom_runtime::TaskState;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::page::{Link, Linked};
use crate::panels::why::ask;
use crate::session::{LinkTarget, LinkedText, Session, Subject, Tab, of_step};
use crate::ui::keyed::Keyed;
use crate::ui::live::live;
use crate::ui::more::{More, ROWS};
use crate::ui::state_mark::StateMark;
use crate::ui::typed_key::TypedKey;
use crate::worker;
use taskloom_planner::explain::{Obstacle, ObstaclesAtStep, obstacles};

pub use character_select::CharacterSelect;
pub use decomposition::{Decomposition, repetition};
pub use description::OutdatedNote;
use description::{PlanDescription, ShownPlan, describe_target};
pub use strategy::{CHOICES as STRATEGIES, StrategySelect, choose};
use timeline::Timeline;

/// The maximum number of failed conditions listed if there is no plan.
const MAX_FAILURES: usize = 8;

/// The maximum number of tasks named that change a failed condition.
const MAX_CHANGING: usize = 3;

/// Shows the plan or, if there is none, what to do.
#[component]
pub fn PlanTab() -> impl IntoView {
    let session = Session::expect();
    // A keystroke that doesn't change the plan redraws nothing.
    let plan = Memo::new(move |_| session.current_plan().map(|(_, plan)| plan));
    // The next plan shows as many levels as this one.
    let all_levels = RwSignal::new(false);
    view! {
        <ShownPlan/>
        {move || match plan.get() {
            Some(plan) if plan.steps.is_empty() => {
                view! { <p class="hint">"The plan is empty: there is nothing to do."</p> }.into_any()
            }
            Some(plan) => {
                let target = describe_target(&plan).map(|text| view! { <p class="hint"><Linked text/></p> });
                view! { <PlanDescription/> {target} <PlanView plan all_levels/> }.into_any()
            }
            None => view! { <NoPlan/> }.into_any(),
        }}
    }
}

#[component]
fn PlanView(plan: Plan, all_levels: RwSignal<bool>) -> impl IntoView {
    let session = Session::expect();
    let shown = RwSignal::new(ROWS);
    let count = plan.steps.len();
    // The selected step is always among the rows.
    Effect::new(move || {
        let at = session.desk.cursor.get().step.unwrap_or(0);
        if at >= shown.get_untracked() {
            shown.set((at / ROWS + 1) * ROWS);
        }
    });
    let drawn = StoredValue::new(plan.steps.clone());
    let states = session.task_states();
    let nodes = plan.clone();
    let step_states = Memo::new(move |_| {
        let state = |step| states.with(|states| of_step(states, &nodes, step));
        (0..count).map(state).collect::<Vec<TaskState>>()
    });
    let state = move |at: usize| {
        Memo::new(move |_| {
            step_states.with(|states| states.get(at).copied().unwrap_or(TaskState::Planned))
        })
    };
    let nodes_of_steps: Vec<usize> = plan.steps.iter().map(|step| step.node).collect();
    let nodes_of_steps = StoredValue::new(nodes_of_steps);
    // Shows why a step is in the plan.
    let explain = move |at: usize, anchor: Option<Element>| {
        let node = nodes_of_steps.with_value(|nodes| nodes.get(at).copied());
        let plan = session.desk.cursor.get_untracked().plan;
        if let (Some(node), Some(anchor)) = (node, anchor) {
            ask(session, Subject::Task { plan, node }, &anchor);
        }
    };
    let key = move |event: KeyboardEvent| {
        match event.typed_key().as_str() {
            "Enter" => {
                let at = session.desk.cursor.get_untracked().step.unwrap_or(0);
                let list = element_of(&event);
                let row = list.and_then(|list| list.query_selector(".step.on").ok().flatten());
                explain(at, row.or_else(|| element_of(&event)));
            }
            "ArrowDown" | "ArrowRight" => session.move_cursor(1),
            "ArrowUp" | "ArrowLeft" => session.move_cursor(-1),
            _ => return,
        }
        event.prevent_default();
    };
    let row = move |at: usize| {
        drawn.with_value(|steps| {
            let one = steps.get(at)?;
            let chosen = move || session.desk.cursor.get().step == Some(at);
            let changes = one
                .changes
                .iter()
                .map(|c| format!("{} = {}", c.atom, c.after))
                .collect::<Vec<_>>()
                .join(", ");
            let title = changes.clone();
            Some(view! {
                <li
                    role="option"
                    class="step"
                    class:on=chosen
                    aria-selected=move || chosen().to_string()
                    on:click=move |event| {
                        session.show_step(Some(at));
                        explain(at, element_of(&event));
                    }
                >
                    <span class="number">{at + 1}</span>
                    <span class="task">{one.task.to_string()}</span>
                    <StateMark state=state(at)/>
                    <span class="cost" title="Cost">{one.cost}</span>
                    <span class="changes" title=title>{changes}</span>
                </li>
            })
        })
    };
    view! {
        <Timeline plan=plan.clone() states=step_states all=all_levels/>
        <ol class="steps" role="listbox" aria-label="Steps of the plan" tabindex="0" on:keydown=key>
            <Keyed each=move || 0..shown.get().min(count) key=|at| *at children=row/>
        </ol>
        <More shown all=Signal::stored(count)/>
    }
}

/// Returns the element that handles an event.
fn element_of(event: &web_sys::Event) -> Option<Element> {
    event.current_target()?.dyn_into().ok()
}

/// Explains why there is no plan, as far as the answer tells.
#[component]
fn NoPlan() -> impl IntoView {
    let session = Session::expect();
    let answered = Memo::new(move |_| {
        let answer = session.plan.answer.get()?;
        let is_for_goals = !answer.search.trace.states.is_empty();
        Some((answer.outcome.clone(), answer.strategy, is_for_goals))
    });
    live(move || {
        let Some((outcome, strategy, is_for_goals)) = answered.get() else {
            let text = match session.plan.planning.get() {
                _ if session.plan.scenario.with(Option::is_none) => {
                    "Add a scenario: objects, initial values and the tasks to plan.".to_owned()
                }
                worker::Planning::Broken(reason) => reason,
                _ => "Waiting for the planner.".to_owned(),
            };
            return view! { <p class="hint">{text}</p> }.into_any();
        };
        if session.plan.is_old() {
            let text = match session.plan.is_planning() {
                true => "Still searching. There was no plan before your last change.",
                false => {
                    "There was no plan before your last change, which hasn't been planned yet."
                }
            };
            return view! { <p class="hint">{text}</p> }.into_any();
        }
        let text = match outcome {
            Outcome::NoPlan if is_for_goals => {
                "No plan exists: no sequence of actions reaches the goal."
            }
            Outcome::GaveUp(_) if is_for_goals => {
                let text = LinkedText::from("The search reached its ");
                let text = match limiting_agent(session) {
                    Some(agent) => text.link("limit", LinkTarget::record(Kind::Agent, &agent)),
                    None => text.text("limit"),
                };
                let text = text.text(" and found no state closer to the goal.");
                return reasons_view(text);
            }
            Outcome::NoPlan => "No plan exists: every alternative was searched.",
            Outcome::GaveUp(Limit::Depth) => {
                "The search stopped at its maximum depth: a task may recurse forever."
            }
            Outcome::GaveUp(_) => {
                "The search used up its budget. A recursive task may never terminate."
            }
            // A stopped search has failed at nothing: there is no more to say.
            Outcome::Stopped => {
                return view! { <p class="hint">"The search was stopped."</p> }.into_any();
            }
            Outcome::NotPlanned(why) => {
                return view! {
                    <p class="hint">
                        {why.to_string()} " See the "
                        <Link target=LinkTarget::Tab(Tab::Problems) text="Problems tab"/>
                        "."
                    </p>
                }
                .into_any();
            }
            Outcome::Plan(_) => "",
        };
        if strategy == Strategy::Fastest {
            let look = move |_| choose(session, Strategy::First);
            return view! {
                <p class="hint">{text} " This search doesn't record reasons."</p>
                <button on:click=look>"Search in your order, with reasons"</button>
            }
            .into_any();
        }
        reasons_view(text.into())
    })
}

/// Says why there is no plan, and lists the obstacles.
fn reasons_view(text: LinkedText) -> AnyView {
    view! {
        <p class="hint">
            <Linked text/>
            " See the "
            <Link target=LinkTarget::Tab(Tab::Search) text="Search tab"/>
            " for details."
        </p>
        <Failures/>
    }
    .into_any()
}

/// Returns the agent of the shown character if it limits the search for its goals. Tracked.
fn limiting_agent(session: Session) -> Option<Name> {
    let domain = session.domain();
    let scene = domain.scene(&session.plan.scenario.get()?)?;
    let agent = &scene.record.cast.get(session.desk.character.get())?.agent;
    match &domain.document().agents.get(agent)?.planning {
        Planning::Goals { search, .. } => search.nodes.or(search.depth).map(|_| agent.clone()),
        _ => None,
    }
}

/// Lists the obstacles to a plan in the search, the moment furthest along first.
#[component]
fn Failures() -> impl IntoView {
    let session = Session::expect();
    let moments = Memo::new(move |_| {
        let domain = session.domain();
        session.plan.answer.with(|answer| {
            let events = answer.as_ref().map(|answer| &*answer.search.trace.events);
            obstacles(&domain, events.unwrap_or_default(), MAX_FAILURES)
        })
    });
    let one = |moment: ObstaclesAtStep| {
        let when = match moment.steps {
            0 => "At the start".to_owned(),
            1 => "After 1 step".to_owned(),
            steps => format!("After {steps} steps"),
        };
        let obstacles = moment.obstacles.into_iter();
        view! {
            <h3>{when.clone()}</h3>
            <ul class="failures" aria-label=when>{obstacles.map(obstacle_view).collect_view()}</ul>
        }
    };
    view! {
        <Show when=move || !moments.with(Vec::is_empty)>
            <section aria-label="Unmet conditions">{move || moments.get().into_iter().map(one).collect_view()}</section>
        </Show>
    }
}

/// An obstacle, with links to the task or block, the facts, and the tasks that change them.
fn obstacle_view(obstacle: Obstacle) -> impl IntoView {
    let Obstacle {
        task,
        block,
        text,
        seen,
        changed_by,
    } = obstacle;
    let reason = match task {
        Some(task) => {
            let target = match block {
                Some(block) => LinkTarget::Block(task.task.clone(), block),
                None => LinkTarget::Task(task.task.clone()),
            };
            let whose = LinkedText::default().link(task, target);
            whose.text(format!(": {text}"))
        }
        None => LinkedText::from(text),
    };
    let seen = seen.iter().map(|observed| {
        let fact = LinkedText::default().atom(&observed.atom);
        fact.text(format!(" is {}", observed.value))
    });
    let seen = LinkedText::joined(seen, ", ");
    let name = |name: &Name| LinkedText::default().link(name, LinkTarget::Task(name.clone()));
    let names = changed_by.iter().take(MAX_CHANGING).map(name);
    let mut hint = LinkedText::joined(names, ", ");
    if !changed_by.is_empty() {
        hint = LinkedText::from("changed by ").then(hint);
    }
    if let Some(more @ 1..) = changed_by.len().checked_sub(MAX_CHANGING) {
        hint = hint.text(format!(" and {more} more"));
    }
    view! {
        <li>
            <Linked text=reason/>
            " "
            <span class="dim"><Linked text=seen/></span>
            " "
            <span class="dim"><Linked text=hint/></span>
        </li>
    }
}
