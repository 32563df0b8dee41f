//! A run of a scenario, tick by tick.
//!
//! At each tick, in this order: the scenario's events of the tick happen; then each character of
//! the cast has its turn: it looks at the world, plans where it has to, and carries its plan out
//! ([`Character::act_in`](super::Character::act_in)). Where a plan fails it plans again at a later
//! tick, from what it believes then, for the tasks that are not complete. Where there is no plan,
//! it waits until what it believes changes.

use std::mem;

use super::chance::Failures;
use super::character::Progress;
use super::events::Happenings;
use super::member::Member;
use super::run::{Cause, Execution, Perception, Planning, Run, RunEnd, TaskState};
use super::scene::Scene;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Scenario};
use taskloom_domain::Player;
use taskloom_domain::chance::seed_of_planning;
use taskloom_domain::lang::Clock;
use taskloom_planner::compile::{Problem, compile_until};
use taskloom_planner::plan::{Change, GroundTask, Outcome, World};

/// How many plans of a character may fail until its tasks are complete; one that it gives up for
/// another has not failed.
pub const MOST_PLANS: usize = 20;

/// The last tick of a run, where nothing else is asked for.
pub const MOST_TICKS: u32 = 10_000;

/// The last tick of a run in which a character begins again whenever its tasks are complete.
pub const MOST_TICKS_OF_ENDLESS: u32 = 500;

/// So many steps a character goes on to at one tick that looks no further than a step.
const MOST_STEPS_AT_TICK: usize = 100;

/// A run of a scenario in progress: each step of it is short, and it asks for the plans
/// that it needs.
pub struct Simulation<'a> {
    scenario: &'a Scenario,
    /// What planning the situation as it stands comes to for the first character, where that is
    /// known.
    first: Option<Outcome>,
    max_ticks: u32,
    world: World<'a>,
    members: Vec<Member<'a>>,
    /// Whose turn it is.
    turn: usize,
    tick: u32,
    /// How far it is in this tick.
    phase: Phase,
    happenings: Happenings<'a>,
    /// What the document asks the time for.
    clock: Clock,
    failures: Failures,
    /// Whether anything has changed at this tick.
    has_changed: bool,
    /// The last tick at which anything did, or somebody learned by what it did itself.
    changed_at: u32,
    /// How many steps somebody has gone on to at this tick who looks no further.
    steps_at_tick: usize,
    run: Run,
}

/// What comes next in a [`Simulation`].
#[derive(Debug)]
pub enum Next {
    /// Another step.
    More,
    /// [`Simulation::planned`]: a plan is wanted for the scenario as it is at this moment.
    Plan(Problem),
    /// Nothing: this is what happened. Further steps tell of nothing.
    Ended(Box<Run>),
}

/// What a tick does next.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// The events of this tick happen.
    Happen,
    /// A character's turn begins: it looks.
    Look,
    /// It plans, where it has to.
    Plan,
    /// It carries its plan on.
    Follow,
    /// The next tick begins.
    Pass,
    /// The run has ended.
    Over,
}

impl<'a> Simulation<'a> {
    /// A run until tick `max_ticks` that has not begun, of a document without muted blocks
    /// (see [`Document::without_muted`]); none of a scenario that does not exist. `problem`
    /// is what the scenario was compiled to for its first character. `first` is what planning that
    /// comes to as it stands, validated, where that is known; it is of no use if events or
    /// perceptions change the first tick.
    pub fn new(
        document: &'a Document,
        scenario: &Name,
        problem: &Problem,
        first: Option<Outcome>,
        max_ticks: u32,
    ) -> Option<Self> {
        let (name, scenario) = document.scenarios.get_key_value(scenario)?;
        let scenario = &**scenario;
        let world = World::initial(document, scenario);
        let players = Player::all(document, scenario);
        let is_alone = players.len() == 1;
        let member = |(number, player)| {
            let problem = match number {
                0 => problem.clone(),
                _ => compile_until(document, (name, number), &Stop::default()).ok()?,
            };
            Some(Member::new(player, world.clone(), problem, is_alone))
        };
        let members: Vec<Member> = players
            .into_iter()
            .enumerate()
            .map(member)
            .collect::<Option<_>>()?;
        let is_endless = members.iter().any(Member::is_endless);
        Some(Self {
            scenario,
            first,
            max_ticks: if is_endless {
                max_ticks.min(MOST_TICKS_OF_ENDLESS)
            } else {
                max_ticks
            },
            clock: world.domain().clock(),
            happenings: Happenings::new(&world),
            failures: Failures::new(scenario),
            has_changed: false,
            changed_at: 0,
            steps_at_tick: 0,
            members,
            turn: 0,
            world,
            tick: 0,
            phase: Phase::Happen,
            run: Run::default(),
        })
    }

    /// Goes on by the events of a tick, by a step of a plan, or to the next tick.
    pub fn step(&mut self) -> Next {
        match self.phase {
            Phase::Happen => self.happen(),
            Phase::Look => self.look(),
            Phase::Plan => return self.plan(),
            Phase::Follow => return self.follow(),
            Phase::Pass => return self.pass(),
            Phase::Over => return self.end(RunEnd::Stopped),
        }
        Next::More
    }

    /// Ends the run where it is, and returns what has happened so far.
    pub fn stop(&mut self) -> Run {
        self.ended(RunEnd::Stopped)
    }

    fn end(&mut self, end: RunEnd) -> Next {
        Next::Ended(Box::new(self.ended(end)))
    }

    fn ended(&mut self, end: RunEnd) -> Run {
        self.phase = Phase::Over;
        let mut run = mem::take(&mut self.run);
        for member in &self.members {
            let running = member.character.executions().cloned();
            let running = running.map(|execution| numbered(member, execution));
            run.executed.extend(running);
        }
        run.end = end;
        run.ticks = self.tick;
        run
    }

    /// The events of this tick.
    fn happen(&mut self) {
        self.has_changed = false;
        if self.clock.runs {
            self.world.set_time(f64::from(self.tick));
        }
        let (has_changed, members) = (&mut self.has_changed, &mut self.members);
        let mut hear = |writes: &mut Vec<Change>| {
            // What is so already, some may remember otherwise.
            writes.retain(|write| {
                let mut members = members.iter();
                write.before != write.after || members.any(|one| one.remembers_otherwise(write))
            });
            if !writes.is_empty() {
                *has_changed = true;
                for member in &mut *members {
                    member.hear(writes, true);
                }
            }
        };
        let record = &mut self.run.events;
        self.happenings
            .happen(&mut self.world, self.tick, record, &mut hear);
        self.turn = 0;
        self.phase = Phase::Look;
    }

    /// A turn begins.
    fn look(&mut self) {
        self.phase = Phase::Plan;
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        member.set_time(tick);
        let changes = member.look(tick);
        member.begin_turn(tick);
        member.world.swap_values(&mut self.world);
        if !changes.is_empty() {
            self.run.perceptions.push(Perception {
                tick,
                character: turn,
                changes,
            });
        }
    }

    /// The turn ends.
    fn end_turn(&mut self) {
        self.turn += 1;
        self.steps_at_tick = 0;
        self.phase = if self.turn < self.members.len() {
            Phase::Look
        } else {
            Phase::Pass
        };
    }

    /// Asks for a plan, where one is needed that is not known.
    fn plan(&mut self) -> Next {
        self.phase = Phase::Follow;
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let Some(cause) = member.character.needs_plan() else {
            return Next::More;
        };
        if member.plans == MOST_PLANS && member.character.plan().is_none() {
            return self.end(RunEnd::OutOfPlans);
        }
        let is_untouched = cause == Cause::Start
            && turn == 0
            && self.run.events.iter().all(|event| event.changes.is_empty())
            && self.run.perceptions.is_empty();
        match self.first.take().filter(|_| is_untouched) {
            Some(first) if !member.wants_reads() => {
                member.pursuit.wants = member.problem.wants();
                self.note(Ok(first));
                Next::More
            }
            Some(first) => {
                member.pursuit.wants = member.problem.wants();
                self.planned(first, &Stop::default());
                Next::More
            }
            None => {
                member.world.swap_values(&mut self.world);
                let seed = seed_of_planning(self.scenario.seed, turn, tick);
                let problem = member.ask(seed);
                member.world.swap_values(&mut self.world);
                Next::Plan(problem)
            }
        }
    }

    /// What planning came to that was asked for. A plan is validated, until the stop is
    /// heard; one that the validator refuses is a fault of the planner's, and not followed.
    pub fn planned(&mut self, outcome: Outcome, stop: &Stop) {
        let member = &mut self.members[self.turn];
        if member.character.needs_plan().is_none() {
            return;
        }
        member.world.swap_values(&mut self.world);
        let outcome = member.validated(outcome, stop);
        member.world.swap_values(&mut self.world);
        self.note(outcome);
    }

    fn note(&mut self, outcome: Result<Outcome, String>) {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let Some(cause) = member.character.needs_plan() else {
            return;
        };
        if cause == Cause::Alternative && member.keeps_to_its_plan(&outcome) {
            member.character.keep();
            return;
        }
        let cause = match cause {
            Cause::Failure(own) => member
                .ended
                .get(own)
                .map_or(cause, |at| Cause::Failure(*at)),
            _ => cause,
        };
        if cause == Cause::Onward {
            member.plans = 0;
        }
        if let Ok(outcome) = &outcome {
            member.pursuit.planned(outcome, tick);
        }
        if matches!(&outcome, Ok(Outcome::Plan(_))) {
            member.depend();
        }
        member.plannings.push(self.run.plans.len());
        let noticed = member.take_noticed();
        let wants = member.pursuit.wants.clone();
        if member.character.plan().is_some() {
            let Member {
                character, world, ..
            } = member;
            for interrupted in character.replanned(&outcome, world, tick) {
                self.push(interrupted);
            }
        } else {
            member.character.planned(&outcome);
        }
        self.run.plans.push(Planning {
            character: turn,
            tick,
            cause,
            noticed,
            wants,
            outcome,
        });
    }

    /// Keeps what became of a step of the character whose turn it is.
    fn push(&mut self, execution: Execution) {
        let member = &mut self.members[self.turn];
        member.ended.push(self.run.executed.len());
        self.run.executed.push(numbered(member, execution));
    }

    /// Goes on with the plan.
    fn follow(&mut self) -> Next {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let failures = &mut self.failures;
        member.world.swap_values(&mut self.world);
        let before = member.world.revision();
        let mut scene = Scene {
            world: &mut member.world,
            belief: member.belief.as_mut().map(|(belief, _)| belief),
            fails: &mut |task: &GroundTask| failures.fails(turn, task, tick),
            is_news: false,
        };
        let progress = member.character.act_in(&mut scene, tick);
        if scene.is_news {
            member.has_changed_itself = true;
            self.changed_at = tick;
        }
        self.has_changed |= member.world.revision() != before;
        member.world.swap_values(&mut self.world);
        match progress {
            Progress::Ended { execution, .. } => {
                self.tell(&execution);
                let has_failed = execution.state == TaskState::Failed;
                self.push(execution);
                if has_failed {
                    for beside in self.members[turn].character.take_interrupted() {
                        self.tell(&beside);
                        self.push(beside);
                    }
                    self.members[turn].plans += 1;
                    self.members[turn].recover(tick);
                    self.end_turn();
                }
            }
            Progress::Waiting if self.members[turn].character.is_going_on() => {
                self.goes_on();
            }
            Progress::Waiting => {
                // What acts and then waits has changed the world at this tick.
                let running = self.members[turn].character.executions();
                let acted = running.filter(|step| step.acted == Some(tick)).cloned();
                for step in acted.collect::<Vec<Execution>>() {
                    self.tell(&step);
                }
                self.end_turn();
            }
            Progress::Complete => {
                self.members[turn].complete(tick);
                // Who has goals may come to want something again.
                let is_content = |member: &Member| member.character.is_content();
                if self.is_complete() && !self.members.iter().any(is_content) {
                    let end = self.finish();
                    return self.end(end);
                }
                self.end_turn();
            }
            Progress::Stopped => return self.end(RunEnd::Stopped),
        }
        Next::More
    }

    /// Who looks no further than a step plans the next one at the same tick, but not for ever.
    fn goes_on(&mut self) {
        self.steps_at_tick += 1;
        if self.steps_at_tick <= MOST_STEPS_AT_TICK {
            self.phase = Phase::Plan;
        } else {
            self.end_turn();
        }
    }

    fn is_complete(&self) -> bool {
        let mut members = self.members.iter();
        members.all(|member| member.character.is_complete())
    }

    /// Lets the others know what a step has changed at this tick, and its own character remember
    /// that it has seen it.
    fn tell(&mut self, step: &Execution) {
        self.members[self.turn].remember_seen(step, self.tick);
        if step.acted != Some(self.tick) {
            return;
        }
        // From outside its memory is seen, too.
        self.world.apply(&step.changes);
        for (number, member) in self.members.iter_mut().enumerate() {
            if number != self.turn {
                member.hear(&step.changes, false);
            }
        }
    }

    /// Goes on to the next tick at which anything can happen.
    fn pass(&mut self) -> Next {
        self.phase = Phase::Happen;
        if self.has_changed {
            self.changed_at = self.tick;
        }
        let next = self.next_tick();
        let is_idle =
            |member: &Member| member.character.is_waiting() || member.character.is_complete();
        if next.is_none() && self.members.iter().all(is_idle) {
            let end = if self.is_complete() {
                self.finish()
            } else {
                RunEnd::Failed
            };
            return self.end(end);
        }
        match next.filter(|next| *next <= self.max_ticks) {
            Some(next) => {
                self.tick = next;
                Next::More
            }
            None => {
                self.tick = self.max_ticks;
                let is_done =
                    |member: &Member| member.is_endless() || member.character.is_complete();
                let end = if self.members.iter().any(Member::is_endless)
                    && self.members.iter().all(is_done)
                {
                    RunEnd::Endless
                } else {
                    RunEnd::OutOfTicks
                };
                self.end(end)
            }
        }
    }

    /// The next tick at which anything can happen.
    fn next_tick(&self) -> Option<u32> {
        let event = self.happenings.next_tick(self.tick, self.has_changed);
        if self.members.len() > 1 && self.has_changed {
            // Who had its turn before that may find its rules broken, or what it waits for done.
            return self.tick.checked_add(1);
        }
        let members = self.members.iter();
        let own = members.filter_map(|member| member.next_tick(self.tick, self.changed_at));
        // That time passes may break a rule, or bring about what is waited for.
        let busy = self.members.iter().any(Member::is_busy);
        let timed = (self.clock.runs && busy).then(|| self.tick.saturating_add(1));
        let next = own.chain(event).chain(timed).min()?;
        // When what was seen last counts where it is forgotten.
        let forgets = self.members.iter().any(Member::forgets);
        Some(if forgets {
            self.tick.saturating_add(1)
        } else {
            next
        })
    }

    /// All tasks are complete.
    fn finish(&self) -> RunEnd {
        let missed = self.members.iter().find_map(|member| {
            let goal = member.player.goal(self.scenario);
            let mut world = member.world.clone();
            world.swap_values(&mut self.world.clone());
            (!goal.is_empty()).then(|| world.violation_of_scenario(goal))?
        });
        missed.map_or(RunEnd::Complete, RunEnd::GoalMissed)
    }
}

/// A step with the number that its plan has in the run.
fn numbered(member: &Member, execution: Execution) -> Execution {
    Execution {
        plan: member
            .plannings
            .get(execution.plan)
            .copied()
            .unwrap_or(execution.plan),
        ..execution
    }
}
