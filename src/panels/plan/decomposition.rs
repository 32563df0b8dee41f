//! The plan as a tree of decomposed tasks.

use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::plan::{Node, NodeKind, Plan};

use super::description::ShownPlan;
use crate::session::{Session, States, View, of_node};
use crate::ui::rows::Rows;
use crate::ui::state_mark::StateMark;

/// The maximum number of rows drawn.
const MOST: usize = 2_000;

/// Shows one row per task, indented by depth.
#[component]
pub fn Decomposition() -> impl IntoView {
    let session = Session::expect();
    let plan = Memo::new(move |_| session.current_plan().map(|(_, plan)| plan));
    let states = session.task_states();
    view! {
        <div class="decomposition">
            <ShownPlan/>
            {move || {
                let plan = plan.get();
                let rows = plan.as_ref().map(ordered).unwrap_or_default();
                if rows.is_empty() {
                    return view! { <p class="hint">"There is no plan to show."</p> }.into_any();
                }
                let keys = Rows::new();
                let plan = plan.unwrap_or(Plan { steps: vec![], nodes: vec![], roots: vec![], cost: 0.0, target: None });
                let rows = rows
                    .into_iter()
                    .filter_map(|(at, depth)| plan.nodes.get(at).map(|node| (at, node.clone(), depth)))
                    .enumerate()
                    .map(|(at, (number, node, depth))| {
                        let parent = node.parent.and_then(|p| plan.nodes.get(p)).map(|p| p.task.task.clone());
                        view! { <Row node number depth parent at rows=keys states/> }
                    });
                view! {
                    <div role="tree" aria-label="Decomposition" on:keydown=move |event| keys.key(&event)>
                        {rows.collect_view()}
                    </div>
                 }.into_any()
            }}
        </div>
    }
}

/// Returns the nodes in reading order with their depths, using an explicit stack.
fn ordered(plan: &Plan) -> Vec<(usize, usize)> {
    let mut rows = vec![];
    let mut stack: Vec<(usize, usize)> = plan.roots.iter().rev().map(|r| (*r, 0)).collect();
    while let Some((at, depth)) = stack.pop() {
        if rows.len() == MOST {
            break;
        }
        rows.push((at, depth));
        if let Some(NodeKind::Decomposed(decomposed)) = plan.nodes.get(at).map(|n| &n.kind) {
            stack.extend(decomposed.children.iter().rev().map(|c| (*c, depth + 1)));
        }
    }
    rows
}

/// Returns the text for a task of the executable domain that is a repetition of a block while a formula is
/// true; `None` for any other task.
pub fn repetition(domain: &Domain, task: &Name) -> Option<String> {
    let (whole, block) = domain.drawn_block(task)?;
    let task = domain.document().compound_tasks.get(&whole)?;
    let formula = task.method.blocks.get(&block)?.repeat_while()?;
    Some(format!("while {formula}"))
}

#[component]
fn Row(
    node: Node,
    /// Its index in the plan.
    number: usize,
    depth: usize,
    parent: Option<Name>,
    at: usize,
    rows: Rows,
    states: Memo<States>,
) -> impl IntoView {
    let session = Session::expect();
    let state = Memo::new(move |_| states.with(|states| of_node(states, number)));
    let step = match node.kind {
        NodeKind::Step(step) => Some(step),
        NodeKind::Decomposed(_) | NodeKind::Pending => None,
    };
    let detail = match &node.kind {
        NodeKind::Step(step) => format!("step {}", step + 1),
        NodeKind::Pending => "when reached".to_owned(),
        NodeKind::Decomposed(decomposed) if decomposed.is_by_goal() => {
            match decomposed.children.is_empty() {
                true => "goal already true".to_owned(),
                false => "by a search for its goal".to_owned(),
            }
        }
        NodeKind::Decomposed(decomposed) => decomposed
            .bindings
            .iter()
            .map(|(_, variable, object)| format!("?{variable} = {object}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    // The repetition of a block while a formula is true is a task of its own in the plan.
    let repeated = repetition(&session.domain_untracked(), &node.task.task);
    let shown = repeated.clone().unwrap_or_else(|| node.task.to_string());
    let detail = match &node.kind {
        NodeKind::Decomposed(decomposed) if repeated.is_some() => {
            match decomposed.children.is_empty() {
                true => "false: nothing to do".to_owned(),
                false => "true".to_owned(),
            }
        }
        _ => detail,
    };
    let chosen = move || step.is_some() && session.desk.cursor.get().step == step;
    let task = node.task.task.clone();
    let block = node.block.clone();
    let click = move |_| {
        if step.is_some() {
            session.show_step(step);
        }
        // A step is shown at its call, a compound task in its own method.
        match (step, &parent, &block) {
            (None, ..) => session.open.show_view(View::Method(task.clone())),
            (Some(_), Some(parent), Some(block)) => {
                session.open.show_block(parent.clone(), block.clone());
            }
            (Some(_), Some(parent), None) => {
                session.open.show_view(View::Method(parent.clone()));
            }
            _ => {}
        }
    };
    view! {
        <div
            class="tree-row"
            class:on=chosen
            class:compound=step.is_none()
            role="treeitem"
            data-row=""
            tabindex=move || rows.stop(at)
            on:focus=move |_| rows.reach(at)
            prop:ariaLevel=(depth + 1).to_string()
            aria-selected=move || chosen().to_string()
            style:padding-left=format!("{}px", 8 + depth.min(40) * 18)
            on:click=click
        >
            <i class="dot" aria-hidden="true"></i>
            <span class="task">{shown}</span>
            <StateMark state/>
            <span class="dim">{detail}</span>
        </div>
    }
}
