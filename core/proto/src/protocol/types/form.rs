//! Forms: the schema a server asks a person to fill in.
//!
//! Owns: the schema, and building one. Must not know: validation of answers.

use serde::{Deserialize, Serialize};

use super::FieldSchema;
use crate::jsonrpc::{RawJson, RawObject};

/// The JSON Schema of a form: an object whose properties are fields. Kept as text,
/// so that any schema passes unchanged.
///
/// ```
/// use mcpbolt_proto::protocol::types::{FormSchema, NumberSchema, StringSchema};
///
/// let form = FormSchema::builder()
///     .required("name", StringSchema::new().title("Name"))
///     .optional("guests", NumberSchema::integer().minimum(1.0).maximum(12.0))
///     .build();
/// assert_eq!(form.required(), ["name"]);
/// assert_eq!(form.fields().unwrap().len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct FormSchema(RawJson);

impl FormSchema {
    /// A form without fields, to add some.
    pub fn builder() -> FormBuilder {
        FormBuilder::default()
    }

    /// Any schema, as it is.
    pub fn from_raw(raw: RawJson) -> Self {
        Self(raw)
    }

    /// The schema as text.
    pub fn as_raw(&self) -> &RawJson {
        &self.0
    }

    /// The schema as text.
    pub fn into_raw(self) -> RawJson {
        self.0
    }

    /// The fields in order; `None` when this is not an object schema with properties.
    pub fn fields(&self) -> Option<Vec<(String, FieldSchema)>> {
        let properties = RawObject::parse(RawObject::parse(&self.0)?.get("properties")?)?;
        Some(properties.iter().map(|(name, raw)| (name.to_owned(), FieldSchema::from_raw(raw))).collect())
    }

    /// The names of the fields that must be filled in.
    pub fn required(&self) -> Vec<String> {
        RawObject::parse(&self.0).and_then(|schema| schema.get("required")?.decode().ok()).unwrap_or_default()
    }
}

/// Builds a [`FormSchema`] field by field.
///
/// ```
/// use mcpbolt_proto::protocol::types::{FormBuilder, StringFormat, StringSchema};
///
/// let form = FormBuilder::default()
///     .required("email", StringSchema::new().format(StringFormat::Email))
///     .build();
/// assert_eq!(form.required(), ["email"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct FormBuilder {
    properties: RawObject,
    required: Vec<String>,
}

impl FormBuilder {
    /// Adds a field that must be filled in.
    #[must_use]
    pub fn required(mut self, name: impl Into<String>, field: impl Into<FieldSchema>) -> Self {
        let name = name.into();
        self.properties.set(name.as_str(), field.into().to_raw());
        if !self.required.contains(&name) {
            self.required.push(name);
        }
        self
    }

    /// Adds a field that may stay empty.
    #[must_use]
    pub fn optional(mut self, name: impl Into<String>, field: impl Into<FieldSchema>) -> Self {
        let name = name.into();
        self.required.retain(|other| *other != name);
        self.properties.set(name, field.into().to_raw());
        self
    }

    /// The form.
    pub fn build(self) -> FormSchema {
        let mut schema = RawObject::new();
        schema.set("type", RawJson::from(serde_json::Value::from("object")));
        schema.set("properties", self.properties.to_raw());
        if !self.required.is_empty() {
            schema.set("required", RawJson::from(serde_json::Value::from(self.required)));
        }
        FormSchema(schema.to_raw())
    }
}

impl From<FormBuilder> for FormSchema {
    fn from(builder: FormBuilder) -> Self {
        builder.build()
    }
}

impl From<RawJson> for FormSchema {
    fn from(raw: RawJson) -> Self {
        Self(raw)
    }
}
