//! A guard whose document is changed while it plays: `cargo run --example reload`. A hot reload is to save,
//! to read the changed document, and to load. What still exists is kept, and the rest is reported.

use taskloom::{
    Actor, ActorEvent, ByDurations, Domain, Dropped, Error, Outcome, TickBudget, World,
};

/// A file as the editor saves it.
const CASTLE: &str = include_str!("guards.taskloom.json");

/// The course of the game.
struct Played {
    /// The things dropped by the first reload, and by the second one.
    dropped: [Vec<Dropped>; 2],
    /// The first plan of each guard after the second reload.
    plans: Vec<String>,
}

fn main() -> Result<(), Error> {
    let played = play()?;
    for dropped in played.dropped.iter().flatten() {
        println!("{dropped}");
    }
    for plan in played.plans {
        println!("{plan}");
    }
    Ok(())
}

fn play() -> Result<Played, Error> {
    let (mut world, mut guards) = Domain::read(CASTLE)?.play("night")?;
    pass(&mut world, &mut guards, 2);

    // The designer makes the guards walk faster: everything is kept, and they continue to walk.
    let faster = CASTLE.replace(
        r#""duration": "3" }, "Look""#,
        r#""duration": "2" }, "Look""#,
    );
    let (mut world, mut guards, first) = reloaded(&faster, &world, &guards)?;
    pass(&mut world, &mut guards, 3);

    // Closing a gate is called shutting it now: plans that contain it are dropped, and made again.
    let renamed = faster.replace(r#""close": {"#, r#""shut": {"#);
    let (mut world, mut guards, second) = reloaded(&renamed, &world, &guards)?;
    let plans = pass(&mut world, &mut guards, 30);
    Ok(Played {
        dropped: [first, second],
        plans,
    })
}

/// Returns the game in a changed document.
fn reloaded(
    document: &str,
    world: &World,
    guards: &[Actor],
) -> Result<(World, Vec<Actor>, Vec<Dropped>), Error> {
    let saved: Vec<_> = guards.iter().map(Actor::save).collect();
    Domain::read(document)?.load(&world.save(), &saved)
}

/// Plays until a tick. Returns the plans that were made.
fn pass(world: &mut World, guards: &mut [Actor], until: u32) -> Vec<String> {
    let mut plans = vec![];
    while world.tick() < until {
        for guard in &mut *guards {
            let tick = guard.tick(world, &mut ByDurations, TickBudget::decisions(500));
            let name = guard.name().unwrap_or_default();
            for event in tick.events {
                if let ActorEvent::Planned(planning) = event
                    && let Ok(Outcome::Plan(plan)) = planning.outcome
                {
                    let steps: Vec<String> = plan
                        .steps
                        .iter()
                        .map(|step| step.task.to_string())
                        .collect();
                    plans.push(format!("{name}: {}", steps.join(", ")));
                }
            }
        }
        world.advance();
    }
    plans
}

#[cfg(test)]
mod tests {
    use taskloom::Dropped;

    #[test]
    fn keeps_what_still_exists() {
        let played = super::play().expect("it runs");
        let [first, second] = played.dropped;
        assert_eq!(first, []);
        assert!(
            second
                .iter()
                .any(|dropped| matches!(dropped, Dropped::Plan { .. })),
            "{second:?}"
        );
        assert!(
            played.plans.iter().any(|plan| plan.contains("shut(")),
            "{:?}",
            played.plans
        );
        assert!(!played.plans.iter().any(|plan| plan.contains("close(")));
    }
}
