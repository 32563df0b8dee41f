//! Small values that the file holds as one string each, so that a change is a
//! difference of one line.

/// Reads and writes a value as a string of the file, by `FromStr` and `Display`.
macro_rules! json_as_text {
    ($type:ty) => {
        impl crate::json::Read for $type {
            fn read(value: &crate::json::Value) -> Result<Self, crate::json::Faults> {
                crate::json::parsed(value)
            }
        }
        impl crate::json::Write for $type {
            fn write(&self, out: &mut crate::json::Writer) {
                out.text(&self.to_string());
            }
        }
    };
}
pub(super) use json_as_text;

/// The same for serde, which page and worker talk with.
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
        crate::text_form::json_as_text!($type);
    };
}
pub(super) use serde_as_text;

/// Describes such a value in the file's JSON Schema.
#[cfg(test)]
macro_rules! schema_of_text {
    ($type:ident, $pattern:expr, $description:expr) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "description": $description
                })
            }
        }
    };
}
#[cfg(test)]
pub(super) use schema_of_text;
