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
        Ok(validator
            .validate(&value)
            .err()
            .map(|found| found.iter().map(Violation::to_json).collect::<serde_json::Value>().to_string()))
    }
}
