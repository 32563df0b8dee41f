//! Computes the minimum cost of a goal by Dijkstra's algorithm (1959) over all states.
//!
//! It uses only the typed tasks and the evaluator of the language: no ground problem, no heuristic.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_domain::lang::Env;
use taskloom_planner::plan::{GroundTask, World};

use super::name;

/// Returns every ground primitive task.
fn ground_tasks(document: &Document, world: &World) -> Vec<GroundTask> {
    let mut all = vec![];
    for (task, record) in document.primitive_tasks.iter() {
        let mut args: Vec<Vec<Name>> = vec![vec![]];
        for param in &record.params {
            let fits = |object: &&Name| world.fits(object, &param.of);
            let objects: Vec<&Name> = document.objects.keys().filter(fits).collect();
            let longer = |args: Vec<Name>| {
                let objects = objects.clone().into_iter();
                objects.map(move |object| [&args[..], std::slice::from_ref(object)].concat())
            };
            args = args.into_iter().flat_map(longer).collect();
        }
        all.extend(args.into_iter().map(|args| GroundTask {
            task: task.clone(),
            args,
        }));
    }
    all
}

/// A cost with a total order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost(f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// There are more states than the limit.
#[derive(Debug, Clone, Copy)]
pub struct TooMany;

/// Returns the minimum cost of a plan for the goal of the scenario `s`; `None` if there is no plan.
pub fn least_cost(document: &Document, most: usize) -> Result<Option<f64>, TooMany> {
    let domain = Domain::from(document);
    let scene = domain.scene_or_empty(&name("s"));
    let world = World::initial(&domain, &scene);
    let goal = scene.actor(0).goal_formula(domain.texts()).expect("a goal");
    let tasks = ground_tasks(document, &world);
    let key = |world: &World| format!("{:?}", world.assigned_atoms());
    let mut numbers = BTreeMap::from([(key(&world), 0)]);
    let mut worlds = vec![world.clone()];
    let mut costs = vec![0.0];
    let mut is_done = vec![false];
    let mut open = BinaryHeap::from([Reverse((Cost(0.0), 0))]);
    while let Some(Reverse((Cost(cost), at))) = open.pop() {
        if std::mem::replace(&mut is_done[at], true) {
            continue;
        }
        let world = worlds[at].clone();
        if world.holds(goal, &Env::new()) == Ok(true) {
            return Ok(Some(cost));
        }
        for task in &tasks {
            let Some((own, after)) = done(&world, task) else {
                continue;
            };
            let number = *numbers.entry(key(&after)).or_insert(worlds.len());
            if number == worlds.len() {
                worlds.push(after);
                costs.push(f64::INFINITY);
                is_done.push(false);
            }
            if cost + own < costs[number] {
                costs[number] = cost + own;
                open.push(Reverse((Cost(cost + own), number)));
            }
        }
        if worlds.len() > most {
            return Err(TooMany);
        }
    }
    Ok(None)
}

/// Returns the cost of a task in a world, and the world after it; `None` if the task is impossible.
fn done(world: &World, task: &GroundTask) -> Option<(f64, World)> {
    let record = world.primitive(task)?;
    let env = Env::bound(&record.record.params, &task.args);
    let mut preconditions = record.preconditions.iter();
    if !preconditions.all(|text| world.holds(text, &env) == Ok(true)) {
        return None;
    }
    let changes = world.changes(record, &task.args, |_| true).ok()?;
    let cost = world.cost(record, &task.args).max(0.0);
    let mut after = world.clone();
    after.apply(&changes);
    Some((cost, after))
}
