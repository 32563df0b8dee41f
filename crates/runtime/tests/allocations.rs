//! A crowd's allocations: none in a tick in which an actor neither plans nor ends a step, and no growth over
//! many ticks. A program of its own, since it counts the allocations of the whole program.

use std::mem;

use allocation_counter::{AllocationInfo, measure};
use taskloom_domain::Domain;
use taskloom_planner::plan::{Atom, Value};
use taskloom_runtime::{Actor, ByDurations, Status, TickBudget, World};
use testkit::counts::cases;
use testkit::crowd::crowd;
use testkit::domain::document;

const VILLAGERS: usize = 200;

/// The decisions that each of them may take in a tick.
const DECISIONS: u64 = 200;

/// The ticks after which every villager has planned.
const SETTLED: u64 = 1_000;

/// The number of parts between which the memory use is compared.
const PARTS: u64 = 20;

/// The maximum memory use of the searches that run between two parts, in bytes.
const SEARCHES: i64 = 1 << 20;

/// A game with a crowd.
struct Game {
    world: World,
    actors: Vec<Actor>,
    hungry: Vec<Atom>,
    bears: Vec<Atom>,
    /// For each actor, `true` if it searches for a plan.
    searching: Vec<bool>,
}

impl Game {
    fn new() -> Self {
        let domain = Domain::from(&document(&crowd(VILLAGERS)));
        let scenario = "day".parse().expect("a name");
        let mut world = World::new(&domain, &scenario).expect("a scenario");
        let actor = |number| Actor::new(&mut world, number).expect("an actor");
        let actors = (0..VILLAGERS).map(actor).collect();
        let atom = |text: String| world.atom(&text).expect("a fact");
        Self {
            hungry: (0..VILLAGERS)
                .map(|villager| atom(format!("hungry(v{villager})")))
                .collect(),
            bears: (0..VILLAGERS * 2)
                .map(|tree| atom(format!("bears(t{tree})")))
                .collect(),
            world,
            actors,
            searching: vec![false; VILLAGERS],
        }
    }

    /// Changes a fact, unless it has that value.
    fn set(&mut self, atom: fn(&Self) -> &Vec<Atom>, number: usize) {
        let all = atom(self);
        let atom = all[number % all.len()].clone();
        if self.world.value(&atom) == Value::Bool(false) {
            self.world.set(&atom, true).expect("a fact");
        }
    }

    /// Plays a tick. Calls `check` after each turn, with `true` if the actor neither planned nor ended a step,
    /// and with the number of its allocations.
    fn tick(&mut self, check: &mut dyn FnMut(bool, u64)) {
        let tick = self.world.tick() as usize;
        if tick.is_multiple_of(4) {
            self.set(|game| &game.hungry, tick / 4 * 7);
            self.set(|game| &game.bears, tick / 4 * 11);
        }
        for (actor, searching) in self.actors.iter_mut().zip(&mut self.searching) {
            let budget = TickBudget::decisions(DECISIONS);
            let mut done = None;
            let allocated = measure(|| {
                done = Some(actor.tick(&mut self.world, &mut ByDurations, budget));
            });
            let done = done.expect("a turn");
            let is_searching = done.status == Status::Searching;
            let searched = mem::replace(searching, is_searching) || is_searching;
            let plans = searched || done.decisions > 0;
            check(done.events.is_empty() && !plans, allocated.count_total);
        }
        self.world.advance();
    }
}

#[test]
fn ticks_without_planning_allocate_nothing_and_memory_stays_flat() {
    let mut game = Game::new();
    let ticks = cases(100_000).max(10 * SETTLED);
    let (mut quiet, mut others) = (0, 0);
    let mut check = |tick: u64, is_quiet: bool, allocations: u64| match is_quiet {
        _ if tick < SETTLED => {}
        true => {
            quiet += 1;
            assert_eq!(allocations, 0, "tick {tick}");
        }
        false => others += 1,
    };
    // The memory use after each part, relative to that before the first one.
    let mut usage = vec![0];
    for part in 0..PARTS {
        let part_ticks = part * ticks / PARTS..(part + 1) * ticks / PARTS;
        let AllocationInfo { bytes_current, .. } = measure(|| {
            for tick in part_ticks {
                game.tick(&mut |is_quiet, allocations| check(tick, is_quiet, allocations));
            }
        });
        usage.push(usage[usage.len() - 1] + bytes_current);
    }
    // Most turns are quiet, but everybody plans again and again.
    assert!(quiet > others && others > VILLAGERS, "{quiet} {others}");
    // The second half needs no more memory than the first one, apart from the searches that happen to run.
    let (first, second) = usage.split_at(usage.len() / 2);
    let most = |usage: &[i64]| usage.iter().copied().max().unwrap_or(0);
    assert!(
        most(second) <= most(first) + SEARCHES,
        "memory use grows: {usage:?}"
    );
}
