//! The same for the facades: what their languages know of revisions is generated from
//! the engine's table.
//!
//! Owns: finding revisions and comparisons in text of Python, TypeScript, Kotlin and Swift.
//! Must not know: Rust tokens.

use super::{Finding, Tree};
use crate::tree::File;

/// Operators that order two values.
const ORDERING: &[&str] = &["<", ">", "<=", ">="];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_facade(file)) {
        let code = file.text.lines().enumerate().filter(|(_, line)| !is_comment(line));
        for (index, line) in code {
            for revision in literals(line) {
                let message =
                    format!("{revision} outside the tables: take it, or a property of it, from them");
                findings.push(Finding::new(&file.path, index + 1, message));
            }
            if compares(line) {
                let message = "revisions are compared: the table should say what is wanted of them";
                findings.push(Finding::new(&file.path, index + 1, message));
            }
        }
    }
    findings
}

/// What users install, besides what the generator writes.
fn is_facade(file: &File) -> bool {
    const FOLDERS: [&str; 4] = [
        "bindings-python/python/",
        "bindings-node/ts/",
        "bindings-uniffi/kotlin/src/main/",
        "bindings-uniffi/swift/Sources/",
    ];
    FOLDERS.iter().any(|folder| file.path.starts_with(folder))
        && file.is_code()
        && !file.is_test()
        && !file.text.contains("Written by `cargo xtask generate`")
}

/// A line that is a comment, or a line of one.
fn is_comment(line: &str) -> bool {
    ["#", "//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark))
}

/// The revisions among a line's texts: nothing but a date between quotes.
fn literals(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, quote) in line.char_indices().filter(|(_, c)| matches!(c, '"' | '\'' | '`')) {
        let rest = &line[at + 1..];
        if let Some(text) = rest.get(..10).filter(|text| is_date(text) && rest[10..].starts_with(quote)) {
            found.push(text);
        }
    }
    found
}

/// `2025-11-25` and its like.
fn is_date(text: &str) -> bool {
    text.starts_with("20")
        && text
            .bytes()
            .enumerate()
            .all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() })
}

/// Whether a name of a revision stands beside an operator that orders.
fn compares(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words
        .windows(3)
        .any(|three| ORDERING.contains(&three[1]) && (is_revision(three[0]) || is_revision(three[2])))
}

/// A name that ends in `revision` or `version`, with what may stand around it.
fn is_revision(word: &str) -> bool {
    let name = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_lowercase();
    name.ends_with("revision") || name.ends_with("version")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON: &str = "bindings-python/python/mcpbolt/client/a.py";
    const NODE: &str = "bindings-node/ts/internal/a.ts";
    const KOTLIN: &str = "bindings-uniffi/kotlin/src/main/dev/mcpbolt/A.kt";
    const SWIFT: &str = "bindings-uniffi/swift/Sources/MCPBolt/A.swift";

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of_one(path, text)).len()
    }

    #[test]
    fn revisions_in_quotes_are_found() {
        assert_eq!(found(PYTHON, "LATEST = \"2025-11-25\""), 1);
        assert_eq!(found(NODE, "const ALL = ['2025-11-25', `2026-07-28`];"), 2);
        assert_eq!(found(KOTLIN, "const val LATEST = \"2026-07-28\""), 1);
        assert_eq!(found(SWIFT, "if revision == \"2026-07-28\" { return }"), 1);
    }

    #[test]
    fn ordered_revisions_are_found() {
        assert_eq!(found(PYTHON, "if protocol_version >= RESUMING:"), 1);
        assert_eq!(found(PYTHON, "return FIRST <= self.revision"), 1);
        assert_eq!(found(NODE, "if (store === undefined || version < RESUMING) return;"), 1);
        assert_eq!(found(KOTLIN, "return about.revision > oldest"), 1);
        assert_eq!(found(SWIFT, "guard protocolVersion >= first else { return }"), 1);
    }

    #[test]
    fn sentences_comments_and_types_are_not() {
        assert_eq!(found(PYTHON, "\"\"\"Since 2026-07-28.\"\"\"\n# As \"2025-11-25\" has it"), 0);
        assert_eq!(found(NODE, "/**\n * Without `2026-07-28` nothing is sent.\n */"), 0);
        assert_eq!(found(NODE, "const known: Map<Version, Set<Revision>> = (version) => new Map();"), 0);
        assert_eq!(found(SWIFT, "func of(_ revision: String) -> Bool { known.contains(revision) }"), 0);
        assert_eq!(found(KOTLIN, "val dates = listOf(\"2025-11-2\", \"12025-11-25\")"), 0);
    }

    #[test]
    fn tests_and_generated_files_are_not() {
        let latest = "LATEST = \"2025-11-25\"";
        assert_eq!(found("bindings-python/tests/test_a.py", latest), 0);
        assert_eq!(found("bindings-uniffi/kotlin/src/test/dev/mcpbolt/A.kt", latest), 0);
        assert_eq!(found("examples/python/a.py", latest), 0);
        let written = "# Written by `cargo xtask generate`; do not edit.\n".to_owned() + latest;
        assert_eq!(found("bindings-python/python/mcpbolt/_engine/protocol.py", &written), 0);
    }
}
