//! Three guards in Bevy, without a window: `cargo run --example bevy`. The gates and the guards are entities. Each
//! frame is a tick: systems write what has changed into the guards' world, let them act, and apply what they did.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use taskloom::{
    ActionStatus, Actor, Body, Domain, Error, GroundTask, Reason, StepRef, TickBudget, Value,
};

/// A file as the editor saves it.
const CASTLE: &str = include_str!("guards.taskloom.json");
/// The frames that an action takes.
const FRAMES: u32 = 3;

/// The facts of the level, and its tick.
#[derive(Resource)]
struct Level(taskloom::World);

#[derive(Component)]
struct Gate {
    name: &'static str,
    is_open: bool,
}

/// A guard, and the gate where it stands.
#[derive(Component)]
struct Guard {
    actor: Actor,
    place: Value,
}

/// The body of a guard: the task that it performs, and the one that it has just completed.
#[derive(Component, Default)]
struct Hands {
    busy: Option<GroundTask>,
    completed: Option<GroundTask>,
}

impl Body for Hands {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.busy = Some(step.task.clone());
        ActionStatus::Running
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        if step.tick < step.start + FRAMES {
            return ActionStatus::Running;
        }
        self.completed = self.busy.take();
        ActionStatus::Succeeded
    }

    fn stop(&mut self, _step: &StepRef, _why: &Reason) {
        self.busy = None;
    }
}

/// The wind opens a gate at tick 10.
fn wind(level: Res<Level>, mut gates: Query<&mut Gate>) {
    if level.0.tick() == 10 {
        for mut gate in gates.iter_mut().filter(|gate| gate.name == "west") {
            gate.is_open = true;
        }
    }
}

/// Writes the entities that have changed into the guards' world.
fn sense(
    mut level: ResMut<Level>,
    gates: Query<&Gate, Changed<Gate>>,
    guards: Query<&Guard, Changed<Guard>>,
) -> Result {
    let world = &mut level.0;
    for gate in &gates {
        let open = world.atom(&format!("open({})", gate.name))?;
        world.set(&open, gate.is_open)?;
    }
    for guard in &guards {
        let name = guard.actor.name().unwrap_or_default();
        let place = world.atom(&format!("place_of({name})"))?;
        world.set(&place, guard.place.clone())?;
    }
    Ok(())
}

/// Lets every guard think and act.
fn act(mut level: ResMut<Level>, mut guards: Query<(&mut Guard, &mut Hands)>) {
    for (mut guard, mut hands) in &mut guards {
        let budget = TickBudget::decisions(200);
        // A guard whose place stays the same hasn't changed.
        let actor = &mut guard.bypass_change_detection().actor;
        actor.tick(&mut level.0, &mut *hands, budget);
    }
    level.0.advance();
}

/// Applies what the guards have done to the entities.
fn apply(mut guards: Query<(&mut Guard, &mut Hands)>, mut gates: Query<&mut Gate>) {
    for (mut guard, mut hands) in &mut guards {
        let Some(GroundTask { task, args }) = hands.completed.take() else {
            continue;
        };
        match task.as_str() {
            "walk" => guard.place = args[0].clone().into(),
            "close" => {
                for mut gate in gates
                    .iter_mut()
                    .filter(|gate| args[0].as_str() == gate.name)
                {
                    gate.is_open = false;
                }
            }
            _ => {}
        }
    }
}

/// Builds the game.
fn castle() -> Result<App, Error> {
    let (level, actors) = Domain::read(CASTLE)?.play("night")?;
    let mut app = App::new();
    for name in ["north", "east", "west"] {
        let is_open = name == "north";
        app.world_mut().spawn(Gate { name, is_open });
    }
    for actor in actors {
        let name = actor.name().unwrap_or_default();
        let place = level.value(&level.atom(&format!("place_of({name})"))?);
        app.world_mut()
            .spawn((Guard { actor, place }, Hands::default()));
    }
    app.insert_resource(Level(level))
        .add_systems(Update, (wind, sense, act, apply).chain());
    Ok(app)
}

/// Returns the names of the open gates.
fn open_gates(app: &mut App) -> Vec<&'static str> {
    let mut gates = app.world_mut().query::<&Gate>();
    let gates = gates.iter(app.world()).filter(|gate| gate.is_open);
    gates.map(|gate| gate.name).collect()
}

fn main() -> Result<(), Error> {
    let mut app = castle()?;
    for frame in 0..60 {
        app.update();
        println!("{frame:>3}: open are {:?}", open_gates(&mut app));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_close_both_gates() {
        let mut app = castle().expect("a game");
        let mut open = vec![];
        for _ in 0..60 {
            app.update();
            open.push(open_gates(&mut app));
        }
        assert_eq!(open[0], ["north"]);
        assert!(open[10].contains(&"west"), "the wind: {open:?}");
        assert!(open[59].is_empty(), "{open:?}");
    }
}
