//! Documentation as JSDoc.
//!
//! Must not know: which types there are.

use crate::api::{Api, Field, MethodRow, Type};
use crate::words::{self, wrap};
use std::fmt::Write as _;

const WIDTH: usize = 104;

/// What a type is.
pub(super) fn type_doc(api: &Api, found: &Type) -> String {
    with_notes(api, &found.doc, found.notes.deprecated)
}

/// What a member is.
pub(super) fn field_doc(api: &Api, field: &Field) -> String {
    with_notes(api, &field.doc, field.notes.deprecated)
}

/// What a request or a notification is.
pub(super) fn message_doc(api: &Api, row: &MethodRow) -> String {
    with_notes(api, &words::message_doc(row), row.deprecated)
}

/// With a `@deprecated` tag for what is on its way out.
fn with_notes(api: &Api, doc: &str, deprecated: Option<&str>) -> String {
    let (doc, row) = words::told(api, doc, deprecated);
    let Some(row) = row else { return doc };
    format!("{doc}\n@deprecated {}", words::going(row))
}

/// As a comment, indented.
pub(super) fn comment(text: &str, margin: &str) -> String {
    let text = text.replace("*/", "* /");
    let width = WIDTH - margin.len();
    let lines: Vec<String> = text.lines().flat_map(|line| wrap(line, width)).collect();
    if let [only] = lines.as_slice() {
        return format!("{margin}/** {only} */\n");
    }
    let mut out = format!("{margin}/**\n");
    for line in lines {
        let _ = writeln!(out, "{margin} * {line}");
    }
    out + &format!("{margin} */\n")
}

/// A statement, broken at `|` when it is too long for a line.
pub(super) fn broken(head: &str, value: &str) -> String {
    let line = format!("{head} {value};\n");
    if line.chars().count() <= WIDTH + 4 || !value.contains(" | ") || value.contains('{') {
        return line;
    }
    format!("{head}\n  | {};\n", value.replace(" | ", "\n  | "))
}
