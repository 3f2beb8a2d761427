//! What Python's `jsonschema` says of a fault, keyword by keyword.
//!
//! Owns: the sentences. A sentence is a list: text, `{"value": …}` for what Python prints
//! with `repr`, and `null` for the part that does not fit, printed so too. Must not know:
//! which fault is told.

use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Value, json};

use super::fault::{Fault, Ground};

/// The part of the value that does not fit.
const IT: Value = Value::Null;

/// Pieces of a sentence.
fn say<const N: usize>(pieces: [Value; N]) -> Vec<Value> {
    pieces.into()
}

fn repr(value: impl Into<Value>) -> Value {
    json!({"value": value.into()})
}

/// The sentence.
pub(super) fn said(fault: &Fault<'_>, ground: Ground<'_>) -> Vec<Value> {
    let kind = fault.error.kind();
    match kind {
        Kind::Required { property } => required(fault, property),
        Kind::AdditionalProperties { unexpected } => additional(fault, unexpected.clone()),
        Kind::FalseSchema => nothing(fault),
        Kind::AdditionalItems { limit } => {
            let extra = fault.instance.as_array().map(|items| items[*limit..].to_vec()).unwrap_or_default();
            unexpected("Additional items are not allowed (", extra)
        }
        Kind::UnevaluatedItems { unexpected: items } => {
            let read = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| json!(text));
            unexpected("Unevaluated items are not allowed (", items.iter().map(read).collect())
        }
        Kind::UnevaluatedProperties { unexpected: names } => unevaluated(fault, names),
        Kind::OneOfMultipleValid { context } => several(fault, context.iter().map(Vec::is_empty)),
        Kind::Contains => contains(fault, ground),
        _ => plain(fault, kind),
    }
}

fn plain(fault: &Fault<'_>, kind: &Kind) -> Vec<Value> {
    let asked =
        || fault.keyword.as_ref().and_then(|word| fault.around.get(word)).cloned().unwrap_or_default();
    match kind {
        Kind::Type { .. } => {
            let names = match asked() {
                Value::Array(names) => names,
                name => vec![name],
            };
            [vec![IT, json!(" is not of type ")], listed(names)].concat()
        }
        Kind::Enum { options } => say([IT, json!(" is not one of "), repr(Value::clone(options))]),
        Kind::Constant { expected_value } => {
            say([repr(Value::clone(expected_value)), json!(" was expected")])
        }
        Kind::Pattern { pattern } => say([IT, json!(" does not match "), repr(pattern.clone())]),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            say([IT, json!(" could not be matched against "), repr(asked()), json!(" within bounds")])
        }
        Kind::Format { format } => say([IT, json!(" is not a "), repr(format.clone())]),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            say([IT, json!(" is not valid under any of the given schemas")])
        }
        Kind::Not { schema } => say([IT, json!(" should not be valid under "), repr(schema.clone())]),
        Kind::UniqueItems => say([IT, json!(" has non-unique elements")]),
        Kind::MultipleOf { .. } => say([IT, json!(" is not a multiple of "), repr(asked())]),
        other => sized(other)
            .or_else(|| bounded(other))
            .unwrap_or_else(|| say([IT, json!(" does not fit the schema")])),
    }
}

fn sized(kind: &Kind) -> Option<Vec<Value>> {
    let (limit, most, short) = match kind {
        Kind::MinItems { limit } | Kind::MinLength { limit } => (*limit, false, "is too short"),
        Kind::MaxItems { limit } | Kind::MaxLength { limit } => (*limit, true, "is too long"),
        Kind::MinProperties { limit } => (*limit, false, "does not have enough properties"),
        Kind::MaxProperties { limit } => (*limit, true, "has too many properties"),
        _ => return None,
    };
    let words = match (most, limit) {
        (false, 1) => "should be non-empty",
        (true, 0) => "is expected to be empty",
        _ => short,
    };
    Some(say([IT, json!(format!(" {words}"))]))
}

fn bounded(kind: &Kind) -> Option<Vec<Value>> {
    let (words, limit) = match kind {
        Kind::Minimum { limit } => ("less than the minimum of", limit),
        Kind::Maximum { limit } => ("greater than the maximum of", limit),
        Kind::ExclusiveMinimum { limit } => ("less than or equal to the minimum of", limit),
        Kind::ExclusiveMaximum { limit } => ("greater than or equal to the maximum of", limit),
        _ => return None,
    };
    Some(say([IT, json!(format!(" is {words} ")), repr(limit.clone())]))
}

/// A member that is missing, always or beside another.
fn required(fault: &Fault<'_>, missing: &Value) -> Vec<Value> {
    let asks = |list: &Value| list.as_array().is_some_and(|names| names.contains(missing));
    let because = |word: &str| {
        let rules = fault.around.get(word)?.as_object()?;
        rules
            .iter()
            .find(|(name, list)| fault.instance.get(name).is_some() && asks(list))
            .map(|(name, _)| name.clone())
    };
    let word = fault.keyword.as_deref().filter(|word| *word != "required");
    match word.and_then(because) {
        Some(name) => say([repr(missing.clone()), json!(" is a dependency of "), repr(name)]),
        None => say([repr(missing.clone()), json!(" is a required property")]),
    }
}

/// What a schema that is `false` says, by the keyword it belongs to.
fn nothing(fault: &Fault<'_>) -> Vec<Value> {
    match (fault.keyword.as_deref(), &fault.instance) {
        (Some("additionalProperties"), Value::Object(members)) => {
            additional(fault, members.keys().cloned().collect())
        }
        (Some("items"), Value::Array(items)) => {
            let prefix = fault.around.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
            let extra = items.get(prefix..).unwrap_or_default();
            let noun = if prefix == 1 { "item" } else { "items" };
            let rest = if let [one] = extra { one.clone() } else { json!(extra) };
            let text = format!("Expected at most {prefix} {noun} but found {} extra: ", extra.len());
            say([json!(text), repr(rest)])
        }
        _ => say([json!("False schema does not allow "), IT]),
    }
}

fn additional(fault: &Fault<'_>, mut names: Vec<String>) -> Vec<Value> {
    names.sort();
    let values: Vec<Value> = names.into_iter().map(Value::from).collect();
    let Some(patterns) = fault.around.get("patternProperties").and_then(Value::as_object) else {
        return unexpected("Additional properties are not allowed (", values);
    };
    let mut patterns: Vec<_> = patterns.keys().cloned().collect();
    patterns.sort();
    let verb = if values.len() == 1 { " does" } else { " do" };
    let text = json!(format!("{verb} not match any of the regexes: "));
    [listed(values), vec![text], listed(patterns.into_iter().map(Value::from).collect())].concat()
}

fn unevaluated(fault: &Fault<'_>, names: &[String]) -> Vec<Value> {
    let mut names = names.to_vec();
    if fault.around.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
        names.sort();
        return unexpected(
            "Unevaluated properties are not allowed (",
            names.into_iter().map(Value::from).collect(),
        );
    }
    let verb = if names.len() == 1 { " was" } else { " were" };
    let text = "Unevaluated properties are not valid under the given schema (";
    let listed = listed(names.into_iter().map(Value::from).collect());
    [vec![json!(text)], listed, vec![json!(format!("{verb} unevaluated and invalid)"))]].concat()
}

/// More than one alternative fits: those after the first, and then it.
fn several(fault: &Fault<'_>, fits: impl Iterator<Item = bool>) -> Vec<Value> {
    let none = Vec::new();
    let schemas = fault.around.get("oneOf").and_then(Value::as_array).unwrap_or(&none);
    let mut fitting: Vec<Value> =
        schemas.iter().zip(fits).filter(|(_, fits)| *fits).map(|(one, _)| one.clone()).collect();
    if !fitting.is_empty() {
        fitting.rotate_left(1);
    }
    [vec![IT, json!(" is valid under each of ")], listed(fitting)].concat()
}

fn contains(fault: &Fault<'_>, ground: Ground<'_>) -> Vec<Value> {
    if ground.dialect().contains("draft-0") {
        return say([json!("None of "), IT, json!(" are valid under the given schema")]);
    }
    let bound = |word: &str| fault.around.get(word).cloned().unwrap_or_default();
    let none = say([IT, json!(" does not contain items matching the given schema")]);
    match fault.keyword.as_deref() {
        Some("maxContains") => say([
            json!("Too many items match the given schema (expected at most "),
            repr(bound("maxContains")),
            json!(")"),
        ]),
        Some("minContains") => match ground.count(&fault.instance, &bound("contains")) {
            0 => none,
            count => say([
                json!("Too few items match the given schema (expected at least "),
                repr(bound("minContains")),
                json!(format!(" but only {count} matched)")),
            ]),
        },
        _ => none,
    }
}

fn unexpected(text: &str, values: Vec<Value>) -> Vec<Value> {
    let verb = if values.len() == 1 { " was" } else { " were" };
    [vec![json!(text)], listed(values), vec![json!(format!("{verb} unexpected)"))]].concat()
}

/// Values with commas between them.
fn listed(values: Vec<Value>) -> Vec<Value> {
    let mut pieces = Vec::new();
    for value in values {
        if !pieces.is_empty() {
            pieces.push(json!(", "));
        }
        pieces.push(repr(value));
    }
    pieces
}
