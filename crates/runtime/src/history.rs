//! The world in the course of a run, from the record of what changed it.

use serde::{Deserialize, Serialize};

use super::run::Run;
use taskloom_document::{Document, Scenario};
use taskloom_planner::plan::{Change, World};

/// One line of a run's record.
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
    /// Before anything happened.
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
    /// When one of [`Run::executed`] was complete or failed; if it is in progress, the
    /// end of the run.
    StepEnd(usize),
    /// The end of a tick.
    Tick(u32),
}

/// What changes a world: within a tick events come before effects, and those of each character's
/// turn before the next one's.
pub(super) type Place = (u32, Source, usize, Part, usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Event,
    Step,
}

/// In its turn a character looks before it plans and acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Look,
    Act,
}

impl Run {
    /// Events, perceptions, plannings and steps in the order in which they began.
    pub fn entries(&self) -> Vec<Entry> {
        let events = (0..self.events.len()).map(Entry::Event);
        let perceptions = (0..self.perceptions.len()).map(Entry::Perception);
        let plans = (0..self.plans.len()).map(Entry::Planning);
        let steps = (0..self.executed.len()).map(Entry::Step);
        let all = events.chain(perceptions).chain(plans).chain(steps);
        let mut entries: Vec<Entry> = all.collect();
        // Within a tick events come first. Then each character in turn perceives, plans, and goes
        // on: a plan that fails is followed by the next one at a later tick.
        // Of steps that start at the same tick the one comes first that does in the plan.
        let place = |entry: &Entry| match entry {
            Entry::Step(at) => self.executed.get(*at).map(|step| (step.plan, step.step)),
            Entry::Event(_) | Entry::Perception(_) | Entry::Planning(_) => None,
        };
        entries.sort_by_key(|entry| {
            let when = (self.tick_of(*entry), self.character_of(*entry));
            (when, place(entry))
        });
        entries
    }

    /// The line of each of [`Run::executed`] where every character has one, and more where its steps
    /// are in progress side by side: from 0, of the lines that are free at its start the first.
    pub fn lines(&self) -> Vec<usize> {
        let mut steps: Vec<usize> = (0..self.executed.len()).collect();
        // What takes no time leaves its line to what starts at the same tick.
        let time = |at: &usize| {
            let step = &self.executed[*at];
            (step.start, step.end.unwrap_or(u32::MAX))
        };
        steps.sort_by_key(time);
        let mut lines = vec![0; steps.len()];
        // Until when each line is taken, by character.
        let mut taken: Vec<Vec<u32>> = vec![];
        for at in steps {
            let character = self.character_of(Entry::Step(at)).unwrap_or(0);
            if taken.len() <= character {
                taken.resize(character + 1, vec![]);
            }
            let (start, end) = (self.executed[at].start, self.executed[at].end);
            let own = &mut taken[character];
            let free = own.iter().position(|until| *until <= start);
            let line = free.unwrap_or(own.len());
            if line == own.len() {
                own.push(0);
            }
            own[line] = end.unwrap_or(u32::MAX);
            lines[at] = line;
        }
        lines
    }

    /// Whose an entry is, by the place in the cast; none of an event.
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

    /// The tick at which an entry began; none where the run does not have it.
    pub fn tick_of(&self, entry: Entry) -> Option<u32> {
        match entry {
            Entry::Event(at) => Some(self.events.get(at)?.tick),
            Entry::Perception(at) => Some(self.perceptions.get(at)?.tick),
            Entry::Planning(at) => Some(self.plans.get(at)?.tick),
            Entry::Step(at) => Some(self.executed.get(at)?.start),
        }
    }

    /// What had changed until a moment, in order. Of a moment that the run does not
    /// have: all that changed.
    pub fn changes_until(&self, moment: Moment) -> impl Iterator<Item = &Change> {
        let until = self.place(moment);
        self.made()
            .into_iter()
            .take_while(move |(place, _)| until.is_none_or(|until| *place < until))
            .flat_map(|(_, changes)| changes)
    }

    /// What changes the world, in order.
    pub(super) fn made(&self) -> Vec<(Place, &Vec<Change>)> {
        let events = self.events.iter().enumerate();
        let events = events.map(|(at, event)| {
            let place = (event.tick, Source::Event, 0, Part::Look, at);
            (place, &event.changes)
        });
        let steps = self.executed.iter().enumerate().filter_map(|(at, step)| {
            let acted = step.acted?;
            let turn = self.character_of(Entry::Step(at)).unwrap_or(0);
            Some(((acted, Source::Step, turn, Part::Act, at), &step.changes))
        });
        let mut made: Vec<(Place, &Vec<Change>)> = events.chain(steps).collect();
        made.sort_unstable_by_key(|(place, _)| *place);
        made
    }

    /// The tick of a moment; of one that the run does not have, its last.
    pub fn tick_at(&self, moment: Moment) -> u32 {
        match moment {
            Moment::Tick(tick) => tick,
            _ => self.place(moment).map_or(self.ticks, |(tick, ..)| tick),
        }
    }

    /// The place of the first thing that had not happened yet; none: all had.
    pub(super) fn place(&self, moment: Moment) -> Option<Place> {
        let event = |at: usize, next: usize| {
            let tick = self.events.get(at)?.tick;
            Some((tick, Source::Event, 0, Part::Look, next))
        };
        let acts = |tick: u32, entry: Entry, at: usize| {
            let turn = self.character_of(entry).unwrap_or(0);
            Some((tick, Source::Step, turn, Part::Act, at))
        };
        match moment {
            Moment::Start => Some((0, Source::Event, 0, Part::Look, 0)),
            Moment::BeforeEvent(at) => event(at, at),
            Moment::AfterEvent(at) => event(at, at + 1),
            Moment::Perception(at) => {
                let tick = self.perceptions.get(at)?.tick;
                acts(tick, Entry::Perception(at), 0)
            }
            Moment::Planning(at) => acts(self.plans.get(at)?.tick, Entry::Planning(at), 0),
            Moment::StepStart(at) => acts(self.executed.get(at)?.start, Entry::Step(at), at),
            Moment::StepEnd(at) => acts(self.executed.get(at)?.end?, Entry::Step(at), at + 1),
            Moment::Tick(tick) => Some((tick.checked_add(1)?, Source::Event, 0, Part::Look, 0)),
        }
    }
}

/// The world of a scenario at a moment of its run.
pub fn world_at<'a>(
    document: &'a Document,
    scenario: &'a Scenario,
    run: &Run,
    moment: Moment,
) -> World<'a> {
    let mut world = World::initial(document, scenario);
    for change in run.changes_until(moment) {
        world.apply(std::slice::from_ref(change));
    }
    if world.domain().clock().runs {
        world.set_time(f64::from(run.tick_at(moment)));
    }
    world
}
