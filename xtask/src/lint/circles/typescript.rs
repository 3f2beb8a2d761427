//! The same for the TypeScript facade: no files that import each other in a circle, be it
//! for values or for types.
//!
//! Owns: which circles are reported. Must not know: how imports are found. Files that are
//! still in a circle stand in `docs/typescript-order.txt`.

use super::super::backlog::{Backlog, counted};
use super::super::{Finding, Tree};
use super::circles;
use crate::typescript_source::Facade;

const KNOWN: &str = "docs/typescript-order.txt";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let facade = Facade::of(&tree.files);
    let arrows = facade.arrows();
    let mut found = Vec::new();
    for circle in circles(facade.modules.len(), &arrows) {
        for from in &circle {
            let inside = arrows[from].iter().filter(|(to, _)| circle.contains(to));
            let inside: Vec<_> = inside
                .map(|(to, lines)| {
                    let line = lines.first().copied().unwrap_or(1);
                    format!("{} in line {line}", facade.short(*to))
                })
                .collect();
            let message =
                format!("in a circle of {} files, by its imports of {}", circle.len(), inside.join(", "));
            let finding = Finding::new(facade.modules[*from].path, 1, message);
            found.push((facade.short(*from).to_owned(), finding));
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

    #[test]
    fn each_file_of_a_circle_is_named_with_its_imports() {
        let files = [
            ("bindings-node/ts/a.ts", "import type { B } from './b';"),
            ("bindings-node/ts/b.ts", "\nexport { a } from './a';"),
            ("bindings-node/ts/c.ts", "import { a } from './a';"),
            (KNOWN, "count = 1\ncircle a.ts\n"),
        ];
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        let findings = check(&Tree::of(files.iter().map(file).collect()));
        let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["in a circle of 2 files, by its imports of a.ts in line 2"]);
    }
}
