//! The one file that knows the validating library.

use std::sync::Arc;

use jsonschema::{PatternOptions, Validator as Compiled};
use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::schema_budget::{self, RefusalReason};
use serde_json::Value;

use super::budget::{Allowance, Verdict};
use super::{CompileOptions, Validator, Violation, dialect, of_the_whole, words};

pub(super) fn compile(schema: &RawJson, options: &CompileOptions) -> Result<Arc<dyn Validator>, Error> {
    let refuse = |reason: String| Error::new(ErrorKind::Usage, reason);
    let value: Value = schema.decode().map_err(|_| refuse("the schema cannot be read".to_owned()))?;
    if !matches!(value, Value::Object(_) | Value::Bool(_)) {
        return Err(refuse("a schema must be an object or a boolean".to_owned()));
    }
    if let Some(reason) = dialect::refuse(&value) {
        return Err(refuse(reason));
    }
    let cost = schema_budget::check(schema, &options.budget).map_err(|refusal| {
        let outside = refusal.reason == RefusalReason::Unresolved;
        refuse(format!("{refusal}{}", if outside { "; other documents are never fetched" } else { "" }))
    })?;
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(options.backtracks)
        .size_limit(options.pattern_bytes)
        .dfa_size_limit(options.pattern_bytes);
    let compiled = jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .with_pattern_options(patterns)
        .build(&value)
        .map_err(|error| refuse(words::schema_fault(&error)))?;
    Ok(Arc::new(Library {
        compiled,
        allowance: Allowance::new(cost, options.max_steps),
        max_violations: options.max_violations.max(1),
    }))
}

struct Library {
    compiled: Compiled,
    allowance: Allowance,
    max_violations: usize,
}

impl Validator for Library {
    fn validate(&self, value: &RawJson) -> Result<(), Vec<Violation>> {
        let whole = |message: &str| Err(vec![of_the_whole(value, message)]);
        let Ok(instance) = value.decode::<Value>() else {
            return whole("holds a number out of range or text that is no Unicode");
        };
        let verdict = self.allowance.judge(&instance, value.as_str().len());
        if verdict == Verdict::Refuse {
            return whole("is too large or too deep to be checked against its schema");
        }
        if self.compiled.is_valid(&instance) {
            return Ok(());
        }
        if verdict == Verdict::CheckOnly {
            return whole("does not fit the schema");
        }
        let errors = self.compiled.iter_errors(&instance);
        Err(errors.take(self.max_violations).map(|error| words::violation(&error)).collect())
    }
}

pub(super) fn kind_of(value: &Value) -> JsonKind {
    match value {
        Value::Null => JsonKind::Null,
        Value::Bool(_) => JsonKind::Bool,
        Value::Number(_) => JsonKind::Number,
        Value::String(_) => JsonKind::String,
        Value::Array(_) => JsonKind::Array,
        Value::Object(_) => JsonKind::Object,
    }
}
