//! The parts of a file of C#, as texts that the templates are filled in with.

use super::statements::{Function, Line};

/// What the templates are filled in with.
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
    /// Whether tasks or conditions mention `?me`.
    pub uses_me: bool,
    /// Whether agents want the cheapest plan.
    pub cheapest: bool,
    /// What the file does not say.
    pub left_out: Vec<String>,
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
    /// The fact, its atoms, and how it is asked.
    pub field: String,
    pub atom: String,
    pub asked: String,
    /// The agent's method; empty: a fact of memory.
    pub sensor: String,
    /// The method's arguments, out of the array `args`.
    pub from_args: String,
    pub value: String,
    /// How the state is asked for its value.
    pub read: String,
    pub params: String,
    pub args: String,
    /// Arguments of the constructor that say the range.
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

/// What the classes of all tasks have.
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

/// Arguments as parameters.
pub fn declared(arguments: &[Argument]) -> String {
    let parts: Vec<_> = arguments
        .iter()
        .map(|a| format!("{} {}", a.of, a.name))
        .collect();
    parts.join(", ")
}

/// Arguments as they are handed on.
pub fn passed(arguments: &[Argument]) -> String {
    let parts: Vec<_> = arguments.iter().map(|a| a.name.as_str()).collect();
    parts.join(", ")
}
