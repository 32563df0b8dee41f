//! The values of goals, and plans for them, by a plain search through all states.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use taskloom_planner::plan::{Outcome, Plan};

use super::claims::{self, Claimed};
use super::model::{
    Atom, Change, Domain, Effect, Env, Goal, Object, PRIMITIVES, Planning, Primitive, Score, Test,
};
use super::record::{Asked, GoalRecord};
use super::state::State;
use super::tree;

/// The number of states that are searched for a plan's minimum cost.
const MAX_STATES: usize = 5_000;

/// Returns the value of a score in a state.
pub fn value(domain: &Domain, score: Score, state: &State) -> i32 {
    match score {
        Score::Is(k) => k,
        Score::Number => state.value(Atom::Number),
        Score::Count => {
            let of = (0..domain.objects()).map(|object| state.value(Atom::Of(object)));
            of.sum()
        }
    }
}

/// Returns the values of a character's goals in a state, as listed.
pub fn goal_values(domain: &Domain, character: usize, state: &State) -> Vec<GoalRecord> {
    let goals = domain
        .pursues(character)
        .map_or(&[][..], |pursuit| &pursuit.goals);
    let goal_value = |number: &usize| {
        let goal = &domain.goals[*number];
        let of = |score: Option<Score>, otherwise| {
            score.map_or(otherwise, |score| value(domain, score, state))
        };
        let env = me(domain, character);
        GoalRecord {
            goal: *number,
            value: goal.priority * of(goal.relevance, 1) + of(goal.bias, 0),
            holds: goal.condition.iter().all(|test| state.holds(*test, env)),
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
    goal_values.sort_by_key(|goal_value| -goal_value.value);
    goal_values
}

fn me(domain: &Domain, character: usize) -> Env {
    Env {
        me: domain.me(character),
        ..Env::default()
    }
}

/// Returns the state after a task as planned, and its cost; `None` if the task is impossible there.
pub fn done(
    domain: &Domain,
    (character, claimed): (usize, &Claimed),
    state: &State,
    (task, object): (usize, Object),
) -> Option<(State, i32)> {
    let primitive = &domain.primitives[task];
    let env = Env {
        param: Some(object),
        ..me(domain, character)
    };
    if claims::refusal(&claims::claims(domain, task, state, env), claimed).is_some() {
        return None;
    }
    if !domain.may_use(character, task) || state.first_broken(&primitive.pre, env).is_some() {
        return None;
    }
    apply(domain, character, state, (task, object))
}

/// Returns the same for a task that has already started.
pub fn apply(
    domain: &Domain,
    character: usize,
    state: &State,
    (task, object): (usize, Object),
) -> Option<(State, i32)> {
    let primitive = &domain.primitives[task];
    let env = Env {
        param: Some(object),
        ..me(domain, character)
    };
    let is_planned = |effect: &&Effect| effect.timing != "executed";
    let effects = primitive.effects.iter().filter(is_planned);
    let effects = effects.filter(|effect| effect.when.is_none_or(|when| state.holds(when, env)));
    let changes: Vec<Change> = effects.map(|effect| effect.change).collect();
    let mut after = state.clone();
    for (atom, value) in state.writes(&changes, env)? {
        after.set(atom, value);
    }
    if domain.has_clock() {
        after.time += duration(primitive, state);
    }
    let cost = primitive.cost.map_or(1, |cost| value(domain, cost, state));
    Some((after, cost))
}

/// Returns the duration of a task that starts in a state, in ticks.
pub fn duration(task: &Primitive, state: &State) -> u32 {
    let more = if task.depends {
        state.value(Atom::Number) as u32
    } else {
        0
    };
    task.duration + more
}

/// Returns `true` if a compound task has a goal that is true in a state.
pub fn is_achieved(
    domain: &Domain,
    character: usize,
    state: &State,
    (task, object): (usize, Object),
) -> bool {
    let goal = &domain.compounds[task - PRIMITIVES].goal;
    let env = Env {
        param: Some(object),
        ..me(domain, character)
    };
    !goal.is_empty() && state.first_broken(goal, env).is_none()
}

/// Returns `true` if these tasks, one after the other, lead to the goal of a compound task, and there are
/// none if it is true.
pub fn achieves(
    domain: &Domain,
    (character, claimed): (usize, &Claimed),
    state: &State,
    task: (usize, Object),
    found: &[(usize, Object)],
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
pub fn check_found(
    domain: &Domain,
    asked: &Asked,
    task: (usize, Object),
    found: Option<&[(usize, Object)]>,
) {
    let character = asked.character;
    let of = (character, asked.claimed);
    let aim = Aim {
        subgoals: &[],
        condition: &domain.compounds[task.0 - PRIMITIVES].goal,
        env: Env {
            param: Some(task.1),
            ..me(domain, character)
        },
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
    let mut cost = 0;
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

/// Returns the tasks that serve a goal in a state, without those of which the object is undefined.
pub fn serving(
    domain: &Domain,
    character: usize,
    goal: usize,
    state: &State,
) -> Vec<(usize, Object)> {
    let calls = domain.goals[goal].tasks.iter();
    let calls =
        calls.filter_map(|(task, arg)| Some((*task, state.object(*arg, me(domain, character))?)));
    calls.collect()
}

/// Returns the place of a plan among those for its goal: that of its task, or behind all of them.
pub fn rank(domain: &Domain, character: usize, plan: &Plan, state: &State) -> usize {
    let goal = plan.target.as_ref().and_then(|target| target.goal.as_ref());
    let ([root], Some(goal)) = (plan.roots.as_slice(), goal) else {
        return usize::MAX;
    };
    let mut tasks = serving(domain, character, tree::number(goal), state).into_iter();
    let place = tasks.position(|task| task == tree::task(plan, *root));
    place.unwrap_or(usize::MAX)
}

/// A goal: the subgoals, one after the other, and the final condition.
struct Aim<'d> {
    subgoals: &'d [Test],
    condition: &'d [Test],
    env: Env,
}

impl<'d> Aim<'d> {
    fn of(domain: &'d Domain, character: usize, goal: &'d Goal) -> Self {
        Self {
            subgoals: &goal.subgoals,
            condition: &goal.condition,
            env: me(domain, character),
        }
    }

    /// The number of subgoals that have been true on the way to this state.
    fn advance(&self, mut reached: usize, state: &State) -> usize {
        while let Some(next) = self.subgoals.get(reached)
            && state.holds(*next, self.env)
        {
            reached += 1;
        }
        reached
    }

    fn is_reached(&self, reached: usize, state: &State) -> bool {
        reached == self.subgoals.len() && state.first_broken(self.condition, self.env).is_none()
    }
}

/// The minimum cost of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Least {
    Cost(i32),
    /// There is no plan.
    Nothing,
    /// There are too many states.
    Unknown,
}

/// Searches the states in the order of their costs.
fn least(domain: &Domain, character: usize, from: &State, aim: &Aim, asked: &Asked) -> Least {
    let start = (from.clone(), aim.advance(0, from));
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    while let Some(Reverse((cost, number))) = open.pop() {
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
        for task in (0..PRIMITIVES).filter(|task| !asked.cools_down(*task)) {
            for object in 0..domain.objects() {
                let is_excluded = asked.excluded.contains(&(task, object));
                let Some((after, costs)) =
                    done(domain, (character, asked.claimed), &state, (task, object))
                        .filter(|_| !is_excluded)
                else {
                    continue;
                };
                let reached = aim.advance(reached, &after);
                let (place, cost) = ((after, reached), cost + costs);
                let before = known.get(&place).copied();
                if before.is_none_or(|before| cost < before) {
                    known.insert(place.clone(), cost);
                    open.push(Reverse((cost, states.len())));
                    states.push(place);
                }
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
    Vec<(usize, Object)>,
    Vec<(usize, u32)>,
    Claimed,
);

/// Checks the outcomes of planning for goals.
#[derive(Default)]
pub struct Checked {
    /// Known results, by character, goal and state.
    known: HashMap<Searched, Least>,
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
        let depth = pursuit.and_then(|pursuit| pursuit.depth);
        let is_least = pursuit.is_none_or(|pursuit| pursuit.is_least()) && depth.is_none();
        let mut goal_values = goal_values(domain, asked.character, asked.believed);
        cool_down(&mut goal_values, &asked.cooling_goals);
        let wanted = wanted(goal_values);
        let scenarios = domain.goal.map(|goal| Goal {
            subgoals: vec![],
            condition: vec![goal],
            tasks: vec![],
            priority: 1,
            relevance: None,
            bias: None,
            cooldown: 0,
        });
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
                let named = aim.goal.as_ref().map(tree::number);
                Some((named, plan))
            }
            _ => None,
        };
        let place = pursued
            .as_ref()
            .map(|(named, _)| goals.iter().position(|(goal, _)| goal == named));
        let place = place.map(|place| place.expect("it is one that is wanted"));
        if depth.is_none() {
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
                let cost = Least::Cost(plan.cost as i32);
                let least = self.least(domain, asked, number, goal);
                assert!(
                    least == Least::Unknown || cost == least,
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
        let mut cost = 0;
        for step in &plan.steps {
            let task = tree::task(plan, step.node);
            let (after, costs) =
                done(domain, (asked.character, asked.claimed), &state, task).expect("a plan");
            state = after;
            cost += costs;
            reached = aim.advance(reached, &state);
        }
        assert_eq!(f64::from(cost), plan.cost, "{plan:?}");
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
        reads.extend(asked.flat_map(|test| state.read(*test, aim.env)));
        reached = after;
    }
    if let Some(last) = states.last() {
        for test in aim.condition {
            reads.extend(last.read(*test, aim.env));
            if !last.holds(*test, aim.env) {
                break;
            }
        }
    }
    reads
}
