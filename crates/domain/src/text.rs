//! The texts of a document, each parsed and typed in its scope.

use std::sync::{Arc, OnceLock};

use crate::lang::typed::{Formula, print_formula};
use crate::lang::{Me, Mistake, Near, Scope, Typed};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Kind, Name, Param, RecordRef, TypesOfMe};

/// A parsed and typed text.
#[derive(Debug, Clone)]
pub struct TypedText<T> {
    /// The text as typed by the designer.
    pub text: String,
    /// Its meaning; `None` if it is invalid.
    pub value: Option<T>,
    /// Its mistakes.
    pub mistakes: Vec<Mistake>,
}

impl<T> TypedText<T> {
    fn new(text: &str, typed: Typed<T>) -> Self {
        Self {
            text: text.to_owned(),
            value: typed.value,
            mistakes: typed.mistakes,
        }
    }

    /// Returns `true` if nothing was typed.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

impl TypedText<Formula> {
    /// Creates the text of a formula that holds without having been typed.
    pub(crate) fn implied(formula: Formula) -> Self {
        Self {
            text: print_formula(&formula),
            value: Some(formula),
            mistakes: vec![],
        }
    }
}

/// Returns the values of the valid texts.
pub fn values<'t, T: 't>(
    texts: impl IntoIterator<Item = &'t TypedText<T>>,
) -> impl Iterator<Item = &'t T> {
    texts.into_iter().filter_map(|text| text.value.as_ref())
}

/// The texts of a list, each read on first use: planning problems have very long lists.
#[derive(Debug)]
pub(crate) struct LazyTexts<T>(Vec<OnceLock<Box<TypedText<T>>>>);

impl<T> LazyTexts<T> {
    /// Creates a list of this length.
    pub fn new(length: usize) -> Self {
        Self((0..length).map(|_| OnceLock::new()).collect())
    }

    /// Returns the n-th text, reading it if necessary.
    pub fn get(&self, number: usize, read: impl FnOnce() -> TypedText<T>) -> Option<&TypedText<T>> {
        let text = self.0.get(number)?;
        Some(text.get_or_init(|| Box::new(read())))
    }
}

/// A function that parses and types a text.
pub type Read<T> = fn(&str, &Scope) -> Typed<T>;

/// Reads the texts of a document. Its results are meaningless once its stop was triggered.
#[derive(Debug)]
pub struct TextReader {
    document: Arc<Document>,
    /// The meaning of `?me`, if texts are read for one character only.
    me: Option<Me>,
    /// The type of `?me` in each record, if any character may act.
    types_of_me: OnceLock<TypesOfMe>,
    /// The index of similar names.
    near: Near,
    stop: Stop,
}

impl TextReader {
    /// Creates a reader for any character, or for one only: `?me` is its object.
    pub(crate) fn new(document: Arc<Document>, me: Option<Me>, stop: Stop) -> Self {
        Self {
            document,
            me,
            types_of_me: OnceLock::new(),
            near: Near::default(),
            stop,
        }
    }

    /// Returns the document.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Returns the stop that ends all reading.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns the index of similar names, for texts outside any scenario.
    pub(crate) fn near(&self) -> &Near {
        &self.near
    }

    /// Returns the meaning of `?me`, if texts are read for one character only.
    pub(crate) fn me(&self) -> &Option<Me> {
        &self.me
    }

    /// Returns the type of `?me` in each record, if any character may act.
    pub(crate) fn types_of_me(&self) -> &TypesOfMe {
        let types = || TypesOfMe::new(&self.document);
        self.types_of_me.get_or_init(types)
    }

    /// Returns the meaning of `?me` in the texts of a record.
    pub(crate) fn me_in(&self, kind: Kind, name: &Name) -> Option<Me> {
        self.me.clone().or_else(|| {
            let record = RecordRef::new(kind, name.clone());
            self.types_of_me().of(&record).cloned().map(Me::any)
        })
    }

    /// Returns the scope outside any scenario, with these variables.
    pub fn scope(&self, variables: Vec<Param>) -> Scope<'_> {
        let scope = Scope::of_domain(&self.document, variables).with(&self.near);
        match &self.me {
            Some(me) => Scope {
                me: Some(me.clone()),
                ..scope
            },
            None => scope,
        }
    }

    /// Returns the scope with this meaning of `?me` and these variables.
    pub(crate) fn scope_with(&self, me: &Option<Me>, variables: Vec<Param>) -> Scope<'_> {
        Scope {
            me: me.clone(),
            ..self.scope(variables)
        }
    }

    /// Reads a text in a scope of this document.
    pub fn read<T>(&self, text: &str, scope: &Scope, read: Read<T>) -> TypedText<T> {
        let nothing = Typed {
            value: None,
            mistakes: vec![],
        };
        let typed = if self.stop.after(text.len()) {
            nothing
        } else {
            read(text, scope)
        };
        TypedText::new(text, typed)
    }

    /// Reads texts in a scope of this document.
    pub(crate) fn read_all<T>(
        &self,
        texts: &[String],
        scope: &Scope,
        read: Read<T>,
    ) -> Vec<TypedText<T>> {
        let texts = texts.iter();
        texts.map(|text| self.read(text, scope, read)).collect()
    }

    /// Reads an optional text in a scope of this document; `None` if nothing was typed.
    pub(crate) fn read_optional<T>(
        &self,
        text: &str,
        scope: &Scope,
        read: Read<T>,
    ) -> Option<TypedText<T>> {
        let is_blank = text.trim().is_empty();
        (!is_blank).then(|| self.read(text, scope, read))
    }
}
