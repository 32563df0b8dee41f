//! The bars of a run's timeline: for each character its steps, the tasks above them, and its marks.

use taskloom_document::Name;
use taskloom_document::sort::CompactSort;
use taskloom_planner::plan::Plan;
use taskloom_runtime::{Cause, Entry, Reason, Run, TaskState};

use super::words::{because, changed};
use crate::session::task_of;
use crate::ui::icon::Lucide;

/// The minimum width of a bar, as a part of the whole. Smaller ones are merged with their
/// neighbors: they couldn't be read, and each bar costs time in every frame.
const THINNEST: f64 = 1.0 / 150.0;

/// The number of repetitions from which on a pattern is folded to one bar.
const MIN_REPEATS: usize = 3;

/// The maximum number of steps of a pattern that is folded.
const MAX_PATTERN: usize = 6;

/// The approximate width of a character of a label, and of a bar's padding, in pixels.
const CHARACTER: f64 = 6.7;
const PADDING: f64 = 14.0;

/// The lane of a character.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lane {
    /// The number of lines: more than one if steps run in parallel.
    pub lines: usize,
    /// Its steps.
    pub steps: Vec<Bar>,
    /// `true` if steps repeat, so that they can be folded.
    pub repeats: bool,
    /// The tasks above the steps as paths, in one row.
    pub paths: Vec<TaskBar>,
    /// The tasks above the steps, one row for each level.
    pub levels: Vec<Vec<TaskBar>>,
}

/// The state that a bar shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarState {
    /// It failed.
    Failed,
    /// A new plan replaced it, which is no failure.
    Interrupted,
    /// It was in the background, and its main branch is complete, which is no failure either.
    Stopped,
    /// It was completed.
    Complete,
    /// It is in progress at the end of the run.
    Running,
}

/// A step of a run, or several that are merged, in ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The line in its lane.
    pub line: usize,
    /// The tick at which it starts.
    pub start: u32,
    /// The tick at which it ends.
    pub end: u32,
    /// Its state.
    pub state: BarState,
    /// The call, such as `walk(hall, kitchen)`.
    pub text: String,
    /// The number of repetitions; 1 for a single step.
    pub count: usize,
    /// The first of its steps.
    pub entry: Entry,
}

/// A compound task, from its first step to its last one.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskBar {
    /// The tick at which it starts.
    pub start: u32,
    /// The tick at which it ends.
    pub end: u32,
    /// The task, or the path to it.
    pub text: String,
    /// The plan that it is part of, and its node there.
    pub node: (usize, usize),
}

/// Something that took no time: an event, an observation or a replan.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The character; `None` for an event.
    pub character: Option<usize>,
    /// The tick.
    pub tick: u32,
    /// The kind: `event`, `by-hand`, `observed` or `replan`.
    pub class: &'static str,
    /// Its icon.
    pub icon: Lucide,
    /// Its description.
    pub text: String,
    /// The entry of the run.
    pub entry: Entry,
}

impl Bar {
    /// Returns its text with the number of repetitions.
    pub fn words(&self) -> String {
        match self.count {
            1 => self.text.clone(),
            count => format!("{} × {count}", self.text),
        }
    }

    /// Returns the label for a width in pixels: the whole text, `walk(…, kitchen)`, `walk`, or
    /// nothing.
    pub fn label(&self, width: f64) -> String {
        shortened(&self.words(), width)
    }
}

/// Returns the longest form of a call that fits a width in pixels.
pub fn shortened(text: &str, width: f64) -> String {
    let fits = |text: &str| PADDING + CHARACTER * text.chars().count() as f64 <= width;
    if fits(text) {
        return text.to_owned();
    }
    let name = text.split('(').next().unwrap_or(text);
    let last = text
        .rsplit_once(", ")
        .map(|(_, last)| format!("{name}(…, {last}"));
    match last.filter(|last| fits(last)) {
        Some(last) => last,
        None if fits(name) => name.to_owned(),
        None => String::new(),
    }
}

/// Returns the lanes of a run's characters, with all of their steps.
pub fn lanes(
    run: &Run,
    (characters, last): (usize, u32),
    folds: impl Fn(usize) -> bool,
    is_drawn: impl Fn(&Name) -> bool,
) -> Vec<Lane> {
    let lines = run.lanes();
    let mut lanes = vec![Lane::default(); characters];
    let mut order: Vec<usize> = (0..run.executed.len()).collect();
    order.compact_sort_by_key(|at| {
        (
            run.executed[*at].start,
            run.executed[*at].end.unwrap_or(u32::MAX),
        )
    });
    for at in order {
        let step = &run.executed[at];
        let character = run.character_of(Entry::Step(at));
        let Some(lane) = character.and_then(|character| lanes.get_mut(character)) else {
            continue;
        };
        let Some(task) = task_of(run, step) else {
            continue;
        };
        let start = step.start.min(last);
        let state = match (step.state, &step.reason) {
            (TaskState::Failed, Some(Reason::Interrupted)) => BarState::Interrupted,
            (TaskState::Failed, _) => BarState::Failed,
            (TaskState::Stopped, _) => BarState::Stopped,
            (TaskState::Complete, _) => BarState::Complete,
            (TaskState::Planned | TaskState::InProgress, _) => BarState::Running,
        };
        let bar = Bar {
            line: lines[at],
            start,
            end: step.end.unwrap_or(last).clamp(start, last),
            state,
            text: task.to_string(),
            count: 1,
            entry: Entry::Step(at),
        };
        if let Some(plan) = run
            .plans
            .get(step.plan)
            .and_then(|planning| planning.plan())
        {
            add_tasks(lane, plan, (step.plan, step.step), &bar, &is_drawn);
        }
        lane.lines = lane.lines.max(bar.line + 1);
        lane.steps.push(bar);
    }
    for (character, lane) in lanes.iter_mut().enumerate() {
        lane.lines = lane.lines.max(1);
        // Parallel steps have no common order to fold.
        if lane.lines == 1 {
            let folded = folded(&lane.steps);
            lane.repeats = folded.len() < lane.steps.len();
            if folds(character) {
                lane.steps = folded;
            }
        }
    }
    lanes
}

/// Adds the tasks above a step, or extends them if the step before belongs to the same ones.
fn add_tasks(
    lane: &mut Lane,
    plan: &Plan,
    (number, step): (usize, usize),
    bar: &Bar,
    is_drawn: &dyn Fn(&Name) -> bool,
) {
    let mut above = vec![];
    let mut at = plan.steps.get(step).map(|step| step.node);
    // Parents come before their children, so this ends.
    while let Some(parent) = at.and_then(|at| plan.nodes.get(at)?.parent.filter(|p| *p < at)) {
        if is_drawn(&plan.nodes[parent].task.task) {
            above.push(parent);
        }
        at = Some(parent);
    }
    let mut path: Vec<(String, usize)> = vec![];
    for node in above.into_iter().rev() {
        let text = plan.nodes[node].task.to_string();
        match path.last_mut() {
            // A loop: its iterations are one task.
            Some(last) if last.0 == text => last.1 = node,
            _ => path.push((text, node)),
        }
    }
    let Some((_, nearest)) = path.last() else {
        return;
    };
    let words: Vec<&str> = path.iter().map(|(text, _)| text.as_str()).collect();
    let extended = extend(
        &mut lane.paths,
        words.join(" › "),
        (number, *nearest),
        bar,
        true,
    );
    let mut is_same = true;
    for (level, (text, node)) in path.iter().enumerate() {
        if lane.levels.len() <= level {
            lane.levels.push(vec![]);
        }
        let same = is_same || extended;
        is_same = extend(
            &mut lane.levels[level],
            text.clone(),
            (number, *node),
            bar,
            same,
        );
    }
}

/// Extends the last task of a row to a step if it is the same one; otherwise adds a task.
fn extend(
    row: &mut Vec<TaskBar>,
    text: String,
    node: (usize, usize),
    bar: &Bar,
    may: bool,
) -> bool {
    match row
        .last_mut()
        .filter(|last| may && last.text == text && bar.start <= last.end)
    {
        Some(last) => {
            last.end = last.end.max(bar.end);
            true
        }
        None => {
            // Tasks of parallel steps may overlap; the earlier one is drawn in front.
            let start = row.last().map_or(bar.start, |last| bar.start.max(last.end));
            let end = bar.end.max(start);
            row.push(TaskBar {
                start,
                end,
                text,
                node,
            });
            false
        }
    }
}

/// Folds patterns of steps that are repeated often enough to one bar each.
fn folded(steps: &[Bar]) -> Vec<Bar> {
    let is_same = |one: &Bar, other: &Bar| {
        one.text == other.text && one.state == BarState::Complete && other.state == one.state
    };
    let mut folded = vec![];
    let mut at = 0;
    while at < steps.len() {
        let repeats = |length: &usize| {
            let pattern = &steps[at..];
            let same = (*length..pattern.len())
                .take_while(|next| is_same(&pattern[*next], &pattern[next - length]));
            (same.count() + length) / length
        };
        let length = (1..=MAX_PATTERN.min(steps.len() - at)).find(|l| repeats(l) >= MIN_REPEATS);
        let Some(length) = length else {
            folded.push(steps[at].clone());
            at += 1;
            continue;
        };
        let count = repeats(&length);
        let texts: Vec<&str> = steps[at..at + length]
            .iter()
            .map(|bar| bar.text.as_str())
            .collect();
        folded.push(Bar {
            text: texts.join(", "),
            end: steps[at + length * count - 1].end,
            count,
            ..steps[at].clone()
        });
        at += length * count;
    }
    folded
}

/// Merges steps that are too thin to be told apart at this number of visible ticks.
pub fn merged(steps: &[Bar], visible: u32) -> Vec<Bar> {
    let thinnest = f64::from(visible.max(1)) * THINNEST;
    let is_thin = |bar: &Bar| f64::from(bar.end - bar.start) < thinnest;
    let mut bars: Vec<(Bar, usize)> = vec![];
    // The last bar of each line.
    let mut ends: Vec<Option<usize>> = vec![];
    for bar in steps {
        if ends.len() <= bar.line {
            ends.resize(bar.line + 1, None);
        }
        let before = ends[bar.line].and_then(|at| bars.get_mut(at));
        match before {
            // A step without a duration is shown by its mark and its entry.
            Some((before, more))
                if is_thin(bar)
                    && before.state == bar.state
                    && (*more > 1 || is_thin(before))
                    && f64::from(bar.start.saturating_sub(before.end)) < thinnest =>
            {
                *more += 1;
                before.end = before.end.max(bar.end);
            }
            _ => {
                ends[bar.line] = Some(bars.len());
                bars.push((bar.clone(), 1));
            }
        }
    }
    let counted = bars.into_iter().map(|(bar, count)| match count {
        1 => bar,
        _ => Bar {
            text: format!("{count} steps"),
            count: 1,
            ..bar
        },
    });
    counted.collect()
}

/// Returns the marks of a run; of those that would overlap, the first.
pub fn marks(
    run: &Run,
    (last, visible): (u32, u32),
    is_by_hand: impl Fn(usize) -> bool,
) -> Vec<Mark> {
    let thinnest = f64::from(visible.max(1)) * THINNEST * 1.5;
    let events = run.events.iter().enumerate().map(|(at, event)| {
        let (class, icon, what) = match event.event {
            Run::SET_BY_GAME => ("event", Lucide::CalendarClock, "Set by the game"),
            number if is_by_hand(number) => ("by-hand", Lucide::Pencil, "Override"),
            _ => ("event", Lucide::CalendarClock, "Event"),
        };
        let text = match changed(&event.changes) {
            changes if changes.is_empty() => what.to_owned(),
            changes => format!("{what}: {changes}"),
        };
        Mark {
            character: None,
            tick: event.tick,
            class,
            icon,
            text,
            entry: Entry::Event(at),
        }
    });
    let seen = run.perceptions.iter().enumerate().map(|(at, seen)| Mark {
        character: Some(seen.character),
        tick: seen.tick,
        class: "observed",
        icon: Lucide::Eye,
        text: format!("Observation: {}", changed(&seen.changes)),
        entry: Entry::Perception(at),
    });
    // The first plan begins each run, and a reactive character just continues after each step.
    let plans = run.plans.iter().enumerate();
    let plans = plans.filter(|(_, planning)| {
        !matches!(planning.cause, Cause::Start | Cause::Onward | Cause::Again)
    });
    let plans = plans.map(|(at, planning)| Mark {
        character: Some(planning.character),
        tick: planning.tick,
        class: "replan",
        icon: Lucide::RefreshCw,
        text: format!("Replan{}", because(run, planning)),
        entry: Entry::Planning(at),
    });
    let mut marks: Vec<(Mark, usize)> = vec![];
    for mark in events
        .chain(seen)
        .chain(plans)
        .filter(|mark| mark.tick <= last)
    {
        let is_like = |(other, _): &&mut (Mark, usize)| {
            (other.class, other.character) == (mark.class, mark.character)
        };
        match marks.iter_mut().rev().find(is_like) {
            Some((before, more)) if f64::from(mark.tick.saturating_sub(before.tick)) < thinnest => {
                *more += 1;
            }
            _ => marks.push((mark, 0)),
        }
    }
    let counted = |(mark, more): (Mark, usize)| match more {
        0 => mark,
        more => Mark {
            text: format!("{}, and {more} more", mark.text),
            ..mark
        },
    };
    marks.into_iter().map(counted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::last_shown_tick;
    use taskloom_document::Document;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::Budget;
    use taskloom_runtime::simulate;

    fn run(text: &str, scenario: &str, most: u32) -> Run {
        let document = Document::from_json(text).unwrap();
        let scenario = scenario.parse().unwrap();
        simulate(&Domain::from(&document), &scenario, Budget::default(), most)
    }

    fn drawn(run: &Run) -> Vec<String> {
        let last = last_shown_tick(run);
        let lanes = lanes(run, (2, last), |_| true, |_| true);
        let steps = lanes.iter().flat_map(|lane| merged(&lane.steps, last));
        let steps =
            steps.map(|bar| format!("{}..{} {} {:?}", bar.start, bar.end, bar.words(), bar.state));
        let marks = marks(run, (last, last), |_| false).into_iter();
        let marks = marks.map(|mark| format!("{} {}", mark.tick, mark.text));
        steps
            .chain(marks)
            .chain([format!("{last} ticks")])
            .collect()
    }

    fn tasks(row: &[TaskBar]) -> Vec<String> {
        let bar = |bar: &TaskBar| format!("{}..{} {}", bar.start, bar.end, bar.text);
        row.iter().map(bar).collect()
    }

    #[test]
    fn steps_are_bars_and_events_and_replans_are_marks() {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let drawn = drawn(&run(text, "case-5-the-box-slams-shut", 10_000));
        assert_eq!(
            drawn.join("\n"),
            "0..3 walk-to(box) Complete\n3..4 take-ball Failed\n5..6 open-box Complete\n6..8 take-ball Complete\n\
             4 Event: box_open = false\n\
             5 Replan because take-ball failed: integrity rule of take-ball: box_open\n8 ticks"
        );
    }

    #[test]
    fn tasks_above_the_steps_are_one_path_or_one_row_for_each_level() {
        let text = include_str!("../../../public/examples/hunter.taskloom.json");
        let run = run(text, "case-2-the-wrong-room", 10_000);
        let lanes = lanes(&run, (2, last_shown_tick(&run)), |_| true, |_| true);
        let paths = tasks(&lanes[0].paths);
        assert!(paths[0].starts_with("0.."), "{paths:?}");
        assert!(
            paths[0].contains("hunt › chase(wren, kitchen)"),
            "{paths:?}"
        );
        let levels = tasks(&lanes[0].levels[0]);
        assert!(
            levels.iter().all(|text| text.ends_with(" hunt")),
            "{levels:?}"
        );
        assert!(lanes[0].levels.len() >= 2);
        let is_interrupted = |bar: &Bar| bar.state == BarState::Interrupted;
        let failed = lanes.iter().flat_map(|lane| &lane.steps);
        assert!(failed.filter(|bar| !is_interrupted(bar)).count() > 0);
    }

    #[test]
    fn repeated_steps_fold_to_one_bar() {
        let text = r#"{ "taskloom": 4, "facts": { "n": { "value": { "number": {} }, "source": "memory" } },
            "actions": { "Act": { "duration": "1" } },
            "primitive_tasks": { "count": { "action": "Act", "effects": [{ "text": "n += 1" }] } },
            "agents": { "clerk": { "planning": { "decomposition": { "tasks": ["count"] } },
                "triggers": { "complete": "again" } } },
            "scenarios": { "s": { "cast": [{ "agent": "clerk" }], "events": [{ "at": 0, "every": 1, "effect": "n += 1" }] } } }"#;
        let run = run(text, "s", 5_000);
        let bars = drawn(&run);
        let is_folded = |text: &&String| text.contains("count × ");
        assert_eq!(
            bars.iter().filter(is_folded).count(),
            1,
            "{:?}",
            bars.first()
        );
        assert!(bars.len() < 1_000, "{} bars and marks", bars.len());
        let all = &lanes(&run, (1, last_shown_tick(&run)), |_| false, |_| true)[0];
        assert!(all.repeats && all.steps.len() > 100);
        assert!(merged(&all.steps, last_shown_tick(&run)).len() < 200);
    }

    #[test]
    fn labels_are_shortened_to_their_bars() {
        let labels =
            [200.0, 130.0, 50.0, 10.0].map(|width| shortened("walk(hall, kitchen)", width));
        assert_eq!(
            labels,
            ["walk(hall, kitchen)", "walk(…, kitchen)", "walk", ""]
        );
    }
}
