//! One value, from text to JSON.
//!
//! Owns: what text means where a schema wants a number, a list, or one of several things. Must
//! not know: keys.

use mcpbolt::{JsonKind, RawJson};
use serde_json::Value;

use crate::output::schema::{kind, resolve};

/// The value that the schema wants of this text; `before` is what the same key was given
/// already.
pub(super) fn read(
    root: &Value,
    schema: Option<&Value>,
    text: &str,
    before: Option<&RawJson>,
) -> Result<RawJson, String> {
    let Some(schema) = schema else { return repeated(loose(text), before) };
    let schema = resolve(root, schema);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return one_of(values, text);
    }
    let choices = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key)?.as_array());
    if let Some(choices) = choices {
        return first_fit(root, choices, text, before).ok_or_else(|| wanted(&kind(root, schema, 0), text));
    }
    match schema.get("type") {
        Some(Value::String(name)) => of_type(root, schema, name, text, before),
        Some(Value::Array(names)) => {
            let choices: Vec<Value> = names.iter().map(|name| with_type(schema, name)).collect();
            first_fit(root, &choices, text, before).ok_or_else(|| wanted(&kind(root, schema, 0), text))
        }
        _ => Ok(loose(text)),
    }
}

fn with_type(schema: &Value, name: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(members) = schema.as_object_mut() {
        members.insert("type".to_owned(), name.clone());
    }
    schema
}

/// Text fits wherever text is allowed, so it is tried last.
fn first_fit(root: &Value, choices: &[Value], text: &str, before: Option<&RawJson>) -> Option<RawJson> {
    let is_text = |schema: &Value| resolve(root, schema).get("type").is_some_and(|name| name == "string");
    let (texts, others): (Vec<_>, Vec<_>) = choices.iter().partition(|schema| is_text(schema));
    others.into_iter().chain(texts).find_map(|schema| read(root, Some(schema), text, before).ok())
}

fn of_type(
    root: &Value,
    schema: &Value,
    name: &str,
    text: &str,
    before: Option<&RawJson>,
) -> Result<RawJson, String> {
    match name {
        "string" => Ok(words(text)),
        "integer" => whole(text).ok_or_else(|| wanted("an integer", text)),
        "number" => number(text).ok_or_else(|| wanted("a number", text)),
        "boolean" => kept(text, JsonKind::Bool).ok_or_else(|| wanted("true or false", text)),
        "null" if matches!(text, "" | "null") => Ok(RawJson::null()),
        "null" => Err(wanted("null", text)),
        "array" => list(root, schema, text, before),
        "object" => {
            kept(text, JsonKind::Object).ok_or_else(|| wanted("a JSON object, or KEY.INNER=VALUE,", text))
        }
        _ => Ok(loose(text)),
    }
}

/// A JSON array, or one more item.
fn list(root: &Value, schema: &Value, text: &str, before: Option<&RawJson>) -> Result<RawJson, String> {
    if before.is_none()
        && let Some(value) = kept(text, JsonKind::Array)
    {
        return Ok(value);
    }
    let item = read(root, schema.get("items"), text, None)?;
    with(before.and_then(items).unwrap_or_default(), item)
}

/// Of values that are no text the spelling counts.
fn one_of(values: &[Value], text: &str) -> Result<RawJson, String> {
    let fits = |value: &&Value| match value {
        Value::String(word) => word == text,
        other => other.to_string().as_str() == text,
    };
    values.iter().find(fits).map(RawJson::from).ok_or_else(|| {
        let shown: Vec<String> = values.iter().map(Value::to_string).collect();
        wanted(&format!("one of {}", shown.join(", ")), text)
    })
}

/// Digits of any number. Some write them as JSON does not: `+5`, `007`.
fn whole(text: &str) -> Option<RawJson> {
    let is_whole = |number: &RawJson| !number.as_str().contains(['.', 'e', 'E']);
    let other = || text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from));
    kept(text, JsonKind::Number).filter(is_whole).or_else(|| other().ok().map(RawJson::from))
}

fn number(text: &str) -> Option<RawJson> {
    let other = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    kept(text, JsonKind::Number).or_else(|| whole(text)).or_else(|| other().map(RawJson::from))
}

/// The text itself, if it is JSON of that kind.
fn kept(text: &str, kind: JsonKind) -> Option<RawJson> {
    RawJson::parse(text.to_owned()).ok().filter(|value| value.kind() == kind)
}

fn words(text: &str) -> RawJson {
    Value::from(text).into()
}

/// Where nothing says what is wanted.
fn loose(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).unwrap_or_else(|_| words(text))
}

fn repeated(value: RawJson, before: Option<&RawJson>) -> Result<RawJson, String> {
    match before {
        None => Ok(value),
        Some(before) => with(items(before).unwrap_or_else(|| vec![before.clone()]), value),
    }
}

/// The items of an array; `None` for other values.
fn items(value: &RawJson) -> Option<Vec<RawJson>> {
    value.decode().ok()
}

fn with(mut items: Vec<RawJson>, item: RawJson) -> Result<RawJson, String> {
    items.push(item);
    RawJson::encode(&items).map_err(|why| why.to_string())
}

fn wanted(what: &str, text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("want {what}, not {short}")
}
