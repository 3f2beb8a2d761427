//! What a peer learns of a failure.
//!
//! Owns: which failures are the server's own affair, and the words that are sent
//! instead of theirs. Must not know: who logs the rest.

use std::borrow::Cow;

use crate::protocol::ErrorKind;

/// What clients learn of failures whose words were not meant for them.
///
/// ```
/// use mcpbolt_proto::policy::detail::ErrorDetail;
///
/// assert_eq!(ErrorDetail::named("message"), Some(ErrorDetail::Message));
/// assert_eq!(ErrorDetail::default(), ErrorDetail::Masked);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorDetail {
    /// "internal error", with a number that is also in the log.
    #[default]
    Masked,
    /// The failure's own words, without paths and stack traces.
    Message,
}

impl ErrorDetail {
    /// By its name in options: `masked` or `message`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "masked" => Some(Self::Masked),
            "message" => Some(Self::Message),
            _ => None,
        }
    }
}

/// Whether failures of this kind speak of the inside of a server. All others are
/// written for the peer: what was wrong with its request, or when to try again.
pub fn is_inside(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Internal
            | ErrorKind::Transport
            | ErrorKind::Protocol
            | ErrorKind::Store
            | ErrorKind::Usage
            | ErrorKind::Unauthorized
            | ErrorKind::Forbidden
    )
}

/// How masked words begin; the id and `)` follow.
const MASKED: &str = "internal error (id ";

/// What is said instead of a failure's own words.
pub fn masked(id: u64) -> String {
    format!("{MASKED}{id:016x})")
}

/// Whether this is what [`masked`] says.
pub fn is_masked(text: &str) -> bool {
    let id = text.strip_prefix(MASKED).and_then(|rest| rest.strip_suffix(')'));
    id.is_some_and(|id| id.len() == 16 && id.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// What stands for a path.
const PATH: &str = "[path]";

/// A failure's words without lines of stack traces and without paths of files.
///
/// ```
/// use mcpbolt_proto::policy::detail::scrub;
///
/// let told = scrub("No such file or directory: '/srv/my app/keys.db' (see https://example.com/a)");
/// assert_eq!(told, "No such file or directory: '[path]' (see https://example.com/a)");
/// assert_eq!(scrub("half/full, 1/2"), "half/full, 1/2");
/// ```
pub fn scrub(text: &str) -> Cow<'_, str> {
    let traced = text.lines().any(is_trace);
    if !traced && !text.contains(['/', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        // What is indented below a trace's title belongs to it.
        inside = is_trace(line) || (inside && line.starts_with([' ', '\t']));
        if inside {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        without_paths(line, &mut out);
    }
    Cow::Owned(out)
}

/// Lines that only stack traces have, in the languages we serve.
fn is_trace(line: &str) -> bool {
    let bare = line.trim_start();
    let numbered =
        || bare.split(':').next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    bare.starts_with("Traceback (most recent call last)")
        || bare.starts_with("stack backtrace:")
        || (bare.starts_with("thread '") && bare.contains("panicked at"))
        || (bare.starts_with("File \"") && bare.contains(", line "))
        || (line.starts_with([' ', '\t']) && bare.starts_with("at "))
        || (line.starts_with("  ") && numbered() && bare.contains("::"))
        || bare.starts_with("Caused by: java") && bare.contains(".java")
}

/// Copies `line` with each absolute path replaced.
fn without_paths(line: &str, out: &mut String) {
    let mut rest = line;
    let mut before: Option<char> = None;
    while let Some(next) = rest.chars().next() {
        let opens = before.is_none_or(|c| c.is_whitespace() || "'\"`([{<=,:;|".contains(c));
        let length = if opens { path_at(rest, before, line) } else { 0 };
        if length > 0 {
            out.push_str(PATH);
            before = rest[..length].chars().next_back();
            rest = &rest[length..];
        } else {
            out.push(next);
            before = Some(next);
            rest = &rest[next.len_utf8()..];
        }
    }
}

/// How many bytes of `text` are an absolute path, or 0.
fn path_at(text: &str, before: Option<char>, line: &str) -> usize {
    let at = line.len() - text.len();
    let bytes = text.as_bytes();
    let scheme = |name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let unix = bytes.first() == Some(&b'/')
        && bytes.get(1).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'~' | b'-'));
    // `https:/x` is a part of a URL that is not a file.
    let of_url = before == Some(':') && line[..at].trim_end_matches(':').ends_with("http");
    let drive = matches!(bytes, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
        && bytes.get(3) != Some(&b'/')
        && !(bytes[2] == b'/' && bytes.get(3).is_none());
    let home = text.starts_with("~/");
    let share = text.starts_with("\\\\");
    if !((unix && !of_url) || drive || home || share || scheme("file:/")) {
        return 0;
    }
    // A quoted path may hold spaces.
    if let Some(quote) = before.filter(|c| matches!(c, '\'' | '"' | '`'))
        && let Some(end) = text.find(quote)
    {
        return end;
    }
    let first = usize::from(drive) * 2 + if scheme("file:/") { 5 } else { 0 };
    let end = text[first..].find(|c: char| c.is_whitespace() || "'\"`)]}>,;|:".contains(c));
    let end = end.map_or(text.len(), |end| first + end);
    text[..end].trim_end_matches('.').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_replaced_wherever_they_stand() {
        for (text, told) in [
            ("/etc/passwd", "[path]"),
            ("cannot open /srv/a.db: denied", "cannot open [path]: denied"),
            ("cannot open \"/srv/a b.db\".", "cannot open \"[path]\"."),
            ("path=/srv/x,mode=1", "path=[path],mode=1"),
            ("C:\\Users\\ann\\x.txt not found", "[path] not found"),
            ("at \\\\host\\share\\x", "at [path]"),
            ("open(~/keys) failed", "open([path]) failed"),
            ("file:///srv/x is gone", "[path] is gone"),
            ("ends with /srv/x.", "ends with [path]."),
        ] {
            assert_eq!(scrub(text), told, "{text}");
        }
    }

    #[test]
    fn what_is_no_path_stays() {
        for text in [
            "",
            "a/b",
            "1/2 of it",
            "see https://example.com/a/b?c=d",
            "tools/call failed",
            "text/plain",
            "a\nb",
            "50 % / 3",
        ] {
            assert_eq!(scrub(text), text);
        }
    }

    #[test]
    fn stack_traces_are_cut_out() {
        let python = "Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in run\n    go()\nValueError: no";
        assert_eq!(scrub(python), "ValueError: no");
        let node = "Error: no\n    at run (/srv/app.js:3:5)\n    at node:internal/main:1:1";
        assert_eq!(scrub(node), "Error: no");
        let rust = "thread 'main' panicked at src/main.rs:2:5:\nno\nstack backtrace:\n   0: std::panicking::begin\n   1: app::main";
        assert_eq!(scrub(rust), "no");
    }
}
