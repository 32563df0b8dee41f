//! Domains for tests: the shipped examples, and small ones written as text.
//!
//! ```text
//! type tool: item
//! object key: tool
//! fact at(?p: place)
//! sensor fact gone(?t: tool) absence
//! number ammo(?a: agent) integer 0..10
//! value place_of(?a: agent): place
//! condition near(?p: place): at(?p) or at(box)
//! action Walk(?p: place) 3
//! primitive walk(?p: place) = Walk(?p)
//!   pre not at(?p)
//!   integrity not tired
//!   done arrived
//!   claims ?p
//!   uninterruptible
//!   cooldown 5
//!   eff at(?p)
//!   planned / executed: effects of another timing
//!   cost 2 * 3
//! compound go
//!   pre not tired
//!   goal at(box)
//!   integrity not tired
//!   cooldown 5
//!   block a begin
//!   block b task walk(box)
//!   block c branch at(box)
//!   block d choice one, two
//!   block g highest one @ ammo, two @ 3
//!   block h random one, two @ 0.5
//!   block e bind ?p: place where at(?p) by distance(?p)
//!   block f end
//!   wire a.out -> b
//! scenario s
//!   object axe: tool
//!   initial at(box)
//!   task go
//!   goal at(box)
//!   event 3 not at(box)
//!   event 3+2 if at(box) : not at(box)
//!   fail walk(box) time 2 chance 0.5
//!   seed 7
//! ```
//!
//! `agents` parses goals, agents and casts.

use std::sync::Arc;

use taskloom_document::{
    Action, Agent, Alternative, Block, BlockId, ChoicePolicy, CompoundTask, Condition, Document,
    Effect, EffectTiming, Event, Fact, Failure, Goal, Name, Object, Param, Port, PrimitiveTask,
    Scenario, Type, ValueKind,
};

mod agents;

/// The files of the shipped examples.
pub const EXAMPLES: [&str; 7] = [
    "ball-in-the-box",
    "hunter",
    "night-guard",
    "office",
    "opening",
    "rts",
    "sentry",
];

/// Returns one of the shipped examples.
///
/// # Panics
/// If there is no such example.
pub fn example(file: &str) -> Document {
    let path = format!(
        "{}/../../public/examples/{file}.taskloom.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("the example is there");
    Document::from_json(&text).expect("a document")
}

fn name(text: &str) -> Name {
    Name::new(text.trim()).unwrap_or_else(|e| panic!("{e}"))
}

/// Parses `name(?a: b, ?c: d)`, and returns the rest.
fn head(text: &str) -> (Name, Vec<Param>, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
    let (own, rest) = text.split_at(end.unwrap_or(text.len()));
    let Some(inner) = rest.strip_prefix('(') else {
        return (name(own), vec![], rest.trim());
    };
    let (params, rest) = inner.split_once(')').expect("a closing parenthesis");
    let params = params.split(',').map(|p| p.parse().expect("a parameter"));
    (name(own), params.collect(), rest.trim())
}

fn object(text: &str) -> (Name, Arc<Object>) {
    let (own, of) = text.split_once(':').unwrap_or((text, "object"));
    let object = Object {
        of: name(of),
        title: String::new(),
        note: String::new(),
    };
    (name(own), Arc::new(object))
}

fn bound(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// Parses `left @ 2, right @ worth(box), neither`: outputs and their scores.
fn choice(policy: ChoicePolicy, rest: &str) -> Block {
    let outputs = (1..).zip(rest.split(','));
    let outputs = outputs.map(|(id, output)| (id, output.split_once('@')));
    let label = |(id, label): (u16, &str)| Alternative {
        id,
        label: label.trim().into(),
    };
    let scores = outputs.clone().filter_map(|(id, scored)| {
        let score = scored?.1.trim().to_owned();
        Some((Port::Alternative(id), score))
    });
    let labels = (1..).zip(rest.split(','));
    let labels = labels.map(|(id, output)| (id, output.split('@').next().unwrap_or_default()));
    Block::Choice {
        policy,
        scores: scores.collect(),
        alternatives: labels.map(label).collect(),
    }
}

/// Parses `walk(box) repeat 3 timeout 10 retry 2 background abort rest while tired`: a call and its
/// options.
fn task(rest: &str) -> Block {
    let (rest, repeat_while) = rest.split_once(" while ").unwrap_or((rest, ""));
    let option = |word: &str| {
        let (_, rest) = rest.split_once(&format!(" {word} "))?;
        let number = rest.split(' ').next().unwrap_or_default();
        Some(number.parse().expect("a number"))
    };
    let words = [" repeat ", " timeout ", " retry ", " background", " abort "];
    let ends = words.iter().filter_map(|word| rest.find(word));
    let call = &rest[..ends.min().unwrap_or(rest.len())];
    Block::Task {
        call: call.into(),
        repeat: option("repeat"),
        repeat_while: repeat_while.to_owned(),
        timeout: option("timeout"),
        retry: option("retry"),
        background: rest.contains(" background"),
        on_abort: rest
            .split_once(" abort ")
            .map_or_else(String::new, |(_, cleanup)| cleanup.to_owned()),
    }
}

fn block(kind: &str, rest: &str) -> Block {
    let rest = rest.trim();
    match kind {
        "begin" => Block::Begin {},
        "end" => Block::End {},
        "task" => task(rest),
        "branch" => Block::Branch {
            condition: rest.into(),
        },
        "choice" => choice(ChoicePolicy::First, rest),
        "cheapest" => choice(ChoicePolicy::Cheapest, rest),
        "highest" => choice(ChoicePolicy::Highest, rest),
        "random" => choice(ChoicePolicy::Random, rest),
        "bind" => {
            let (rest, query) = rest.split_once(" asks ").unwrap_or((rest, ""));
            let (rest, order_by) = rest.split_once(" by ").unwrap_or((rest, ""));
            let (variable, condition) = rest.split_once(" where ").unwrap_or((rest, ""));
            Block::Bind {
                variable: variable.trim().parse().expect("a variable"),
                condition: condition.into(),
                order_by: order_by.into(),
                query: query.into(),
            }
        }
        other => panic!("no block is a '{other}'"),
    }
}

enum Open {
    Nothing,
    Primitive(Name),
    Compound(Name),
    Goal(Name),
    Agent(Name),
    Scenario(Name),
}

/// Parses a domain; see the module.
///
/// # Panics
/// If the text is invalid.
pub fn document(text: &str) -> Document {
    let mut document = Document::default();
    let mut open = Open::Nothing;
    for line in text.lines() {
        let (key, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        if key.is_empty() {
            continue;
        }
        let rest = rest.trim();
        if line.starts_with(' ') {
            match &open {
                Open::Primitive(task) => {
                    let task = document.primitive_tasks.get_mut(task).expect("open");
                    primitive(Arc::make_mut(task), key, rest);
                }
                Open::Compound(task) => {
                    let task = document.compound_tasks.get_mut(task).expect("open");
                    compound(Arc::make_mut(task), key, rest);
                }
                Open::Goal(own) => {
                    let own = document.goals.get_mut(own).expect("open");
                    agents::goal(Arc::make_mut(own), key, rest);
                }
                Open::Agent(own) => {
                    let own = document.agents.get_mut(own).expect("open");
                    agents::agent(Arc::make_mut(own), key, rest);
                }
                Open::Scenario(own) => {
                    let own = document.scenarios.get_mut(own).expect("open");
                    scenario(Arc::make_mut(own), key, rest);
                }
                Open::Nothing => panic!("'{line}' belongs to nothing"),
            }
            continue;
        }
        open = record(&mut document, key, rest);
    }
    document
}

fn record(document: &mut Document, key: &str, text: &str) -> Open {
    if key == "type" {
        document.types.extend([type_of(text)]);
        return Open::Nothing;
    }
    if key == "object" {
        document.objects.extend([object(text)]);
        return Open::Nothing;
    }
    if let Some(source) = agents::source(key) {
        let (key, rest) = text.split_once(' ').expect("a fact");
        record(document, key, rest);
        let fact = document.facts.get_mut(&head(rest).0).expect("declared");
        let fact = Arc::make_mut(fact);
        fact.source = source;
        fact.absence = rest.ends_with(" absence");
        return Open::Nothing;
    }
    let (own, params, rest) = head(text);
    match key {
        "goal" => {
            let goal = Goal {
                condition: rest.trim_start_matches(':').trim().into(),
                ..Goal::default()
            };
            document.goals.insert(own.clone(), Arc::new(goal));
            return Open::Goal(own);
        }
        "agent" => {
            let agent = Agent {
                of: name(rest.trim_start_matches(':')),
                ..Agent::default()
            };
            document.agents.insert(own.clone(), Arc::new(agent));
            return Open::Agent(own);
        }
        "fact" | "number" | "value" => {
            let fact = Fact {
                params,
                value: value(key, rest),
                ..Fact::default()
            };
            document.facts.insert(own, Arc::new(fact));
        }
        "condition" => {
            let condition = Condition {
                params,
                formula: rest.trim_start_matches(':').trim().into(),
                ..Condition::default()
            };
            document.conditions.insert(own, Arc::new(condition));
        }
        "action" => {
            document.actions.insert(own, Arc::new(action(params, rest)));
        }
        "primitive" => {
            let task = PrimitiveTask {
                params,
                action: rest.trim_start_matches('=').trim().into(),
                ..PrimitiveTask::default()
            };
            document.primitive_tasks.insert(own.clone(), Arc::new(task));
            return Open::Primitive(own);
        }
        "compound" => {
            let task = CompoundTask {
                params,
                ..CompoundTask::default()
            };
            document.compound_tasks.insert(own.clone(), Arc::new(task));
            return Open::Compound(own);
        }
        "scenario" => {
            document
                .scenarios
                .insert(own.clone(), Arc::new(Scenario::default()));
            return Open::Scenario(own);
        }
        other => panic!("no record is a '{other}'"),
    }
    Open::Nothing
}

/// Reads `place: area`.
fn type_of(text: &str) -> (Name, Arc<Type>) {
    let (own, parent) = text.split_once(':').unwrap_or((text, "object"));
    let of = Type {
        parent: name(parent),
        title: String::new(),
        note: String::new(),
    };
    (name(own), Arc::new(of))
}

/// Reads the values of a fact: `: place`, `integer 0..9`.
fn value(key: &str, text: &str) -> ValueKind {
    match key {
        "fact" => ValueKind::Boolean,
        "value" => ValueKind::Object(name(text.trim_start_matches(':'))),
        _ => {
            let range = text.trim_start_matches("integer");
            let (min, max) = range.split_once("..").unwrap_or(("", ""));
            ValueKind::Number {
                integer: text.starts_with("integer"),
                min: bound(min),
                max: bound(max),
            }
        }
    }
}

/// Reads the duration and the executor of an action: `3 by legs`.
fn action(params: Vec<Param>, text: &str) -> Action {
    let (duration, executor) = text.split_once("by ").unwrap_or((text, ""));
    Action {
        params,
        duration: duration.trim().to_owned(),
        executor: executor.trim().to_owned(),
        ..Action::default()
    }
}

fn primitive(task: &mut PrimitiveTask, key: &str, text: &str) {
    let timing = match key {
        "pre" => return task.preconditions.push(text.into()),
        "integrity" => return task.integrity.push(text.into()),
        "done" => return task.completion.push(text.into()),
        "claims" => return task.claims.push(text.into()),
        "cost" => {
            task.cost = text.into();
            return;
        }
        "cooldown" => {
            task.cooldown = text.parse().expect("a number of ticks");
            return;
        }
        "uninterruptible" => {
            task.uninterruptible = true;
            return;
        }
        "eff" => EffectTiming::PlannedAndExecuted,
        "planned" => EffectTiming::Planned,
        "executed" => EffectTiming::Executed,
        other => panic!("no primitive task has a '{other}'"),
    };
    task.effects.push(Effect {
        text: text.into(),
        timing,
    });
}

fn compound(task: &mut CompoundTask, key: &str, text: &str) {
    match key {
        "pre" => task.preconditions.push(text.into()),
        "goal" => task.goal = text.into(),
        "integrity" => task.integrity.push(text.into()),
        "cooldown" => task.cooldown = text.parse().expect("a number of ticks"),
        "wire" => task.method.wires.push(text.parse().expect("a wire")),
        "block" => {
            let mut words = text.splitn(3, ' ');
            let id = words.next().and_then(|id| BlockId::new(id).ok());
            let kind = words.next().expect("a kind");
            let block = block(kind, words.next().unwrap_or_default());
            let blocks = &mut task.method.blocks;
            blocks.insert(id.expect("a block id"), Arc::new(block));
        }
        // A method that is a sequence of calls.
        "sequence" => {
            let mut before: Option<String> = None;
            for (n, call) in std::iter::once("begin").chain(text.split(';')).enumerate() {
                let id = format!("s{n}");
                let own = match n {
                    0 => "begin".to_owned(),
                    _ => format!("task {call}"),
                };
                compound(task, "block", &format!("{id} {own}"));
                if let Some(before) = before {
                    compound(task, "wire", &format!("{before}.out -> {id}"));
                }
                before = Some(id);
            }
        }
        other => panic!("no compound task has a '{other}'"),
    }
}

fn scenario(scenario: &mut Scenario, key: &str, text: &str) {
    match key {
        "object" => scenario.objects.extend([object(text)]),
        "initial" => scenario.initial.push(text.into()),
        "task" => scenario.tasks.push(text.into()),
        "goal" => scenario.goal = text.into(),
        "event" => {
            let (tick, rest) = text.split_once(' ').expect("a tick and an effect");
            let (at, every) = match tick.split_once('+') {
                Some((at, every)) => (at, Some(every.parse().expect("ticks"))),
                None => (tick, None),
            };
            let conditional = rest
                .strip_prefix("if ")
                .and_then(|rest| rest.split_once(" : "));
            let (when, effect) = conditional.unwrap_or(("", rest));
            scenario.events.push(Event {
                at: at.parse().expect("a tick"),
                every,
                when: when.into(),
                effect: effect.into(),
            });
        }
        "fail" => {
            let (rest, chance) = text.split_once(" chance ").unwrap_or((text, ""));
            let (task, time) = rest.split_once(" time ").unwrap_or((rest, ""));
            scenario.failures.push(Failure {
                task: task.into(),
                time: time.parse().ok(),
                chance: chance.parse().ok(),
            });
        }
        "cast" | "crowd" | "starts" | "does" | "believes" => agents::cast(scenario, key, text),
        "seed" => scenario.seed = text.parse().expect("a seed"),
        other => panic!("no scenario has a '{other}'"),
    }
}
