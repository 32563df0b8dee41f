//! Decides which steps of a plan may run in parallel (semantics, section 5): those of different
//! executors that the plan doesn't order, and of which neither changes what the other reads or
//! changes.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::access::{AccessSet, StepAccess};
use super::plan_execution::Steps;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Kind, Name, Param};
use taskloom_domain::lang::typed::{Call, Formula};
use taskloom_domain::text::values;
use taskloom_planner::plan::{Decomposed, GroundTask, Node, Plan, World};

/// The constraints on running the steps of a plan in parallel.
#[derive(Debug)]
pub struct ParallelSchedule {
    /// The executor of each step, as an index.
    executors: Vec<usize>,
    /// The number of executors.
    count: usize,
    steps: Vec<StepAccess>,
    /// For each step, the indices of the compound tasks above it in `tasks`.
    above: Vec<Vec<usize>>,
    /// The compound tasks above steps.
    tasks: Vec<Above>,
}

/// A compound task above a step.
#[derive(Debug)]
struct Above {
    /// The facts that its integrity rules read.
    rules: AccessSet,
    /// The facts that selected its decomposition.
    chosen: AccessSet,
    /// The step before which it was decomposed.
    at: usize,
}

impl ParallelSchedule {
    /// Creates the constraints of a plan; `None` if all steps have the same executor, and so run one
    /// after the other.
    pub fn of(world: &World, plan: &Plan) -> Option<Self> {
        let actions = &world.document().actions;
        if actions
            .values()
            .all(|action| action.executor.trim().is_empty())
        {
            return None;
        }
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let executor = |step: &GroundTask| {
            let action = call(world, step).and_then(|call| actions.get(&call.name));
            action.map_or_else(String::new, |action| action.executor.trim().to_lowercase())
        };
        let executors = plan.steps.iter().map(|step| {
            let next = numbers.len();
            *numbers.entry(executor(&step.task)).or_insert(next)
        });
        let executors: Vec<usize> = executors.collect();
        if numbers.len() < 2 {
            return None;
        }
        let mut tasks = vec![];
        let mut known: FxHashMap<usize, usize> = FxHashMap::default();
        let mut above = vec![];
        for step in &plan.steps {
            let mut own = vec![];
            let mut node = plan.nodes.get(step.node).and_then(|node| node.parent);
            while let Some(number) = node {
                let parent = &plan.nodes[number];
                own.push(*known.entry(number).or_insert_with(|| {
                    tasks.push(Above::of(world, parent));
                    tasks.len() - 1
                }));
                node = parent.parent;
            }
            above.push(own);
        }
        let steps = plan.steps.iter();
        Some(Self {
            count: numbers.len(),
            steps: steps.map(|step| step_access(world, &step.task)).collect(),
            executors,
            above,
            tasks,
        })
    }

    /// Returns the steps that can start, of those from `first` on that are not complete.
    pub fn ready_steps(
        &self,
        plan: &Plan,
        first: usize,
        complete: &[bool],
        is_running: &dyn Fn(usize) -> bool,
    ) -> Steps {
        let mut found = Steps::new();
        let mut busy: SmallVec<[bool; 8]> = smallvec![false; self.count];
        let mut left = self.count;
        // The earlier steps that are not complete.
        let mut open: SmallVec<[usize; 16]> = SmallVec::new();
        let steps = complete.iter().enumerate().skip(first);
        for (step, _) in steps.filter(|(_, complete)| !**complete) {
            let own = self.executors[step];
            if !std::mem::replace(&mut busy[own], true) {
                left -= 1;
                let must_wait = |before: &usize| self.conflicts(plan, *before, step);
                if !is_running(step) && !open.iter().any(must_wait) {
                    found.push(step);
                }
            }
            if left == 0 {
                break;
            }
            open.push(step);
        }
        found
    }

    /// Returns `true` if a step has to wait for an earlier one of another executor.
    fn conflicts(&self, plan: &Plan, before: usize, step: usize) -> bool {
        // An indirect predecessor is complete once the steps in between are. The order of a plan for a
        // goal is just that of the search, and not required.
        if !plan.is_by_search() && self.is_ordered(plan, before, step) {
            return true;
        }
        let (first, second) = (&self.steps[before], &self.steps[step]);
        let reads = |reader: usize, changes: &AccessSet| {
            let mut above = self.above[reader].iter().map(|task| &self.tasks[*task]);
            self.steps[reader].reads.intersects(changes)
                || above.any(|task| task.rules.intersects(changes))
        };
        first.changes.intersects(&second.changes)
            || reads(step, &first.changes)
            || reads(before, &second.changes)
            || self.above[step].iter().any(|task| {
                let task = &self.tasks[*task];
                before < task.at && task.chosen.intersects(&first.changes)
            })
    }

    /// Returns `true` if the plan orders two steps, the first of which is not complete.
    fn is_ordered(&self, plan: &Plan, before: usize, step: usize) -> bool {
        let mut open = vec![step];
        let mut seen = vec![false; step + 1];
        while let Some(step) = open.pop() {
            for after in &plan.steps[step].after {
                if *after == before {
                    return true;
                }
                if *after > before && !std::mem::replace(&mut seen[*after], true) {
                    open.push(*after);
                }
            }
        }
        false
    }
}

/// Returns `true` if any of the remaining steps of a plan, what selects the resolution that it comes from,
/// or the goal of the plan may read what steps before it would have changed that were skipped.
pub fn relies_on(
    world: &World,
    plan: &Plan,
    skipped: &[usize],
    remaining: impl Iterator<Item = usize>,
) -> bool {
    let task = |step: usize| &plan.steps[step].task;
    let skipped = skipped.iter();
    let skipped = skipped.map(|step| (*step, step_access(world, task(*step)).changes));
    let skipped: Vec<(usize, AccessSet)> = skipped.collect();
    let reads = |reads: &AccessSet, until: usize| {
        let mut earlier = skipped.iter().filter(|(step, _)| *step < until);
        earlier.any(|(_, changes)| reads.intersects(changes))
    };
    let mut above = vec![];
    for step in remaining.take_while(|_| !skipped.is_empty()) {
        if reads(&step_access(world, task(step)).reads, step) {
            return true;
        }
        let node = plan.nodes.get(plan.steps[step].node);
        let nodes = std::iter::successors(node.and_then(|node| node.parent), |number| {
            plan.nodes.get(*number)?.parent
        });
        above.extend(nodes.map(|number| (number, step)));
    }
    // The last step below each task.
    above.compact_sort_by(|a, b| b.cmp(a));
    above.dedup_by_key(|(number, _)| *number);
    let is_read_above = above.iter().any(|(number, step)| {
        let task = Above::of(world, &plan.nodes[*number]);
        reads(&task.rules, *step) || reads(&task.chosen, task.at)
    });
    let mut of_goal = AccessSet::default();
    if let Some(goal) = goal(world, plan).filter(|_| !skipped.is_empty()) {
        of_goal.formula(world, goal, &Rc::default());
    }
    is_read_above || reads(&of_goal, usize::MAX)
}

/// Returns the goal that a plan leads to; `None` if it doesn't look that far ahead.
fn goal<'w>(world: &'w World, plan: &Plan) -> Option<&'w Formula> {
    let (domain, actor) = (world.domain(), world.actor());
    let pursued = plan.target.as_ref().and_then(|target| target.goal.as_ref());
    let goal = match pursued {
        Some(name) => domain.goal(name).map(|goal| &goal.condition),
        None if actor.is_reactive() => None,
        None => actor.goal_formula(domain.texts()),
    };
    goal.and_then(|goal| goal.value.as_ref())
}

/// Returns the call of a step's action.
fn call<'w>(world: &'w World, task: &GroundTask) -> Option<&'w Call> {
    let rules = world.domain().execution_rules(world.primitive(task)?);
    rules.action.as_ref()?.value.as_ref()
}

/// Returns what a step reads and changes in any state.
pub fn step_access(world: &World, task: &GroundTask) -> StepAccess {
    let mut access = StepAccess::default();
    add_step(&mut access, world, (&task.task, &known(&task.args)));
    access
}

/// Adds what a primitive task reads and changes. An argument that isn't known may be any object.
fn add_step(access: &mut StepAccess, world: &World, (name, args): (&Name, &[Option<Name>])) {
    let domain = world.domain();
    let Some(read) = domain.primitive(name) else {
        return;
    };
    let rules = domain.execution_rules(read);
    let env = Rc::new(bound(&read.record.params, args));
    let conditions = [&read.preconditions, &rules.integrity, &rules.completion];
    for formula in conditions.into_iter().flat_map(values) {
        access.reads.formula(world, formula, &env);
    }
    for claim in values(&read.claims) {
        access.reads.term(world, claim, &env);
    }
    for effect in values(read.effects.iter().map(|(_, effect)| effect)) {
        access.effect(world, effect, &env);
    }
    let call = rules.action.as_ref().and_then(|call| call.value.as_ref());
    let Some(call) = call else {
        return;
    };
    let args: Vec<_> = call
        .args
        .iter()
        .map(|arg| access.reads.term(world, arg, &env))
        .collect();
    let duration = domain.duration(&call.name);
    let duration = duration.and_then(|duration| duration.value.as_ref());
    if let (Some(duration), Some(action)) = (duration, domain.document().actions.get(&call.name)) {
        let params = action.params.iter().map(|param| param.name.clone());
        let env = Rc::new(params.zip(args).collect());
        access.reads.number(world, duration, &env);
    }
}

/// Returns what a task, and every task that it may lead to, reads and changes in any state.
pub fn task_access(world: &World, task: &GroundTask) -> StepAccess {
    let domain = world.domain();
    let mut access = StepAccess::default();
    let mut seen: FxHashSet<(Name, Vec<Option<Name>>)> = FxHashSet::default();
    let mut open = vec![(task.task.clone(), known(&task.args))];
    while let Some((name, args)) = open.pop() {
        if !seen.insert((name.clone(), args.clone())) {
            continue;
        }
        let Some(read) = domain.compound(&name) else {
            add_step(&mut access, world, (&name, &args));
            continue;
        };
        let mut env = bound(&read.record.params, &args);
        let conditions = [&read.preconditions[..], domain.integrity(read)];
        let conditions = conditions.into_iter().flatten().chain(&read.goal);
        for formula in values(conditions) {
            access.reads.formula(world, formula, &Rc::new(env.clone()));
        }
        if read.goal.is_some() {
            // The search for the goal may use any primitive task of the repertoire.
            for (name, task) in &world.document().primitive_tasks {
                if world
                    .actor()
                    .may_use(world.document(), Kind::PrimitiveTask, name)
                {
                    // So an object that is added later matters, too.
                    access.reads.ranging(&Rc::default(), &task.params);
                    open.push((name.clone(), vec![None; task.params.len()]));
                }
            }
        }
        let Some(method) = domain.method(read) else {
            continue;
        };
        // Blocks differ in whether they mean the parameter or the variable of a Bind.
        let binds = method.binds().iter();
        let binds = binds.filter_map(|bind| method.variable(*bind));
        let binds: Vec<Param> = binds.cloned().collect();
        env.retain(|(name, _)| binds.iter().all(|variable| *name != variable.name));
        let env = Rc::new(env);
        access.reads.ranging(&env, &binds);
        for position in 0..method.chart.blocks.len() as u32 {
            let content = domain.content(method, position);
            for call in values(content.call()) {
                let args = call.args.iter();
                let args = args.map(|arg| access.reads.term(world, arg, &env));
                open.push((call.name.clone(), args.collect()));
            }
            for formula in values(content.condition()) {
                access.reads.formula(world, formula, &env);
            }
            for number in values(content.numbers()) {
                access.reads.number(world, number, &env);
            }
        }
    }
    access
}

/// Returns arguments as known ones.
fn known(args: &[Name]) -> Vec<Option<Name>> {
    args.iter().cloned().map(Some).collect()
}

/// Binds parameters to arguments.
fn bound(params: &[Param], args: &[Option<Name>]) -> super::access::Env {
    let names = params.iter().map(|param| param.name.clone());
    names.zip(args.iter().cloned()).collect()
}

impl Above {
    fn of(world: &World, node: &Node) -> Self {
        let mut above = Self {
            rules: AccessSet::default(),
            chosen: AccessSet::default(),
            at: 0,
        };
        let (Some(read), Some(decomposed)) = (world.compound(&node.task), node.decomposed()) else {
            return above;
        };
        above.at = decomposed.at;
        let env = Rc::new(bound(&read.record.params, &known(&node.task.args)));
        for rule in values(world.domain().integrity(read)) {
            above.rules.formula(world, rule, &env);
        }
        for formula in values(read.preconditions.iter().chain(&read.goal)) {
            above.chosen.formula(world, formula, &env);
        }
        above.add_resolution(world, node, decomposed);
        above
    }

    /// Adds what the conditions of the resolution read.
    fn add_resolution(&mut self, world: &World, node: &Node, decomposed: &Decomposed) {
        let domain = world.domain();
        let Some(read) = world.compound(&node.task) else {
            return;
        };
        let Some(method) = domain.method(read) else {
            return;
        };
        let mut env = bound(&read.record.params, &known(&node.task.args));
        for (_, variable, object) in &decomposed.bindings {
            match env.iter_mut().find(|(name, _)| name == variable) {
                // Blocks differ in which of the two they mean.
                Some((_, known)) => *known = None,
                None => env.push((variable.clone(), Some(object.clone()))),
            }
        }
        let env = Rc::new(env);
        for (position, block) in (0u32..).zip(&method.chart.blocks) {
            if !decomposed.blocks.contains(&block.id) {
                continue;
            }
            let content = domain.content(method, position);
            for call in values(content.call()) {
                for arg in &call.args {
                    self.chosen.term(world, arg, &env);
                }
            }
            for query in values(content.query()) {
                for arg in &query.args {
                    self.chosen.term(world, arg, &env);
                }
            }
            for formula in values(content.condition()) {
                self.chosen.formula(world, formula, &env);
            }
            for number in values(content.numbers()) {
                self.chosen.number(world, number, &env);
            }
        }
    }
}
