//! Text as JSON strings, fast where it is long and needs no escapes.
//!
//! Owns: which bytes are escaped and how: exactly as serde_json does it, so that it does not
//! matter who wrote a string. Must not know: what the text says.

use super::scan::{each, zeroes};

/// Appends `value` as a JSON string.
pub(super) fn push_string(text: &mut String, value: &str) {
    text.reserve(value.len() + 2);
    text.push('"');
    let mut from = 0;
    while let Some(at) = next_escape(value.as_bytes(), from) {
        text.push_str(&value[from..at]);
        push_escape(text, value.as_bytes()[at]);
        from = at + 1;
    }
    text.push_str(&value[from..]);
    text.push('"');
}

/// Index of the next byte that a JSON string cannot hold as it is.
fn next_escape(bytes: &[u8], mut at: usize) -> Option<usize> {
    // Eight bytes at once: the high bit of a byte is set where it is a control
    // character, a quote or a backslash. A borrow can only reach bytes behind a hit.
    while let Some(eight) = bytes[at..].first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let control = word.wrapping_sub(each(0x20)) & !word & each(0x80);
        if control | zeroes(word ^ each(b'"')) | zeroes(word ^ each(b'\\')) != 0 {
            break;
        }
        at += 8;
    }
    let found = bytes[at..].iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')?;
    Some(at + found)
}

fn push_escape(text: &mut String, byte: u8) {
    let short = match byte {
        b'"' => '"',
        b'\\' => '\\',
        b'\n' => 'n',
        b'\r' => 'r',
        b'\t' => 't',
        0x08 => 'b',
        0x0c => 'f',
        _ => {
            text.push_str(if byte < 0x10 { "\\u000" } else { "\\u001" });
            text.extend(char::from_digit(u32::from(byte & 0xf), 16));
            return;
        }
    };
    text.push('\\');
    text.push(short);
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
            for before in 0..18 {
                let value = format!("{}{character}ü and more", "x".repeat(before));
                assert_eq!(escaped(&value), serde_json::json!(value).to_string());
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_written_as_serde_json_writes_it(value in "(?s).{0,60}") {
            proptest::prop_assert_eq!(escaped(&value), serde_json::json!(value).to_string());
        }
    }
}
