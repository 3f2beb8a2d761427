//! TypeScript as text: where brackets end, and what is neither comment nor text.
//!
//! Owns: the ways to skip what is nested. Must not know: declarations.

/// The code of a file, with comments, texts and regular expressions as spaces, so that every
/// place stays the same.
pub(crate) fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if matches!(c, '\'' | '"' | '`') || (c == '/' && may_be_regex(&code)) {
            quoted(rest, c)
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        code.extend(rest[..length].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    code
}

/// Whether a slash behind this code begins a regular expression.
fn may_be_regex(code: &str) -> bool {
    let before = code.trim_end();
    before.ends_with("return") || before.ends_with(|c: char| "(=:,[!&|?{};>".contains(c))
}

/// The length of what is quoted; in templates, code between braces belongs to it.
fn quoted(rest: &str, mark: char) -> usize {
    let mut depth = 0_usize;
    let mut in_set = false;
    let mut skip = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if skip => skip = false,
            '\\' => skip = true,
            '\n' if mark != '`' => return at,
            '[' if mark == '/' => in_set = true,
            ']' if mark == '/' => in_set = false,
            '{' if mark == '`' && (depth > 0 || rest[..at].ends_with('$')) => depth += 1,
            '}' if depth > 0 => depth -= 1,
            c if c == mark && depth == 0 && !in_set => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Where the bracket at `open` is closed; in `<>`, arrows do not close.
pub(super) fn matching(code: &str, open: usize) -> usize {
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, c) in code[open..].char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '=' => {}
            ')' | ']' | '}' | '>' => {
                depth -= 1;
                if depth == 0 {
                    return open + at;
                }
            }
            _ => {}
        }
        before = c;
    }
    code.len() - 1
}

/// Where the body at `open` is closed: code in it may compare.
pub(super) fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_i32;
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + at;
        }
    }
    code.len() - 1
}

/// Where the member at `from` is over: behind its semicolon or its body.
pub(super) fn member_end(code: &str, from: usize, to: usize) -> usize {
    let mut depth = 0_i32;
    for (at, c) in code[from..to].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' => depth -= 1,
            '}' => {
                depth -= 1;
                // A body ends its method, unless a type or an expression goes on.
                let rest = code[from + at + 1..to].trim_start_matches(' ');
                if depth == 0 && rest.starts_with('\n') {
                    return from + at + 1;
                }
            }
            ';' if depth == 0 => return from + at + 1,
            _ => {}
        }
    }
    to
}

/// What commas separate.
pub(super) fn parts(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut from, mut before) = (0_i32, 0, ' ');
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&code[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    found.push(&code[from..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_left() {
        let text = "a('x\\'}') // b\n/* c */ d = /[/}]/g; e = `f ${g({})} h`; i = j / k / l;";
        let code = code_of(text);
        assert_eq!(code.len(), text.len());
        let words: Vec<_> = code.split_whitespace().collect();
        assert_eq!(words.join(" "), "a( ) d = g; e = ; i = j / k / l;");
    }

    #[test]
    fn parts_may_be_nested() {
        assert_eq!(parts("a: () => B<C, D>, e: [F, G]"), ["a: () => B<C, D>", " e: [F, G]"]);
    }
}
