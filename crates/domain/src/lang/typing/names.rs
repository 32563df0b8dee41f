//! Reports unknown names, with suggestions.

use taskloom_document::diagnostic::Span;
use taskloom_document::{Kind, Name, RecordRef, ValueKind};

use super::super::ast::Aggregate;
use super::near::SUGGESTIONS;
use super::{Near, Suggestion, Typer};

/// The kind of thing expected at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedKind<'a> {
    Formula,
    Number,
    /// An object of this type, if it is known.
    Object(Option<&'a Name>),
    Fact,
    Type,
    Task,
    Action,
}

impl ExpectedKind<'_> {
    /// Returns what messages call it.
    fn label(self) -> &'static str {
        match self {
            Self::Formula => "fact or condition",
            Self::Number => "number fact",
            Self::Object(_) => "object",
            Self::Fact => "fact",
            Self::Type => "type",
            Self::Task => "task",
            Self::Action => "action",
        }
    }
}

pub(super) fn change_to(text: String) -> Suggestion {
    Suggestion {
        label: format!("Change to '{text}'"),
        text,
    }
}

impl Typer<'_> {
    /// Reports a name that is nothing of the expected kind.
    pub(super) fn unknown(&mut self, name: &Name, span: Span, wanted: ExpectedKind) {
        let mut suggestions = self.subtraction(name, wanted);
        if matches!(wanted, ExpectedKind::Object(_)) && self.variable(name).is_some() {
            suggestions.push(change_to(format!("?{name}")));
        }
        let near = self.near(name, wanted);
        suggestions.extend(near.into_iter().map(change_to));
        suggestions.truncate(SUGGESTIONS);
        let aggregate = Aggregate::of_word(name.as_str());
        let mut message = match self.kind_named(name) {
            None if wanted == ExpectedKind::Number || wanted == ExpectedKind::Formula => {
                match aggregate {
                    Some(aggregate) => format!(
                        "'{name}' must be followed by a variable, as in '{} ?x: object. ...'",
                        aggregate.word()
                    ),
                    None => format!("there is no {} '{name}'", wanted.label()),
                }
            }
            Some(kind) => format!(
                "'{name}' is {}, not {}",
                with_article(kind.label()),
                with_article(wanted.label())
            ),
            None => format!("there is no {} '{name}'", wanted.label()),
        };
        if let Some(first) = suggestions.first() {
            message += &format!("; did you mean '{}'?", first.text);
        }
        let code = match wanted {
            ExpectedKind::Type => "unknown-type",
            _ => "unknown-name",
        };
        self.error_with(code, span, message, suggestions);
    }

    /// Reports a variable that isn't bound.
    pub(super) fn unbound(&mut self, name: &Name, span: Span) {
        let variables = self.scope.variables.iter().chain(&self.bound);
        let names = variables.map(|variable| &variable.name);
        let own = Near::default();
        let near = self.scope.near.unwrap_or(&own).among(name, names);
        let near = near.into_iter();
        let mut suggestions: Vec<_> = near.map(|n| change_to(format!("?{n}"))).collect();
        if let Some((object, _)) = self.scope.object(name) {
            suggestions.push(change_to(object.to_string()));
        }
        let mut message = format!("variable '?{name}' isn't bound here");
        if let Some(first) = suggestions.first() {
            message += &format!("; did you mean '{}'?", first.text);
        }
        self.error_with("unknown-variable", span, message, suggestions);
    }

    /// Suggests variables and objects of a type, if they are few enough to be useful.
    pub(super) fn objects_that_fit(&self, of: &Name) -> Vec<Suggestion> {
        let variables = self.scope.variables.iter().chain(&self.bound);
        let mut fitting: Vec<_> = variables
            .filter(|param| self.scope.fits(&param.of, of))
            .map(|param| change_to(format!("?{}", param.name)))
            .collect();
        const FEW: usize = 2 * SUGGESTIONS;
        let own = Near::default();
        let objects = self.scope.near.unwrap_or(&own).objects(of, || {
            let objects = self.scope.objects().into_iter();
            let objects = objects.filter(|(_, object)| self.scope.fits(&object.of, of));
            objects
                .map(|(name, _)| name.clone())
                .take(FEW + 1)
                .collect()
        });
        fitting.extend(objects.into_iter().map(|name| change_to(name.to_string())));
        fitting.truncate(if fitting.len() > FEW { 0 } else { SUGGESTIONS });
        fitting
    }

    /// Suggests `a - b` for a name `a-b` that may be meant as a subtraction: names may contain a
    /// minus.
    fn subtraction(&self, name: &Name, wanted: ExpectedKind) -> Vec<Suggestion> {
        if wanted != ExpectedKind::Number && wanted != ExpectedKind::Formula {
            return vec![];
        }
        let is_number = |part: &str| {
            let fact = Name::new(part)
                .ok()
                .and_then(|n| self.scope.document.facts.get(&n));
            let number = fact.is_some_and(|f| matches!(f.value, ValueKind::Number { .. }));
            number || part.parse::<u32>().is_ok()
        };
        let text = name.as_str();
        let split = text.match_indices('-').find_map(|(at, _)| {
            let (left, right) = (text.get(..at)?, text.get(at + 1..)?);
            (is_number(left) && is_number(right)).then(|| format!("{left} - {right}"))
        });
        split.map(change_to).into_iter().collect()
    }

    /// Returns existing names of the expected kind that are similar to an unknown one.
    fn near(&self, name: &Name, wanted: ExpectedKind) -> Vec<String> {
        let (document, root, own) = (self.scope.document, Name::root(), Near::default());
        let facts = || document.facts.keys();
        let names: Box<dyn Iterator<Item = &Name>> = match wanted {
            ExpectedKind::Formula => Box::new(facts().chain(document.conditions.keys())),
            ExpectedKind::Number | ExpectedKind::Fact => Box::new(facts()),
            ExpectedKind::Object(_) => {
                let own = self.scope.scenario.map(|scenario| scenario.objects.keys());
                let objects = document.objects.keys().chain(own.into_iter().flatten());
                Box::new(facts().chain(objects))
            }
            ExpectedKind::Type => Box::new(document.types.keys().chain([&root])),
            ExpectedKind::Task => {
                let compound = document.compound_tasks.keys();
                Box::new(document.primitive_tasks.keys().chain(compound))
            }
            ExpectedKind::Action => Box::new(document.actions.keys()),
        };
        let of = match wanted {
            ExpectedKind::Object(of) => of,
            _ => None,
        };
        let near = self.scope.near.unwrap_or(&own);
        near.to(name, (wanted.label(), of), names, |name| {
            self.could_stand_for(name, wanted)
        })
    }

    /// Returns `true` if something with this name is of the expected kind.
    fn could_stand_for(&self, name: &Name, wanted: ExpectedKind) -> bool {
        let value = self.scope.document.facts.get(name).map(|fact| &fact.value);
        let fits = |is: &Name, of: Option<&Name>| of.is_none_or(|of| self.scope.fits(is, of));
        match wanted {
            ExpectedKind::Number => matches!(value, Some(ValueKind::Number { .. })),
            ExpectedKind::Object(of) => {
                let object = self.scope.object(name);
                object.is_some_and(|(_, object)| fits(&object.of, of))
                    || matches!(value, Some(ValueKind::Object(is)) if fits(is, of))
            }
            _ => true,
        }
    }

    /// Returns the kind of record that has a name.
    fn kind_named(&self, name: &Name) -> Option<Kind> {
        let document = self.scope.document;
        if self.scope.object(name).is_some() {
            return Some(Kind::Object);
        }
        Kind::ALL
            .into_iter()
            .filter(|kind| !matches!(kind, Kind::Goal | Kind::Agent | Kind::Scenario))
            .find(|kind| document.contains(&RecordRef::new(*kind, name.clone())))
    }
}

/// Returns a label with its indefinite article: `an action`.
fn with_article(label: &str) -> String {
    let vowel = label.starts_with(['a', 'o']);
    format!("{} {label}", if vowel { "an" } else { "a" })
}
