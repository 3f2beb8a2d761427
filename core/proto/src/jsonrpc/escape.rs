//! Text as JSON strings, fast where it is long and needs few escapes.
//!
//! Owns: which bytes are escaped and how: exactly as serde_json does it, so that it does not
//! matter who wrote a string. Must not know: what the text says, or how hosts keep it.

use super::special::{ESCAPED, next_special};

/// Appends `value` as a JSON string.
pub(super) fn push_string(text: &mut String, value: &str) {
    text.reserve(value.len() + 2);
    text.push('"');
    let mut from = 0;
    while let Some(at) = next_special::<ESCAPED>(value.as_bytes(), from) {
        text.push_str(&value[from..at]);
        push_escape(text, value.as_bytes()[at]);
        from = at + 1;
    }
    text.push_str(&value[from..]);
    text.push('"');
}

/// How a byte of ASCII is written in JSON: 0 as it is, `u` by its number, else the letter of its
/// escape.
pub(super) const ESCAPES: [u8; 0x80] = {
    let mut table = [0; 0x80];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = b'u';
        byte += 1;
    }
    let short = b"\"\"\\\\\nn\rr\tt\x08b\x0cf";
    let mut at = 0;
    while at < short.len() {
        table[short[at] as usize] = short[at + 1];
        at += 2;
    }
    table
};

fn push_escape(text: &mut String, byte: u8) {
    match ESCAPES[usize::from(byte & 0x7f)] {
        b'u' => text.extend(number(u16::from(byte)).map(char::from)),
        letter => {
            text.push('\\');
            text.push(char::from(letter));
        }
    }
}

/// A unit of UTF-16 as an escape by its number.
pub(super) const fn number(unit: u16) -> [u8; 6] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    const fn digit(unit: u16, shift: u32) -> u8 {
        DIGITS[(unit >> shift & 0xf) as usize]
    }
    [b'\\', b'u', digit(unit, 12), digit(unit, 8), digit(unit, 4), digit(unit, 0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(value: &str) -> String {
        let mut text = String::new();
        push_string(&mut text, value);
        text
    }

    #[test]
    fn every_byte_is_written_as_serde_json_writes_it_wherever_it_stands() {
        for character in (0..=0x17f).filter_map(char::from_u32) {
            for before in (0..18).chain(56..82) {
                let value = format!("{}{character}ü and more", "x".repeat(before));
                assert_eq!(escaped(&value), serde_json::json!(value).to_string());
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_written_as_serde_json_writes_it(value in "(?s)(.{0,60}|(x{0,99}.){0,5})") {
            proptest::prop_assert_eq!(escaped(&value), serde_json::json!(value).to_string());
        }
    }
}
