//! The events of a scenario (semantics, section 6).

use std::sync::Arc;

use taskloom_document::Event;
use taskloom_domain::Scene;
use taskloom_domain::lang::Env;
use taskloom_planner::plan::{Change, World};

use super::access::reads_time;
use super::run::EventOccurrence;

/// The schedule of a scenario's events, in its order.
pub struct EventSchedule {
    scene: Arc<Scene>,
    events: Vec<Pending>,
}

/// An event that may still occur.
struct Pending {
    /// `true` if the event has a condition.
    has_condition: bool,
    /// `true` if the condition reads the time, so that the event may occur without a change of the world.
    is_timed: bool,
    /// `true` if the event has occurred.
    has_occurred: bool,
}

impl EventSchedule {
    /// Creates the schedule, before any event has occurred.
    pub fn new(world: &World) -> Self {
        let scene = world.scene().clone();
        let events = scene.events(world.domain().texts()).iter();
        let events = events.map(|event| Pending {
            has_condition: event.when.is_some(),
            is_timed: (event.when.as_ref()).is_some_and(|when| reads_time(world, when)),
            has_occurred: false,
        });
        Self {
            events: events.collect(),
            scene,
        }
    }

    /// Returns every event of the scenario, with `true` if it has occurred.
    pub fn save(&self) -> Vec<(Event, bool)> {
        let events = self.scene.record.events.iter().cloned();
        let occurred = self.events.iter().map(|pending| pending.has_occurred);
        events.zip(occurred).collect()
    }

    /// Restores which events have occurred. Returns the new index of each saved event; `None` if the
    /// scenario doesn't have it any more. Events have no names: the same event is one with the same texts.
    pub fn load(&mut self, saved: &[(Event, bool)]) -> Vec<Option<usize>> {
        let mut is_taken = vec![false; self.events.len()];
        let index = |(event, has_occurred): &(Event, bool)| {
            let events = self.scene.record.events.iter();
            let mut same = events.enumerate().filter(|(_, one)| *one == event);
            let (index, _) = same.find(|(index, _)| !is_taken[*index])?;
            is_taken[index] = true;
            self.events[index].has_occurred = *has_occurred;
            Some(index)
        };
        saved.iter().map(index).collect()
    }

    /// Applies the events of a tick, in their order, each in the world that the previous one left.
    /// `filter` receives what each event writes, and keeps what changes anything.
    pub fn apply_due(
        &mut self,
        world: &mut World,
        tick: u32,
        record: &mut Vec<EventOccurrence>,
        filter: &mut dyn FnMut(&mut Vec<Change>),
    ) {
        let domain = world.domain().clone();
        let typed = self.scene.events(domain.texts());
        let events = self.scene.record.events.iter().zip(typed);
        for (number, (event, typed)) in events.enumerate() {
            let pending = &mut self.events[number];
            if !pending.is_due(event, tick) {
                continue;
            }
            let happens = match &typed.when {
                None => Ok(true),
                Some(when) => match world.holds(when, &Env::new()) {
                    // An unreadable condition never holds, and is reported at its location.
                    Err(_) if when.value.is_none() => Ok(false),
                    evaluated => evaluated,
                },
            };
            if happens == Ok(false) {
                continue;
            }
            pending.has_occurred = true;
            let writes = happens.and_then(|_| world.event_writes(&typed.effect));
            let (mut changes, refused) = match writes {
                Ok(writes) => (writes, None),
                Err(reason) => (vec![], Some(reason)),
            };
            filter(&mut changes);
            world.apply(&changes);
            record.push(EventOccurrence {
                tick,
                event: number,
                changes,
                refused,
            });
        }
    }

    /// Returns the next tick at which an event can occur if nothing else changes the world.
    /// `has_changed` is `true` if anything has changed at this tick.
    pub fn next_tick(&self, tick: u32, has_changed: bool) -> Option<u32> {
        let events = self.scene.record.events.iter().zip(&self.events);
        let next =
            events.filter_map(|(event, pending)| pending.next_tick(event, tick, has_changed));
        next.min()
    }

    /// Returns `true` if an event that hasn't occurred is due after a tick, or waits for the time.
    pub fn awaits(&self, tick: u32) -> bool {
        let events = self.scene.record.events.iter().zip(&self.events);
        events.into_iter().any(|(event, pending)| {
            let repeats = event.every.is_some_and(|every| every > 0);
            event.at > tick || pending.is_timed && !pending.has_occurred && !repeats
        })
    }
}

impl Pending {
    fn is_due(&self, event: &Event, tick: u32) -> bool {
        match (tick.checked_sub(event.at), event.every) {
            (None, _) => false,
            (Some(since), Some(every)) if every > 0 => since.is_multiple_of(every),
            (Some(since), _) if !self.has_condition => since == 0,
            (Some(_), _) => !self.has_occurred,
        }
    }

    fn next_tick(&self, event: &Event, tick: u32, has_changed: bool) -> Option<u32> {
        match (tick.checked_sub(event.at), event.every) {
            (None, _) => Some(event.at),
            (Some(since), Some(every)) if every > 0 => tick.checked_add(every - since % every),
            // Its condition may become true only after a change of the world.
            (Some(_), _)
                if self.has_condition && !self.has_occurred && (has_changed || self.is_timed) =>
            {
                tick.checked_add(1)
            }
            (Some(_), _) => None,
        }
    }
}
