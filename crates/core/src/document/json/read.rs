//! The members of an object, and the variant that a value is.

use super::{Fault, Object, Read, Value};

/// The members of an object as fields of a record.
pub struct Fields<'a> {
    members: &'a Object,
    /// The first of the fields with a default that could not be read. It is told
    /// at the end: a way out at each field would double the code of a record.
    fault: Option<Fault>,
}

impl<'a> Fields<'a> {
    /// The members of `value`, which is `what` and may have the fields `known`,
    /// and `tag` beside them.
    ///
    /// # Errors
    /// Where it is no object, or has other members.
    pub fn of(
        value: &'a Value,
        what: &'static str,
        known: &'static [&'static str],
        tag: &str,
    ) -> Result<Self, Fault> {
        let Value::Object(members) = value else {
            return Err(Fault::instead_of(value, what));
        };
        let is_known = |key: &str| known.contains(&key) || key == tag;
        match members.keys().find(|key| !is_known(key)) {
            Some(key) => Err(Fault::unknown("field", key, known).inside(key)),
            None => Ok(Self {
                members,
                fault: None,
            }),
        }
    }

    /// A field that has to be there.
    ///
    /// # Errors
    /// Where it is not, or not of its form.
    pub fn required<T: Read>(&self, key: &'static str) -> Result<T, Fault> {
        match self.members.get(key) {
            Some(value) => T::read(value).map_err(|fault| fault.inside(key)),
            None => Err(Fault::missing(key)),
        }
    }

    /// A field that may be left out.
    pub fn or_default<T: Read + Default>(&mut self, key: &str) -> T {
        match self.members.get(key).map(T::read) {
            None => T::default(),
            Some(Ok(field)) => field,
            Some(Err(fault)) => {
                self.fault.get_or_insert_with(|| fault.inside(key));
                T::default()
            }
        }
    }

    /// The record, if all its fields could be read.
    ///
    /// # Errors
    /// The first fault of a field.
    pub fn end<T>(self, record: T) -> Result<T, Fault> {
        match self.fault {
            None => Ok(record),
            Some(fault) => Err(fault),
        }
    }
}

/// The variant of an enum that a value is.
pub struct Variant<'a> {
    /// Its position among all variants.
    pub number: usize,
    name: &'a str,
    content: Option<&'a Value>,
    all: &'static [&'static str],
}

impl<'a> Variant<'a> {
    /// Of an enum whose variants are `"name"` or `{ "name": content }`.
    ///
    /// # Errors
    /// Where it is neither, or there is no such variant.
    pub fn of(value: &'a Value, all: &'static [&'static str]) -> Result<Self, Fault> {
        let (name, content) = match value {
            Value::Text(name) => (name, None),
            Value::Object(members) => {
                let mut members = members.iter();
                match (members.next(), members.next()) {
                    (Some((name, content)), None) => (name, Some(content)),
                    _ => return Err(Fault::instead_of(value, "map with a single key")),
                }
            }
            value => return Err(Fault::instead_of(value, "string or map")),
        };
        Self::named(name, content, all)
    }

    /// Of an enum whose variants are objects with their names as `tag`.
    ///
    /// # Errors
    /// Where it is no such object, or there is no such variant.
    pub fn tagged(
        value: &'a Value,
        what: &str,
        tag: &'static str,
        all: &'static [&'static str],
    ) -> Result<Self, Fault> {
        let Value::Object(members) = value else {
            return Err(Fault::instead_of(value, what));
        };
        let name = members.get(tag).ok_or_else(|| Fault::missing(tag))?;
        super::text(name)
            .and_then(|name| Self::named(name, None, all))
            .map_err(|fault| fault.inside(tag))
    }

    fn named(
        name: &'a str,
        content: Option<&'a Value>,
        all: &'static [&'static str],
    ) -> Result<Self, Fault> {
        let variant = Self {
            number: all.iter().position(|n| *n == name).unwrap_or(all.len()),
            name,
            content,
            all,
        };
        match variant.number < all.len() {
            true => Ok(variant),
            false => Err(variant.unknown()),
        }
    }

    /// That there is no such variant.
    pub fn unknown(&self) -> Fault {
        Fault::unknown("variant", self.name, self.all)
    }

    /// The record that a variant without content is.
    ///
    /// # Errors
    /// Where it has content.
    pub fn nothing<T>(&self, record: T) -> Result<T, Fault> {
        match self.content {
            None | Some(Value::Null) => Ok(record),
            Some(content) => Err(Fault::instead_of(content, "unit").inside(self.name)),
        }
    }

    /// Reads the one value that a variant has.
    ///
    /// # Errors
    /// Where it has none, or one of another form.
    pub fn one<T: Read>(&self) -> Result<T, Fault> {
        let content = self.content("newtype variant")?;
        T::read(content).map_err(|fault| fault.inside(self.name))
    }

    /// Reads the fields that a variant has.
    ///
    /// # Errors
    /// Where it has none, or fields of another form.
    pub fn fields<T>(
        &self,
        what: &'static str,
        known: &'static [&'static str],
        read: impl FnOnce(&mut Fields<'a>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let content = self.content("struct variant")?;
        let record = Fields::of(content, what, known, "").and_then(|mut fields| {
            let record = read(&mut fields)?;
            fields.end(record)
        });
        record.map_err(|fault| fault.inside(self.name))
    }

    fn content(&self, wanted: &str) -> Result<&'a Value, Fault> {
        let missing = || Fault::new(format!("invalid type: unit variant, expected {wanted}"));
        self.content.ok_or_else(missing)
    }
}
