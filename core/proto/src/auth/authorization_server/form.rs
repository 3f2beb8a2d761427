//! Parameters of a request.
//!
//! Owns: which are there and of which kind, and what is said of those that are not, in the words
//! of the libraries by which the official packages check them. Must not know: endpoints.

use serde_json::{Map, Value, json};
use url::Url;

use crate::auth::words::Words;

/// What a parameter has to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Text,
    Url,
    /// A URL whose error has these words in TypeScript.
    UrlSaying(&'static str),
    OneOf(&'static [&'static str]),
    /// Where the Python packages take any text, and those of TypeScript a URL.
    Resource,
}

/// A parameter: its name, what it is, whether it has to be there.
pub(super) type Rule = (&'static str, Kind, bool);

/// What is wrong with the parameters, as the official package says it, and with which of them.
pub(super) struct Wrong {
    pub(super) words: String,
    names: Vec<(&'static str, bool)>,
}

impl Wrong {
    /// Whether this parameter has a value, but not one of those allowed.
    pub(super) fn is_other(&self, name: &str) -> bool {
        self.names.iter().any(|(wrong, other)| *wrong == name && *other)
    }
}

/// Checks the parameters of a form; the result has those that are named and there. `within` goes
/// before the names of Python.
pub(super) fn read(
    form: Option<&Value>,
    rules: &[Rule],
    words: Words,
    within: &str,
) -> Result<Map<String, Value>, Wrong> {
    let none = Map::new();
    let given = match form {
        Some(Value::Object(given)) => given,
        _ if words.is_python() => &none,
        other => return Err(not_an_object(other)),
    };
    let (mut found, mut names, mut said) = (Map::new(), Vec::new(), Vec::new());
    for (name, kind, required) in rules {
        let value = given.get(*name);
        if value.is_none() && !required {
            continue;
        }
        match judge(value, *kind, words) {
            None => drop(found.insert((*name).to_owned(), value.cloned().unwrap_or_default())),
            Some(finding) => {
                names.push((*name, value.is_some()));
                said.push((*name, finding));
            }
        }
    }
    if said.is_empty() {
        return Ok(found);
    }
    let words = if words.is_python() { lines(&said, within) } else { issues(&said) };
    Err(Wrong { words, names })
}

/// What is wrong with one value. For Python a sentence, for TypeScript the members of an issue,
/// to which path and message are added.
struct Finding {
    members: Vec<(&'static str, Value)>,
    message: String,
}

fn judge(value: Option<&Value>, kind: Kind, words: Words) -> Option<Finding> {
    let python = words.is_python();
    match (kind, value) {
        (Kind::OneOf(allowed), Some(Value::String(text))) if allowed.contains(&text.as_str()) => None,
        (_, None) if python => Some(sentence("Field required")),
        (Kind::OneOf(allowed), _) if python => {
            let quoted: Vec<String> = allowed.iter().map(|word| format!("'{word}'")).collect();
            Some(sentence(&format!("Input should be {}", quoted.join(" or "))))
        }
        (Kind::OneOf(allowed), _) => Some(Finding {
            members: vec![("code", "invalid_value".into()), ("values", json!(allowed))],
            message: format!("Invalid input: expected \"{}\"", allowed.join("\"|\"")),
        }),
        (Kind::Url | Kind::UrlSaying(_), Some(value)) if python && !value.is_string() => {
            Some(sentence("URL input should be a string or URL"))
        }
        (_, Some(Value::String(text))) => judge_text(text, kind, python),
        _ if python => Some(sentence("Input should be a valid string")),
        (_, other) => Some(Finding {
            members: vec![("expected", "string".into()), ("code", "invalid_type".into())],
            message: format!("Invalid input: expected string, received {}", kind_of(other)),
        }),
    }
}

fn judge_text(text: &str, kind: Kind, python: bool) -> Option<Finding> {
    if matches!(kind, Kind::Text | Kind::OneOf(_)) || (python && matches!(kind, Kind::Resource)) {
        return None;
    }
    let why = Url::parse(text).err()?;
    Some(match kind {
        _ if python && text.is_empty() => sentence("Input should be a valid URL, input is empty"),
        _ if python => sentence(&format!("Input should be a valid URL, {why}")),
        Kind::UrlSaying(said) => {
            Finding { members: vec![("code", "custom".into())], message: said.to_owned() }
        }
        _ => Finding {
            members: vec![("code", "invalid_format".into()), ("format", "url".into())],
            message: "Invalid URL".to_owned(),
        },
    })
}

fn sentence(message: &str) -> Finding {
    Finding { members: Vec::new(), message: message.to_owned() }
}

fn lines(said: &[(&str, Finding)], within: &str) -> String {
    let line = |(name, finding): &(&str, Finding)| format!("{within}{name}: {}", finding.message);
    said.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn issues(said: &[(&str, Finding)]) -> String {
    let issue = |(name, finding): &(&str, Finding)| {
        let members = finding.members.iter().map(|(member, value)| ((*member).to_owned(), value.clone()));
        let mut issue: Map<String, Value> = members.collect();
        issue.insert("path".to_owned(), json!([name]));
        issue.insert("message".to_owned(), finding.message.as_str().into());
        Value::Object(issue)
    };
    pretty(said.iter().map(issue).collect())
}

fn not_an_object(given: Option<&Value>) -> Wrong {
    let message = format!("Invalid input: expected object, received {}", kind_of(given));
    let issue = json!({"expected": "object", "code": "invalid_type", "path": [], "message": message});
    Wrong { words: pretty(vec![issue]), names: Vec::new() }
}

fn pretty(issues: Vec<Value>) -> String {
    serde_json::to_string_pretty(&Value::Array(issues)).unwrap_or_default()
}

const fn kind_of(value: Option<&Value>) -> &'static str {
    match value {
        None => "undefined",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "boolean",
        Some(Value::Number(_)) => "number",
        Some(Value::String(_)) => "string",
        Some(Value::Array(_)) => "array",
        Some(Value::Object(_)) => "object",
    }
}
