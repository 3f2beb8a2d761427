//! Text of servers, made fit for a terminal.
//!
//! Owns: which characters are not let through. Must not know: where text is shown.

use std::fmt::Write as _;

/// The text without anything that steers a terminal or reorders what is read: control
/// characters show as pictures, characters that change direction by their number.
pub(crate) fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' => {}
            '\u{0}'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}'..='\u{9f}' => out.push('\u{fffd}'),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

/// The first line, without tabs: what fits into a list.
pub(crate) fn first_line(text: &str) -> String {
    safe(text.trim().lines().next().unwrap_or_default()).replace('\t', " ")
}

/// A size as people read it.
pub(crate) fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if size < 1024 {
        return format!("{size} bytes");
    }
    let (mut whole, mut tenths, mut unit) = (size / 1024, size % 1024 * 10 / 1024, 0);
    while whole >= 1024 && unit + 1 < UNITS.len() {
        tenths = whole % 1024 * 10 / 1024;
        whole /= 1024;
        unit += 1;
    }
    format!("{whole}.{tenths} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(safe("a\u{1b}[2Jb\u{7}\r\nc\td"), "a␛[2Jb␇\nc\td");
        assert_eq!(safe("\u{9b}31m\u{202e}evil"), "\u{fffd}31m<U+202E>evil");
        assert_eq!(safe("ünïcode 中文"), "ünïcode 中文");
    }

    #[test]
    fn sizes_have_one_digit_behind_the_point() {
        assert_eq!(bytes(17), "17 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(5 * 1024 * 1024 + 300 * 1024), "5.2 MiB");
    }
}
