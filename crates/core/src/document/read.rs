//! Reads a record from a JSON value and remembers where it failed.
//!
//! A reader over values of its own, since one that wraps `serde_json`'s would
//! double the code of every record's reader.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Value, map};

/// Reads a value of type `T`.
///
/// # Errors
/// Where the JSON value is not of the form of `T`.
pub(super) fn read<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, Fault> {
    T::deserialize(At(value))
}

/// Why a value is not of the wanted form, and where in it.
#[derive(Debug)]
pub(super) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    reason: String,
    /// Keys and `[positions]`, the innermost first.
    path: Vec<String>,
}

impl Fault {
    /// What is wrong, in serde's words.
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Keys and `[positions]` from the outermost value to the one that is wrong.
    pub fn into_path(self) -> Vec<String> {
        let mut path = self.0.path;
        path.reverse();
        path
    }

    fn inside(mut self, place: String) -> Self {
        self.0.path.push(place);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.reason)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Inner {
            reason: message.to_string(),
            path: vec![],
        }))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        match found {
            Unexpected::Unit => Self::custom(format!("invalid type: null, expected {expected}")),
            found => Self::custom(format!("invalid type: {found}, expected {expected}")),
        }
    }
}

#[derive(Clone, Copy)]
struct At<'de>(&'de Value);

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (None, Some(value)) => visitor.visit_i64(value),
                // Every number is at least a float.
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(values) => {
                let mut items = Items { values, next: 0 };
                let value = visitor.visit_seq(&mut items)?;
                match items.next == values.len() {
                    true => Ok(value),
                    false => Err(Fault::invalid_length(values.len(), &"fewer elements")),
                }
            }
            Value::Object(entries) => visitor.visit_map(Entries {
                rest: entries.iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let (variant, content) = match self.0 {
            Value::String(variant) => (variant, None),
            Value::Object(entries) => {
                let mut entries = entries.iter();
                match (entries.next(), entries.next()) {
                    (Some((variant, content)), None) => (variant, Some(content)),
                    _ => {
                        return Err(Fault::invalid_value(
                            Unexpected::Map,
                            &"map with a single key",
                        ));
                    }
                }
            }
            other => return Err(Fault::invalid_type(found(other), &"string or map")),
        };
        visitor.visit_enum(Variant { variant, content })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// What a value is, for messages.
fn found(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => Unexpected::Unsigned(value),
            (None, Some(value)) => Unexpected::Signed(value),
            (None, None) => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

/// The elements of an array.
struct Items<'de> {
    values: &'de [Value],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(value) = self.values.get(self.next) else {
            return Ok(None);
        };
        let position = self.next;
        self.next += 1;
        seed.deserialize(At(value))
            .map(Some)
            .map_err(|fault| fault.inside(format!("[{position}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len() - self.next)
    }
}

/// The entries of an object.
struct Entries<'de> {
    rest: map::Iter<'de>,
    value: Option<(&'de String, &'de Value)>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.value = self.rest.next();
        let Some((key, _)) = self.value else {
            return Ok(None);
        };
        seed.deserialize(BorrowedStrDeserializer::new(key))
            .map(Some)
            .map_err(|fault: Fault| fault.inside(key.clone()))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((key, value)) = self.value else {
            return Err(Fault::custom("a value without a key"));
        };
        seed.deserialize(At(value))
            .map_err(|fault| fault.inside(key.clone()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A variant of an enum: `"name"` or `{ "name": content }`.
struct Variant<'de> {
    variant: &'de str,
    content: Option<&'de Value>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Fault>::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> Variant<'de> {
    /// Reads the content; `wanted` names its form where there is none.
    fn content<T>(
        self,
        wanted: &str,
        read: impl FnOnce(At<'de>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(content) = self.content else {
            return Err(Fault::invalid_type(Unexpected::UnitVariant, &wanted));
        };
        read(At(content)).map_err(|fault| fault.inside(self.variant.to_owned()))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            None => Ok(()),
            Some(_) => self.content("unit variant", <()>::deserialize),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        self.content("newtype variant", |at| seed.deserialize(at))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.content("tuple variant", |at| at.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.content("struct variant", |at| at.deserialize_any(visitor))
    }
}
