//! The same for the Kotlin and Swift facades: no files that use what the others declare, in a
//! circle.
//!
//! Owns: which circles are reported. Must not know: how uses are found. The generated files are
//! left out: they and the few types they are made of need each other.

use super::super::{Finding, Tree};
use super::circles;
use crate::uniffi_source::{Facade, Language};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    Language::ALL.into_iter().flat_map(|language| of_one(&Facade::of(&tree.files, language))).collect()
}

fn of_one(facade: &Facade<'_>) -> Vec<Finding> {
    let mut arrows = facade.arrows();
    arrows.retain(|from, _| !facade.modules[*from].is_generated());
    let mut findings = Vec::new();
    for circle in circles(facade.modules.len(), &arrows) {
        for from in &circle {
            let inside = arrows[from].iter().filter(|(to, _)| circle.contains(to));
            let inside: Vec<_> = inside
                .map(|(to, lines)| {
                    let line = lines.first().copied().unwrap_or(1);
                    format!("{} in line {line}", facade.modules[*to].short)
                })
                .collect();
            let message =
                format!("in a circle of {} files, by its use of {}", circle.len(), inside.join(", "));
            findings.push(Finding::new(facade.modules[*from].path, 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    const KOTLIN: &str = "bindings-uniffi/kotlin/src/main/dev/mcpbolt/";
    const SWIFT: &str = "bindings-uniffi/swift/Sources/MCPBolt/";

    fn messages(files: &[(String, &str)]) -> Vec<String> {
        let file = |(path, text): &(String, &str)| File { path: path.clone(), text: (*text).to_owned() };
        let tree = Tree::of(files.iter().map(file).collect());
        check(&tree).into_iter().map(|f| format!("{}: {}", f.path, f.message)).collect()
    }

    #[test]
    fn each_file_of_a_circle_is_named_with_its_uses() {
        for (folder, function) in [(KOTLIN, "fun"), (SWIFT, "func")] {
            let b = format!("\n{function} b(x: A) {{}}");
            let files = [
                (format!("{folder}a"), "class A {}\nvar x = b(1)"),
                (format!("{folder}b"), b.as_str()),
                (format!("{folder}c"), "class C {}\nvar y: A"),
            ];
            let wanted = [
                format!("{folder}a: in a circle of 2 files, by its use of b in line 2"),
                format!("{folder}b: in a circle of 2 files, by its use of a in line 2"),
            ];
            assert_eq!(messages(&files), wanted);
        }
    }

    #[test]
    fn the_two_languages_do_not_know_each_other() {
        let files =
            [(format!("{KOTLIN}a"), "class A\nval x: B"), (format!("{SWIFT}b"), "class B {}\nlet x: A")];
        assert_eq!(messages(&files), [""; 0]);
    }

    #[test]
    fn generated_files_close_no_circle() {
        let files = [
            (format!("{SWIFT}generated/a.swift"), "struct A {}\nlet x: B"),
            (format!("{SWIFT}b.swift"), "struct B {}\nlet x: A"),
        ];
        assert_eq!(messages(&files), [""; 0]);
    }
}
