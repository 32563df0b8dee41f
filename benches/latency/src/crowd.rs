//! A crowd of actors with goals and beliefs in one world, who share a budget of decisions per tick.

use taskloom::{Actor, ByDurations, Domain, TickBudget, Value, World};
use testkit::{crowd, domain};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::*;

/// A crowd with its world.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct Crowd {
    world: World,
    actors: Vec<Actor>,
    decisions: u64,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Crowd {
    /// Creates a crowd of this many actors who share this many decisions per tick.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new(actors: usize, decisions: u32) -> Crowd {
        let domain = Domain::unchecked(domain::document(&crowd::crowd(actors)));
        let (world, actors) = domain.play("day").expect("a scenario");
        Self {
            world,
            actors,
            decisions: decisions.into(),
        }
    }

    /// Plays a tick: a villager gets hungry, a tree bears fruit, and all actors have their turns. Returns
    /// the number of decisions taken.
    pub fn tick(&mut self) -> u32 {
        let tick = self.world.tick() as usize;
        let (villager, tree) = crowd::next(tick, self.actors.len());
        for fact in [format!("hungry(v{villager})"), format!("bears(t{tree})")] {
            let atom = self.world.atom(&fact).expect("a fact");
            if self.world.value(&atom) == Value::Bool(false) {
                self.world.set(&atom, true).expect("a value");
            }
        }
        let mut left = self.decisions;
        let count = self.actors.len();
        for place in 0..count {
            let budget = match left {
                0 => TickBudget::without_planning(),
                _ => TickBudget::decisions(left),
            };
            let actor = &mut self.actors[(tick + place) % count];
            let done = actor.tick(&mut self.world, &mut ByDurations, budget);
            left = left.saturating_sub(done.decisions);
        }
        self.world.advance();
        (self.decisions - left) as u32
    }
}
