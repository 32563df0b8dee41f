//! The preparation of a search for goals, in steps: grounding, compiling, and dropping what isn't needed.

use std::sync::Arc;

use super::{PendingGoal, Phase, Search};
use crate::compile::Conjunct;
use crate::plan::goals::compiler::Compiler;
use crate::plan::goals::formula::Cond;
use crate::plan::goals::ground::Grounding;
use crate::plan::goals::grounded::Pruning;
use crate::plan::goals::objective::Goal;
use crate::plan::{Limit, Outcome};
use taskloom_document::Name;

impl PendingGoal {
    /// Reads a goal with its subgoals, the goal itself last. The first of its slots are arguments.
    fn read(
        grounding: &mut Grounding,
        name: Option<Name>,
        stages: &[&[Conjunct]],
        (frame, args): (u32, &[u32]),
    ) -> Self {
        let mut condition = |parts: &[Conjunct]| grounding.condition(parts, (frame, args));
        let last = stages.last().copied().unwrap_or_default().iter();
        let parts = last.map(|part| {
            let own = condition(std::slice::from_ref(part));
            (part.text.to_string(), own)
        });
        let parts = parts.collect();
        let stages = stages.iter().map(|stage| condition(stage));
        Self {
            name,
            parts,
            tasks: None,
            goal: Goal {
                stages: stages.collect(),
                propositions: vec![],
            },
        }
    }
}

impl Search {
    /// Grounds the domain's tasks, for about this much work. After the last one, reads the goals.
    pub(super) fn ground(&mut self, mut grounding: Box<Grounding>, work: u64) -> Phase {
        let grounded = grounding.step(grounding.work().saturating_add(work));
        match grounded {
            Ok(true) => return Phase::Ground(grounding),
            Ok(false) => {}
            Err(limit) => {
                self.work += grounding.work();
                return self.end(match self.problem.stop().is_cancelled() {
                    true => Outcome::Stopped,
                    false => Outcome::GaveUp(limit),
                });
            }
        }
        let problem = self.problem.clone();
        if let Some((goal, frame)) = problem.target() {
            self.pending = vec![PendingGoal::read(&mut grounding, None, &[goal], frame)];
        } else {
            let mut goals = problem.active_goals();
            if goals.is_empty() {
                // All of the agent's goals hold already.
                self.work += grounding.work();
                let plan = self.assemble_plan(None, &[], None, true);
                return self.answer(plan);
            }
            goals.retain(|(_, goal)| !self.problem.is_excluded(goal));
            let pending = goals
                .into_iter()
                .enumerate()
                .map(|(place, (number, goal))| {
                    let stages: Vec<&[Conjunct]> = goal.stages.iter().map(Vec::as_slice).collect();
                    let name = goal.name.clone();
                    let read = PendingGoal::read(&mut grounding, name, &stages, (goal.frame, &[]));
                    // The tasks of the first goal were tried before the preparation.
                    let tasks = problem.tasks_of_goal(number);
                    let has_tasks = place > 0 && !tasks.is_empty();
                    PendingGoal {
                        tasks: has_tasks.then(|| (number, tasks.to_vec().into())),
                        ..read
                    }
                });
            self.pending = pending.collect();
            self.pending.reverse();
        }
        self.work += grounding.work();
        let task = grounding.finish();
        let from = task.read(self.problem.initial());
        let mut compiler = Compiler::new(Arc::new(task), &from, self.problem.stop());
        for pending in &mut self.pending {
            let stages = &pending.goal.stages;
            let all = (0..stages.len()).map(|stage| {
                let remaining = Cond::all(stages[stage..].iter().cloned());
                compiler.goal(&remaining)
            });
            pending.goal.propositions = all.collect();
        }
        Phase::Compile(Box::new(compiler))
    }

    /// Compiles actions, for about this much work. After the last ones, drops what is unreachable or
    /// irrelevant.
    pub(super) fn compile(&mut self, mut compiler: Box<Compiler>, work: u64) -> Phase {
        let has_more = compiler.step(compiler.work.saturating_add(work));
        self.tables = compiler.memory_use();
        if self.tables.bytes > self.budget.memory {
            self.work += compiler.work;
            return self.end(Outcome::GaveUp(Limit::Memory));
        }
        if has_more {
            return Phase::Compile(compiler);
        }
        self.work += compiler.work;
        let goals = self
            .pending
            .iter()
            .flat_map(|pending| &pending.goal.propositions);
        let goals: Vec<u32> = goals.flatten().flatten().copied().collect();
        let from = compiler.task().read(self.problem.initial());
        match Pruning::new(*compiler, goals, from) {
            Some(pruning) => Phase::Prune(Box::new(pruning)),
            None => self.end(Outcome::Stopped),
        }
    }

    /// Does a pass over the tables that drops what is unreachable or irrelevant.
    pub(super) fn prune(&mut self, pruning: Box<Pruning>) -> Phase {
        if self.problem.stop().after(pruning.size() as usize) {
            return self.end(Outcome::Stopped);
        }
        match pruning.step() {
            Err(pruning) => Phase::Prune(pruning),
            Ok((mut grounded, work)) => {
                self.work += work;
                let from = grounded.task.read(self.problem.initial());
                let stages = self.pending.iter().flat_map(|pending| &pending.goal.stages);
                grounded.cap(&from, stages);
                self.tables = grounded.memory_use();
                self.grounded = Some(grounded);
                Phase::Next
            }
        }
    }
}
