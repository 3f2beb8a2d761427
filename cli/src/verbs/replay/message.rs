//! What a recorded message is for whoever plays it.
//!
//! Owns: kinds of messages, and when two are the same. Must not know: files.

use serde_json::Value;

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Request,
    Notification,
    /// A result or an error.
    Answer,
    /// No message of JSON-RPC.
    Other,
}

pub(super) fn kind(message: &Value) -> Kind {
    match (message.get("method").is_some(), message.get("id").is_some()) {
        (true, true) => Kind::Request,
        (true, false) => Kind::Notification,
        (false, true) => Kind::Answer,
        (false, false) => Kind::Other,
    }
}

pub(super) fn method(message: &Value) -> &str {
    message.get("method").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn id(message: &Value) -> &Value {
    message.get("id").unwrap_or(&Value::Null)
}

/// Whether a client that says one now said the other then. Who it is may have changed: that is
/// in `_meta`, and in all of `initialize`.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    if kind(one) != kind(other) || method(one) != method(other) {
        return false;
    }
    match kind(one) {
        Kind::Answer => true,
        _ => method(one) == "initialize" || params(one) == params(other),
    }
}

fn params(message: &Value) -> Value {
    let mut params = message.get("params").cloned().unwrap_or_default();
    if let Some(members) = params.as_object_mut() {
        members.retain(|name, _| name != "_meta");
        if members.is_empty() {
            return Value::Null;
        }
    }
    params
}

/// Where two values differ first, as a JSON pointer.
pub(super) fn difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(ones), Value::Object(others)) => {
            let names = ones.keys().chain(others.keys().filter(|name| !ones.contains_key(*name)));
            names.into_iter().find_map(|name| match (ones.get(name), others.get(name)) {
                (Some(one), Some(other)) => difference(one, other).map(|rest| format!("/{name}{rest}")),
                _ => Some(format!("/{name}")),
            })
        }
        (Value::Array(ones), Value::Array(others)) if ones.len() == others.len() => {
            let pairs = ones.iter().zip(others).enumerate();
            pairs
                .into_iter()
                .find_map(|(at, (one, other))| difference(one, other).map(|rest| format!("/{at}{rest}")))
        }
        _ => (one != other).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn who_asks_does_not_matter_and_what_is_asked_does() {
        let asked = |params: Value| json!({"id": 1, "method": "m", "params": params});
        assert!(is_same(&asked(json!({"_meta": {"a": 1}})), &json!({"id": 2, "method": "m"})));
        assert!(!is_same(&asked(json!({"a": 1})), &asked(json!({"a": 2}))));
        assert!(!is_same(&asked(json!({})), &json!({"method": "m"})));
    }

    #[test]
    fn the_first_difference_is_a_pointer() {
        let (one, other) = (json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]}));
        assert_eq!(difference(&one, &other), Some("/a/1/b".to_owned()));
        assert_eq!(difference(&one, &json!({"a": one["a"], "c": 0})), Some("/c".to_owned()));
        assert_eq!(difference(&one, &one), None);
    }
}
