//! The execution of one step: its start, its action and its end.

use taskloom_document::{EffectTiming, Name};
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::records::Primitive;
use taskloom_domain::text::TypedText;
use taskloom_planner::plan::{NodeKind, Plan, World};

use super::clocks::{Clocks, Expired};
use super::{RunningStep, step_ref};
use crate::body::{ActionStatus, action_args};
use crate::execution_context::ExecutionContext;
use crate::run::{Reason, StepExecution, TaskState};

/// Executes a step as far as this tick allows. Returns `true` if it is complete; otherwise, its execution
/// states what it waits for.
///
/// # Errors
/// Returns the reason if the step fails.
pub(super) fn advance_step(
    (plan, clocks): (&Plan, &mut Clocks),
    running: &mut RunningStep,
    context: &mut ExecutionContext,
    tick: u32,
) -> Result<bool, Reason> {
    if let Some(object) = running.lost.take() {
        return Err(Reason::Removed(object));
    }
    let execution = &mut running.execution;
    let Some(step) = plan.steps.get(execution.step) else {
        return Ok(true);
    };
    let args = &step.task.args;
    let domain = context.world.domain().clone();
    let Some(task) = domain.primitive(&step.task.task) else {
        let reason = format!("'{}' is not a primitive task", step.task.task);
        return Err(Reason::Precondition(reason));
    };
    let params = &task.record.params;
    if execution.state == TaskState::Planned {
        start(execution, (task, args), context, tick)?;
        clocks.start(plan, step.node, tick);
    }
    let is_steady = !domain.clock().runs;
    let revision = Some(context.believed().revision()).filter(|_| is_steady);
    if revision.is_none() || running.checked[0] != revision {
        keep_integrity(context.believed(), plan, step.node)?;
        running.checked[0] = revision;
    }
    if let Some(Expired { node, ticks }) = clocks.expired(plan, step.node, tick) {
        return Err(Reason::Timeout(plan.nodes[node].task.clone(), ticks));
    }
    let execution = &mut running.execution;
    if execution.acted.is_none() {
        match perform(plan, running, context, tick) {
            ActionStatus::Running => {
                running.execution.reason = Some(Reason::Duration(running.execution.due));
                return Ok(false);
            }
            ActionStatus::Succeeded => {}
            ActionStatus::Failed(reason) => return Err(reason),
        }
        check_not_forestalled(&mut running.execution, (task, args), context)?;
        let is_executed: fn(EffectTiming) -> bool = if context.performance.body.is_simulated() {
            |_| true
        } else {
            |timing| timing != EffectTiming::Planned
        };
        let changes = context.world.changes(task, args, is_executed);
        let execution = &mut running.execution;
        execution.changes = changes.map_err(Reason::Effects)?;
        execution.acted = Some(tick);
        let written = match context.belief {
            Some(_) => context.world.written(task, args),
            None => vec![],
        };
        context.apply(&execution.changes);
        execution.learned = context.learn(written);
    }
    let completion = &domain.execution_rules(task).completion;
    let revision = Some(context.believed().revision()).filter(|_| is_steady);
    if revision.is_some() && running.checked[1] == revision {
        return Ok(false);
    }
    let waits = context.believed().first_violation(completion, params, args);
    let is_complete = waits.is_none();
    running.execution.reason = waits.map(Reason::Completion);
    running.checked[1] = revision;
    Ok(is_complete)
}

/// Starts a step, if its preconditions are true and nobody else claims what it claims.
///
/// # Errors
/// Returns the reason if it can't start.
fn start(
    execution: &mut StepExecution,
    (task, args): (&Primitive, &[Name]),
    context: &mut ExecutionContext,
    tick: u32,
) -> Result<(), Reason> {
    let params = &task.record.params;
    execution.state = TaskState::InProgress;
    if let Some(object) = context.world.missing(params, args) {
        return Err(Reason::Removed(object.clone()));
    }
    let rules = &task.preconditions;
    if let Some(rule) = context.believed().first_violation(rules, params, args) {
        return Err(Reason::Precondition(rule));
    }
    if context.belief.is_some()
        && let Some(rule) = context.world.first_violation(rules, params, args)
    {
        let broken = context.world.read_in_violation(rules, params, args);
        execution.learned = context.correct(broken);
        return Err(Reason::Denied(rule));
    }
    let believed = context.believed();
    let claims = believed.claims(task, args).map_err(Reason::Precondition)?;
    if let Some((object, actor)) = believed.claimed_among(&claims) {
        return Err(Reason::Claimed(object.clone(), actor.cloned()));
    }
    execution.claims = claims;
    execution.due = tick.saturating_add(context.world.duration(task, args));
    Ok(())
}

/// Checks that no other actor has made a precondition of a step false at the tick at which it is about to act.
///
/// # Errors
/// Returns the reason if one has.
fn check_not_forestalled(
    execution: &mut StepExecution,
    (task, args): (&Primitive, &[Name]),
    context: &mut ExecutionContext,
) -> Result<(), Reason> {
    if context.acts.is_empty() {
        return Ok(());
    }
    let params = &task.record.params;
    let violated = |world: &World, rule: &TypedText<Formula>| {
        world.first_violation(std::slice::from_ref(rule), params, args)
    };
    let rules = task.preconditions.iter();
    let mut broken = rules
        .filter_map(|rule| Some((rule, violated(context.world, rule)?)))
        .peekable();
    if broken.peek().is_none() {
        return Ok(());
    }
    let before = context.acts.undone(context.world);
    let Some((rule, text)) = broken.find(|(rule, _)| violated(&before, rule).is_none()) else {
        return Ok(());
    };
    let rule = std::slice::from_ref(rule);
    let read = context.world.read_in_violation(rule, params, args);
    let by = context.acts.first_to_change(&read);
    execution.learned = context.correct(read);
    Err(Reason::Forestalled(text, by))
}

/// Starts or continues the action of a step.
fn perform(
    plan: &Plan,
    running: &mut RunningStep,
    context: &mut ExecutionContext,
    tick: u32,
) -> ActionStatus {
    let ExecutionContext {
        world, performance, ..
    } = context;
    let begun = running.action;
    let id = begun.unwrap_or(*performance.next_id);
    let args = action_args(world, &plan.steps[running.execution.step].task);
    let step = step_ref(plan, &running.execution, (id, &args), (&**world, tick));
    let status = if begun.is_some() {
        performance.body.tick(&step)
    } else {
        *performance.next_id += 1;
        performance.body.start(&step)
    };
    running.action = (status == ActionStatus::Running).then_some(id);
    status
}

/// Checks the integrity rules of a step's task and of every compound task above it,
/// from the step upwards.
///
/// # Errors
/// Returns the first rule that is violated.
fn keep_integrity(world: &World, plan: &Plan, node: usize) -> Result<(), Reason> {
    let mut node = plan.nodes.get(node);
    while let Some(current) = node {
        let task = &current.task;
        let rules = match current.kind {
            NodeKind::Step(_) => {
                let read = world.primitive(task);
                let rules = |read| &*world.domain().execution_rules(read).integrity;
                read.map(|read| (rules(read), &read.record.params))
            }
            NodeKind::Decomposed(_) | NodeKind::Pending => {
                let read = world.compound(task);
                let rules = |read| world.domain().integrity(read);
                read.map(|read| (rules(read), &read.record.params))
            }
        };
        let violated =
            rules.and_then(|(rules, params)| world.first_violation(rules, params, &task.args));
        if let Some(rule) = violated {
            return Err(Reason::Integrity(task.clone(), rule));
        }
        node = current.parent.and_then(|parent| plan.nodes.get(parent));
    }
    Ok(())
}
