//! Plannings as they are logged, and back.

use std::sync::Arc;

use taskloom_document::BlockId;
use taskloom_planner::compile::{GroundQuery, QueryAnswer};
use taskloom_planner::explain::ObstaclesAtStep;
use taskloom_planner::plan::{
    Decomposed, GoalValue, Limit, Node, NodeKind, Outcome, Plan, PlanTarget, Step, Unplanned,
};

use super::entry::{
    Above, Binding, Decomposition, LogLevel, LoggedAbort, LoggedAnswer, LoggedGoal, LoggedPlan,
    LoggedStep, LoggedTarget, LoggedTask, PlanCause, PlanEntry, PlanOutcome, Rejected,
};
use super::texts::{
    atom, call, changes, parse, parse_all, read_changes, task, text, texts, values,
};
use crate::aborts::Abort;
use crate::run::{Cause, Planning};

impl PlanEntry {
    /// Creates the line of a planning; `number` is its index among those of its actor.
    pub(crate) fn new(planning: &Planning, number: usize, level: LogLevel) -> Self {
        let (cause, failed_step) = match planning.cause {
            Cause::Start => (PlanCause::Start, None),
            Cause::Failure(step) => (PlanCause::Failure, Some(step)),
            Cause::Event => (PlanCause::Change, None),
            Cause::Again => (PlanCause::Again, None),
            Cause::Perception => (PlanCause::Observation, None),
            Cause::Every => (PlanCause::Periodic, None),
            Cause::Onward => (PlanCause::Onward, None),
            Cause::Goal => (PlanCause::Goal, None),
            Cause::Retry => (PlanCause::Retry, None),
            Cause::Alternative => (PlanCause::Alternative, None),
            Cause::Background => (PlanCause::Background, None),
        };
        let (outcome, why) = match &planning.outcome {
            Ok(Outcome::Plan(_)) => (PlanOutcome::Plan, None),
            Ok(Outcome::NoPlan) => (PlanOutcome::NoPlan, None),
            Ok(Outcome::GaveUp(limit)) => (PlanOutcome::GaveUp, Some(limit_name(*limit))),
            Ok(Outcome::Stopped) => (PlanOutcome::Stopped, None),
            Ok(Outcome::NotPlanned(Unplanned::Unreadable)) => (PlanOutcome::NotPlanned, None),
            Err(why) => (PlanOutcome::Invalid, Some(why.as_str())),
        };
        Self {
            tick: planning.tick,
            actor: planning.character,
            number,
            cause,
            failed_step,
            noticed: planning.noticed.as_ref().map(text),
            goals: planning.goal_values.iter().map(logged_goal).collect(),
            aborted: planning.aborts.iter().map(logged_abort).collect(),
            outcome,
            why: why.map(str::to_owned),
            plan: planning
                .plan()
                .map(|plan| LoggedPlan::new(plan, &planning.under_way, level)),
            answers: planning.answers.iter().map(logged_answer).collect(),
            rejected: vec![],
            effort: None,
        }
    }

    /// Reads the planning. `failed_step` is the index in the record of the step that failed, if that is the
    /// cause.
    ///
    /// # Errors
    /// Returns the reason if a part of it is missing or invalid.
    pub(crate) fn read(&self, failed_step: Option<usize>) -> Result<Planning, String> {
        let why = || self.why.clone().unwrap_or_default();
        let outcome = match self.outcome {
            PlanOutcome::Plan => {
                let plan = self.plan.as_ref().ok_or("the plan is missing")?;
                Ok(Outcome::Plan(Arc::new(plan.read()?)))
            }
            PlanOutcome::NoPlan => Ok(Outcome::NoPlan),
            PlanOutcome::GaveUp => Ok(Outcome::GaveUp(limit(&why())?)),
            PlanOutcome::Stopped => Ok(Outcome::Stopped),
            PlanOutcome::NotPlanned => Ok(Outcome::NotPlanned(Unplanned::Unreadable)),
            PlanOutcome::Invalid => Err(why()),
        };
        let cause = match self.cause {
            PlanCause::Start => Cause::Start,
            PlanCause::Failure => Cause::Failure(failed_step.ok_or("the failed step is missing")?),
            PlanCause::Change => Cause::Event,
            PlanCause::Again => Cause::Again,
            PlanCause::Observation => Cause::Perception,
            PlanCause::Periodic => Cause::Every,
            PlanCause::Onward => Cause::Onward,
            PlanCause::Goal => Cause::Goal,
            PlanCause::Retry => Cause::Retry,
            PlanCause::Alternative => Cause::Alternative,
            PlanCause::Background => Cause::Background,
        };
        let goals = self.goals.iter().map(read_goal);
        let aborts = self.aborted.iter().map(read_abort);
        let answers = self.answers.iter().map(read_answer);
        Ok(Planning {
            character: self.actor,
            tick: self.tick,
            cause,
            noticed: self.noticed.as_deref().map(atom).transpose()?,
            goal_values: goals.collect::<Result<_, _>>()?,
            aborts: aborts.collect::<Result<_, _>>()?,
            answers: answers.collect::<Result<_, _>>()?,
            outcome,
            under_way: self
                .plan
                .as_ref()
                .map_or(vec![], |plan| plan.under_way.clone()),
        })
    }
}

/// Returns rejected alternatives as they are logged.
pub fn rejected(found: Vec<ObstaclesAtStep>) -> Vec<Rejected> {
    let all = found.into_iter().flat_map(|at| {
        let before = at.steps;
        at.obstacles.into_iter().map(move |one| Rejected {
            before,
            task: one.task.as_ref().map(text),
            block: one.block.as_ref().map(text),
            why: one.text,
            values: values(one.seen.iter().map(|seen| (&seen.atom, &seen.value))),
        })
    });
    all.collect()
}

fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "decisions",
        Limit::Depth => "depth",
        Limit::Memory => "memory",
        Limit::Time => "time",
    }
}

fn limit(name: &str) -> Result<Limit, String> {
    let all = [Limit::Nodes, Limit::Depth, Limit::Memory, Limit::Time];
    let found = all.into_iter().find(|limit| limit_name(*limit) == name);
    found.ok_or_else(|| format!("'{name}' is not a limit of a search"))
}

fn logged_goal(value: &GoalValue) -> LoggedGoal {
    LoggedGoal {
        goal: text(&value.goal),
        value: value.value,
        is_true: value.holds,
        cooldown: value.cooldown,
    }
}

fn read_goal(logged: &LoggedGoal) -> Result<GoalValue, String> {
    Ok(GoalValue {
        goal: parse(&logged.goal)?,
        value: logged.value,
        holds: logged.is_true,
        cooldown: logged.cooldown,
    })
}

fn logged_abort(abort: &Abort) -> LoggedAbort {
    LoggedAbort {
        task: text(&abort.task),
        cleanup: text(&abort.cleanup),
        is_dropped: abort.is_dropped,
    }
}

fn read_abort(logged: &LoggedAbort) -> Result<Abort, String> {
    Ok(Abort {
        task: task(&logged.task)?,
        cleanup: task(&logged.cleanup)?,
        is_dropped: logged.is_dropped,
    })
}

fn logged_answer(answer: &QueryAnswer) -> LoggedAnswer {
    LoggedAnswer {
        query: text(&answer.query),
        objects: answer.objects.as_ref().map(texts),
    }
}

fn read_answer(logged: &LoggedAnswer) -> Result<QueryAnswer, String> {
    let (name, args) = call(&logged.query)?;
    let objects = logged.objects.as_deref().map(parse_all);
    Ok(QueryAnswer {
        query: GroundQuery { name, args },
        objects: objects.transpose()?,
    })
}

impl LoggedPlan {
    /// Creates the logged form of a plan with these tasks under way.
    pub(crate) fn new(plan: &Plan, under_way: &[usize], level: LogLevel) -> Self {
        let is_full = level == LogLevel::All;
        let steps = plan.steps.iter().map(|step| LoggedStep {
            task: text(&step.task),
            cost: step.cost,
            after: step.after.clone(),
            path: path_to(plan, step.node),
            node: is_full.then_some(step.node),
            changes: match is_full {
                true => changes(&step.changes),
                false => vec![],
            },
        });
        let nodes = plan.nodes.iter().filter(|_| is_full);
        Self {
            cost: plan.cost,
            target: plan.target.as_ref().map(|target| LoggedTarget {
                goal: target.goal.as_ref().map(text),
                remaining: target.remaining_estimate,
                is_optimal: target.is_optimal,
            }),
            steps: steps.collect(),
            tasks: nodes.map(LoggedTask::new).collect(),
            roots: match is_full {
                true => plan.roots.clone(),
                false => vec![],
            },
            under_way: match is_full {
                true => under_way.to_vec(),
                false => vec![],
            },
        }
    }

    /// Reads the plan, if the log is of the level `all`.
    ///
    /// # Errors
    /// Returns the reason if a part of it is missing or invalid.
    pub fn read(&self) -> Result<Plan, String> {
        let step = |step: &LoggedStep| {
            Ok(Step {
                task: task(&step.task)?,
                node: step
                    .node
                    .ok_or("a plan has no tasks: the log is of another level")?,
                cost: step.cost,
                after: step.after.clone(),
                changes: read_changes(&step.changes)?,
            })
        };
        let target = |target: &LoggedTarget| {
            Ok::<_, String>(PlanTarget {
                goal: target.goal.as_deref().map(parse).transpose()?,
                remaining_estimate: target.remaining,
                is_optimal: target.is_optimal,
            })
        };
        let plan = Plan {
            steps: self.steps.iter().map(step).collect::<Result<_, String>>()?,
            nodes: self
                .tasks
                .iter()
                .map(LoggedTask::read)
                .collect::<Result<_, _>>()?,
            roots: self.roots.clone(),
            cost: self.cost,
            target: self.target.as_ref().map(target).transpose()?,
        };
        let is_sound = crate::save::check_indices(&plan);
        is_sound
            .then_some(plan)
            .ok_or_else(|| "a plan is damaged".to_owned())
    }
}

/// Returns the path to a node, from the root down.
fn path_to(plan: &Plan, node: usize) -> Vec<Above> {
    let above = std::iter::successors(Some(node), |node| plan.nodes.get(*node)?.parent);
    let path = above.filter_map(|node| {
        let node = plan.nodes.get(node)?;
        let parent = plan.nodes.get(node.parent?)?;
        Some(Above {
            task: text(&parent.task),
            block: node.block.as_ref().map(text),
        })
    });
    let mut path: Vec<Above> = path.collect();
    path.reverse();
    path
}

impl LoggedTask {
    fn new(node: &Node) -> Self {
        Self {
            task: text(&node.task),
            parent: node.parent,
            block: node.block.as_ref().map(text),
            background: node.is_background,
            step: match node.kind {
                NodeKind::Step(step) => Some(step),
                NodeKind::Decomposed(_) | NodeKind::Pending => None,
            },
            by: node.decomposed().map(Decomposition::new),
        }
    }

    fn read(&self) -> Result<Node, String> {
        Ok(Node {
            task: task(&self.task)?,
            parent: self.parent,
            block: self.block.as_deref().map(parse).transpose()?,
            is_background: self.background,
            kind: match (self.step, &self.by) {
                (Some(step), _) => NodeKind::Step(step),
                (None, Some(by)) => NodeKind::Decomposed(by.read()?),
                (None, None) => NodeKind::Pending,
            },
        })
    }
}

impl Decomposition {
    fn new(decomposed: &Decomposed) -> Self {
        let bindings = decomposed.bindings.iter();
        let binding = bindings.map(|(block, variable, object)| Binding {
            block: text(block),
            variable: text(variable),
            object: text(object),
        });
        Self {
            blocks: texts(decomposed.blocks.iter()),
            wires: texts(decomposed.wires.iter()),
            bindings: binding.collect(),
            children: decomposed.children.clone(),
            before: decomposed.at,
        }
    }

    fn read(&self) -> Result<Decomposed, String> {
        let binding = |binding: &Binding| {
            let block = parse::<BlockId>(&binding.block)?;
            Ok((block, parse(&binding.variable)?, parse(&binding.object)?))
        };
        Ok(Decomposed {
            blocks: parse_all(&self.blocks)?.into(),
            wires: parse_all(&self.wires)?.into(),
            bindings: self
                .bindings
                .iter()
                .map(binding)
                .collect::<Result<_, String>>()?,
            children: self.children.clone(),
            at: self.before,
        })
    }
}
