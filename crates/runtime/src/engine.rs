//! A run of a scenario, tick by tick.
//!
//! At each tick, in this order: the scenario's events of the tick happen; then each character of
//! the cast has its turn: it looks at the world, plans where it has to, and carries its plan out
//! ([`Character::act_in`](super::Character::act_in)). Where a plan fails it plans again at a later
//! tick, from what it believes then, for the tasks that are not complete. Where there is no plan,
//! it waits until what it believes changes.

use std::mem;

use super::chance::Failures;
use super::character::{Character, Progress};
use super::deliberation::{Deliberation, Verdict};
use super::events::Happenings;
use super::member::Member;
use super::run::{Cause, Execution, Perception, Planning, Reason, Run, RunEnd, TaskState};
use super::scene::Scene;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name, Scenario};
use taskloom_domain::Player;
use taskloom_domain::chance::seed_of_planning;
use taskloom_domain::lang::Clock;
use taskloom_planner::compile::{Compilation, Problem};
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

/// The number of steps after which a run is cut off: its record has to end somewhere, however many of
/// them take no time.
pub const MOST_STEPS: usize = 100_000;

/// A run of a scenario in progress: each step of it is short, and it asks for the plans
/// that it needs.
pub struct Simulation<'a> {
    document: &'a Document,
    name: Name,
    scenario: &'a Scenario,
    /// The character whose problem is compiled, if any is.
    compiling: Option<(usize, Box<Compilation<'a>>)>,
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
    /// What the characters plan is compiled.
    Prepare,
    /// The events of this tick happen.
    Happen,
    /// A character's turn begins: it looks.
    Look,
    /// Its steps whose duration is over act.
    Settle,
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
        let sensed = players.iter().map(Player::sensed).collect();
        // The problems of the others are compiled in steps.
        let member = |player| Member::new(player, world.clone(), problem.clone(), is_alone);
        let members: Vec<Member> = players.into_iter().map(member).collect();
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
            phase: Phase::Prepare,
            document,
            name: name.clone(),
            compiling: None,
            run: Run {
                senses: sensed,
                ..Run::default()
            },
        })
    }

    /// Goes on by the events of a tick, by a step of a plan, or to the next tick.
    pub fn step(&mut self) -> Next {
        match self.phase {
            Phase::Prepare => self.prepare(),
            Phase::Happen => self.happen(),
            Phase::Look => self.look(),
            Phase::Settle => self.settle(),
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

    /// Compiles a part of what the characters plan but for the first one, whose problem is known.
    fn prepare(&mut self) {
        let next = |number| {
            let compilation =
                Compilation::new(self.document, (&self.name, number), &Stop::default());
            (number, Box::new(compilation))
        };
        let (number, mut compilation) = match self.compiling.take() {
            Some(compiling) => compiling,
            None if self.members.len() > 1 => next(1),
            None => {
                self.phase = Phase::Happen;
                return;
            }
        };
        match compilation.step() {
            None => self.compiling = Some((number, compilation)),
            Some(problem) => {
                self.members[number].problem = problem;
                if number + 1 < self.members.len() {
                    self.compiling = Some(next(number + 1));
                } else {
                    self.phase = Phase::Happen;
                }
            }
        }
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
        self.phase = Phase::Settle;
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        member.set_time(tick);
        let changes = member.look(tick);
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

    /// Carries on a step of a plan whose duration is over; after the last one, there may be reasons to
    /// plan.
    fn settle(&mut self) {
        if let Progress::Ended { execution, .. } = self.act(Character::settle) {
            self.step_ended(execution);
            return;
        }
        let turn = self.turn;
        self.tell_acted();
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        member.begin_turn(self.tick);
        member.world.swap_values(&mut self.world);
        self.phase = Phase::Plan;
    }

    /// Asks for a plan, where one is needed that is not known.
    fn plan(&mut self) -> Next {
        self.phase = Phase::Follow;
        let turn = self.turn;
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
            None => self.ask(),
        }
    }

    /// Asks for the next plan that may do; where there is none, the character goes on without.
    fn ask(&mut self) -> Next {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        member.world.swap_values(&mut self.world);
        let is_new = member.deliberation.is_none();
        let begun = match is_new {
            true => member.deliberate(tick, &Stop::default()),
            false => Ok(()),
        };
        let seed = self.scenario.seed;
        let problem = begun.map(|()| member.ask(tick, |tick| seed_of_planning(seed, turn, tick)));
        member.world.swap_values(&mut self.world);
        match problem {
            Ok(Some(problem)) => return Next::Plan(problem),
            Ok(None) => {
                let verdict = member
                    .deliberation
                    .as_ref()
                    .map(Deliberation::without_search);
                self.conclude(verdict.unwrap_or(Verdict::Wait), Ok(Outcome::NoPlan));
            }
            Err(limit) => self.conclude(Verdict::Keep, Ok(Outcome::GaveUp(limit))),
        }
        Next::More
    }

    /// Takes in what planning came to that was asked for. A plan is validated, until the stop is
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
        let member = &mut self.members[self.turn];
        match member.judge(&outcome) {
            Verdict::Next => self.phase = Phase::Plan,
            verdict => self.conclude(verdict, outcome),
        }
    }

    /// Ends the deliberation of the character whose turn it is.
    fn conclude(&mut self, verdict: Verdict, outcome: Result<Outcome, String>) {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let attempt = member.end_deliberation();
        let Some(cause) = member.character.needs_plan() else {
            return;
        };
        let noticed = member.take_noticed();
        if let Ok(outcome) = &outcome {
            member.pursuit.planned(outcome, tick);
        }
        if verdict == Verdict::Keep {
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
        member.note_draws(tick);
        member.plannings.push(self.run.plans.len());
        let wants = member.pursuit.wants.clone();
        let ended = match (&verdict, &outcome) {
            (Verdict::Stop(why), _) => member.character.stop(why, tick),
            (_, Ok(Outcome::Plan(plan))) => {
                member.depend();
                let Member {
                    character, world, ..
                } = member;
                if character.plan().is_some() {
                    character.replanned(plan, attempt, world, tick)
                } else {
                    character.planned(&outcome, attempt);
                    vec![]
                }
            }
            _ => {
                member.character.planned(&outcome, attempt);
                vec![]
            }
        };
        for execution in ended {
            self.push(execution);
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

    /// Lets the character act whose turn it is.
    fn act(&mut self, act: fn(&mut Character, &mut Scene, u32) -> Progress) -> Progress {
        let (turn, tick) = (self.turn, self.tick);
        let member = &mut self.members[turn];
        let failures = &mut self.failures;
        member.world.swap_values(&mut self.world);
        let before = member.world.revision();
        let (belief, senses) = member.belief.as_mut().map(|(b, s)| (b, &*s)).unzip();
        let domain = member.world.domain().clone();
        let mut scene = Scene {
            world: &mut member.world,
            belief,
            senses,
            fails: &mut |task: &GroundTask| failures.fails(turn, task, tick),
            has_rules: &|task| {
                let task = domain.compound(&task.task);
                task.is_some_and(|task| !domain.integrity(task).is_empty())
            },
            is_news: false,
        };
        let progress = act(&mut member.character, &mut scene, tick);
        if scene.is_news {
            member.has_changed_itself = true;
            self.changed_at = tick;
        }
        self.has_changed |= member.world.revision() != before;
        member.world.swap_values(&mut self.world);
        progress
    }

    /// Goes on with the plan.
    fn follow(&mut self) -> Next {
        match self.act(Character::act_in) {
            Progress::Ended { execution, .. } => self.step_ended(execution),
            Progress::Waiting if self.members[self.turn].character.is_going_on() => {
                self.goes_on();
            }
            Progress::Waiting => {
                self.tell_acted();
                self.end_turn();
            }
            Progress::Complete => {
                self.members[self.turn].complete(self.tick);
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
        if self.run.executed.len() >= MOST_STEPS {
            return self.end(RunEnd::OutOfTicks);
        }
        Next::More
    }

    /// A step has ended of the character whose turn it is.
    fn step_ended(&mut self, execution: Execution) {
        let (turn, tick) = (self.turn, self.tick);
        self.tell(&execution);
        let reason = execution.reason.clone();
        let task = self.members[turn].character.task_of(&execution);
        let has_failed = execution.state == TaskState::Failed;
        self.push(execution);
        if !has_failed {
            return;
        }
        for beside in self.members[turn].character.take_interrupted() {
            self.tell(&beside);
            self.push(beside);
        }
        let member = &mut self.members[turn];
        let is_unforeseen = match reason {
            Some(Reason::Effects(_) | Reason::Denied(_)) => true,
            // Who decomposes tasks has waited as long as its trigger says.
            Some(Reason::Action) => member.has_goals(),
            _ => false,
        };
        if let Some(task) = task.filter(|_| is_unforeseen) {
            member.exclude(&task);
        }
        member.plans += 1;
        member.take_noticed();
        member.recover(tick);
        self.end_turn();
    }

    /// Lets all know what steps have changed that acted at this tick and then wait.
    fn tell_acted(&mut self) {
        let tick = self.tick;
        let running = self.members[self.turn].character.executions();
        let acted = running.filter(|step| step.acted == Some(tick)).cloned();
        for step in acted.collect::<Vec<Execution>>() {
            self.tell(&step);
        }
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
        if step.acted.or(step.end) == Some(self.tick) {
            let own = step.changes.iter().chain(&step.learned);
            self.members[self.turn].lift_failed(own);
        }
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
