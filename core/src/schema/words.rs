//! The library's findings as data and in our own words.
//!
//! Owns: a sentence and the data for each keyword. Must not know: which findings are reported,
//! or to whom.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use serde_json::{Value, json};

use super::{Violation, types};

/// Names and listed values are cut beyond this many.
const SHOWN: usize = 10;

pub(super) fn violation(error: &ValidationError<'_>) -> Violation {
    let (message, expected) = describe(error.kind());
    let unexpected = match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.clone()
        }
        _ => Vec::new(),
    };
    Violation {
        keyword: error.kind().keyword().to_owned(),
        instance_path: error.instance_path().to_string(),
        schema_path: error.schema_path().to_string(),
        message,
        expected: expected.map(RawJson::from),
        unexpected,
        actual: kind_of(error.instance()),
    }
}

/// Why a schema does not compile: it breaks the rules of its dialect, or refers to
/// something that is not there.
pub(super) fn schema_fault(error: &ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    match error.kind() {
        Kind::Referencing(fault) => format!("the schema refers to something it does not hold: {fault}"),
        // Patterns are reported as a format that the schema breaks.
        Kind::Format { format } => format!("not a valid schema: {} must be a {format}", place(&path)),
        // What a type may be is written as alternatives in the dialects' own schemas.
        Kind::AnyOf { .. } if path.ends_with("/type") => {
            format!("not a valid schema: {}", types::said(&path, error.instance()))
        }
        kind => format!("not a valid schema: {} {}", place(&path), describe(kind).0),
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "it" } else { path }
}

/// One sentence whose subject is the value, and what the schema asks for.
fn describe(kind: &Kind) -> (String, Option<Value>) {
    let plain = |text: &str| (text.to_owned(), None);
    match kind {
        Kind::Type { kind } => types(kind),
        Kind::Required { property } => (format!("must have the member {property}"), Some(property.clone())),
        Kind::Enum { options } => (format!("must be one of {}", list(options)), Some(Value::clone(options))),
        Kind::Constant { expected_value: value } => (format!("must be {value}"), Some(Value::clone(value))),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            (format!("must not have the member {}", names(unexpected)), None)
        }
        Kind::AdditionalItems { limit } => {
            (format!("must not have more than {limit} items"), Some(json!(limit)))
        }
        Kind::UnevaluatedItems { .. } => plain("has items that the schema does not allow"),
        Kind::Pattern { pattern } => (format!("must match the pattern {pattern}"), Some(json!(pattern))),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            plain("could not be matched against the pattern within bounds")
        }
        Kind::Format { format } => (format!("must be a {format}"), Some(json!(format))),
        Kind::AnyOf { context } => (format!("must fit one of {} alternatives", context.len()), None),
        Kind::OneOfNotValid { context } => {
            (format!("must fit exactly one of {} alternatives, and fits none", context.len()), None)
        }
        Kind::OneOfMultipleValid { .. } => plain("must fit exactly one alternative, and fits several"),
        Kind::Not { .. } => plain("must not fit the excluded schema"),
        Kind::Contains => plain("must hold an item that fits"),
        Kind::UniqueItems => plain("must not hold an item twice"),
        Kind::PropertyNames { .. } => plain("has a member whose name does not fit"),
        Kind::FalseSchema => plain("must not be there"),
        other => sizes(other).or_else(|| numbers(other)).unwrap_or_else(|| plain("does not fit the schema")),
    }
}

fn types(kind: &TypeKind) -> (String, Option<Value>) {
    let (names, expected) = match kind {
        TypeKind::Single(one) => (vec![one.to_string()], json!(one.to_string())),
        TypeKind::Multiple(set) => {
            let names: Vec<_> = set.iter().map(|one| one.to_string()).collect();
            (names.clone(), json!(names))
        }
    };
    (format!("must be of type {}", names.join(" or ")), Some(expected))
}

fn sizes(kind: &Kind) -> Option<(String, Option<Value>)> {
    let (bound, limit, what) = match kind {
        Kind::MinItems { limit } => ("at least", limit, "items"),
        Kind::MaxItems { limit } => ("at most", limit, "items"),
        Kind::MinProperties { limit } => ("at least", limit, "members"),
        Kind::MaxProperties { limit } => ("at most", limit, "members"),
        Kind::MinLength { limit } => ("at least", limit, "characters"),
        Kind::MaxLength { limit } => ("at most", limit, "characters"),
        _ => return None,
    };
    Some((format!("must have {bound} {limit} {what}"), Some(json!(limit))))
}

fn numbers(kind: &Kind) -> Option<(String, Option<Value>)> {
    let (bound, limit) = match kind {
        Kind::Minimum { limit } => ("at least", limit.clone()),
        Kind::Maximum { limit } => ("at most", limit.clone()),
        Kind::ExclusiveMinimum { limit } => ("more than", limit.clone()),
        Kind::ExclusiveMaximum { limit } => ("less than", limit.clone()),
        Kind::MultipleOf { multiple_of } => ("a multiple of", json!(multiple_of)),
        _ => return None,
    };
    Some((format!("must be {bound} {limit}"), Some(limit)))
}

fn list(options: &Value) -> String {
    let Value::Array(options) = options else { return options.to_string() };
    let mut shown: Vec<String> = options.iter().take(SHOWN).map(Value::to_string).collect();
    if options.len() > SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

fn names(unexpected: &[String]) -> String {
    let short = |name: &String| json!(name.chars().take(64).collect::<String>()).to_string();
    let mut shown: Vec<String> = unexpected.iter().take(SHOWN).map(short).collect();
    if unexpected.len() > SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

fn kind_of(value: &Value) -> JsonKind {
    match value {
        Value::Null => JsonKind::Null,
        Value::Bool(_) => JsonKind::Bool,
        Value::Number(_) => JsonKind::Number,
        Value::String(_) => JsonKind::String,
        Value::Array(_) => JsonKind::Array,
        Value::Object(_) => JsonKind::Object,
    }
}
