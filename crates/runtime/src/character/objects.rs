//! A character's tasks and plan when objects were removed.

use taskloom_document::Name;
use taskloom_domain::lang::typed::{Call, Term};
use taskloom_planner::plan::{GroundTask, Plan, World};

use super::{Character, State};
use crate::aborts::{CleanupOf, cleanup_of};
use crate::body::Body;
use crate::run::{Cause, Reason, StepExecution};
use crate::task_options::{Guard, GuardOf};

/// The objects that a character has lost.
pub struct Lost<'l> {
    /// The objects that were removed. There may be others of the same names now.
    pub removed: &'l [Name],
    /// The world with the current objects.
    pub world: &'l World,
}

impl Lost<'_> {
    /// Returns `true` if an object was removed, or doesn't exist.
    pub fn has(&self, object: &Name) -> bool {
        self.removed.contains(object) || self.world.scene().type_of(object).is_none()
    }

    /// Returns the first such object that a task names.
    pub fn named_by<'t>(&self, task: &'t GroundTask) -> Option<&'t Name> {
        task.args.iter().find(|object| self.has(object))
    }

    /// Returns the first such object that a term names.
    fn named_by_term<'t>(&self, term: &'t Term) -> Option<&'t Name> {
        match term {
            Term::Object(object) => Some(object).filter(|object| self.has(object)),
            Term::Fact(_, args) => args.iter().find_map(|arg| self.named_by_term(arg)),
            Term::Variable(_) | Term::Me => None,
        }
    }

    fn named_by_call<'t>(&self, call: &'t Call) -> Option<&'t Name> {
        call.args.iter().find_map(|arg| self.named_by_term(arg))
    }
}

/// The effect of lost objects on a character.
#[derive(Debug, Default)]
pub struct Loss {
    /// The steps that were stopped.
    pub stopped: Vec<StepExecution>,
    /// `true` if its tasks or its plan name a lost object.
    pub is_concerned: bool,
}

impl Character {
    /// Drops the tasks that it was given and that name a lost object, and its plan with them. Otherwise a step
    /// in progress that names one fails when it continues, and if only later steps name one, it looks for
    /// another plan.
    pub fn lose(&mut self, lost: &Lost, tick: u32, body: &mut dyn Body) -> Loss {
        self.attempts.retain_existing(lost.world);
        let complete = match &self.state {
            State::Executing(execution) => execution.complete_tasks(),
            _ => 0,
        };
        let open = self.tasks.iter().flatten().skip(complete);
        if let Some(object) = open.clone().find_map(|call| lost.named_by_call(call)) {
            let reason = Reason::Removed(object.clone());
            let tasks = open.filter(|call| lost.named_by_call(call).is_none());
            let tasks = tasks.cloned().collect();
            let world = lost.world;
            let guard = |plan: &Plan, node| Guard::of(world.domain(), plan, node);
            let cleanup = |plan: &Plan, node| {
                let cleanup = cleanup_of(world, plan, node)?;
                lost.named_by(&cleanup).is_none().then_some(cleanup)
            };
            let options = (&guard as GuardOf, &cleanup as CleanupOf);
            let stopped = self.reassign(Some((tasks, options)), &reason, (world, tick), body);
            self.state = State::Planning(Cause::Event);
            return Loss {
                stopped,
                is_concerned: true,
            };
        }
        let (fails, names_later) = match &mut self.state {
            State::Executing(execution) => execution.lose(lost),
            _ => (false, false),
        };
        if names_later && !fails {
            self.reconsider(Cause::Perception);
        }
        Loss {
            stopped: vec![],
            is_concerned: fails || names_later,
        }
    }
}
