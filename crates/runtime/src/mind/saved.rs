//! The saved state of what an actor knows and decides by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use taskloom_document::hash_of;
use taskloom_document::sort::CompactSort;
use taskloom_domain::world::Claimed;
use taskloom_planner::plan::{GroundTask, World};

use super::planning::Failed;
use super::{Mind, News, PlanCounts};
use crate::character::{Character, SavedCharacter};
use crate::goal_selection::SavedGoals;
use crate::parallel::task_access;
use crate::plan_execution::Abandoned;
use crate::save::{self, Dropped, Existing, SavedFacts};
use crate::senses::Senses;

/// The saved state of a [`Mind`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedMind {
    memory: SavedFacts,
    /// `None` if it sees everything.
    beliefs: Option<SavedFacts>,
    /// The ticks at which facts that may be forgotten were last seen.
    seen: BTreeMap<String, u32>,
    tasks: SavedCharacter,
    goals: SavedGoals,
    failed: Vec<SavedFailed>,
    #[serde(rename = "log")]
    counts: PlanCounts,
    news: SavedNews,
    /// The objects that others claimed at its last turn.
    #[serde(default)]
    claimed: Claimed,
}

/// A task that is excluded because it has failed.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedFailed {
    task: GroundTask,
    until: Option<u32>,
    #[serde(default)]
    is_given_up: bool,
}

/// The changes of its beliefs that may make it plan. Ground facts are texts, in order.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedNews {
    by_others: bool,
    by_itself: bool,
    reads: Vec<String>,
    noticed: Option<String>,
    while_searching: Vec<String>,
    #[serde(default, rename = "released_while_searching")]
    changed_while_searching: bool,
    #[serde(default)]
    concerns_goals: bool,
    /// The hash of its goals. If they have changed since, it compares them again.
    #[serde(default)]
    goals: String,
}

impl Mind {
    /// Returns its state, without its search for a plan.
    /// Values about objects that were removed since its last turn are left out.
    pub fn save(&self) -> SavedMind {
        let belief = self.belief.as_ref();
        let mut reads: Vec<String> = self.news.reads.iter().map(ToString::to_string).collect();
        reads.compact_sort();
        let searching = self.news.while_searching.iter();
        let failed = self.failed.iter().map(|one| SavedFailed {
            task: one.task.clone(),
            until: one.until,
            is_given_up: one.is_given_up,
        });
        SavedMind {
            memory: save::write(&self.world, |fact| self.world.is_memory(fact)),
            beliefs: belief.map(|(belief, _)| save::write(belief, |_| true)),
            seen: belief.map_or_else(BTreeMap::new, |(_, senses)| senses.save()),
            tasks: self.character.save(),
            goals: self.goal_selection.save(),
            failed: failed.collect(),
            counts: self.counts,
            news: SavedNews {
                by_others: self.news.by_others,
                by_itself: self.news.by_itself,
                reads,
                noticed: self.news.noticed.as_ref().map(ToString::to_string),
                while_searching: searching.map(ToString::to_string).collect(),
                changed_while_searching: self.news.changed_while_searching,
                concerns_goals: self.news.concerns_goals,
                goals: self.hash_of_goals(),
            },
            claimed: (**self.world.claimed()).clone(),
        }
    }

    /// Restores a saved state in a mind that was created in the initial world of the scenario. `now` is the
    /// current world, and `existing` what existed in the saved one. Returns the steps in progress of a plan that no longer exists.
    pub fn load(
        &mut self,
        saved: SavedMind,
        (now, existing): (&World, Option<&Existing>),
        dropped: &mut Vec<Dropped>,
    ) -> Vec<Abandoned> {
        let mut memory = saved.memory;
        memory.retain(|text, _| {
            // What isn't memory any more is in the world, or in no place at all.
            let atom = self.world.atom(text);
            atom.map_or(true, |atom| self.world.is_memory(&atom.fact))
        });
        let had_memory = existing.map(Existing::in_memory);
        if let Some(existing) = &had_memory {
            existing.reset(&mut self.world, &memory);
        }
        save::read(&memory, &mut self.world, dropped);
        if let Some((belief, senses)) = &mut self.belief {
            match &saved.beliefs {
                // What its memory lacks was reported already.
                Some(beliefs) => {
                    if let Some(existing) = existing {
                        existing.reset(belief, beliefs);
                    }
                    save::read(beliefs, belief, &mut vec![]);
                    senses.load(&saved.seen, belief);
                }
                // It saw everything until now.
                None => {
                    let actor = self.actor.clone();
                    *belief = now.clone().with_own_memory().believed_by(actor);
                    if let Some(existing) = &had_memory {
                        existing.reset(belief, &memory);
                    }
                    save::read(&memory, belief, &mut vec![]);
                    *senses = Senses::new(belief);
                }
            }
        }
        let mut world = self.world.clone();
        world.swap_values(&mut now.clone());
        let (character, abandoned) = Character::load(saved.tasks, &world, dropped);
        self.character = character;
        self.tasks_changed();
        self.goal_selection.load(saved.goals, self.actor.goals());
        let failed = saved.failed.into_iter();
        let failed = failed.filter(|one| save::task_exists(&one.task, &world).is_ok());
        self.failed = failed
            .map(|one| Failed {
                access: task_access(&world, &one.task),
                task: one.task,
                until: one.until,
                is_given_up: one.is_given_up,
            })
            .collect();
        self.counts = saved.counts;
        self.set_claimed(saved.claimed);
        let news = saved.news;
        self.news = News {
            by_others: news.by_others,
            by_itself: news.by_itself,
            reads: save::parse(&world, &news.reads).into_iter().collect(),
            noticed: save::parse(&world, &news.noticed).pop(),
            while_searching: save::parse(&world, &news.while_searching),
            changed_while_searching: news.changed_while_searching,
            concerns_goals: news.concerns_goals || news.goals != self.hash_of_goals(),
            ..News::default()
        };
        // The search begins again.
        self.notice_after_search();
        abandoned
    }

    /// Returns the hash of the goals that it pursues.
    fn hash_of_goals(&self) -> String {
        let names = self.actor.goals().iter().filter(|_| self.has_goals);
        let document = self.world.document();
        let goals = names.filter_map(|name| Some((name, document.goals.get(name)?)));
        hash_of(&serde_json::to_string(&goals.collect::<Vec<_>>()).unwrap_or_default())
    }
}
