//! Arguments as most tools have them: an object of strings, numbers and booleans.
//!
//! Owns: telling such schemas from others, and accepting values that surely fit them,
//! straight from their text. Whatever is in doubt goes to the library, which also words
//! every violation; it is not compiled before. Must not know: the library.

use std::sync::{Arc, OnceLock};

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::schema_budget;
use serde_json::{Map, Value};

use super::compile::compile;
use super::dialect;
use super::validator::{CompileOptions, Validator, Violation, of_the_whole};

/// Most members a schema may describe to be looked at this way.
const MAX_MEMBERS: usize = 32;
/// Most digits of a number that is accepted unseen: every parser takes them exactly.
const MAX_DIGITS: usize = 15;

/// One described member.
struct Member {
    name: String,
    kind: Kind,
    required: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Flag,
    Integer,
    Number,
}

/// A validator of a plain schema; the library's is behind it.
struct Plain {
    members: Vec<Member>,
    required: usize,
    schema: RawJson,
    options: CompileOptions,
    library: OnceLock<Result<Arc<dyn Validator>, Error>>,
}

/// A validator, if the schema is plain and within its budget.
pub(super) fn validator(schema: &RawJson, options: &CompileOptions) -> Option<Arc<dyn Validator>> {
    schema_budget::check(schema, &options.budget).ok()?;
    let value: Value = schema.decode().ok()?;
    let members = members(&value)?;
    let required = members.iter().filter(|member| member.required).count();
    let (schema, options) = (schema.clone(), options.clone());
    Some(Arc::new(Plain { members, required, schema, options, library: OnceLock::new() }))
}

/// The members of a plain schema; `None` for any other.
fn members(schema: &Value) -> Option<Vec<Member>> {
    let words = schema.as_object()?;
    let known = ["$schema", "type", "title", "description", "properties", "required"];
    if dialect::refuse(schema).is_some() || words.keys().any(|word| !known.contains(&word.as_str())) {
        return None;
    }
    if schema.get("type")? != "object" || !annotated(words) {
        return None;
    }
    let none = Map::new();
    let properties = words.get("properties").map_or(Some(&none), Value::as_object)?;
    let required: Vec<&str> = match words.get("required") {
        None => Vec::new(),
        Some(names) => names.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?,
    };
    let described = required.iter().all(|name| properties.contains_key(*name));
    if !described || properties.len() > MAX_MEMBERS {
        return None;
    }
    let member = |(name, schema): (&String, &Value)| {
        let required = required.contains(&name.as_str());
        Some(Member { name: name.clone(), kind: kind(schema.as_object()?)?, required })
    };
    properties.iter().map(member).collect()
}

/// The kind of values a member's schema asks for, if it asks for nothing else.
fn kind(schema: &Map<String, Value>) -> Option<Kind> {
    let known = ["type", "title", "description", "default", "examples"];
    if schema.keys().any(|word| !known.contains(&word.as_str())) || !annotated(schema) {
        return None;
    }
    if schema.get("examples").is_some_and(|examples| !examples.is_array()) {
        return None;
    }
    match schema.get("type")?.as_str()? {
        "string" => Some(Kind::Text),
        "boolean" => Some(Kind::Flag),
        "integer" => Some(Kind::Integer),
        "number" => Some(Kind::Number),
        _ => None,
    }
}

/// Whether title and description are what a schema may have there.
fn annotated(schema: &Map<String, Value>) -> bool {
    ["title", "description"].iter().all(|word| schema.get(*word).is_none_or(Value::is_string))
}

impl Kind {
    /// Whether a value surely is of this kind, and surely can be read.
    fn takes(self, value: &RawJson) -> bool {
        let digits = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            digits.len() <= MAX_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        match self {
            // An escaped surrogate may lack its other half.
            Self::Text => value.kind() == JsonKind::String && !has_unicode_escape(value.as_bytes()),
            Self::Flag => value.kind() == JsonKind::Bool,
            Self::Integer | Self::Number => value.kind() == JsonKind::Number && digits(value.as_str()),
        }
    }
}

/// Whether a text may hold `\u`; one that holds no backslash at all is told at once.
fn has_unicode_escape(text: &[u8]) -> bool {
    let from = memchr::memchr(b'\\', text);
    from.is_some_and(|from| memchr::memmem::find(&text[from..], b"\\u").is_some())
}

impl Plain {
    fn surely_fits(&self, value: &RawJson) -> bool {
        let Some(object) = value.is_object().then(|| RawObject::parse(value)).flatten() else { return false };
        let mut required = 0;
        for (name, value) in object.iter() {
            let Some(member) = self.members.iter().find(|member| member.name == name) else { return false };
            if !member.kind.takes(value) {
                return false;
            }
            required += usize::from(member.required);
        }
        required == self.required
    }
}

impl Validator for Plain {
    fn validate(&self, value: &RawJson) -> Result<(), Vec<Violation>> {
        if self.surely_fits(value) {
            return Ok(());
        }
        match self.library.get_or_init(|| compile(&self.schema, &self.options)) {
            Ok(library) => library.validate(value),
            Err(error) => Err(vec![of_the_whole(value, &error.message)]),
        }
    }

    fn explain(&self, value: &RawJson) -> Result<(), RawJson> {
        if self.surely_fits(value) {
            return Ok(());
        }
        match self.library.get_or_init(|| compile(&self.schema, &self.options)) {
            Ok(library) => library.explain(value),
            Err(error) => Err(serde_json::json!({"says": [&error.message]}).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> RawJson {
        RawJson::parse(text.to_owned()).expect("JSON")
    }

    const SCHEMA: &str = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
        "properties":{"text":{"type":"string","description":"What"},"n":{"type":"integer"},
        "x":{"type":"number","default":1.5},"on":{"type":"boolean"}},"required":["text"]}"#;

    fn plain(schema: &str) -> Option<Vec<Member>> {
        members(&serde_json::from_str(schema).expect("JSON"))
    }

    #[test]
    fn anything_but_kinds_of_members_is_left_to_the_library() {
        assert_eq!(plain(SCHEMA).map(|members| members.len()), Some(4));
        for schema in [
            r#"{"type":"object","additionalProperties":false}"#,
            r#"{"type":"object","properties":{"a":{"type":"string","minLength":1}}}"#,
            r#"{"type":"object","properties":{"a":{"type":["string","null"]}}}"#,
            r#"{"type":"object","properties":{"a":true}}"#,
            r#"{"type":"object","properties":{"a":{"type":"array"}}}"#,
            r#"{"type":"object","required":["a"]}"#,
            r#"{"type":"object","title":7}"#,
            r#"{"$schema":"https://example.org/mine","type":"object"}"#,
            r#"{"properties":{}}"#,
            "true",
        ] {
            assert!(plain(schema).is_none(), "{schema}");
        }
    }

    #[test]
    fn the_verdict_is_the_librarys_whatever_the_value() {
        let options = CompileOptions::default();
        let plain = validator(&raw(SCHEMA), &options).expect("plain");
        let library = compile(&raw(SCHEMA), &options).expect("a schema");
        let mut accepted = 0;
        for value in [
            r#"{"text":"hi"}"#,
            r#"{"text":"hi","n":-7,"x":3,"on":false}"#,
            r#"{"text":"hi","more":[1]}"#,
            r#"{"text":"\ud83d\ude00 \n"}"#,
            r#"{"text":"\ud800"}"#,
            r#"{"text":7}"#,
            r#"{"text":null}"#,
            r#"{"n":1}"#,
            r#"{"text":"hi","n":1.0}"#,
            r#"{"text":"hi","n":1.5}"#,
            r#"{"text":"hi","n":1e2}"#,
            r#"{"text":"hi","n":12345678901234567890}"#,
            r#"{"text":"hi","x":1e999}"#,
            r#"{"text":"hi","x":1.25}"#,
            r#"{"text":"hi","on":"yes"}"#,
            r#"{"te\u0078t":"hi"}"#,
            "{}",
            "[]",
            "\"text\"",
        ] {
            let value = raw(value);
            assert_eq!(plain.validate(&value), library.validate(&value), "{}", value.as_str());
            accepted += usize::from(plain.validate(&value).is_ok());
        }
        assert!((6..12).contains(&accepted), "{accepted}");
    }

    #[test]
    fn a_value_that_surely_fits_compiles_nothing() {
        let value = raw(SCHEMA);
        let members = members(&value.decode().expect("JSON")).expect("plain");
        let options = CompileOptions::default();
        let plain = Plain { members, required: 1, schema: value, options, library: OnceLock::new() };
        assert_eq!(plain.validate(&raw(r#"{"text":"hi","n":3}"#)), Ok(()));
        assert!(plain.library.get().is_none());
        assert!(plain.validate(&raw("{}")).is_err());
        assert!(plain.library.get().is_some());
    }
}
