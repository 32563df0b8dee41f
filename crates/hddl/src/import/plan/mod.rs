//! Conversion between plan files and plans.
//!
//! A plan file contains less than a plan: it lacks the subtask that each task corresponds to, the
//! time of each decomposition, and the values of method variables. [`plan_of_file`] reconstructs
//! all of it, or reports the first error.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::syntax::PlanFile;
use taskloom_document::Name;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_domain::{Actor, Domain};

use taskloom_planner::compile::{self, methods};
use taskloom_planner::plan::{self, Invalid, Plan, PlanTarget, World};

use super::ImportNames;
use fit::{Effort, Matching};
use pattern::Pattern;
use tree::{Tree, TreeKind};
pub use write::file_of_plan;

mod bind;
mod fit;
mod pattern;
mod shape;
mod tree;
mod walk;
mod write;

/// The method of a task that was done by a search for its goal.
const BY_GOAL: &str = "by-goal";

/// The maximum number of methods per flowchart.
const MAX_METHODS: usize = 10_000;

/// A network that a task may have been decomposed into, and the tasks that match its subtasks.
#[derive(Debug)]
pub struct Candidate {
    pattern: Rc<Pattern>,
    matching: Matching,
}

/// Returns the plan in a file for a scenario, as another planner may have written it. The ids after
/// a method's name, and those of the line `root`, are a set: they match whichever subtasks they
/// fit. The plan has passed [`plan::validate`].
///
/// # Errors
/// The first error in it.
pub fn plan_of_file(
    file: &PlanFile,
    domain: &Domain,
    scenario: &Name,
    names: &ImportNames,
) -> Result<Plan, Invalid> {
    read(file, domain, scenario, names, &Stop::default())
}

/// Like [`plan_of_file`], but can be stopped.
///
/// # Errors
/// If stopped, before the plan's validity is known.
pub fn plan_of_file_cancellable(
    file: &PlanFile,
    domain: &Domain,
    scenario: &Name,
    names: &ImportNames,
    stop: &Stop,
) -> Result<Result<Plan, Invalid>, Stopped> {
    stop.unless_cancelled(read(file, domain, scenario, names, stop))
}

/// Returns a meaningless result if stopped.
fn read(
    file: &PlanFile,
    domain: &Domain,
    scenario: &Name,
    names: &ImportNames,
    stop: &Stop,
) -> Result<Plan, Invalid> {
    let domain = domain.executable();
    let document = domain.document();
    let tree = Tree::new(file, document, scenario, names, stop)?;
    let scene = domain.scene_or_empty(scenario);
    let actor = scene.actor(0);
    let world = World::initial_cancellable(domain, &scene, stop.clone());
    let world = world.believed_by(actor.clone());
    let mut reader = Reader {
        domain,
        names,
        resolutions: FxHashMap::default(),
        patterns: FxHashMap::default(),
        effort: Effort::new(tree.nodes.len(), stop.clone()),
        stop,
        is_cut: false,
    };
    // A plan for a goal may have any tasks.
    let is_for_goal = actor.tasks().is_empty() && (actor.has_goals() || !actor.goal().is_empty());
    let top = match is_for_goal {
        true => Ok(Pattern::of_tasks(tree.tasks_below(0))),
        false => Pattern::of_calls(actor.calls(domain.texts())),
    };
    let candidates = reader.candidates(&tree, &top.map(Rc::new))?;
    if let Some(left) = &tree.left {
        let message = format!("'{left}' is neither an initial task nor a subtask");
        return Err(Invalid {
            message,
            step: None,
        });
    }
    let walked_plan = walk::walk(&tree, &candidates, world, stop);
    let walked_plan = walked_plan.map_err(|invalid| reader.with_cut_note(invalid))?;
    let has_top = names.initial_network.is_some();
    let mut plan = shape::plan(&tree, &candidates, walked_plan, has_top, stop);
    let validate = |plan: &Plan| {
        plan::validate_cancellable(domain, (scenario, 0), plan, stop).unwrap_or(Ok(()))
    };
    let mut targets = match is_for_goal {
        true => targets(domain, (scenario, actor), stop),
        false => vec![],
    }
    .into_iter();
    plan.target = targets.next();
    let mut validity = validate(&plan);
    while validity.is_err()
        && let Some(target) = targets.next()
    {
        plan.target = Some(target);
        let other = validate(&plan);
        validity = other.or(validity);
    }
    validity.map(|()| plan)
}

/// Returns what a plan without tasks may be for, the most valuable first: the file doesn't say. There is at least one.
fn targets(domain: &Domain, (scenario, actor): (&Name, &Actor), stop: &Stop) -> Vec<PlanTarget> {
    let problem = match actor.goal() {
        "" => compile::compile_cancellable(domain, (scenario, 0), stop).ok(),
        _ => None,
    };
    let goals = problem.map_or_else(Vec::new, |problem| problem.goals_to_reach());
    if goals.is_empty() {
        return vec![PlanTarget::default()];
    }
    let target = |goal| PlanTarget {
        goal: Some(goal),
        ..PlanTarget::default()
    };
    goals.into_iter().map(target).collect()
}

/// The networks of a method.
type Patterns = Rc<[Rc<Pattern>]>;

struct Reader<'a> {
    domain: &'a Domain,
    names: &'a ImportNames,
    /// The resolutions of each flowchart, computed on demand.
    resolutions: FxHashMap<Name, Rc<[compile::Method]>>,
    /// The networks of each method, by task and name.
    patterns: FxHashMap<(Name, String), Result<Patterns, String>>,
    effort: Effort,
    stop: &'a Stop,
    /// `true` if not all matchings were examined.
    is_cut: bool,
}

impl Reader<'_> {
    /// Returns the possible decompositions of each compound task.
    fn candidates(
        &mut self,
        tree: &Tree,
        top: &Result<Rc<Pattern>, String>,
    ) -> Result<Vec<Vec<Candidate>>, Invalid> {
        let mut all = vec![];
        for (number, node) in tree.nodes.iter().enumerate() {
            if self.stop.after(1) {
                break;
            }
            let TreeKind::Compound { method, children } = &node.kind else {
                all.push(vec![]);
                continue;
            };
            let is_top = number == 0;
            let patterns = if is_top && self.names.initial_network.is_none() {
                top.clone().map(|top| Rc::from([top]))
            } else if method.eq_ignore_ascii_case(BY_GOAL) && self.has_goal(&node.task.task) {
                let mut found = Pattern::of_tasks(tree.tasks_below(number));
                found.is_by_goal = true;
                Ok(Rc::from([Rc::new(found)]))
            } else {
                self.of_method(&node.task.task, method)
            };
            let own = patterns.and_then(|patterns| {
                let listed = children.len();
                let count = |declared: usize| {
                    if !is_top {
                        format!(
                            "its method '{method}' has {declared} subtasks, but the plan lists {listed}"
                        )
                    } else if declared == 0 {
                        plan::NO_TASK.to_owned()
                    } else {
                        format!("there are {declared}, but the plan lists {listed}")
                    }
                };
                self.fitting(tree, number, &patterns, count)
            });
            let task = (!is_top).then_some(&node.task);
            all.push(own.map_err(|why| tree::about(task, &why))?);
        }
        Ok(all)
    }

    /// Returns the matchings of networks with a task.
    fn fitting(
        &mut self,
        tree: &Tree,
        node: usize,
        patterns: &[Rc<Pattern>],
        count: impl Fn(usize) -> String,
    ) -> Result<Vec<Candidate>, String> {
        let listed = tree.children(node).len();
        let mut own = vec![];
        let mut why = None;
        for pattern in patterns {
            if pattern.subtasks.len() != listed {
                continue;
            }
            let found = fit::matchings(tree, node, pattern, &mut self.effort);
            self.is_cut |= found.is_cut;
            own.extend(found.all.into_iter().map(|matching| Candidate {
                pattern: pattern.clone(),
                matching,
            }));
            why.get_or_insert(found.why);
        }
        if !own.is_empty() {
            return Ok(own);
        }
        if self.is_cut {
            return Err(TOO_MANY.to_owned());
        }
        Err(why.unwrap_or_else(|| count(patterns.first().map_or(0, |p| p.subtasks.len()))))
    }

    fn has_goal(&self, task: &Name) -> bool {
        let compound = self.domain.compound(task);
        compound.is_some_and(|compound| compound.goal.is_some())
    }

    /// Returns the networks of a task's method.
    fn of_method(&mut self, task: &Name, method: &str) -> Result<Patterns, String> {
        let key = (task.clone(), method.to_ascii_lowercase());
        if let Some(known) = self.patterns.get(&key) {
            return known.clone();
        }
        let made = self.make(task, method);
        self.patterns.insert(key, made.clone());
        made
    }

    fn make(&mut self, task: &Name, method: &str) -> Result<Patterns, String> {
        let Some(compound) = self.domain.compound(task) else {
            return Err("an action has no methods".to_owned());
        };
        let known = self.names.methods.get(task).into_iter().flatten();
        let mut known = known
            .filter(|known| known.name.eq_ignore_ascii_case(method))
            .peekable();
        if known.peek().is_none() {
            return Err(format!("it has no method '{method}'"));
        }
        let all = self.resolutions.entry(task.clone());
        let all = all.or_insert_with(|| {
            let all = methods(&compound.record.method).into_iter().flatten();
            let all = all.take_while(|method| !self.stop.after(1 + method.blocks.len()));
            all.take(MAX_METHODS).collect()
        });
        let mut patterns = vec![];
        let mut why = format!("its method '{method}' is invalid");
        for known in known {
            let leads_here = |resolution: &&compile::Method| match &known.output {
                Some(output) => resolution.outputs.contains(output),
                None => true,
            };
            for resolution in all.iter().filter(leads_here) {
                if self.stop.after(1 + resolution.blocks.len()) {
                    break;
                }
                match Pattern::of_resolution(self.domain, compound, resolution.clone(), self.stop) {
                    Ok(pattern) => patterns.push(Rc::new(pattern)),
                    Err(unreadable) => why = unreadable,
                }
            }
        }
        if patterns.is_empty() {
            return Err(why);
        }
        Ok(patterns.into())
    }

    /// Adds to an error that other matchings may exist, if not all were tried.
    fn with_cut_note(&self, mut invalid: Invalid) -> Invalid {
        if self.is_cut {
            invalid.message += "; ";
            invalid.message += TOO_MANY;
        }
        invalid
    }
}

const TOO_MANY: &str =
    "there are too many ways to match subtasks to the plan's tasks; not all were tried";
