//! Three guards whose plans are searched for on another thread, while the game goes on: `cargo run --example
//! threads`. The game never waits: it asks for plans, and hands over those that are there.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use taskloom::{
    Actor, ActorEvent, Budget, ByDurations, Domain, Outcome, PlanRequest, TickBudget, plan_by,
};

/// A file as the editor saves it.
const CASTLE: &str = include_str!("guards.taskloom.json");

/// Plans for one request after the other, each with the number of its guard, until nobody can send any more.
fn plan_all(
    requests: &Receiver<(usize, PlanRequest)>,
    answers: &Sender<(usize, PlanRequest, Outcome)>,
) {
    for (guard, request) in requests {
        let problem = request.problem();
        let outcome = plan_by(problem.policy(), problem, Budget::default());
        if answers.send((guard, request, outcome)).is_err() {
            return;
        }
    }
}

/// The plans that were asked for.
struct Planner {
    requests: Sender<(usize, PlanRequest)>,
    answers: Receiver<(usize, PlanRequest, Outcome)>,
    /// For each guard, its last request.
    sent: Vec<Option<PlanRequest>>,
}

impl Planner {
    fn new(guards: usize) -> Self {
        let (requests, received) = channel();
        let (sent, answers) = channel();
        thread::spawn(move || plan_all(&received, &sent));
        Self {
            requests,
            answers,
            sent: vec![None; guards],
        }
    }

    /// Hands over the plans that are there, and asks for those that are needed.
    fn exchange(&mut self, guards: &mut [Actor]) {
        for (guard, request, outcome) in self.answers.try_iter() {
            // Ignored if the guard needs another plan by now, or none.
            guards[guard].hand_over(&request, outcome);
        }
        for (number, guard) in guards.iter().enumerate() {
            let wanted = guard.wanted_plan();
            if let Some(request) =
                wanted.filter(|wanted| self.sent[number].as_ref() != Some(wanted))
            {
                self.sent[number] = Some(request.clone());
                // The thread ends only when this sender does.
                _ = self.requests.send((number, request));
            }
        }
    }
}

fn main() -> Result<(), taskloom::Error> {
    let ticks = play()?;
    println!("All gates are shut after {ticks} ticks.");
    Ok(())
}

/// Plays until all gates are shut. Returns the number of ticks.
fn play() -> Result<u32, taskloom::Error> {
    let domain = Domain::read(CASTLE)?;
    let (mut world, mut guards) = domain.play("night")?;
    let mut planner = Planner::new(guards.len());
    while !world.holds("not exists ?gate: gate. open(?gate)")? {
        planner.exchange(&mut guards);
        for guard in &mut guards {
            // With no decisions, a guard asks for plans, and doesn't search by itself.
            let tick = guard.tick(&mut world, &mut ByDurations, TickBudget::decisions(0));
            let name = guard.name().unwrap_or_default();
            for event in tick.events {
                if let ActorEvent::Planned(planning) = event
                    && let Ok(Outcome::Plan(plan)) = planning.outcome
                {
                    let steps = plan.steps.iter().map(|step| step.task.to_string());
                    let steps: Vec<String> = steps.collect();
                    println!("{:>4}: {name} plans to {}", world.tick(), steps.join(", "));
                }
            }
        }
        world.advance();
        // The next frame: meanwhile the other thread searches.
        thread::yield_now();
    }
    Ok(world.tick())
}

#[cfg(test)]
mod tests {
    #[test]
    fn plans_arrive_while_the_game_goes_on() {
        let ticks = super::play().expect("it runs");
        // A guard has to walk and to shut the gate.
        assert!(ticks >= 3, "{ticks}");
    }
}
