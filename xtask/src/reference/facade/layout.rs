//! How a declaration of Kotlin or Swift is written on the site.
//!
//! Owns: where a long line is broken, and that comments within it are left out. Must not know:
//! what it declares.

/// What stands beside the navigation without being scrolled; also in `docs/site/typescript_types.py`.
const WIDE: usize = 80;

/// A declaration: in one line, or with a line for each part between the longest brackets.
pub(super) fn laid_out(code: &str) -> String {
    let flat = flat(code);
    if flat.chars().count() <= WIDE {
        return flat;
    }
    let Some((open, close)) = longest(&flat) else { return flat };
    let parts = parts(&flat[open + 1..close]);
    let lines: Vec<String> = parts.iter().map(|part| format!("    {}", part.trim())).collect();
    format!("{}\n{}\n{}", &flat[..=open], lines.join(",\n"), &flat[close..])
}

/// A declaration in one line, without comments.
pub(super) fn flat(code: &str) -> String {
    let words: Vec<&str> = code.split_whitespace().collect();
    let text = if code.contains("//") || code.contains("/*") {
        let bare = without_comments(code);
        bare.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        words.join(" ")
    };
    // As if it had been written in one line.
    text.replace("( ", "(").replace(" )", ")").replace(",)", ")").replace("[ ", "[").replace(" ]", "]")
}

fn without_comments(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    let mut quoted = false;
    while let Some(next) = rest.chars().next() {
        if !quoted && rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if !quoted && rest.starts_with("/*") {
            rest = &rest[rest.find("*/").map_or(rest.len(), |at| at + 2)..];
        } else {
            quoted ^= next == '"';
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

/// Signs outside of strings, with their places.
fn signs(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quoted = false;
    text.char_indices().filter(move |(_, sign)| {
        quoted ^= *sign == '"';
        !quoted
    })
}

/// The parentheses that have most between them, of those that are in no others.
fn longest(text: &str) -> Option<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let (mut depth, mut open) = (0_usize, 0);
    for (at, sign) in signs(text) {
        match sign {
            '(' => {
                if depth == 0 {
                    open = at;
                }
                depth += 1;
            }
            ')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push((open, at));
                }
            }
            _ => {}
        }
    }
    found.into_iter().max_by_key(|(open, close)| close - open)
}

/// What stands between commas that are in no brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut from, mut last) = (0_usize, 0, ' ');
    for (at, sign) in signs(text) {
        match sign {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if last != '-' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        last = sign;
    }
    found.push(&text[from..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_declarations_are_one_line() {
        assert_eq!(laid_out("fun a(\n    b: Int, // c\n    d: Int,\n): Int"), "fun a(b: Int, d: Int): Int");
        assert_eq!(laid_out("val a: String = \"//\" /* b */"), "val a: String = \"//\"");
    }

    #[test]
    fn long_ones_have_a_line_for_each_parameter() {
        let code = "func name(first: [String: Value] = [:], second: (Int, Int) -> Map<A, B>, third: String = \"a, b\") throws -> C";
        let lines = "func name(\n    first: [String: Value] = [:],\n    second: (Int, Int) -> Map<A, B>,\n    third: String = \"a, b\"\n) throws -> C";
        assert_eq!(laid_out(code), lines);
    }

    #[test]
    fn the_longest_brackets_are_broken() {
        let code = "typealias Name = @Sendable (_ first: SomeLongTypeName, _ second: AnotherLongTypeName) async throws -> (A, B)";
        assert!(
            laid_out(code).starts_with("typealias Name = @Sendable (\n    _ first: SomeLongTypeName,\n"),
            "{}",
            laid_out(code)
        );
    }
}
