//! Splits methods where their variables are independent, so that grounding does not multiply their
//! objects.
//!
//! A variable that occurs in a single subtask, and in no condition, can be bound when that subtask
//! is decomposed: the subtask becomes a new compound task with the other variables as parameters,
//! and one method that binds this one.

use crate::lifted::condition::Arg;
use crate::lifted::decomposition::{Decomposition, DecompositionNode};
use crate::lifted::model::{Method, Model, Source, Subtask, Task, TaskKind};

/// A model with new tasks, and the information to remove them again.
#[derive(Debug)]
pub struct Split {
    /// The model; its new tasks and methods come last.
    pub model: Model,
    first_task: u32,
    first_method: u32,
    /// By new method: the corresponding variables of the method that its task is a subtask of.
    variables: Vec<Vec<u32>>,
}

impl Split {
    /// Splits every method where possible.
    pub fn new(mut model: Model) -> Self {
        let first_task = model.tasks.len() as u32;
        let first_method = model.methods.len() as u32;
        let mut variables = vec![];
        for number in 0..model.methods.len() {
            if model.methods[number].subtasks.len() < 2 {
                continue;
            }
            let local = local(&model, &model.methods[number]);
            for position in 0..model.methods[number].subtasks.len() {
                let subtask = &model.methods[number].subtasks[position];
                if has_local(subtask, &local) {
                    variables.push(split(&mut model, number, position, &local));
                }
            }
        }
        Self {
            model,
            first_task,
            first_method,
            variables,
        }
    }

    /// Removes the new tasks from a decomposition.
    pub fn joined(&self, mut found: Decomposition) -> Decomposition {
        let len = found.nodes.len();
        // A new task's node takes over its only subtask.
        let mut stands_for: Vec<u32> = (0..len as u32).collect();
        for child in 0..len {
            let Some((parent, _)) = found.nodes[child].parent else {
                continue;
            };
            if found.nodes[parent as usize].task < self.first_task {
                continue;
            }
            // The parent's method may belong to a new task's subtask, which has moved.
            let above = found.nodes[parent as usize].parent;
            let above = above.map(|(above, _)| stands_for[above as usize]);
            self.bind(&mut found, parent, above);
            let node = found.nodes[child].clone();
            let place: &mut DecompositionNode = &mut found.nodes[parent as usize];
            (place.task, place.args, place.by) = (node.task, node.args, node.by);
            stands_for[child] = parent;
        }
        let mut new_number = vec![0u32; len];
        let mut next = 0;
        for (number, stands_for) in (0u32..).zip(&stands_for) {
            new_number[number as usize] = next;
            next += u32::from(*stands_for == number);
        }
        let renumber = |node: u32| new_number[stands_for[node as usize] as usize];
        let kept = (0u32..).zip(std::mem::take(&mut found.nodes));
        found.nodes = kept
            .filter(|(number, _)| stands_for[*number as usize] == *number)
            .map(|(_, mut node)| {
                node.parent = node.parent.map(|(parent, at)| (renumber(parent), at));
                node
            })
            .collect();
        found.steps.iter_mut().for_each(|s| *s = renumber(*s));
        found
    }

    /// Copies the variables that a new task bound to the method of its parent.
    fn bind(&self, found: &mut Decomposition, node: u32, above: Option<u32>) {
        let of = &found.nodes[node as usize];
        let (Some(by), Some(above)) = (of.by.clone(), above) else {
            return;
        };
        let Some(own) = by.method.checked_sub(self.first_method) else {
            return;
        };
        if let Some(above) = found.nodes[above as usize].by.as_mut() {
            for (variable, object) in self.variables[own as usize].iter().zip(&by.objects) {
                above.objects[*variable as usize] = *object;
            }
        }
    }
}

/// Returns for each variable whether it is not a parameter, occurs in no condition, and occurs in
/// only one subtask.
fn local(model: &Model, method: &Method) -> Vec<bool> {
    let params = model.tasks[method.task as usize].params.len();
    let mut uses = vec![0u32; method.frame as usize];
    for subtask in &method.subtasks {
        let mut own: Vec<u32> = variables(subtask).collect();
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|v| uses[*v as usize] += 1);
    }
    for cond in &method.precondition {
        cond.all_free(&mut |v| {
            uses[v as usize] = u32::MAX / 2;
            true
        });
    }
    let uses = uses.iter().enumerate().take(method.vars.len());
    uses.map(|(v, uses)| v >= params && *uses == 1).collect()
}

fn variables(subtask: &Subtask) -> impl Iterator<Item = u32> {
    subtask.args.iter().filter_map(|arg| match arg {
        Arg::Variable(v) => Some(*v),
        Arg::Object(_) => None,
    })
}

fn has_local(subtask: &Subtask, local: &[bool]) -> bool {
    variables(subtask).any(|v| local[v as usize])
}

/// Replaces a subtask by a new task. Returns the variables of the new method, as numbered in the
/// original one.
fn split(model: &mut Model, method: usize, position: usize, local: &[bool]) -> Vec<u32> {
    let of = &mut model.methods[method];
    let subtask = of.subtasks[position].clone();
    let mut own: Vec<u32> = variables(&subtask).collect();
    own.sort_unstable();
    own.dedup();
    // Its parameters are the variables that others share.
    own.sort_by_key(|v| local[*v as usize]);
    let params = own.iter().take_while(|v| !local[**v as usize]).count();
    let types: Vec<u32> = own.iter().map(|v| of.vars[*v as usize]).collect();
    let task = model.tasks.len() as u32;
    of.subtasks[position] = Subtask {
        task,
        args: own[..params].iter().map(|v| Arg::Variable(*v)).collect(),
    };
    let args = subtask.args.iter().map(|arg| match arg {
        Arg::Variable(v) => {
            let number = own.iter().position(|o| o == v).unwrap_or_default();
            Arg::Variable(number as u32)
        }
        Arg::Object(_) => *arg,
    });
    let first = model.methods.len() as u32;
    model.tasks.push(Task {
        params: types[..params].to_vec(),
        kind: TaskKind::Compound(first..first + 1),
    });
    model.methods.push(Method {
        task,
        frame: types.len() as u32,
        vars: types,
        precondition: vec![],
        subtasks: vec![Subtask {
            task: subtask.task,
            args: args.collect(),
        }],
        order: vec![],
        is_sequence: true,
        source: Source {
            blocks: [].into(),
            wires: [].into(),
            binds: vec![],
            tasks: vec![],
        },
    });
    own
}
