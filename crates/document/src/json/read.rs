//! The members of an object, and the variant that a value is.

use super::{Fault, Faults, Object, Read, Value};

/// The members of an object as fields of a record.
pub struct Fields<'a> {
    members: &'a Object,
    /// What is wrong with the fields so far.
    found: Vec<Fault>,
}

impl<'a> Fields<'a> {
    /// The members of `value`, which is `what` and may have the fields `known`,
    /// and `tag` beside them.
    ///
    /// # Errors
    /// Where it is no object.
    pub fn of(
        value: &'a Value,
        what: &'static str,
        known: &'static [&'static str],
        tag: &str,
    ) -> Result<Self, Faults> {
        let Value::Object(members) = value else {
            return Err(Faults::instead_of(value, what));
        };
        let others = members
            .keys()
            .filter(|key| !known.contains(&&***key) && *key != tag);
        let unknown = |key: &String| Faults::unknown("field", key, known).of_key(key);
        Ok(Self {
            members,
            found: others.flat_map(unknown).collect(),
        })
    }

    /// A field that has to be there; none where it is not, or not of its form.
    pub fn required<T: Read>(&mut self, key: &'static str) -> Option<T> {
        let read = match self.members.get(key) {
            Some(value) => T::read(value).map_err(|faults| faults.at(key)),
            None => Err(Faults::missing(key)),
        };
        read.map_err(|faults| self.found.extend(faults)).ok()
    }

    /// A field that may be left out.
    pub fn or_default<T: Read + Default>(&mut self, key: &'static str) -> Option<T> {
        match self.members.get(key) {
            Some(_) => self.required(key),
            None => Some(T::default()),
        }
    }

    /// The record, if all its fields could be read.
    ///
    /// # Errors
    /// Everything that is wrong with the fields.
    pub fn end<T>(self, record: Option<T>) -> Result<T, Faults> {
        Faults::none_in(record, self.found)
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
    pub fn of(value: &'a Value, all: &'static [&'static str]) -> Result<Self, Faults> {
        let (name, content) = match value {
            Value::Text(name) => (name, None),
            Value::Object(members) => {
                let mut members = members.iter();
                match (members.next(), members.next()) {
                    (Some((name, content)), None) => (name, Some(content)),
                    _ => return Err(Faults::instead_of(value, "map with a single key")),
                }
            }
            value => return Err(Faults::instead_of(value, "string or map")),
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
    ) -> Result<Self, Faults> {
        let Value::Object(members) = value else {
            return Err(Faults::instead_of(value, what));
        };
        let name = members.get(tag).ok_or_else(|| Faults::missing(tag))?;
        super::text(name)
            .and_then(|name| Self::named(name, None, all))
            .map_err(|faults| faults.at(tag))
    }

    fn named(
        name: &'a str,
        content: Option<&'a Value>,
        all: &'static [&'static str],
    ) -> Result<Self, Faults> {
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
    pub fn unknown(&self) -> Faults {
        Faults::unknown("variant", self.name, self.all)
    }

    /// The record that a variant without content is.
    ///
    /// # Errors
    /// Where it has content.
    pub fn nothing<T>(&self, record: T) -> Result<T, Faults> {
        match self.content {
            None | Some(Value::Null) => Ok(record),
            Some(content) => Err(Faults::instead_of(content, "unit").at(self.name)),
        }
    }

    /// Reads the one value that a variant has.
    ///
    /// # Errors
    /// Where it has none, or one of another form.
    pub fn one<T: Read>(&self) -> Result<T, Faults> {
        let content = self.content("newtype variant")?;
        T::read(content).map_err(|faults| faults.at(self.name))
    }

    /// Reads the fields that a variant has.
    ///
    /// # Errors
    /// Where it has none, or fields of another form.
    pub fn fields<T>(
        &self,
        what: &'static str,
        known: &'static [&'static str],
        read: impl FnOnce(&mut Fields<'a>) -> Option<T>,
    ) -> Result<T, Faults> {
        let content = self.content("struct variant")?;
        let record = Fields::of(content, what, known, "").and_then(|mut fields| {
            let record = read(&mut fields);
            fields.end(record)
        });
        record.map_err(|faults| faults.at(self.name))
    }

    fn content(&self, wanted: &str) -> Result<&'a Value, Faults> {
        let missing = || Faults::new(format!("invalid type: unit variant, expected {wanted}"));
        self.content.ok_or_else(missing)
    }
}
