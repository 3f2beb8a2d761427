//! A validator that asks the validating library, within the budget of its schema.
//!
//! Owns: what is refused before it is compiled, and what is told of a value that does not
//! fit. Must not know: who asked, or in which language the answer is worded.

use std::sync::Arc;

use jsonschema::Validator as Compiled;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::schema_budget::{self, RefusalReason};
use serde_json::{Value, json};

use super::budget::{Allowance, Verdict};
use super::build::build;
use super::explain::explain;
use super::fault::Ground;
use super::validator::{CompileOptions, Validator, Violation, of_the_whole};
use super::{dialect, readable, words};

/// Most faults that are compared to find the one that says most.
const MOST_COMPARED: usize = 1_000;

pub(super) fn compile(schema: &RawJson, options: &CompileOptions) -> Result<Arc<dyn Validator>, Error> {
    let refuse = |reason: String| Error::new(ErrorKind::Usage, reason);
    let (mended, value) =
        readable::read(schema).ok_or_else(|| refuse("the schema cannot be read".to_owned()))?;
    let schema = mended.as_ref().unwrap_or(schema);
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
    let compiled = build(&value, options).map_err(|error| refuse(words::schema_fault(&error)))?;
    Ok(Arc::new(Library {
        compiled,
        allowance: Allowance::new(cost, options.max_steps),
        schema: schema.clone(),
        options: options.clone(),
    }))
}

struct Library {
    compiled: Compiled,
    allowance: Allowance,
    schema: RawJson,
    options: CompileOptions,
}

impl Library {
    /// Whether a value fits: `None` if it does, else what may be said of it.
    fn judge(&self, value: &RawJson) -> Option<Found> {
        let Some((_, instance)) = readable::read(value) else {
            return Some(Found::Whole("holds a number out of range"));
        };
        let verdict = self.allowance.judge(&instance, value.as_str().len());
        if verdict == Verdict::Refuse {
            return Some(Found::Whole("is too large or too deep to be checked against its schema"));
        }
        if self.compiled.is_valid(&instance) {
            return None;
        }
        let told = verdict == Verdict::Check;
        Some(if told { Found::Parts(instance) } else { Found::Whole("does not fit the schema") })
    }
}

/// What does not fit.
enum Found {
    /// The whole value, and why.
    Whole(&'static str),
    /// Parts of this value.
    Parts(Value),
}

impl Validator for Library {
    fn validate(&self, value: &RawJson) -> Result<(), Vec<Violation>> {
        match self.judge(value) {
            None => Ok(()),
            Some(Found::Whole(message)) => Err(vec![of_the_whole(value, message)]),
            Some(Found::Parts(instance)) => {
                let errors = self.compiled.iter_errors(&instance).take(self.options.max_violations.max(1));
                Err(errors.map(|error| words::violation(&error)).collect())
            }
        }
    }

    fn explain(&self, value: &RawJson) -> Result<(), RawJson> {
        let whole =
            |message: &str| json!({"says": [null, format!(" {message}")], "instance": {"at": []}}).into();
        match self.judge(value) {
            None => Ok(()),
            Some(Found::Whole(message)) => Err(whole(message)),
            Some(Found::Parts(instance)) => {
                let schema: Value = self.schema.decode().unwrap_or_default();
                let errors: Vec<_> = self.compiled.iter_errors(&instance).take(MOST_COMPARED).collect();
                let ground = Ground { schema: &schema, value: &instance, options: &self.options };
                Err(explain(&errors, ground).map_or_else(|| whole("does not fit the schema"), RawJson::from))
            }
        }
    }
}
