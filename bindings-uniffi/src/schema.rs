//! JSON Schemas, compiled by the engine.

use mcpbolt::schema::{LazyValidator, Violation};

use crate::error::{Result, raw};

/// A JSON Schema, compiled when it is first used.
#[derive(uniffi::Object)]
pub struct EngineSchema(LazyValidator);

#[uniffi::export]
impl EngineSchema {
    /// A schema from its JSON text.
    #[uniffi::constructor]
    pub fn new(schema: String) -> Result<Self> {
        Ok(Self(LazyValidator::new(raw(schema)?)))
    }

    /// Nothing if the value fits, else JSON text of a list, one for each fault: `{keyword,
    /// instancePath, schemaPath, message, expected}`; paths are JSON pointers.
    pub fn check(&self, value: String) -> Result<Option<String>> {
        let value = raw(value)?;
        let validator = self.0.get()?;
        Ok(validator.validate(&value).err().map(|found| {
            let row = |v: &Violation| {
                serde_json::json!({
                    "keyword": v.keyword,
                    "instancePath": v.instance_path,
                    "schemaPath": v.schema_path,
                    "message": v.message,
                    "expected": v.expected,
                })
            };
            serde_json::Value::Array(found.iter().map(row).collect()).to_string()
        }))
    }
}
