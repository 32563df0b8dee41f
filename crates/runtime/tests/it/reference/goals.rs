//! The values of goals, and plans for them, by a plain search through all states.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use taskloom_domain::lang::typed::{Formula, Number};
use taskloom_planner::plan::{Outcome, Plan};

use super::claims::{self, Claimed};
use super::domain::{Domain, Goal, Planning, Primitive};
use super::evaluate::{Env, Evaluation, rounded};
use super::names::{Atom, Ground};
use super::record::{Asked, GoalRecord};
use super::state::State;
use super::tree;

/// The number of states that are searched for a plan's minimum cost.
const MAX_STATES: usize = 5_000;

/// Returns the values of a character's goals in a state, as listed.
pub fn goal_values(domain: &Domain, character: usize, state: &State) -> Vec<GoalRecord> {
    let goals = domain
        .pursues(character)
        .map_or(&[][..], |pursuit| &pursuit.goals);
    let env = domain.env_of(character);
    let goal_value = |number: &usize| {
        let goal = &domain.goals[*number];
        let of = |number: &Option<Number>, otherwise| match number {
            Some(number) => state.number(number, &env),
            None => Some(otherwise),
        };
        let factors = of(&goal.relevance, 1.0).zip(of(&goal.bias, 0.0));
        GoalRecord {
            goal: *number,
            value: factors
                .map(|(relevance, bias)| rounded(rounded(goal.priority * relevance) + bias)),
            holds: state.holds(&goal.condition, &env),
            cooldown: 0,
        }
    };
    goals.iter().map(goal_value).collect()
}

/// Marks the goals that are cooling down.
pub fn cool_down(goal_values: &mut [GoalRecord], cooling: &[(usize, u32)]) {
    for goal_value in goal_values {
        let mut cooling = cooling.iter();
        let found = cooling.find(|(goal, _)| *goal == goal_value.goal);
        goal_value.cooldown = found.map_or(0, |(_, ticks)| *ticks);
    }
}

/// Returns the active goals (false, with a value above 0, not cooling down), the highest value
/// first.
pub fn wanted(mut goal_values: Vec<GoalRecord>) -> Vec<GoalRecord> {
    goal_values.retain(GoalRecord::is_active);
    goal_values.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
    goal_values
}

/// Returns the state after a task as planned, and its cost; `None` if the task is impossible there.
pub fn done(
    domain: &Domain,
    (character, claimed): (usize, &Claimed),
    state: &State,
    task: Ground,
) -> Option<(State, f64)> {
    let env = domain.env(character, task);
    done_with(domain, (character, claimed), state, (task, &env))
}

/// Returns the same, with the bindings of the task.
fn done_with(
    domain: &Domain,
    (character, claimed): (usize, &Claimed),
    state: &State,
    (task, env): (Ground, &Env),
) -> Option<(State, f64)> {
    let pre = &domain.tasks[task.task].pre;
    if !domain.may_use(character, task.task) || state.first_broken(pre, env).is_some() {
        return None;
    }
    let claims = claims::claims(domain, task.task, state, env);
    if claims::refusal(domain, &claims, claimed).is_some() {
        return None;
    }
    apply_with(domain, state, (task, env))
}

/// Returns the same for a task that has already started.
pub fn apply(
    domain: &Domain,
    character: usize,
    state: &State,
    task: Ground,
) -> Option<(State, f64)> {
    let env = domain.env(character, task);
    apply_with(domain, state, (task, &env))
}

fn apply_with(domain: &Domain, state: &State, (task, env): (Ground, &Env)) -> Option<(State, f64)> {
    let primitive = domain.primitive(task.task);
    let effects = primitive.effects.iter().filter(|one| one.is_planned());
    let writes = state.writes(effects.map(|one| &one.effect), env)?;
    let mut after = state.clone();
    for (atom, value) in writes {
        after.set(atom, value);
    }
    if domain.has_clock {
        after.time += duration(primitive, state, env);
    }
    let cost = primitive.cost.as_ref();
    let cost = cost.and_then(|cost| state.number(cost, env));
    Some((after, cost.unwrap_or(1.0)))
}

/// Returns the duration of a task that starts in a state, in ticks.
pub fn duration(task: &Primitive, state: &State, env: &Env) -> u32 {
    duration_in(task, &mut Evaluation::new(state), env)
}

/// Returns the same by an evaluation.
pub fn duration_in(task: &Primitive, evaluation: &mut Evaluation, env: &Env) -> u32 {
    let ticks = task.duration.as_ref().and_then(|duration| {
        let args = evaluation.objects(&duration.args, env)?;
        let env = Env::of(env.me).with(&duration.params, args);
        evaluation.number(&duration.ticks, &env)
    });
    // Rounded up, and at least 0.
    ticks.map_or(0, |ticks| ticks.ceil() as u32)
}

/// Returns `true` if a compound task has a goal that is true in a state.
pub fn is_achieved(domain: &Domain, character: usize, state: &State, task: Ground) -> bool {
    let goal = domain.compound(task.task).goal.as_ref();
    goal.is_some_and(|goal| state.holds(goal, &domain.env(character, task)))
}

/// Returns `true` if these tasks, one after the other, lead to the goal of a compound task, and there are
/// none if it is true.
pub fn achieves(
    domain: &Domain,
    (character, claimed): (usize, &Claimed),
    state: &State,
    task: Ground,
    found: &[Ground],
) -> bool {
    let is_true = |state: &State| is_achieved(domain, character, state, task);
    if is_true(state) {
        return found.is_empty();
    }
    let mut state = state.clone();
    for step in found {
        let Some((after, _)) = done(domain, (character, claimed), &state, *step) else {
            return false;
        };
        state = after;
    }
    is_true(&state)
}

/// Checks that tasks lead to the goal of a compound task at the minimum cost, or that there are none that
/// do.
pub fn check_found(domain: &Domain, asked: &Asked, task: Ground, found: Option<&[Ground]>) {
    let character = asked.character;
    let of = (character, asked.claimed);
    let aim = Aim {
        subgoals: &[],
        condition: domain.compound(task.task).goal.as_ref().expect("a goal"),
        env: domain.env(character, task),
    };
    let least = least(domain, character, asked.believed, &aim, asked);
    let Some(found) = found else {
        assert!(
            !matches!(least, Least::Cost(_)),
            "{least:?} for {task:?}, {asked:?}"
        );
        return;
    };
    assert!(
        achieves(domain, of, asked.believed, task, found),
        "{found:?}, {asked:?}"
    );
    let mut state = asked.believed.clone();
    let mut cost = 0.0;
    for step in found {
        let (after, costs) = done(domain, of, &state, *step).expect("it is possible");
        (state, cost) = (after, cost + costs);
    }
    assert!(
        least == Least::Unknown || least == Least::Cost(cost),
        "{least:?}, {cost} for {task:?}, {asked:?}"
    );
}

/// Returns `true` if a plan for a goal decomposes a task that serves it.
pub fn is_served(plan: &Plan) -> bool {
    let mut roots = plan.roots.iter();
    plan.target.is_some() && roots.any(|root| plan.nodes[*root].decomposed().is_some())
}

/// Returns the tasks that serve a goal in a state, without those of which an object is undefined.
pub fn serving(domain: &Domain, character: usize, goal: usize, state: &State) -> Vec<Ground> {
    let env = domain.env_of(character);
    let calls = domain.goals[goal].tasks.iter();
    let calls = calls.filter_map(|call| {
        let args = state.objects(&call.args, &env)?;
        Some(Ground::new(call.task, &args))
    });
    calls.collect()
}

/// Returns the place of a plan among those for its goal: that of its task, or behind all of them.
pub fn rank(domain: &Domain, character: usize, plan: &Plan, state: &State) -> usize {
    let ([root], Some(goal)) = (plan.roots.as_slice(), tree::goal(domain, plan)) else {
        return usize::MAX;
    };
    let root = tree::task(domain, plan, *root);
    let mut tasks = serving(domain, character, goal, state).into_iter();
    tasks.position(|task| task == root).unwrap_or(usize::MAX)
}

/// A goal: the subgoals, one after the other, and the final condition.
struct Aim<'d> {
    subgoals: &'d [Formula],
    condition: &'d Formula,
    env: Env,
}

impl<'d> Aim<'d> {
    fn of(domain: &'d Domain, character: usize, goal: &'d Goal) -> Self {
        Self {
            subgoals: &goal.subgoals,
            condition: &goal.condition,
            env: domain.env_of(character),
        }
    }

    /// The number of subgoals that have been true on the way to this state.
    fn advance(&self, mut reached: usize, state: &State) -> usize {
        while let Some(next) = self.subgoals.get(reached)
            && state.holds(next, &self.env)
        {
            reached += 1;
        }
        reached
    }

    fn is_reached(&self, reached: usize, state: &State) -> bool {
        reached == self.subgoals.len() && state.holds(self.condition, &self.env)
    }
}

/// The minimum cost of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Least {
    Cost(f64),
    /// There is no plan.
    Nothing,
    /// There are too many states.
    Unknown,
}

/// A cost in a queue.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Searches the states in the order of their costs.
fn least(domain: &Domain, character: usize, from: &State, aim: &Aim, asked: &Asked) -> Least {
    let may_be_done =
        |task: &Ground| !asked.cools_down(task.task) && !asked.excluded.contains(task);
    let mut operators = domain.operators(character);
    operators.retain(may_be_done);
    let operators = operators.into_iter();
    let operators = operators.map(|task| (task, domain.env(character, task)));
    let operators: Vec<(Ground, Env)> = operators.collect();
    let start = (from.clone(), aim.advance(0, from));
    let mut known = FxHashMap::from_iter([(start.clone(), 0.0)]);
    let mut states = vec![start];
    let mut open = BinaryHeap::from([Reverse((Ordered(0.0), 0))]);
    while let Some(Reverse((Ordered(cost), number))) = open.pop() {
        let (state, reached) = states[number].clone();
        if known[&states[number]] < cost {
            continue;
        }
        if aim.is_reached(reached, &state) {
            return Least::Cost(cost);
        }
        if known.len() > MAX_STATES {
            return Least::Unknown;
        }
        for (task, env) in &operators {
            let rules = &domain.tasks[task.task].integrity;
            let is_broken = |state: &State| state.first_broken(rules, env).is_some();
            if is_broken(from) && is_broken(&state) {
                // It would fail at once.
                continue;
            }
            let of = (character, asked.claimed);
            let after = done_with(domain, of, &state, (*task, env));
            let Some((after, costs)) = after else {
                continue;
            };
            let reached = aim.advance(reached, &after);
            let (place, cost) = ((after, reached), cost + costs);
            let before = known.get(&place).copied();
            if before.is_none_or(|before| cost < before) {
                known.insert(place.clone(), cost);
                open.push(Reverse((Ordered(cost), states.len())));
                states.push(place);
            }
        }
    }
    Least::Nothing
}

/// The character and its goal, the initial state, the excluded tasks, those that cool down, and what others
/// claim.
type Searched = (
    usize,
    Option<usize>,
    State,
    Vec<Ground>,
    Vec<(usize, u32)>,
    Claimed,
);

/// Checks the outcomes of planning for goals.
#[derive(Default)]
pub struct Checked {
    /// Known results, by character, goal and state.
    known: FxHashMap<Searched, Least>,
    /// The number of optimal plans.
    pub least: usize,
    /// The number of goals without a plan.
    pub without: usize,
    /// The number of plans by tasks that serve the goal.
    pub served: usize,
    /// The number of partial plans.
    pub partial: usize,
}

impl Checked {
    pub fn check(&mut self, domain: &Domain, asked: &Asked, outcome: &Outcome) {
        let agent = domain.agent(asked.character);
        let pursuit = agent.and_then(|agent| match &agent.planning {
            Planning::Goals(pursuit) => Some(pursuit),
            _ => None,
        });
        let is_limited = pursuit.is_some_and(|pursuit| pursuit.is_limited);
        let is_least = pursuit.is_none_or(|pursuit| pursuit.is_least());
        let mut goal_values = goal_values(domain, asked.character, asked.believed);
        cool_down(&mut goal_values, &asked.cooling_goals);
        let wanted = wanted(goal_values);
        let scenarios = domain.goal(asked.character).cloned().map(Goal::of_scenario);
        let mut goals: Vec<(Option<usize>, &Goal)> = match &scenarios {
            Some(goal) => vec![(None, goal)],
            None => wanted
                .iter()
                .map(|goal_value| (Some(goal_value.goal), &domain.goals[goal_value.goal]))
                .collect(),
        };
        let is_content = goals.is_empty();
        goals.retain(|(goal, _)| goal.is_none_or(|goal| !asked.excluded_goals.contains(&goal)));
        let pursued = match outcome {
            Outcome::Plan(plan) => {
                let aim = plan.target.as_ref().expect("it is for a goal");
                if is_content {
                    assert!(aim.goal.is_none() && plan.steps.is_empty(), "{plan:?}");
                    return;
                }
                let named = tree::goal(domain, plan);
                Some((named, plan))
            }
            _ => None,
        };
        let place = pursued
            .as_ref()
            .map(|(named, _)| goals.iter().position(|(goal, _)| goal == named));
        let place = place.map(|place| place.expect("it is one that is wanted"));
        if !is_limited {
            for (number, goal) in &goals[..place.unwrap_or(goals.len())] {
                let least = self.least(domain, asked, *number, goal);
                let is_none = !matches!(least, Least::Cost(_));
                assert!(is_none, "{least:?} for {number:?}, {asked:?}, {outcome:?}");
                self.without += usize::from(least == Least::Nothing);
            }
        }
        if let (Some((_, plan)), Some(place)) = (pursued, place) {
            let (number, goal) = goals[place];
            let is_partial = self.replay(domain, asked, goal, plan);
            let rank = rank(domain, asked.character, plan, asked.believed);
            let is_served = rank < usize::MAX;
            assert!(is_served || !self::is_served(plan), "{plan:?}, {asked:?}");
            self.served += usize::from(is_served);
            if is_least && !is_partial && !is_served {
                let cost = Least::Cost(plan.cost);
                let least = self.least(domain, asked, number, goal);
                let is_optimal = plan.target.as_ref().is_some_and(|aim| aim.is_optimal);
                // The improvement of an actor's plan ends after a fixed amount of work.
                assert!(
                    least == Least::Unknown || cost == least || !is_optimal,
                    "{least:?}, {plan:?}"
                );
                self.least += usize::from(least == cost);
            }
        }
    }

    fn least(
        &mut self,
        domain: &Domain,
        asked: &Asked,
        number: Option<usize>,
        goal: &Goal,
    ) -> Least {
        let key = (
            asked.character,
            number,
            asked.believed.clone(),
            asked.excluded.clone(),
            asked.cooling.clone(),
            asked.claimed.clone(),
        );
        *self.known.entry(key).or_insert_with(|| {
            let aim = Aim::of(domain, asked.character, goal);
            least(domain, asked.character, asked.believed, &aim, asked)
        })
    }

    /// Executes a plan. Returns `true` if it is a partial one.
    fn replay(&mut self, domain: &Domain, asked: &Asked, goal: &Goal, plan: &Plan) -> bool {
        let aim = Aim::of(domain, asked.character, goal);
        let mut state = asked.believed.clone();
        let mut reached = aim.advance(0, &state);
        let mut cost = 0.0;
        for step in &plan.steps {
            let task = tree::task(domain, plan, step.node);
            let (after, costs) =
                done(domain, (asked.character, asked.claimed), &state, task).expect("a plan");
            state = after;
            cost += costs;
            reached = aim.advance(reached, &state);
        }
        assert_eq!(cost, plan.cost, "{plan:?}");
        let is_partial = plan
            .target
            .as_ref()
            .is_some_and(|target| target.remaining_estimate.is_some());
        assert_eq!(aim.is_reached(reached, &state), !is_partial, "{plan:?}");
        self.partial += usize::from(is_partial);
        is_partial
    }
}

/// Returns the ground facts that a plan's goal reads on the path from a state.
pub fn read(domain: &Domain, character: usize, goal: &Goal, states: &[State]) -> Vec<Atom> {
    let aim = Aim::of(domain, character, goal);
    let mut reads = vec![];
    let mut reached = 0;
    for state in states {
        let after = aim.advance(reached, state);
        let asked = aim.subgoals[reached..].iter().take(after - reached + 1);
        reads.extend(asked.flat_map(|one| state.read(one, &aim.env)));
        reached = after;
    }
    if let Some(last) = states.last() {
        reads.extend(last.read(aim.condition, &aim.env));
    }
    reads
}
