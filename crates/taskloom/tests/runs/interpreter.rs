//! A plain and slow interpreter, written from docs/semantics.md, section 5: it looks at
//! every tick, and shares nothing with the simulator but the planner and what plans are.

use taskloom::planner::plan::{NodeKind, Outcome, Plan};
use taskloom::runtime::TaskState;

use super::random::{Arg, Call, Change, Domain, FACTS, MOST, OBJECTS, PRIMITIVES, Test, test};

/// The values of all facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub facts: [bool; FACTS],
    pub of: [bool; OBJECTS],
    pub n: i32,
}

impl State {
    pub fn initial(domain: &Domain) -> Self {
        let mut state = Self {
            facts: [false; FACTS],
            of: [false; OBJECTS],
            n: 0,
        };
        for test in &domain.initial {
            match test {
                Test::Plain(fact, is) => state.facts[*fact] = *is,
                Test::Of(Arg::Object(object), is) => state.of[*object] = *is,
                other => panic!("{other:?} is not an initial value"),
            }
        }
        state
    }

    /// As initial values, in the order of ground facts.
    pub fn written(&self) -> Vec<String> {
        let facts = (0..FACTS).filter(|fact| self.facts[*fact]);
        let mut texts: Vec<String> = facts.map(|fact| format!("f{fact}")).collect();
        let objects = (0..OBJECTS).filter(|object| self.of[*object]);
        texts.extend(objects.map(|object| format!("g(o{object})")));
        texts.extend((self.n != 0).then(|| format!("n = {}", self.n)));
        texts
    }

    fn holds(&self, test: Test, param: usize) -> bool {
        match test {
            Test::Plain(fact, is) => self.facts[fact] == is,
            Test::Of(arg, is) => self.of[object(arg, param)] == is,
            Test::AtLeast(k, is) => (self.n >= k) == is,
        }
    }

    /// The first of some rules that does not hold, with the value of what it reads where
    /// it does not say it itself.
    fn broken(&self, rules: &[Test], param: usize) -> Option<String> {
        let broken = rules.iter().find(|rule| !self.holds(**rule, param))?;
        Some(match broken {
            Test::AtLeast(..) => format!("{} (n is {})", test(*broken), self.n),
            Test::Of(arg, is) => test(Test::Of(Arg::Object(object(*arg, param)), *is)),
            Test::Plain(..) => test(*broken),
        })
    }

    /// The state after some changes; nothing where the number leaves its range.
    fn after(&self, changes: &[Change], param: usize) -> Option<Self> {
        let mut after = self.clone();
        // What is unset goes before what is set.
        for sets in [false, true] {
            for change in changes {
                match *change {
                    Change::Plain(fact, is) if is == sets => after.facts[fact] = is,
                    Change::Of(arg, is) if is == sets => after.of[object(arg, param)] = is,
                    Change::Add(n) if sets => after.n += n,
                    _ => {}
                }
            }
        }
        (0..=MOST).contains(&after.n).then_some(after)
    }
}

fn object(arg: Arg, param: usize) -> usize {
    match arg {
        Arg::Object(object) => object,
        Arg::Param => param,
    }
}

/// Why a step failed, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    Action,
    Precondition(String),
    Integrity(String, String),
    Effects,
    Duration,
    Completion(String),
}

/// A step that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub plan: usize,
    pub step: usize,
    pub start: u32,
    pub acted: Option<u32>,
    pub end: Option<u32>,
    pub state: TaskState,
    pub why: Option<Why>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Start,
    Failure(usize),
    Event,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Complete,
    GoalMissed(String),
    Failed,
    OutOfTicks,
    OutOfPlans,
}

/// Everything that happened.
#[derive(Debug, Default)]
pub struct Record {
    pub plans: Vec<(u32, Cause, Outcome)>,
    pub steps: Vec<Step>,
    /// The tick, which event, and whether it could happen.
    pub events: Vec<(u32, usize, bool)>,
    /// The world at the end of each tick.
    pub worlds: Vec<State>,
    /// The states of all nodes of the plan that is followed, or was last, at the end of
    /// each tick: which plan, and the states.
    pub states: Vec<Option<(usize, Vec<TaskState>)>>,
    pub end: Option<End>,
    /// How often the actions of each primitive task were over.
    pub over: Vec<u32>,
}

enum Doing {
    HasToPlan(Cause),
    Waits,
    /// The plan's number, and its next step or the one in progress.
    Follows(usize, usize),
}

/// Runs a domain until a tick. `plan` plans for tasks in a state.
pub fn run(
    domain: &Domain,
    last_tick: u32,
    most_plans: usize,
    mut plan: impl FnMut(&State, &[Call]) -> Outcome,
) -> Record {
    let mut record = Record::default();
    let mut world = State::initial(domain);
    let mut tasks = domain.tasks.clone();
    let mut doing = Doing::HasToPlan(Cause::Start);
    for tick in 0..=last_tick {
        let before = world.clone();
        let mut changed = false;
        for (number, event) in domain.events.iter().enumerate() {
            let since = tick.checked_sub(event.at);
            let is_due = since.is_some_and(|since| match (event.every, event.when) {
                (Some(every), _) => since % every == 0,
                (None, None) => since == 0,
                (None, Some(_)) => record.events.iter().all(|happened| happened.1 != number),
            });
            if is_due && event.when.is_none_or(|when| world.holds(when, 0)) {
                let after = world.after(&[event.change], 0);
                record.events.push((tick, number, after.is_some()));
                changed |= after.as_ref().is_some_and(|after| *after != world);
                world = after.unwrap_or(world);
            }
        }
        assert!(changed || before == world);
        if changed && matches!(doing, Doing::Waits) {
            doing = Doing::HasToPlan(Cause::Event);
        }
        if let Doing::HasToPlan(cause) = doing {
            let made = record.plans.iter();
            let made = made.filter(|(_, _, found)| matches!(found, Outcome::Plan(_)));
            if made.count() == most_plans {
                record.end = Some(End::OutOfPlans);
            } else {
                let found = plan(&world, &tasks);
                doing = match &found {
                    Outcome::Plan(_) => Doing::Follows(record.plans.len(), 0),
                    _ => Doing::Waits,
                };
                record.plans.push((tick, cause, found));
            }
        }
        if record.end.is_none()
            && let Doing::Follows(number, mut step) = doing
        {
            let Outcome::Plan(plan) = record.plans[number].2.clone() else {
                panic!("it follows a plan");
            };
            doing = loop {
                if step == plan.steps.len() {
                    let goal = domain.goal.and_then(|goal| world.broken(&[goal], 0));
                    record.end = Some(goal.map_or(End::Complete, End::GoalMissed));
                    break Doing::Waits;
                }
                go_on(domain, &plan, (number, step), tick, &mut world, &mut record);
                let current = record.steps.last().expect("it has started");
                match current.state {
                    TaskState::Complete => step += 1,
                    TaskState::Failed => {
                        let root = *ancestors(&plan, plan.steps[step].node)
                            .last()
                            .expect("itself");
                        let done = plan.roots.iter().take_while(|r| **r != root).count();
                        tasks.drain(..done);
                        break Doing::HasToPlan(Cause::Failure(record.steps.len() - 1));
                    }
                    _ => break Doing::Follows(number, step),
                }
            };
        }
        let is_left = domain.events.iter().enumerate().any(|(number, event)| {
            let has_happened = record.events.iter().any(|happened| happened.1 == number);
            let may_hold_next = event.when.is_some() && !has_happened && changed;
            event.at > tick || event.every.is_some() || may_hold_next
        });
        if record.end.is_none() && matches!(doing, Doing::Waits) && !is_left {
            record.end = Some(End::Failed);
        }
        record.worlds.push(world.clone());
        let last = record.plans.iter().enumerate().rev();
        let mut last = last.filter_map(|(number, (_, _, found))| match found {
            Outcome::Plan(plan) => Some((number, states(plan, number, &record.steps))),
            _ => None,
        });
        record.states.push(last.next());
        if record.end.is_some() {
            return record;
        }
    }
    record.end = Some(End::OutOfTicks);
    record
}

/// A node and those above it, the root last.
fn ancestors(plan: &Plan, node: usize) -> Vec<usize> {
    match plan.nodes[node].parent {
        None => vec![node],
        Some(parent) => [vec![node], ancestors(plan, parent)].concat(),
    }
}

/// The number of a task and its object: `p1(o0)`, `c2(o1)`.
fn task_of(plan: &Plan, node: usize) -> (usize, usize) {
    let task = &plan.nodes[node].task;
    let digit = |text: &str| text[1..].parse::<usize>().expect("a number");
    let number = digit(task.task.as_str());
    let compound = task.task.as_str().starts_with('c');
    (
        number + if compound { PRIMITIVES } else { 0 },
        digit(task.args[0].as_str()),
    )
}

/// What a step comes to at this tick.
fn go_on(
    domain: &Domain,
    plan: &Plan,
    (number, step): (usize, usize),
    tick: u32,
    world: &mut State,
    Record { steps, over, .. }: &mut Record,
) {
    let node = plan.steps[step].node;
    let (primitive, param) = task_of(plan, node);
    let task = &domain.primitives[primitive];
    let in_progress = steps.last().is_some_and(|last| last.end.is_none());
    if !in_progress {
        steps.push(Step {
            plan: number,
            step,
            start: tick,
            acted: None,
            end: None,
            state: TaskState::InProgress,
            why: None,
        });
    }
    let current = steps.last_mut().expect("it was pushed");
    let mut fail = |why| {
        current.state = TaskState::Failed;
        current.end = Some(tick);
        current.why = Some(why);
    };
    if !in_progress && let Some(rule) = world.broken(&task.pre, param) {
        return fail(Why::Precondition(rule));
    }
    for above in ancestors(plan, node) {
        let (number, param) = task_of(plan, above);
        let rules = match number.checked_sub(PRIMITIVES) {
            None => &domain.primitives[number].integrity,
            Some(compound) => &domain.compounds[compound].integrity,
        };
        if let Some(rule) = world.broken(rules, param) {
            let of = plan.nodes[above].task.to_string();
            return fail(Why::Integrity(of, rule));
        }
    }
    if current.acted.is_none() {
        if tick < current.start + task.duration {
            current.why = Some(Why::Duration);
            return;
        }
        over.resize(PRIMITIVES, 0);
        over[primitive] += 1;
        if domain.failures.contains(&(primitive, over[primitive])) {
            return fail(Why::Action);
        }
        let counts = |when: Option<Test>| when.is_none_or(|when| world.holds(when, param));
        let effects = task.effects.iter().filter(|effect| counts(effect.when));
        let changes: Vec<Change> = effects.map(|effect| effect.change).collect();
        let Some(after) = world.after(&changes, param) else {
            return fail(Why::Effects);
        };
        *world = after;
        current.acted = Some(tick);
    }
    match world.broken(&task.done, param) {
        Some(rule) => current.why = Some(Why::Completion(rule)),
        None => {
            current.state = TaskState::Complete;
            current.end = Some(tick);
            current.why = None;
        }
    }
}

/// The states of a plan's nodes, each by itself.
fn states(plan: &Plan, number: usize, steps: &[Step]) -> Vec<TaskState> {
    let of_step = |step: usize| {
        let found = steps.iter().find(|s| s.plan == number && s.step == step);
        found.map_or(TaskState::Planned, |found| found.state)
    };
    (0..plan.nodes.len())
        .map(|node| state(plan, node, &of_step))
        .collect()
}

fn state(plan: &Plan, node: usize, of_step: &dyn Fn(usize) -> TaskState) -> TaskState {
    let decomposed = match &plan.nodes[node].kind {
        NodeKind::Step(step) => return of_step(*step),
        NodeKind::Pending => panic!("nobody is reactive"),
        NodeKind::Decomposed(decomposed) => decomposed,
    };
    let below = decomposed
        .children
        .iter()
        .map(|child| state(plan, *child, of_step));
    let below: Vec<TaskState> = below.collect();
    let are_before = || (0..decomposed.at).all(|step| of_step(step) == TaskState::Complete);
    if below.contains(&TaskState::Failed) {
        TaskState::Failed
    } else if below.iter().all(|s| *s == TaskState::Complete) && (!below.is_empty() || are_before())
    {
        TaskState::Complete
    } else if below.iter().any(|s| *s != TaskState::Planned) {
        TaskState::InProgress
    } else {
        TaskState::Planned
    }
}
