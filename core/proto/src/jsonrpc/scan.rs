//! One pass over JSON text that answers what a parser will not: how deep it nests
//! and whether a raw line break stands between its tokens.
//!
//! Owns: the two answers. Must not know: what the text means.
//!
//! serde_json skips raw values without recursion and therefore without a depth
//! limit, and keeps insignificant whitespace; both would reach our peers.

use memchr::{memchr2, memchr2_iter};

/// Deepest nesting of `text`. Strings are skipped; the text need not be valid JSON.
pub(super) fn depth(text: &[u8]) -> usize {
    let (mut level, mut deepest, mut at) = (0_usize, 0_usize, 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at + 1);
                continue;
            }
            b'{' | b'[' => {
                level += 1;
                deepest = deepest.max(level);
            }
            b'}' | b']' => level = level.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    deepest
}

/// Whether `text` nests deeper than `max`. Looks closely only at text that has more
/// brackets than that.
pub(super) fn is_deeper(text: &[u8], max: usize) -> bool {
    memchr2_iter(b'{', b'[', text).nth(max).is_some() && depth(text) > max
}

/// Whether `text` holds a carriage return or a line feed anywhere.
pub(super) fn has_line_break(text: &[u8]) -> bool {
    memchr2(b'\n', b'\r', text).is_some()
}

/// Replaces line breaks between tokens by spaces. Breaks inside strings are left
/// in place: they are invalid JSON, and the parser must still be able to say so.
pub(super) fn blank_line_breaks(text: &mut [u8]) {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' => at = string_end(text, at + 1),
            b'\n' | b'\r' => {
                text[at] = b' ';
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Most bytes of a string that are looked at by eights. Preparing SIMD costs more than short
/// strings do, and most strings of a message are names.
const SHORT: usize = 48;

/// Index just behind the string whose first character is at `start`.
pub(super) fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < start + SHORT
        && let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk)
    {
        let word = u64::from_le_bytes(*eight);
        let found = zeroes(word ^ each(b'"')) | zeroes(word ^ each(b'\\'));
        if found == 0 {
            at += 8;
            continue;
        }
        at += found.trailing_zeros() as usize / 8;
        if text[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    long_string_end(text, at)
}

fn long_string_end(text: &[u8], start: usize) -> usize {
    let start = start.min(text.len());
    let mut skip_until = start;
    for found in memchr2_iter(b'"', b'\\', &text[start..]) {
        let at = start + found;
        if at < skip_until {
            continue;
        }
        if text[at] == b'"' {
            return at + 1;
        }
        skip_until = at + 2;
    }
    text.len()
}

/// Eight times the same byte.
pub(super) const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The high bit of each byte that is zero. A borrow can only reach bytes behind the first one.
pub(super) const fn zeroes(word: u64) -> u64 {
    word.wrapping_sub(each(1)) & !word & each(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_ignores_brackets_inside_strings() {
        assert_eq!(depth(br#"{"a":"[[[[\"[[","b":[1]}"#), 2);
        assert_eq!(depth(br#""\\"[[]]"#), 2);
        assert_eq!(depth(b"7"), 0);
    }

    #[test]
    fn a_text_of_many_brackets_is_not_deep_for_that() {
        assert!(!is_deeper(br#"[[],[],"[[[[",{}]"#, 2));
        assert!(is_deeper(b"[[[]]]", 2));
        assert!(!is_deeper(b"[[[]]]", 3));
        assert!(is_deeper(b"[]", 0) && !is_deeper(b"1", 0));
    }

    #[test]
    fn a_string_ends_at_its_first_quote_without_a_backslash_however_long_it_is() {
        for length in 0..80 {
            let before = "ü/x!#[]".repeat(12);
            let before = &before.as_bytes()[..length];
            let whole = [before, b"\\\"", before, b"\\\\\", \"more\""].concat();
            assert_eq!(string_end(&whole, 0), 2 * length + 5, "{length}");
            assert_eq!(string_end(&whole, 2 * length + 8), whole.len(), "{length}");
            assert_eq!(string_end(before, 0), length, "no end");
        }
        assert_eq!(string_end(b"ab\\", 0), 3);
        assert_eq!(string_end(b"ab", 9), 2);
    }

    #[test]
    fn blanking_spares_strings() {
        let mut text = b"{\n\"a\":\r\n\"x\ny\"}".to_vec();
        blank_line_breaks(&mut text);
        assert_eq!(text, b"{ \"a\":  \"x\ny\"}");
    }
}
