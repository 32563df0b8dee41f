//! Ground facts, tasks and their values as texts, and back.

use std::fmt;
use std::str::FromStr;

use taskloom_document::Name;
use taskloom_document::sort::map_of;
use taskloom_domain::ground::{Atom, Change, GroundTask, Value};

use super::entry::{FactChange, FactValue, FactValues};

/// Returns the text of anything that displays.
pub fn text(value: &impl fmt::Display) -> String {
    value.to_string()
}

/// Returns the texts of a list.
pub fn texts<'v, T: fmt::Display + 'v>(values: impl IntoIterator<Item = &'v T>) -> Vec<String> {
    values.into_iter().map(text).collect()
}

/// Reads a text.
///
/// # Errors
/// Returns the reason if it is invalid.
pub fn parse<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads a list of texts.
///
/// # Errors
/// Returns the reason if one is invalid.
pub fn parse_all<T: FromStr<Err: fmt::Display>>(texts: &[String]) -> Result<Vec<T>, String> {
    texts.iter().map(|text| parse(text)).collect()
}

/// Reads a name with objects, such as `walk(yard)`.
///
/// # Errors
/// Returns the reason if it is invalid.
pub fn call(text: &str) -> Result<(Name, Vec<Name>), String> {
    let Some((name, args)) = text.split_once('(') else {
        return Ok((parse(text)?, vec![]));
    };
    let args = args.strip_suffix(')');
    let args = args.ok_or_else(|| format!("'{text}' has no closing parenthesis"))?;
    let args = args.split(',').map(|arg| parse(arg.trim()));
    Ok((parse(name)?, args.collect::<Result<_, _>>()?))
}

/// Reads a ground fact.
///
/// # Errors
/// Returns the reason if it is invalid.
pub fn atom(text: &str) -> Result<Atom, String> {
    let (fact, args) = call(text)?;
    Ok(Atom { fact, args })
}

/// Reads a ground task.
///
/// # Errors
/// Returns the reason if it is invalid.
pub fn task(text: &str) -> Result<GroundTask, String> {
    let (task, args) = call(text)?;
    Ok(GroundTask { task, args })
}

impl From<&Value> for FactValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(value) => Self::Number(*value),
            Value::Object(value) => Self::Object(value.as_ref().map(text)),
        }
    }
}

impl FactValue {
    /// Returns the value.
    ///
    /// # Errors
    /// Returns the reason if it isn't the name of an object.
    pub fn read(&self) -> Result<Value, String> {
        Ok(match self {
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(value) => Value::Number(*value),
            Self::Object(None) => Value::Object(None),
            Self::Object(Some(name)) => Value::Object(Some(parse(name)?)),
        })
    }
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Object(Some(value)) => f.write_str(value),
            Self::Object(None) => f.write_str("none"),
        }
    }
}

impl fmt::Display for FactChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} -> {}", self.fact, self.before, self.after)
    }
}

impl From<&Change> for FactChange {
    fn from(change: &Change) -> Self {
        Self {
            fact: text(&change.atom),
            before: (&change.before).into(),
            after: (&change.after).into(),
        }
    }
}

/// Returns changes as they are logged.
pub fn changes(changes: &[Change]) -> Vec<FactChange> {
    changes.iter().map(FactChange::from).collect()
}

/// Reads changes.
///
/// # Errors
/// Returns the reason if one is invalid.
pub fn read_changes(changes: &[FactChange]) -> Result<Vec<Change>, String> {
    let read = |change: &FactChange| {
        Ok(Change {
            atom: atom(&change.fact)?,
            before: change.before.read()?,
            after: change.after.read()?,
        })
    };
    changes.iter().map(read).collect()
}

/// Returns values as they are logged.
pub fn values<'v>(values: impl IntoIterator<Item = (&'v Atom, &'v Value)>) -> FactValues {
    let values = values.into_iter();
    map_of(values.map(|(atom, value)| (text(atom), value.into())))
}
