//! The parts of a C# file, as texts for the templates.

use super::statements::{Function, Line};

/// The values for the templates.
#[derive(Debug)]
pub struct Domain {
    pub title: String,
    pub note: Vec<String>,
    pub namespace: String,
    pub agent: String,
    pub types: Vec<Class>,
    pub objects: Vec<Object>,
    pub facts: Vec<Fact>,
    pub conditions: Vec<Condition>,
    pub sensors: Vec<Fact>,
    pub actions: Vec<Method>,
    pub primitives: Vec<PrimitiveTask>,
    pub compounds: Vec<CompoundTask>,
    pub goals: Vec<Goal>,
    /// See [`Names::home`].
    pub home: String,
    /// `true` if tasks or conditions mention `?me`.
    pub uses_me: bool,
    /// `true` if the agents use the policy 'cheapest'.
    pub cheapest: bool,
    /// The limitations: parts of the document that aren't exported.
    pub limitations: Vec<String>,
}

#[derive(Debug)]
pub struct Class {
    pub doc: Vec<String>,
    pub class: String,
    pub base: String,
}

#[derive(Debug)]
pub struct Object {
    pub doc: Vec<String>,
    pub field: String,
    pub class: String,
    pub text: String,
}

#[derive(Debug, Clone)]
pub struct Fact {
    pub doc: Vec<String>,
    pub text: String,
    /// The name of the fact's field; then those of the method for its atoms and of the query.
    pub field: String,
    pub atom: String,
    pub asked: String,
    /// The agent's method; empty for a fact of memory.
    pub sensor: String,
    /// The method's arguments, taken from the array `args`.
    pub from_args: String,
    pub value: String,
    /// The method of the state that reads its value.
    pub read: String,
    pub params: String,
    pub args: String,
    /// Constructor arguments for the range.
    pub range: String,
}

#[derive(Debug)]
pub struct Condition {
    pub doc: Vec<String>,
    pub asked: String,
    pub params: String,
    pub formula: String,
}

#[derive(Debug)]
pub struct Goal {
    pub doc: Vec<String>,
    pub method: String,
    pub formula: String,
}

#[derive(Debug)]
pub struct Method {
    pub doc: Vec<String>,
    pub method: String,
    pub params: String,
}

/// A C# parameter that becomes a field.
#[derive(Debug)]
pub struct Argument {
    pub of: String,
    pub name: String,
}

/// The common part of all task classes.
#[derive(Debug)]
pub struct Task {
    pub doc: Vec<String>,
    pub class: String,
    pub text: String,
    pub params: Vec<Argument>,
    pub preconditions: Option<String>,
    pub integrity: Option<String>,
}

#[derive(Debug)]
pub struct PrimitiveTask {
    pub task: Task,
    pub completion: Option<String>,
    pub cost: Option<String>,
    pub predict: Vec<Line>,
    pub execute: Vec<Line>,
    pub run: Option<String>,
}

#[derive(Debug)]
pub struct CompoundTask {
    pub task: Task,
    pub functions: Vec<Function>,
}

/// Returns arguments as a parameter list.
pub fn declared(arguments: &[Argument]) -> String {
    let parts: Vec<_> = arguments
        .iter()
        .map(|a| format!("{} {}", a.of, a.name))
        .collect();
    parts.join(", ")
}

/// Returns arguments as they are passed on.
pub fn passed(arguments: &[Argument]) -> String {
    let parts: Vec<_> = arguments.iter().map(|a| a.name.as_str()).collect();
    parts.join(", ")
}
