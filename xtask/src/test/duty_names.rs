//! Which tests, options and sections of the guide there are, for the ledger of duties.

use crate::rust_source::RustSource;
use crate::tree::File;
use std::collections::BTreeSet;
use std::path::Path;

const GUIDE: &str = "docs/guide/";
const LIMITS: &str = "core/proto/src/limits.rs";
const BRIDGE: &str = "core/src/bridge/";

/// What can be named.
pub(super) struct Known {
    tests: BTreeSet<String>,
    options: BTreeSet<String>,
    sections: BTreeSet<String>,
    /// For each source file of the engine: its words, and what it defines.
    sources: Vec<(BTreeSet<String>, BTreeSet<String>)>,
}

impl Known {
    /// Looks them up in the files of the repository.
    pub(super) fn read(files: &[File]) -> Self {
        let is_source = |file: &&File| file.is_rust() && file.path.starts_with("core/") && !file.is_test();
        Self {
            tests: files.iter().flat_map(tests).collect(),
            options: files.iter().flat_map(options).collect(),
            sections: files.iter().flat_map(sections).collect(),
            sources: files
                .iter()
                .filter(is_source)
                .map(|file| (words(&file.text).map(str::to_owned).collect(), defined(&file.text)))
                .collect(),
        }
    }

    /// A test's function, or in JavaScript its title; what stands before `::` is for people.
    pub(super) fn has_test(&self, name: &str) -> bool {
        self.tests.contains(name.rsplit("::").next().unwrap_or(name))
    }

    /// A name in the engine's options, or `Type::member` of its Rust interface.
    pub(super) fn has_option(&self, name: &str) -> bool {
        match name.rsplit_once("::") {
            None => self.options.contains(name),
            Some((of, member)) => {
                self.sources.iter().any(|(words, defined)| words.contains(of) && defined.contains(member))
            }
        }
    }

    /// `FILE.md#section`, as links write it.
    pub(super) fn has_section(&self, place: &str) -> bool {
        self.sections.contains(place)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Functions that a test runner runs, and titles of tests in JavaScript.
fn tests(file: &File) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    if file.is_rust() {
        let marks = lines.iter().enumerate().filter(|(_, line)| is_test_attribute(line));
        let after = |at: usize| lines[at..].iter().take(4).find_map(|line| function(line));
        return marks.filter_map(|(at, _)| after(at)).collect();
    }
    if !file.is_code() || !file.is_test() {
        return Vec::new();
    }
    let python = lines.iter().filter_map(|line| function(line).filter(|name| name.starts_with("test_")));
    let title = |line: &&str| {
        let call = line.strip_prefix("test('").or_else(|| line.strip_prefix("it('"))?;
        call.split_once("',").map(|(title, _)| title.to_owned())
    };
    python.chain(lines.iter().filter_map(title)).collect()
}

fn is_test_attribute(line: &str) -> bool {
    line.starts_with("#[test]") || line.starts_with("#[tokio::test")
}

/// The name in `fn name(` or `def name(`, with what may stand before.
fn function(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("fn ").or_else(|| line.split_once("def "))?;
    words(rest).next().map(str::to_owned)
}

/// Names of limits, and of what the bridge reads from options objects.
fn options(file: &File) -> Vec<String> {
    let reads_options = file.path.contains("options") || file.text.contains("Options, name: &str");
    let in_bridge = file.path.starts_with(BRIDGE) && reads_options;
    if file.path == LIMITS {
        let quoted = |line: &&str| line.contains(" = ") && line.contains('"');
        let rows = file.text.lines().filter(quoted);
        return rows.filter_map(|row| row.split('"').nth(1)).map(str::to_owned).collect();
    }
    if !in_bridge {
        return Vec::new();
    }
    let arm = |line: &str| {
        let (names, _) = line.split_once(" =>")?;
        Some(names.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
    };
    let field = |line: &str| {
        let name = line.strip_prefix("pub(super) ").unwrap_or(line).split_once(": ")?.0;
        (words(name).next() == Some(name) && line.ends_with(',')).then(|| vec![name.to_owned()])
    };
    file.text.lines().map(str::trim).filter_map(|line| arm(line).or_else(|| field(line))).flatten().collect()
}

/// Functions, public members, variants and types that a file defines.
fn defined(text: &str) -> BTreeSet<String> {
    let source = RustSource::parse(text, false).unwrap_or_default();
    let functions = source.functions.into_iter().filter(|function| !function.in_test);
    let types = source.public_types.into_iter().map(|found| found.name);
    let members = text.lines().map(str::trim).filter_map(|line| {
        let member = line.strip_prefix("pub ").unwrap_or(line);
        let name = words(member).next()?;
        let after = member.strip_prefix(name)?;
        let told = line.starts_with("pub ") || name.starts_with(char::is_uppercase);
        (told && after.starts_with([',', '(', ' ', ':'])).then(|| name.to_owned())
    });
    functions.map(|function| function.name).chain(types).chain(members).collect()
}

/// The headings of a chapter, as links name them.
fn sections(file: &File) -> Vec<String> {
    let page = Path::new(&file.path).extension().is_some_and(|kind| kind == "md");
    let Some(chapter) = file.path.strip_prefix(GUIDE).filter(|_| page) else { return Vec::new() };
    let headings = file.text.lines().filter(|line| line.starts_with("## ") || line.starts_with("### "));
    headings.map(|line| format!("{chapter}#{}", anchor(line.trim_start_matches(['#', ' '])))).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_named_is_found() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let known = Known::read(&[
            file("core/tests/a.rs", "#[test]\n#[cfg(unix)]\nfn one() {}\n"),
            file(
                "bindings-python/tests/test_a.py",
                "async def test_two() -> None:\n    pass\ndef helper(): ...",
            ),
            file("bindings-node/tests/a.test.mjs", "test('three holds', async () => {});"),
            file("core/src/bridge/http_options.rs", "struct T {\n    pub(super) drain: Option<u8>,\n}\n"),
            file(
                "core/src/bridge/rails.rs",
                "fn set(to: &mut Options, name: &str) {\n    \"a\" | \"b\" => 1,\n}",
            ),
            file("core/src/bridge/host.rs", "match name {\n    \"c\" => 1,\n}"),
            file(
                "core/src/client/target.rs",
                "pub enum Policy {\n    List,\n}\npub struct Set {\n    pub drain: u8,\n}",
            ),
            file("docs/guide/deploy.md", "# Deployment\n\n## As a service, or `not`\n"),
        ]);
        for test in ["one", "a::one", "test_two", "three holds"] {
            assert!(known.has_test(test), "{test}");
        }
        for option in ["drain", "a", "b", "Policy::List", "Set::drain"] {
            assert!(known.has_option(option), "{option}");
        }
        assert!(known.has_section("deploy.md#as-a-service-or-not"));
        assert!(!known.has_test("helper") && !known.has_option("c") && !known.has_option("Policy::Gone"));
        assert!(!known.has_section("deploy.md#one-node"));
    }
}
