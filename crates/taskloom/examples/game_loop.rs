//! A night guard plans and acts for 100,000 ticks in a museum that this program owns. A search may take
//! a few decisions per frame, and continues in the next one: `cargo run --profile fast --example game_loop`.

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use taskloom::run::TaskState;
use taskloom::{
    Actor, ActorEvent, Atom, ByDurations, Domain, Error, Outcome, Status, TickBudget, Value, World,
};

const NIGHT_GUARD: &str = include_str!("../../../public/examples/night-guard.taskloom.json");

/// The share of a frame that the guard should take.
const SLICE: Duration = Duration::from_micros(200);

/// The number of decisions of a search in one frame.
const DECISIONS: u64 = 40;

const TICKS: u32 = 100_000;

const TASKS: [&str; 1] = ["keep-watch"];

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> Result<(), Error> {
    let figures = played(TICKS)?;
    println!("{figures:#?}");
    figures.assert_steady();
    Ok(())
}

/// The museum, as this game knows it.
struct Museum {
    /// The world.
    world: World,
    /// The initial state of the night: every fact that anything changes, with its value.
    evening: Vec<(Atom, Value)>,
    doors: Vec<Atom>,
    lights: Vec<Atom>,
    power: Atom,
    chance: u64,
}

impl Museum {
    fn new(world: World) -> Result<Self, Error> {
        let of_rooms = |fact: &str| {
            let rooms = ["gallery", "hall", "shop", "vault"];
            let atoms = rooms.map(|room| world.atom(&format!("{fact}({room})")));
            atoms.into_iter().collect::<Result<Vec<Atom>, Error>>()
        };
        let (doors, lights) = (of_rooms("door_open")?, of_rooms("lit")?);
        let power = world.atom("power")?;
        let mut changing = [doors.clone(), lights.clone(), of_rooms("checked")?].concat();
        for fact in [
            "power",
            "stamina",
            "coffee",
            "logged",
            "police_called",
            "place_of(guard)",
            "has(fuse)",
            "has(radio)",
        ] {
            changing.push(world.atom(fact)?);
        }
        let evening = changing.into_iter().map(|atom| {
            let value = world.value(&atom);
            (atom, value)
        });
        Ok(Self {
            evening: evening.collect(),
            world,
            doors,
            lights,
            power,
            chance: 0x9e37_79b9_7f4a_7c15,
        })
    }

    /// Returns `true` once in `one_in` calls on average, in the same pattern in each run of the
    /// program.
    fn happens(&mut self, one_in: u64) -> bool {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        self.chance.is_multiple_of(one_in)
    }

    /// Advances the museum by a tick, without the guard, and updates what he senses.
    fn pass_a_tick(&mut self) -> Result<(), Error> {
        let room = (self.chance >> 32) as usize % self.doors.len();
        if self.happens(40) {
            self.world.set(&self.doors[room], true)?;
        }
        if self.happens(15) {
            self.world.set(&self.lights[room], false)?;
        }
        if self.happens(400) {
            self.world.set(&self.power, false)?;
            for light in &self.lights {
                self.world.set(light, false)?;
            }
        }
        if self.happens(200) {
            self.world.set(&self.power, true)?;
        }
        Ok(())
    }

    /// Starts the next night in the same state as the first one.
    fn begin_night(&mut self) -> Result<(), Error> {
        for (atom, value) in &self.evening {
            self.world.set(atom, value.clone())?;
        }
        Ok(())
    }
}

/// The statistics of a run.
#[derive(Debug, Default)]
struct Figures {
    ticks: u32,
    /// The number of plans made, each of them validated.
    plans: u32,
    /// The number of plannings without a plan, after which he waits until the world changes.
    without_plan: u32,
    steps_complete: u32,
    steps_failed: u32,
    nights: u32,
    /// The number of turns in which he searched for a plan.
    searches: u32,
    /// The number of turns that ended before the search did: it continued in the next frame.
    searches_to_be_continued: u32,
    longest_turn: Duration,
    /// The number of turns that took longer than they should.
    turns_over_time: u32,
    /// The median and the 99th percentile of the turns with a search, in microseconds.
    half_within_micros: usize,
    most_within_micros: usize,
    mean_tick: Duration,
    /// The peak memory use in bytes, in the first tenth of the ticks and in the rest.
    peak_at_first: usize,
    peak_later: usize,
    /// The peak memory use at the end of a night, before anything is planned, in the same two parts.
    evening_at_first: usize,
    evening_later: usize,
}

fn played(ticks: u32) -> Result<Figures, Error> {
    let (world, mut actors) = Domain::read(NIGHT_GUARD)?.play("night-10-lights-out")?;
    let mut museum = Museum::new(world)?;
    let guard = &mut actors[0];
    let orders = guard.orders();
    let mut figures = Figures::default();
    // The number of turns of each length in microseconds.
    let mut lengths = vec![0_u32; 100_000];
    let start = Instant::now();
    MEMORY.reset_peak_usage();
    // By then everything has happened once, and allocated its memory.
    let warm = ticks / 10;
    for tick in 0..ticks {
        if tick == warm {
            figures.peak_at_first = MEMORY.peak_usage();
            MEMORY.reset_peak_usage();
        }
        museum.pass_a_tick()?;
        let status = take_turn(guard, &mut museum.world, &mut figures, &mut lengths);
        if status == Status::Complete {
            figures.nights += 1;
            museum.begin_night()?;
            orders.assign(&TASKS);
            let evening = if tick < warm {
                &mut figures.evening_at_first
            } else {
                &mut figures.evening_later
            };
            *evening = MEMORY.current_usage().max(*evening);
        }
        museum.world.advance();
        figures.ticks += 1;
    }
    figures.peak_later = MEMORY.peak_usage();
    figures.mean_tick = start.elapsed() / ticks;
    figures.half_within_micros = within(&lengths, figures.searches / 2);
    figures.most_within_micros = within(&lengths, figures.searches / 100 * 99);
    Ok(figures)
}

/// Gives the guard his turn of a tick.
fn take_turn(
    guard: &mut Actor,
    world: &mut World,
    figures: &mut Figures,
    lengths: &mut [u32],
) -> Status {
    let begun = Instant::now();
    let done = guard.tick(world, &mut ByDurations, TickBudget::decisions(DECISIONS));
    let took = begun.elapsed();
    let mut has_searched = done.status == Status::Searching;
    figures.searches_to_be_continued += u32::from(has_searched);
    for event in done.events {
        match event {
            ActorEvent::Planned(planning) => {
                has_searched = true;
                match planning.outcome {
                    Ok(Outcome::Plan(_)) => figures.plans += 1,
                    Ok(_) => figures.without_plan += 1,
                    Err(why) => panic!("internal error of the planner: {why}"),
                }
            }
            ActorEvent::Ended(step) if step.state == TaskState::Failed => figures.steps_failed += 1,
            ActorEvent::Ended(_) => figures.steps_complete += 1,
            _ => {}
        }
    }
    figures.turns_over_time += u32::from(took > SLICE);
    figures.longest_turn = figures.longest_turn.max(took);
    if has_searched {
        figures.searches += 1;
        let last = lengths.len() - 1;
        lengths[(took.as_micros() as usize).min(last)] += 1;
    }
    done.status
}

/// Returns the number of microseconds within which `count` of the turns ended.
fn within(lengths: &[u32], count: u32) -> usize {
    let mut seen = 0;
    let reached = lengths.iter().position(|turns| {
        seen += turns;
        seen >= count
    });
    reached.unwrap_or(lengths.len())
}

impl Figures {
    /// Asserts that he was busy, and used no more memory later than at first.
    fn assert_steady(&self) {
        assert!(self.nights > self.ticks / 200, "{} nights", self.nights);
        assert!(self.plans > self.nights, "{} plans", self.plans);
        assert!(self.steps_complete > self.ticks / 10);
        assert!(self.steps_failed > self.ticks / 500);
        let grown = self.evening_later.saturating_sub(self.evening_at_first);
        assert!(grown < 4_096, "{grown} bytes more in the evenings");
        assert!(self.peak_later <= self.peak_at_first / 10 * 11);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guard_plans_and_acts_in_constant_memory() {
        // Without optimization this takes longer.
        let figures = played(TICKS / 5).expect("it runs");
        println!("{figures:#?}");
        figures.assert_steady();
    }
}
