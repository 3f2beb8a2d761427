//! `KEY=VALUE` on the command line, read as a JSON Schema says. Numbers are never computed with: they
//! are sent as they were written.
//!
//! Owns: the forms of a pair, and where a value lands in the object. Must not know: whose
//! arguments they are.

mod value;

use std::io::Read as _;

use mcpbolt::schema::{CompileOptions, compile};
use mcpbolt::{RawJson, RawObject};
use serde_json::Value;

use crate::exit::Failure;
use crate::output::schema::{resolve, signature};

/// The arguments as an object that fits the schema.
pub(crate) fn read<'a>(
    words: impl IntoIterator<Item = &'a String>,
    schema: &Value,
) -> Result<RawJson, Failure> {
    let mut object = RawObject::new();
    for word in words {
        let (key, given) = pair(word)?;
        put(&mut object, schema, schema, key, given)?;
    }
    let object = object.to_raw();
    fits(&object, schema)?;
    Ok(object)
}

/// The arguments of something without a schema: all are text.
pub(crate) fn read_texts<'a>(
    words: impl IntoIterator<Item = &'a String>,
) -> Result<Vec<(String, String)>, Failure> {
    let mut texts = Vec::new();
    for word in words {
        let (name, value) = word.split_once('=').ok_or_else(|| no_pair(word))?;
        let text = match value.strip_prefix('@') {
            Some(file) => file_content(file)?,
            None => value.to_owned(),
        };
        texts.push((name.to_owned(), text));
    }
    Ok(texts)
}

/// One JSON object: as it is, `@FILE`, or `-` for standard input.
pub(crate) fn whole(text: &str) -> Result<RawJson, Failure> {
    let (text, place) = match (text, text.strip_prefix('@')) {
        ("-", _) => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|why| Failure::usage(format!("standard input: {why}")))?;
            (text, "standard input")
        }
        (_, Some(file)) => (file_content(file)?, file),
        _ => (text.to_owned(), "--arguments"),
    };
    let raw = RawJson::parse(text).map_err(|why| Failure::usage(format!("{place}: no JSON: {why}")))?;
    if raw.is_object() {
        Ok(raw)
    } else {
        Err(Failure::usage(format!("{place}: arguments are a JSON object")))
    }
}

/// What was given for a key.
enum Given<'a> {
    Text(String),
    Json(&'a str),
}

fn pair(word: &str) -> Result<(&str, Given<'_>), Failure> {
    let (key, value) = word.split_once('=').ok_or_else(|| no_pair(word))?;
    let (key, given) = match (key.strip_suffix(':'), value.strip_prefix('@')) {
        (Some(key), _) => (key, Given::Json(value)),
        (None, Some(file)) => (key, Given::Text(file_content(file)?)),
        (None, None) => (key, Given::Text(value.to_owned())),
    };
    if key.is_empty() { Err(no_pair(word)) } else { Ok((key, given)) }
}

fn no_pair(word: &str) -> Failure {
    Failure::usage(format!("{word} is no KEY=VALUE"))
        .remedy("a command of a server comes after --, a JSON object after --arguments")
}

fn file_content(file: &str) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|why| Failure::usage(format!("{file}: {why}")))
}

/// Puts a value where its key says. A key with dots leads into objects, unless the schema knows
/// it as it stands.
fn put(
    object: &mut RawObject,
    root: &Value,
    schema: &Value,
    key: &str,
    given: Given<'_>,
) -> Result<(), Failure> {
    let schema = resolve(root, schema);
    let property = |key: &str| schema.get("properties").and_then(|properties| properties.get(key));
    if let (None, Some((outer, inner))) = (property(key), key.split_once('.')) {
        let deeper = property(outer).unwrap_or(&Value::Null);
        let members = object.get(outer).map_or_else(|| Some(RawObject::new()), RawObject::parse);
        let mut members =
            members.ok_or_else(|| Failure::usage(format!("{outer} is given as a value and as an object")))?;
        put(&mut members, root, deeper, inner, given)?;
        object.set(outer, members.to_raw());
        return Ok(());
    }
    let fallback = schema.get("additionalProperties").filter(|schema| schema.is_object());
    let wanted = property(key).or(fallback);
    let value = match given {
        Given::Json(text) => {
            let text = text.to_owned();
            RawJson::parse(text).map_err(|why| Failure::usage(format!("{key}: no JSON: {why}")))?
        }
        Given::Text(text) => value::read(root, wanted, &text, object.get(key))
            .map_err(|why| Failure::usage(format!("{key}: {why}")))?,
    };
    object.set(key, value);
    Ok(())
}

/// Checks before anything is sent, so that a slip costs no round trip. A schema that cannot be
/// read checks nothing: the server will say.
fn fits(object: &RawJson, schema: &Value) -> Result<(), Failure> {
    let Ok(validator) = compile(&RawJson::from(schema), &CompileOptions::default()) else { return Ok(()) };
    let violations = match validator.validate(object) {
        Ok(()) => return Ok(()),
        Err(violations) => violations,
    };
    let said: Vec<String> = violations
        .iter()
        .map(|violation| match violation.instance_path.trim_start_matches('/') {
            "" => violation.message.clone(),
            path => format!("{}: {}", path.replace('/', "."), violation.message),
        })
        .collect();
    Err(Failure::usage(format!("the arguments do not fit: {}", said.join("; ")))
        .remedy(format!("it takes ({}); --arguments sends JSON without this check", signature(schema))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(words: &[&str], schema: &Value) -> Result<Value, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let read = read(&words, schema).map_err(|failure| failure.message)?;
        Ok(read.decode().expect("JSON"))
    }

    #[test]
    fn values_become_what_the_schema_wants() {
        let schema = json!({"properties": {
            "n": {"type": "integer"}, "x": {"type": "number"}, "on": {"type": "boolean"},
            "s": {"type": "string"}, "list": {"type": "array", "items": {"type": "integer"}},
            "maybe": {"type": ["integer", "null"]}, "either": {"anyOf": [{"type": "number"}, {"type": "string"}]},
            "level": {"enum": [1, "high"]},
        }});
        let words =
            ["n=3", "x=1e3", "on=true", "s=7", "list=1", "list=2", "maybe=null", "either=four", "level=1"];
        assert_eq!(
            given(&words, &schema),
            Ok(json!({"n": 3, "x": 1000.0, "on": true, "s": "7", "list": [1, 2], "maybe": null,
                "either": "four", "level": 1}))
        );
        assert_eq!(given(&["list=[4,5]", "s:=\"x\""], &schema), Ok(json!({"list": [4, 5], "s": "x"})));
        assert_eq!(given(&["n=x"], &schema), Err("n: want an integer, not x".to_owned()));
        assert_eq!(given(&["on=yes"], &schema), Err("on: want true or false, not yes".to_owned()));
    }

    #[test]
    fn numbers_stay_as_they_are_written() {
        let big = "12345678901234567890123";
        let schema = json!({"properties": {
            "i": {"type": "integer"}, "x": {"type": "number"}, "list": {"type": "array"},
            "o": {"type": "object"},
        }});
        let words = ["i=", "x=-0.10", "x2:=", "any=", "list=", "list=1e2", "o={\"y\":1e2}", "p.q="];
        let words: Vec<String> = words
            .iter()
            .map(|word| if word.ends_with('=') { format!("{word}{big}") } else { (*word).to_owned() })
            .collect();
        let object = read(&words, &schema).expect("it fits");
        assert_eq!(
            object.as_str(),
            format!(
                r#"{{"i":{big},"x":-0.10,"x2":{big},"any":{big},"list":[{big},1e2],"o":{{"y":1e2}},"p":{{"q":{big}}}}}"#
            )
        );
    }

    #[test]
    fn dots_lead_into_objects() {
        let schema = json!({
            "properties": {"user": {"$ref": "#/$defs/user"}, "a.b": {"type": "integer"}},
            "$defs": {"user": {"type": "object", "properties": {"age": {"type": "integer"}}}},
        });
        assert_eq!(
            given(&["user.age=5", "user.name=Ada", "a.b=1"], &schema),
            Ok(json!({"user": {"age": 5, "name": "Ada"}, "a.b": 1}))
        );
        assert!(given(&["user={}", "user.age=5"], &schema).is_ok());
        assert!(given(&["user=[]", "user.age=5"], &schema).is_err());
    }

    #[test]
    fn without_a_schema_json_is_json_and_the_rest_is_text() {
        assert_eq!(given(&["a=1", "b=two", "c=[1]"], &json!({})), Ok(json!({"a": 1, "b": "two", "c": [1]})));
    }

    #[test]
    fn what_is_missing_or_too_much_is_said_before_anything_is_sent() {
        let schema = json!({"properties": {"a": {"type": "number"}}, "required": ["a"], "additionalProperties": false});
        let missing = given(&[], &schema).expect_err("a is missing");
        assert!(missing.contains('a'), "{missing}");
        let unknown = given(&["a=1", "b=2"], &schema).expect_err("b is unknown");
        assert!(unknown.contains('b'), "{unknown}");
    }
}
