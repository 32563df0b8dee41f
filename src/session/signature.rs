//! A name typed together with its parameters and its type: `stocked(?i: item)`, `bread: item`.

use std::sync::Arc;

use taskloom_document::{Document, Edit, Kind, Name, Param, Record, RecordRef, ValueKind};

/// The values of a fact that are typed as `number`.
const INTEGER: ValueKind = ValueKind::Number {
    integer: true,
    min: None,
    max: None,
};

/// A name, and its parameters and its type if any were typed. A parameter may lack a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The name.
    pub name: Name,
    /// The variables with their types.
    pub params: Option<Vec<(Name, Option<Name>)>>,
    /// The type of an object or of an agent's object, the parent of a type, or the values of a fact.
    pub of: Option<Name>,
}

impl Signature {
    /// Parses what was typed as a name.
    ///
    /// # Errors
    /// Returns why the text is not a name, with or without parameters and a type.
    pub fn parse(text: &str) -> Result<Self, String> {
        let name = |text: &str| Name::new(text.trim()).map_err(|error| error.to_string());
        // The type follows the parameters, which have types as well.
        let colon = text.rfind(':').filter(|at| !text[*at..].contains(')'));
        let colon = colon.filter(|at| text[..*at].contains(')') || !text[..*at].contains('('));
        let (text, of) = match colon {
            Some(at) => (text[..at].trim(), Some(name(&text[at + 1..])?)),
            None => (text.trim(), None),
        };
        let Some((head, rest)) = text.split_once('(') else {
            let (name, params) = (name(text)?, None);
            return Ok(Self { name, params, of });
        };
        let inside = rest.trim_end().strip_suffix(')').unwrap_or(rest);
        let parts = inside.split(',').map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        let param = |part: &str| {
            let (variable, of) = match part.split_once([':', ' ']) {
                Some((variable, of)) => (variable, of.trim_start_matches([':', '-', ' '])),
                None => (part, ""),
            };
            let of = (!of.trim().is_empty()).then(|| name(of)).transpose()?;
            Ok((name(variable.trim_start_matches('?'))?, of))
        };
        let params: Result<Vec<_>, String> = parts.map(param).collect();
        Ok(Self {
            name: name(head)?,
            params: Some(params?),
            of,
        })
    }

    /// Returns the edits that give a record this name, these parameters and this type. A variable at
    /// the place of another one takes over its uses. Parameters without a type get this one.
    ///
    /// # Errors
    /// Returns why the record can't have them.
    pub fn edits(
        self,
        document: &Document,
        record: &RecordRef,
        of: &Name,
    ) -> Result<Vec<Edit>, String> {
        let mut edits = vec![];
        if !self.name.same_spelling(&record.name) {
            edits.push(Edit::Rename(record.clone(), self.name.clone()));
        }
        let named = RecordRef::new(record.kind, self.name.clone());
        if let Some(params) = self.params {
            edits = with_params(document, edits, (&named, params), of)?;
        }
        if let Some(of) = self.of {
            let after = applied(document, &edits)?;
            let mut data = after.get(&named).ok_or("The record no longer exists.")?;
            let before = data.clone();
            set_type(document, &named, &mut data, of)?;
            if data != before {
                edits.push(Edit::Replace(self.name, data));
            }
        }
        applied(document, &edits)?;
        Ok(edits)
    }
}

/// Returns the document after edits, or why one of them is refused.
fn applied(document: &Document, edits: &[Edit]) -> Result<Document, String> {
    let after = document.apply(&Edit::Batch(edits.to_vec()));
    after.map_err(|refusal| refusal.message)
}

/// Adds to some edits those that then give a record these parameters.
fn with_params(
    document: &Document,
    mut edits: Vec<Edit>,
    (named, params): (&RecordRef, Vec<(Name, Option<Name>)>),
    of: &Name,
) -> Result<Vec<Edit>, String> {
    let mut after = applied(document, &edits)?;
    let before = after.get(named);
    let before = before.map(|record| record.view().params().to_vec());
    let before = before.unwrap_or_default();
    let mut list: Vec<Param> = vec![];
    for (at, (variable, typed)) in params.into_iter().enumerate() {
        if list.iter().any(|param| param.name == variable) {
            return Err(format!("There are two parameters ?{variable}."));
        }
        let of = match typed {
            Some(typed) => known_type(document, typed)?,
            None => before.get(at).map_or(of, |param| &param.of).clone(),
        };
        if let Some(old) = before.get(at).filter(|old| old.name != variable) {
            let name = old.name.clone();
            edits.push(Edit::RenameVariable(named.clone(), name, variable.clone()));
            after = applied(document, &edits)?;
        }
        list.push(Param { name: variable, of });
    }
    let mut data = after.get(named).ok_or("The record no longer exists.")?;
    let Some(own) = data.params_mut() else {
        let kind = named.kind.label();
        return Err(format!("The {kind} {} has no parameters.", named.name));
    };
    if *own != list {
        *own = list;
        edits.push(Edit::Replace(named.name.clone(), data));
    }
    Ok(edits)
}

/// Sets what follows the colon: the type of an object or of an agent's object, a type's parent, or
/// the values of a fact.
fn set_type(
    document: &Document,
    named: &RecordRef,
    data: &mut Record,
    of: Name,
) -> Result<(), String> {
    match data {
        Record::Object(object) => Arc::make_mut(object).of = known_type(document, of)?,
        Record::Agent(agent) => Arc::make_mut(agent).of = known_type(document, of)?,
        Record::Type(own) => Arc::make_mut(own).parent = known_type(document, of)?,
        Record::Fact(fact) => {
            let value = match (known_type(document, of.clone()), of.as_str()) {
                (Ok(of), _) => ValueKind::Object(of),
                (Err(_), "boolean") => ValueKind::Boolean,
                (Err(_), "number") => INTEGER,
                (Err(reason), _) => return Err(reason),
            };
            Arc::make_mut(fact).value = value;
        }
        _ => {
            let kind = named.kind.label();
            let name = &named.name;
            return Err(format!("The {kind} {name} has no type. Remove ': {of}'."));
        }
    }
    Ok(())
}

/// Returns the type with its own spelling.
fn known_type(document: &Document, name: Name) -> Result<Name, String> {
    if name == Name::root() {
        return Ok(Name::root());
    }
    let known = document.spelled(&RecordRef::new(Kind::Type, name.clone()));
    let missing = || format!("There is no type '{name}'. Add it first.");
    known.map(|record| record.name).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Document {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        Document::from_json(text).unwrap()
    }

    /// Returns the fact `box_open`, or its successor, after it was renamed to this text.
    fn renamed(text: &str) -> Result<String, String> {
        let document = example();
        let fact = RecordRef::new(Kind::Fact, "box_open".parse().unwrap());
        let signature = Signature::parse(text)?;
        let name = signature.name.clone();
        let edits = signature.edits(&document, &fact, &Name::root())?;
        let after = document.apply(&Edit::Batch(edits)).unwrap();
        let record = after
            .get(&RecordRef::new(Kind::Fact, name.clone()))
            .unwrap();
        let params = record.view().params().iter().map(ToString::to_string);
        Ok(format!("{name} {}", Vec::from_iter(params).join(", ")))
    }

    #[test]
    fn names_may_bring_parameters() {
        assert_eq!(renamed("ajar").unwrap(), "ajar ");
        assert_eq!(renamed(" ajar() ").unwrap(), "ajar ");
        assert_eq!(renamed("ajar(?p: place)").unwrap(), "ajar ?p: place");
        assert_eq!(
            renamed("ajar(?p - Place, item: item, ?x").unwrap(),
            "ajar ?p: place, ?item: item, ?x: object"
        );
        assert_eq!(
            renamed("box_open(?p: place)").unwrap(),
            "box_open ?p: place"
        );
    }

    /// Returns the file's text of a record after it was renamed to a text.
    fn typed(kind: Kind, old: &str, text: &str) -> Result<Record, String> {
        let document = example();
        let record = RecordRef::new(kind, old.parse().unwrap());
        let signature = Signature::parse(text)?;
        let named = RecordRef::new(kind, signature.name.clone());
        let edits = signature.edits(&document, &record, &Name::root())?;
        let after = document.apply(&Edit::Batch(edits)).unwrap();
        Ok(after.get(&named).unwrap())
    }

    #[test]
    fn names_may_bring_a_type() {
        let object = |text| match typed(Kind::Object, "box", text) {
            Ok(Record::Object(object)) => object.of.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(object("crate: Item"), "item");
        assert_eq!(object("box:object"), "object");
        assert!(object("crate: ghost").contains("There is no type 'ghost'"));
        assert!(object("crate:").contains("Err"));
        let fact = |text| match typed(Kind::Fact, "box_open", text) {
            Ok(Record::Fact(fact)) => (fact.params.len(), fact.value.clone()),
            other => panic!("{other:?}"),
        };
        assert_eq!(fact("hunger: number"), (0, INTEGER));
        let of: Name = "place".parse().unwrap();
        assert_eq!(
            fact("place_of(?i: item): place"),
            (1, ValueKind::Object(of))
        );
        assert_eq!(fact("ajar(?i: item)"), (1, ValueKind::Boolean));
        let agent = match typed(Kind::Agent, "robot", "helper: item") {
            Ok(Record::Agent(agent)) => agent.of.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(agent, "item");
        let refused = typed(Kind::PrimitiveTask, "smash-box", "smash: item").unwrap_err();
        assert_eq!(
            refused,
            "The primitive task smash has no type. Remove ': item'."
        );
    }

    #[test]
    fn impossible_parameters_are_refused_with_a_reason() {
        let refusal = |text| renamed(text).unwrap_err();
        assert_eq!(
            refusal("ajar(?p: ghost)"),
            "There is no type 'ghost'. Add it first."
        );
        assert_eq!(refusal("ajar(?p, ?p)"), "There are two parameters ?p.");
        assert!(refusal("ajar(3)").contains("is not a name"));
        let document = example();
        let object = RecordRef::new(Kind::Object, "box".parse().unwrap());
        let signature = Signature::parse("crate(?x)").unwrap();
        let refused = signature.edits(&document, &object, &Name::root());
        assert_eq!(refused.unwrap_err(), "The object crate has no parameters.");
    }
}
