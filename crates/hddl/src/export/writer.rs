//! The files being written, and the names in them.

use super::errors::export_error;
use super::form::Form;
use super::formula::Lowering;
use super::names::Names;
use super::unify::Kinds;
use crate::syntax::ast::{Ident, Signature, Typed};
use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::{Field, Kind, Name, Param, RecordRef};

pub struct Writer<'m> {
    pub lowering: &'m Lowering<'m>,
    pub form: Form,
    /// `true` if steps have costs.
    pub costs: bool,
    /// The names of unnamed items: methods and cases of actions.
    pub more: &'m mut Names,
    pub kinds: Kinds,
    pub warnings: Vec<String>,
    pub errors: Vec<Diagnostic>,
}

impl Writer<'_> {
    pub fn error(&mut self, record: RecordRef, field: Field, message: String) {
        self.errors.push(export_error(record, field, message));
    }

    pub fn name(&self, kind: Kind, name: &Name) -> Ident {
        self.lowering.names.of(kind, name)
    }

    pub fn of(&self, of: &Name) -> Ident {
        if *of == "object" {
            "object".into()
        } else {
            self.name(Kind::Type, of)
        }
    }

    pub fn typed(&self, param: &Param) -> Typed {
        Typed {
            name: param.name.as_str().into(),
            of: vec![self.of(&param.of)],
        }
    }

    pub fn signature(&self, kind: Kind, name: &Name, params: &[Param]) -> Signature {
        Signature {
            name: self.name(kind, name),
            params: params.iter().map(|p| self.typed(p)).collect(),
        }
    }
}
