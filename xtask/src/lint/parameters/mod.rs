//! What editors show on hover: every parameter of a public constructor, function or method is
//! explained, and every option is.
//!
//! Owns: what counts, and the numbers in `docs/undocumented-parameters.txt`, which may only
//! shrink. Must not know: how declarations and comments are read.

mod python;
mod typescript;

use super::{Finding, Tree};

const RECORD: &str = "docs/undocumented-parameters.txt";

/// A parameter without words, and the kind it is counted as.
struct Bare {
    kind: &'static str,
    finding: Finding,
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut bare = python::bare(tree);
    bare.extend(typescript::bare(tree));
    let text = tree.file(RECORD).map_or("", |file| file.text.as_str());
    let mut findings = Vec::new();
    for kind in ["python constructors", "python functions", "typescript constructors", "typescript functions"]
    {
        let recorded = text.lines().find_map(|line| line.strip_prefix(kind)?.trim().parse::<usize>().ok());
        let Some(recorded) = recorded else {
            findings.push(Finding::new(RECORD, 1, format!("want a line with the number of {kind}")));
            continue;
        };
        let count = bare.iter().filter(|one| one.kind == kind).count();
        if count > recorded {
            findings.push(Finding::new(RECORD, 1, format!("{kind}: {count}, and may not exceed {recorded}")));
            let (these, rest): (Vec<_>, Vec<_>) = bare.into_iter().partition(|one| one.kind == kind);
            findings.extend(these.into_iter().map(|one| one.finding));
            bare = rest;
        } else if count < recorded {
            findings.push(Finding::new(RECORD, 1, format!("{kind}: {count}, but {recorded} here: lower it")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    const RECORDED: &str =
        "# n\npython constructors 0\npython functions 0\ntypescript constructors 0\ntypescript functions 0\n";

    fn messages(files: &[(&str, &str)], record: &str) -> Vec<String> {
        let file = |(path, text): (&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
        let all = files.iter().copied().chain([(RECORD, record)]).map(file).collect();
        check(&Tree::of(all)).into_iter().map(|finding| finding.message).collect()
    }

    fn python(path: &str, text: &str) -> Vec<String> {
        messages(&[(&format!("bindings-python/python/mcpbolt/{path}"), text)], RECORDED)
    }

    #[test]
    fn parameters_of_public_functions_are_explained() {
        let bare = "def f(a, b):\n    \"\"\"Do.\n\n    Args:\n        a: This.\n    \"\"\"\n";
        assert_eq!(python("x.py", bare), ["python functions: 1, and may not exceed 0", "f: b"]);
        assert_eq!(python("_x.py", bare), [""; 0]);
    }

    #[test]
    fn a_class_may_explain_its_constructor() {
        let class = "class A:\n    \"\"\"It.\n\n    Args:\n        a: This.\n    \"\"\"\n    def __init__(self, a, b): ...\n";
        assert_eq!(python("x.py", class), ["python constructors: 1, and may not exceed 0", "A.__init__: b"]);
    }

    #[test]
    fn bases_of_public_classes_count_wherever_they_stand() {
        let files = [
            ("bindings-python/python/mcpbolt/x.py", "from ._y import B\nclass A(B): ...\n"),
            (
                "bindings-python/python/mcpbolt/_y.py",
                "class B:\n    def f(self, a): ...\nclass C:\n    def g(self, a): ...\n",
            ),
        ];
        assert_eq!(messages(&files, RECORDED), ["python functions: 1, and may not exceed 0", "B.f: a"]);
    }

    #[test]
    fn exported_typescript_counts_and_its_bases_do() {
        let files = [
            ("bindings-node/ts/index.ts", "export { A } from './v1/a';\n"),
            (
                "bindings-node/ts/v1/a.ts",
                "import { B } from './b';\n/** A. */\nexport class A extends B {\n  /** Makes. */\n  constructor(x: X) {}\n}\nexport class Z {\n  constructor(y: Y) {}\n}\n",
            ),
            ("bindings-node/ts/v1/b.ts", "export class B {\n  /** Does. */\n  f(z: Z): void {}\n}\n"),
        ];
        assert_eq!(
            messages(&files, RECORDED),
            [
                "typescript constructors: 1, and may not exceed 0",
                "A.constructor: x",
                "typescript functions: 1, and may not exceed 0",
                "B.f: z"
            ]
        );
    }

    #[test]
    fn each_overload_says_everything() {
        let text = "export class A {\n  /** @param a - This. */\n  f(a: A): void;\n  f(a: A, b: B): void;\n  f(...c: C[]): void {}\n}\n";
        let files = [("bindings-node/ts/index.ts", text)];
        assert_eq!(
            messages(&files, RECORDED),
            ["typescript functions: 2, and may not exceed 0", "A.f: a", "A.f: b"]
        );
    }

    #[test]
    fn the_numbers_may_only_shrink() {
        let record = RECORDED.replace("python functions 0", "python functions 3");
        assert_eq!(messages(&[], &record), ["python functions: 0, but 3 here: lower it"]);
        assert_eq!(messages(&[], "").len(), 4);
    }
}
