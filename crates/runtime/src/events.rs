//! What happens in a scenario by itself: its events (semantics, section 6).

use taskloom_document::{Event, Scenario};
use taskloom_domain::elaborate::Text;
use taskloom_domain::lang::typed::Formula;
use taskloom_domain::lang::{Env, read_formula};
use taskloom_planner::plan::{Change, World};

use super::footprint::reads_time;
use super::run::Happening;

/// The events of a scenario, in its order.
pub struct Happenings<'a> {
    scenario: &'a Scenario,
    events: Vec<Pending>,
}

/// An event that may be still to come.
struct Pending {
    /// What has to hold in the world; none: nothing.
    when: Option<Text<Formula>>,
    /// Whether it asks for the time, so that it may come without a change of the world.
    is_timed: bool,
    /// Whether it has happened.
    has_happened: bool,
}

impl<'a> Happenings<'a> {
    /// None has happened.
    pub fn new(world: &World<'a>) -> Self {
        let scenario = world.scenario();
        let scope = world.scenario_scope();
        let pending = |event: &Event| {
            let when = Some(event.when.trim()).filter(|when| !when.is_empty());
            let when = when.map(|when| world.domain().read(when, &scope, read_formula));
            Pending {
                is_timed: when.as_ref().is_some_and(|when| reads_time(world, when)),
                when,
                has_happened: false,
            }
        };
        Self {
            scenario,
            events: scenario.events.iter().map(pending).collect(),
        }
    }

    /// Lets those of a tick happen, in their order, each in the world as the one before left it.
    /// `hear` is told what each writes, and leaves what changes anything.
    pub fn happen(
        &mut self,
        world: &mut World,
        tick: u32,
        record: &mut Vec<Happening>,
        hear: &mut dyn FnMut(&mut Vec<Change>),
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
            pending.has_happened = true;
            let writes = happens.and_then(|_| world.event_writes(&event.effect));
            let (mut changes, refused) = match writes {
                Ok(writes) => (writes, None),
                Err(reason) => (vec![], Some(reason)),
            };
            hear(&mut changes);
            world.apply(&changes);
            record.push(Happening {
                tick,
                event: number,
                changes,
                refused,
            });
        }
    }

    /// The next tick at which one can happen, if nothing else changes the world; `has_changed`
    /// says whether anything did at this one.
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
            (Some(_), _) => !self.has_happened,
        }
    }

    fn next_tick(&self, event: &Event, tick: u32, has_changed: bool) -> Option<u32> {
        match (tick.checked_sub(event.at), event.every) {
            (None, _) => Some(event.at),
            (Some(since), Some(every)) if every > 0 => tick.checked_add(every - since % every),
            // What it waits for may hold only after the world has changed.
            (Some(_), _)
                if self.when.is_some() && !self.has_happened && (has_changed || self.is_timed) =>
            {
                tick.checked_add(1)
            }
            (Some(_), _) => None,
        }
    }
}
