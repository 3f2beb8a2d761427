//! Each file of the core says at its top what it owns and what it must not know.
//!
//! Owns: the two phrases and where they have to stand. Must not know: whether what they say
//! is true; that is for readers.

use super::{Finding, Tree};

/// Folders whose files must have it.
const FOLDERS: &[&str] = &["core/proto/src/", "core/src/", "cli/src/", "inspector/src/"];
/// What must be said, in words that fit a sentence at its beginning and in its middle.
const PHRASES: &[&str] = &["Owns", "ust not know"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        if !FOLDERS.iter().any(|folder| file.path.starts_with(folder)) {
            continue;
        }
        let header = header(&file.text);
        let missing: Vec<_> = PHRASES.iter().filter(|phrase| !header.contains(*phrase)).collect();
        if !missing.is_empty() {
            let message = if missing.len() == PHRASES.len() {
                "the //! lines at the top do not say what the file owns and what it must not know"
            } else if *missing[0] == PHRASES[0] {
                "the //! lines at the top do not say what the file owns (\"Owns: …\")"
            } else {
                "the //! lines at the top do not say what the file must not know (\"Must not know: …\")"
            };
            findings.push(Finding::new(&file.path, 1, message));
        }
    }
    findings
}

/// The module's documentation as one line.
fn header(text: &str) -> String {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//!"));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of_one(path, text)).len()
    }

    #[test]
    fn both_phrases_must_stand_at_the_top() {
        let whole = "//! Queues.\n//!\n//! Owns: the order. Must not\n//! know: sockets.\n\nuse a::B;\n";
        assert_eq!(found("core/src/a.rs", whole), 0);
        for text in
            ["", "//! Owns: the order.", "//! Must not know: sockets.", "// Owns: a. Must not know: b."]
        {
            assert_eq!(found("core/proto/src/a.rs", text), 1, "{text}");
        }
    }

    #[test]
    fn tests_and_other_folders_are_free() {
        for path in ["core/src/a/tests.rs", "core/tests/a.rs", "xtask/src/a.rs"] {
            assert_eq!(found(path, ""), 0, "{path}");
        }
    }
}
