//! Actors in a world that the caller owns do the same as in the simulator.

use std::collections::BTreeMap;

use taskloom_document::{Failure, Name, Scenario};
use taskloom_domain::Domain;
use taskloom_domain::chance::{draw, seed};
use taskloom_planner::compile::GroundQuery;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Cause, Log, Perception, Planning, Reason,
    Run, Status, StepExecution, StepRef, TickBudget, World, simulate,
};
use testkit::domain::{EXAMPLES, example};
use testkit::random::Random;

mod added;
mod arrivals;
mod budgets;
mod claims;
mod cleanups;
mod created;
mod explained;
mod limits;
mod objects;
mod ordered;
mod protocol;
mod queries;
mod saved;

/// Answers queries.
pub type Answers<'a> = dyn Fn(&GroundQuery) -> Vec<Name> + 'a;

/// A body that follows a scenario: its actions take the document's durations, and fail as it says.
pub struct Follows<'s> {
    character: usize,
    failures: &'s [Failure],
    seed: u64,
    /// For each failure, the number of times that its action was over.
    done: Vec<u32>,
    /// The actions that are running.
    running: BTreeMap<u64, String>,
    /// `None` if conditions decide alone.
    answers: Option<&'s Answers<'s>>,
}

impl<'s> Follows<'s> {
    /// Creates the body of an actor of a scenario.
    pub fn new(scenario: &'s Scenario, character: usize) -> Self {
        Self {
            character,
            failures: &scenario.failures,
            seed: scenario.seed.into(),
            done: vec![0; scenario.failures.len()],
            running: BTreeMap::new(),
            answers: None,
        }
    }
}

impl Follows<'_> {
    fn status(&mut self, step: &StepRef) -> ActionStatus {
        let status = ByDurations::status(step);
        if status == ActionStatus::Running {
            self.running.insert(step.id, step.task.to_string());
            return status;
        }
        self.running.remove(&step.id);
        let mut fails = false;
        for (number, failure) in self.failures.iter().enumerate() {
            let written = failure.task.replace(' ', "");
            let task = step.task.to_string().replace(' ', "");
            if written != task && written != step.task.task.as_str() {
                continue;
            }
            self.done[number] += 1;
            let (character, tick, done) = (self.character, step.tick, self.done[number]);
            let decision = format!("failure {number} {character} {tick} {done}");
            let is_time = failure.time.is_none_or(|time| time == done);
            fails |= is_time
                && failure
                    .chance
                    .is_none_or(|chance| draw(seed(self.seed, "failures"), &decision) < chance);
        }
        match fails {
            true => ActionStatus::Failed(Reason::Action),
            false => ActionStatus::Succeeded,
        }
    }
}

impl Body for Follows<'_> {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        assert!(self.running.contains_key(&step.id), "{} runs", step.task);
        self.status(step)
    }

    fn stop(&mut self, step: &StepRef, _why: &Reason) {
        let stopped = self.running.remove(&step.id);
        assert_eq!(stopped, Some(step.task.to_string()), "it runs");
    }

    fn is_simulated(&self) -> bool {
        true
    }

    fn answers_queries(&self) -> bool {
        self.answers.is_some()
    }

    fn query(&mut self, query: &GroundQuery) -> Option<Vec<Name>> {
        self.answers.map(|answer| answer(query))
    }
}

/// The numbers of an actor's plannings and ended steps in a record.
#[derive(Default)]
struct Numbers {
    plans: Vec<usize>,
    ended: Vec<usize>,
}

/// Adds what an actor did at a tick to a record.
fn record(
    (character, tick): (usize, u32),
    events: Vec<ActorEvent>,
    run: &mut Run,
    own: &mut Numbers,
) {
    for event in events {
        match event {
            ActorEvent::Perceived(changes) => run.perceptions.push(Perception {
                tick,
                character,
                changes,
            }),
            ActorEvent::Planned(planning) => {
                own.plans.push(run.plans.len());
                let cause = match planning.cause {
                    Cause::Failure(at) => Cause::Failure(own.ended[at]),
                    cause => cause,
                };
                run.plans.push(Planning { cause, ..*planning });
            }
            ActorEvent::Ended(step) => {
                own.ended.push(run.executed.len());
                let plan = own.plans[step.plan];
                run.executed.push(StepExecution { plan, ..*step });
            }
            ActorEvent::Refused(why) => panic!("nobody gave orders: {why}"),
            event => panic!("an event that the record lacks: {event:?}"),
        }
    }
}

/// The options of a game.
#[derive(Default)]
pub struct Game<'g> {
    /// The log of the first world that it plays in.
    pub log: Option<Log>,
    /// Answers queries.
    pub answers: Option<&'g Answers<'g>>,
    /// The limits of each search.
    pub search: Budget,
}

/// Plays a scenario as a game does: it sets what the events of a simulated run have changed, and each actor
/// has its turn at each tick. At the end of the ticks that are chosen, it saves and loads the game. Returns
/// the record.
pub fn played(
    domain: &Domain,
    scenario: &Name,
    simulated: &Run,
    mut reloads: impl FnMut() -> bool,
    game: Game,
) -> Run {
    let Game {
        log,
        answers,
        search,
    } = game;
    let mut world = World::new(domain, scenario).expect("a scenario");
    if let Some(log) = log {
        world.start_log(log);
    }
    let scene = domain.scene(scenario).expect("a scenario");
    let actor = |number| {
        let actor = Actor::new(&mut world, number).expect("an actor");
        actor.with_search_budget(search)
    };
    let mut actors: Vec<Actor> = (0..scene.cast.len()).map(actor).collect();
    let body = |character| Follows {
        answers,
        ..Follows::new(&scene.record, character)
    };
    let mut bodies: Vec<Follows> = (0..actors.len()).map(body).collect();
    let mut numbers: Vec<Numbers> = actors.iter().map(|_| Numbers::default()).collect();
    let mut run = Run::default();
    let mut events = simulated.events.iter().peekable();
    for tick in 0..=simulated.ticks {
        world.advance_to(tick);
        while let Some(event) = events.next_if(|event| event.tick == tick) {
            for change in &event.changes {
                let set = world.set(&change.atom, change.after.clone());
                set.expect("a value of the fact");
            }
        }
        for (number, actor) in actors.iter_mut().enumerate() {
            let body = &mut bodies[number];
            let done = actor.tick(&mut world, body, TickBudget::unlimited());
            assert_ne!(done.status, Status::Unfinished);
            record((number, tick), done.events, &mut run, &mut numbers[number]);
            let running = actor.running_steps();
            let running = running.filter(|(_, execution)| execution.acted.is_none());
            assert_eq!(running.count(), body.running.len(), "tick {tick}");
        }
        if reloads() {
            let (again, loaded) = saved::reloaded(domain, &world, &actors);
            let loaded = loaded.into_iter();
            let loaded = loaded.map(|actor| actor.with_search_budget(search));
            (world, actors) = (again, loaded.collect());
        }
    }
    run
}

/// Checks that the record of the actors begins with that of the simulator, and has more only at the last
/// tick: the simulator ends there as soon as all are done.
fn begins_with<T: PartialEq + std::fmt::Debug>(
    played: &[T],
    simulated: &[T],
    is_last: impl Fn(&T) -> bool,
    (converted, context): (&dyn Fn(&str) -> String, &str),
) {
    for (number, (played, simulated)) in played.iter().zip(simulated).enumerate() {
        if played != simulated {
            let [own, other] = [played, simulated].map(|one| format!("{one:?}"));
            assert_eq!(own, converted(&other), "{number} of {context}");
        }
    }
    assert!(played.len() >= simulated.len(), "less of {context}");
    let more = &played[simulated.len()..];
    assert!(more.iter().all(is_last), "more of {context}: {more:?}");
}

/// Checks that a scenario's actors in a game do the same as in a simulated run of it, even if the game is
/// saved and loaded at some ticks.
pub fn check(
    domain: &Domain,
    scenario: &Name,
    simulated: &Run,
    reloads: impl FnMut() -> bool,
    game: Game,
    context: &str,
) {
    let played = played(domain, scenario, simulated, reloads, game);
    check_played(played, simulated, &str::to_owned, context);
}

/// Checks that a record of actors in a game is that of a simulated run, once the simulated one's texts are
/// converted.
pub fn check_played(
    played: Run,
    simulated: &Run,
    converted: &dyn Fn(&str) -> String,
    context: &str,
) {
    let last = simulated.ticks;
    let of = |what: &str| format!("{what}: {context}");
    begins_with(
        &played.plans,
        &simulated.plans,
        |planning| planning.tick == last,
        (converted, &of("plans")),
    );
    begins_with(
        &played.perceptions,
        &simulated.perceptions,
        |perception| perception.tick == last,
        (converted, &of("perceptions")),
    );
    let ended = simulated.executed.iter().filter(|step| step.end.is_some());
    let ended: Vec<StepExecution> = ended.cloned().collect();
    begins_with(
        &played.executed,
        &ended,
        |step| step.end == Some(last),
        (converted, &of("steps")),
    );
}

#[test]
fn shipped_scenarios_run_alike_as_actors_even_if_reloaded_and_in_the_simulator() {
    let (mut scenarios, mut steps) = (0, 0);
    for file in EXAMPLES {
        let document = example(file);
        let domain = Domain::from(&document);
        for scenario in document.scenarios.keys() {
            let run = simulate(&domain, scenario, Budget::default(), 200);
            let context = format!("{file}, {scenario}");
            let game = Game::default;
            check(&domain, scenario, &run, || false, game(), &context);
            let mut random = Random(steps as u64 + 1);
            let reloads = || random.below(3) == 0;
            check(
                &domain,
                scenario,
                &run,
                reloads,
                game(),
                &format!("{context}, saved"),
            );
            scenarios += 1;
            steps += run.executed.len();
        }
    }
    assert!(
        scenarios >= 48 && steps > 500,
        "{scenarios} scenarios of {steps} steps"
    );
}

#[test]
fn types_are_send_and_sync() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<(World, Actor, taskloom_runtime::Orders)>();
}
