//! Checks that a saved plan fits a document.

use taskloom_document::{BlockId, Name, Param};
use taskloom_planner::plan::{GroundTask, Node, NodeKind, Plan, World as Facts};

/// Checks that all tasks, objects, blocks and goals of a plan exist, and that its indices are valid.
///
/// # Errors
/// Returns a sentence about the first one that doesn't.
pub fn check(plan: &Plan, facts: &Facts) -> Result<(), String> {
    if !check_indices(plan) {
        return Err("it is damaged".to_owned());
    }
    for step in &plan.steps {
        if facts.primitive(&step.task).is_none() {
            return Err(format!("there is no primitive task '{}'", step.task.task));
        }
    }
    for node in &plan.nodes {
        // Objects that don't exist any more are like those that a game removes while it runs.
        task_fits(&node.task, facts, true)?;
        check_blocks(node, facts)?;
    }
    let target = plan.target.as_ref();
    let goal = target.and_then(|target| target.goal.as_ref());
    match goal.filter(|goal| !facts.actor().goals().contains(goal)) {
        Some(goal) => Err(format!("the actor has no goal '{goal}'")),
        None => Ok(()),
    }
}

/// Returns `true` if all indices of a plan are valid.
pub fn check_indices(plan: &Plan) -> bool {
    let is_node = |node: &usize| *node < plan.nodes.len();
    let is_step = |step: &usize| *step < plan.steps.len();
    let mut steps = plan.steps.iter();
    let mut nodes = plan.nodes.iter().enumerate();
    plan.roots.iter().all(is_node)
        && steps.all(|step| is_node(&step.node) && step.after.iter().all(is_step))
        && nodes.all(|(number, node)| {
            // Children come after their parents.
            let children_are_valid = match &node.kind {
                NodeKind::Step(step) => is_step(step),
                NodeKind::Decomposed(decomposed) => {
                    let mut children = decomposed.children.iter();
                    children.all(|child| is_node(child) && *child > number)
                }
                NodeKind::Pending => true,
            };
            children_are_valid && node.parent.is_none_or(|parent| parent < number)
        })
}

/// Checks that a task exists, with these objects.
///
/// # Errors
/// Returns a sentence if it doesn't.
pub fn task_exists(task: &GroundTask, facts: &Facts) -> Result<(), String> {
    task_fits(task, facts, false)
}

/// Checks that a task exists, with objects of these names, which need not exist if they `may_be_missing`.
fn task_fits(task: &GroundTask, facts: &Facts, may_be_missing: bool) -> Result<(), String> {
    let name = &task.task;
    let primitive = facts.primitive(task).map(|task| &task.record.params);
    let params = primitive.or_else(|| facts.compound(task).map(|task| &task.record.params));
    let params = params.ok_or_else(|| format!("there is no task '{name}'"))?;
    if params.len() != task.args.len() {
        return Err(format!("'{name}' has other parameters"));
    }
    let misfit = |(param, object): &(&Param, &Name)| {
        let is_missing = may_be_missing && facts.scene().type_of(object).is_none();
        !is_missing && !facts.fits(object, &param.of)
    };
    match params.iter().zip(&task.args).find(misfit) {
        Some((param, object)) => Err(format!("'{object}' is not a {}", param.of)),
        None => Ok(()),
    }
}

/// Checks that the blocks by which a task was decomposed exist.
fn check_blocks(node: &Node, facts: &Facts) -> Result<(), String> {
    let Some(decomposed) = node.decomposed() else {
        return Ok(());
    };
    let name = &node.task.task;
    let compound = facts.compound(&node.task);
    let compound = compound.ok_or_else(|| format!("'{name}' is not a compound task"))?;
    if decomposed.is_by_goal() && compound.goal.is_none() {
        return Err(format!("'{name}' has no goal any more"));
    }
    let method = facts.domain().method(compound);
    let mut blocks = decomposed.blocks.iter();
    let exists = |id: &BlockId| {
        let blocks = method.map(|method| &method.chart.blocks);
        blocks.is_some_and(|blocks| blocks.iter().any(|block| block.id == *id))
    };
    match blocks.all(exists) {
        true => Ok(()),
        false => Err(format!("the flowchart of '{name}' has changed")),
    }
}
