//! A name typed together with its parameters: `stocked(?i: item)`.

use taskloom::document::{Document, Edit, Kind, Name, Param, RecordRef};

/// A name, and its parameters if any were typed. A parameter may lack a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The name.
    pub name: Name,
    /// The variables with their types.
    pub params: Option<Vec<(Name, Option<Name>)>>,
}

impl Signature {
    /// Parses what was typed as a name.
    ///
    /// # Errors
    /// Returns why the text is neither a name nor a name with parameters.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let name = |text: &str| Name::new(text.trim()).map_err(|error| error.to_string());
        let Some((head, rest)) = text.split_once('(') else {
            let (name, params) = (name(text)?, None);
            return Ok(Self { name, params });
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
        })
    }

    /// Returns the edits that give a record this name and these parameters. A variable at the place
    /// of another one takes over its uses. Parameters without a type get this one.
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
        let applied = |edits: &[Edit]| {
            let after = document.apply(&Edit::Batch(edits.to_vec()));
            after.map_err(|refusal| refusal.message)
        };
        let mut after = applied(&edits)?;
        let Some(params) = self.params else {
            return Ok(edits);
        };
        let named = RecordRef::new(record.kind, self.name.clone());
        let before = after.get(&named);
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
                after = applied(&edits)?;
            }
            list.push(Param { name: variable, of });
        }
        let mut data = after.get(&named).ok_or("The record no longer exists.")?;
        let Some(own) = data.params_mut() else {
            let kind = record.kind.label();
            return Err(format!("The {kind} {} has no parameters.", named.name));
        };
        if *own != list {
            *own = list;
            edits.push(Edit::Replace(self.name, data));
        }
        applied(&edits)?;
        Ok(edits)
    }
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
