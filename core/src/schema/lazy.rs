//! Schemas that are compiled when they are first needed.
//!
//! Owns: that a schema is compiled once, however many share it. Must not know: how it is
//! compiled.

use std::fmt;
use std::sync::{Arc, OnceLock};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use super::compile::compile;
use super::validator::{CompileOptions, Validator};

/// A schema that compiles on first use, once. Clones share the result: a server with
/// hundreds of tools starts at once and pays for those that are called.
///
/// ```
/// use mcpbolt::schema::LazyValidator;
/// use serde_json::json;
///
/// let schema = LazyValidator::new(json!({"type": "object", "required": ["city"]}).into());
/// let validator = schema.get()?; // compiled here, once
/// assert!(validator.validate(&json!({"city": "Bern"}).into()).is_ok());
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone)]
pub struct LazyValidator(Arc<Lazy>);

struct Lazy {
    schema: RawJson,
    options: CompileOptions,
    compiled: OnceLock<Result<Arc<dyn Validator>, Error>>,
}

impl Lazy {
    /// Plain schemas are compiled no earlier than a value does not plainly fit.
    #[cfg(feature = "schema-validation")]
    fn compile(&self) -> Result<Arc<dyn Validator>, Error> {
        super::plain::validator(&self.schema, &self.options)
            .map_or_else(|| compile(&self.schema, &self.options), Ok)
    }

    #[cfg(not(feature = "schema-validation"))]
    fn compile(&self) -> Result<Arc<dyn Validator>, Error> {
        compile(&self.schema, &self.options)
    }
}

impl LazyValidator {
    /// A validator of `schema`, not compiled yet.
    pub fn new(schema: RawJson) -> Self {
        Self::with_options(schema, CompileOptions::default())
    }

    /// As [`LazyValidator::new`], with options.
    pub fn with_options(schema: RawJson, options: CompileOptions) -> Self {
        Self(Arc::new(Lazy { schema, options, compiled: OnceLock::new() }))
    }

    /// The schema.
    pub fn schema(&self) -> &RawJson {
        &self.0.schema
    }

    /// The compiled schema, or why it cannot be compiled: the same every time.
    pub fn get(&self) -> Result<Arc<dyn Validator>, Error> {
        self.0.compiled.get_or_init(|| self.0.compile()).clone()
    }
}

impl fmt::Debug for LazyValidator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.0.compiled.get() {
            None => "not compiled",
            Some(Ok(_)) => "compiled",
            Some(Err(_)) => "refused",
        };
        write!(f, "LazyValidator({state}, {} bytes)", self.0.schema.as_str().len())
    }
}
