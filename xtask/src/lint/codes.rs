//! No citations by code: a comment, a document or a test's name says the rule in words,
//! not the number that it has in somebody's list.
//!
//! Owns: what a citation looks like, and which part of a line is prose. The numbers of the
//! official list stand in `source` of `tests/requirements.json`, which is data and not read here.

use super::{Finding, Tree};
use crate::tree::File;

/// Names that look like a code and are none.
const NAMES: &[&str] = &["V8", "P50", "P95", "P99"];
/// Nouns before the number of an entry of a list.
const LISTS: &[&str] = &["trap", "complaint", "requirement", "decision", "pitfall"];
/// Prefixes of tests that name a thing: our two faces, HTTP/1 and HTTP/2.
const THINGS: &[&str] = &["v1", "v2", "h1", "h2"];
/// Words before the name of a function.
const FUNCTIONS: &[&str] = &["fn", "def", "fun", "func"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.path.contains("/corpus/")) {
        let Some(language) = Language::of(file) else { continue };
        let mut inside = false;
        for (index, line) in file.text.lines().enumerate() {
            let prose = language.prose(line, &mut inside);
            let cited = cited(prose).or_else(|| quoted(language, line));
            if let Some(cited) = cited {
                findings.push(Finding::new(&file.path, index + 1, format!("cites {cited}: say it in words")));
            }
            if let Some(name) = test_name(file, line) {
                let message = format!("the test {name} has a code in its name: say it in words");
                findings.push(Finding::new(&file.path, index + 1, message));
            }
        }
    }
    findings
}

/// How a file marks its prose.
#[derive(Clone, Copy, PartialEq)]
enum Language {
    /// All of it is prose.
    Text,
    /// `//`, and lines of a block comment.
    Slashes,
    /// `#`.
    Hashes,
    /// `#`, and strings of three quotes.
    Python,
}

impl Language {
    fn of(file: &File) -> Option<Self> {
        match file.path.rsplit('.').next()? {
            "md" => Some(Self::Text),
            "rs" | "ts" | "mts" | "js" | "mjs" | "cjs" | "kt" | "kts" | "swift" => Some(Self::Slashes),
            "py" | "pyi" => Some(Self::Python),
            "sh" | "toml" | "yml" | "yaml" => Some(Self::Hashes),
            _ => None,
        }
    }

    /// The prose of a line; `inside` is whether a long string is open, before and after it.
    fn prose<'a>(self, line: &'a str, inside: &mut bool) -> &'a str {
        let start = line.trim_start();
        match self {
            Self::Text => line,
            Self::Slashes if start.starts_with("/*") || start.starts_with("* ") => start,
            Self::Slashes => {
                let is_mark = |at: usize| !line[..at].ends_with(':');
                line.match_indices("//").find(|(at, _)| is_mark(*at)).map_or("", |(at, _)| &line[at..])
            }
            Self::Hashes => line.split_once('#').map_or("", |(_, prose)| prose),
            Self::Python => {
                let marks = line.matches("\"\"\"").count();
                let open = *inside;
                *inside = open != (marks % 2 == 1);
                if open || marks > 0 { line } else { line.split_once("# ").map_or("", |(_, prose)| prose) }
            }
        }
    }
}

/// The first citation of a text.
fn cited(prose: &str) -> Option<String> {
    let words: Vec<&str> = prose.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    if let Some(code) = words.iter().find(|word| is_code(word)) {
        return Some((*code).to_owned());
    }
    for pair in prose.split(' ').collect::<Vec<_>>().windows(2) {
        let noun = pair[0].to_lowercase();
        let noun = noun.trim_start_matches(|c: char| !c.is_alphabetic());
        let number = pair[1].trim_end_matches(|c: char| !c.is_ascii_digit());
        let listed = LISTS.contains(&noun.strip_suffix('s').unwrap_or(noun));
        if listed && matches!(number.len(), 1..4) && number.chars().all(|c| c.is_ascii_digit()) {
            return Some(format!("{noun} {number}"));
        }
    }
    // Sections of published standards are named with the standard.
    (prose.contains('\u{a7}') && !prose.contains("RFC ")).then(|| "\u{a7}".to_owned())
}

/// A code at the start of a string of a program: what a test says when it fails.
fn quoted(language: Language, line: &str) -> Option<String> {
    if language == Language::Text {
        return None;
    }
    let strings = line.match_indices(['"', '\'', '`']).map(|(at, _)| &line[at + 1..]);
    let codes = strings.filter_map(|string| string.split_once(": ")).map(|(code, _)| code);
    codes.filter(|code| is_code(code)).map(str::to_owned).next()
}

/// The name of a test that begins with a code, as `x4_…` or `test_x4_…`.
fn test_name(file: &File, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let pair = words.windows(2).find(|pair| FUNCTIONS.contains(&pair[0]))?;
    let (code, rest) = pair[1].strip_prefix("test_").unwrap_or(pair[1]).split_once('_')?;
    let known = THINGS.contains(&code) || !file.is_code();
    let capital = code.chars().next()?.to_ascii_uppercase();
    let code = format!("{capital}{}", code.get(1..)?);
    (!known && rest.contains('_') && is_code(&code)).then(|| pair[1].to_owned())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A capital letter, one or two digits, and perhaps a letter.
fn is_code(word: &str) -> bool {
    let mut chars = word.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_uppercase());
    let digits = chars.as_str().trim_end_matches(|c: char| c.is_ascii_lowercase());
    let tail = chars.as_str().len() - digits.len();
    letter
        && matches!(digits.len(), 1 | 2)
        && digits.chars().all(|c| c.is_ascii_digit())
        && tail < 2
        && !NAMES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A code, put together so that this file passes its own rule.
    fn code(number: u8) -> String {
        format!("R{number}")
    }

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of_one(path, text)).len()
    }

    #[test]
    fn citations_in_prose_are_found() {
        let [a, b] = [code(4), code(15)];
        for (path, text) in [
            ("a.rs", format!("//! Never twice ({a}, {b}).")),
            ("a.rs", format!("let x = 1; // {a}")),
            ("a.rs", format!("assert_eq!(a, b, \"{a}: too late\");")),
            ("a.ts", format!(" * Never twice ({b}b).")),
            ("a.mjs", format!("test('{a}: never twice', () => {{")),
            ("a.py", format!("\"\"\"Never twice.\n\nAs {a} says.\n\"\"\"")),
            ("a.md", format!("Never twice, see {a}.")),
            ("a.kt", format!("// {} 3", LISTS[0])),
            ("a.md", "As in \u{a7}2.3.".to_owned()),
        ] {
            assert_eq!(found(path, &text), 1, "{text}");
        }
    }

    #[test]
    fn code_and_names_are_not_citations() {
        let a = code(4);
        for (path, text) in [
            ("a.rs", format!("fn f<{a}>(x: {a}) -> ({a}, u8) {{ \"{a}\" }}")),
            ("a.rs", "//! V8 keeps it; HTTP/2 and UTF-8 too, P99 included.".to_owned()),
            ("a.rs", "let url = \"https://host/R/4\"; // one decision, 3 calls".to_owned()),
            ("a.py", "\"\"\"Its form (RFC 6749 \u{a7}2.3.1).\"\"\"".to_owned()),
            ("a.json", format!("{{\"source\": \"{a}\"}}")),
        ] {
            assert_eq!(found(path, &text), 0, "{text}");
        }
    }

    #[test]
    fn names_of_tests_are_words() {
        for name in ["r4_never_twice", "test_p22b_never_twice"] {
            assert_eq!(found("tests/a.rs", &format!("fn {name}() {{}}")), 1, "{name}");
        }
        for name in ["never_twice", "h2_over_tls", "v1_and_v2", "i64_of"] {
            assert_eq!(found("tests/a.rs", &format!("fn {name}() {{}}")), 0, "{name}");
        }
    }
}
