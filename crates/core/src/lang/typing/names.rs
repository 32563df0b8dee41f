//! Names that do not exist, and those that may have been meant.

use crate::diagnostic::Span;
use crate::document::{Kind, Name, RecordRef, ValueKind};

use super::{Suggestion, Typer};

/// At most so many suggestions for one mistake.
const SUGGESTIONS: usize = 3;

/// What a place wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted<'a> {
    Formula,
    Number,
    /// An object of this type, where it is known.
    Object(Option<&'a Name>),
    Fact,
    Type,
    Task,
    Action,
}

impl Wanted<'_> {
    /// What is written where no such thing is called so.
    fn nothing(self) -> &'static str {
        match self {
            Self::Formula => "no fact or condition",
            Self::Number => "no number fact",
            Self::Object(_) => "no object",
            Self::Fact => "no fact",
            Self::Type => "no type",
            Self::Task => "no task",
            Self::Action => "no action",
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
    /// Reports a name that nothing of what is wanted has.
    pub(super) fn unknown(&mut self, name: &Name, span: Span, wanted: Wanted) {
        let mut suggestions = self.subtraction(name, wanted);
        if matches!(wanted, Wanted::Object(_)) && self.variable(name).is_some() {
            suggestions.push(change_to(format!("?{name}")));
        }
        let near = nearest(name.as_str(), &self.candidates(wanted));
        suggestions.extend(near.into_iter().map(change_to));
        suggestions.truncate(SUGGESTIONS);
        let mut message = match self.kind_named(name) {
            Some(kind) => format!(
                "'{name}' is {}: {} is called so",
                article(kind),
                wanted.nothing()
            ),
            None => format!("{} is called '{name}'", wanted.nothing()),
        };
        if let Some(first) = suggestions.first() {
            message += &format!("; did you mean '{}'?", first.text);
        }
        let code = match wanted {
            Wanted::Type => "unknown-type",
            _ => "unknown-name",
        };
        self.error_with(code, span, message, suggestions);
    }

    /// Reports a variable that nothing binds.
    pub(super) fn unbound(&mut self, name: &Name, span: Span) {
        let all = self.scope.variables.iter().chain(&self.bound);
        let variables: Vec<Name> = all.map(|p| p.name.clone()).collect();
        let near = nearest(name.as_str(), &variables).into_iter();
        let mut suggestions: Vec<_> = near.map(|n| change_to(format!("?{n}"))).collect();
        if let Some((object, _)) = self.scope.object(name) {
            suggestions.push(change_to(object.to_string()));
        }
        let mut message = format!("no variable '?{name}' is bound here");
        if let Some(first) = suggestions.first() {
            message += &format!("; did you mean '{}'?", first.text);
        }
        self.error_with("unknown-variable", span, message, suggestions);
    }

    /// Variables and objects of a type, where there are so few that naming them
    /// helps.
    pub(super) fn objects_that_fit(&self, of: &Name) -> Vec<Suggestion> {
        let variables = self.scope.variables.iter().chain(&self.bound);
        let mut fitting: Vec<_> = variables
            .filter(|param| self.scope.fits(&param.of, of))
            .map(|param| change_to(format!("?{}", param.name)))
            .collect();
        let objects = self.scope.objects().into_iter();
        let objects = objects.filter(|(_, object)| self.scope.fits(&object.of, of));
        fitting.extend(objects.map(|(name, _)| change_to(name.to_string())));
        fitting.truncate(if fitting.len() > 2 * SUGGESTIONS {
            0
        } else {
            SUGGESTIONS
        });
        fitting
    }

    /// `a-b` where a subtraction was meant: a name may hold a minus.
    fn subtraction(&self, name: &Name, wanted: Wanted) -> Vec<Suggestion> {
        if wanted != Wanted::Number && wanted != Wanted::Formula {
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

    fn candidates(&self, wanted: Wanted) -> Vec<Name> {
        let document = self.scope.document;
        let facts = |fits: &dyn Fn(&ValueKind) -> bool| {
            let fitting = document.facts.iter().filter(|(_, fact)| fits(&fact.value));
            fitting.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let keys = |kind| document.names(kind).into_iter().cloned();
        match wanted {
            Wanted::Formula => {
                let mut all = facts(&|_| true);
                all.extend(keys(Kind::Condition));
                all
            }
            Wanted::Number => facts(&|value| matches!(value, ValueKind::Number { .. })),
            Wanted::Fact => facts(&|_| true),
            Wanted::Object(of) => {
                let fits = |is: &Name| of.is_none_or(|of| self.scope.fits(is, of));
                let mut all = facts(&|value| matches!(value, ValueKind::Object(is) if fits(is)));
                let objects = self.scope.objects().into_iter();
                all.extend(objects.filter(|(_, o)| fits(&o.of)).map(|(n, _)| n.clone()));
                all
            }
            Wanted::Type => keys(Kind::Type).chain([Name::root()]).collect(),
            Wanted::Task => keys(Kind::PrimitiveTask)
                .chain(keys(Kind::CompoundTask))
                .collect(),
            Wanted::Action => keys(Kind::Action).collect(),
        }
    }

    /// What a name is, where it is something.
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

/// `an action`
pub(super) fn article(kind: Kind) -> String {
    let label = kind.label();
    let vowel = label.starts_with(['a', 'o']);
    format!("{} {label}", if vowel { "an" } else { "a" })
}

/// The names that look like a word, nearest first: a third of its letters may
/// differ, and `-` and `_` count for nothing.
pub fn nearest(word: &str, names: &[Name]) -> Vec<String> {
    let word = letters(word);
    let limit = (word.len() / 3).max(1);
    let mut near: Vec<(usize, &Name)> = names
        .iter()
        .map(|name| (distance(&word, &letters(name.as_str()), limit), name))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    crate::order::sort_by(&mut near, Ord::cmp);
    near.dedup();
    near.into_iter()
        .take(SUGGESTIONS)
        .map(|(_, name)| name.to_string())
        .collect()
}

fn letters(word: &str) -> Vec<u8> {
    word.bytes()
        .filter(|b| b.is_ascii_alphanumeric())
        .map(|b| b.to_ascii_lowercase())
        .collect()
}

/// How many letters to insert, delete, replace or swap with the next (Damerau's
/// distance in its restricted form). Beyond the limit they are just far.
fn distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    if a.len().abs_diff(b.len()) > limit || a.len() > 64 {
        return usize::MAX;
    }
    let at = |row: &[usize], i: usize| row.get(i).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = vec![];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut next: Vec<usize> = vec![];
    for (i, x) in a.iter().enumerate() {
        next.clear();
        next.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            let mut least = (at(&row, j) + usize::from(x != y))
                .min(at(&row, j + 1) + 1)
                .min(at(&next, j) + 1);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            next.push(least);
        }
        std::mem::swap(&mut before, &mut row);
        std::mem::swap(&mut row, &mut next);
    }
    at(&row, b.len())
}
