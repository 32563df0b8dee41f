//! From the fixpoint's tuples to ground tasks and methods: those that the roots
//! reach through methods all of whose subtasks can be done.

use super::super::model::{Cond, Effect, Model, TaskKind};
use super::Rows;
use super::condition::{Atoms, Need, Tree};
use super::fixpoint::{Fixpoint, value};
use super::relation::NONE;

/// The task that has to be done last and needs the goal.
pub const GOAL: u32 = u32::MAX;

/// A change of one atom.
#[derive(Debug, Clone)]
pub struct Change {
    pub when: Need,
    pub add: bool,
    pub atom: u32,
}

/// A task with its objects.
#[derive(Debug)]
pub struct DraftTask {
    /// An index of the model's tasks, or [`GOAL`].
    pub task: u32,
    /// Number of its objects' tuple in the relation of what can be done.
    pub tuple: u32,
    /// What an action does; `None` for a compound task.
    pub action: Option<DraftAction>,
}

#[derive(Debug, Default)]
pub struct DraftAction {
    /// None where it cannot hold.
    pub need: Option<Need>,
    pub changes: Vec<Change>,
}

/// An instance of a method.
#[derive(Debug)]
pub struct DraftMethod {
    /// An index of the draft's tasks.
    pub task: u32,
    /// An index of the model's methods.
    pub method: u32,
    /// Number of its variables' tuple in the relation of the method's instances.
    pub tuple: u32,
    pub need: Need,
}

/// Ground tasks and methods, before what is useless is left out.
#[derive(Debug)]
pub struct Draft {
    pub atoms: Atoms,
    pub tasks: Vec<DraftTask>,
    pub methods: Vec<DraftMethod>,
    /// The tasks of each method's network.
    pub subtasks: Rows,
    pub roots: Vec<u32>,
    /// By the model's task, then tuple: the draft's task.
    numbers: Vec<Vec<u32>>,
    /// Tasks before this one have their methods.
    expanded: usize,
    /// An index of each method's instances by the task's objects.
    indexes: Vec<Option<(u32, u32)>>,
    scratch: Vec<u32>,
    literals: usize,
}

impl Draft {
    /// `None` where a root cannot be done, even without deletes.
    pub fn new(model: &Model, fixpoint: &mut Fixpoint) -> Option<Self> {
        let atoms = Atoms::new(model, fixpoint);
        let numbers = fixpoint
            .program
            .done
            .iter()
            .map(|d| vec![NONE; fixpoint.relations[*d as usize].len() as usize]);
        let mut draft = Self {
            atoms,
            numbers: numbers.collect(),
            tasks: vec![],
            methods: vec![],
            subtasks: Rows::default(),
            roots: vec![],
            expanded: 0,
            indexes: vec![],
            scratch: vec![],
            literals: 0,
        };
        for (number, method) in model.methods.iter().enumerate() {
            let params: Vec<u32> =
                (0..model.tasks[method.task as usize].params.len() as u32).collect();
            let instances = fixpoint.program.instances[number];
            draft.indexes.push(instances.map(|relation| {
                let index = fixpoint.relations[relation as usize].index(&params);
                (relation, index)
            }));
        }
        for (task, objects) in &model.roots {
            let done = fixpoint.program.done[*task as usize];
            let tuple = fixpoint.relations[done as usize].find(objects)?;
            let root = draft.task(model, *task, tuple);
            draft.roots.push(root);
        }
        if !model.goal.is_empty() {
            let mut binding = vec![NONE; model.goal_frame as usize];
            let need = draft
                .atoms
                .need(model, &fixpoint.relations, &model.goal, &mut binding)?;
            draft.roots.push(draft.tasks.len() as u32);
            draft.tasks.push(DraftTask {
                task: GOAL,
                tuple: 0,
                action: Some(DraftAction {
                    need: Some(need),
                    changes: vec![],
                }),
            });
        }
        Some(draft)
    }

    /// Bytes that it takes, roughly.
    pub fn memory(&self) -> usize {
        self.tasks.len() * size_of::<DraftTask>()
            + self.methods.len() * size_of::<DraftMethod>()
            + self.subtasks.memory()
            + self.literals * 8
            + self.numbers.iter().map(|n| n.capacity() * 4).sum::<usize>()
    }

    /// The number of a task that can be done, which it gets where it has none.
    fn task(&mut self, model: &Model, task: u32, tuple: u32) -> u32 {
        let number = self.numbers[task as usize][tuple as usize];
        if number != NONE {
            return number;
        }
        let number = self.tasks.len() as u32;
        self.numbers[task as usize][tuple as usize] = number;
        let action = match model.tasks[task as usize].kind {
            TaskKind::Primitive(_) => Some(DraftAction::default()),
            TaskKind::Compound(_) => None,
        };
        self.tasks.push(DraftTask {
            task,
            tuple,
            action,
        });
        number
    }

    /// Looks at some tasks. Whether all are done.
    pub fn step(&mut self, model: &Model, fixpoint: &Fixpoint, work: u64) -> bool {
        let mut left = work as i64;
        while left > 0 && self.expanded < self.tasks.len() {
            let number = self.expanded as u32;
            self.expanded += 1;
            left -= 1;
            let DraftTask { task, tuple, .. } = self.tasks[number as usize];
            let Some(of) = model.tasks.get(task as usize) else {
                continue;
            };
            match &of.kind {
                TaskKind::Primitive(action) => {
                    let drafted = self.action(model, fixpoint, *action, tuple);
                    left -= drafted.changes.len() as i64;
                    self.literals += drafted.changes.len() * 8;
                    self.tasks[number as usize].action = Some(drafted);
                }
                TaskKind::Compound(methods) => {
                    for method in methods.clone() {
                        left -= self.instances(model, fixpoint, number, method);
                    }
                }
            }
        }
        self.expanded == self.tasks.len()
    }

    /// Adds the instances of a method for a task; how many.
    fn instances(&mut self, model: &Model, fixpoint: &Fixpoint, task: u32, method: u32) -> i64 {
        let Some((relation, index)) = self.indexes[method as usize] else {
            return 0;
        };
        let DraftTask {
            task: of, tuple, ..
        } = self.tasks[task as usize];
        let done = &fixpoint.relations[fixpoint.program.done[of as usize] as usize];
        let instances = &fixpoint.relations[relation as usize];
        let lifted = &model.methods[method as usize];
        let first = self.methods.len();
        let mut at = instances.first(index, done.tuple(tuple));
        let mut found: Vec<u32> = vec![];
        while at != NONE {
            found.push(at);
            at = instances.next(index, at);
        }
        let mut binding = std::mem::take(&mut self.scratch);
        let mut args = vec![];
        for tuple in found.iter().rev() {
            binding.clear();
            binding.extend(instances.tuple(*tuple));
            binding.resize(lifted.frame as usize, NONE);
            let relations = &fixpoint.relations;
            let need = self
                .atoms
                .need(model, relations, &lifted.precondition, &mut binding);
            let Some(need) = need else { continue };
            let mut subtasks = vec![];
            for subtask in &lifted.subtasks {
                args.clear();
                args.extend(subtask.args.iter().map(|a| value(*a, &binding)));
                let done = fixpoint.program.done[subtask.task as usize];
                let Some(tuple) = relations[done as usize].find(&args) else {
                    break;
                };
                subtasks.push(self.task(model, subtask.task, tuple));
            }
            if subtasks.len() < lifted.subtasks.len() {
                continue;
            }
            self.subtasks.push(&subtasks);
            self.literals += need.literals.len() + need.rest.len() * 8;
            self.methods.push(DraftMethod {
                task,
                method,
                tuple: *tuple,
                need,
            });
        }
        self.scratch = binding;
        (self.methods.len() - first) as i64
    }

    fn action(&self, model: &Model, fixpoint: &Fixpoint, action: u32, tuple: u32) -> DraftAction {
        let action = &model.actions[action as usize];
        let done = fixpoint.program.done[action.task as usize];
        let mut binding = fixpoint.relations[done as usize].tuple(tuple).to_vec();
        binding.resize(action.frame as usize, NONE);
        let relations = &fixpoint.relations;
        let need = self
            .atoms
            .need(model, relations, &action.precondition, &mut binding);
        let mut changes = vec![];
        if need.is_some() {
            for effect in &action.effects {
                self.changes(model, fixpoint, effect, &mut binding, &mut changes);
            }
        }
        DraftAction { need, changes }
    }

    /// The changes that an effect stands for: of all atoms that may ever be true
    /// and that it fits.
    fn changes(
        &self,
        model: &Model,
        fixpoint: &Fixpoint,
        effect: &Effect,
        binding: &mut [u32],
        into: &mut Vec<Change>,
    ) {
        let predicate = effect.atom.predicate;
        let relation = &fixpoint.relations[predicate as usize];
        let mut push = |tuple: u32, when: Tree| {
            if let Some(when) = Need::new(when) {
                into.push(Change {
                    when,
                    add: effect.add,
                    atom: self.atoms.number(predicate, tuple),
                });
            }
        };
        if effect.forall.is_empty() {
            let tuple: Vec<u32> = effect
                .atom
                .args
                .iter()
                .map(|a| value(*a, binding))
                .collect();
            if let Some(number) = relation.find(&tuple) {
                let tree = self
                    .atoms
                    .tree(model, &fixpoint.relations, &effect.when, binding);
                push(number, tree);
            }
            return;
        }
        let bound = binding.to_vec();
        for number in 0..relation.len() {
            let tuple = relation.tuple(number);
            binding.copy_from_slice(&bound);
            effect
                .forall
                .iter()
                .for_each(|(v, _)| binding[*v as usize] = NONE);
            let mut fits = tuple.len() == effect.atom.args.len();
            for (arg, object) in effect.atom.args.iter().zip(tuple) {
                use super::super::model::Arg::{Object, Variable};
                match *arg {
                    Object(own) => fits &= own == *object,
                    Variable(v) => {
                        let own = &mut binding[v as usize];
                        if *own == NONE {
                            *own = *object;
                        }
                        fits &= *own == *object;
                    }
                }
            }
            let mut when = effect.when.clone();
            for (variable, of) in &effect.forall {
                let object = binding[*variable as usize];
                if object == NONE {
                    when = Cond::Some(*variable, *of, Box::new(when));
                } else {
                    fits &= model.types[*of as usize].binary_search(&object).is_ok();
                }
            }
            if fits {
                let tree = self.atoms.tree(model, &fixpoint.relations, &when, binding);
                push(number, tree);
            }
        }
    }
}
