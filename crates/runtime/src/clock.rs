//! Decides whether a character's planning depends on the time (semantics, section 5).

use std::collections::BTreeSet;
use std::rc::Rc;

use taskloom_document::{EffectTiming, Kind, Name};
use taskloom_domain::lang::typed::{Call, Formula, Number};
use taskloom_domain::records::{Compound, Primitive};
use taskloom_domain::text::{TypedText, values};
use taskloom_planner::plan::World;

use super::access::{Env, StepAccess};

/// Returns `true` if the passing of time may change a character's plans: if a text that its planning
/// evaluates reads the time. These texts are its goals, and the tasks of its repertoire that its own
/// tasks lead to, both those in the scenario and those that it has now; without tasks, all primitive
/// tasks of its repertoire.
pub fn plans_by_time(world: &World, tasks: &[Call]) -> bool {
    let (domain, actor) = (world.domain(), world.actor());
    // If the document never reads the time, there is nothing to check.
    if !domain.clock().plans {
        return false;
    }
    let mut survey = Survey {
        world,
        found: StepAccess::default(),
    };
    let goal = actor.goal_formula(domain.texts());
    survey.formulas(goal);
    let calls = values(actor.calls(domain.texts())).chain(tasks);
    let tasks: Vec<Name> = calls.map(|call| call.name.clone()).collect();
    if tasks.is_empty() {
        if goal.is_none() {
            let tasks = survey.goals();
            survey.reach(tasks);
        }
        survey.repertoire();
    } else {
        survey.reach(tasks);
    }
    survey.found.reads.time
}

struct Survey<'s> {
    world: &'s World,
    found: StepAccess,
}

impl Survey<'_> {
    fn formulas<'t>(&mut self, texts: impl IntoIterator<Item = &'t TypedText<Formula>>) {
        for formula in values(texts) {
            self.found.reads.formula(self.world, formula, &env());
        }
    }

    fn numbers<'t>(&mut self, texts: impl IntoIterator<Item = &'t TypedText<Number>>) {
        for number in values(texts) {
            self.found.reads.number(self.world, number, &env());
        }
    }

    /// Adds the texts of the goals. Returns the tasks that serve them.
    fn goals(&mut self) -> Vec<Name> {
        let mut tasks = vec![];
        for goal in self.world.actor().goals() {
            let Some(goal) = self.world.domain().goal(goal) else {
                continue;
            };
            self.formulas(goal.subgoals.iter().chain([&goal.condition]));
            self.numbers(goal.relevance.iter().chain(&goal.bias));
            tasks.extend(values(&goal.tasks).map(|call| call.name.clone()));
        }
        tasks
    }

    /// Adds all primitive tasks of the repertoire.
    fn repertoire(&mut self) {
        let (document, actor) = (self.world.document(), self.world.actor());
        for (name, task) in self.world.domain().primitives() {
            if actor.may_use(document, Kind::PrimitiveTask, name) {
                self.primitive(task);
            }
        }
    }

    /// Adds tasks and everything that they lead to.
    fn reach(&mut self, mut open: Vec<Name>) {
        let (domain, document) = (self.world.domain(), self.world.document());
        let mut known: BTreeSet<Name> = BTreeSet::new();
        while let Some(name) = open.pop() {
            if known.contains(&name) {
                continue;
            }
            if let Some(task) = domain.primitive(&name) {
                if self
                    .world
                    .actor()
                    .may_use(document, Kind::PrimitiveTask, &name)
                {
                    self.primitive(task);
                }
            } else if let Some(task) = domain.compound(&name)
                && self
                    .world
                    .actor()
                    .may_use(document, Kind::CompoundTask, &name)
            {
                self.compound(task, &mut open);
            }
            known.insert(name);
        }
    }

    fn primitive(&mut self, task: &Primitive) {
        let rules = self.world.domain().execution_rules(task).integrity.iter();
        self.formulas(task.preconditions.iter().chain(rules));
        let planned = task.effects.iter();
        let planned = planned.filter(|(timing, _)| *timing != EffectTiming::Executed);
        for effect in values(planned.map(|(_, effect)| effect)) {
            self.found.effect(self.world, effect, &env());
        }
        self.numbers(&task.cost);
    }

    fn compound(&mut self, task: &Compound, open: &mut Vec<Name>) {
        let rules = self.world.domain().integrity(task);
        self.formulas(task.preconditions.iter().chain(rules).chain(&task.goal));
        if task.goal.is_some() {
            // The search for the goal may use any of them.
            self.repertoire();
        }
        let domain = self.world.domain();
        let Some(method) = domain.method(task) else {
            return;
        };
        for position in 0..method.chart.blocks.len() as u32 {
            let content = domain.content(method, position);
            let calls = values(content.call().into_iter().chain(content.on_abort()));
            open.extend(calls.map(|call| call.name.clone()));
            self.formulas(content.condition());
            self.numbers(content.numbers());
        }
    }
}

/// Returns an environment without bindings: each variable may be any object.
fn env() -> Rc<Env> {
    Rc::default()
}
