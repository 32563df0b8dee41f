//! `taskloom generate`: a large domain, reproducible from a seed, for benchmarks and experiments.

mod chart;
mod random;
mod words;

use std::sync::Arc;

use taskloom_document::{
    Action, CompoundTask, Condition, Document, Effect, Fact, Info, Name, Object, Param,
    PrimitiveTask, Scenario, Source, Type, ValueKind,
};

use crate::args::GenerateArgs;
use crate::{Exit, Failure, convert};
use random::Random;
use words::Words;

pub fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let document = settlement(args.blocks, args.seed)
        .ok_or_else(|| Failure::Internal("a bug in Taskloom: a word is not a name".to_owned()))?;
    convert::deliver(&document, args.output.as_deref())
}

/// A fact as formulas and effects use it.
struct Known {
    name: String,
    kind: Shape,
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// A boolean without parameters.
    Plain,
    /// A boolean per place.
    Somewhere,
    /// A number.
    Number,
}

struct Settlement {
    random: Random,
    words: Words,
    document: Document,
    facts: Vec<Known>,
    conditions: Vec<String>,
    /// Task calls, ready to be put into a flowchart.
    calls: Vec<String>,
}

const PLACES: [&str; 8] = [
    "abbey", "bakery", "castle", "harbour", "market", "orchard", "quarry", "school",
];
/// The task that has the large method.
const LARGE: &str = "run-the-settlement";

/// Generates the domain of a settlement and its workers, with `size` cards on the Board and `size`
/// blocks in its largest method.
fn settlement(size: usize, seed: u64) -> Option<Document> {
    let mut settlement = Settlement {
        random: Random::new(seed),
        words: Words::default(),
        document: Document::default(),
        facts: vec![],
        conditions: vec![],
        calls: vec![],
    };
    settlement.world()?;
    // Of ten cards three are facts, one or two conditions, two actions, and one a compound task.
    let facts = (size * 3 / 10).max(1);
    let conditions = size * 3 / 20;
    let actions = (size / 5).max(1);
    let compounds = (size / 10).max(1);
    let primitives = size.saturating_sub(facts + conditions + actions + compounds);
    settlement.facts(facts)?;
    settlement.conditions(conditions)?;
    settlement.tasks(actions, primitives)?;
    for _ in 1..compounds {
        let name = settlement.words.task("keep");
        let blocks = 6 + settlement.random.below(9);
        settlement.compound(&name, blocks)?;
        settlement.calls.push(name);
    }
    settlement.compound(LARGE, size)?;
    settlement.scenario()?;
    settlement.document.info = Arc::new(Info {
        title: format!("A settlement of {size}"),
        note: format!("Generated from the seed {seed}."),
    });
    Some(settlement.document)
}

fn name(text: &str) -> Option<Name> {
    Name::new(text).ok()
}

fn place(variable: &str) -> Option<Param> {
    Some(Param {
        name: name(variable)?,
        of: name("place")?,
    })
}

impl Settlement {
    fn world(&mut self) -> Option<()> {
        let place = Type {
            parent: Name::root(),
            title: String::new(),
            note: String::new(),
        };
        self.document.types.insert(name("place")?, Arc::new(place));
        for text in PLACES {
            let object = Object {
                of: name("place")?,
                title: String::new(),
                note: String::new(),
            };
            let objects = &mut self.document.objects;
            objects.insert(name(text)?, Arc::new(object));
        }
        Some(())
    }

    fn facts(&mut self, count: usize) -> Option<()> {
        for number in 0..count {
            // The flowcharts look for places with the first fact.
            let kind = match number % 10 {
                0 | 4 => Shape::Somewhere,
                7 => Shape::Number,
                _ => Shape::Plain,
            };
            let text = self.words.fact(&mut self.random, kind == Shape::Number);
            let fact = Fact {
                params: match kind {
                    Shape::Somewhere => vec![place("p")?],
                    _ => vec![],
                },
                value: match kind {
                    Shape::Number => ValueKind::Number {
                        integer: true,
                        min: Some(0.0),
                        max: Some(100.0),
                    },
                    _ => ValueKind::Boolean,
                },
                source: match self.random.below(3) {
                    0 => Source::Sensor,
                    _ => Source::Memory,
                },
                ..Fact::default()
            };
            self.document.facts.insert(name(&text)?, Arc::new(fact));
            self.facts.push(Known { name: text, kind });
        }
        Some(())
    }

    fn conditions(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            let text = self.words.condition(&mut self.random);
            let condition = Condition {
                formula: self.formula(3),
                ..Condition::default()
            };
            let conditions = &mut self.document.conditions;
            conditions.insert(name(&text)?, Arc::new(condition));
            self.conditions.push(text);
        }
        Some(())
    }

    fn tasks(&mut self, actions: usize, primitives: usize) -> Option<()> {
        let mut methods = vec![];
        for number in 0..actions {
            let text = self.words.action(&mut self.random);
            let action = Action {
                // Every other action takes a place.
                params: match number % 2 {
                    0 => vec![place("p")?],
                    _ => vec![],
                },
                duration: (1 + self.random.below(4)).to_string(),
                ..Action::default()
            };
            self.document.actions.insert(name(&text)?, Arc::new(action));
            methods.push(text);
        }
        for number in 0..primitives {
            let verb = self.random.pick(&words::VERBS);
            let text = self.words.task(verb);
            let which = number % methods.len().max(1);
            let method = methods.get(which)?;
            let goes = which.is_multiple_of(2);
            let task = PrimitiveTask {
                params: match goes {
                    true => vec![place("p")?],
                    false => vec![],
                },
                action: match goes {
                    true => format!("{method}(?p)"),
                    false => method.clone(),
                },
                preconditions: (0..=self.random.below(2))
                    .map(|_| self.formula(1))
                    .collect(),
                integrity: (0..self.random.below(2)).map(|_| self.formula(1)).collect(),
                effects: (0..=self.random.below(2)).map(|_| self.effect()).collect(),
                cost: match self.random.below(4) {
                    0 => (2 + self.random.below(8)).to_string(),
                    _ => String::new(),
                },
                ..PrimitiveTask::default()
            };
            let tasks = &mut self.document.primitive_tasks;
            tasks.insert(name(&text)?, Arc::new(task));
            let call = match goes {
                true => format!("{text}({})", self.random.pick(&PLACES)),
                false => text,
            };
            self.calls.push(call);
        }
        Some(())
    }

    fn compound(&mut self, text: &str, blocks: usize) -> Option<()> {
        let (method, points) = chart::draw(self, blocks)?;
        let task = CompoundTask {
            method,
            ..CompoundTask::default()
        };
        let name = name(text)?;
        self.document
            .compound_tasks
            .insert(name.clone(), Arc::new(task));
        self.document.layout.methods.insert(name, Arc::new(points));
        Some(())
    }

    /// A scenario in which about a third of all facts are true.
    fn scenario(&mut self) -> Option<()> {
        let mut initial = vec![];
        for fact in &self.facts {
            match fact.kind {
                _ if self.random.below(3) > 0 => {}
                Shape::Plain => initial.push(fact.name.clone()),
                Shape::Somewhere => {
                    initial.push(format!("{}({})", fact.name, self.random.pick(&PLACES)));
                }
                Shape::Number => initial.push(format!("{} = {}", fact.name, self.random.below(9))),
            }
        }
        let scenario = Scenario {
            initial,
            tasks: self.calls.last().cloned().into_iter().collect(),
            ..Scenario::default()
        };
        let scenarios = &mut self.document.scenarios;
        scenarios.insert(name("a-morning")?, Arc::new(scenario));
        Some(())
    }

    /// Returns a formula of at most `most` parts.
    fn formula(&mut self, most: usize) -> String {
        let parts = 1 + self.random.below(most);
        let parts: Vec<String> = (0..parts).map(|_| self.part()).collect();
        let joint = match self.random.below(3) {
            0 => " or ",
            _ => " and ",
        };
        parts.join(joint)
    }

    fn part(&mut self) -> String {
        let not = match self.random.below(3) {
            0 => "not ",
            _ => "",
        };
        if !self.conditions.is_empty() && self.random.below(4) == 0 {
            return format!("{not}{}", self.random.pick(&self.conditions));
        }
        let known = self.random.pick(&self.facts);
        match known.kind {
            Shape::Plain => format!("{not}{}", known.name),
            Shape::Somewhere => {
                let place = self.random.pick(&PLACES);
                format!("{not}{}({place})", known.name)
            }
            Shape::Number => format!("{} >= {}", known.name, 1 + self.random.below(5)),
        }
    }

    fn effect(&mut self) -> Effect {
        let known = self.random.pick(&self.facts);
        let not = match self.random.below(2) {
            0 => "not ",
            _ => "",
        };
        let text = match known.kind {
            Shape::Plain => format!("{not}{}", known.name),
            Shape::Somewhere => {
                let place = self.random.pick(&PLACES);
                format!("{not}{}({place})", known.name)
            }
            Shape::Number => format!("{} += 1", known.name),
        };
        Effect {
            text,
            ..Effect::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Kind;
    use taskloom_document::diagnostic::Severity;
    use taskloom_domain::Domain;
    use taskloom_domain::check::check;

    #[test]
    fn generates_valid_documents_of_the_requested_size() {
        for size in [10, 11, 57, 200, 1000] {
            let document = settlement(size, 7).expect("names are names");
            assert_eq!(document.invariants(), Ok(()), "{size}");
            let large = document.compound_tasks.get(&name(LARGE).expect("a name"));
            assert_eq!(large.map(|task| task.method.blocks.len()), Some(size));
            let cards = [
                Kind::Fact,
                Kind::Condition,
                Kind::Action,
                Kind::PrimitiveTask,
                Kind::CompoundTask,
            ];
            let cards = cards.map(|kind| document.names(kind).len());
            assert_eq!(cards.iter().sum::<usize>(), size);
            let mistakes: Vec<String> = check(&Domain::from(&document))
                .into_iter()
                .filter(|found| found.severity == Severity::Error)
                .map(|found| format!("{:?}: {}", found.place, found.message))
                .collect();
            assert_eq!(mistakes, Vec::<String>::new(), "{size}");
        }
    }

    #[test]
    fn seed_determines_the_generated_bytes() {
        let text = |seed| settlement(300, seed).map(|document| document.to_json());
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
    }
}
