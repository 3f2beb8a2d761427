//! Python as text: names, annotations, documentation.
//!
//! Must not know: which classes there are.

use super::face::Face;
use super::module::LINE;
use crate::api::{Api, Deprecation, Expr, Field, Notes, Shape};
use crate::words;

const WIDTH: usize = 96;

/// `inputSchema` as `input_schema`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// The annotation of an expression.
pub(super) fn annotation(api: &Api, face: &Face, expr: &Expr) -> String {
    let inner = |expr| annotation(api, face, expr);
    match expr {
        Expr::String => "str".to_owned(),
        Expr::Integer => "int".to_owned(),
        Expr::Number => "float".to_owned(),
        Expr::Boolean => "bool".to_owned(),
        Expr::Json => "Any".to_owned(),
        Expr::Object => "dict[str, Any]".to_owned(),
        Expr::Const(text) => format!("Literal[\"{text}\"]"),
        Expr::List(of) => format!("list[{}]", inner(of)),
        Expr::Map(of) => format!("dict[str, {}]", inner(of)),
        Expr::Union(all) => all.iter().map(inner).collect::<Vec<_>>().join(" | "),
        Expr::Ref(name) => match face.name_of(name) {
            Some(known) => known.to_owned(),
            None if name == "RequestId" => name.clone(),
            // The face has no name for it: what it is made of.
            None => match api.find(name).map(|found| &found.shape) {
                Some(Shape::Alias { of }) => inner(of),
                Some(Shape::Union { of, .. }) => inner(&Expr::Union(of.clone())),
                Some(Shape::Enum { .. }) => "str".to_owned(),
                Some(Shape::Object { .. }) | None => "dict[str, Any]".to_owned(),
            },
        },
    }
}

/// `@Enum` replaced by its literals.
pub(super) fn literals(api: &Api, text: &str) -> Result<String, String> {
    let Some((before, rest)) = text.split_once('@') else { return Ok(text.to_owned()) };
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    match api.find(name).map(|found| &found.shape) {
        Some(Shape::Enum { values, .. }) => {
            let values: Vec<_> = values.iter().map(|value| format!("\"{}\"", value.value)).collect();
            Ok(format!("{before}Literal[{}]{}", values.join(", "), literals(api, after)?))
        }
        _ => Err(format!("{name} is no enum")),
    }
}

/// What the documentation of a type, field or message says beside its own text.
pub(super) fn with_notes(api: &Api, doc: &str, deprecated: Option<&str>) -> String {
    let (doc, row) = words::told(api, doc, deprecated);
    let Some(Deprecation { feature, reference, since, earliest_removal, instead }) = row else { return doc };
    let why = format!("{feature}, {reference}; earliest removal {earliest_removal}. {instead}");
    format!("{doc}\n\n.. deprecated:: {since}\n{}", indent(&wrap(&why, WIDTH - 8), "   "))
}

/// As [`with_notes`], for a field.
pub(super) fn field_doc(api: &Api, field: &Field) -> String {
    with_notes(api, &field.doc, deprecated(&field.notes))
}

/// The feature that is on its way out.
pub(super) fn deprecated(notes: &Notes) -> Option<&str> {
    notes.deprecated
}

/// A docstring, indented.
pub(super) fn docstring(text: &str, margin: &str) -> String {
    let width = WIDTH - margin.len();
    let paragraphs: Vec<String> = text
        .split("\n\n")
        .map(|part| if part.contains("\n   ") { part.to_owned() } else { wrap(part, width - 6) })
        .collect();
    let text = paragraphs.join("\n\n");
    if text.contains('\n') {
        format!("{margin}\"\"\"{}\n{margin}\"\"\"\n", indent(&text, margin).trim_start())
    } else {
        format!("{margin}\"\"\"{text}\"\"\"\n")
    }
}

fn wrap(text: &str, width: usize) -> String {
    words::wrap(text, width).join("\n")
}

fn indent(text: &str, margin: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{margin}{line}") };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A statement, broken at `|` or inside brackets when it is too long for a line.
pub(super) fn assignment(name: &str, head: &str, value: &str) -> String {
    let line = format!("{name}{head} = {value}\n");
    if line.chars().count() <= LINE {
        return line;
    }
    let parts: Vec<_> = value.split(" | ").collect();
    format!("{name}{head} = (\n    {}\n)\n", parts.join("\n    | "))
}
