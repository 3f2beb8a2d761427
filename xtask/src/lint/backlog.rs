//! Lists of what does not follow a rule yet, which may only shrink.
//!
//! Owns: reading such a list, and that nothing on it is superfluous or new. Must not know:
//! what the rule is.

use super::{Finding, Tree};
use std::collections::BTreeMap;

/// The entries of one kind in a list: `kind WHAT`, with their lines.
pub(super) struct Backlog<'a> {
    path: &'a str,
    entries: BTreeMap<String, usize>,
}

impl<'a> Backlog<'a> {
    /// Reads the entries of one kind.
    pub(super) fn of(tree: &Tree, path: &'a str, kind: &str) -> Self {
        let text = tree.file(path).map_or("", |file| file.text.as_str());
        let entry = |(index, line): (usize, &str)| {
            let what = line.trim().strip_prefix(kind)?.strip_prefix(' ')?;
            Some((what.trim().to_owned(), index + 1))
        };
        Self { path, entries: text.lines().enumerate().filter_map(entry).collect() }
    }

    /// Leaves out the findings that the list knows. Reports entries without one.
    pub(super) fn settle(mut self, found: Vec<(String, Finding)>) -> Vec<Finding> {
        let known = self.entries.clone();
        let mut findings = Vec::new();
        for (what, finding) in found {
            self.entries.remove(&what);
            if !known.contains_key(&what) {
                findings.push(finding);
            }
        }
        let stale = |(what, line): (&String, &usize)| {
            Finding::new(self.path, *line, format!("{what} follows the rule now: remove this line"))
        };
        findings.extend(self.entries.iter().map(stale));
        findings
    }
}

/// That a list has exactly as many entries as it says, so that none is added unseen.
pub(super) fn counted(tree: &Tree, path: &str) -> Vec<Finding> {
    let Some(file) = tree.file(path) else { return Vec::new() };
    let mut recorded = None;
    let mut entries = 0;
    for line in file.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("count = ") {
            Some(count) => recorded = count.parse().ok(),
            None => entries += 1,
        }
    }
    if recorded == Some(entries) {
        return Vec::new();
    }
    let message =
        format!("{entries} entries: want `count = {entries}`, and never a larger number than before");
    vec![Finding::new(path, 1, message)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "docs/list.txt";

    fn messages(list: &str, found: &[&str]) -> Vec<String> {
        let tree = Tree::of_one(LIST, list);
        let found = found.iter().map(|what| ((*what).to_owned(), Finding::new("a.py", 1, *what))).collect();
        let settled = Backlog::of(&tree, LIST, "circle").settle(found);
        settled.into_iter().chain(counted(&tree, LIST)).map(|f| f.message).collect()
    }

    #[test]
    fn what_is_listed_is_known_and_what_is_new_is_not() {
        assert_eq!(messages("# why\ncount = 1\ncircle a.py\n", &["a.py", "b.py"]), ["b.py"]);
    }

    #[test]
    fn a_list_has_to_shrink_with_the_code() {
        assert_eq!(
            messages("count = 1\ncircle a.py\n", &[]),
            ["a.py follows the rule now: remove this line"]
        );
        assert_eq!(
            messages("count = 1\ncircle a.py\narrow b c\n", &["a.py"]),
            ["2 entries: want `count = 2`, and never a larger number than before"]
        );
    }
}
