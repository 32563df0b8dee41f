//! How a character goes on with its plan.

use taskloom::planner::plan::Plan;
use taskloom::runtime::TaskState;

use super::chance::{draw, seed};
use super::interpreter::{Doing, Left, Run};
use super::model::{Arg, Atom, Change, Env, Object, PRIMITIVES};
use super::record::{Cause, End, Step, Why};
use super::{reactive, tree, written};

impl Run<'_> {
    /// Goes on with the plan that a character follows.
    pub fn follow(&mut self, number: usize) {
        while let Doing::Follows(followed, step) = self.cast[number].doing {
            let plan = self.record.plan(followed).clone();
            if step == plan.steps.len() {
                return self.come_to_its_end(number, &plan);
            }
            self.go_on(number, &plan, (followed, step));
            let tick = self.tick;
            let one = &mut self.cast[number];
            let Some(current) = one.current.take_if(|current| current.end.is_some()) else {
                return;
            };
            if current.state == TaskState::Complete {
                one.doing = Doing::Follows(followed, step + 1);
            } else {
                one.failed += 1;
                one.tasks.drain(..tree::done_before(&plan, step));
                let wait = self.domain.agent(number).map_or(Some(1), |a| a.failure);
                let cause = Cause::Failure(self.record.steps.len());
                one.mind.noticed.clear();
                one.doing = match wait {
                    Some(wait) => Doing::HasToPlan(tick + wait, cause),
                    None => Doing::Recovers,
                };
            }
            self.record.steps.push(current);
        }
    }

    /// There is no step left in a character's plan.
    fn come_to_its_end(&mut self, number: usize, plan: &Plan) {
        let left = |node: usize| {
            let (task, object) = tree::task(plan, node);
            let own = tree::ancestors(plan, node);
            let root = own.last().expect("itself");
            let block = match own.len() {
                1 => self.cast[number]
                    .within
                    .as_ref()
                    .and_then(|w| w.block.clone()),
                _ => plan.nodes[node].block.clone(),
            };
            Left {
                call: (task, Arg::Object(object)),
                above: self.links(number, plan, node),
                block,
                root: plan
                    .roots
                    .iter()
                    .position(|other| other == root)
                    .expect("a root"),
            }
        };
        let own = reactive::pending(plan).into_iter().map(left);
        let mut left: Vec<Left> = own.chain(self.cast[number].rest.iter().cloned()).collect();
        let one = &mut self.cast[number];
        if let Some(first) = left.first().map(|first| first.root) {
            one.tasks.drain(..first);
            left.iter_mut().for_each(|left| left.root -= first);
            one.doing = Doing::GoesOn(left);
        } else if plan.aim.as_ref().is_some_and(|aim| aim.goal.is_some()) {
            one.doing = Doing::HasToPlan(self.tick + 1, Cause::Onward);
        } else {
            self.complete(number);
        }
    }

    /// A character's tasks are complete.
    fn complete(&mut self, number: usize) {
        let one = &mut self.cast[number];
        one.failed = 0;
        if self.domain.pursues(number).is_some() {
            one.doing = Doing::Content;
            one.barred.clear();
            return;
        }
        if self.domain.begins_again(number) {
            one.tasks = self.domain.tasks(number).to_vec();
            one.doing = Doing::HasToPlan(self.tick + 1, Cause::Again);
            return;
        }
        one.doing = Doing::Done;
        let mut all = self.cast.iter();
        if all.all(|one| matches!(one.doing, Doing::Done)) {
            self.record.end = self.finish();
        }
    }

    /// How a run ends in which the tasks of all are complete; nothing where they are not.
    pub fn finish(&self) -> Option<End> {
        let is_complete = |doing: &Doing| matches!(doing, Doing::Done | Doing::Content);
        let mut all = self.cast.iter();
        all.all(|one| is_complete(&one.doing)).then(|| {
            let missed = self.cast.iter().find_map(|one| {
                let goal = self.domain.goal(one.number)?;
                one.mind.actual(&self.world).broken(&[goal], Env::default())
            });
            missed.map_or(End::Complete, End::GoalMissed)
        })
    }

    /// Whether an action that is over fails, as the scenario says.
    fn fails(&mut self, number: usize, (task, object): (usize, Object)) -> bool {
        let mut fails = false;
        for (at, failure) in self.domain.failures.iter().enumerate() {
            if failure.task != task || failure.object.is_some_and(|of| of != object) {
                continue;
            }
            let count = &mut self.cast[number].over[at];
            *count += 1;
            let is_time = failure.time.is_none_or(|time| time == *count);
            let decision = format!("failure {at} {number} {} {count}", self.tick);
            let seed = seed(u64::from(self.domain.seed), "failures");
            let is_unlucky = failure
                .chance
                .is_none_or(|chance| draw(seed, &decision) < chance);
            fails |= is_time && is_unlucky;
        }
        fails
    }

    /// What a step comes to at this tick.
    fn go_on(&mut self, number: usize, plan: &Plan, (followed, step): (usize, usize)) {
        let tick = self.tick;
        let node = plan.steps[step].node;
        let (primitive, object) = tree::task(plan, node);
        let task = &self.domain.primitives[primitive];
        let me = self.cast[number].me;
        let env = |object| Env {
            param: Some(object),
            me,
            found: None,
        };
        let believed = self.cast[number].mind.believed(&self.world);
        let actual = self.cast[number].mind.actual(&self.world);
        let starts = self.cast[number].current.is_none();
        let mut current = self.cast[number].current.take().unwrap_or_else(|| {
            let more = if task.depends {
                actual.value(Atom::Number) as u32
            } else {
                0
            };
            Step {
                plan: followed,
                step,
                start: tick,
                due: tick + task.duration + more,
                acted: None,
                end: None,
                state: TaskState::InProgress,
                why: None,
            }
        });
        let why = 'fails: {
            if starts {
                // One that fails before it starts takes no time.
                let due = std::mem::replace(&mut current.due, tick);
                if let Some(rule) = believed.broken(&task.pre, env(object)) {
                    break 'fails Some(Why::Precondition(rule));
                }
                if let Some(rule) = actual.first_broken(&task.pre, env(object)) {
                    // It learns how it is.
                    for atom in actual.read(rule, env(object)) {
                        let value = actual.value(atom);
                        let mind = &mut self.cast[number].mind;
                        mind.believe(atom, value, (tick, false));
                    }
                    let one = &mut self.cast[number];
                    if one.mind.believed(&self.world) != believed {
                        one.stirs = true;
                        self.changed_at = tick;
                    }
                    let rule = actual.broken(&task.pre, env(object));
                    break 'fails rule.map(Why::Denied);
                }
                current.due = due;
            }
            let mut above = self.links(number, plan, node);
            let above: Vec<_> = std::iter::once((primitive, object))
                .chain(above.drain(..).rev().map(|link| link.task))
                .collect();
            for (task, object) in above {
                let rules = match task.checked_sub(PRIMITIVES) {
                    None => &self.domain.primitives[task].integrity,
                    Some(compound) => &self.domain.compounds[compound].integrity,
                };
                if let Some(rule) = believed.broken(rules, env(object)) {
                    let of = written::call((task, Arg::Object(object)));
                    break 'fails Some(Why::Integrity(of, rule));
                }
            }
            if current.acted.is_none() && tick >= current.due {
                if self.fails(number, (primitive, object)) {
                    break 'fails Some(Why::Action);
                }
                let effects = task.effects.iter();
                let effects =
                    effects.filter(|e| e.when.is_none_or(|w| actual.holds(w, env(object))));
                let changes: Vec<Change> = effects.map(|effect| effect.change).collect();
                let Some(writes) = actual.writes(&changes, env(object)) else {
                    break 'fails Some(Why::Effects);
                };
                self.write(Some(number), &writes);
                current.acted = Some(tick);
            }
            None
        };
        let believed = self.cast[number].mind.believed(&self.world);
        if why.is_some() {
            current.state = TaskState::Failed;
            current.end = Some(tick);
            current.why = why;
        } else if current.acted.is_none() {
            current.why = Some(Why::Duration);
        } else if let Some(rule) = believed.broken(&task.done, env(object)) {
            current.why = Some(Why::Completion(rule));
        } else {
            current.state = TaskState::Complete;
            current.end = Some(tick);
            current.why = None;
        }
        self.cast[number].current = Some(current);
    }
}
