//! Words the repository must not hold: paths of somebody's machine, registry hosts
//! in lockfiles, and notes of unfinished work.

use super::{Finding, Tree};

/// Folders of a machine; spelled in two parts so that this file passes its own rule.
const FOLDERS: &[&str] =
    &[concat!("/", "work"), concat!("/", "root"), concat!("/", "tmp"), concat!("/", "home")];
/// Notes of unfinished work.
const NOTES: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];
/// Macros that stand for unfinished work.
const MACROS: &[&str] = &["todo", "unimplemented"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        let lockfile = is_lockfile(&file.path);
        for (index, line) in file.text.lines().enumerate() {
            let mut report = |message: String| findings.push(Finding::new(&file.path, index + 1, message));
            if lockfile {
                if line.contains("resolved") && line.contains("://") {
                    report("a lockfile names a registry host".to_owned());
                }
                continue;
            }
            for word in FOLDERS.iter().filter(|word| names_folder(line, word)) {
                report(format!("names a path of a machine: {word}"));
            }
            for word in NOTES.iter().filter(|word| has_word(line, word)) {
                report(format!("unfinished: {word}"));
            }
        }
    }
    for (file, source) in tree.rust() {
        for pair in source.tokens.windows(2).filter(|pair| pair[1].text == "!") {
            if MACROS.contains(&pair[0].text.as_str()) {
                findings.push(Finding::new(
                    &file.path,
                    pair[0].line,
                    format!("unfinished: {}!", pair[0].text),
                ));
            }
        }
    }
    findings
}

fn is_lockfile(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    matches!(name, "Cargo.lock" | "uv.lock" | "package-lock.json" | "pnpm-lock.yaml" | "Package.resolved")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The folder at the start of an absolute path: `/x/y`, `file:///x`, not `a/x` or `/xy`.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = &line[..at];
        let starts = before.ends_with("file://")
            || before
                .chars()
                .next_back()
                .is_none_or(|c| !is_word(c) && !matches!(c, '.' | '/' | '}' | ')' | '*' | '$'));
        let ends = line[at + folder.len()..].chars().next().is_none_or(|c| !is_word(c));
        starts && ends
    })
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        line[..at].chars().next_back().is_none_or(|c| !is_word(c))
            && line[at + word.len()..].chars().next().is_none_or(|c| !is_word(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of_one(path, text)).len()
    }

    #[test]
    fn machine_paths() {
        for line in ["see X/a", "\"X\"", "file://X/x", "cd X"] {
            assert_eq!(found("a.md", &line.replace('X', FOLDERS[0])), 1, "{line}");
        }
        for line in ["frameX", "aX", "Xshop", "./X", "https://hostX"] {
            assert_eq!(found("a.md", &line.replace('X', FOLDERS[0])), 0, "{line}");
        }
    }

    #[test]
    fn registry_hosts_and_notes() {
        assert_eq!(found("x/package-lock.json", "\"resolved\": \"https://host/a.tgz\""), 1);
        assert_eq!(found("a.rs", &format!("fn f() {{ {}!() }}", MACROS[0])), 1);
        assert_eq!(found("a.py", &format!("# {} later", NOTES[0])), 1);
        assert_eq!(found("a.py", "# mkdtemp template aXXXXXX"), 0);
    }
}
