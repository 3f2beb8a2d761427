//! Only the version table, the method table, the wire codecs and negotiation
//! compare revisions; everybody else asks a revision for a feature.

mod facades;

use super::{Finding, Tree};
use crate::rust_source::Token;

const MAY: &[&str] = &[
    "core/proto/src/protocol/version",
    "core/proto/src/protocol/methods",
    "core/proto/src/protocol/wire",
    "core/proto/src/session/negotiate",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = facades::check(tree);
    let engine =
        tree.rust().filter(|(file, _)| file.path.starts_with("core/") || file.path.starts_with("bindings-"));
    for (file, source) in engine.filter(|(file, _)| !MAY.iter().any(|may| file.path.starts_with(may))) {
        for (index, token) in source.tokens.iter().enumerate().filter(|(_, token)| !token.in_test) {
            if names_revision(&token.text) {
                let message = format!("{} outside the tables: ask the revision for a feature", token.text);
                findings.push(Finding::new(&file.path, token.line, message));
            } else if is_revision_value(&token.text) && is_compared(&source.tokens, index) {
                findings.push(Finding::new(
                    &file.path,
                    token.line,
                    "revisions are compared: ask for a feature",
                ));
            }
        }
    }
    findings
}

/// `V2025_11_25` and its like.
fn names_revision(text: &str) -> bool {
    text.strip_prefix("V20").is_some_and(|rest| {
        rest.len() == 8
            && rest
                .bytes()
                .enumerate()
                .all(|(i, b)| if i == 2 || i == 5 { b == b'_' } else { b.is_ascii_digit() })
    })
}

fn is_revision_value(text: &str) -> bool {
    text == "revision" || text.ends_with("_revision") || text.starts_with("LATEST_")
}

/// `<`, `>`, `<=` or `>=` beside it, and not an arrow.
fn is_compared(tokens: &[Token], index: usize) -> bool {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
    let after = matches!(text(index + 1), "<" | ">");
    // A constant is compared where its type's name starts: `x < Revision::LATEST_LEGACY`.
    let index = if index >= 3 && text(index - 3) == "Revision" { index - 3 } else { index };
    let before = match index.checked_sub(1).map(text) {
        Some("<") => true,
        Some(">") => !matches!(index.checked_sub(2).map(text), Some("-" | "=")),
        Some("=") => matches!(index.checked_sub(2).map(text), Some("<" | ">")) && tokens[index - 2].joint,
        _ => false,
    };
    after || before
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of_one(path, text)).len()
    }

    #[test]
    fn naming_and_comparing_are_found() {
        let path = "core/src/server/mod.rs";
        assert_eq!(found(path, "fn f(r: R) -> bool { r == Revision::V2025_11_25 }"), 1);
        assert_eq!(found(path, "use mcpbolt_proto::protocol::Revision::{V2026_07_28, self};"), 1);
        assert_eq!(found(path, "fn f(s: S) -> bool { s.revision() >= x }"), 1);
        assert_eq!(found(path, "fn f() -> bool { x <= revision }"), 1);
        assert_eq!(found(path, "fn f() -> bool { r < Revision::LATEST_LEGACY }"), 1);
    }

    #[test]
    fn features_tables_arrows_and_tests_are_not() {
        let path = "core/src/server/mod.rs";
        assert_eq!(
            found(path, "fn f(s: S) -> bool { match s { A => revision, _ => s.revision().batches() } }"),
            0
        );
        assert_eq!(found(path, "let revision: Option<Revision> = x;"), 0);
        assert_eq!(found(path, "#[cfg(test)] mod t { const R: R = Revision::V2025_11_25; }"), 0);
        assert_eq!(found("core/proto/src/protocol/wire/legacy.rs", "const R: R = Revision::V2025_11_25;"), 0);
    }
}
