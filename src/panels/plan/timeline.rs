//! The plan along its ticks: a lane of steps, and below it lanes of the tasks they belong to.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_domain::world::World;
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{GroundTask, NodeKind, Plan};
use taskloom_runtime::TaskState;

use super::element_of;
use crate::panels::why::ask;
use crate::session::{Session, Subject};

/// The minimum width of a bar, as a part of the whole; thinner bars can't be seen.
const THINNEST: f64 = 0.0005;

/// The number of task lanes shown by default, so that the list of steps stays in sight.
const UNASKED: usize = 2;

/// A lane's height in pixels, with the gap to the next.
const LANE: usize = 26;

#[derive(PartialEq, Debug)]
struct Bar {
    /// 0 is the lane of steps.
    lane: usize,
    start: f64,
    length: f64,
    text: String,
    /// Its task among the plan's nodes.
    node: usize,
    step: Option<usize>,
}

/// Bars from the first step's start to the last one's end.
#[component]
pub fn Timeline(
    plan: Plan,
    /// The states of the steps.
    states: Memo<Vec<TaskState>>,
    /// If `true`, all levels are shown.
    all: RwSignal<bool>,
) -> impl IntoView {
    let session = Session::expect();
    let domain = session.domain_untracked();
    let scenario = session.plan.scenario.get_untracked();
    let scene = scenario.and_then(|name| domain.scene(&name).cloned());
    let character = session.desk.character.get_untracked();
    let starts = scene.map(|scene| starts(&plan, &domain, &scene, character));
    let starts = starts.unwrap_or_default();
    let bars = bars(&plan, &starts);
    let whole = starts.last().copied().unwrap_or(1.0).max(1.0);
    let percent = move |length: f64| format!("{:.3}%", length / whole * 100.0);
    let cursor = move || {
        let at = session.desk.cursor.get().step.unwrap_or(0);
        percent(starts.get(at).copied().unwrap_or(0.0))
    };
    // Before the run, no step should look as if it were still pending.
    let has_begun = Memo::new(move |_| {
        states.with(|states| states.iter().any(|state| *state != TaskState::Planned))
    });
    let lanes = bars.iter().map(|bar| bar.lane).max().unwrap_or(0);
    let shown = move || if all.get() { lanes } else { lanes.min(UNASKED) };
    let draw = move |bar: Bar| {
        let Bar {
            lane, node, step, ..
        } = bar;
        let chosen = move || step.is_some() && session.desk.cursor.get().step == step;
        let state = move || {
            let state = states.with(|states| states.get(step?).copied());
            state.filter(|state| *state != TaskState::Planned)
        };
        let is = move |wanted: TaskState| state() == Some(wanted);
        let is_to_come = move || step.is_some() && state().is_none() && has_begun.get();
        let title = bar.text.clone();
        let away = move || lane > shown();
        view! {
            <div
                class="bar"
                class:compound=step.is_none()
                class:on=chosen
                class:away=away
                class:failed=move || is(TaskState::Failed)
                class:running=move || is(TaskState::InProgress)
                class:done=move || is(TaskState::Complete)
                class:stopped=move || is(TaskState::Stopped)
                class:to-come=is_to_come
                style:left=percent(bar.start)
                style:width=percent(bar.length)
                style:top=format!("{}px", lane * LANE)
                title=title
                on:click=move |event| {
                    if step.is_some() {
                        session.show_step(step);
                    }
                    let plan = session.desk.cursor.get_untracked().plan;
                    if let Some(anchor) = element_of(&event) {
                        ask(session, Subject::Task { plan, node }, &anchor);
                    }
                }
            >
                {bar.text}
            </div>
        }
    };
    let drawn = bars
        .into_iter()
        .filter(|bar| bar.length / whole >= THINNEST);
    let drawn = drawn.map(draw).collect_view();
    view! {
        <div class="timeline" aria-hidden="true" style:height=move || format!("{}px", (shown() + 1) * LANE + 4)>
            {drawn}
            <div class="now" style:left=cursor></div>
        </div>
        {(lanes > UNASKED).then(|| view! { <Levels all lanes/> })}
    }
}

/// The button that shows or hides the lower levels.
#[component]
fn Levels(all: RwSignal<bool>, lanes: usize) -> impl IntoView {
    let text = move || match (all.get(), lanes.saturating_sub(UNASKED)) {
        (true, _) => "Fewer levels".to_owned(),
        (false, 1) => "1 more level".to_owned(),
        (false, more) => format!("{more} more levels"),
    };
    view! {
        <button class="bare levels" on:click=move |_| all.update(|all| *all = !*all)>
            {text}
        </button>
    }
}

/// The start of each step and the end of the last, in ticks.
fn starts(plan: &Plan, domain: &Domain, scene: &Arc<Scene>, character: usize) -> Vec<f64> {
    let mut world = World::initial(domain, scene);
    world = world.believed_by(scene.actor(character).clone());
    let durations = plan.steps.iter().map(|step| {
        let task = world.primitive(&step.task);
        let ticks = task.map_or(0, |task| world.duration(task, &step.task.args));
        world.apply(&step.changes);
        world.pass(f64::from(ticks));
        f64::from(ticks)
    });
    let durations: Vec<f64> = durations.collect();
    // A step that is short compared with the others, or has no duration, is still visible.
    let shortest = durations.iter().sum::<f64>() / (2 * durations.len().max(1)) as f64;
    let shortest = if shortest > 0.0 { shortest } else { 0.5 };
    let mut starts = vec![0.0];
    for duration in durations {
        starts.push(starts.last().copied().unwrap_or(0.0) + duration.max(shortest));
    }
    starts
}

/// The first and last step below each node; `None` if there is none.
fn spans(plan: &Plan) -> Vec<Option<(usize, usize)>> {
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; plan.nodes.len()];
    // Children come after their parents.
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        if let NodeKind::Step(step) = node.kind {
            spans[at] = Some((step, step));
        }
        if let (Some((from, to)), Some(parent)) = (spans[at], node.parent)
            && let Some(slot) = spans.get_mut(parent)
        {
            *slot = Some(slot.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
        }
    }
    spans
}

/// Returns the bars of the steps, and of the tasks that have any below them.
///
/// A task whose last call is to itself is a loop: its iterations follow each other in one lane.
fn bars(plan: &Plan, starts: &[f64]) -> Vec<Bar> {
    let start = |step: usize| starts.get(step).copied().unwrap_or(0.0);
    let bar = |lane: usize, from: usize, to: usize, task: &GroundTask, node, step| Bar {
        lane,
        start: start(from),
        length: start(to + 1) - start(from),
        text: task.to_string(),
        node,
        step,
    };
    let steps = plan.steps.iter().enumerate();
    let mut bars: Vec<Bar> = steps
        .map(|(at, step)| bar(0, at, at, &step.task, step.node, Some(at)))
        .collect();
    // The position of a decomposed node's bar.
    let mut places: Vec<Option<usize>> = vec![None; plan.nodes.len()];
    let spans = spans(plan);
    for (at, node) in plan.nodes.iter().enumerate() {
        let (NodeKind::Decomposed(_), Some((from, to))) = (&node.kind, spans[at]) else {
            continue;
        };
        let above = node.parent.and_then(|parent| {
            let (first, last) = (*spans.get(parent)?)?;
            let turn = plan.nodes[parent].task.task == node.task.task && first < from && last == to;
            Some(((*places.get(parent)?)?, turn))
        });
        let lane = match above {
            Some((place, true)) => {
                let before = &mut bars[place];
                before.length = start(from) - before.start;
                before.lane
            }
            Some((place, false)) => bars[place].lane + 1,
            None => 1,
        };
        places[at] = Some(bars.len());
        bars.push(bar(lane, from, to, &node.task, at, None));
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use taskloom_document::Document;
    use taskloom_document::sort::CompactSort;
    use taskloom_planner::plan::{Budget, Outcome};
    use taskloom_runtime::{default_planner, run_test};

    fn check(file: &str, scenario: &str, expected: &str) {
        let domain = Domain::from(&Document::from_json(file).unwrap());
        let scenario = scenario.parse().unwrap();
        let mut plan = default_planner(Budget::default());
        let Ok(Outcome::Plan(plan)) = run_test(&domain, &scenario, &mut plan, 100).outcome else {
            panic!("no plan");
        };
        let scene = domain.scene(&scenario).unwrap();
        let mut bars = bars(&plan, &starts(&plan, &domain, scene, 0));
        bars.compact_sort_by(|a, b| a.start.total_cmp(&b.start));
        let mut lanes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for Bar {
            lane, start, text, ..
        } in bars
        {
            let lane = lanes.entry(lane).or_default();
            lane.push(format!("{start:.1} {text}"));
        }
        let described: Vec<String> = lanes.values().map(|lane| lane.join(" | ")).collect();
        assert_eq!(described.join("\n"), expected.trim());
    }

    #[test]
    fn tasks_are_below_their_steps_and_iterations_in_a_row() {
        let file = include_str!("../../../public/examples/night-guard.taskloom.json");
        let expected = include_str!("timeline.txt");
        check(file, "night-06-no-coffee", expected);
    }
}
