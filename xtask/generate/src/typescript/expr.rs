//! Expressions of the face: read from text or taken from the surface, written as
//! TypeScript and as JSON Schema.
//!
//! Must not know: what stands where.

use super::face::Face;
use crate::api::{Api, Expr as Surface, Shape};

/// A type where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expr {
    /// One of [`WORDS`].
    Word(&'static Word),
    Name(String),
    Literal(String),
    /// The values of an enum of the surface.
    Values(Vec<String>),
    Map(Box<Expr>),
    List(Box<Expr>, Option<u32>),
    Union(Vec<Expr>),
    /// A union in which a member tells which it is.
    By(String, Vec<Expr>),
}

/// A type that needs no definition.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    name: &'static str,
    typescript: &'static str,
    schema: &'static str,
}

const fn word(name: &'static str, typescript: &'static str, schema: &'static str) -> Word {
    Word { name, typescript, schema }
}

const ANY_MEMBERS: &str = "{ [key: string]: unknown }";

const WORDS: &[Word] = &[
    word("string", "string", r#"{"type":"string"}"#),
    word("base64", "string", r#"{"type":"string","format":"byte"}"#),
    word("url", "string", r#"{"type":"string","format":"uri"}"#),
    word("safeurl", "string", r#"{"type":"string","format":"safe-uri"}"#),
    word("maybeurl", "string | undefined", r#"{"type":"string","format":"safe-uri","emptyIsAbsent":true}"#),
    word("lenient", "string", r#"{"type":"string","elseAbsent":true}"#),
    word("coerced", "number", r#"{"type":"number","coerced":true}"#),
    word("datetime", "string", r#"{"type":"string","format":"date-time"}"#),
    word("integer", "number", r#"{"type":"integer"}"#),
    word("natural", "number", r#"{"type":"integer","minimum":0}"#),
    word("number", "number", r#"{"type":"number"}"#),
    word("fraction", "number", r#"{"type":"number","minimum":0,"maximum":1}"#),
    word("boolean", "boolean", r#"{"type":"boolean"}"#),
    word("null", "null", r#"{"type":"null"}"#),
    word("unknown", "unknown", "{}"),
    word("object", "object", r#"{"type":["object","array"]}"#),
    word("record", ANY_MEMBERS, r#"{"type":"object"}"#),
    word("loose", ANY_MEMBERS, r#"{"type":"object","properties":{}}"#),
];

fn known(name: &str) -> Option<Expr> {
    WORDS.iter().find(|word| word.name == name).map(Expr::Word)
}

impl Expr {
    /// Reads an expression.
    pub(super) fn parse(api: &Api, text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some((member, rest)) = text.strip_prefix("by ").and_then(|rest| rest.split_once(": ")) {
            return Ok(Self::By(member.to_owned(), parts(api, rest)?));
        }
        let mut all = parts(api, text)?;
        let literals: Option<Vec<String>> = all.iter().map(Self::literal).collect();
        if let Some(values) = literals.filter(|values| values.len() > 1) {
            return Ok(Self::Values(values));
        }
        if all.len() == 1 { all.pop().ok_or_else(String::new) } else { Ok(Self::Union(all)) }
    }

    fn literal(&self) -> Option<String> {
        if let Self::Literal(text) = self { Some(text.clone()) } else { None }
    }

    fn one(api: &Api, text: &str) -> Result<Self, String> {
        if let Some(inner) = text.strip_suffix("[]") {
            return Ok(Self::List(Box::new(Self::one(api, inner)?), None));
        }
        if let Some((inner, max)) = text.strip_suffix(']').and_then(|rest| rest.split_once("[..")) {
            let max = max.parse().map_err(|_| format!("no number: {max}"))?;
            return Ok(Self::List(Box::new(Self::one(api, inner)?), Some(max)));
        }
        if let Some(inner) = text.strip_prefix("map<").and_then(|rest| rest.strip_suffix('>')) {
            return Ok(Self::Map(Box::new(Self::parse(api, inner)?)));
        }
        if let Some(value) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            return Ok(Self::Literal(value.to_owned()));
        }
        if let Some(name) = text.strip_prefix('@') {
            return values(api, name).ok_or_else(|| format!("{name} is no enum"));
        }
        Ok(known(text).unwrap_or_else(|| Self::Name(text.trim_matches(['(', ')']).to_owned())))
    }

    /// An expression of the surface in the names of the face.
    pub(super) fn of(api: &Api, face: &Face, surface: &Surface) -> Self {
        let of = |inner: &Surface| Self::of(api, face, inner);
        let plain = |name| known(name).unwrap_or_else(|| Self::Name(name.to_owned()));
        match surface {
            Surface::String => plain("string"),
            Surface::Integer => plain("integer"),
            Surface::Number => plain("number"),
            Surface::Boolean => plain("boolean"),
            Surface::Json => plain("unknown"),
            Surface::Object => plain("record"),
            Surface::Const(text) => Self::Literal(text.clone()),
            Surface::List(inner) => Self::List(Box::new(of(inner)), None),
            Surface::Map(inner) => Self::Map(Box::new(of(inner))),
            Surface::Union(all) => Self::Union(all.iter().map(of).collect()),
            Surface::Ref(name) => match face.name_of(name) {
                Some(known) => Self::Name(known.to_owned()),
                None => match api.find(name).map(|found| &found.shape) {
                    Some(Shape::Alias { of: inner }) => of(inner),
                    Some(Shape::Union { of: all, .. }) => Self::Union(all.iter().map(of).collect()),
                    Some(Shape::Enum { .. }) => plain("string"),
                    Some(Shape::Object { .. }) | None => plain("record"),
                },
            },
        }
    }

    /// The names it uses.
    pub(super) fn names<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Self::Name(name) => into.push(name),
            Self::Map(inner) | Self::List(inner, _) => inner.names(into),
            Self::Union(all) | Self::By(_, all) => all.iter().for_each(|each| each.names(into)),
            Self::Word(_) | Self::Literal(_) | Self::Values(_) => {}
        }
    }

    /// As TypeScript.
    pub(super) fn typescript(&self) -> String {
        match self {
            Self::Word(word) => word.typescript.to_owned(),
            Self::Name(name) => name.clone(),
            Self::Literal(text) => format!("'{text}'"),
            Self::Values(all) => quoted(all).join(" | "),
            Self::Map(inner) => format!("{{ [key: string]: {} }}", inner.typescript()),
            Self::List(inner, _) => match inner.as_ref() {
                several @ (Self::Union(_) | Self::Values(_)) => format!("({})[]", several.typescript()),
                one => format!("{}[]", one.typescript()),
            },
            Self::Union(all) | Self::By(_, all) => {
                all.iter().map(Self::typescript).collect::<Vec<_>>().join(" | ")
            }
        }
    }

    /// As JSON Schema; names are references.
    pub(super) fn schema(&self) -> String {
        let list = |all: &[Self]| all.iter().map(Self::schema).collect::<Vec<_>>().join(",");
        match self {
            Self::Word(word) => word.schema.to_owned(),
            Self::Name(name) => format!(r#"{{"$ref":"{name}"}}"#),
            Self::Literal(text) => format!(r#"{{"const":"{text}"}}"#),
            Self::Values(all) => format!(r#"{{"enum":["{}"]}}"#, all.join("\",\"")),
            Self::Map(inner) => format!(r#"{{"type":"object","additionalProperties":{}}}"#, inner.schema()),
            Self::List(inner, None) => format!(r#"{{"type":"array","items":{}}}"#, inner.schema()),
            Self::List(inner, Some(max)) => {
                format!(r#"{{"type":"array","items":{},"maxItems":{max}}}"#, inner.schema())
            }
            Self::Union(all) => format!(r#"{{"anyOf":[{}]}}"#, list(all)),
            Self::By(member, all) => format!(r#"{{"anyOf":[{}],"discriminator":"{member}"}}"#, list(all)),
        }
    }
}

fn quoted(all: &[String]) -> Vec<String> {
    all.iter().map(|value| format!("'{value}'")).collect()
}

fn values(api: &Api, name: &str) -> Option<Expr> {
    match &api.find(name)?.shape {
        Shape::Enum { values, .. } => Some(Expr::Values(values.iter().map(|v| v.value.clone()).collect())),
        _ => None,
    }
}

/// The parts between `|` that stand in no brackets.
fn parts(api: &Api, text: &str) -> Result<Vec<Expr>, String> {
    let mut depth = 0_i32;
    let is_bar = |letter: char| {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        letter == '|' && depth == 0
    };
    text.split(is_bar).map(|part| Expr::one(api, part.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(text: &str) -> Result<(String, String), String> {
        let expr = Expr::parse(&crate::api::read()?, text)?;
        Ok((expr.typescript(), expr.schema()))
    }

    #[test]
    fn an_expression_is_typescript_and_json_schema() {
        let name = r#"{"$ref":"Tool"}"#;
        for (text, typescript, schema) in [
            ("string[]", "string[]", r#"{"type":"array","items":{"type":"string"}}"#.to_owned()),
            ("Tool[..3]", "Tool[]", format!(r#"{{"type":"array","items":{name},"maxItems":3}}"#)),
            ("'a' | 'b'", "'a' | 'b'", r#"{"enum":["a","b"]}"#.to_owned()),
            (
                "map<integer | Tool>",
                "{ [key: string]: number | Tool }",
                format!(
                    r#"{{"type":"object","additionalProperties":{{"anyOf":[{{"type":"integer"}},{name}]}}}}"#
                ),
            ),
            ("by type: Tool", "Tool", format!(r#"{{"anyOf":[{name}],"discriminator":"type"}}"#)),
            ("(Tool)", "Tool", name.to_owned()),
            ("@Role", "'user' | 'assistant'", r#"{"enum":["user","assistant"]}"#.to_owned()),
        ] {
            assert_eq!(both(text), Ok((typescript.to_owned(), schema)), "{text}");
        }
    }

    #[test]
    fn what_is_no_enum_has_no_values() {
        assert_eq!(both("@Tool"), Err("Tool is no enum".to_owned()));
    }
}
