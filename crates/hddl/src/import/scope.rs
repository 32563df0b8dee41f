//! The variables that a formula may use.

use super::Variable;
use super::names::Namespace;
use taskloom_document::Name;

/// The variables in scope, inner ones last.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    variables: Vec<Variable>,
    names: Namespace,
}

impl Scope {
    /// Creates the scope of a task's parameters.
    pub fn of(params: &[Variable]) -> Self {
        let mut scope = Self::default();
        for param in params {
            scope.push(param.clone());
        }
        scope
    }

    /// Reserves a name, so that no variable gets it.
    pub fn take(&mut self, name: &str) {
        self.names.take(name);
    }

    /// Keeps names for variables that are called so in the file.
    pub fn reserve<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.names.reserve(names);
    }

    /// Brings a variable into scope.
    pub fn push(&mut self, variable: Variable) {
        self.names.take(variable.name.as_str());
        self.variables.push(variable);
    }

    /// Returns a name that no variable in scope has.
    pub fn fresh(&self, preferred: &str) -> Name {
        self.names.free(preferred, "")
    }

    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Returns the innermost variable of a name.
    pub fn get(&self, original: &str) -> Option<&Variable> {
        let mut inner = self.variables.iter().rev();
        inner.find(|variable| *variable.original == *original)
    }
}
