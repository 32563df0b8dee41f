//! The world at any moment of a run, reconstructed from the record of its changes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::run::Run;
use taskloom_document::sort::CompactSort;
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{Change, World};

/// One entry of a run's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// One of [`Run::events`].
    Event(usize),
    /// One of [`Run::perceptions`].
    Perception(usize),
    /// One of [`Run::plans`].
    Planning(usize),
    /// One of [`Run::executed`].
    Step(usize),
}

/// A moment of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before anything has happened.
    Start,
    /// Before one of [`Run::events`].
    BeforeEvent(usize),
    /// After one of [`Run::events`].
    AfterEvent(usize),
    /// After one of [`Run::perceptions`].
    Perception(usize),
    /// When one of [`Run::plans`] was made.
    Planning(usize),
    /// When one of [`Run::executed`] started.
    StepStart(usize),
    /// When one of [`Run::executed`] was complete or failed, or the end of the run if it is in
    /// progress.
    StepEnd(usize),
    /// The end of a tick.
    Tick(u32),
}

/// The chronological sort key of a change: within a tick, events come before effects, and those of
/// each character's turn before the next character's.
pub(super) type TimeKey = (u32, Source, usize, Part, usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Event,
    Step,
}

/// The part of a character's turn: it observes before it plans and acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Observe,
    Act,
}

impl Run {
    /// Returns events, perceptions, plannings and steps in the order in which they began.
    pub fn entries(&self) -> Vec<Entry> {
        let events = (0..self.events.len()).map(Entry::Event);
        let perceptions = (0..self.perceptions.len()).map(Entry::Perception);
        let plans = (0..self.plans.len()).map(Entry::Planning);
        let steps = (0..self.executed.len()).map(Entry::Step);
        let all = events.chain(perceptions).chain(plans).chain(steps);
        let mut entries: Vec<Entry> = all.collect();
        // Within a tick events come first. Then each character in turn observes, plans, and acts: the
        // plan after a failed one comes at a later tick. Steps that start at the same tick are in the
        // plan's order.
        let place = |entry: &Entry| match entry {
            Entry::Step(at) => self.executed.get(*at).map(|step| (step.plan, step.step)),
            Entry::Event(_) | Entry::Perception(_) | Entry::Planning(_) => None,
        };
        entries.compact_sort_by_key(|entry| {
            let when = (self.tick_of(*entry), self.character_of(*entry));
            (when, place(entry))
        });
        entries
    }

    /// Returns the lane of each of [`Run::executed`]. Every character has one lane, and more if its steps
    /// run in parallel. Lanes count from 0; a step gets the first lane that is free at its start.
    pub fn lanes(&self) -> Vec<usize> {
        let mut steps: Vec<usize> = (0..self.executed.len()).collect();
        // A step without duration leaves its lane to the next one that starts at the same tick.
        let time = |at: &usize| {
            let step = &self.executed[*at];
            (step.start, step.end.unwrap_or(u32::MAX))
        };
        steps.compact_sort_by_key(time);
        let mut lanes = vec![0; steps.len()];
        // The tick until which each lane is taken, by character.
        let mut taken: Vec<Vec<u32>> = vec![];
        for at in steps {
            let character = self.character_of(Entry::Step(at)).unwrap_or(0);
            if taken.len() <= character {
                taken.resize(character + 1, vec![]);
            }
            let (start, end) = (self.executed[at].start, self.executed[at].end);
            let own = &mut taken[character];
            let free = own.iter().position(|until| *until <= start);
            let lane = free.unwrap_or(own.len());
            if lane == own.len() {
                own.push(0);
            }
            own[lane] = end.unwrap_or(u32::MAX);
            lanes[at] = lane;
        }
        lanes
    }

    /// Returns the character of an entry, by its index in the cast; `None` for an event.
    pub fn character_of(&self, entry: Entry) -> Option<usize> {
        match entry {
            Entry::Event(_) => None,
            Entry::Perception(at) => Some(self.perceptions.get(at)?.character),
            Entry::Planning(at) => Some(self.plans.get(at)?.character),
            Entry::Step(at) => {
                let plan = self.executed.get(at)?.plan;
                Some(self.plans.get(plan)?.character)
            }
        }
    }

    /// Returns the tick at which an entry began; `None` if the run does not have it.
    pub fn tick_of(&self, entry: Entry) -> Option<u32> {
        match entry {
            Entry::Event(at) => Some(self.events.get(at)?.tick),
            Entry::Perception(at) => Some(self.perceptions.get(at)?.tick),
            Entry::Planning(at) => Some(self.plans.get(at)?.tick),
            Entry::Step(at) => Some(self.executed.get(at)?.start),
        }
    }

    /// Returns the changes of the world until a moment, in order; all changes if the run does not
    /// have this moment.
    pub fn changes_until(&self, moment: Moment) -> impl Iterator<Item = &Change> {
        let until = self.time_key(moment);
        self.world_changes()
            .into_iter()
            .take_while(move |(place, _)| until.is_none_or(|until| *place < until))
            .flat_map(|(_, changes)| changes)
    }

    /// Returns all changes of the world, in order.
    pub(super) fn world_changes(&self) -> Vec<(TimeKey, &Vec<Change>)> {
        let events = self.events.iter().enumerate();
        let events = events.map(|(at, event)| {
            let place = (event.tick, Source::Event, 0, Part::Observe, at);
            (place, &event.changes)
        });
        let steps = self.executed.iter().enumerate().filter_map(|(at, step)| {
            let acted = step.acted?;
            let turn = self.character_of(Entry::Step(at)).unwrap_or(0);
            Some(((acted, Source::Step, turn, Part::Act, at), &step.changes))
        });
        let mut changes: Vec<(TimeKey, &Vec<Change>)> = events.chain(steps).collect();
        changes.compact_sort_by_key(|(place, _)| *place);
        changes
    }

    /// Returns the tick of a moment; the run's last tick if the run does not have this moment.
    pub fn tick_at(&self, moment: Moment) -> u32 {
        match moment {
            Moment::Tick(tick) => tick,
            _ => self.time_key(moment).map_or(self.ticks, |(tick, ..)| tick),
        }
    }

    /// Returns the sort key of the first change after a moment; `None` if there is none.
    pub(super) fn time_key(&self, moment: Moment) -> Option<TimeKey> {
        let event = |at: usize, next: usize| {
            let tick = self.events.get(at)?.tick;
            Some((tick, Source::Event, 0, Part::Observe, next))
        };
        let acts = |tick: u32, entry: Entry, at: usize| {
            let turn = self.character_of(entry).unwrap_or(0);
            Some((tick, Source::Step, turn, Part::Act, at))
        };
        match moment {
            Moment::Start => Some((0, Source::Event, 0, Part::Observe, 0)),
            Moment::BeforeEvent(at) => event(at, at),
            Moment::AfterEvent(at) => event(at, at + 1),
            Moment::Perception(at) => {
                let tick = self.perceptions.get(at)?.tick;
                acts(tick, Entry::Perception(at), 0)
            }
            Moment::Planning(at) => acts(self.plans.get(at)?.tick, Entry::Planning(at), 0),
            Moment::StepStart(at) => acts(self.executed.get(at)?.start, Entry::Step(at), at),
            Moment::StepEnd(at) => acts(self.executed.get(at)?.end?, Entry::Step(at), at + 1),
            Moment::Tick(tick) => Some((tick.checked_add(1)?, Source::Event, 0, Part::Observe, 0)),
        }
    }
}

/// Returns the world of a scenario at a moment of its run.
pub fn world_at(domain: &Domain, scene: &Arc<Scene>, run: &Run, moment: Moment) -> World {
    let mut world = World::initial(domain, scene);
    for change in run.changes_until(moment) {
        world.apply(std::slice::from_ref(change));
    }
    if world.domain().clock().runs {
        world.set_time(f64::from(run.tick_at(moment)));
    }
    world
}
