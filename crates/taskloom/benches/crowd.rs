//! Two hundred actors with goals and beliefs in one world, each with twenty objects in reach, who share a
//! budget of 200 decisions per tick: `cargo xtask bench crowd`. Measures ticks, the calls that plan
//! relative to the work that they count, and whether memory use grows. Times are processor times, since
//! other processes interrupt one from time to time.

use allocation_counter::measure;
use cpu_time::ThreadTime;
use taskloom::{Actor, ActorEvent, Atom, ByDurations, Domain, Status, TickBudget, Value, World};
use testkit::{crowd, domain};

const ACTORS: usize = 200;

/// The number of ticks, unless the first argument says otherwise.
const TICKS: u32 = 100_000;

/// The tick from which quiet turns must not allocate: until then, facts get values for the first time.
const SETTLED: u32 = 1_000;

/// The number of parts after which the memory use is measured.
const PARTS: u32 = 10;

/// The number of decisions per tick that all of them share.
const DECISIONS: u64 = 200;

/// The milliseconds that 99 of 100 ticks may take, and the factor by which a call may exceed its budget.
const MAX_P99: f64 = 2.0;
const MAX_EXCESS: f64 = 1.5;

/// A call that planned.
#[derive(Clone, Copy)]
struct Call {
    nanoseconds: u32,
    decisions: u32,
    /// The decisions that the others had left for it.
    budget: u32,
}

/// The measured calls and ticks.
struct Measured {
    /// The processor time of each tick, in nanoseconds.
    ticks: Vec<u32>,
    /// The decisions of each tick.
    decisions: Vec<u32>,
    calls: Vec<Call>,
    planned: usize,
    /// The turns that neither planned nor ended a step, and how many of them allocated memory.
    quiet: usize,
    allocating: usize,
    /// For each actor, `true` if it searched for a plan at its last turn.
    searching: Vec<bool>,
}

/// The game's part: villagers get hungry, and trees bear fruit again.
struct Village {
    hungry: Vec<Atom>,
    bears: Vec<Atom>,
}

impl Village {
    fn new(world: &World) -> Self {
        let atom = |text: String| world.atom(&text).expect("a fact");
        let trees = crowd::trees(ACTORS);
        Self {
            hungry: (0..ACTORS).map(|n| atom(format!("hungry(v{n})"))).collect(),
            bears: (0..trees).map(|n| atom(format!("bears(t{n})"))).collect(),
        }
    }

    /// Makes the next villager hungry and the next tree bear fruit.
    fn change(&self, world: &mut World, tick: usize) {
        let (villager, tree) = crowd::next(tick, self.hungry.len());
        for atom in [&self.hungry[villager], &self.bears[tree]] {
            if world.value(atom) == Value::Bool(false) {
                world.set(atom, true).expect("a value");
            }
        }
    }
}

impl Measured {
    fn new(ticks: u32) -> Self {
        Self {
            ticks: Vec::with_capacity(ticks as usize),
            decisions: Vec::with_capacity(ticks as usize),
            calls: Vec::with_capacity(ticks as usize * 8),
            planned: 0,
            quiet: 0,
            allocating: 0,
            searching: vec![false; ACTORS],
        }
    }

    /// Plays a tick. Calls and ticks are measured in different ticks, since that takes time itself.
    fn play(&mut self, world: &mut World, crowd: &mut [Actor], village: &Village) {
        let tick = world.tick() as usize;
        let measures_calls = tick.is_multiple_of(2);
        let begun = ThreadTime::now();
        village.change(world, tick);
        let mut left = DECISIONS;
        // At each tick, another one is the first to get its share.
        for place in 0..ACTORS {
            let number = (tick + place) % ACTORS;
            let actor = &mut crowd[number];
            let budget = match left {
                0 => TickBudget::without_planning(),
                _ => TickBudget::decisions(left),
            };
            if measures_calls {
                left = left.saturating_sub(self.call(world, actor, number, (left, budget)));
            } else {
                let done = actor.tick(world, &mut ByDurations, budget);
                left = left.saturating_sub(done.decisions);
                self.planned += planned(&done.events);
                self.searching[number] = done.status == Status::Searching;
            }
        }
        world.advance();
        if measures_calls {
            return;
        }
        self.ticks.push(begun.elapsed().as_nanos() as u32);
        self.decisions.push((DECISIONS - left) as u32);
    }

    /// Measures a call. Returns the decisions that it took.
    fn call(
        &mut self,
        world: &mut World,
        actor: &mut Actor,
        number: usize,
        (left, budget): (u64, TickBudget),
    ) -> u64 {
        let mut done = None;
        let begun = (left > 0).then(ThreadTime::now);
        let allocated = measure(|| done = Some(actor.tick(world, &mut ByDurations, budget)));
        let Some(done) = done else { return 0 };
        if let Some(begun) = begun.filter(|_| done.decisions > 0) {
            self.calls.push(Call {
                nanoseconds: begun.elapsed().as_nanos() as u32,
                decisions: done.decisions as u32,
                budget: left as u32,
            });
        }
        self.planned += planned(&done.events);
        let is_searching = done.status == Status::Searching;
        let searched = std::mem::replace(&mut self.searching[number], is_searching);
        let is_settled = world.tick() >= SETTLED;
        let plans = done.decisions > 0 || searched || is_searching;
        if is_settled && done.events.is_empty() && !plans {
            self.quiet += 1;
            self.allocating += usize::from(allocated.count_total > 0);
        }
        done.decisions
    }
}

/// Returns the number of plannings.
fn planned(events: &[ActorEvent]) -> usize {
    let plannings = events.iter();
    let plannings = plannings.filter(|event| matches!(event, ActorEvent::Planned(_)));
    plannings.count()
}

/// Prints the distribution of amounts. Returns the 99th percentile.
fn show(what: &str, unit: &str, mut all: Vec<f64>) -> f64 {
    all.sort_unstable_by(f64::total_cmp);
    let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
    println!(
        "{what}: {}, p50 {:.1}, p99 {:.1}, p99.9 {:.1}, maximum {:.1} {unit}",
        all.len(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    at(0.99)
}

fn micros(nanoseconds: u32) -> f64 {
    f64::from(nanoseconds) / 1e3
}

fn main() {
    let count = std::env::args().find_map(|arg| arg.parse().ok());
    let count = count.unwrap_or(TICKS);
    let begun = ThreadTime::now();
    let domain = Domain::unchecked(domain::document(&crowd::crowd(ACTORS)));
    let (mut world, mut actors) = domain.play("day").expect("a scenario");
    println!(
        "{ACTORS} actors with goals and beliefs, created in {:.0} ms; {count} ticks of {DECISIONS} decisions",
        begun.elapsed().as_secs_f64() * 1e3
    );
    let village = Village::new(&world);
    let mut measured = Measured::new(count);
    let mut growth = vec![];
    for _ in 0..PARTS {
        let allocated = measure(|| {
            for _ in 0..count / PARTS {
                measured.play(&mut world, &mut actors, &village);
            }
        });
        growth.push(format!("{:+.1}", allocated.bytes_current as f64 / 1024.0));
    }
    let Measured {
        ticks,
        decisions,
        calls,
        planned,
        quiet,
        allocating,
        ..
    } = measured;
    println!("{planned} plannings");
    let ticks: Vec<f64> = ticks.into_iter().map(micros).collect();
    let p99 = show("ticks", "microseconds", ticks) / 1e3;
    let decisions = decisions.into_iter().map(f64::from).collect();
    show("decisions per tick", "decisions", decisions);
    let times = calls.iter().map(|call| micros(call.nanoseconds));
    show("calls that plan", "microseconds", times.collect());
    let excess = |call: &Call| call.decisions.saturating_sub(call.budget);
    show(
        "decisions beyond the budget of a call",
        "decisions",
        calls.iter().map(|call| f64::from(excess(call))).collect(),
    );
    let full = calls
        .iter()
        .filter(|call| u64::from(call.budget) == DECISIONS);
    let most = full.map(|call| call.decisions).max().unwrap_or(0);
    let most = f64::from(most) / DECISIONS as f64;
    let mut relative: Vec<f64> = calls
        .iter()
        .map(|call| f64::from(call.nanoseconds) / f64::from(call.decisions))
        .collect();
    relative.sort_unstable_by(f64::total_cmp);
    let typical = relative[relative.len() / 2];
    println!("a decision takes {typical:.0} nanoseconds in half of the calls");
    if let Some(longest) = calls.iter().max_by_key(|call| call.nanoseconds) {
        let budgeted = typical * f64::from(longest.decisions);
        println!(
            "longest call: {:.1} microseconds for {} decisions, {:.2} times what they typically take",
            micros(longest.nanoseconds),
            longest.decisions,
            f64::from(longest.nanoseconds) / budgeted
        );
    }
    println!("quiet turns: {quiet}, of which {allocating} allocated memory");
    println!(
        "memory use grew in each {} ticks by, in kB: {}",
        count / PARTS,
        growth.join(" ")
    );
    let judge = |is_met: bool| if is_met { "met" } else { "MISSED" };
    println!(
        "a tick's p99 of {p99:.2} ms, at most {MAX_P99}: {}",
        judge(p99 <= MAX_P99)
    );
    println!(
        "a call with a whole budget of {most:.2} times its decisions, at most {MAX_EXCESS}: {}",
        judge(most <= MAX_EXCESS)
    );
    println!("no quiet turn allocated: {}", judge(allocating == 0));
}
