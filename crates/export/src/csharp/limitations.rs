//! Parts of a document that the C# export doesn't support: one sentence each, prefixed with the
//! record's name.

use taskloom_document::{
    Agent, Block, ChoicePolicy, CompoundTask, Document, EffectTiming, Kind, Name, Planning, Policy,
    RecordRef, Source, ValueKind,
};
use taskloom_domain::Domain;
use taskloom_domain::lang::Clock;
use taskloom_domain::lang::typed::{Aggregate, Change, Function, Number, Operator};
use taskloom_domain::records::Primitive;
use taskloom_domain::text::values;

/// The maximum number of scenarios to name.
const NAMED: usize = 3;

/// The limitation of a task with a cooldown.
const NO_COOLDOWN: &str = "not exported: its cooldown; it may be planned again at once";

/// Returns `true` if the agents in the document use only the policy 'cheapest'.
pub fn is_cheapest(document: &Document) -> bool {
    let is_used = |policy| policies(document).any(|(_, own)| own == policy);
    is_used(Policy::Cheapest) && !is_used(Policy::First)
}

/// Returns the limitations. `goals` gives the reasons why goals of scenarios aren't exported.
pub fn limitations(domain: &Domain, goals: Vec<(&Name, String)>) -> Vec<String> {
    let document = domain.document();
    let mut out = Out(vec![]);
    for (name, primitive) in domain.primitives() {
        out.primitive(domain, name, primitive);
    }
    for (name, task) in &document.compound_tasks {
        if task.cooldown > 0 {
            out.of(Kind::CompoundTask, name, NO_COOLDOWN.to_owned());
        }
        if !task.goal.trim().is_empty() {
            let message = "not exported: the search for its goal; it is done only as drawn";
            out.of(Kind::CompoundTask, name, message.to_owned());
        }
        for block in task.method.blocks.values() {
            out.limits(name, block);
            out.query(name, block);
            let Block::Choice {
                policy,
                alternatives,
                ..
            } = &**block
            else {
                continue;
            };
            let policy = match policy {
                ChoicePolicy::First => continue,
                ChoicePolicy::Cheapest => "the costs",
                ChoicePolicy::Highest => "the scores",
                ChoicePolicy::Random => "the random order",
            };
            let labels: Vec<&str> = alternatives.iter().map(|a| a.label.as_str()).collect();
            let message = format!(
                "not exported: {policy} of the Choice '{}'; its alternatives are tried in order",
                labels.join(", ")
            );
            out.of(Kind::CompoundTask, name, message);
        }
    }
    if Clock::of(document).plans {
        let message = "time: the game sets it as the agent's Now; it is constant within a plan";
        out.0.push(message.to_owned());
    }
    if document
        .compound_tasks
        .values()
        .any(|task| has_subtasks(task))
    {
        let message = "failures: the agent does the whole task again that failed, with its \
                       complete subtasks; the editor plans only what remains of it";
        out.0.push(message.to_owned());
    }
    for (name, action) in &document.actions {
        if !action.executor.trim().is_empty() {
            let message = "not exported: its executor; steps run one at a time";
            out.of(Kind::Action, name, message.to_owned());
        }
    }
    for (name, fact) in &document.facts {
        if fact.source == Source::Blackboard {
            let message = "not shared: each actor has its own blackboard".to_owned();
            out.of(Kind::Fact, name, message);
        }
    }
    for name in document.goals.keys() {
        let message = "not exported: agents don't select goals".to_owned();
        out.of(Kind::Goal, name, message);
    }
    for (name, agent) in &document.agents {
        out.agent(name, agent);
    }
    if !is_cheapest(document) {
        for (name, _) in policies(document).filter(|(_, policy)| *policy == Policy::Cheapest) {
            let message = "not exported: its policy 'cheapest', as other agents use \
                           'first'; set Cheapest in its class";
            out.of(Kind::Agent, name, message.to_owned());
        }
    }
    for (name, reason) in goals {
        out.of(
            Kind::Scenario,
            name,
            format!("not exported: its goal, since {reason}"),
        );
    }
    out.scenarios(document);
    out.0
}

/// Returns `true` if a subtask of a task may be complete while another one isn't.
fn has_subtasks(task: &CompoundTask) -> bool {
    let blocks = task.method.blocks.values();
    let tasks = blocks.filter(|block| block.call().is_some());
    tasks.map(|block| block.repetitions()).sum::<u32>() > 1
}

/// Returns the agents that decompose tasks, with their policies.
fn policies(document: &Document) -> impl Iterator<Item = (&Name, Policy)> {
    document
        .agents
        .iter()
        .filter_map(|(name, agent)| match &agent.planning {
            Planning::Decomposition { policy, .. } => Some((name, *policy)),
            Planning::Reactive { .. } | Planning::Goals { .. } => None,
        })
}

struct Out(Vec<String>);

impl Out {
    fn of(&mut self, kind: Kind, name: &Name, message: String) {
        let record = RecordRef::new(kind, name.clone());
        self.0.push(format!("{record}: {message}"));
    }

    fn primitive(&mut self, domain: &Domain, name: &Name, primitive: &Primitive) {
        let document = domain.document();
        let has_action = domain.execution_rules(primitive).action.is_some();
        for (timing, text) in &primitive.effects {
            let Some(effect) = &text.value else { continue };
            let (Change::Set(fact, _)
            | Change::Unset(fact, _)
            | Change::Number(_, fact, ..)
            | Change::Object(fact, ..)) = &effect.change;
            let seen = document.facts.get(fact).map(|fact| fact.source) == Some(Source::Sensor);
            // The sensor sees what the action does.
            let done = has_action && *timing != EffectTiming::Executed;
            if seen && !done && *timing != EffectTiming::Planned {
                let message = format!(
                    "the game must apply '{}', which a sensor observes",
                    text.text
                );
                self.of(Kind::PrimitiveTask, name, message);
            }
        }
        if primitive.record.uninterruptible {
            let message = "not exported: that it is uninterruptible; a new plan interrupts it";
            self.of(Kind::PrimitiveTask, name, message.to_owned());
        }
        if !primitive.record.claims.is_empty() {
            let message = "not exported: its claims; several agents may use the objects at once";
            self.of(Kind::PrimitiveTask, name, message.to_owned());
        }
        if primitive.record.cooldown > 0 {
            self.of(Kind::PrimitiveTask, name, NO_COOLDOWN.to_owned());
        }
        let mut costs = values(&primitive.cost);
        if is_cheapest(document) && costs.any(|cost| !is_positive(document, cost)) {
            let message = "its cost may be negative, given the ranges of its facts: \
                           a cheaper plan may be missed"
                .to_owned();
            self.of(Kind::PrimitiveTask, name, message);
        }
    }

    /// Reports the query of a Bind block of a compound task.
    fn query(&mut self, name: &Name, block: &Block) {
        let Block::Bind {
            query, condition, ..
        } = block
        else {
            return;
        };
        if !query.trim().is_empty() {
            let query = query.trim();
            let instead = match condition.trim().is_empty() {
                true => "any object of its type may be chosen",
                false => "the condition of its block decides",
            };
            let message = format!("not exported: the query '{query}'; {instead}");
            self.of(Kind::CompoundTask, name, message);
        }
    }

    /// Reports the limits of a Task block of a compound task.
    fn limits(&mut self, name: &Name, block: &Block) {
        let Some(call) = block.call().map(|call| call.trim()) else {
            return;
        };
        if let Some(ticks) = block.timeout() {
            let message = format!("not exported: the timeout of '{call}' after {ticks} ticks");
            self.of(Kind::CompoundTask, name, message);
        }
        if block.is_background() {
            let message =
                format!("not exported: that '{call}' is stopped at the end of the main branch");
            self.of(Kind::CompoundTask, name, message);
        }
        if let Some(times) = block.retry() {
            let message = format!("not exported: that '{call}' is given up after {times} retries");
            self.of(Kind::CompoundTask, name, message);
        }
        if let Some(cleanup) = block.on_abort() {
            let message = format!("not exported: '{cleanup}' after an aborted '{call}'");
            self.of(Kind::CompoundTask, name, message);
        }
    }

    fn agent(&mut self, name: &Name, agent: &Agent) {
        let (tasks, mode) = match &agent.planning {
            Planning::Decomposition { tasks, .. } => (tasks.as_slice(), None),
            Planning::Reactive { tasks } => (tasks.as_slice(), Some("its reactive planning")),
            Planning::Goals { .. } => (&[][..], Some("its planning for goals")),
        };
        let parts = [
            mode,
            (!tasks.is_empty()).then_some("its tasks"),
            (!agent.uses.is_empty()).then_some("its repertoire"),
            (!agent.senses.is_empty()).then_some("its senses"),
            (!agent.triggers.is_default()).then_some("its triggers"),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            let message = format!("not exported: {}", parts.join(", "));
            self.of(Kind::Agent, name, message);
        }
    }

    fn scenarios(&mut self, document: &Document) {
        let names = document.scenarios.keys();
        let names: Vec<String> = names
            .map(|name| RecordRef::new(Kind::Scenario, name.clone()).to_string())
            .collect();
        let named = match names.as_slice() {
            [] => return,
            all if all.len() <= NAMED => all.join(", "),
            many => {
                let first = many.iter().take(NAMED).cloned().collect::<Vec<_>>();
                format!("{} and {} more", first.join(", "), many.len() - NAMED)
            }
        };
        self.0.push(format!(
            "{named}: not exported: objects, initial values, tasks, events and expectations"
        ));
    }
}

/// Returns `true` if a number is never negative, whatever the values of its facts.
fn is_positive(document: &Document, number: &Number) -> bool {
    match number {
        Number::Constant(value) => *value >= 0.0,
        Number::Fact(fact, _) => match document.facts.get(fact).map(|fact| &fact.value) {
            Some(ValueKind::Number { min, .. }) => min.is_some_and(|min| min >= 0.0),
            Some(ValueKind::Boolean | ValueKind::Object(_)) | None => false,
        },
        Number::Arithmetic(operator, a, b) => match operator {
            Operator::Add | Operator::Multiply | Operator::Divide => {
                is_positive(document, a) && is_positive(document, b)
            }
            Operator::Subtract => false,
        },
        Number::Negative(_) => false,
        Number::Time => true,
        Number::Aggregate(aggregate, _, value, _) => match aggregate {
            Aggregate::Count => true,
            Aggregate::Sum | Aggregate::Min | Aggregate::Max => is_positive(document, value),
        },
        Number::Function(function, numbers) => match function {
            Function::Abs | Function::Sqrt => true,
            Function::Max => numbers.iter().any(|number| is_positive(document, number)),
            Function::Min | Function::Floor | Function::Ceil => {
                numbers.iter().all(|number| is_positive(document, number))
            }
        },
    }
}
