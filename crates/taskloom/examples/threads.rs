//! Three guards whose plans are searched for on another thread, while the game goes on: `cargo run --example
//! threads`. The game never waits: it asks for plans, and hands over those that are there.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use taskloom::{
    Actor, ActorEvent, Budget, ByDurations, Domain, Outcome, Problem, TickBudget, plan_by,
};

/// A file as the editor saves it.
const CASTLE: &str = include_str!("guards.taskloom.json");

/// A problem that a guard needs a plan for: its number and the number of the request.
struct Request {
    guard: usize,
    number: u64,
    problem: Problem,
}

/// The answer to a request.
struct Answer {
    guard: usize,
    number: u64,
    outcome: Outcome,
}

/// Plans for one request after the other, until nobody can send any more.
fn plan_all(requests: &Receiver<Request>, answers: &Sender<Answer>) {
    for request in requests {
        let problem = &request.problem;
        let outcome = plan_by(problem.policy(), problem, Budget::default());
        let answer = Answer {
            guard: request.guard,
            number: request.number,
            outcome,
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// The plans that were asked for.
struct Planner {
    requests: Sender<Request>,
    answers: Receiver<Answer>,
    /// For each guard, the number of the request whose answer it waits for.
    open: Vec<Option<u64>>,
    asked: u64,
}

impl Planner {
    fn new(guards: usize) -> Self {
        let (requests, received) = channel();
        let (sent, answers) = channel();
        thread::spawn(move || plan_all(&received, &sent));
        Self {
            requests,
            answers,
            open: vec![None; guards],
            asked: 0,
        }
    }

    /// Hands over the plans that are there, and asks for those that are needed.
    fn exchange(&mut self, guards: &mut [Actor]) {
        for answer in self.answers.try_iter() {
            // A guard that has dropped its search since then asks again, or needs no plan.
            if self.open[answer.guard] == Some(answer.number) {
                self.open[answer.guard] = None;
                guards[answer.guard].hand_over(answer.outcome);
            }
        }
        for (number, guard) in guards.iter().enumerate() {
            let Some(problem) = guard.wanted_plan() else {
                self.open[number] = None;
                continue;
            };
            if self.open[number].is_none() {
                self.asked += 1;
                self.open[number] = Some(self.asked);
                let request = Request {
                    guard: number,
                    number: self.asked,
                    problem: problem.clone(),
                };
                // The thread ends only when this sender does.
                _ = self.requests.send(request);
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
        for (number, guard) in guards.iter_mut().enumerate() {
            // With no decisions, a guard asks for plans, and doesn't search by itself.
            let tick = guard.tick(&mut world, &mut ByDurations, TickBudget::decisions(0));
            let name = guard.name().unwrap_or_default();
            for event in tick.events {
                match event {
                    // A search that was under way begins again.
                    ActorEvent::Ended(_) => planner.open[number] = None,
                    ActorEvent::Planned(planning) => {
                        if let Ok(Outcome::Plan(plan)) = planning.outcome {
                            let steps = plan.steps.iter().map(|step| step.task.to_string());
                            let steps: Vec<String> = steps.collect();
                            println!("{:>4}: {name} plans to {}", world.tick(), steps.join(", "));
                        }
                    }
                    _ => {}
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
