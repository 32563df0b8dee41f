//! The next step of a reactive character, by a plain search: its tasks are decomposed until a
//! primitive task is reached that is possible.

use std::collections::HashSet;

use taskloom_document::BlockId;
use taskloom_planner::plan::{NodeKind, Outcome, Plan};

use super::chance::draw;
use super::domain::Domain;
use super::goals::{self, done};
use super::method::Subtask;
use super::names::Ground;
use super::record::Asked;
use super::tree;

/// The number of networks that are tried.
const MAX_NETWORKS: usize = 500;

/// A task after the tasks above it.
type Way = Vec<Ground>;

/// A task that is still to be done.
#[derive(Debug, Clone)]
struct Open {
    way: Way,
    /// The other ones that it waits for, by their indices.
    after: Vec<usize>,
}

/// The tasks that are still to be done, in the designer's order.
#[derive(Debug, Clone)]
struct Network(Vec<Open>);

/// The tasks of a network, each with those that it waits for.
type Tasks = Vec<(Ground, Vec<usize>)>;

impl Network {
    /// Returns its tasks, wherever they come from.
    fn tasks(&self) -> Tasks {
        let tasks = self.0.iter();
        let tasks = tasks.map(|open| (*open.way.last().expect("a task"), open.after.clone()));
        tasks.collect()
    }

    /// Returns the indices of the tasks that wait for nothing.
    fn ready(&self) -> Vec<usize> {
        let all = self.0.iter().enumerate();
        let ready = all.filter(|(_, open)| open.after.is_empty());
        ready.map(|(number, _)| number).collect()
    }

    /// Returns the same with subtasks in the place of a task that waits for nothing.
    fn replaced(&self, place: usize, by: &[Subtask]) -> Self {
        let mut all = vec![];
        for (number, open) in self.0.iter().enumerate() {
            if number == place {
                all.extend(by.iter().map(|subtask| Open {
                    way: [&open.way[..], &[subtask.task]].concat(),
                    after: subtask.after.iter().map(|other| place + other).collect(),
                }));
                continue;
            }
            // What waited for it waits for all of them.
            let after = open.after.iter().flat_map(|other| match other.cmp(&place) {
                std::cmp::Ordering::Less => *other..other + 1,
                std::cmp::Ordering::Equal => place..place + by.len(),
                std::cmp::Ordering::Greater => other + by.len() - 1..other + by.len(),
            });
            let (way, after) = (open.way.clone(), after.collect());
            all.push(Open { way, after });
        }
        Self(all)
    }
}

/// Returns subtasks in sequence.
fn sequence(tasks: &[Ground]) -> Vec<Subtask> {
    let tasks = tasks.iter().enumerate();
    let tasks = tasks.map(|(number, task)| Subtask {
        task: *task,
        after: number.checked_sub(1).into_iter().collect(),
    });
    tasks.collect()
}

/// Checks the outcome of planning the next step.
pub fn check(domain: &Domain, asked: &Asked, outcome: &Outcome) {
    let planned = match outcome {
        Outcome::Plan(plan) => Some(&**plan),
        _ => None,
    };
    let roots = sequence(asked.tasks).into_iter();
    let roots = roots.map(|Subtask { task, after }| Open {
        way: vec![task],
        after,
    });
    let roots = Network(roots.collect());
    let mut seen = HashSet::new();
    let found = first(domain, (asked, planned), &roots, &mut seen);
    if seen.len() > MAX_NETWORKS {
        // More and more of the same tasks.
        return;
    }
    let Outcome::Plan(plan) = outcome else {
        assert_eq!(*outcome, Outcome::NoPlan);
        assert!(found.is_none(), "there is a step: {found:?}");
        return;
    };
    let (step, left) = found.expect("there is no step");
    let of_step = plan.steps.first().map(|step| way(domain, plan, step.node));
    assert_eq!((of_step, plan.steps.len() < 2), (step, true), "{plan:?}");
    let pending = pending(plan)
        .into_iter()
        .map(|node| way(domain, plan, node));
    let left = left.0.into_iter().map(|open| open.way);
    assert!(pending.eq(left), "{plan:?}");
}

/// Returns the first step that is found, and the remaining tasks; no step if there is nothing to
/// do.
fn first(
    domain: &Domain,
    (asked, planned): (&Asked, Option<&Plan>),
    network: &Network,
    seen: &mut HashSet<Tasks>,
) -> Option<(Option<Way>, Network)> {
    if network.0.is_empty() {
        return Some((None, network.clone()));
    }
    // A task that leads to itself without a step leads nowhere.
    if seen.len() > MAX_NETWORKS || !seen.insert(network.tasks()) {
        return None;
    }
    for place in network.ready() {
        let way = &network.0[place].way;
        let task = *way.last().expect("a task");
        if asked.cools_down(task.task) || asked.excluded.contains(&task) {
            continue;
        }
        // A step below a violated rule would fail at once.
        let is_kept = way.iter().all(|task| {
            let rules = &domain.tasks[task.task].integrity;
            let env = domain.env(asked.character, *task);
            asked.believed.first_broken(rules, &env).is_none()
        });
        if domain.is_primitive(task.task) {
            let of = (asked.character, asked.claimed);
            if is_kept && done(domain, of, asked.believed, task).is_some() {
                return Some((Some(way.clone()), network.replaced(place, &[])));
            }
            continue;
        }
        let mut found_by = |by: &[Subtask]| {
            let network = network.replaced(place, by);
            first(domain, (asked, planned), &network, seen)
        };
        let drawn = ways(domain, asked, task);
        let found = drawn.iter().find_map(|by| found_by(by));
        let found = found.or_else(|| {
            let by_goal = is_kept.then(|| way_by_goal(domain, (asked, planned), task))??;
            found_by(&sequence(&by_goal))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Returns `true` if a compound task may be decomposed.
fn is_possible(domain: &Domain, asked: &Asked, task: Ground) -> bool {
    let env = domain.env(asked.character, task);
    let pre = &domain.tasks[task.task].pre;
    domain.may_use(asked.character, task.task) && asked.believed.first_broken(pre, &env).is_none()
}

/// Returns the subtasks of each resolution of a compound task.
fn ways(domain: &Domain, asked: &Asked, task: Ground) -> Vec<Vec<Subtask>> {
    let (compound, state) = (domain.compound(task.task), asked.believed);
    if !is_possible(domain, asked, task) {
        return vec![];
    }
    if goals::is_achieved(domain, asked.character, state, task) {
        return vec![vec![]];
    }
    if compound.goal.is_some() && !compound.method.is_drawn() {
        return vec![];
    }
    let env = domain.env(asked.character, task);
    let name = domain.text(task);
    let draw = |block: &BlockId, output: usize| {
        let decision = format!("{} {name} {block} {output}", asked.steps_before);
        draw(asked.seed, &decision)
    };
    let resolutions = compound.method.resolutions(state, &env, &draw);
    let subtasks = resolutions.iter();
    let subtasks = subtasks.filter_map(|one| compound.method.subtasks(one, state, &env));
    subtasks.collect()
}

/// Returns what was found for the goal of a compound task, after checking it: the search for it may find
/// any sequence of minimum cost.
fn way_by_goal(
    domain: &Domain,
    (asked, planned): (&Asked, Option<&Plan>),
    task: Ground,
) -> Option<Way> {
    domain.compound(task.task).goal.as_ref()?;
    if !is_possible(domain, asked, task)
        || goals::is_achieved(domain, asked.character, asked.believed, task)
    {
        return None;
    }
    let found = planned.and_then(|plan| {
        let all = 0..plan.nodes.len();
        let mut own = all.filter(|node| tree::task(domain, plan, *node) == task);
        let decomposed = own.find_map(|node| {
            let decomposed = plan.nodes[node].decomposed();
            decomposed.filter(|one| one.blocks.is_empty() && !one.children.is_empty())
        })?;
        let children = decomposed.children.iter();
        let children = children.map(|child| tree::task(domain, plan, *child));
        Some(children.collect::<Way>())
    });
    goals::check_found(domain, asked, task, found.as_deref());
    found
}

/// Returns a node's task after the tasks above it.
fn way(domain: &Domain, plan: &Plan, node: usize) -> Way {
    let above = tree::ancestors(plan, node).into_iter().rev();
    above.map(|node| tree::task(domain, plan, node)).collect()
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
