//! The JSON Schema of values that a file represents as strings.

mod file;

/// Describes a value that a file represents as a string.
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
pub(super) use schema_of_text;
