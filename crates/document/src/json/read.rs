//! Reads records from JSON values, with serde's traits, and reports all errors in a record.
//!
//! Serde's derived code stops at the first error. So a record is read repeatedly until no new
//! errors occur: each pass skips the parts that have been reported. Type errors are reported here,
//! where the expected type is known, not in serde's words.

use std::collections::HashSet;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use super::super::block;
use super::fault::{Error, Part, Reason};
use super::{Fault, Step, found};

/// The maximum number of faults reported per record.
const MAX_FAULTS: usize = 200;

/// The maximum number of values read for one record in all passes. Each fault costs another pass
/// over the record, so fewer faults are reported for a record of many values.
const MAX_VALUES_READ: usize = 1_000_000;

/// The number of faults that are reported even for the largest record.
const MIN_FAULTS: usize = 5;

/// A valid name and id, used to read the value of a key that is neither.
const STAND_IN: &str = "standin0standin0";

/// Reads a value as a record, or a part of one.
///
/// # Errors
/// Returns up to 200 faults; fewer if the value contains more than 5,000 values.
pub fn read<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, Vec<Fault>> {
    let max_faults = (MAX_VALUES_READ / values_in(value)).clamp(MIN_FAULTS, MAX_FAULTS);
    let (mut reported, mut faults) = (HashSet::new(), vec![]);
    loop {
        let node = Node {
            value,
            reported: &reported,
        };
        let error = match T::deserialize(node) {
            Ok(record) if faults.is_empty() => return Ok(record),
            Ok(_) => return Err(faults),
            Err(error) => error,
        };
        faults.extend(error.fault());
        match error.skippable {
            Some(part) if faults.len() < max_faults => reported.insert(part),
            _ => return Err(faults),
        };
    }
}

/// Returns the number of values in a value, itself included.
fn values_in(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(values_in).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(values_in).sum::<usize>(),
        _ => 1,
    }
}

type Reported = HashSet<Part>;

/// A value that is being read.
#[derive(Clone, Copy)]
struct Node<'de, 't> {
    value: &'de Value,
    reported: &'t Reported,
}

impl<'de> Node<'de, '_> {
    fn expected<T>(&self, what: &str) -> Result<T, Error> {
        Err(Error::instead_of(self.value, what))
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => self.expected("a string in quotes"),
        }
    }

    /// Reads a whole number in a range.
    fn whole(&self, least: f64, most: f64, expected: &str) -> Result<f64, Error> {
        match self.value.as_f64() {
            Some(number) if number.fract() == 0.0 && (least..=most).contains(&number) => Ok(number),
            Some(number) if number.fract() == 0.0 => {
                let found = found(self.value);
                let reason = format!("invalid value: {found}, expected {expected}");
                Err(Error::new(Reason::Message(reason)))
            }
            _ => self.expected(expected),
        }
    }

    /// Reads the members of an object, except its tag, as the fields of a record.
    fn fields<V: Visitor<'de>>(self, tag: &str, visitor: V) -> Result<V::Value, Error> {
        let Value::Object(object) = self.value else {
            return self.expected("an object, { ... }");
        };
        let members = Members::of(object, tag, self.reported);
        visitor.visit_map(members).map_err(|error| match error {
            Error {
                reason: Reason::Missing(field),
                path,
                ..
            } if path.is_empty() && object.contains_key(field) => Error::new(Reason::Known),
            error => error,
        })
    }
}

impl<'de> Deserializer<'de> for Node<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => self.deserialize_f64(visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => self.expected("true or false"),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.as_f64() {
            Some(number) => visitor.visit_f64(number),
            None => self.expected("a number"),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (least, most) = (f64::from(u32::MIN), f64::from(u32::MAX));
        let number = self.whole(least, most, "a whole number from 0")?;
        visitor.visit_u32(number as u32)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (least, most) = (f64::from(i32::MIN), f64::from(i32::MAX));
        let number = self.whole(least, most, "a whole number")?;
        visitor.visit_i32(number as i32)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Array(items) => visitor.visit_seq(Items {
                items: items.iter().enumerate(),
                reported: self.reported,
            }),
            _ => self.expected("a list, [ ... ]"),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Object(object) => visitor.visit_map(Members {
                is_by_name: true,
                ..Members::of(object, "", self.reported)
            }),
            _ => self.expected("an object with names as keys"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.fields("", visitor)
    }

    /// Reads an enum: a variant is `"name"` or `{ "name": content }`; that of a block is given by
    /// its tag.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = |name, content, tag| Choice {
            node: self,
            name,
            content,
            tag,
        };
        match self.value {
            Value::Object(object) if name == block::TAGGED => match object.get(block::TAG) {
                Some(Value::String(name)) => {
                    visitor.visit_enum(variant(name, Some(self.value), Some(block::TAG)))
                }
                Some(other) => Err(Error::instead_of(other, "a string in quotes")
                    .inside(Step::Key(block::TAG.to_owned()))),
                None => Err(de::Error::missing_field(block::TAG)),
            },
            _ if name == block::TAGGED => self.expected("an object, { ... }"),
            Value::String(name) => visitor.visit_enum(variant(name, None, None)),
            Value::Object(object) => {
                let mut members = object.iter();
                match (members.next(), members.next()) {
                    (Some((name, content)), None) => {
                        visitor.visit_enum(variant(name, Some(content), None))
                    }
                    _ => self.expected(&format!("a single key, one of {}", variants.join(", "))),
                }
            }
            _ => self.expected("a string in quotes or an object, { ... }"),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i64 u8 u16 u64 f32 char bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct identifier ignored_any
    }
}

/// The items of a list.
struct Items<'de, 't> {
    items: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
    reported: &'t Reported,
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let reported = self.reported;
        let items = &mut self.items;
        let Some((position, value)) =
            items.find(|(_, item)| !reported.contains(&Part::Value(*item)))
        else {
            return Ok(None);
        };
        let item = seed.deserialize(Node { value, reported });
        item.map(Some)
            .map_err(|error| error.of_part(Step::Item(position), Part::Value(value)))
    }
}

/// The members of an object.
struct Members<'de, 't> {
    members: serde_json::map::Iter<'de>,
    value: Option<(&'de str, &'de Value)>,
    reported: &'t Reported,
    /// The key that is not a field.
    tag: &'t str,
    /// If `true`, the keys are names, not the fields of a record.
    is_by_name: bool,
}

impl<'de, 't> Members<'de, 't> {
    fn of(object: &'de Map<String, Value>, tag: &'t str, reported: &'t Reported) -> Self {
        Self {
            members: object.iter(),
            value: None,
            reported,
            tag,
            is_by_name: false,
        }
    }
}

impl<'de> MapAccess<'de> for Members<'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let (reported, tag) = (self.reported, self.tag);
        let is_read = |key: &str, value| {
            (tag.is_empty() || key != tag) && !reported.contains(&Part::Value(value))
        };
        let Some((key, value)) = self.members.find(|(key, value)| is_read(key, *value)) else {
            return Ok(None);
        };
        self.value = Some((key, value));
        let has_stand_in = reported.contains(&Part::KeyOf(value));
        let shown = if has_stand_in { STAND_IN } else { key.as_str() };
        let read = seed.deserialize(BorrowedStrDeserializer::new(shown));
        read.map(Some).map_err(|error: Error| {
            let step = Step::Key(key.clone());
            if has_stand_in {
                return Error::new(Reason::Known).of_part(step, Part::Value(value));
            }
            let part = if self.is_by_name {
                Part::KeyOf(value)
            } else {
                Part::Value(value)
            };
            Error {
                is_of_key: true,
                ..error.of_part(step, part)
            }
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (key, value) = self.value.ok_or_else(|| Error::new(Reason::Known))?;
        let reported = self.reported;
        seed.deserialize(Node { value, reported })
            .map_err(|error| error.of_part(Step::Key(key.to_owned()), Part::Value(value)))
    }
}

/// The variant of an enum value.
struct Choice<'de, 't> {
    node: Node<'de, 't>,
    name: &'de str,
    content: Option<&'de Value>,
    /// The key whose value is the variant's name; none if the name is the key of the content.
    tag: Option<&'static str>,
}

impl Choice<'_, '_> {
    fn wants(&self, what: &str) -> Error {
        let name = self.name;
        Error::new(Reason::Message(format!(
            "`{name}` requires {what}: {{ \"{name}\": ... }}"
        )))
    }

    fn step(&self) -> Step {
        Step::Key(self.name.to_owned())
    }
}

impl<'de, 't> EnumAccess<'de> for Choice<'de, 't> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.name));
        match (variant, self.tag) {
            (Ok(variant), _) => Ok((variant, self)),
            (Err(error), Some(tag)) => Err(error.inside(Step::Key(tag.to_owned()))),
            (Err(error), None) => Err(error),
        }
    }
}

impl<'de> VariantAccess<'de> for Choice<'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content {
            None | Some(Value::Null) => Ok(()),
            Some(content) => Err(Error::instead_of(content, "null").inside(self.step())),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        let value = self.content.ok_or_else(|| self.wants("a value"))?;
        seed.deserialize(Node { value, ..self.node })
            .map_err(|error| error.inside(self.step()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        let value = self.content.ok_or_else(|| self.wants("a list"))?;
        Node { value, ..self.node }
            .deserialize_seq(visitor)
            .map_err(|error| error.inside(self.step()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let value = self.content.ok_or_else(|| self.wants("an object"))?;
        let node = Node { value, ..self.node };
        match self.tag {
            Some(tag) => node.fields(tag, visitor),
            None => {
                let read = node.fields("", visitor);
                read.map_err(|error| error.inside(self.step()))
            }
        }
    }
}
