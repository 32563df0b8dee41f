//! Converts the fixpoint's tuples to ground tasks and methods: those that the roots reach through
//! methods all of whose subtasks are possible.

use smallvec::SmallVec;

use super::condition::{Atoms, GroundCondition, Need};
use super::fixpoint::Fixpoint;
use super::ground::GOAL;
use crate::lifted::condition::Condition;
use crate::lifted::model::{Effect, Model, TaskKind};
use taskloom_planner::search_kit::{MemoryUse, NONE, Rows};

/// A change of one atom.
#[derive(Debug, Clone)]
pub struct DraftEffect {
    pub when: Need,
    pub add: bool,
    pub atom: u32,
}

/// A task with its objects.
#[derive(Debug)]
pub struct DraftTask {
    /// An index of the model's tasks, or [`GOAL`].
    pub task: u32,
    /// The number of its objects' tuple in the relation of possible tasks.
    pub tuple: u32,
    /// The action; `None` for a compound task.
    pub action: Option<DraftAction>,
}

#[derive(Debug, Default)]
pub struct DraftAction {
    /// `None` if it cannot hold.
    pub need: Option<Need>,
    pub changes: Vec<DraftEffect>,
}

impl DraftAction {
    /// Returns the heap memory use in bytes.
    fn memory(&self) -> usize {
        let changes = self.changes.iter().map(|c| c.when.memory());
        self.need.as_ref().map_or(0, Need::memory)
            + self.changes.capacity() * size_of::<DraftEffect>()
            + changes.sum::<usize>()
    }
}

/// An instance of a method.
#[derive(Debug)]
pub struct DraftMethod {
    /// An index of the draft's tasks.
    pub task: u32,
    /// An index of the model's methods.
    pub method: u32,
    /// The number of its variables' tuple in the relation of the method's instances.
    pub tuple: u32,
    pub need: Need,
}

/// Ground tasks and methods before pruning.
#[derive(Debug)]
pub struct Draft {
    pub atoms: Atoms,
    pub tasks: Vec<DraftTask>,
    pub methods: Vec<DraftMethod>,
    /// The tasks of each method's network.
    pub subtasks: Rows,
    pub roots: Vec<u32>,
    /// The first method of each processed task.
    pub first_method: Vec<u32>,
    /// By the model's task, then tuple: the draft's task, plus 1.
    numbers: Vec<Vec<u32>>,
    /// The remaining model methods of the last task processed; then instances of the method before
    /// these, newest first.
    left: std::ops::Range<u32>,
    waiting: Vec<u32>,
    /// An index of each method's instances by the task's objects.
    indexes: Vec<Option<(u32, u32)>>,
    scratch: Vec<u32>,
    /// The memory use of conditions and changes, in bytes.
    elsewhere: usize,
}

impl Draft {
    /// Starts a draft that may use `memory` bytes. Returns `None` if a root is impossible even
    /// without deletes.
    pub fn new(model: &Model, fixpoint: &Fixpoint, memory: usize) -> Option<Self> {
        let atoms = Atoms::new(model, fixpoint, memory);
        let numbers = fixpoint
            .program
            .done
            .iter()
            .map(|d| vec![0; fixpoint.relations[*d as usize].len() as usize]);
        let mut draft = Self {
            atoms,
            numbers: numbers.collect(),
            tasks: vec![],
            methods: vec![],
            subtasks: Rows::default(),
            roots: vec![],
            first_method: vec![],
            left: 0..0,
            waiting: vec![],
            indexes: vec![],
            scratch: vec![],
            elsewhere: 0,
        };
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

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let numbers = self.numbers.iter().map(|n| size_of_val(&**n));
        MemoryUse::of_vec(&self.tasks)
            + MemoryUse::of_vec(&self.methods)
            + self.subtasks.memory_use()
            + MemoryUse::of_vec(&self.first_method)
            + MemoryUse::of_vec(&self.waiting)
            + MemoryUse::fixed(self.elsewhere + numbers.sum::<usize>())
    }

    /// Takes an action out of the draft.
    pub fn take_action(&mut self, task: usize) -> Option<DraftAction> {
        let action = self.tasks[task].action.take();
        let used = action.as_ref().map_or(0, DraftAction::memory);
        self.elsewhere = self.elsewhere.saturating_sub(used);
        action
    }

    /// Takes a method's precondition out of the draft.
    pub fn take_need(&mut self, method: usize) -> Need {
        let need = std::mem::take(&mut self.methods[method].need);
        self.elsewhere = self.elsewhere.saturating_sub(need.memory());
        need
    }

    /// Returns the numbers of a task's methods.
    pub fn methods_of(&self, task: usize) -> std::ops::Range<usize> {
        let end = self.first_method.get(task + 1).copied();
        let end = end.map_or(self.methods.len(), |end| end as usize);
        self.first_method[task] as usize..end
    }

    /// Returns the number of a possible task, assigning one if necessary.
    fn task(&mut self, model: &Model, task: u32, tuple: u32) -> u32 {
        let number = self.numbers[task as usize][tuple as usize];
        if let Some(number) = number.checked_sub(1) {
            return number;
        }
        let number = self.tasks.len() as u32;
        self.numbers[task as usize][tuple as usize] = number + 1;
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

    /// Processes some tasks. Returns `true` once all are done.
    pub fn step(&mut self, model: &Model, fixpoint: &mut Fixpoint, left: &mut i64) -> bool {
        while let Some(method) = model.methods.get(self.indexes.len()) {
            let params = model.tasks[method.task as usize].params.len() as u32;
            let params: Vec<u32> = (0..params).collect();
            let instances = fixpoint.program.instances[self.indexes.len()];
            let index = instances.map(|relation| {
                let index = fixpoint.relations[relation as usize].index_within(&params, left);
                index.map(|index| (relation, index))
            });
            match index {
                Some(None) => return false,
                index => self.indexes.push(index.flatten()),
            }
        }
        while *left > 0 && !model.problem.stop().is_cancelled() {
            *left -= 1;
            if let Some(tuple) = self.waiting.pop() {
                self.instance(model, fixpoint, tuple, left);
            } else if let Some(method) = self.left.next() {
                self.instances(model, fixpoint, method, left);
            } else if self.first_method.len() < self.tasks.len() {
                self.process_next(model, fixpoint, left);
            } else {
                return true;
            }
        }
        false
    }

    /// Processes the next task.
    fn process_next(&mut self, model: &Model, fixpoint: &Fixpoint, left: &mut i64) {
        let number = self.first_method.len();
        self.first_method.push(self.methods.len() as u32);
        let DraftTask { task, tuple, .. } = self.tasks[number];
        let Some(of) = model.tasks.get(task as usize) else {
            return;
        };
        match &of.kind {
            TaskKind::Primitive(action) => {
                let drafted = self.action(model, fixpoint, *action, tuple, left);
                *left -= drafted.changes.len() as i64;
                self.elsewhere += drafted.memory();
                self.tasks[number].action = Some(drafted);
            }
            TaskKind::Compound(methods) => self.left = methods.clone(),
        }
    }

    /// Finds the instances of a method for the last task processed.
    fn instances(&mut self, model: &Model, fixpoint: &Fixpoint, method: u32, left: &mut i64) {
        let stop = model.problem.stop();
        let Some((relation, index)) = self.indexes[method as usize] else {
            return;
        };
        let DraftTask { task, tuple, .. } = self.tasks[self.first_method.len() - 1];
        let done = &fixpoint.relations[fixpoint.program.done[task as usize] as usize];
        let instances = &fixpoint.relations[relation as usize];
        let mut at = instances.first(index, done.tuple(tuple));
        while at != NONE {
            if stop.after(1) {
                break;
            }
            self.waiting.push(at);
            at = instances.next(index, at);
        }
        *left -= self.waiting.len() as i64 / 8;
    }

    /// Adds an instance of the method before the remaining ones.
    fn instance(&mut self, model: &Model, fixpoint: &Fixpoint, tuple: u32, left: &mut i64) {
        let method = self.left.start - 1;
        let Some((relation, _)) = self.indexes[method as usize] else {
            return;
        };
        let relations = &fixpoint.relations;
        let lifted = &model.methods[method as usize];
        let mut binding = std::mem::take(&mut self.scratch);
        binding.clear();
        binding.extend(relations[relation as usize].tuple(tuple));
        binding.resize(lifted.frame as usize, NONE);
        let need = self
            .atoms
            .need(model, relations, &lifted.precondition, &mut binding);
        let mut subtasks = vec![];
        for subtask in need.iter().flat_map(|_| &lifted.subtasks) {
            let args = subtask.args.iter().map(|a| a.object(&binding));
            let args: SmallVec<[u32; 8]> = args.collect();
            let done = fixpoint.program.done[subtask.task as usize];
            let Some(tuple) = relations[done as usize].find(&args) else {
                break;
            };
            subtasks.push(self.task(model, subtask.task, tuple));
        }
        *left -= subtasks.len() as i64;
        self.scratch = binding;
        if let Some(need) = need
            && subtasks.len() == lifted.subtasks.len()
        {
            self.subtasks.push(&subtasks);
            self.elsewhere += need.memory();
            self.methods.push(DraftMethod {
                task: self.first_method.len() as u32 - 1,
                method,
                tuple,
                need,
            });
        }
    }

    fn action(
        &self,
        model: &Model,
        fixpoint: &Fixpoint,
        action: u32,
        tuple: u32,
        left: &mut i64,
    ) -> DraftAction {
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
                if !effect.forall.is_empty() {
                    *left -= i64::from(relations[effect.atom.predicate as usize].len());
                }
                self.changes(model, fixpoint, effect, &mut binding, &mut changes);
            }
        }
        DraftAction { need, changes }
    }

    /// Collects the changes of an effect: those of all matching atoms that may ever be true.
    fn changes(
        &self,
        model: &Model,
        fixpoint: &Fixpoint,
        effect: &Effect,
        binding: &mut [u32],
        into: &mut Vec<DraftEffect>,
    ) {
        let predicate = effect.atom.predicate;
        let relation = &fixpoint.relations[predicate as usize];
        let mut push = |tuple: u32, when: GroundCondition| {
            if let Some(when) = Need::new(when) {
                into.push(DraftEffect {
                    when,
                    add: effect.add,
                    atom: self.atoms.number(predicate, tuple),
                });
            }
        };
        if effect.forall.is_empty() {
            let tuple: Vec<u32> = effect.atom.args.iter().map(|a| a.object(binding)).collect();
            if let Some(number) = relation.find(&tuple) {
                let when = self
                    .atoms
                    .ground(model, &fixpoint.relations, &effect.when, binding);
                push(number, when);
            }
            return;
        }
        let bound = binding.to_vec();
        for number in 0..relation.len() {
            if model.problem.stop().after(1) {
                break;
            }
            let tuple = relation.tuple(number);
            binding.copy_from_slice(&bound);
            effect
                .forall
                .iter()
                .for_each(|(v, _)| binding[*v as usize] = NONE);
            let mut fits = tuple.len() == effect.atom.args.len();
            for (arg, object) in effect.atom.args.iter().zip(tuple) {
                use crate::lifted::condition::Arg::{Object, Variable};
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
                    when = Condition::some(*variable, *of, when);
                } else {
                    fits &= model.types[*of as usize].binary_search(&object).is_ok();
                }
            }
            if fits {
                let when = self
                    .atoms
                    .ground(model, &fixpoint.relations, &when, binding);
                push(number, when);
            }
        }
    }
}
