//! A model's rules prepared for execution: joins for its methods, indexes for its conditions.

use super::condition::Condition;
use super::evaluation::Types;
use super::facts::Facts;
use super::hoist::hoisted;
use super::join::Join;
use super::model::{Effect, Model};

/// An effect prepared for execution.
#[derive(Debug)]
pub struct ReadyEffect {
    /// The join over the objects of its quantified variables.
    pub forall: Join,
    pub effect: Effect,
    pub when: Condition,
}

/// A model's conditions and effects.
#[derive(Debug)]
pub struct Rules {
    pub types: Types,
    /// The preconditions of the actions, in frames that include their effects' variables.
    pub preconditions: Vec<Vec<Condition>>,
    pub changes: Vec<Vec<ReadyEffect>>,
    /// `None` for methods without a finite decomposition.
    pub methods: Vec<Option<Join>>,
    pub goal: Vec<Condition>,
    /// The approximate memory use in bytes: tests are about twice as large as their conditions.
    pub memory: usize,
}

impl Rules {
    pub fn new(model: &Model, facts: &mut Facts) -> Self {
        let types = Types::new(model);
        let mut preconditions = vec![];
        let mut changes = vec![];
        for action in &model.actions {
            let mut bound = vec![false; action.frame as usize];
            bound[..action.params.len()].fill(true);
            let tests = action.precondition.iter();
            preconditions.push(tests.map(|c| c.indexed(&mut bound, facts)).collect());
            let effects = action.effects.iter().map(|effect| {
                let mut bound = bound.clone();
                for (variable, _) in &effect.forall {
                    bound[*variable as usize] = true;
                }
                ReadyEffect {
                    forall: Join::over(&effect.forall, action.frame),
                    when: effect.when.indexed(&mut bound, facts),
                    effect: effect.clone(),
                }
            });
            changes.push(effects.collect());
        }
        let methods = hoisted(model).into_iter().zip(&model.methods);
        let mut memory = model.memory() + types.memory();
        let methods = methods.map(|(conditions, method)| {
            let hoisted = conditions.iter().flat_map(|(conditions, _)| conditions);
            memory += 2 * hoisted.map(Condition::memory).sum::<usize>();
            let known = model.tasks[method.task as usize].params.len();
            conditions.map(|(c, frame)| Join::new(&c, &method.vars, frame, known, model, facts))
        });
        let methods = methods.collect();
        let mut bound = vec![false; model.goal_frame as usize];
        let goal = model.goal.iter().map(|c| c.indexed(&mut bound, facts));
        Self {
            goal: goal.collect(),
            types,
            preconditions,
            changes,
            methods,
            memory,
        }
    }
}
