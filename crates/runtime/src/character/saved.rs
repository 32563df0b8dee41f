//! The saved state of an actor's tasks and plan.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_domain::lang::typed::{Call, Term};
use taskloom_planner::plan::{GroundTask, World};

use super::{Character, State};
use crate::aborts::{Abort, cleanup_of};
use crate::cooldowns::Cooldowns;
use crate::failed_attempts::FailedAttempts;
use crate::open::{Open, Progressed};
use crate::plan_execution::Abandoned;
use crate::run::{Cause, StepExecution};
use crate::save::{self, Dropped};

/// The saved state of a [`Character`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedCharacter {
    /// The tasks that are not complete, as texts; `None` if one of them was invalid.
    tasks: Option<Vec<String>>,
    state: State,
    plannings: usize,
    ended: usize,
    progressed: Option<Progressed>,
    steps_before: usize,
    interrupted: VecDeque<(GroundTask, StepExecution)>,
    #[serde(default)]
    cooldowns: Cooldowns,
    #[serde(default)]
    attempts: FailedAttempts,
}

impl Character {
    /// Returns its state.
    pub fn save(&self) -> SavedCharacter {
        let Self {
            tasks,
            state,
            plannings,
            ended,
            progressed,
            steps_before,
            interrupted,
            cooldowns,
            attempts,
            reached: _,
        } = self.clone();
        let texts = |tasks: Vec<Call>| {
            let tasks = tasks.iter();
            tasks.map(|call| text(&call.name, &call.args)).collect()
        };
        SavedCharacter {
            tasks: tasks.map(texts),
            state,
            plannings,
            ended,
            progressed,
            steps_before,
            interrupted,
            cooldowns,
            attempts,
        }
    }

    /// Creates a character from a saved state. Returns it with the steps in progress of a plan that no
    /// longer exists.
    pub fn load(
        saved: SavedCharacter,
        world: &World,
        dropped: &mut Vec<Dropped>,
    ) -> (Self, Vec<Abandoned>) {
        let SavedCharacter {
            tasks,
            state,
            plannings,
            ended,
            progressed,
            steps_before,
            interrupted,
            mut cooldowns,
            mut attempts,
        } = saved;
        attempts.retain_existing(world);
        let document = world.document();
        cooldowns.retain(|task| {
            document.primitive_tasks.contains_key(task)
                || document.compound_tasks.contains_key(task)
        });
        let before = dropped.len();
        let read = |task: String| match world.task(&task) {
            Ok(call) => Some(call),
            Err(why) => {
                dropped.push(Dropped::Task { task, why });
                None
            }
        };
        let tasks: Option<Vec<Option<Call>>> =
            tasks.map(|tasks| tasks.into_iter().map(read).collect());
        let checked = match dropped.len() > before {
            true => Err("a task that it does no longer exists".to_owned()),
            false => state.check(world),
        };
        let checked = checked.and_then(|()| match &progressed {
            Some(progressed) => progressed.check(world),
            None => Ok(()),
        });
        let mut loaded = Self {
            tasks: None,
            state,
            plannings,
            ended,
            progressed,
            steps_before,
            interrupted,
            cooldowns,
            attempts,
            reached: None,
        };
        let Err(why) = checked else {
            if let State::Executing(execution) = &mut loaded.state {
                execution.prepare(world);
            }
            loaded.tasks = tasks.map(|tasks| tasks.into_iter().flatten().collect());
            return (loaded, vec![]);
        };
        let mut complete = 0;
        let mut abandoned = vec![];
        let has_plan = loaded.progressed.is_some() || loaded.state.has_plan();
        let cleanups = loaded.cleanups(world);
        loaded.progressed =
            (!cleanups.is_empty()).then(|| Open::of_cleanups(&cleanups).into_progressed());
        if loaded.state.has_plan() {
            if let State::Executing(execution) = &mut loaded.state {
                (complete, abandoned) = execution.abandon();
            }
            loaded.state = State::Planning(Cause::Event);
        }
        loaded.ended += abandoned.len();
        loaded.tasks = tasks.map(|tasks| tasks.into_iter().skip(complete).flatten().collect());
        if has_plan {
            dropped.push(Dropped::Plan { why });
        }
        (loaded, abandoned)
    }
}

impl Character {
    /// Returns the cleanups that are due if its plan no longer exists, as far as they exist themselves.
    fn cleanups(&self, world: &World) -> Vec<Abort> {
        let progressed = match &self.state {
            State::Executing(execution) => Some(execution.progressed()),
            State::AwaitingNextStep(open) => Some((**open).clone().into_progressed()),
            _ => self.progressed.clone(),
        };
        let progressed = progressed.filter(|one| save::check_indices(&one.plan));
        let mut cleanups = progressed.map_or_else(Vec::new, |one| {
            one.all_cleanups(&|plan, node| cleanup_of(world, plan, node))
        });
        cleanups.retain(|abort| save::task_exists(&abort.cleanup, world).is_ok());
        cleanups
    }
}

/// Returns the text of a call.
fn text(name: &Name, args: &[Term]) -> String {
    let term = |term: &Term| match term {
        Term::Variable(name) => format!("?{name}"),
        Term::Me => "?me".to_owned(),
        Term::Object(name) => name.to_string(),
        Term::Fact(name, args) => text(name, args),
    };
    let args: Vec<String> = args.iter().map(term).collect();
    match args.is_empty() {
        true => name.to_string(),
        false => format!("{name}({})", args.join(", ")),
    }
}

impl State {
    fn has_plan(&self) -> bool {
        matches!(self, Self::Executing(_) | Self::AwaitingNextStep(_))
    }

    /// Checks that everything in its plan exists.
    fn check(&self, world: &World) -> Result<(), String> {
        match self {
            Self::Executing(execution) => execution.check(world),
            Self::AwaitingNextStep(open) => open.check(world),
            _ => Ok(()),
        }
    }
}
