//! PDDL, for planners without tasks: the actions of a character that plans for a goal, and that
//! goal.

use super::errors::export_error;
use super::form::Form;
use super::input::{Input, played};
use super::lowered::lowered;
use super::written::Written;
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Kind, Name, RecordRef};
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::{Actor, Domain};
use taskloom_planner::compile::compile_cancellable;

/// Writes `domain.pddl` and, for a scenario that is planned for a goal without tasks,
/// `problem.pddl`.
///
/// # Errors
/// Errors in the document, and features that PDDL can't express; a scenario with tasks, and a goal
/// with subgoals.
pub fn export_pddl(
    domain: &Domain,
    scenario: Option<&Name>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let (domain, scene) = played(domain, scenario)?;
    let written = classical(Input::new(&domain, scenario, &scene), vec![], stop);
    written.map_err(|errors| domain.drawn(errors))
}

/// Writes the actions that a character may use and, for a scenario, its goal, in addition to these
/// warnings.
pub(super) fn classical(
    mut input: Input,
    mut warnings: Vec<String>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let actor = input.scene.actor(0);
    if let Some(name) = input.scenario {
        let at = RecordRef::new(Kind::Scenario, name.clone());
        if !input.tasks.is_empty() {
            let message = format!(
                "'{name}' is planned by decomposing tasks, which PDDL can't express: \
                 export to 'hddl'"
            );
            return Err(vec![export_error(at, Field::Task(0), message)]);
        }
        if input.goal.is_none() {
            let (goal, warning) = top_goal(input.domain, name, actor, stop)?;
            input.goal = goal;
            warnings.push(warning);
        }
    }
    input.compounds.clear();
    let may_use = |name: &Name| actor.may_use(input.document, Kind::PrimitiveTask, name);
    input.primitives.retain(|(name, _)| may_use(name));
    lowered(&input, Form::Pddl, warnings, stop)
}

/// An agent's goal, and its condition.
type TopGoal<'d> = (RecordRef, &'d Formula);

/// Returns the agent's goal that a character plans for first, and the warning about it.
fn top_goal<'d>(
    domain: &'d Domain,
    name: &Name,
    actor: &Actor,
    stop: &Stop,
) -> Result<(Option<TopGoal<'d>>, String), Vec<Diagnostic>> {
    let at = RecordRef::new(Kind::Scenario, name.clone());
    if !actor.has_goals() {
        let message = format!("'{name}' has neither a goal nor an agent with goals");
        return Err(vec![export_error(at, Field::Goal, message)]);
    }
    let problem = compile_cancellable(domain, (name, 0), stop);
    let to_reach = problem.map_or_else(|_| vec![], |problem| problem.goals_to_reach());
    let goals = actor.goals().len();
    let Some((goal, typed)) = to_reach.into_iter().next().and_then(|goal| {
        let typed = domain.goal(&goal)?;
        Some((goal, typed))
    }) else {
        let warning = "all goals of the actor already hold: the exported goal is empty";
        return Ok((None, warning.to_owned()));
    };
    let at = RecordRef::new(Kind::Goal, goal.clone());
    if !typed.subgoals.is_empty() {
        let message = format!("'{goal}' has subgoals in sequence, which PDDL can't express");
        return Err(vec![export_error(at, Field::Goal, message)]);
    }
    let Some(formula) = &typed.condition.value else {
        let message = format!("the condition of '{goal}' is invalid");
        return Err(vec![export_error(at, Field::Goal, message)]);
    };
    let tasks = match typed.tasks.len() {
        0 => "",
        _ => "; the tasks that serve it are not exported",
    };
    let others = match goals {
        1 => String::new(),
        _ => format!(", which has the highest value of {goals} goals in the initial state"),
    };
    Ok((
        Some((at, formula)),
        format!("the goal is '{goal}'{others}{tasks}"),
    ))
}
