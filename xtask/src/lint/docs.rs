//! Documents that must keep up with the code: an example for every public type,
//! a reason for every dependency.

use super::{Finding, Tree};

const UNDOCUMENTED: &str = "docs/undocumented.txt";
const DEPENDENCIES: &str = "docs/dependencies.md";

/// Public types of the two library crates without an example may only become fewer.
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
            let bare = source.public_types.iter().filter(|t| !t.has_example);
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
