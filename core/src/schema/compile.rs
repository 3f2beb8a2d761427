//! From a schema to a validator, with or without the library.
//!
//! Owns: what the feature `schema-validation` decides. Must not know: how a schema is read.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

#[cfg(feature = "schema-validation")]
use super::library;
#[cfg(not(feature = "schema-validation"))]
use super::validator::Violation;
use super::validator::{CompileOptions, Validator};

/// Compiles a schema. Fails with `ErrorKind::Usage` when it is not a valid schema, names
/// an unknown dialect, refers to another document or exceeds the budget.
///
/// ```
/// use mcpbolt::schema::compile;
/// use mcpbolt_proto::jsonrpc::RawJson;
///
/// let schema = RawJson::parse(r#"{"type": "object", "required": ["city"]}"#).unwrap();
/// let validator = compile(&schema, &Default::default())?;
/// assert!(validator.validate(&RawJson::parse(r#"{"city": "Bern"}"#).unwrap()).is_ok());
/// let violations = validator.validate(&RawJson::empty_object()).unwrap_err();
/// assert_eq!(violations[0].keyword, "required");
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[cfg(feature = "schema-validation")]
pub fn compile(schema: &RawJson, options: &CompileOptions) -> Result<Arc<dyn Validator>, Error> {
    library::compile(schema, options)
}

/// Returns a validator that accepts everything: the feature `schema-validation` is off.
#[cfg(not(feature = "schema-validation"))]
pub fn compile(_: &RawJson, _: &CompileOptions) -> Result<Arc<dyn Validator>, Error> {
    struct AcceptAll;
    impl Validator for AcceptAll {
        fn validate(&self, _: &RawJson) -> Result<(), Vec<Violation>> {
            Ok(())
        }
    }
    Ok(Arc::new(AcceptAll))
}
