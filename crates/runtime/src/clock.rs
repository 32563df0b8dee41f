//! Decides whether a character's planning depends on the time (semantics, section 5).

use std::collections::BTreeSet;
use std::rc::Rc;

use taskloom_document::{EffectTiming, Kind, Name, Scenario};
use taskloom_domain::Player;
use taskloom_domain::elaborate::{Compound, Primitive, values};
use taskloom_domain::lang::{read_formula, read_number};
use taskloom_domain::method::Content;
use taskloom_planner::plan::World;

use super::access::{Env, StepAccess};

/// Returns `true` if the passing of time may change a character's plans: if a text that its planning
/// evaluates reads the time. These texts are its goals, and the tasks of its repertoire that its own
/// tasks lead to; without tasks, all primitive tasks of its repertoire.
pub fn plans_by_time(world: &World, player: Player, scenario: &Scenario) -> bool {
    // If the document never reads the time, there is nothing to check.
    if !world.domain().clock().plans {
        return false;
    }
    let mut survey = Survey {
        world,
        player,
        found: StepAccess::default(),
    };
    let tasks = player.tasks(scenario);
    survey.formula(player.goal(scenario));
    if tasks.is_empty() {
        if player.goal(scenario).is_empty() {
            survey.goals();
        }
        for name in world.document().primitive_tasks.keys() {
            if player.may_use(world.document(), Kind::PrimitiveTask, name)
                && let Some(task) = world.domain().primitive(name)
            {
                survey.primitive(task);
            }
        }
    } else {
        let calls = tasks.iter().filter_map(|text| world.task(text).ok());
        survey.reach(calls.map(|call| call.name).collect());
    }
    survey.found.reads.time
}

struct Survey<'s, 'a> {
    world: &'s World<'a>,
    player: Player<'a>,
    found: StepAccess,
}

impl Survey<'_, '_> {
    fn formula(&mut self, text: &str) {
        let scope = self.world.scenario_scope();
        let read = self.world.domain().read(text, &scope, read_formula);
        if let Some(formula) = &read.value {
            self.found.reads.formula(self.world, formula, &env());
        }
    }

    fn goals(&mut self) {
        let document = self.world.document();
        for goal in self.player.goals() {
            let Some(goal) = document.goals.get(goal) else {
                continue;
            };
            self.formula(&goal.condition);
            goal.subgoals
                .iter()
                .for_each(|subgoal| self.formula(subgoal));
            for text in [&goal.relevance, &goal.bias] {
                let scope = self.world.scenario_scope();
                let read = self.world.domain().read(text, &scope, read_number);
                if let Some(number) = &read.value {
                    self.found.reads.number(self.world, number, &env());
                }
            }
        }
    }

    /// Adds tasks and everything that they lead to.
    fn reach(&mut self, mut open: Vec<Name>) {
        let (domain, document) = (self.world.domain().clone(), self.world.document());
        let mut known: BTreeSet<Name> = BTreeSet::new();
        while let Some(name) = open.pop() {
            if known.contains(&name) {
                continue;
            }
            if let Some(task) = domain.primitive(&name) {
                if self.player.may_use(document, Kind::PrimitiveTask, &name) {
                    self.primitive(task);
                }
            } else if let Some(task) = domain.compound(&name)
                && self.player.may_use(document, Kind::CompoundTask, &name)
            {
                self.compound(task, &mut open);
            }
            known.insert(name);
        }
    }

    fn primitive(&mut self, task: &Primitive) {
        for formula in values(&task.preconditions) {
            self.found.reads.formula(self.world, formula, &env());
        }
        let planned = task.effects.iter();
        let planned = planned.filter(|(timing, _)| *timing != EffectTiming::Executed);
        for effect in values(planned.map(|(_, effect)| effect)) {
            self.found.effect(self.world, effect, &env());
        }
        for cost in values(&task.cost) {
            self.found.reads.number(self.world, cost, &env());
        }
    }

    fn compound(&mut self, task: &Compound, open: &mut Vec<Name>) {
        for formula in values(&task.preconditions) {
            self.found.reads.formula(self.world, formula, &env());
        }
        let domain = self.world.domain().clone();
        let Some(method) = domain.method(task) else {
            return;
        };
        for position in 0..method.chart.blocks.len() as u32 {
            let (formula, numbers): (_, Vec<_>) = match domain.content(method, position) {
                Content::Pass => continue,
                Content::Task(call) => {
                    open.extend(call.value.iter().map(|call| call.name.clone()));
                    continue;
                }
                Content::Branch(condition) => (Some(condition), vec![]),
                Content::Choice { scores, .. } => (None, scores.iter().flatten().collect()),
                Content::Bind {
                    condition,
                    order_by,
                    ..
                } => (condition.as_ref(), order_by.iter().collect()),
            };
            for formula in values(formula) {
                self.found.reads.formula(self.world, formula, &env());
            }
            for number in values(numbers) {
                self.found.reads.number(self.world, number, &env());
            }
        }
    }
}

/// Returns an environment without bindings: each variable may be any object.
fn env() -> Rc<Env> {
    Rc::default()
}
