//! Descriptions of what happened in a run.

use taskloom::planner::plan::{Change, GoalValue, Limit, Outcome};
use taskloom::runtime::{
    Cause, Entry, EventOccurrence, MAX_PLANS, Planning, Run, RunEnd, StepExecution, TaskState,
};

use crate::session::task_of;

/// Describes the limit at which a search gave up.
pub fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "too many decisions",
        Limit::Depth => "nested too deep",
        Limit::Memory => "out of memory",
        Limit::Time => "out of time",
    }
}

/// Describes why a plan of a run was made, to follow its tick in a sentence.
pub fn because(run: &Run, planning: &Planning) -> String {
    match planning.cause {
        Cause::Start => " after the first events".to_owned(),
        Cause::Event => " because something has changed".to_owned(),
        Cause::Again => " to start over".to_owned(),
        Cause::Perception => match &planning.noticed {
            Some(atom) => format!(" because it noticed {atom}, which the plan depends on"),
            None => " because it noticed a change that affects the plan".to_owned(),
        },
        Cause::Every => " because it replans periodically".to_owned(),
        Cause::Onward => " to continue".to_owned(),
        Cause::Goal => " because goal values have changed".to_owned(),
        Cause::Retry => " to retry a goal".to_owned(),
        Cause::Alternative => " because a higher-priority alternative is available".to_owned(),
        Cause::Failure(at) => {
            let failed = run.executed.get(at);
            let task = failed.and_then(|failed| task_of(run, failed));
            let reason = failed.and_then(|failed| failed.reason.as_ref());
            let task = task.map(ToString::to_string).unwrap_or_default();
            let reason = reason.map(ToString::to_string).unwrap_or_default();
            format!(" because {task} failed: {reason}")
        }
    }
}

/// Describes what an event changed, or why it couldn't happen.
pub fn describe_event(occurrence: &EventOccurrence) -> String {
    match &occurrence.refused {
        Some(reason) => format!("cannot happen: {reason}"),
        None if occurrence.changes.is_empty() => "changes nothing".to_owned(),
        None => changed(&occurrence.changes),
    }
}

/// Describes what a character planned, and why.
pub fn describe_planning(run: &Run, planning: &Planning) -> (String, String) {
    let plans = match planning.cause {
        Cause::Start => "plans",
        Cause::Onward => "continues",
        _ => "replans",
    };
    let waits = if run.ticks > planning.tick {
        "; waits"
    } else {
        ""
    };
    let found = match &planning.outcome {
        Ok(Outcome::Plan(plan)) if plan.steps.is_empty() => "nothing to do".to_owned(),
        Ok(Outcome::Plan(plan)) if plan.steps.len() == 1 => "1 step".to_owned(),
        Ok(Outcome::Plan(plan)) => format!("{} steps", plan.steps.len()),
        Ok(Outcome::NoPlan) => format!("no plan{waits}"),
        Ok(Outcome::GaveUp(why)) => format!("gave up, {}{waits}", limit(*why)),
        Ok(Outcome::Stopped) => "stopped".to_owned(),
        Ok(Outcome::NotPlanned(_)) => format!("no task to plan for{waits}"),
        Err(_) => format!("found an invalid plan{waits}"),
    };
    let why = match planning.cause {
        Cause::Start | Cause::Onward => None,
        _ => Some(because(run, planning).trim_start().to_owned()),
    };
    let detail = match &planning.outcome {
        Err(fault) => format!("planner bug: {fault}"),
        Ok(_) => {
            let parts = goal_of(planning).into_iter().chain(why);
            parts.collect::<Vec<_>>().join(", ")
        }
    };
    (format!("{plans}: {found}"), detail)
}

/// Describes the goal that a plan is for, or the goals tried without success; `None` if the
/// character plans for tasks.
fn goal_of(planning: &Planning) -> Option<String> {
    let names = |wants: Vec<&GoalValue>| {
        let names: Vec<&str> = wants.iter().map(|want| want.goal.as_str()).collect();
        names.join(", ")
    };
    let wanted: Vec<&GoalValue> = planning
        .goal_values
        .iter()
        .filter(|w| w.is_active())
        .collect();
    match &planning.outcome {
        Ok(Outcome::Plan(plan)) => match plan.target.as_ref().map(|aim| &aim.goal) {
            Some(Some(goal)) => Some(format!("for the goal {goal}")),
            Some(None) if planning.goal_values.is_empty() => {
                Some("for the scenario's goal".to_owned())
            }
            _ if planning.goal_values.is_empty() => None,
            _ if wanted.is_empty() => {
                Some("every goal already holds or has no value now".to_owned())
            }
            _ => Some(format!("not trying again yet: {}", names(wanted))),
        },
        Ok(Outcome::NoPlan | Outcome::GaveUp(_)) if wanted.len() == 1 => {
            Some(format!("for the goal {}", names(wanted)))
        }
        Ok(Outcome::NoPlan | Outcome::GaveUp(_)) if !wanted.is_empty() => {
            Some(format!("for the goals {}", names(wanted)))
        }
        _ => None,
    }
}

/// Describes what a step changed, its outcome, and what its character learned.
pub fn describe_step(step: &StepExecution) -> String {
    let mut parts = vec![];
    parts.extend(step.reason.as_ref().map(ToString::to_string));
    if let Some(acted) = step.acted {
        let waited = step.end != Some(acted);
        let changes = changed(&step.changes);
        match (waited, changes.is_empty()) {
            (false, true) => {}
            (false, false) => parts.push(changes),
            (true, true) => parts.push(format!("done at tick {acted}, then waited")),
            (true, false) => parts.push(format!("{changes} at tick {acted}, then waited")),
        }
    }
    if !step.learned.is_empty() {
        parts.push(format!("learned: {}", changed(&step.learned)));
    }
    parts.join("; ")
}

/// Formats values that changed: `box_open = false, ammo = 3`.
pub fn changed(changes: &[Change]) -> String {
    let texts: Vec<String> = changes
        .iter()
        .map(|c| format!("{} = {}", c.atom, c.after))
        .collect();
    texts.join(", ")
}

/// Describes in a sentence how the run ended.
pub fn end(run: &Run) -> (&'static str, String) {
    let tick = run.ticks;
    let text = match &run.end {
        RunEnd::Complete => return ("ok", format!("The run completes at tick {tick}.")),
        RunEnd::GoalMissed(part) => {
            format!("The tasks complete at tick {tick}, but the goal doesn't hold: {part}.")
        }
        RunEnd::Endless => {
            let text = format!("The run has no end; simulated to tick {tick}.");
            return ("open", text);
        }
        RunEnd::Failed => format!(
            "The run fails at tick {tick}: {}, and no upcoming event could change that.",
            failure(run)
        ),
        RunEnd::OutOfTicks => format!("The run was cut off at tick {tick}{}.", waited_for(run)),
        RunEnd::OutOfPlans => {
            format!("The run was cut off at tick {tick}: {MAX_PLANS} plans failed.")
        }
        RunEnd::Stopped => format!("The run was stopped at tick {tick}."),
    };
    ("no", text)
}

/// Describes why there is no plan with which a run could continue: a search that gave up proves
/// nothing.
fn failure(run: &Run) -> String {
    let last = run.plans.last();
    let gave_up = |planning: &&Planning| matches!(planning.outcome, Ok(Outcome::GaveUp(_)));
    let of = |character: usize| run.plans.iter().rfind(|p| p.character == character);
    let characters = run
        .plans
        .iter()
        .map(|planning| planning.character + 1)
        .max();
    let mut lasts = (0..characters.unwrap_or(0)).filter_map(of);
    let open = last.filter(gave_up).or_else(|| lasts.find(gave_up));
    match open.map(|planning| &planning.outcome) {
        Some(Ok(Outcome::GaveUp(why))) => {
            format!("the search for a plan gave up ({})", limit(*why))
        }
        _ => match last.map(|planning| &planning.outcome) {
            Some(Err(_)) => "the plan found is invalid".to_owned(),
            _ => "there is no plan".to_owned(),
        },
    }
}

/// Describes what a run that is cut off was waiting for, or why it would have continued forever.
fn waited_for(run: &Run) -> String {
    if let Some([one, other]) = run.oscillating_goals() {
        return format!(": the goals '{one}' and '{other}' undo each other");
    }
    let last = run.executed.last();
    let of = last.and_then(|step| Some(run.plans.get(step.plan)?.character));
    // The steps of one character, which may run in parallel.
    let is_meant = |(at, step): &(usize, &StepExecution)| {
        step.state == TaskState::InProgress && run.character_of(Entry::Step(*at)) == of
    };
    let steps = run.executed.iter().enumerate().filter(is_meant);
    let waiting = steps.filter_map(|(_, step)| {
        let task = task_of(run, step)?;
        Some(format!("{task}, {}", step.reason.as_ref()?))
    });
    let waiting: Vec<String> = waiting.collect();
    if waiting.is_empty() {
        String::new()
    } else {
        format!(": {}", waiting.join("; "))
    }
}
