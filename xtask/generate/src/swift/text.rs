//! Words and comments of Swift.
//!
//! Must not know: which types there are.

use std::fmt::Write as _;

use crate::api::Api;
use crate::words::{going, told, wrap};

const WIDTH: usize = 100;

/// Keywords that are members of the protocol's types.
const RESERVED: &[&str] = &["default", "enum", "private", "public"];

/// A documentation comment, with what is to be said of a deprecation.
pub(super) fn comment(api: &Api, doc: &str, deprecated: Option<&str>, margin: &str) -> String {
    let (doc, row) = told(api, doc, deprecated);
    let mut out = String::new();
    for line in wrap(&doc, WIDTH - margin.len()) {
        let _ = writeln!(out, "{margin}/// {line}");
    }
    if let Some(row) = row {
        let why = format!("- Warning: Deprecated: {}", going(row));
        let _ = writeln!(out, "{margin}///");
        for line in wrap(&why, WIDTH - margin.len()) {
            let _ = writeln!(out, "{margin}/// {line}");
        }
    }
    out
}

/// A name as Swift takes it.
pub(super) fn word(name: &str) -> String {
    if RESERVED.contains(&name) { format!("`{name}`") } else { name.to_owned() }
}

/// A value of an enum as a name.
pub(super) fn case(value: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for letter in value.chars() {
        if letter.is_alphanumeric() {
            if upper {
                out.extend(letter.to_uppercase());
            } else {
                out.push(letter);
            }
            upper = false;
        } else {
            upper = true;
        }
    }
    word(&out)
}

/// A literal.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
