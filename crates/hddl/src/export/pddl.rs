//! PDDL, for planners that know no tasks: the actions of a character that plans for a goal, and
//! that goal.

use super::{Form, Written, lowered, player, trouble};
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Field, Kind, Name, RecordRef, Scenario};
use taskloom_domain::lang::read_formula;
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::model::Model;
use taskloom_domain::{Player, elaborate};
use taskloom_planner::compile::compile_until;

impl Form {
    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hddl => "HDDL",
            Self::Pddl => "PDDL",
        }
    }

    /// What the head of a file says, a line each.
    pub(super) fn said(self) -> &'static [&'static str] {
        match self {
            Self::Hddl => &[
                "Written by Taskloom. HDDL has no order of methods: a planner that takes",
                "the first may find another plan than Taskloom, which takes alternatives in",
                "the designer's order. Integrity rules, completion conditions and durations",
                "have no counterpart here.",
            ],
            Self::Pddl => &[
                "Written by Taskloom: the actions of a character that plans for a goal. Compound",
                "tasks, integrity rules, completion conditions and durations have no counterpart",
                "here.",
            ],
        }
    }
}

/// Writes `domain.pddl` and, for a scenario that is planned for a goal without tasks,
/// `problem.pddl`.
///
/// # Errors
/// What means nothing, or has no words in PDDL; a scenario with tasks, and a goal with subgoals.
pub fn export_pddl(
    document: &Document,
    scenario: Option<&Name>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let player = player(document, scenario);
    let domain = elaborate::Domain::new(document, stop).played_by(player);
    let mut model = Model::read(&domain, scenario)?;
    classical(&domain, &mut model, player, vec![], stop)
}

/// Writes the actions that a character may use and, for a scenario, its goal, besides these
/// warnings.
pub(super) fn classical(
    domain: &elaborate::Domain,
    model: &mut Model,
    player: Player,
    mut warnings: Vec<String>,
    stop: &Stop,
) -> Result<Written, Vec<Diagnostic>> {
    let document = domain.document();
    let mut of = None;
    if let Some((name, record)) = model.scenario {
        let at = RecordRef::new(Kind::Scenario, name.clone());
        if !model.tasks.is_empty() {
            let message = format!(
                "'{name}' is planned by decomposing tasks, for which PDDL has no words: \
                 export to 'hddl'"
            );
            return Err(vec![trouble(at, Field::Task(0), message)]);
        }
        if model.goal.is_none() {
            let goal = worthiest(domain, (name, record), player, stop);
            let (goal, warning) = goal?;
            (of, model.goal) = goal.unzip();
            warnings.push(warning);
        }
    }
    model.compounds.clear();
    let may_use = |name: &Name| player.may_use(document, Kind::PrimitiveTask, name);
    model.primitives.retain(|name, _| may_use(name));
    lowered(model, Form::Pddl, of, warnings, stop)
}

/// A goal of an agent's, and its condition.
type Worthiest = (RecordRef, Formula);

/// The goal of its agent that a character plans for first, and what is to be said of that.
fn worthiest(
    domain: &elaborate::Domain,
    (name, scenario): (&Name, &Scenario),
    player: Player,
    stop: &Stop,
) -> Result<(Option<Worthiest>, String), Vec<Diagnostic>> {
    let at = RecordRef::new(Kind::Scenario, name.clone());
    let document = domain.document();
    if !player.has_goals() {
        let message = format!("'{name}' has neither a goal nor an agent that has goals");
        return Err(vec![trouble(at, Field::Goal, message)]);
    }
    let problem = compile_until(document, (name, 0), stop);
    let wants = problem.map(|problem| problem.wants()).unwrap_or_default();
    let mut wants: Vec<(f64, Name)> = wants
        .into_iter()
        .filter(|want| !want.holds)
        .filter_map(|want| Some((want.worth?, want.goal)))
        .filter(|(worth, _)| *worth > 0.0)
        .collect();
    wants.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let goals = player.goals().len();
    let first = wants.into_iter().next();
    let Some((goal, record)) = first.and_then(|(_, goal)| {
        let record = document.goals.get(&goal)?;
        Some((goal, record))
    }) else {
        let warning = "everything that the character wants is so: the goal is empty";
        return Ok((None, warning.to_owned()));
    };
    let at = RecordRef::new(Kind::Goal, goal.clone());
    if !record.subgoals.is_empty() {
        let message = format!(
            "'{goal}' has subgoals that are reached one after the other, for which PDDL has no \
             words"
        );
        return Err(vec![trouble(at, Field::Goal, message)]);
    }
    let scope = player.scope(document, scenario);
    let read = domain.read(&record.condition, &scope, read_formula);
    let Some(formula) = read.value else {
        let message = format!("the condition of '{goal}' cannot be read");
        return Err(vec![trouble(at, Field::Goal, message)]);
    };
    let others = match goals {
        1 => String::new(),
        _ => format!(": of {goals} goals it is worth most where the scenario begins"),
    };
    Ok((Some((at, formula)), format!("the goal is '{goal}'{others}")))
}
