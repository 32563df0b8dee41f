//! The explanation of a task of a plan, or of an entry of the run.

use taskloom_document::{Kind, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::QueryAnswer;
use taskloom_planner::plan::{Atom, NodeKind, Plan, Strategy};
use taskloom_runtime::{Cause, Entry, Planning, Reason, Run, StepExecution, TaskState};

use super::decision::{Decision, Ground, Path, decisions};
use super::failure::{Failure, WhyFalse};
use super::origin::origin;
use super::worlds::{Belief, Worlds};
use crate::panels::run::{because, changed, describe_event, describe_planning};
use crate::session::{LinkTarget, LinkedText, Subject};
use crate::worker::Answer;

/// The maximum number of values listed for a failed condition.
const MAX_SEEN: usize = 4;

/// The maximum numbers of deciding conditions, and of alternatives not taken, that are listed.
const MAX_GROUNDS: usize = 5;
const MAX_REJECTED: usize = 4;

/// The maximum number of a game's answers that are listed, and of the objects of each.
const MAX_ANSWERS: usize = 6;
const MAX_OBJECTS: usize = 12;

/// The answer to the question why something is done, or why it happened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explanation {
    /// The question: `Why does rook walk(hall, kitchen)?`
    pub title: String,
    /// The position: `Step 2 of 3 · ticks 2–4`.
    pub position: String,
    /// The index of the character in the cast; `None` for an event.
    pub character: Option<usize>,
    /// The outcome, if the step failed, or was interrupted or stopped.
    pub outcome: Option<(EarlyEnd, LinkedText)>,
    /// The reason for it.
    pub reason: LinkedText,
    /// The compound tasks above it, the outermost first.
    pub path: Vec<LinkedText>,
    /// The tick of the planning that decided, if it is an earlier one than the explained.
    pub decided_at: Option<u32>,
    /// The conditions and variables that decided, with the values that were read: `shelf < 2: shelf
    /// is 1`.
    pub grounds: Vec<LinkedText>,
    /// The alternative taken at the nearest decision that rejected another one.
    pub taken: Option<LinkedText>,
    /// The alternatives that weren't taken there.
    pub rejected: Vec<Rejected>,
    /// The beliefs that it depends on, wrong ones first.
    pub beliefs: Vec<Belief>,
    /// The game's first answers to queries: each query, and the objects.
    pub answers: Vec<(String, String)>,
    /// The number of further answers.
    pub more_answers: usize,
    /// The block that calls it.
    pub block: Option<LinkTarget>,
    /// The tick at which it was planned, or happened.
    pub tick: Option<u32>,
}

/// The kind of a step's end other than completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyEnd {
    /// A condition was false.
    Failed,
    /// A new plan replaced it.
    Interrupted,
    /// It was in the background, and the main branch is complete.
    Stopped,
}

/// An alternative that wasn't taken, or several for the same reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// Its name, and the condition that it needs, or another reason.
    pub text: LinkedText,
    /// The failed condition.
    pub failure: Option<FailedCondition>,
}

/// A failed condition of an alternative.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedCondition {
    /// The reason why it is false.
    pub why: WhyFalse,
    /// The values that were read.
    pub seen: LinkedText,
}

/// Explains a subject; `None` if the answer doesn't have it.
pub fn explain(domain: &Domain, answer: &Answer, subject: Subject) -> Option<Explanation> {
    let context = Context { domain, answer };
    match subject {
        Subject::Task { plan, node } => context.task(context.of_run(plan), node, false),
        Subject::Entry(Entry::Step(at)) => context.step(answer.run.as_ref()?, at),
        Subject::Entry(Entry::Planning(at)) => context.planning(answer.run.as_ref()?, at),
        Subject::Entry(Entry::Perception(at)) => context.perception(answer.run.as_ref()?, at),
        Subject::Entry(Entry::Event(at)) => context.event(answer.run.as_ref()?, at),
    }
}

/// The nearest decision, with the conditions and variables that it depended on.
type Decided = (Option<Decision>, Vec<Ground>);

#[derive(Clone, Copy)]
struct Context<'a> {
    domain: &'a Domain,
    answer: &'a Answer,
}

impl<'a> Context<'a> {
    /// Returns the name of a character.
    fn name(self, character: usize) -> String {
        let scene = self.domain.scene(&self.answer.scenario);
        let actor = scene.and_then(|scene| scene.cast.get(character));
        let name = actor.and_then(|actor| actor.name().map(ToString::to_string));
        name.unwrap_or_else(|| "the actor".to_owned())
    }

    /// Returns the run's plan that is the same as the scenario's, if that is meant.
    fn of_run(self, plan: Option<usize>) -> Option<usize> {
        plan.or_else(|| {
            let mut plans = self.answer.run.as_ref()?.plans.iter();
            let first = plans.position(|p| p.character == self.answer.character)?;
            (!self.answer.is_another_plan(first)).then_some(first)
        })
    }

    /// Explains a task of a plan by the nearest decision above it, or, if the planning is explained,
    /// by the first decision of the plan.
    fn task(self, plan: Option<usize>, node: usize, is_of_planning: bool) -> Option<Explanation> {
        let found = self.answer.plan_at(plan)?;
        let own = found.nodes.get(node)?;
        let run = self.answer.run.as_ref();
        let planning = plan.and_then(|at| run?.plans.get(at));
        let character = planning.map_or(self.answer.character, |planning| planning.character);
        let above = above(found, node);
        let mut explanation = Explanation {
            title: format!("Why does {} {}?", self.name(character), own.task),
            position: steps_of(found, node),
            character: Some(character),
            reason: reason(run, planning, found),
            path: path(self.domain, found, &above),
            block: own.parent.and_then(|parent| {
                let block = own.block.clone()?;
                Some(LinkTarget::Block(
                    found.nodes.get(parent)?.task.task.clone(),
                    block,
                ))
            }),
            tick: planning.map(|planning| planning.tick),
            ..Explanation::default()
        };
        if let Some(worlds) = Worlds::at(self.domain, self.answer, character, plan) {
            let under_way = planning.map_or(&[][..], |planning| &planning.under_way);
            let (before, mut deciding): (Vec<usize>, Vec<usize>) =
                above.iter().partition(|node| under_way.contains(node));
            explanation.beliefs = worlds.beliefs(found, node, &deciding);
            if is_of_planning {
                deciding.reverse();
            }
            let (mut decision, mut grounds) = decision(&worlds, found, &deciding);
            let mut decided_by = planning;
            if decision.is_none() && grounds.is_empty() {
                // The nearest one was made by an earlier planning.
                let earlier = before.iter().find_map(|node| self.earlier(plan?, *node));
                if let Some((made, decided)) = earlier {
                    explanation.decided_at = Some(made.tick);
                    decided_by = Some(made);
                    (decision, grounds) = decided;
                }
            }
            let run = run.zip(decided_by);
            let grounds = grounds.iter().filter(|ground| {
                // The condition of a Branch that was false is among what wasn't taken.
                let is_shown = |decision: &Decision| {
                    decision.block.as_ref() == Some(&ground.block)
                        && decision.task == ground.task
                        && !decision.rejected.is_empty()
                };
                !decision.as_ref().is_some_and(is_shown)
            });
            let grounds = grounds.take(MAX_GROUNDS);
            explanation.grounds = grounds.map(|ground| ground_text(ground, run)).collect();
            if let Some(decision) = decision {
                // Only this search tries the alternatives in the designer's order.
                let is_in_order = self.answer.strategy == Strategy::First;
                explanation.decided(decision, is_in_order);
            }
        }
        Some(explanation)
    }

    /// Returns the planning that decomposed a task under way, with its decision there; `None` if there was nothing to
    /// decide.
    fn earlier(self, plan: usize, node: usize) -> Option<(&'a Planning, Decided)> {
        let run = self.answer.run.as_ref()?;
        let (at, node) = origin(run, plan, node)?;
        let made = run.plans.get(at)?;
        let worlds = Worlds::at(self.domain, self.answer, made.character, Some(at))?;
        let decided = decision(&worlds, made.plan()?, &[node]);
        (decided.0.is_some() || !decided.1.is_empty()).then_some((made, decided))
    }

    /// Explains an executed step.
    fn step(self, run: &Run, at: usize) -> Option<Explanation> {
        let step = run.executed.get(at)?;
        let node = run.plans.get(step.plan)?.plan()?.steps.get(step.step)?.node;
        let explanation = self.task(Some(step.plan), node, false)?;
        let position = [explanation.position, ticks_of(step)].into_iter();
        let position =
            Vec::from_iter(position.chain(claims_of(step)).chain(gave_up_of(step))).join(" · ");
        Some(Explanation {
            position,
            outcome: outcome(step),
            ..explanation
        })
    }

    /// Explains a planning, with the first step of the plan.
    fn planning(self, run: &Run, at: usize) -> Option<Explanation> {
        let planning = run.plans.get(at)?;
        let verb = match planning.cause {
            Cause::Start => "plan",
            Cause::Onward => "continue",
            _ => "replan",
        };
        let first = planning.plan().and_then(|plan| plan.steps.first());
        let step = first.and_then(|step| self.task(Some(at), step.node, true));
        let (found, _) = describe_planning(run, planning);
        let (_, found) = found.split_once(": ").unwrap_or(("", &found));
        let result = match first {
            Some(first) => format!(" Result: {found}, beginning with {}.", first.task),
            None => format!(" Result: {found}."),
        };
        let reason = match planning.plan() {
            Some(plan) => reason(Some(run), Some(planning), plan),
            None => made(run, planning),
        };
        let answers = planning.answers.iter().take(MAX_ANSWERS);
        let answers = answers.map(|answer| (answer.query.to_string(), objects_of(answer)));
        Some(Explanation {
            title: format!("Why does {} {verb}?", self.name(planning.character)),
            position: format!("Tick {}", planning.tick),
            character: Some(planning.character),
            reason: reason.text(result),
            answers: answers.collect(),
            more_answers: planning.answers.len().saturating_sub(MAX_ANSWERS),
            tick: Some(planning.tick),
            ..step.unwrap_or_default()
        })
    }

    /// Describes an observation, and the replanning that followed.
    fn perception(self, run: &Run, at: usize) -> Option<Explanation> {
        let seen = run.perceptions.get(at)?;
        let name = self.name(seen.character);
        let mut plans = run.plans.iter();
        let followed = plans.find(|planning| {
            (planning.character, planning.tick) == (seen.character, seen.tick)
                && planning.cause == Cause::Perception
        });
        let text = LinkedText::from("Observed: ").then(LinkedText::changes(&seen.changes));
        let text = match followed {
            Some(planning) => text
                .text(". Replanned")
                .then(because(run, planning))
                .text("."),
            None => text.text(". The plan stayed the same."),
        };
        Some(Explanation {
            title: format!("What does {name} observe?"),
            position: format!("Tick {}", seen.tick),
            character: Some(seen.character),
            reason: text,
            tick: Some(seen.tick),
            ..Explanation::default()
        })
    }

    /// Describes an event.
    fn event(self, run: &Run, at: usize) -> Option<Explanation> {
        let occurrence = run.events.get(at)?;
        let scenario = LinkTarget::record(Kind::Scenario, &self.answer.scenario);
        let text = LinkedText::default().text(describe_event(occurrence));
        let text = match occurrence.event {
            Run::SET_BY_GAME => text.text(". Set by the game."),
            _ => {
                let text = text.text(". From ");
                text.link(&self.answer.scenario, scenario).text(".")
            }
        };
        Some(Explanation {
            title: "What does this event change?".to_owned(),
            position: format!("Tick {}", occurrence.tick),
            reason: text,
            tick: Some(occurrence.tick),
            ..Explanation::default()
        })
    }
}

impl Explanation {
    /// Adds a decision. If the search is in order, the alternatives before it led to no plan, and
    /// those after it were not tried.
    fn decided(&mut self, decision: Decision, is_in_order: bool) {
        let target = match decision.block {
            Some(block) => LinkTarget::Block(decision.task.clone(), block),
            None => LinkTarget::Task(decision.task.clone()),
        };
        let text = LinkedText::from(format!("{} in ", decision.taken));
        self.taken = Some(text.link(decision.task, target));
        let rejected = decision.rejected.into_iter();
        let rejected = rejected.filter_map(|(name, failure)| match failure {
            Some(failure) => Some(failed(&name, failure)),
            None => is_in_order.then(|| Rejected {
                text: LinkedText::from(format!("{name}: led to no plan")),
                failure: None,
            }),
        });
        self.rejected = rejected.take(MAX_REJECTED).collect();
        if is_in_order && !decision.later.is_empty() {
            let names = decision.later.join("; ");
            self.rejected.push(Rejected {
                text: LinkedText::from(format!("{names}: not tried, later in the order")),
                failure: None,
            });
        }
    }
}

/// Describes an alternative that fails for certain.
fn failed(name: &str, failure: Failure) -> Rejected {
    let target = match failure.block {
        Some(block) => LinkTarget::Block(failure.task.clone(), block),
        None => LinkTarget::Task(failure.task.clone()),
    };
    let text = LinkedText::from(format!("{name}: "));
    let text = text.link(failure.task, target);
    // A fact alone is said to be false already.
    let seen = failure.seen.iter();
    let seen = seen.filter(|(atom, _)| atom.to_string() != failure.condition.trim());
    let seen = seen.take(MAX_SEEN).map(|(atom, value)| {
        let text = LinkedText::default().atom(atom);
        text.text(format!(" is {value}"))
    });
    Rejected {
        text: text.text(" needs ").text(&failure.condition),
        failure: Some(FailedCondition {
            why: failure.why,
            seen: LinkedText::joined(seen, ", "),
        }),
    }
}

/// Describes a condition or variable that decided, and since when the actor has known the values.
fn ground_text(ground: &Ground, planned: Option<(&Run, &Planning)>) -> LinkedText {
    let target = LinkTarget::Block(ground.task.clone(), ground.block.clone());
    let since = |text: LinkedText, atom: &Atom| {
        let tick = planned.and_then(|(run, planning)| noticed(run, planning, atom));
        match tick {
            Some(tick) => text.text(", noticed at tick ").tick(tick),
            None => text,
        }
    };
    // A fact alone is said once, with its value.
    if let [(atom, value)] = ground.seen.as_slice() {
        let whole = format!("{atom} is {value}");
        if [atom.to_string(), whole.clone()].contains(&ground.text) {
            return since(LinkedText::default().link(&whole, target), atom);
        }
    }
    let seen = ground.seen.iter().take(MAX_SEEN).map(|(atom, value)| {
        let text = LinkedText::default().atom(atom);
        since(text.text(format!(" is {value}")), atom)
    });
    let seen = LinkedText::joined(seen, "; ");
    let text = LinkedText::default().link(&ground.text, target);
    match seen.is_empty() {
        true => text,
        false => text.text(": ").then(seen),
    }
}

/// Returns the tick at which an actor noticed the value of a fact that it planned with.
fn noticed(run: &Run, planning: &Planning, atom: &Atom) -> Option<u32> {
    let mut seen = run.perceptions.iter().rev();
    let last = seen.find(|seen| {
        seen.character == planning.character
            && seen.tick <= planning.tick
            && seen.changes.iter().any(|change| change.atom == *atom)
    });
    last.map(|seen| seen.tick)
}

/// Returns the objects of an answer, in words.
fn objects_of(answer: &QueryAnswer) -> String {
    let Some(objects) = &answer.objects else {
        return "no answer".to_owned();
    };
    let names: Vec<&str> = objects.iter().map(Name::as_str).collect();
    match names.split_at_checked(MAX_OBJECTS) {
        _ if names.is_empty() => "no object".to_owned(),
        Some((first, rest)) if !rest.is_empty() => {
            format!("{} and {} more", first.join(", "), rest.len())
        }
        _ => names.join(", "),
    }
}

/// Returns the compound tasks above a task, the nearest first.
fn above(plan: &Plan, node: usize) -> Vec<usize> {
    let mut above = vec![];
    let mut at = node;
    // Parents come before their children, so this ends.
    while let Some(parent) = plan.nodes.get(at).and_then(|node| node.parent)
        && parent < at
    {
        above.push(parent);
        at = parent;
    }
    above
}

fn path(domain: &Domain, plan: &Plan, above: &[usize]) -> Vec<LinkedText> {
    let nodes = above.iter().rev().filter_map(|at| plan.nodes.get(*at));
    let nodes = nodes.filter(|node| domain.drawn_block(&node.task.task).is_none());
    nodes
        .map(|node| LinkedText::default().task(&node.task))
        .collect()
}

/// Returns the first decision at some tasks, in their order, that rejected another alternative (if
/// there is none, the first one), and the grounds at the tasks up to that, or else at the first
/// task that has any.
fn decision(worlds: &Worlds, plan: &Plan, above: &[usize]) -> Decided {
    let paths = above.iter().filter_map(|at| {
        let node = plan.nodes.get(*at)?;
        let world = worlds.after(plan, node.decomposed()?.at);
        Some(decisions(&world, node, &worlds.answers))
    });
    let (mut first, mut grounds) = (None, vec![]);
    for Path {
        decisions: mut made,
        grounds: own,
    } in paths
    {
        let is_rejecting = |decision: &Decision| {
            let mut rejected = decision.rejected.iter();
            rejected.any(|(_, failure)| failure.is_some())
        };
        if first.is_none() {
            grounds.extend(own);
        }
        if let Some(at) = made.iter().rposition(is_rejecting) {
            return (Some(made.swap_remove(at)), grounds);
        }
        if first.is_none() {
            let choice = made.iter().rposition(|decision| !decision.later.is_empty());
            first = match choice {
                Some(at) => Some(made.swap_remove(at)),
                None => made.pop(),
            };
        }
    }
    (first, grounds)
}

/// Describes when and why a plan was made, and its goal.
fn reason(run: Option<&Run>, planning: Option<&Planning>, plan: &Plan) -> LinkedText {
    let text = match plan.target.as_ref().and_then(|target| target.goal.as_ref()) {
        Some(goal) => {
            let text = LinkedText::from("For the goal ").record(Kind::Goal, goal);
            let values = planning.map_or(&[][..], |planning| &planning.goal_values);
            let value = values.iter().find(|value| value.goal == *goal);
            match value.and_then(|value| value.value) {
                Some(value) => text.text(format!(", value {value}. ")),
                None => text.text(". "),
            }
        }
        None => LinkedText::default(),
    };
    match (run, planning) {
        (Some(run), Some(planning)) => text.then(made(run, planning)),
        _ => text.text("Planned before the run."),
    }
}

/// Describes when and why a plan was made.
fn made(run: &Run, planning: &Planning) -> LinkedText {
    let text = LinkedText::from("Planned at tick ").tick(planning.tick);
    let text = match planning.cause {
        Cause::Start => text.text(", when the run started."),
        _ => text.then(because(run, planning)).text("."),
    };
    let aborts = planning.aborts.iter();
    aborts.fold(text, |text, abort| text.text(format!(" It {abort}.")))
}

fn outcome(step: &StepExecution) -> Option<(EarlyEnd, LinkedText)> {
    let reason = step.reason.as_ref();
    let kind = match (step.state, reason) {
        (TaskState::Stopped, _) => EarlyEnd::Stopped,
        (TaskState::Failed, Some(Reason::Interrupted)) => EarlyEnd::Interrupted,
        (TaskState::Failed, _) => EarlyEnd::Failed,
        _ => return None,
    };
    let text = match step.end {
        Some(end) => LinkedText::from("At tick ").tick(end).text(": "),
        None => LinkedText::default(),
    };
    let reason = reason.map(ToString::to_string).unwrap_or_default();
    let text = text.text(reason);
    let text = match step.learned.is_empty() {
        true => text,
        false => text.text(format!("; learned: {}", changed(&step.learned))),
    };
    Some((kind, text.text(".")))
}

/// Returns the steps of a task: `Step 2 of 3`, `Steps 1–3 of 3`.
fn steps_of(plan: &Plan, node: usize) -> String {
    let count = plan.steps.len();
    let is_below = |step: &usize| {
        let own = plan.steps[*step].node;
        own == node || above(plan, own).contains(&node)
    };
    if let Some(NodeKind::Step(step)) = plan.nodes.get(node).map(|node| &node.kind) {
        return format!("Step {} of {count}", step + 1);
    }
    let first = (0..count).find(is_below);
    let last = (0..count).rev().find(is_below);
    match (first, last) {
        (Some(first), Some(last)) if first < last => {
            format!("Steps {}–{} of {count}", first + 1, last + 1)
        }
        (Some(only), _) => format!("Step {} of {count}", only + 1),
        _ => "No steps".to_owned(),
    }
}

/// Returns the objects that a step claims.
fn claims_of(step: &StepExecution) -> Option<String> {
    let claims = step.claims.iter().map(ToString::to_string);
    let claims = Vec::from_iter(claims).join(", ");
    (!claims.is_empty()).then(|| format!("claims {claims}"))
}

/// Returns the tasks that a step's actor gives up because of its failure.
fn gave_up_of(step: &StepExecution) -> Option<String> {
    let tasks = step.gave_up.iter().map(ToString::to_string);
    let tasks = Vec::from_iter(tasks).join(", ");
    (!tasks.is_empty()).then(|| format!("gives up {tasks}"))
}

fn ticks_of(step: &StepExecution) -> String {
    match step.end {
        Some(end) if end == step.start => format!("tick {end}"),
        Some(end) => format!("ticks {}–{end}", step.start),
        None => format!("since tick {}", step.start),
    }
}
