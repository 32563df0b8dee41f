//! What a document says that its C# does not, a sentence each, with the record's name
//! before it.

use taskloom_document::{
    Agent, Block, ChoicePolicy, Document, Effect, EffectTiming, Kind, Name, Planning, Policy,
    RecordRef, Source, ValueKind,
};
use taskloom_domain::lang::Clock;
use taskloom_domain::lang::typed::{Aggregate, Change, Function, Number, Operator};
use taskloom_domain::model::{Model, Primitive};

/// So many scenarios are named.
const NAMED: usize = 3;

/// Whether the agents in the document want the cheapest plan.
pub fn is_cheapest(document: &Document) -> bool {
    let wanted = |policy| policies(document).any(|(_, own)| own == policy);
    wanted(Policy::Cheapest) && !wanted(Policy::First)
}

/// What is left out. `goals` says why goals of scenarios are.
pub fn left_out(model: &Model, goals: Vec<(&Name, String)>) -> Vec<String> {
    let document = model.document;
    let mut out = Out(vec![]);
    for (name, primitive) in &model.primitives {
        out.primitive(model, name, primitive);
    }
    for (name, task) in &document.compound_tasks {
        for block in task.method.blocks.values() {
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
                ChoicePolicy::Random => "the chance",
            };
            let labels: Vec<&str> = alternatives.iter().map(|a| a.label.as_str()).collect();
            let message = format!(
                "not exported: {policy} of the Choice '{}', whose alternatives are tried in order",
                labels.join(", ")
            );
            out.of(Kind::CompoundTask, name, message);
        }
    }
    if Clock::of(document).plans {
        let message =
            "time: it is the Now of the agent, which the game sets, and does not pass in a plan";
        out.0.push(message.to_owned());
    }
    for (name, action) in &document.actions {
        if !action.executor.trim().is_empty() {
            let message = "not exported: its executor, as steps come one after the other";
            out.of(Kind::Action, name, message.to_owned());
        }
    }
    for (name, fact) in &document.facts {
        if fact.source == Source::Blackboard {
            let message = "not shared: each character has a blackboard of its own".to_owned();
            out.of(Kind::Fact, name, message);
        }
    }
    for name in document.goals.keys() {
        let message = "not exported: agents do not choose from goals".to_owned();
        out.of(Kind::Goal, name, message);
    }
    for (name, agent) in &document.agents {
        out.agent(name, agent);
    }
    if !is_cheapest(document) {
        for (name, _) in policies(document).filter(|(_, policy)| *policy == Policy::Cheapest) {
            let message = "not exported: its policy 'cheapest', since others want the first \
                           plan; set Cheapest in its class";
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

/// The agents that decompose tasks, and which plan they want.
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

    fn primitive(&mut self, model: &Model, name: &Name, primitive: &Primitive) {
        let texts = primitive.record.effects.iter();
        for (Effect { text, .. }, (effect, timing)) in texts.zip(&primitive.effects) {
            let (Change::Set(fact, _)
            | Change::Unset(fact, _)
            | Change::Number(_, fact, ..)
            | Change::Object(fact, ..)) = &effect.change;
            let seen = model.fact(fact).map(|fact| fact.source) == Some(Source::Sensor);
            // The sensor sees what the action does.
            let done = primitive.action.is_some() && *timing != EffectTiming::Executed;
            if seen && !done && *timing != EffectTiming::Planned {
                let message = format!("the game has to bring about '{text}', which a sensor tells");
                self.of(Kind::PrimitiveTask, name, message);
            }
        }
        let cheapest = is_cheapest(model.document);
        if cheapest
            && primitive
                .cost
                .as_ref()
                .is_some_and(|cost| !is_positive(model, cost))
        {
            let message = "its cost may be below 0, for all that the ranges of its facts say: \
                           then a cheaper plan may be missed"
                .to_owned();
            self.of(Kind::PrimitiveTask, name, message);
        }
    }

    fn agent(&mut self, name: &Name, agent: &Agent) {
        let (tasks, manner) = match &agent.planning {
            Planning::Decomposition { tasks, .. } => (tasks.as_slice(), None),
            Planning::Reactive { tasks } => (tasks.as_slice(), Some("that it only reacts")),
            Planning::Goals { .. } => (&[][..], Some("that it plans for goals")),
        };
        let parts = [
            manner,
            (!tasks.is_empty()).then_some("its tasks"),
            (!agent.uses.is_empty()).then_some("which tasks it may use"),
            (!agent.senses.is_empty()).then_some("what it senses when"),
            (!agent.triggers.is_default()).then_some("when it plans anew"),
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

/// Whether a number is 0 or more, whatever its facts' values are.
fn is_positive(model: &Model, number: &Number) -> bool {
    match number {
        Number::Constant(value) => *value >= 0.0,
        Number::Fact(fact, _) => match model.fact(fact).map(|fact| &fact.value) {
            Some(ValueKind::Number { min, .. }) => min.is_some_and(|min| min >= 0.0),
            Some(ValueKind::Boolean | ValueKind::Object(_)) | None => false,
        },
        Number::Arithmetic(operator, a, b) => match operator {
            Operator::Add | Operator::Multiply | Operator::Divide => {
                is_positive(model, a) && is_positive(model, b)
            }
            Operator::Subtract => false,
        },
        Number::Negative(_) => false,
        Number::Time => true,
        Number::Aggregate(aggregate, _, value, _) => match aggregate {
            Aggregate::Count => true,
            Aggregate::Sum | Aggregate::Min | Aggregate::Max => is_positive(model, value),
        },
        Number::Function(function, numbers) => match function {
            Function::Abs | Function::Sqrt => true,
            Function::Max => numbers.iter().any(|number| is_positive(model, number)),
            Function::Min | Function::Floor | Function::Ceil => {
                numbers.iter().all(|number| is_positive(model, number))
            }
        },
    }
}
