//! Files of at most 500 lines, those of TypeScript's faces and of the Python package of at most
//! 400; functions of at most 60, in Python their bodies: signatures of the official package are
//! long.
//!
//! `docs/lint-exceptions.txt` names the exceptions. It may only shrink: an entry
//! that is no longer needed, one that grew, and one entry more than recorded fail.

use super::{Finding, Tree};
use crate::python_source;
use std::collections::BTreeSet;

const FILE_LINES: usize = 500;
/// The limit of folders whose files are all shorter already.
const SHORT_FILE_LINES: usize = 400;
const SHORT: [&str; 5] = [
    PYTHON_PACKAGE,
    "bindings-node/ts/common/",
    "bindings-node/ts/protocol/",
    "bindings-node/ts/v1/",
    "bindings-node/ts/v2/",
];
const FUNCTION_LINES: usize = 60;
const PYTHON_PACKAGE: &str = "bindings-python/python/";
/// What a generated Python file says of itself.
const GENERATED: &str = "Written by `cargo xtask generate`";
const EXCEPTIONS: &str = "docs/lint-exceptions.txt";

/// `file PATH LINES reason` or `fn PATH::NAME LINES reason`.
struct Exception {
    key: String,
    lines: usize,
    at: usize,
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let exceptions = read(tree, &mut findings);
    let mut used = BTreeSet::new();
    for (path, line, key, lines, limit) in too_long(tree) {
        match exceptions.iter().find(|e| e.key == key) {
            Some(e) if lines <= e.lines => {
                used.insert(e.at);
            }
            Some(e) => {
                used.insert(e.at);
                findings.push(Finding::new(
                    &path,
                    line,
                    format!("{key}: {lines} lines, its exception says {}", e.lines),
                ));
            }
            None => findings.push(Finding::new(
                &path,
                line,
                format!("{key}: {lines} lines, the limit is {limit}"),
            )),
        }
    }
    for stale in exceptions.iter().filter(|e| !used.contains(&e.at)) {
        findings.push(Finding::new(
            EXCEPTIONS,
            stale.at,
            format!("{} is no longer needed: remove it", stale.key),
        ));
    }
    findings
}

fn too_long(tree: &Tree) -> Vec<(String, usize, String, usize, usize)> {
    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_code() && !file.path.contains("/generated/")) {
        let lines = file.text.lines().count();
        let python = file.path.starts_with(PYTHON_PACKAGE);
        if python && file.text.contains(GENERATED) {
            continue;
        }
        let limit = file_lines(&file.path);
        if lines > limit {
            found.push((file.path.clone(), 1, format!("file {}", file.path), lines, limit));
        }
        if python {
            for f in python_source::functions(&file.text).into_iter().filter(|f| f.body > FUNCTION_LINES) {
                let key = format!("fn {}::{}", file.path, f.name);
                found.push((file.path.clone(), f.line, key, f.body, FUNCTION_LINES));
            }
        }
    }
    for (file, source) in tree.rust() {
        for f in source.functions.iter().filter(|f| f.lines > FUNCTION_LINES) {
            found.push((
                file.path.clone(),
                f.line,
                format!("fn {}::{}", file.path, f.name),
                f.lines,
                FUNCTION_LINES,
            ));
        }
    }
    found
}

fn file_lines(path: &str) -> usize {
    if SHORT.iter().any(|folder| path.starts_with(folder)) { SHORT_FILE_LINES } else { FILE_LINES }
}

fn read(tree: &Tree, findings: &mut Vec<Finding>) -> Vec<Exception> {
    let mut exceptions = Vec::new();
    let mut recorded = 0;
    for (index, line) in tree.file(EXCEPTIONS).map_or("", |f| f.text.as_str()).lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(count) = line.strip_prefix("count = ") {
            recorded = count.parse().unwrap_or(0);
            continue;
        }
        let words: Vec<_> = line.split_whitespace().collect();
        match (words.first(), words.get(1), words.get(2).and_then(|n| n.parse().ok()), words.len()) {
            (Some(kind @ (&"file" | &"fn")), Some(what), Some(lines), 4..) => {
                exceptions.push(Exception { key: format!("{kind} {what}"), lines, at: index + 1 });
            }
            _ => findings.push(Finding::new(EXCEPTIONS, index + 1, "want: file|fn WHAT LINES reason")),
        }
    }
    if exceptions.len() > recorded {
        let message =
            format!("{} exceptions, recorded are {recorded}: this file may only shrink", exceptions.len());
        findings.push(Finding::new(EXCEPTIONS, 1, message));
    }
    exceptions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    fn messages(code: &str, exceptions: &str) -> Vec<String> {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let tree = Tree::of(vec![file("a.rs", code), file(EXCEPTIONS, exceptions)]);
        check(&tree).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_long_function_needs_an_exception_that_fits() {
        let long = format!("fn f() {{{}}}\n", "\n".repeat(70));
        assert_eq!(messages(&long, ""), ["fn a.rs::f: 71 lines, the limit is 60"]);
        assert_eq!(messages(&long, "count = 1\nfn a.rs::f 71 a table\n"), [""; 0]);
        assert_eq!(
            messages(&long, "count = 1\nfn a.rs::f 70 a table\n"),
            ["fn a.rs::f: 71 lines, its exception says 70"]
        );
        assert_eq!(messages(&long, "fn a.rs::f 71 a table\n").len(), 1);
    }

    #[test]
    fn a_stale_exception_fails() {
        assert_eq!(
            messages("fn f() {}", "count = 1\nfn a.rs::f 71 a table\n"),
            ["fn a.rs::f is no longer needed: remove it"]
        );
    }

    #[test]
    fn the_python_package_has_limits_of_its_own() {
        let path = "bindings-python/python/mcpbolt/a.py";
        let found = |text: String| {
            let tree = Tree::of(vec![File { path: path.to_owned(), text }]);
            check(&tree).into_iter().map(|f| f.message).collect::<Vec<_>>()
        };
        assert_eq!(found("x = 1\n".repeat(401)), [format!("file {path}: 401 lines, the limit is 400")]);
        let long = format!("def f():\n{}", "    x = 1\n".repeat(61));
        assert_eq!(found(long), [format!("fn {path}::f: 61 lines, the limit is 60")]);
        assert_eq!(found(format!("\"\"\"{GENERATED}.\"\"\"\n{}", "x = 1\n".repeat(401))), [""; 0]);
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(messages(&"\n".repeat(501), ""), ["file a.rs: 501 lines, the limit is 500"]);
        assert_eq!(file_lines("bindings-node/ts/v2/internal/client.ts"), 400);
        assert_eq!(file_lines("bindings-node/ts/engine/driver.ts"), 500);
    }
}
