//! What documentation says in every language, before it has the form of one.
//!
//! Must not know: comments, docstrings, or which types there are.

use crate::api::{Api, Deprecation, MethodRow};

/// What a request or a notification is.
pub(crate) fn message_doc(row: &MethodRow) -> String {
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
    format!("{what} `{}` {from}.{since}", row.name)
}

/// The text for a language's own objects, which are equal in value, not in bytes; and the
/// deprecation to be told in the language's way, which the text does not tell then.
pub(crate) fn told<'a>(
    api: &'a Api,
    doc: &str,
    deprecated: Option<&str>,
) -> (String, Option<&'a Deprecation>) {
    let doc = doc.replace(", byte for byte as given", "").replace(", byte for byte", "");
    let row = deprecated.and_then(|name| api.deprecations.iter().find(|row| row.feature == name));
    let Some(row) = row else { return (doc, None) };
    let Deprecation { reference, since, earliest_removal, .. } = row;
    let said = format!("Deprecated since {since} ({reference}); earliest removal {earliest_removal}.");
    (doc.replace(&said, "").trim().to_owned(), Some(row))
}

/// Why a feature is on its way out, since when, and what to use.
pub(crate) fn going(row: &Deprecation) -> String {
    let Deprecation { feature, reference, since, earliest_removal, instead } = row;
    format!("{feature}, since {since} ({reference}); earliest removal {earliest_removal}. {instead}")
}

/// Words in lines of at most so many characters.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
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
