//! Descriptions of what happened in a run.

use taskloom_document::Kind;
use taskloom_planner::plan::{Change, GoalValue, Limit, Outcome};
use taskloom_runtime::{
    Cause, Entry, EventOccurrence, MAX_PLANS, Planning, Run, RunEnd, StepExecution, TaskState,
    Thrashing,
};

use crate::session::{LinkTarget, LinkedText, task_of};

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
pub fn because(run: &Run, planning: &Planning) -> LinkedText {
    let text = match planning.cause {
        Cause::Start => " after the first events",
        Cause::Event => " because something has changed",
        Cause::Again => " to start over",
        Cause::Perception => match &planning.noticed {
            Some(atom) => {
                let text = LinkedText::from(" because it noticed ").atom(atom);
                return text.text(", which the plan depends on");
            }
            None => " because it noticed a change that affects the plan",
        },
        Cause::Every => " because it replans periodically",
        Cause::Onward => " to continue",
        Cause::Goal => " because goal values have changed",
        Cause::Retry => " to retry a goal or a task",
        Cause::Alternative => " because a higher-priority alternative is available",
        Cause::Background => " because the plan needs a task that was stopped",
        Cause::Failure(at) => {
            let failed = run.executed.get(at);
            let task = failed.and_then(|failed| task_of(run, failed));
            let reason = failed.and_then(|failed| failed.reason.as_ref());
            let reason = reason.map(ToString::to_string).unwrap_or_default();
            let text = LinkedText::from(" because ");
            let text = match task {
                Some(task) => text.task(task),
                None => text,
            };
            return text.text(format!(" failed: {reason}"));
        }
    };
    text.into()
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
        _ => Some(because(run, planning).to_string().trim_start().to_owned()),
    };
    let detail = match &planning.outcome {
        Err(fault) => format!("planner bug: {fault}"),
        Ok(_) => {
            let aborts = planning.aborts.iter().map(ToString::to_string);
            let answers = match &planning.answers[..] {
                [] => None,
                [answer] => Some(answer.to_string()),
                all => Some(format!("the game answered {} queries", all.len())),
            };
            let parts = goal_of(planning).into_iter().chain(why).chain(aborts);
            parts.chain(answers).collect::<Vec<_>>().join(", ")
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
    let mut values = planning.goal_values.iter();
    let is_any_cooling = values.any(|value| value.cooldown > 0);
    match &planning.outcome {
        Ok(Outcome::Plan(plan)) => match plan.target.as_ref().map(|aim| &aim.goal) {
            Some(Some(goal)) => Some(format!("for the goal {goal}")),
            Some(None) if planning.goal_values.is_empty() => {
                Some("for the scenario's goal".to_owned())
            }
            _ if planning.goal_values.is_empty() => None,
            _ if wanted.is_empty() && is_any_cooling => {
                Some("every goal already holds, has no value or is cooling down".to_owned())
            }
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
    LinkedText::changes(changes).to_string()
}

/// Describes in a sentence how the run ended.
pub fn end(run: &Run) -> (&'static str, LinkedText) {
    let at = |before: &str| LinkedText::from(before).tick(run.ticks);
    let text = match &run.end {
        RunEnd::Complete => return ("ok", at("The run completes at tick ").text(".")),
        RunEnd::GoalMissed(part) => {
            at("The tasks complete at tick ").text(format!(", but the goal doesn't hold: {part}."))
        }
        RunEnd::Endless => {
            return (
                "open",
                at("The run has no end; simulated to tick ")
                    .then(made_no_progress(run))
                    .text("."),
            );
        }
        RunEnd::Failed => at("The run fails at tick ").text(format!(
            ": {}, and no upcoming event could change that.",
            failure(run)
        )),
        RunEnd::OutOfTicks => at("The run was cut off at tick ")
            .then(waited_for(run))
            .text("."),
        RunEnd::OutOfPlans => at("The run was cut off at tick ")
            .text(format!(": {MAX_PLANS} plans made no progress.")),
        RunEnd::Stopped => at("The run was stopped at tick ").text("."),
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

/// Describes why a run that is cut off made no progress, and what could help; empty if it isn't known.
fn made_no_progress(run: &Run) -> LinkedText {
    let actor =
        |number: usize, word| LinkedText::from(": ").link(word, LinkTarget::Character(number));
    match run.thrashing() {
        Some(Thrashing::Alternates(character, [one, other])) => actor(character, "an actor")
            .text(" keeps switching between the goals '")
            .record(Kind::Goal, &one)
            .text("' and '")
            .record(Kind::Goal, &other)
            .text("'; let it keep a goal for some ticks"),
        Some(Thrashing::Switches(character)) => {
            actor(character, "an actor").text(" keeps replanning without completing a step")
        }
        Some(Thrashing::Undoes([one, other], atom)) => actor(one, "an actor")
            .text(" and ")
            .link("another one", LinkTarget::Character(other))
            .text(" change ")
            .atom(&atom)
            .text(" back and forth"),
        None => LinkedText::default(),
    }
}

/// Describes what a run that is cut off was waiting for, or why it would have continued forever.
fn waited_for(run: &Run) -> LinkedText {
    if let Some([one, other]) = run.oscillating_goals() {
        let text = LinkedText::from(": the goals '").record(Kind::Goal, one);
        let text = text.text("' and '").record(Kind::Goal, other);
        return text.text("' undo each other");
    }
    let thrashing = made_no_progress(run);
    if !thrashing.is_empty() {
        return thrashing;
    }
    let last = run.executed.last();
    let of = last.and_then(|step| Some(run.plans.get(step.plan)?.character));
    // The steps of one character, which may run in parallel.
    let is_meant = |(at, step): &(usize, &StepExecution)| {
        step.state == TaskState::InProgress && run.character_of(Entry::Step(*at)) == of
    };
    let steps = run.executed.iter().enumerate().filter(is_meant);
    let waiting = steps.filter_map(|(_, step)| {
        let task = LinkedText::default().task(task_of(run, step)?);
        Some(task.text(format!(", {}", step.reason.as_ref()?)))
    });
    let waiting = LinkedText::joined(waiting, "; ");
    match waiting.is_empty() {
        true => waiting,
        false => LinkedText::from(": ").then(waiting),
    }
}
