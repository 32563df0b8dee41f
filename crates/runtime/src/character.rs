//! A character in play: the execution of its plan tick by tick, in whosever world.
//!
//! At each tick, of each step in progress its integrity rules and those of every
//! compound task above it are checked; once its action's duration is over its effects
//! apply; it is complete as soon as its completion conditions hold after that; the next
//! step starts if its preconditions hold. Steps of different executors may be in progress
//! side by side. Whatever fails fails the plan: the character
//! wants another one, from the world as it is then, for the tasks that are not complete.

use std::collections::VecDeque;
use std::sync::Arc;

use super::following::Following;
use super::open::{Attempt, Differs, Open, Progressed};
use super::run::{Cause, Execution, Reason, TaskState};
use super::scene::Scene;
use taskloom_domain::lang::Env;
use taskloom_domain::lang::typed::Call;
use taskloom_planner::plan::{GroundTask, Outcome, Plan, World};

/// What a character has to do, and how far it is.
#[derive(Debug, Clone)]
pub struct Character {
    /// The tasks that are not complete, in sequence; none where one of them cannot be read.
    tasks: Option<Vec<Call>>,
    doing: Doing,
    /// How many plannings there were.
    plannings: usize,
    /// How many steps have ended.
    ended: usize,
    /// What is open of the plan that it followed last, where a task is under way.
    progressed: Option<Progressed>,
    /// The number of steps that it has done since it last planned without going on.
    steps_before: usize,
    /// Steps that were interrupted as another one failed, and of which nobody has heard yet.
    interrupted: VecDeque<(GroundTask, Execution)>,
}

/// What a character is about.
#[derive(Debug, Clone)]
enum Doing {
    /// It has to plan.
    Planning(Cause),
    /// It has no plan, and waits for the world to change.
    Waiting,
    /// It looks no further than a step, and that is complete: what is left of its plan.
    GoingOn(Box<Open>),
    /// It has to plan, from this tick on; none: once it notices something, or looks for another plan.
    Recovering(Option<u32>, Cause),
    /// It follows a plan.
    Following(Box<Following>),
    /// All its tasks are complete.
    Nothing,
    /// All that it wants is so.
    Content,
    /// Its planner was stopped.
    Stopped,
}

/// What came of a character's work on its plan.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// A step has ended: it is complete, or has failed, and the plan with it. There may be
    /// more to do at the same tick.
    Ended {
        /// Its task.
        task: GroundTask,
        /// What became of it.
        execution: Execution,
    },
    /// There is no more to do at this tick.
    Waiting,
    /// All tasks are complete.
    Complete,
    /// Its planner was stopped.
    Stopped,
}

impl Character {
    /// A character that has these tasks to do, in sequence, and no plan yet; none where
    /// one of them cannot be read.
    pub fn new(tasks: Option<Vec<Call>>) -> Self {
        Self {
            tasks,
            doing: Doing::Planning(Cause::Start),
            plannings: 0,
            ended: 0,
            progressed: None,
            steps_before: 0,
            interrupted: VecDeque::new(),
        }
    }

    /// Why it needs a plan; none where it has one, or waits.
    pub fn needs_plan(&self) -> Option<Cause> {
        match self.doing {
            Doing::Planning(cause) => Some(cause),
            Doing::Following(ref following) => following.reconsiders,
            Doing::GoingOn(_) => Some(Cause::Onward),
            _ => None,
        }
    }

    /// Whether all its tasks are complete, or all that it wants is so.
    pub fn is_complete(&self) -> bool {
        matches!(self.doing, Doing::Nothing | Doing::Content)
    }

    /// Whether all that it wants is so, as long as nothing changes.
    pub fn is_content(&self) -> bool {
        matches!(self.doing, Doing::Content)
    }

    /// Whether its step is complete, and it looks no further than one.
    pub fn is_going_on(&self) -> bool {
        matches!(self.doing, Doing::GoingOn(_))
    }

    /// The number of steps that come before the one that it plans next while it goes on.
    pub fn steps_before(&self) -> usize {
        self.steps_before
    }

    /// It has goals, and all that it wants is so.
    pub fn rest(&mut self) {
        self.doing = Doing::Content;
    }

    /// It wants something again.
    pub fn want(&mut self) {
        if self.is_content() {
            self.doing = Doing::Planning(Cause::Event);
        }
    }

    /// Without a plan, it plans again, as time has passed.
    pub fn try_anew(&mut self, cause: Cause) {
        if self.is_waiting() {
            self.doing = Doing::Planning(cause);
        }
    }

    /// A tick begins: it may have recovered.
    pub fn wake(&mut self, tick: u32) {
        if let Doing::Recovering(Some(from), cause) = self.doing
            && from <= tick
        {
            self.doing = Doing::Planning(cause);
        }
    }

    /// After a step has failed it plans only after so many ticks; none: only when it notices
    /// something.
    pub fn recover(&mut self, tick: u32, wait: Option<u32>) {
        if let Doing::Planning(cause @ Cause::Failure(_)) = self.doing {
            let from = wait.map(|wait| tick.saturating_add(wait.max(1)));
            self.doing = Doing::Recovering(from, cause);
        }
    }

    /// Its tasks are complete, and from this tick on it does them again.
    pub fn begin_again(&mut self, tasks: Option<Vec<Call>>, from: u32) {
        self.tasks = tasks;
        self.progressed = None;
        self.doing = Doing::Recovering(Some(from), Cause::Again);
    }

    /// Looks for another plan than the one that it follows, or that has failed.
    pub fn reconsider(&mut self, cause: Cause) {
        match &mut self.doing {
            Doing::Following(following) if following.is_done() => {}
            Doing::Following(following) => following.reconsiders = Some(cause),
            // Other reasons count only while a plan is followed.
            Doing::Recovering(None, _) if cause == Cause::Every => {
                self.doing = Doing::Planning(cause);
            }
            _ => {}
        }
    }

    /// Looks for no other plan any more.
    pub fn keep(&mut self) {
        if let Doing::Following(following) = &mut self.doing {
            following.reconsiders = None;
        }
    }

    /// Whether there is a plan, or was one, in whose place it may look for another.
    pub fn may_reconsider(&self) -> bool {
        matches!(self.doing, Doing::Following(_) | Doing::Recovering(None, _))
    }

    /// What may be planned next, in the order in which it is tried.
    pub fn attempts(
        &self,
        world: &World,
        is_reactive: bool,
        has_rules: &dyn Fn(&GroundTask) -> bool,
    ) -> Vec<Attempt> {
        let alone = |tasks| Attempt {
            open: None,
            tasks,
            excludes: true,
            differs: Differs::Anyhow,
        };
        let progressed = match &self.doing {
            Doing::GoingOn(open) => {
                return vec![Attempt {
                    tasks: open.next().map(|next| vec![next.clone()]),
                    open: Some((**open).clone()),
                    ..alone(None)
                }];
            }
            Doing::Following(following) => Some(following.progressed()),
            _ => self.progressed.clone(),
        };
        let calls = self.tasks(world);
        match progressed.filter(|progressed| progressed.plan.aim.is_none()) {
            Some(progressed) => progressed.attempts(calls.as_deref(), is_reactive, has_rules),
            None => vec![alone(calls)],
        }
    }

    /// The plan that it follows, as far as it has been executed.
    pub fn following(&self) -> Option<&Following> {
        match &self.doing {
            Doing::Following(following) => Some(following),
            _ => None,
        }
    }

    /// Gives up what remains of its plan, as that is no longer possible and there is no other. Returns
    /// the steps that were in progress.
    pub fn stop(&mut self, why: &str, tick: u32) -> Vec<Execution> {
        self.plannings += 1;
        let Doing::Following(old) = &mut self.doing else {
            return vec![];
        };
        let stopped = old.stop(why, tick);
        self.ended += stopped.len();
        let (progressed, complete) = (old.progressed(), old.complete_tasks());
        self.give_up(progressed, complete);
        self.doing = Doing::Waiting;
        stopped
    }

    /// Remembers what is open of a plan that is not followed any more, of which so many of its tasks
    /// are complete.
    fn give_up(&mut self, progressed: Progressed, complete: usize) {
        if let Some(tasks) = &mut self.tasks {
            tasks.drain(..complete.min(tasks.len()));
        }
        self.progressed = Some(progressed);
    }

    /// Follows another plan, which was validated, instead of the one that it follows. One that begins
    /// with steps in progress goes on with them. Returns the others, which are interrupted. The world
    /// says what the texts mean.
    pub fn replanned(
        &mut self,
        plan: &Arc<Plan>,
        attempt: Option<Attempt>,
        world: &World,
        tick: u32,
    ) -> Vec<Execution> {
        let number = self.plannings;
        self.plannings += 1;
        let Doing::Following(old) = &mut self.doing else {
            return vec![];
        };
        self.steps_before = 0;
        let complete = old.complete_tasks();
        let (plan, begun) = whole(attempt.and_then(|attempt| attempt.open), plan);
        let mut following = Following::new(plan, begun, number);
        let interrupted = following.take_over(old, world, tick);
        self.ended += interrupted.len();
        **old = following;
        if let Some(tasks) = &mut self.tasks {
            tasks.drain(..complete.min(tasks.len()));
        }
        interrupted
    }

    /// Whether it has no plan, and waits for the world to change.
    pub fn is_waiting(&self) -> bool {
        matches!(self.doing, Doing::Waiting | Doing::Recovering(None, _))
    }

    /// The tasks that are not complete, with the objects that they are about in this
    /// world; none where one of them cannot be read, or an argument has no value.
    pub fn tasks(&self, world: &World) -> Option<Vec<GroundTask>> {
        let complete = match &self.doing {
            Doing::GoingOn(open) => return open.next().map(|next| vec![next.clone()]),
            Doing::Following(following) => following.complete_tasks(),
            _ => 0,
        };
        let tasks = self.tasks.as_ref()?.iter().skip(complete);
        let ground = tasks.map(|call| world.ground(call, &Env::new()).ok());
        ground.collect()
    }

    /// The plan that it follows, and the first step of it that is not complete.
    pub fn plan(&self) -> Option<(&Arc<Plan>, usize)> {
        match &self.doing {
            Doing::Following(following) => Some((&following.plan, following.step())),
            _ => None,
        }
    }

    /// The steps of its plan that are in progress, by their numbers; if there is none, the next one.
    pub fn steps(&self) -> Vec<usize> {
        match &self.doing {
            Doing::Following(following) => following.steps(),
            _ => vec![],
        }
    }

    /// The task of a step of the plan that it follows, or has just given up.
    pub fn task_of(&self, execution: &Execution) -> Option<GroundTask> {
        let plan = match &self.doing {
            Doing::Following(following) => &following.plan,
            _ => &self.progressed.as_ref()?.plan,
        };
        Some(plan.steps.get(execution.step)?.task.clone())
    }

    /// The steps in progress, in the order of the plan.
    pub fn executions(&self) -> impl Iterator<Item = &Execution> {
        let following = match &self.doing {
            Doing::Following(following) => Some(following),
            _ => None,
        };
        following
            .into_iter()
            .flat_map(|following| following.running())
    }

    /// The steps that were interrupted as another one failed, once.
    pub fn take_interrupted(&mut self) -> Vec<Execution> {
        self.interrupted
            .drain(..)
            .map(|(_, execution)| execution)
            .collect()
    }

    /// The world has changed: without a plan, it plans again.
    pub fn notice(&mut self) {
        if self.is_waiting() {
            self.doing = Doing::Planning(Cause::Event);
        }
    }

    /// What planning came to, its plan validated; or why the validator refuses the plan,
    /// which is a fault of the planner's.
    pub fn planned(&mut self, outcome: &Result<Outcome, String>, attempt: Option<Attempt>) {
        let mut open = attempt.and_then(|attempt| attempt.open);
        match std::mem::replace(&mut self.doing, Doing::Waiting) {
            Doing::GoingOn(rest) => {
                self.progressed = Some((*rest).clone().into_progressed());
                open.get_or_insert(*rest);
            }
            _ => self.steps_before = 0,
        }
        self.doing = match outcome {
            Ok(Outcome::Plan(plan)) => {
                self.progressed = None;
                let (plan, begun) = whole(open, plan);
                Doing::Following(Box::new(Following::new(plan, begun, self.plannings)))
            }
            // With the world unchanged the answer would be the same.
            Ok(Outcome::NoPlan | Outcome::GaveUp(_) | Outcome::NotPlanned(_)) | Err(_) => {
                Doing::Waiting
            }
            Ok(Outcome::Stopped) => Doing::Stopped,
        };
        self.plannings += 1;
    }

    /// Goes on with the plan, up to the end of a step or of this tick.
    pub fn act(&mut self, world: &mut World, tick: u32) -> Progress {
        let mut scene = Scene {
            world,
            belief: None,
            senses: None,
            fails: &mut |_| false,
            has_rules: &|_| false,
            is_news: false,
        };
        self.act_in(&mut scene, tick)
    }

    /// Carries on the steps whose duration is over, up to the end of one.
    pub fn settle(&mut self, scene: &mut Scene, tick: u32) -> Progress {
        let Doing::Following(following) = &mut self.doing else {
            return Progress::Waiting;
        };
        match following.settle(scene, tick) {
            Some(execution) => self.end_step(execution, tick),
            None => Progress::Waiting,
        }
    }

    /// The same where what it believes may differ from the world, and actions may fail by
    /// themselves.
    pub fn act_in(&mut self, scene: &mut Scene, tick: u32) -> Progress {
        if let Some((task, execution)) = self.interrupted.pop_front() {
            return Progress::Ended { task, execution };
        }
        let following = match &mut self.doing {
            Doing::Planning(_) | Doing::Recovering(..) | Doing::Waiting | Doing::GoingOn(_) => {
                return Progress::Waiting;
            }
            Doing::Nothing | Doing::Content => return Progress::Complete,
            Doing::Stopped => return Progress::Stopped,
            Doing::Following(following) => following,
        };
        if following.is_done() {
            let progressed = following.progressed();
            if following.is_part_of_the_tasks()
                && let Some(open) = progressed.open(None, true, scene.has_rules)
            {
                self.steps_before += following.plan.steps.len();
                let complete = following.plan.roots.len() - open.roots();
                if let Some(tasks) = &mut self.tasks {
                    tasks.drain(..complete.min(tasks.len()));
                }
                self.doing = Doing::GoingOn(Box::new(open));
                return Progress::Waiting;
            }
            if following.plan.is_part_of_the_way() {
                self.doing = Doing::Recovering(Some(tick.saturating_add(1)), Cause::Onward);
                return Progress::Waiting;
            }
            self.doing = Doing::Nothing;
            if let Some(tasks) = &mut self.tasks {
                tasks.clear();
            }
            return Progress::Complete;
        }
        match following.carry_out(scene, tick) {
            Some(execution) => self.end_step(execution, tick),
            None => Progress::Waiting,
        }
    }

    /// A step of its plan has ended, and the plan with it if the step has failed.
    fn end_step(&mut self, execution: Execution, tick: u32) -> Progress {
        let Doing::Following(following) = &mut self.doing else {
            return Progress::Waiting;
        };
        let task = following.plan.steps[execution.step].task.clone();
        let number = self.ended;
        self.ended += 1;
        if execution.state == TaskState::Failed {
            let complete = following.complete_tasks();
            for beside in following.interrupt(execution.step, tick) {
                let task = following.plan.steps[beside.step].task.clone();
                self.interrupted.push_back((task, beside));
                self.ended += 1;
            }
            let mut progressed = following.progressed();
            if let Some(Reason::Integrity(task, _)) = &execution.reason {
                progressed.broken = following.node_of(execution.step, task);
            }
            self.give_up(progressed, complete);
            // Planning again at the same tick could go on for ever where a step fails as
            // soon as it starts: that is for the next tick.
            self.doing = Doing::Planning(Cause::Failure(number));
        }
        Progress::Ended { task, execution }
    }

    /// The next tick at which it has anything to do, if nobody else changes the world.
    pub fn next_tick(&self, tick: u32) -> Option<u32> {
        match &self.doing {
            Doing::Planning(_) | Doing::GoingOn(_) => Some(tick.saturating_add(1)),
            Doing::Recovering(from, _) => *from,
            Doing::Nothing | Doing::Content | Doing::Waiting | Doing::Stopped => None,
            Doing::Following(following) => following.next_tick(tick),
        }
    }
}

/// A plan as part of the tree of what was open, and what was done of the tasks above.
fn whole(open: Option<Open>, plan: &Arc<Plan>) -> (Arc<Plan>, Vec<Option<GroundTask>>) {
    match open {
        Some(open) => {
            let (plan, begun) = open.joined(plan);
            (Arc::new(plan), begun)
        }
        None => (plan.clone(), vec![]),
    }
}
