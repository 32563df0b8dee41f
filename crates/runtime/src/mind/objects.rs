//! The beliefs and the news of an actor whose world has gained or lost objects.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use taskloom_document::Name;
use taskloom_domain::world::Removal;
use taskloom_domain::{Actor, Scene};
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Atom, World};

use super::Mind;
use crate::body::Body;
use crate::character::{Loss, Lost};
use crate::run::Cause;
use crate::world::ObjectNews;

impl Mind {
    /// Learns that its world has this scene now, in which it has this role.
    pub fn meet(
        &mut self,
        (scene, role): (&Arc<Scene>, Arc<Actor>),
        (news, removal): (&ObjectNews, &mut Removal),
        tick: u32,
        body: &mut dyn Body,
    ) -> Loss {
        if !Arc::ptr_eq(scene, self.world.scene()) {
            self.actor = role;
            self.is_problem_outdated = true;
            let belief = self.belief.as_mut().map(|(belief, _)| belief);
            for world in belief.into_iter().chain([&mut self.world]) {
                world.enter(scene, &self.actor);
            }
        }
        let notices = !news.removed.is_empty() && self.forget_objects(news, removal);
        if !news.is_empty() {
            if let Some((_, senses)) = &mut self.belief {
                senses.look_again();
            }
            self.news.changed_while_searching |= self.deliberation.is_some();
            self.news.by_others = true;
            self.news.concerns_goals = true;
            self.character.notice();
            let document = self.world.document();
            self.failed.retain(|one| {
                let mut types = news.types.iter();
                !types.any(|of| one.access.reads.ranges_over(document, of))
            });
        }
        let lost = Lost {
            removed: &news.removed,
            world: &self.world,
        };
        let mut loss = self.character.lose(&lost, tick, body);
        loss.is_concerned |= notices;
        loss
    }

    /// Forgets objects that were removed. Returns `true` if it notices that its plan depends on them.
    fn forget_objects(&mut self, news: &ObjectNews, removal: &mut Removal) -> bool {
        let ObjectNews { removed, types } = news;
        let gone: FxHashSet<&Name> = removed.iter().collect();
        let is_about = |atom: &Atom| atom.args.iter().any(|arg| gone.contains(arg));
        // The world delivers all other changes: between turns, its own values of them are outdated.
        let mut changes = self.world.remove_values_about(removal, types);
        changes.retain(|change| self.world.is_memory(&change.atom.fact));
        if let Some((belief, senses)) = &mut self.belief {
            changes.extend(belief.remove_values_about(removal, types));
            senses.forget_atoms(&is_about);
        }
        let mut reads_one = false;
        for change in &changes {
            self.notice(change, &mut reads_one);
        }
        let news = &mut self.news;
        let notices = self.triggers.perception && news.reads.iter().any(is_about);
        if notices {
            self.character.reconsider(Cause::Perception);
        }
        news.reads.retain(|atom| !is_about(atom));
        news.while_searching.retain(|atom| !is_about(atom));
        news.noticed.take_if(|atom| is_about(atom));
        let names_removed = |arg: &Name| gone.contains(arg);
        self.failed
            .retain(|one| !one.task.args.iter().any(names_removed));
        notices
    }

    /// Returns its compiled planning problem, with the objects of its world.
    pub fn current_problem(&self, believed: &World) -> Cow<'_, Problem> {
        match self.is_problem_outdated {
            true => Cow::Owned(self.problem.in_scene(believed)),
            false => Cow::Borrowed(&self.problem),
        }
    }
}
