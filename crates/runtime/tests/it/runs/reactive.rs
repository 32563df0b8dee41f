//! The next step of a reactive character, by a plain search: its tasks are decomposed until a
//! primitive task is reached that is possible.

use taskloom_document::ChoicePolicy;
use taskloom_planner::plan::{NodeKind, Outcome, Plan};

use super::chance::draw;
use super::goals::{self, done, value};
use super::model::{Alternative, Arg, Call, Domain, Env, Method, Object, PRIMITIVES};
use super::record::Asked;
use super::tree;

/// A task and its object, after the tasks above it.
type Way = Vec<(usize, Object)>;

/// The tasks that are still to be done.
#[derive(Debug, Clone)]
enum Network {
    Task(Way),
    Sequence(Vec<Network>),
    Unordered(Vec<Network>),
}

impl Network {
    fn is_done(&self) -> bool {
        match self {
            Self::Task(_) => false,
            Self::Sequence(parts) | Self::Unordered(parts) => parts.iter().all(Self::is_done),
        }
    }

    /// Returns the same with each task below another one.
    fn below(&self, above: &Way) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.below(above)).collect();
        match self {
            Self::Task(way) => Self::Task([above.clone(), way.clone()].concat()),
            Self::Sequence(parts) => Self::Sequence(all(parts)),
            Self::Unordered(parts) => Self::Unordered(all(parts)),
        }
    }

    /// Returns the tasks that wait for nothing, or all, in order.
    fn tasks(&self, all: bool) -> Vec<Way> {
        match self {
            Self::Task(alternative) => vec![alternative.clone()],
            Self::Sequence(parts) if !all => {
                let first = parts.iter().find(|part| !part.is_done());
                first.map_or(vec![], |part| part.tasks(all))
            }
            Self::Sequence(parts) | Self::Unordered(parts) => {
                parts.iter().flat_map(|part| part.tasks(all)).collect()
            }
        }
    }

    /// Returns the same with the n-th of the tasks that wait for nothing replaced.
    fn replaced(&self, n: &mut usize, by: &Self) -> Self {
        match self {
            Self::Task(_) => {
                *n = n.wrapping_sub(1);
                if *n == usize::MAX {
                    by.clone()
                } else {
                    self.clone()
                }
            }
            Self::Unordered(parts) => {
                Self::Unordered(parts.iter().map(|part| part.replaced(n, by)).collect())
            }
            Self::Sequence(parts) => {
                let mut parts = parts.clone();
                if let Some(part) = parts.iter_mut().find(|part| !part.is_done()) {
                    *part = part.replaced(n, by);
                }
                Self::Sequence(parts)
            }
        }
    }
}

/// Checks the outcome of planning the next step.
pub fn check(domain: &Domain, asked: &Asked, outcome: &Outcome) {
    let planned = match outcome {
        Outcome::Plan(plan) => Some(&**plan),
        _ => None,
    };
    let roots = asked.tasks.iter().map(|(task, arg)| {
        let object = asked.believed.object(*arg, Env::default());
        Network::Task(vec![(*task, object.expect("an object"))])
    });
    let found = first(
        domain,
        (asked, planned),
        &Network::Sequence(roots.collect()),
    );
    let Outcome::Plan(plan) = outcome else {
        assert_eq!(*outcome, Outcome::NoPlan);
        assert!(found.is_none(), "there is a step: {found:?}");
        return;
    };
    let (step, left) = found.expect("there is no step");
    let of_step = plan.steps.first().map(|step| alternative(plan, step.node));
    assert_eq!((of_step, plan.steps.len() < 2), (step, true), "{plan:?}");
    let pending = pending(plan)
        .into_iter()
        .map(|node| alternative(plan, node));
    assert_eq!(pending.collect::<Vec<_>>(), left.tasks(true), "{plan:?}");
}

/// Returns the first step that is found, and the remaining tasks; no step if there is nothing to
/// do.
fn first(
    domain: &Domain,
    (asked, planned): (&Asked, Option<&Plan>),
    network: &Network,
) -> Option<(Option<Way>, Network)> {
    if network.is_done() {
        return Some((None, network.clone()));
    }
    for (number, alternative) in network.tasks(false).into_iter().enumerate() {
        let (task, object) = *alternative.last().expect("a task");
        let with = |by: &Network| network.replaced(&mut number.clone(), by);
        let is_excluded = asked.excluded.contains(&(task, object));
        if asked.cools_down(task) || is_excluded {
            continue;
        }
        if task < PRIMITIVES {
            let may_be_done = done(
                domain,
                (asked.character, asked.claimed),
                asked.believed,
                (task, object),
            )
            .is_some();
            if may_be_done {
                return Some((Some(alternative), with(&Network::Sequence(vec![]))));
            }
            continue;
        }
        let found_by =
            |part: &Network| first(domain, (asked, planned), &with(&part.below(&alternative)));
        let drawn = ways(domain, asked, (task, object));
        let found = drawn.iter().find_map(found_by);
        let found = found.or_else(|| {
            let by_goal = way_by_goal(domain, (asked, planned), (task, object))?;
            let steps = by_goal.into_iter().map(|task| Network::Task(vec![task]));
            found_by(&Network::Sequence(steps.collect()))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Returns the subtasks of each resolution of a compound task.
fn ways(domain: &Domain, asked: &Asked, (task, object): (usize, Object)) -> Vec<Network> {
    let (compound, state) = (&domain.compounds[task - PRIMITIVES], asked.believed);
    let env = Env {
        param: Some(object),
        found: None,
        me: domain.me(asked.character),
    };
    let is_possible = state.first_broken(&compound.pre, env).is_none();
    if !domain.may_use(asked.character, task) || !is_possible {
        return vec![];
    }
    if goals::is_achieved(domain, asked.character, state, (task, object)) {
        return vec![Network::Sequence(vec![])];
    }
    if !compound.goal.is_empty() && compound.method.count() == 0 {
        return vec![];
    }
    // Each call as often as it repeats; `before` is the number of calls that the method lists before. What
    // follows a call in the background doesn't wait for it.
    let ground_from = |before: usize, calls: &[Call], env: Env| -> Network {
        let object = |arg: Arg| state.object(arg, env).expect("an object");
        let own = calls.iter().zip(&compound.options[before..]).rev();
        own.fold(Network::Sequence(vec![]), |rest, ((task, arg), options)| {
            let call = Network::Task(vec![(*task, object(*arg))]);
            let calls = Network::Sequence(vec![call; options.repeat]);
            match options.background {
                true => Network::Unordered(vec![calls, rest]),
                false => Network::Sequence(vec![calls, rest]),
            }
        })
    };
    let ground = |calls: &[Call], env: Env| ground_from(0, calls, env);
    match &compound.method {
        Method::Sequence(calls) => vec![ground(calls, env)],
        Method::Unordered(calls) => {
            let calls = calls.chunks(1).enumerate();
            let calls = calls.map(|(n, one)| ground_from(n, one, env));
            vec![Network::Unordered(calls.collect())]
        }
        Method::Branch(test, yes, no) => {
            let (before, side) = match state.holds(*test, env) {
                true => (0, yes),
                false => (yes.len(), no),
            };
            // A side without a wire can't be taken.
            let is_wired = !side.is_empty();
            is_wired
                .then(|| ground_from(before, side, env))
                .into_iter()
                .collect()
        }
        Method::While(test, call) => match state.holds(*test, env) {
            true => vec![ground(&[*call], env)],
            false => vec![Network::Sequence(vec![])],
        },
        Method::Bind(tests, calls) => {
            let found = (0..domain.objects()).map(|object| Env {
                found: Some(object),
                ..env
            });
            let fits = found.filter(|env| tests.iter().all(|test| state.holds(*test, *env)));
            fits.map(|env| ground(calls, env)).collect()
        }
        Method::Choice(policy, alternatives) => {
            let name = super::written::call((task, Arg::Object(object)));
            let order = order(domain, asked, *policy, alternatives, &name);
            let before = |number: usize| {
                let earlier = alternatives[..number].iter();
                earlier.map(|one| one.calls.len()).sum()
            };
            let ways = order
                .into_iter()
                .map(|number| (before(number), &alternatives[number]));
            let ways = ways.filter(|(_, alternative)| {
                alternative
                    .guard
                    .is_none_or(|guard| state.holds(guard, env))
            });
            ways.map(|(before, one)| ground_from(before, &one.calls, env))
                .collect()
        }
    }
}

/// Returns what was found for the goal of a compound task, after checking it: the search for it may find
/// any sequence of minimum cost.
fn way_by_goal(
    domain: &Domain,
    (asked, planned): (&Asked, Option<&Plan>),
    (task, object): (usize, Object),
) -> Option<Way> {
    let (compound, state) = (&domain.compounds[task - PRIMITIVES], asked.believed);
    let env = Env {
        param: Some(object),
        found: None,
        me: domain.me(asked.character),
    };
    let is_possible = state.first_broken(&compound.pre, env).is_none();
    if compound.goal.is_empty()
        || !is_possible
        || !domain.may_use(asked.character, task)
        || goals::is_achieved(domain, asked.character, state, (task, object))
    {
        return None;
    }
    let found = planned.and_then(|plan| {
        let all = 0..plan.nodes.len();
        let mut own = all.filter(|node| tree::task(plan, *node) == (task, object));
        let decomposed = own.find_map(|node| {
            let decomposed = plan.nodes[node].decomposed();
            decomposed.filter(|one| one.blocks.is_empty() && !one.children.is_empty())
        })?;
        let children = decomposed.children.iter();
        Some(
            children
                .map(|child| tree::task(plan, *child))
                .collect::<Way>(),
        )
    });
    goals::check_found(domain, asked, (task, object), found.as_deref());
    found
}

/// Returns the order in which the outputs of a Choice are tried.
fn order(
    domain: &Domain,
    asked: &Asked,
    policy: ChoicePolicy,
    alternatives: &[Alternative],
    task: &str,
) -> Vec<usize> {
    let score = |alternative: usize| {
        let score = alternatives[alternative].score;
        score.map(|score| f64::from(value(domain, score, asked.believed)))
    };
    let key = |alternative: usize| match policy {
        ChoicePolicy::First | ChoicePolicy::Cheapest => -(alternative as f64),
        ChoicePolicy::Highest => score(alternative).unwrap_or(f64::NEG_INFINITY),
        ChoicePolicy::Random => {
            let weight = score(alternative).unwrap_or(1.0);
            let luck = draw(
                asked.seed,
                &format!("{} {task} k1 {alternative}", asked.steps_before),
            );
            if weight > 0.0 {
                luck.ln() / weight
            } else {
                f64::NEG_INFINITY
            }
        }
    };
    let mut order: Vec<usize> = (0..alternatives.len()).collect();
    order.sort_by(|a, b| key(*b).total_cmp(&key(*a)));
    order
}

/// Returns a node's task after the tasks above it.
fn alternative(plan: &Plan, node: usize) -> Way {
    let mut alternative: Way = tree::ancestors(plan, node)
        .into_iter()
        .map(|node| tree::task(plan, node))
        .collect();
    alternative.reverse();
    alternative
}

/// Returns the tasks of a plan that are still to be decomposed, in the designer's order.
pub fn pending(plan: &Plan) -> Vec<usize> {
    fn below(plan: &Plan, node: usize) -> Vec<usize> {
        match &plan.nodes[node].kind {
            NodeKind::Pending => vec![node],
            NodeKind::Step(_) => vec![],
            NodeKind::Decomposed(decomposed) => {
                let children = decomposed.children.iter();
                children.flat_map(|child| below(plan, *child)).collect()
            }
        }
    }
    plan.roots
        .iter()
        .flat_map(|root| below(plan, *root))
        .collect()
}
