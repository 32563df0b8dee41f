//! The states that a search for goals reached, as a tree.

use leptos::prelude::*;
use taskloom_planner::plan::{ExploredState, NodeStatus, Trace};

use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::more::{More, ROWS};
use crate::ui::rows::Rows;

/// Shows the tree, with the cost and the estimated remaining cost of each state.
#[component]
pub fn States(
    /// The search trace.
    trace: Trace,
) -> impl IntoView {
    let order = ordered(&trace.states);
    let count = order.len();
    let of = |status: NodeStatus| {
        trace
            .states
            .iter()
            .filter(|state| state.status == status)
            .count()
    };
    let (closed, open, hopeless) = (
        of(NodeStatus::Closed),
        of(NodeStatus::Open),
        of(NodeStatus::Hopeless),
    );
    let chosen = of(NodeStatus::Chosen);
    let summary = format!(
        "{count} states: {chosen} on the plan's path, {closed} closed, {open} open, {hopeless} dead ends. \
         g: cost so far; h: estimated remaining cost; f: g + h."
    );
    let shown = RwSignal::new(ROWS);
    let rows = Rows::new();
    let selected = RwSignal::new(None);
    let data = StoredValue::new((order, trace.states));
    let row = move |at: usize| {
        data.with_value(|(order, states)| {
            let (number, depth) = *order.get(at)?;
            Some(row(states.get(number)?, at, depth, rows, selected))
        })
    };
    view! {
        <p class="hint">{summary}</p>
        <div class="states" role="listbox" aria-label="States" on:keydown=move |event| rows.key(&event)>
            <div class="states-head" aria-hidden="true">
                <span>"Action, and unmet goal conditions"</span>
                <span>"g"</span>
                <span>"h"</span>
                <span>"f"</span>
            </div>
            <Keyed each=move || 0..shown.get().min(count) key=|at| *at children=row/>
        </div>
        <More shown all=Signal::stored(count)/>
    }
}

/// Returns the states in reading order, each below the one that it came from, with their depths.
fn ordered(states: &[ExploredState]) -> Vec<(usize, usize)> {
    let mut below: Vec<Vec<usize>> = vec![vec![]; states.len()];
    let mut stack = vec![];
    for (number, state) in states.iter().enumerate() {
        match state.parent.and_then(|parent| below.get_mut(parent)) {
            Some(below) => below.push(number),
            None => stack.push((number, 0)),
        }
    }
    stack.reverse();
    let mut order = vec![];
    while let Some((number, depth)) = stack.pop() {
        order.push((number, depth));
        stack.extend(below[number].iter().rev().map(|child| (*child, depth + 1)));
    }
    order
}

/// Returns the class of a state's row, its mark, and the mark's meaning.
fn status_mark(status: NodeStatus) -> (&'static str, Lucide, &'static str) {
    match status {
        NodeStatus::Chosen => ("chosen", Lucide::Check, "on the plan"),
        NodeStatus::Closed => ("closed", Lucide::CircleDot, "closed"),
        NodeStatus::Open => ("open", Lucide::Circle, "open"),
        NodeStatus::Hopeless => ("failed", Lucide::X, "dead end"),
    }
}

fn written(number: f64) -> String {
    match number {
        f64::INFINITY => "∞".to_owned(),
        number => {
            let rounded = (number * 100.0).round() / 100.0;
            rounded.to_string()
        }
    }
}

fn row(
    state: &ExploredState,
    at: usize,
    depth: usize,
    rows: Rows,
    selected: RwSignal<Option<usize>>,
) -> impl IntoView + use<> {
    let (class, mark, title) = status_mark(state.status);
    let done = match (&state.task, &state.goal) {
        (Some(task), _) => task.to_string(),
        (None, Some(goal)) => format!("for {goal}"),
        (None, None) => "for the scenario's goal".to_owned(),
    };
    let differs = match &state.differs[..] {
        [] => "goal reached".to_owned(),
        parts => format!("unmet: {}", parts.join(", ")),
    };
    let g = written(state.cost);
    let h = state.remaining_estimate.map(written).unwrap_or_default();
    let f = state
        .remaining_estimate
        .map(|left| written(state.cost + left))
        .unwrap_or_default();
    let is_selected = move || selected.get() == Some(at);
    view! {
        <div
            class=format!("trace-row state {class}")
            class:on=is_selected
            role="option"
            data-row=""
            tabindex=move || rows.stop(at)
            aria-selected=move || is_selected().to_string()
            on:focus=move |_| rows.reach(at)
            on:click=move |_| selected.set(Some(at))
        >
            <span class="done" style:padding-left=format!("{}px", depth.min(30) * 14)>
                <span class="mark" title=title aria-label=title role="img"><Icon name=mark size=12/></span>
                {done}
                <span class="dim">{differs}</span>
            </span>
            <span title="g">{g}</span>
            <span title="h">{h}</span>
            <span title="f">{f}</span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(parent: Option<usize>) -> ExploredState {
        ExploredState {
            parent,
            task: None,
            goal: None,
            cost: 0.0,
            remaining_estimate: None,
            differs: vec![],
            status: NodeStatus::Open,
        }
    }

    #[test]
    fn states_are_listed_below_their_parents() {
        let states = [
            state(None),
            state(Some(0)),
            state(Some(3)),
            state(Some(0)),
            state(None),
        ];
        assert_eq!(ordered(&states), [(0, 0), (1, 1), (3, 1), (2, 2), (4, 0)]);
    }

    #[test]
    fn numbers_are_shortened() {
        assert_eq!(written(2.0), "2");
        assert_eq!(written(1.0 / 3.0), "0.33");
        assert_eq!(written(f64::INFINITY), "∞");
    }
}
