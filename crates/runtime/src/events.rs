//! The events of a scenario (semantics, section 6).

use taskloom_document::{Event, Scenario};
use taskloom_domain::elaborate::TypedText;
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::lang::{Env, read_formula};
use taskloom_planner::plan::{Change, World};

use super::access::reads_time;
use super::run::EventOccurrence;

/// The schedule of a scenario's events, in its order.
pub struct EventSchedule<'a> {
    scenario: &'a Scenario,
    events: Vec<Pending>,
}

/// An event that may still occur.
struct Pending {
    /// The event's condition, if any.
    when: Option<TypedText<Formula>>,
    /// `true` if the condition reads the time, so that the event may occur without a change of the world.
    is_timed: bool,
    /// `true` if the event has occurred.
    has_occurred: bool,
}

impl<'a> EventSchedule<'a> {
    /// Creates the schedule, before any event has occurred.
    pub fn new(world: &World<'a>) -> Self {
        let scenario = world.scenario();
        let scope = world.scenario_scope();
        let pending = |event: &Event| {
            let when = Some(event.when.trim()).filter(|when| !when.is_empty());
            let when = when.map(|when| world.domain().read(when, &scope, read_formula));
            Pending {
                is_timed: when.as_ref().is_some_and(|when| reads_time(world, when)),
                when,
                has_occurred: false,
            }
        };
        Self {
            scenario,
            events: scenario.events.iter().map(pending).collect(),
        }
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
        for (number, event) in self.scenario.events.iter().enumerate() {
            let pending = &mut self.events[number];
            if !pending.is_due(event, tick) {
                continue;
            }
            let happens = match &pending.when {
                None => Ok(true),
                Some(when) => match world.holds(when, &Env::new()) {
                    // A condition that cannot be read never holds, and is reported where it stands.
                    Err(_) if when.value.is_none() => Ok(false),
                    evaluated => evaluated,
                },
            };
            if happens == Ok(false) {
                continue;
            }
            pending.has_occurred = true;
            let writes = happens.and_then(|_| world.event_writes(&event.effect));
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
        let events = self.scenario.events.iter().zip(&self.events);
        let next =
            events.filter_map(|(event, pending)| pending.next_tick(event, tick, has_changed));
        next.min()
    }
}

impl Pending {
    fn is_due(&self, event: &Event, tick: u32) -> bool {
        match (tick.checked_sub(event.at), event.every) {
            (None, _) => false,
            (Some(since), Some(every)) if every > 0 => since.is_multiple_of(every),
            (Some(since), _) if self.when.is_none() => since == 0,
            (Some(_), _) => !self.has_occurred,
        }
    }

    fn next_tick(&self, event: &Event, tick: u32, has_changed: bool) -> Option<u32> {
        match (tick.checked_sub(event.at), event.every) {
            (None, _) => Some(event.at),
            (Some(since), Some(every)) if every > 0 => tick.checked_add(every - since % every),
            // Its condition may become true only after a change of the world.
            (Some(_), _)
                if self.when.is_some() && !self.has_occurred && (has_changed || self.is_timed) =>
            {
                tick.checked_add(1)
            }
            (Some(_), _) => None,
        }
    }
}
