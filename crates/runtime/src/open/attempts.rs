//! The searches for another plan, and the order in which they are tried.

use std::sync::Arc;

use taskloom_planner::plan::{GroundTask, RootOrder};

use super::tree::Roots;
use super::{Open, Progressed};
use crate::aborts::{Abort, CleanupOf};
use crate::task_options::GuardOf;

/// The input of one search.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The tree that the plan becomes part of; `None` if the plan stands alone.
    pub open: Option<Open>,
    /// If none of the character's tasks is under way, what remains of the first one: its node in the current
    /// plan, or the same task below it.
    pub remains: Option<usize>,
    /// The tasks, in the designer's order.
    pub tasks: Option<Vec<GroundTask>>,
    /// Their order, if it isn't a sequence: some are in the background.
    pub order: Option<Arc<RootOrder>>,
    /// If a task under way is decomposed again: its first step that was done.
    pub again_after: Option<GroundTask>,
    /// `true` if tasks that have failed are excluded.
    pub excludes: bool,
    /// The required difference from the current plan.
    pub differs: Differs,
    /// The aborted tasks that the plan cleans up after, or whose cleanups it drops.
    pub aborts: Vec<Abort>,
    /// The nodes of tasks that the plan must keep, by continuing their steps in progress.
    pub keeps: Vec<usize>,
    /// The search to run if the plan is better, but doesn't keep these tasks.
    pub otherwise: Option<Box<Attempt>>,
}

/// The difference from the current plan that makes a plan better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Differs {
    /// Any plan will do.
    Anyhow,
    /// It decomposes this task under way by an earlier alternative.
    At(usize),
    /// It does the open tasks in a way that comes earlier in the designer's order.
    Below,
    /// It comes before the rest of a plan that was found to be better.
    Already,
}

/// The treatment of the tasks that a plan aborts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cleaning {
    /// It begins with their cleanups.
    Before,
    /// It aborts none.
    Needless,
    /// It drops their cleanups, and those that were pending.
    Dropped,
}

/// The input of replanning, in addition to the progress of the current plan.
#[derive(Clone, Copy)]
pub struct Replanning<'r> {
    /// The character's tasks that are not complete, with their current arguments.
    pub calls: Option<&'r [GroundTask]>,
    /// `true` if the character is reactive.
    pub is_reactive: bool,
    /// Returns the guard of a node of a plan.
    pub guard: GuardOf<'r>,
    /// Returns the cleanup of a node of a plan.
    pub cleanup: CleanupOf<'r>,
}

impl Attempt {
    /// Creates a search for a plan that stands alone.
    pub fn alone(tasks: Option<Vec<GroundTask>>) -> Self {
        Self {
            open: None,
            remains: None,
            tasks,
            order: None,
            again_after: None,
            excludes: true,
            differs: Differs::Anyhow,
            aborts: vec![],
            keeps: vec![],
            otherwise: None,
        }
    }

    /// Returns the number of the first tasks that clean up.
    pub fn cleanups(&self) -> usize {
        self.open.as_ref().map_or(0, Open::cleanup_leaves)
    }

    /// Returns the same search for a plan that becomes part of a tree.
    fn within(self, open: Option<Open>) -> Self {
        Self { open, ..self }
    }

    /// Returns `true` if both search for the same plans.
    fn is_like(&self, other: &Self) -> bool {
        self.tasks == other.tasks && self.keeps == other.keeps
    }
}

/// Adds those attempts that none of the others is like.
fn add(attempts: &mut Vec<Attempt>, more: impl IntoIterator<Item = Attempt>) {
    for attempt in more {
        if attempts.iter().all(|other| !other.is_like(&attempt)) {
            attempts.push(attempt);
        }
    }
}

impl Progressed {
    /// Returns the tasks under way, from the lowest one that contains the next task up to the root.
    fn under_way(&self) -> Vec<usize> {
        let (complete, begun) = (self.complete_nodes(), self.begun());
        let plan = &self.plan;
        let own = plan.roots.iter().skip(self.cleanups.len());
        let mut open: Vec<usize> = own.rev().copied().collect();
        let mut path = vec![];
        while let Some(number) = open.pop() {
            if complete[number] {
                continue;
            }
            let decomposed = plan.nodes[number].decomposed();
            let Some(decomposed) = decomposed.filter(|_| begun[number].is_some()) else {
                break;
            };
            path.push(number);
            open.extend(decomposed.children.iter().rev());
        }
        path.reverse();
        path
    }

    /// Returns the tasks under way of which one is decomposed again, in the order in which that is tried;
    /// `None` stands for the open tasks.
    fn levels(&self) -> Vec<Option<usize>> {
        let under_way = self.under_way();
        let parent = |number: usize| self.plan.nodes.get(number)?.parent;
        let above_broken = self.broken.map(|broken| parent(broken).unwrap_or(broken));
        let above = std::iter::successors(above_broken, |number| parent(*number));
        let place = |number| under_way.iter().position(|other| *other == number);
        let first = above.filter_map(place).next();
        let open_tasks = [None].into_iter().filter(|_| first.is_none());
        let again = under_way[first.unwrap_or(0)..].iter().copied().map(Some);
        open_tasks.chain(again).collect()
    }

    /// Returns the searches for the open tasks, in the order in which they are tried: the open tasks, and
    /// then each task under way, decomposed again, from the lowest up; and finally the same without
    /// cleanups. If steps are in progress (`is_executing`), plans that keep their tasks are tried first.
    pub fn attempts(&self, replanning: Replanning, is_executing: bool) -> Vec<Attempt> {
        self.attempts_after((vec![], vec![]), self.levels(), replanning, is_executing)
    }

    /// Adds the searches of these levels to others, of which the second ones drop cleanups.
    fn attempts_after(
        &self,
        (mut attempts, mut dropping): (Vec<Attempt>, Vec<Attempt>),
        levels: Vec<Option<usize>>,
        replanning: Replanning,
        is_executing: bool,
    ) -> Vec<Attempt> {
        for level in levels {
            let (kept, attempt) = self.attempt(level, replanning);
            let kept = kept.filter(|_| is_executing && !self.has_begun(&attempt.keeps));
            let dropped = (!attempt.aborts.is_empty())
                .then(|| self.search(level, Cleaning::Dropped, replanning));
            let cleaning = Attempt {
                keeps: vec![],
                ..attempt
            };
            add(&mut attempts, kept.into_iter().chain([cleaning]));
            add(&mut dropping, dropped);
        }
        attempts.extend(dropping);
        attempts
    }

    /// Returns the searches for a better plan in which the task `again`, if given, is decomposed again.
    pub fn improvements(
        &self,
        again: Option<usize>,
        differs: Differs,
        replanning: Replanning,
    ) -> Vec<Attempt> {
        let (kept, attempt) = self.attempt(again, replanning);
        let keeps = attempt.keeps;
        let cleaning = Attempt {
            keeps: vec![],
            differs,
            ..attempt
        };
        let Some(kept) = kept else {
            return vec![cleaning];
        };
        let kept = Attempt { differs, ..kept };
        if replanning.is_reactive {
            // Its plan is only the next step, so the cleanup alone can't be compared.
            let cleaning = Attempt {
                differs: Differs::Already,
                ..cleaning
            };
            return vec![Attempt {
                otherwise: Some(Box::new(cleaning)),
                ..kept
            }];
        }
        match self.has_begun(&keeps) {
            true => vec![cleaning],
            false => vec![kept, cleaning],
        }
    }

    /// Returns `true` if a step of any of these nodes is complete.
    fn has_begun(&self, nodes: &[usize]) -> bool {
        let begun = self.begun();
        nodes.iter().any(|node| begun[*node].is_some())
    }

    /// Returns the search in which the task `again`, if given, is decomposed again; and before it, if it
    /// aborts tasks, the one in which those are kept. Both have these tasks.
    fn attempt(&self, again: Option<usize>, replanning: Replanning) -> (Option<Attempt>, Attempt) {
        let cleaning = self.search(again, Cleaning::Before, replanning);
        let kept = (!cleaning.keeps.is_empty())
            .then(|| self.search(again, Cleaning::Needless, replanning));
        (kept, cleaning)
    }

    fn search(&self, again: Option<usize>, cleaning: Cleaning, replanning: Replanning) -> Attempt {
        let Replanning {
            calls,
            is_reactive,
            guard,
            cleanup,
        } = replanning;
        let roots = match is_reactive {
            true => Roots::All,
            false => Roots::First,
        };
        let own = self.tree((roots, is_reactive), again, None, guard);
        let remains = own.as_ref().and_then(|own| *own.sources.first()?);
        // A character's task of which nothing is under way is planned with its current arguments.
        let own = own.filter(|own| own.begun.first().is_some_and(Option::is_some));
        let kept = own.as_ref().map_or(&[][..], |own| &own.kept);
        let (keeps, mut new): (Vec<usize>, Vec<Abort>) =
            self.aborted(kept, cleanup).into_iter().unzip();
        let pending = self.pending_cleanups().into_iter();
        let pending: Vec<Abort> = pending.map(|(_, abort)| abort).collect();
        new.retain(|abort| pending.iter().all(|other| other.cleanup != abort.cleanup));
        let is_under_way = own.is_some();
        let roots = if is_under_way { roots } else { Roots::None };
        if cleaning == Cleaning::Needless {
            new.clear();
        }
        let mut aborts: Vec<Abort> = pending.into_iter().chain(new.iter().cloned()).collect();
        let open = match cleaning {
            Cleaning::Before | Cleaning::Needless if !aborts.is_empty() => {
                self.tree((roots, is_reactive), again, Some(&new), guard)
            }
            _ => own,
        };
        if cleaning == Cleaning::Dropped {
            aborts.iter_mut().for_each(|abort| abort.is_dropped = true);
        }
        let tasks = match &open {
            None => calls.map(<[GroundTask]>::to_vec),
            Some(open) if is_reactive && is_under_way => open.next().map(|next| vec![next.clone()]),
            Some(open) => calls.map(|calls| {
                let own = open.leaves.iter().map(|leaf| &open.tree.nodes[*leaf].task);
                let later = calls.iter().skip(usize::from(is_under_way));
                own.chain(later).cloned().collect()
            }),
        };
        let count = tasks.as_ref().map_or(0, Vec::len);
        let order = open.as_ref().filter(|_| !is_reactive);
        Attempt {
            order: order.and_then(|open| open.order(count)),
            again_after: again.and_then(|node| self.first_done(node)),
            open,
            remains: remains.filter(|_| !is_under_way),
            aborts,
            keeps: match cleaning {
                Cleaning::Before | Cleaning::Needless => keeps,
                Cleaning::Dropped => vec![],
            },
            ..Attempt::alone(tasks)
        }
    }

    /// Returns only what remains of its cleanups, with those of all tasks that have started; `None` if there
    /// is nothing to clean up.
    pub fn cleanups_only(&self, guard: GuardOf, cleanup: CleanupOf) -> Option<Self> {
        let new = self.aborted(&[], cleanup).into_iter();
        let new: Vec<Abort> = new.map(|(_, abort)| abort).collect();
        let open = self.tree((Roots::None, false), None, Some(&new), guard)?;
        Some(open.into_progressed())
    }

    /// Returns the cleanups that are not complete, and those of all tasks that have started, as a whole.
    pub fn all_cleanups(&self, cleanup: CleanupOf) -> Vec<Abort> {
        let pending = self.pending_cleanups().into_iter();
        let new = self.aborted(&[], cleanup).into_iter();
        pending.chain(new).map(|(_, abort)| abort).collect()
    }
}

impl Open {
    /// Creates the open tasks of a character that has only to clean up.
    pub fn of_cleanups(aborts: &[Abort]) -> Self {
        let mut open = Self::default();
        aborts.iter().for_each(|abort| open.add_cleanup(abort));
        open
    }

    /// Returns the searches for the next step: for the next open task, and then for each task under way, decomposed
    /// again, from the lowest up; and finally the same searches without cleanups.
    pub fn attempts(&self, replanning: Replanning) -> Vec<Attempt> {
        let next = |open: &Self| open.next().map(|next| vec![next.clone()]);
        let progressed = self.clone().into_progressed();
        let pending = progressed.pending_cleanups().into_iter();
        let aborts: Vec<Abort> = pending.map(|(_, abort)| abort).collect();
        let dropped = (!aborts.is_empty()).then(|| {
            let dropped = aborts.iter().cloned().map(|abort| Abort {
                is_dropped: true,
                ..abort
            });
            let open = progressed.tree((Roots::All, true), None, None, replanning.guard);
            Attempt {
                aborts: dropped.collect(),
                ..Attempt::alone(open.as_ref().map_or(Some(vec![]), next))
            }
            .within(open)
        });
        let continuing = Attempt {
            aborts,
            ..Attempt::alone(next(self))
        };
        let continuing = continuing.within(Some(self.clone()));
        let first = (vec![continuing], dropped.into_iter().collect());
        let again = progressed.levels().into_iter().filter(Option::is_some);
        progressed.attempts_after(first, again.collect(), replanning, false)
    }
}
