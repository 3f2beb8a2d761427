//! JSON Schemas, compiled by the engine.

use mcpbolt::schema::{LazyValidator, Violation};
use napi_derive::napi;

use crate::error::{Result, raw, throw};

/// A JSON Schema, compiled on first use. No code is generated at run time.
#[napi]
pub struct Schema(LazyValidator);

#[napi]
impl Schema {
    /// Creates a schema from its JSON text.
    #[napi(constructor)]
    pub fn new(schema: String) -> Result<Self> {
        Ok(Self(LazyValidator::new(raw(schema)?)))
    }

    /// Validates a value. Returns `null` if it is valid, else JSON text of a list with one entry
    /// per problem: `{keyword, instancePath, schemaPath, message, expected}`; paths are JSON
    /// pointers.
    #[napi]
    pub fn check(&self, value: String) -> Result<Option<String>> {
        let value = raw(value)?;
        let validator = self.0.get().map_err(throw)?;
        Ok(validator
            .validate(&value)
            .err()
            .map(|found| found.iter().map(Violation::to_json).collect::<serde_json::Value>().to_string()))
    }
}
