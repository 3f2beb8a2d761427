//! Documentation as `KDoc`, and words of the wire as names of Kotlin.
//!
//! Must not know: which types there are.

use crate::api::Api;
use crate::words::{self, wrap};
use std::fmt::Write as _;

const WIDTH: usize = 104;
/// The first revision of the modern era.
const MODERN: &str = "2026-07-28";

/// A comment, and the mark of what is on its way out. What only the modern era deprecates has the
/// comment alone: a compiler does not know which revision a program speaks, and clients begin with
/// the legacy ones.
pub(super) fn comment(api: &Api, doc: &str, deprecated: Option<&str>, margin: &str) -> String {
    let (mut doc, mut row) = words::told(api, doc, deprecated);
    if let Some(modern) = row.take_if(|row| row.since >= MODERN) {
        let _ = write!(doc, " Deprecated: {}", words::going(modern));
    }
    let doc = doc.replace("*/", "* /");
    let lines = wrap(&doc, WIDTH - margin.len());
    let mut out = String::new();
    if let [only] = lines.as_slice() {
        let _ = writeln!(out, "{margin}/** {only} */");
    } else {
        let _ = writeln!(out, "{margin}/**");
        for line in lines {
            let _ = writeln!(out, "{margin} * {line}");
        }
        let _ = writeln!(out, "{margin} */");
    }
    if let Some(row) = row {
        let _ = writeln!(out, "{margin}@Deprecated({})", literal(&words::going(row)));
    }
    out
}

/// A text of Kotlin.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}").replace('$', "\\$")
}

/// `input_required` as `InputRequired`.
pub(super) fn upper(word: &str) -> String {
    let parts = word.split(['_', '-', '/']).filter(|part| !part.is_empty());
    parts.map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}

/// The name of a member: `_meta` as `meta`.
pub(super) fn member(name: &str) -> &str {
    name.trim_start_matches(['_', '$'])
}
