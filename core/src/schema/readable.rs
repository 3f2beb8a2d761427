//! JSON that the library's values cannot hold, read all the same.
//!
//! Owns: what stands in for it. Must not know: what is checked of a value.
//!
//! JSON allows surrogates without their other half, which JavaScript sends, and integers of any
//! length, which Python sends. Neither fits a `serde_json::Value`. For a check something as long, or
//! nearly as large, does as well; whoever gets the value gets what was sent.

use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::Value;

/// The largest integer that has a place in a `Value`.
const LARGEST: &str = "1.7976931348623157e308";

/// Reads a value. The text that was read in its place comes first, if there is one.
pub(super) fn read(value: &RawJson) -> Option<(Option<RawJson>, Value)> {
    if let Ok(read) = value.decode() {
        return Some((None, read));
    }
    let mended = RawJson::parse(mended(value.as_str())).ok()?;
    let read = mended.decode().ok()?;
    Some((Some(mended), read))
}

/// The same JSON text with `\ufffd` for each escaped surrogate without its other half, and the
/// largest number for each integer of more digits than it has.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_string = false;
    while let Some(first) = rest.chars().next() {
        let (taken, instead) = match first {
            '\\' => escape(rest),
            '0'..='9' if !in_string => number(rest),
            _ => (first.len_utf8(), None),
        };
        in_string ^= first == '"';
        mended.push_str(instead.unwrap_or(&rest[..taken]));
        rest = &rest[taken..];
    }
    mended
}

/// How long the escape is that a text begins with, and what stands in for it.
fn escape(text: &str) -> (usize, Option<&'static str>) {
    match (unit(text), text.get(6..).and_then(unit)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
        (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd")),
        (Some(_), _) => (6, None),
        // What is escaped may be a backslash itself.
        (None, _) => (2, None),
    }
}

/// The UTF-16 unit that a text begins with as an escape.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// As [`escape`], of a number. Its sign stands before it.
fn number(text: &str) -> (usize, Option<&'static str>) {
    let end =
        text.find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-')).unwrap_or(text.len());
    let is_integer = text[..end].bytes().all(|digit| digit.is_ascii_digit());
    let is_large = is_integer && text[..end].parse::<f64>().is_ok_and(f64::is_infinite);
    (end, is_large.then_some(LARGEST))
}
