//! Documents as the interpreter reads them: typed texts, with numbers instead of names.

use std::collections::BTreeMap;
use std::sync::Arc;

use taskloom_document::{self as document, Block as Drawn, Name, ValueKind, WhenComplete};
use taskloom_domain::lang::typed::{self, Initial};
use taskloom_domain::method::{Content as Typed, Method as Chart};
use taskloom_domain::records;
use taskloom_domain::text::{TypedText, values};
use taskloom_domain::{Actor, Domain as Document, Scene};

use super::domain::{
    Agent, Call, Compound, Domain, Duration, Effect, Event, Failure, Goal, Member, Options,
    Planning, Primitive, Pursuit, Sense, Task, TaskKind,
};
use super::evaluate::Env;
use super::method::{Block, Content, Method};
use super::names::{Atom, Fact, Ground, Kind, Names};
use super::state::State;

/// Returns the values of texts that are all valid.
fn all<T: Clone>(texts: &[TypedText<T>]) -> Vec<T> {
    assert!(texts.iter().all(|text| text.value.is_some()), "valid texts");
    values(texts).cloned().collect()
}

/// Returns the value of a text that is valid.
fn one<T: Clone>(text: &TypedText<T>) -> T {
    text.value.clone().expect("a valid text")
}

fn optional<T: Clone>(text: &Option<TypedText<T>>) -> Option<T> {
    text.as_ref().map(one)
}

/// Reads a domain and a scenario.
pub fn read(document: &Document, scene: &Scene) -> Arc<Domain> {
    let reader = Reader {
        domain: document.executable(),
        scene,
        names: names(document.executable(), scene),
    };
    reader.read()
}

fn names(domain: &Document, scene: &Scene) -> Names {
    let document = domain.document();
    let objects: Vec<Name> = scene
        .objects()
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    let root = Name::root();
    let types = document.types.keys().chain([&root]);
    let of_types = types.map(|of| {
        let all = scene.objects().iter().enumerate();
        let all = all.filter(|(_, (_, own))| document.is_kind_of(own, of));
        (of.clone(), all.map(|(number, _)| number).collect())
    });
    let of_types: BTreeMap<Name, Vec<usize>> = of_types.collect();
    let facts = document.facts.iter().map(|(name, fact)| Fact {
        name: name.clone(),
        params: fact.params.clone(),
        kind: match fact.value {
            ValueKind::Boolean => Kind::Bool,
            ValueKind::Number { integer, min, max } => Kind::Number { integer, min, max },
            ValueKind::Object(_) => Kind::Object,
        },
        source: fact.source,
        is_absence: fact.absence,
    });
    let (primitives, compounds) = (&document.primitive_tasks, &document.compound_tasks);
    let tasks = primitives.keys().chain(compounds.keys());
    let goals = document.goals.keys().cloned().collect();
    let (facts, tasks) = (facts.collect(), tasks.cloned().collect());
    Names::new(objects, of_types, facts, tasks, goals)
}

struct Reader<'d> {
    domain: &'d Document,
    scene: &'d Scene,
    names: Names,
}

impl Reader<'_> {
    fn call(&self, call: &typed::Call) -> Call {
        Call {
            task: self.names.task(&call.name),
            args: call.args.clone(),
        }
    }

    fn initial(&self, initial: &Initial) -> (Atom, f64) {
        let atom = self.names.recorded(&initial.atom);
        (atom, self.names.value(&initial.value))
    }

    fn primitive(&self, name: &Name, read: &records::Primitive) -> Task {
        let rules = self.domain.execution_rules(read);
        let actions = &self.domain.document().actions;
        let action = rules.action.as_ref().map(|call| {
            let call = one(call);
            (call.clone(), &actions[&call.name])
        });
        let effects = read.effects.iter().map(|(timing, text)| Effect {
            effect: one(text),
            timing: *timing,
        });
        let duration = action.as_ref().and_then(|(call, action)| {
            Some(Duration {
                params: action.params.clone(),
                args: call.args.clone(),
                ticks: one(self.domain.duration(&call.name)?),
            })
        });
        let executor = action.map_or(String::new(), |(_, action)| {
            action.executor.trim().to_lowercase()
        });
        Task {
            params: read.record.params.clone(),
            pre: all(&read.preconditions),
            integrity: all(&rules.integrity),
            cooldown: read.record.cooldown,
            drawn: self.names.task(name),
            kind: TaskKind::Primitive(Primitive {
                done: all(&rules.completion),
                effects: effects.collect(),
                duration,
                executor,
                cost: optional(&read.cost),
                uninterruptible: read.record.uninterruptible,
                claims: all(&read.claims),
            }),
        }
    }

    fn compound(&self, name: &Name, read: &records::Compound) -> Task {
        let drawn = read.record.part_of.as_ref().unwrap_or(name);
        let method = match self.domain.method(read) {
            Some(method) => self.method(method),
            None => Method::undrawn(),
        };
        Task {
            params: read.record.params.clone(),
            pre: all(&read.preconditions),
            integrity: all(self.domain.integrity(read)),
            cooldown: read.record.cooldown,
            drawn: self.names.task(drawn),
            kind: TaskKind::Compound(Compound {
                goal: optional(&read.goal),
                method,
            }),
        }
    }

    fn method(&self, method: &Chart) -> Method {
        let chart = &method.chart;
        let blocks = (0..chart.blocks.len() as u32).map(|position| {
            let wires = chart.wires_from(position);
            let wires = wires.map(|wire| &chart.wires[wire as usize]);
            Block {
                id: chart.blocks[position as usize].id.clone(),
                content: self.content(method, position),
                wires: wires
                    .map(|wire| (wire.option as usize, wire.to as usize))
                    .collect(),
            }
        });
        Method {
            blocks: blocks.collect(),
        }
    }

    fn content(&self, method: &Chart, position: u32) -> Content {
        match self.domain.content(method, position) {
            Typed::Pass => Content::Pass,
            Typed::Task { call, on_abort, .. } => {
                let block: &Drawn = method.block(position);
                let options = Options {
                    repeat: block.repetitions() as usize,
                    timeout: block.timeout(),
                    retry: block.retry(),
                    background: block.is_background(),
                    on_abort: optional(on_abort).map(|call| self.call(&call)),
                };
                Content::Task(self.call(&one(call)), options)
            }
            Typed::Branch(condition) => Content::Branch(one(condition)),
            Typed::Choice {
                alternatives,
                policy,
                scores,
            } => {
                let outputs = alternatives.iter().zip(scores).map(|(output, score)| {
                    let port = document::Port::Alternative(output.id);
                    (port, optional(score))
                });
                Content::Choice(*policy, outputs.collect())
            }
            Typed::Bind {
                variable,
                condition,
                order_by,
                query,
            } => {
                assert!(query.is_none(), "no game answers queries");
                Content::Bind(variable.clone(), optional(condition), optional(order_by))
            }
        }
    }

    fn goal(&self, read: &records::Goal) -> Goal {
        Goal {
            subgoals: all(&read.subgoals),
            condition: one(&read.condition),
            tasks: all(&read.tasks)
                .iter()
                .map(|call| self.call(call))
                .collect(),
            priority: f64::from(read.record.priority),
            relevance: optional(&read.relevance),
            bias: optional(&read.bias),
            cooldown: read.record.cooldown,
        }
    }

    fn agent(&self, read: &records::Agent) -> Agent {
        let (record, triggers) = (&read.record, &read.record.triggers);
        let senses = record.senses.iter().zip(&read.senses);
        let senses = senses.map(|(sense, when)| Sense {
            fact: self.names.fact(&sense.fact),
            every: sense.every,
            forget: sense.forget,
            unknown: sense.unknown,
            when: optional(when),
        });
        Agent {
            planning: match &record.planning {
                document::Planning::Decomposition { policy, .. } => {
                    Planning::Decomposition(*policy)
                }
                document::Planning::Reactive { .. } => Planning::Reactive,
                document::Planning::Goals { goals, search } => Planning::Goals(Pursuit {
                    goals: goals.iter().map(|goal| self.names.goal(goal)).collect(),
                    heuristic: search.heuristic,
                    is_limited: search.depth.is_some() || search.nodes.is_some(),
                    retry: search.retry,
                    commitment: search.commitment,
                }),
            },
            uses: record
                .uses
                .iter()
                .map(|task| self.names.task(task))
                .collect(),
            senses: senses.collect(),
            failure: triggers.failure,
            again: triggers.complete == WhenComplete::Again,
            perception: triggers.perception,
            every: triggers.every,
            alternative: triggers.alternative,
            margin: triggers.goal,
        }
    }

    /// Reads a character, but not yet its tasks.
    fn member(&self, actor: &Actor) -> Member {
        let texts = self.domain.texts();
        let document = self.domain.document();
        let agent = actor.agent.as_ref().map(|(name, _)| {
            let mut agents = document.agents.keys();
            agents.position(|other| other == name).expect("an agent")
        });
        let me = actor.me().map(|me| self.names.object(me));
        let absences = self.names.facts.iter().enumerate();
        let absences = absences.filter(|(_, fact)| fact.is_absence);
        let absences = absences.filter_map(|(number, _)| self.names.atom(number, &[me?]));
        let beliefs = all(actor.initial_beliefs(texts));
        Member {
            me,
            absences: absences.collect(),
            agent,
            tasks: vec![],
            goal: actor.goal_formula(texts).map(one),
            beliefs: beliefs.iter().map(|belief| self.initial(belief)).collect(),
            plans_by_time: false,
        }
    }

    fn failure(&self, failure: &document::Failure) -> Failure {
        let text = failure.task.trim();
        let (task, args) = match text.split_once('(') {
            Some((task, args)) => (task, args.strip_suffix(')')),
            None => (text, None),
        };
        let name = |text: &str| Name::new(text.trim()).expect("a name");
        let args = args.map(|args| {
            let args = args.split(',').map(|arg| self.names.object(&name(arg)));
            args.collect()
        });
        Failure {
            task: self.names.task(&name(task)),
            args,
            time: failure.time,
            chance: failure.chance,
        }
    }

    fn read(self) -> Arc<Domain> {
        let (domain, scene) = (self.domain, self.scene);
        let (document, texts) = (domain.document(), domain.texts());
        let primitives = domain.primitives();
        let primitives = primitives.map(|(name, read)| self.primitive(name, read));
        let compounds = domain.compounds();
        let compounds = compounds.map(|(name, read)| self.compound(name, read));
        let conditions = document.conditions.iter().map(|(name, record)| {
            let read = domain.condition(name).expect("a condition");
            (name.clone(), (record.params.clone(), one(read)))
        });
        let goals = document.goals.keys().filter_map(|name| domain.goal(name));
        let agents = document.agents.keys().filter_map(|name| domain.agent(name));
        let record = &scene.record;
        let events = record.events.iter().zip(scene.events(texts));
        let events = events.map(|(event, read)| Event {
            at: event.at,
            every: event.every,
            when: optional(&read.when),
            effect: one(&read.effect),
        });
        let failures = record.failures.iter().map(|one| self.failure(one));
        let initial = scene.initial_values(texts);
        let mut read = Domain {
            conditions: conditions.collect(),
            tasks: primitives.chain(compounds).collect(),
            goals: goals.map(|goal| self.goal(goal)).collect(),
            agents: agents.map(|agent| self.agent(agent)).collect(),
            initial: initial.iter().map(|value| self.initial(value)).collect(),
            cast: scene.cast.iter().map(|actor| self.member(actor)).collect(),
            events: events.collect(),
            failures: failures.collect(),
            seed: record.seed,
            has_clock: false,
            names: self.names,
        };
        let calls = scene.cast.iter().map(|actor| {
            let calls = actor.calls(texts).map(one);
            calls.collect::<Vec<typed::Call>>()
        });
        let calls: Vec<Vec<typed::Call>> = calls.collect();
        let known = Arc::new(read);
        let tasks = calls.iter().enumerate().map(|(number, calls)| {
            let state = State::new(&known, &known.initial);
            let env: Env = known.env_of(number);
            let ground = |call: &typed::Call| {
                let args = state.objects(&call.args, &env).expect("objects");
                Ground::new(known.names.task(&call.name), &args)
            };
            calls.iter().map(ground).collect()
        });
        let tasks: Vec<Vec<Ground>> = tasks.collect();
        read = Arc::into_inner(known).expect("nothing else has it");
        for (member, tasks) in read.cast.iter_mut().zip(tasks) {
            member.tasks = tasks;
        }
        Arc::new(read.timed())
    }
}
