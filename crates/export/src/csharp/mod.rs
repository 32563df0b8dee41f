//! Exports a domain as C# in the style of Krylov and Abramov (2020): an agent class with sensor and
//! action methods to implement, primitive and compound tasks, and decomposition functions generated
//! from the flowcharts by templates.
//!
//! The run-time part that comes with it plans and executes as Taskloom does: the same search order,
//! and the same order of operations within a tick.

use std::collections::BTreeMap;

use super::{Export, File, kebab};
use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Field, Kind, Name, Param, RecordRef, Source, ValueKind};
use taskloom_domain::lang::{self, read_formula};
use taskloom_domain::records::{Compound, Primitive};
use taskloom_domain::text::values;

mod decompose;
mod effects;
mod expression;
mod header;
mod limitations;
mod names;
mod parts;
mod places;
mod statements;
mod write;

use effects::{Phase, statements};
use expression::{Scope, literal, value_type};
use names::{Locals, Names};
use parts::{
    Argument, Class, CompoundTask, Condition, Domain, Fact, Goal, Method, Object, PrimitiveTask,
    Task, declared, passed,
};
use statements::one_line;

/// The run-time part, the same for every domain.
const RUNTIME: [(&str, &str); 4] = [
    ("Taskloom/World.cs", include_str!("../Taskloom/World.cs")),
    ("Taskloom/Tasks.cs", include_str!("../Taskloom/Tasks.cs")),
    (
        "Taskloom/Planner.cs",
        include_str!("../Taskloom/Planner.cs"),
    ),
    ("Taskloom/Agent.cs", include_str!("../Taskloom/Agent.cs")),
];

/// Writes the domain and the run-time part. Of scenarios, exports only the goals; the rest isn't
/// part of a game.
pub fn export(domain: &taskloom_domain::Domain, stop: &Stop) -> Result<Export, Vec<Diagnostic>> {
    let errors = domain.errors(None);
    if !errors.is_empty() {
        return Err(errors);
    }
    let (drawn, domain) = (domain, domain.executable());
    let document = domain.document();
    let (names, me) = (Names::new(document), document.type_of_me());
    let writer = Writer {
        drawn,
        domain,
        document,
        names: &names,
        me: me.as_ref(),
        stop,
    };
    let written = writer.domain().map_err(|errors| domain.drawn(errors));
    let domain = written?;
    let own = File {
        path: format!("{}.cs", names.namespace),
        text: write::domain(&domain, stop),
    };
    let shared = RUNTIME.map(|(path, text)| File {
        path: path.to_owned(),
        text: text.to_owned(),
    });
    Ok(Export {
        files: std::iter::once(own).chain(shared).collect(),
        archive: Some(format!("{}.zip", kebab(&document.info.title, "domain"))),
        warnings: domain.limitations,
    })
}

fn trouble(kind: Kind, name: &Name, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "export",
        place: Place {
            record: RecordRef::new(kind, name.clone()),
            field: Field::Whole,
            span: None,
        },
        message,
        fixes: vec![],
    }
}

struct Writer<'m> {
    /// The domain as drawn.
    drawn: &'m taskloom_domain::Domain,
    /// The domain as it is planned.
    domain: &'m taskloom_domain::Domain,
    document: &'m Document,
    names: &'m Names,
    /// The type of `?me` in texts that apply to any agent.
    me: Option<&'m Name>,
    stop: &'m Stop,
}

/// Returns the title and note as lines of an XML comment.
fn doc(title: &str, note: &str) -> Vec<String> {
    [title, note]
        .into_iter()
        .flat_map(str::lines)
        .map(|line| {
            let line = one_line(line).replace('&', "&amp;");
            line.replace('<', "&lt;").replace('>', "&gt;")
        })
        .filter(|line| !line.is_empty())
        .collect()
}

impl<'m> Writer<'m> {
    fn domain(&self) -> Result<Domain, Vec<Diagnostic>> {
        let document = self.document;
        let mut errors = vec![];
        let mut compounds = vec![];
        for (name, compound) in self.domain.compounds() {
            match self.compound(name, compound) {
                Some(compound) => compounds.push(compound),
                None if self.stop.is_cancelled() => break,
                None => {
                    let message = "its flowchart is too large to export".to_owned();
                    errors.push(trouble(Kind::CompoundTask, name, message));
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let facts: Vec<Fact> = document.facts.keys().filter_map(|n| self.fact(n)).collect();
        let (goals, not_goals) = self.goals();
        let is_sensor = |fact: &&Fact| !fact.sensor.is_empty();
        Ok(Domain {
            title: one_line(&document.info.title),
            note: document.info.note.lines().map(one_line).collect(),
            namespace: self.names.namespace.clone(),
            agent: self.names.agent.clone(),
            types: self.types(),
            objects: self.objects(),
            sensors: facts.iter().filter(is_sensor).cloned().collect(),
            facts,
            conditions: self.conditions(),
            actions: self.actions(),
            primitives: self
                .domain
                .primitives()
                .map(|(n, p)| self.primitive(n, p))
                .collect(),
            compounds,
            goals,
            home: self.names.home(),
            uses_me: uses_me(document),
            cheapest: limitations::is_cheapest(document),
            limitations: limitations::limitations(self.drawn, not_goals)
                .iter()
                .map(|line| one_line(line))
                .collect(),
        })
    }

    /// Returns the goals of scenarios, and the reasons why others aren't exported: the file knows
    /// only the domain's objects.
    fn goals(&self) -> (Vec<Goal>, Vec<(&'m Name, String)>) {
        let document = self.document;
        let (mut scope, _) = self.scope(&[]);
        scope.home = self.names.home();
        let mut given = Names::goals();
        let (mut goals, mut others) = (vec![], vec![]);
        for (name, scenario) in &document.scenarios {
            if self.stop.after(scenario.goal.len()) {
                break;
            }
            if scenario.goal.trim().is_empty() {
                continue;
            }
            let read = read_formula(&scenario.goal, &lang::Scope::of_domain(document, vec![]));
            let mut mistakes = read.mistakes.into_iter();
            let mistake = mistakes.find(|mistake| mistake.severity == Severity::Error);
            match (read.value, mistake) {
                (Some(formula), None) => goals.push(Goal {
                    doc: doc(&format!("The goal of '{name}'."), ""),
                    method: given.unique(&names::pascal(name.as_str())),
                    formula: scope.formula(&formula),
                }),
                (_, mistake) => {
                    let reason = mistake.map(|mistake| mistake.message);
                    others.push((name, reason.unwrap_or_else(|| "it is invalid".to_owned())));
                }
            }
        }
        (goals, others)
    }

    fn types(&self) -> Vec<Class> {
        let types = self.document.types.iter();
        types
            .map(|(name, record)| Class {
                doc: doc(&record.title, &record.note),
                class: self.names.of(name),
                base: self.names.of(&record.parent),
            })
            .collect()
    }

    fn objects(&self) -> Vec<Object> {
        let objects = self.document.objects.iter();
        let objects = objects.take_while(|_| !self.stop.after(1));
        objects
            .map(|(name, record)| Object {
                doc: doc(&record.title, &record.note),
                field: self.names.record(Kind::Object, name),
                class: self.names.of(&record.of),
                text: name.to_string(),
            })
            .collect()
    }

    /// Returns the scope of a record's texts, and its parameters.
    fn scope(&self, params: &[Param]) -> (Scope<'m>, Vec<Argument>) {
        let mut scope = Scope {
            document: self.document,
            names: self.names,
            variables: BTreeMap::new(),
            locals: Locals::default(),
            me: self.me,
            state: "s",
            home: String::new(),
        };
        let argument = |param: &Param| Argument {
            of: self.names.of(&param.of),
            name: scope.bind(param),
        };
        let arguments = params.iter().map(argument).collect();
        (scope, arguments)
    }

    fn fact(&self, name: &Name) -> Option<Fact> {
        let record = self.document.facts.get(name)?;
        let (_, arguments) = self.scope(&record.params);
        let get = |map: &BTreeMap<Name, String>| map.get(name).cloned().unwrap_or_default();
        let range = match &record.value {
            ValueKind::Number { integer, min, max } => {
                let mut range = String::new();
                if *integer {
                    range += ", integer: true";
                }
                if let Some(min) = min {
                    range += &format!(", min: {}", literal(*min));
                }
                if let Some(max) = max {
                    range += &format!(", max: {}", literal(*max));
                }
                range
            }
            ValueKind::Boolean | ValueKind::Object(_) => String::new(),
        };
        let from_args: Vec<_> = arguments
            .iter()
            .enumerate()
            .map(|(n, a)| format!("({})args[{n}]", a.of))
            .collect();
        Some(Fact {
            doc: doc(&record.title, &record.note),
            text: name.to_string(),
            field: get(&self.names.facts),
            atom: get(&self.names.atoms),
            asked: get(&self.names.asked),
            sensor: match record.source {
                Source::Sensor => get(&self.names.sensors),
                Source::Memory | Source::Blackboard => String::new(),
            },
            from_args: from_args.join(", "),
            value: value_type(self.names, &record.value),
            read: match &record.value {
                ValueKind::Boolean => "s.Is".to_owned(),
                ValueKind::Number { .. } => "s.Number".to_owned(),
                ValueKind::Object(of) => format!("({})s.Thing", self.names.of(of)),
            },
            params: declared(&arguments),
            args: passed(&arguments),
            range,
        })
    }

    fn conditions(&self) -> Vec<Condition> {
        let document = self.document;
        let conditions = document.conditions.iter().filter_map(|(name, record)| {
            if document.facts.contains_key(name) {
                return None;
            }
            let (mut scope, arguments) = self.scope(&record.params);
            scope.home = self.names.home();
            // A condition on a null argument is false, whatever the formula says.
            let given = arguments.iter().map(|a| format!("{} != null", a.name));
            let formula = self.domain.condition(name)?.value.as_ref()?;
            let formula = scope.formula_after(given.collect(), formula);
            Some(Condition {
                doc: doc(&record.title, &record.note),
                asked: self.names.asked.get(name).cloned()?,
                params: declared(&arguments),
                formula,
            })
        });
        conditions.collect()
    }

    fn actions(&self) -> Vec<Method> {
        let actions = self.document.actions.iter();
        actions
            .map(|(name, record)| {
                let (_, arguments) = self.scope(&record.params);
                Method {
                    doc: doc(&record.title, &record.note),
                    method: self.names.actions.get(name).cloned().unwrap_or_default(),
                    params: arguments
                        .iter()
                        .map(|a| format!("{} {}, ", a.of, a.name))
                        .collect(),
                }
            })
            .collect()
    }

    fn primitive(&self, name: &Name, primitive: &'m Primitive) -> PrimitiveTask {
        let (mut scope, params) = self.scope(&primitive.record.params);
        scope.me = primitive.type_of_me();
        let rules = self.domain.execution_rules(primitive);
        let before = Scope {
            state: "before",
            ..scope.clone()
        };
        let run = values(&rules.action).next().and_then(|call| {
            let method = self.names.actions.get(&call.name)?;
            let now = Scope {
                state: "agent.Observe()",
                ..scope.clone()
            };
            let args: String = call
                .args
                .iter()
                .map(|a| format!("{}, ", now.term(a)))
                .collect();
            Some(format!(
                "(({})agent).{method}({args}tick)",
                self.names.agent
            ))
        });
        PrimitiveTask {
            task: Task {
                doc: doc(&primitive.record.title, &primitive.record.note),
                class: self.names.record(Kind::PrimitiveTask, name),
                text: name.to_string(),
                params,
                preconditions: scope.all(&primitive.preconditions),
                integrity: scope.all(&rules.integrity),
            },
            completion: scope.all(&rules.completion),
            cost: values(&primitive.cost)
                .next()
                .map(|cost| scope.number(cost)),
            predict: statements(&before, &primitive.effects, Phase::Predict),
            execute: statements(&before, &primitive.effects, Phase::Execute),
            run,
        }
    }

    fn compound(&self, name: &Name, compound: &'m Compound) -> Option<CompoundTask> {
        let (mut scope, params) = self.scope(&compound.record.params);
        scope.me = compound.type_of_me();
        Some(CompoundTask {
            task: Task {
                doc: doc(&compound.record.title, &compound.record.note),
                class: self.names.record(Kind::CompoundTask, name),
                text: name.to_string(),
                params,
                preconditions: scope.all(&compound.preconditions),
                integrity: scope.all(self.domain.integrity(compound)),
            },
            functions: decompose::functions(
                self.domain,
                self.names,
                compound,
                values(&compound.goal)
                    .next()
                    .map(|goal| scope.formula(goal)),
                self.stop,
            )?,
        })
    }
}

/// Returns `true` if anything but a scenario mentions `?me`.
fn uses_me(document: &Document) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '?');
    let has_me = |text: &str| {
        let mut words = text.split(|c| !is_part(c));
        words.any(|word| word.eq_ignore_ascii_case("?me"))
    };
    let mut records = document.records();
    records.any(|record| {
        let view = document.view(&record);
        let view = view.filter(|_| record.kind != Kind::Scenario);
        view.is_some_and(|view| {
            let mut fields = view.text_fields().into_iter();
            fields.any(|(field, _)| view.text(&field).is_some_and(has_me))
        })
    })
}
