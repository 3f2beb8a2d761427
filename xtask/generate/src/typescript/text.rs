//! Documentation as JSDoc.
//!
//! Must not know: which types there are.

use crate::api::{Api, Deprecation, Field, MethodRow, Type};
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
    let from = match row.sent_by {
        "client" => "from the client",
        "server" => "from the server",
        _ => "from either side",
    };
    let what = if row.kind == "request" { "Request" } else { "Notification" };
    let since = match (row.since, row.until) {
        ("2024-11-05", None) => String::new(),
        ("2024-11-05", Some(last)) => format!(" Until {last}."),
        (first, Some(last)) if first == last => format!(" {first} only."),
        (first, None) => format!(" Since {first}."),
        (first, Some(last)) => format!(" {first} to {last}."),
    };
    with_notes(api, &format!("{what} `{}` {from}.{since}", row.name), row.deprecated)
}

/// With a `@deprecated` tag for what is on its way out.
fn with_notes(api: &Api, doc: &str, deprecated: Option<&str>) -> String {
    // Objects of JavaScript are equal in value, not in bytes.
    let doc = &doc.replace(", byte for byte as given", "").replace(", byte for byte", "");
    let row = deprecated.and_then(|name| api.deprecations.iter().find(|row| row.feature == name));
    let Some(Deprecation { feature, reference, since, earliest_removal, instead }) = row else {
        return doc.to_owned();
    };
    let said = format!("Deprecated since {since} ({reference}); earliest removal {earliest_removal}.");
    let doc = doc.replace(&said, "");
    let why =
        format!("{feature}, since {since} ({reference}); earliest removal {earliest_removal}. {instead}");
    format!("{}\n@deprecated {why}", doc.trim())
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

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A statement, broken at `|` when it is too long for a line.
pub(super) fn broken(head: &str, value: &str) -> String {
    let line = format!("{head} {value};\n");
    if line.chars().count() <= WIDTH + 4 || !value.contains(" | ") || value.contains('{') {
        return line;
    }
    format!("{head}\n  | {};\n", value.replace(" | ", "\n  | "))
}
