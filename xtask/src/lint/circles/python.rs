//! The same for the Python package: no files that import each other in a circle, be it at
//! the top, inside functions or for type checkers.
//!
//! Owns: which circles are reported. Must not know: how imports are found. Files that are
//! still in a circle stand in `docs/python-order.txt`.

use super::super::backlog::{Backlog, counted};
use super::super::{Finding, Tree};
use super::circles;
use crate::python_source::Package;

const KNOWN: &str = "docs/python-order.txt";
const PACKAGE: &str = "bindings-python/python/mcpbolt/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let package = Package::of(&tree.files);
    let arrows = package.arrows();
    let short = |index: usize| package.modules[index].path.trim_start_matches(PACKAGE);
    let mut found = Vec::new();
    for circle in circles(package.modules.len(), &arrows) {
        for from in &circle {
            let inside = arrows[from].iter().filter(|(to, _)| circle.contains(to));
            let inside: Vec<_> = inside
                .map(|(to, lines)| {
                    let line = lines.first().copied().unwrap_or(1);
                    format!("{} in line {line}", short(*to))
                })
                .collect();
            let message =
                format!("in a circle of {} files, by its imports of {}", circle.len(), inside.join(", "));
            let finding = Finding::new(&package.modules[*from].path, 1, message);
            found.push((short(*from).to_owned(), finding));
        }
    }
    let mut findings = Backlog::of(tree, KNOWN, "circle").settle(found);
    findings.extend(counted(tree, KNOWN));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    fn messages(list: &str) -> Vec<String> {
        let files = [
            ("bindings-python/python/mcpbolt/a.py", "from .b import x"),
            ("bindings-python/python/mcpbolt/b.py", "def f():\n    from .a import y"),
            ("bindings-python/python/mcpbolt/c.py", "from .a import y"),
            (KNOWN, list),
        ];
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        check(&Tree::of(files.iter().map(file).collect())).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn each_file_of_a_circle_is_named_with_its_imports() {
        let listed = "count = 1\ncircle a.py\n";
        assert_eq!(messages(listed), ["in a circle of 2 files, by its imports of a.py in line 2"]);
    }
}
