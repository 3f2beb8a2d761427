//! Documents that must keep up with the code: an example for every public type,
//! a reason for every dependency.

use super::{Finding, Tree};
use std::collections::BTreeSet;

const UNDOCUMENTED: &str = "docs/undocumented.txt";
const DEPENDENCIES: &str = "docs/dependencies.md";

/// Public types of the two library crates without an example may only become fewer. An
/// example stands on the type itself, or in the docs of its module and names it.
pub(super) fn check_examples(tree: &Tree) -> Vec<Finding> {
    let recorded = tree
        .file(UNDOCUMENTED)
        .and_then(|file| file.text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty()))
        .and_then(|line| line.trim().parse::<usize>().ok());
    let Some(recorded) = recorded else {
        return vec![Finding::new(UNDOCUMENTED, 1, "want the number of public types without an example")];
    };
    let without: Vec<Finding> = tree
        .rust()
        .filter(|(file, _)| file.path.starts_with("core/src/") || file.path.starts_with("core/proto/src/"))
        .filter(|(file, _)| !file.path.starts_with("core/src/bridge/"))
        .flat_map(|(file, source)| {
            let shown = module_examples(tree, &file.path);
            let bare = source.public_types.iter().filter(move |t| !t.has_example && !shown.contains(&t.name));
            bare.map(|t| Finding::new(&file.path, t.line, format!("{} has no example", t.name)))
        })
        .collect();
    if without.len() > recorded {
        let mut findings = without;
        findings.push(Finding::new(UNDOCUMENTED, 1, format!("the number may not exceed {recorded}")));
        return findings;
    }
    if without.len() < recorded {
        println!(
            "    {} public types have no example; {UNDOCUMENTED} still says {recorded}: lower it",
            without.len()
        );
    }
    Vec::new()
}

/// The names in the examples of a file's module docs, and of the modules around it.
fn module_examples(tree: &Tree, path: &str) -> BTreeSet<String> {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    let around: Vec<_> = folders.map(|folder| format!("{folder}/mod.rs")).chain([path.to_owned()]).collect();
    let mut names = BTreeSet::new();
    for file in around.iter().filter_map(|path| tree.file(path)) {
        let mut inside = false;
        for line in file.text.lines().filter_map(|line| line.strip_prefix("//!")) {
            if line.trim_start().starts_with("```") {
                inside = !inside;
            } else if inside {
                let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                names.extend(words.map(str::to_owned));
            }
        }
    }
    names
}

/// Every workspace dependency has its row.
pub(super) fn check_dependencies(tree: &Tree) -> Vec<Finding> {
    let table = tree.file(DEPENDENCIES).map_or("", |file| file.text.as_str());
    let rows: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.split('|').next())
        .map(|cell| cell.trim().trim_matches('`'))
        .collect();
    let manifest = tree.file("Cargo.toml").map_or("", |file| file.text.as_str());
    let mut findings = Vec::new();
    for (index, name) in workspace_dependencies(manifest) {
        if !rows.contains(&name) {
            findings.push(Finding::new("Cargo.toml", index, format!("{name} has no row in {DEPENDENCIES}")));
        }
    }
    findings
}

/// Line number and name of each external entry of `[workspace.dependencies]`.
fn workspace_dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (index, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim() == "[workspace.dependencies]";
        } else if inside
            && !line.starts_with('#')
            && !line.contains("path = ")
            && let Some((name, _)) = line.split_once('=')
        {
            found.push((index + 1, name.trim()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn examples_may_not_become_fewer() {
        let found = |count: &str| {
            let code = file("core/src/a.rs", "pub struct A;\n/// ```\n/// ```\npub struct B;");
            check_examples(&Tree::of(vec![code, file(UNDOCUMENTED, count)])).len()
        };
        assert_eq!(found("# n\n1\n"), 0);
        assert_eq!(found("0\n"), 2);
        assert_eq!(found(""), 1);
    }

    #[test]
    fn an_example_of_the_module_counts_for_the_types_it_names() {
        let module = "//! Prose about B.\n//! ```\n//! use x::{A, C};\n//! ```\npub struct A;\npub struct B;";
        let inner = file("core/src/m/inner/deep.rs", "pub struct C;\npub struct D;");
        let elsewhere = file("core/src/n.rs", "pub struct A;");
        let tree =
            Tree::of(vec![file("core/src/m/mod.rs", module), inner, elsewhere, file(UNDOCUMENTED, "0")]);
        let found: Vec<_> =
            check_examples(&tree).into_iter().map(|f| format!("{} {}", f.path, f.message)).collect();
        assert_eq!(
            found[..3],
            [
                "core/src/m/mod.rs B has no example",
                "core/src/m/inner/deep.rs D has no example",
                "core/src/n.rs A has no example",
            ]
        );
    }

    #[test]
    fn a_dependency_needs_a_row() {
        let manifest = file(
            "Cargo.toml",
            "[workspace.dependencies]\na = \"1\"\nb = \"2\"\nc = { path = \"c\" }\n[x]\nd = \"1\"\n",
        );
        let table = file(DEPENDENCIES, "| crate | used by | why |\n|---|---|---|\n| `a` | x | y |\n");
        let found: Vec<_> =
            check_dependencies(&Tree::of(vec![manifest, table])).into_iter().map(|f| f.message).collect();
        assert_eq!(found, ["b has no row in docs/dependencies.md"]);
    }
}
