//! Three guards keep the gates of a castle shut: their goals and senses come from the document, their
//! plans from another thread. The game is saved at tick 7 and loaded at tick 20: `cargo run --example guards`.

use std::thread;

use taskloom::{
    ActionStatus, Actor, ActorEvent, Body, Budget, Domain, Error, Outcome, Reason, SavedActor,
    SavedWorld, StepRef, TickBudget, World, plan_by,
};

/// A file as the editor saves it. A guard sees only whether the gate where it stands is open.
const CASTLE: &str = include_str!("guards.taskloom.json");

/// A guard's body. Its actions take as long as the game says.
struct Guard {
    name: String,
}

impl Body for Guard {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        println!("{:>4}: {} starts to {}", step.tick, self.name, step.task);
        ActionStatus::Running
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        match step.tick - step.start {
            3.. => ActionStatus::Succeeded,
            _ => ActionStatus::Running,
        }
    }

    fn stop(&mut self, step: &StepRef, why: &Reason) {
        println!(
            "{:>4}: {} stops to {}: {why}",
            step.tick, self.name, step.task
        );
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    play().map(|_| ())
}

/// Plays the game twice from tick 7 on. Returns what happened in each of the two.
fn play() -> Result<[Vec<String>; 2], Box<dyn std::error::Error>> {
    let domain = Domain::read(CASTLE)?;
    let (mut world, mut guards) = domain.play("night")?;
    pass(&mut world, &mut guards, 7)?;

    let actors: Vec<SavedActor> = guards.iter().map(Actor::save).collect();
    let text = serde_json::to_string(&(world.save(), actors))?;
    let first = pass(&mut world, &mut guards, 20)?;

    // The document may have changed since: `dropped` says what no longer exists in it.
    let (saved, actors): (SavedWorld, Vec<SavedActor>) = serde_json::from_str(&text)?;
    let (mut world, mut guards, dropped) = domain.load(&saved, &actors)?;
    assert!(dropped.is_empty() && world.tick() == 7);
    let second = pass(&mut world, &mut guards, 20)?;
    pass(&mut world, &mut guards, 60)?;
    assert!(world.holds("not open(hole) and not exists ?gate: gate. open(?gate)")?);
    Ok([first, second])
}

/// Plays until a tick. Returns the guards' plans and ended steps.
fn pass(world: &mut World, guards: &mut [Actor], until: u32) -> Result<Vec<String>, Error> {
    let mut lines = vec![];
    while world.tick() < until {
        if world.tick() == 10 {
            // The wind, and the enemy, who breaks a hole into the wall.
            world.add("hole", "gate")?;
            world.set(&world.atom("open(west)")?, true)?;
            world.set(&world.atom("open(hole)")?, true)?;
        }
        think(guards);
        for guard in &mut *guards {
            let name = guard.name().unwrap_or_default().to_owned();
            let mut body = Guard { name: name.clone() };
            let tick = guard.tick(world, &mut body, TickBudget::decisions(0));
            for event in tick.events {
                match event {
                    ActorEvent::Planned(planning) => lines.push(format!("{name}: {planning:?}")),
                    ActorEvent::Ended(step) => lines.push(format!("{name}: {step:?}")),
                    _ => {}
                }
            }
        }
        world.advance();
    }
    Ok(lines)
}

/// Searches for the plans that the guards need, each on its own thread. A game need not wait for them: it
/// hands a plan over once it is there.
fn think(guards: &mut [Actor]) {
    let search = |guard: &Actor| {
        let request = guard.wanted_plan()?;
        let problem = request.problem().clone();
        let search = move || plan_by(problem.policy(), &problem, Budget::default());
        Some((request, thread::spawn(search)))
    };
    let searches: Vec<_> = guards.iter().map(search).collect();
    for (guard, search) in guards.iter_mut().zip(searches) {
        if let Some((request, search)) = search {
            guard.hand_over(&request, search.join().unwrap_or(Outcome::Stopped));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn loaded_game_continues_alike() {
        let [first, second] = super::play().expect("it runs");
        assert!(first.len() > 5, "{first:#?}");
        assert_eq!(first, second);
    }
}
