//! One field of a form, told by its shape.
//!
//! Owns: by which members a field is told. Must not know: validation of answers.

use super::{
    BooleanSchema, LegacyTitledEnumSchema, NumberSchema, StringSchema, TitledMultiSelectEnumSchema,
    TitledSingleSelectEnumSchema, UntitledMultiSelectEnumSchema, UntitledSingleSelectEnumSchema,
};
use crate::jsonrpc::{RawJson, RawObject};

/// One field of a form.
///
/// ```
/// use mcpbolt_proto::protocol::types::FieldSchema;
///
/// let raw = serde_json::json!({"type": "string", "enum": ["red", "green"]}).into();
/// match FieldSchema::from_raw(&raw) {
///     FieldSchema::UntitledSingleSelect(choice) => assert_eq!(choice.values, ["red", "green"]),
///     other => panic!("{other:?} would be drawn as something else"),
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum FieldSchema {
    /// Text.
    String(StringSchema),
    /// A number.
    Number(NumberSchema),
    /// Yes or no.
    Boolean(BooleanSchema),
    /// One of some values.
    UntitledSingleSelect(UntitledSingleSelectEnumSchema),
    /// One of some values that have titles. Since 2025-11-25.
    TitledSingleSelect(TitledSingleSelectEnumSchema),
    /// One of some values with titles in `enumNames`: the older way.
    LegacyTitled(LegacyTitledEnumSchema),
    /// Several of some values. Since 2025-11-25.
    UntitledMultiSelect(UntitledMultiSelectEnumSchema),
    /// Several of some values that have titles. Since 2025-11-25.
    TitledMultiSelect(TitledMultiSelectEnumSchema),
    /// Any other schema.
    Other(RawJson),
}

impl FieldSchema {
    /// Reads a field; what fits no known shape is [`FieldSchema::Other`].
    pub fn from_raw(raw: &RawJson) -> Self {
        Self::known(raw).unwrap_or_else(|| Self::Other(raw.clone()))
    }

    fn known(raw: &RawJson) -> Option<Self> {
        let object = RawObject::parse(raw)?;
        match object.get("type")?.as_string()?.as_str() {
            "string" if object.contains("oneOf") => raw.decode().ok().map(Self::TitledSingleSelect),
            "string" if object.contains("enumNames") => raw.decode().ok().map(Self::LegacyTitled),
            "string" if object.contains("enum") => raw.decode().ok().map(Self::UntitledSingleSelect),
            "string" => raw.decode().ok().map(Self::String),
            "number" | "integer" => raw.decode().ok().map(Self::Number),
            "boolean" => raw.decode().ok().map(Self::Boolean),
            "array" if RawObject::parse(object.get("items")?)?.contains("anyOf") => {
                raw.decode().ok().map(Self::TitledMultiSelect)
            }
            "array" => raw.decode().ok().map(Self::UntitledMultiSelect),
            _ => None,
        }
    }

    /// The field as text.
    pub fn to_raw(&self) -> RawJson {
        let encoded = match self {
            Self::String(field) => RawJson::encode(field),
            Self::Number(field) => RawJson::encode(field),
            Self::Boolean(field) => RawJson::encode(field),
            Self::UntitledSingleSelect(field) => RawJson::encode(field),
            Self::TitledSingleSelect(field) => RawJson::encode(field),
            Self::LegacyTitled(field) => RawJson::encode(field),
            Self::UntitledMultiSelect(field) => RawJson::encode(field),
            Self::TitledMultiSelect(field) => RawJson::encode(field),
            Self::Other(raw) => Ok(raw.clone()),
        };
        // Strings, numbers and lists of strings: there is nothing that could fail.
        encoded.unwrap_or_else(|_| RawJson::empty_object())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for FieldSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FieldSchema".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"description": "One field of a form, told by its shape.", "anyOf": [
            generator.subschema_for::<StringSchema>(),
            generator.subschema_for::<NumberSchema>(),
            generator.subschema_for::<BooleanSchema>(),
            generator.subschema_for::<UntitledSingleSelectEnumSchema>(),
            generator.subschema_for::<TitledSingleSelectEnumSchema>(),
            generator.subschema_for::<LegacyTitledEnumSchema>(),
            generator.subschema_for::<UntitledMultiSelectEnumSchema>(),
            generator.subschema_for::<TitledMultiSelectEnumSchema>(),
            {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]},
        ]})
    }
}

macro_rules! fields {
    ($($kind:ident => $variant:ident,)+) => {
        $(
            impl From<$kind> for FieldSchema {
                fn from(field: $kind) -> Self {
                    Self::$variant(field)
                }
            }
        )+
    };
}

fields! {
    StringSchema => String,
    NumberSchema => Number,
    BooleanSchema => Boolean,
    UntitledSingleSelectEnumSchema => UntitledSingleSelect,
    TitledSingleSelectEnumSchema => TitledSingleSelect,
    LegacyTitledEnumSchema => LegacyTitled,
    UntitledMultiSelectEnumSchema => UntitledMultiSelect,
    TitledMultiSelectEnumSchema => TitledMultiSelect,
    RawJson => Other,
}
