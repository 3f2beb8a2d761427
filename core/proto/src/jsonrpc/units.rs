//! JSON strings and UTF-8 to the units that strings of hosts are made of, in one pass.
//!
//! Owns: escapes, Latin-1 and UTF-16 on their way in, surrogates that stand alone. Must not know:
//! any host.
//!
//! Strings of JavaScript and Python lie in memory as Latin-1 or UTF-16, and neither runtime is
//! fast at UTF-8 that is not ASCII: what crosses in its own units is only copied there.

use super::special::{BACKSLASH, BEYOND, is_special, next_special, push_run};

/// What is special in a string as it stands in JSON.
const JSON: u8 = BACKSLASH | BEYOND;
/// The same of a string that stands for itself.
const TEXT: u8 = BEYOND;

/// What a JSON string says, in the narrowest units that hold it.
///
/// ```
/// use mcpbolt_proto::jsonrpc::Units;
///
/// assert_eq!(Units::of_literal("\"plain\""), Some(Units::Ascii("plain")));
/// assert_eq!(Units::of_literal("\"gr\\u00fcn\""), Some(Units::Latin1(b"gr\xfcn".to_vec())));
/// assert_eq!(Units::of_literal("\"\\ud83d\""), Some(Units::Utf16(vec![0xd83d])));
/// assert_eq!(Units::of_literal("\"\\x\""), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Units<'a> {
    /// ASCII without escapes: the text itself.
    Ascii(&'a str),
    /// One byte a character, U+0000 to U+00FF.
    Latin1(Vec<u8>),
    /// UTF-16; surrogates may stand alone.
    Utf16(Vec<u16>),
}

impl<'a> Units<'a> {
    /// Reads a JSON string with its quotes; `None` if it is none.
    pub fn of_literal(literal: &'a str) -> Option<Self> {
        let text = literal.strip_prefix('"')?.strip_suffix('"')?;
        Self::read::<JSON>(text)
    }

    /// The units of any text.
    pub fn of_text(text: &'a str) -> Option<Self> {
        Self::read::<TEXT>(text)
    }

    fn read<const FORM: u8>(text: &'a str) -> Option<Self> {
        if is_plain::<FORM>(text) {
            return Some(Self::Ascii(text));
        }
        let mut narrow = Vec::with_capacity(text.len());
        let at = narrow_units::<FORM>(text.as_bytes(), 0, usize::MAX, &mut narrow)?;
        if at == text.len() {
            return Some(Self::Latin1(narrow));
        }
        let mut wide = Vec::with_capacity(narrow.len() + (text.len() - at) / 2);
        wide.extend(narrow.into_iter().map(u16::from));
        wide_units::<FORM>(text, at, usize::MAX, &mut wide)?;
        Some(Self::Utf16(wide))
    }
}

/// A long string piece by piece, for hosts that put it together: a copy of all of it would be
/// pages that the kernel hands out and takes back for each message. Plain ASCII is one piece, and
/// no character lies across two. A piece that is `None` is the last: the text is no JSON string.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{UnitPieces, Units};
///
/// let pieces: Option<Vec<_>> = UnitPieces::of_literal("\"gr\\u00fcn 緑\"").expect("quotes").collect();
/// assert_eq!(pieces, Some(vec![Units::Latin1(b"gr\xfcn ".to_vec()), Units::Utf16(vec![0x7dd1])]));
/// ```
#[derive(Debug, Clone)]
pub struct UnitPieces<'a> {
    text: &'a str,
    is_literal: bool,
    at: usize,
}

/// About how many units a piece has: little beside a processor's cache.
const PIECE: usize = 64 << 10;

impl<'a> UnitPieces<'a> {
    /// Reads a JSON string with its quotes; `None` if there are none.
    pub fn of_literal(literal: &'a str) -> Option<Self> {
        let text = literal.strip_prefix('"')?.strip_suffix('"')?;
        Some(Self { text, is_literal: true, at: 0 })
    }

    /// The pieces of any text.
    pub const fn of_text(text: &'a str) -> Self {
        Self { text, is_literal: false, at: 0 }
    }

    fn read<const FORM: u8>(&mut self) -> Option<Units<'a>> {
        if self.at == 0 && is_plain::<FORM>(self.text) {
            self.at = self.text.len();
            return Some(Units::Ascii(self.text));
        }
        let most = PIECE.min(self.text.len() - self.at);
        let mut narrow = Vec::with_capacity(most);
        self.at = narrow_units::<FORM>(self.text.as_bytes(), self.at, most, &mut narrow)?;
        if !narrow.is_empty() {
            return Some(Units::Latin1(narrow));
        }
        let mut wide = Vec::with_capacity(most + 2);
        self.at = wide_units::<FORM>(self.text, self.at, most, &mut wide)?;
        Some(Units::Utf16(wide))
    }
}

impl<'a> Iterator for UnitPieces<'a> {
    type Item = Option<Units<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.text.len() {
            return None;
        }
        let piece = if self.is_literal { self.read::<JSON>() } else { self.read::<TEXT>() };
        if piece.is_none() {
            self.at = self.text.len();
        }
        Some(piece)
    }
}

/// Whether a text is ASCII that stands for itself.
fn is_plain<const FORM: u8>(text: &str) -> bool {
    text.is_ascii() && (FORM == TEXT || memchr::memchr(b'\\', text.as_bytes()).is_none())
}

/// Reads escapes and characters up to U+00FF: to the end, to so many, or to where a wider one stands.
fn narrow_units<const FORM: u8>(text: &[u8], mut at: usize, most: usize, out: &mut Vec<u8>) -> Option<usize> {
    while at < text.len() && out.len() < most {
        let end = text.len().min(at.saturating_add(most - out.len()));
        let special = next_special::<FORM>(&text[..end], at).unwrap_or(end);
        push_run(out, text, at, special);
        at = special;
        if at == end {
            continue;
        }
        let (unit, taken) = match text[at] {
            b'\\' => unescaped(text, at)?,
            lead @ 0xc2..=0xc3 => (u16::from(lead & 3) << 6 | u16::from(text.get(at + 1)? & 0x3f), 2),
            _ => return Some(at),
        };
        let Ok(byte) = u8::try_from(unit) else { return Some(at) };
        out.push(byte);
        at += taken;
    }
    Some(at)
}

/// Reads any: to the end, or to about so many.
fn wide_units<const FORM: u8>(text: &str, mut at: usize, most: usize, out: &mut Vec<u16>) -> Option<usize> {
    let bytes = text.as_bytes();
    // The second half of a pair may stand in an escape of its own.
    let is_half = |unit: &u16| matches!(unit, 0xd800..0xdc00);
    while at < bytes.len() && (out.len() < most || out.last().is_some_and(is_half)) {
        let end = bytes.len().min(at.saturating_add(most.saturating_sub(out.len()).max(1)));
        let special = next_special::<FORM>(&bytes[..end], at).unwrap_or(end);
        out.extend(bytes[at..special].iter().map(|&byte| u16::from(byte)));
        at = special;
        // Where one is special, the next often is too: an alphabet, with a space between two words.
        let is_beyond = |at: usize| bytes.get(at).is_some_and(|&byte| byte >= 0x80);
        while at < end && (is_special::<FORM>(bytes[at]) || is_beyond(at + 1)) {
            at += push_character::<FORM>(text, at, out)?;
        }
    }
    Some(at)
}

/// Appends the character or escape that begins at `at`, and says how long it is.
fn push_character<const FORM: u8>(text: &str, at: usize, out: &mut Vec<u16>) -> Option<usize> {
    let bytes = text.as_bytes();
    let tail = |number: usize| Some(u16::from(bytes.get(at + number)? & 0x3f));
    let (unit, taken) = match bytes[at] {
        b'\\' if FORM == JSON => unescaped(bytes, at)?,
        byte @ ..0x80 => (u16::from(byte), 1),
        byte @ 0x80..0xe0 => (u16::from(byte & 0x1f) << 6 | tail(1)?, 2),
        byte @ 0xe0..0xf0 => (u16::from(byte & 0xf) << 12 | tail(1)? << 6 | tail(2)?, 3),
        _ => {
            let mut pair = [0; 2];
            text.get(at..)?.chars().next()?.encode_utf16(&mut pair);
            out.push(pair[0]);
            (pair[1], 4)
        }
    };
    out.push(unit);
    Some(taken)
}

/// The unit of the escape that begins at `at`, and how long that is.
fn unescaped(text: &[u8], at: usize) -> Option<(u16, usize)> {
    let short = match text.get(at + 1)? {
        b'u' => {
            let digits = text.get(at + 2..at + 6)?;
            let digit =
                |unit: u16, &byte: &u8| Some(unit << 4 | u16::try_from(char::from(byte).to_digit(16)?).ok()?);
            return Some((digits.iter().try_fold(0, digit)?, 6));
        }
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 0x08,
        b'f' => 0x0c,
        same @ (b'"' | b'\\' | b'/') => *same,
        _ => return None,
    };
    Some((u16::from(short), 2))
}

#[cfg(test)]
mod tests {
    use super::super::HostText;
    use super::*;

    /// What a literal says, by way of the units.
    fn read(literal: &str) -> Vec<u16> {
        match Units::of_literal(literal).expect("a literal") {
            Units::Ascii(text) => text.bytes().map(u16::from).collect(),
            Units::Latin1(bytes) => bytes.into_iter().map(u16::from).collect(),
            Units::Utf16(units) => units,
        }
    }

    fn text(literal: Vec<u8>) -> String {
        String::from_utf8(literal).expect("UTF-8")
    }

    #[test]
    fn every_character_is_written_as_serde_json_writes_it_wherever_it_stands() {
        for character in
            (0..=0x17f).chain([0x2028, 0xd7ff, 0xe000, 0xffff, 0x1_0000]).filter_map(char::from_u32)
        {
            for before in (0..36).chain(60..102) {
                let value = format!("{}{character}ü and more than one lane", "x".repeat(before));
                let expected = serde_json::json!(value).to_string();
                let units: Vec<u16> = value.encode_utf16().collect();
                assert_eq!(text(HostText::Utf8(&value).to_literal()), expected);
                assert_eq!(text(HostText::Utf16(&units).to_literal()), expected);
                assert_eq!(read(&expected), units);
                let narrow: Result<Vec<u8>, _> = value.chars().map(u8::try_from).collect();
                if let Ok(bytes) = narrow {
                    assert_eq!(text(HostText::Latin1(&bytes).to_literal()), expected);
                    assert!(!matches!(Units::of_literal(&expected), Some(Units::Utf16(_))), "narrow text");
                }
            }
        }
    }

    #[test]
    fn surrogates_may_stand_alone_and_across_lanes() {
        for before in (0..36).chain(60..102) {
            let mut units = vec![u16::from(b'x'); before];
            units.extend([0xd83d, 0xde00, 0xde00, 0xd83d, 0x61, 0xd83d]);
            let expected = format!("\"{}😀\\ude00\\ud83da\\ud83d\"", "x".repeat(before));
            assert_eq!(text(HostText::Utf16(&units).to_literal()), expected);
            assert_eq!(read(&expected), units);
            assert_eq!(HostText::Utf16(&units).to_utf8(), None);
        }
    }

    #[test]
    fn pieces_are_the_whole_wherever_they_part() {
        let joined = |pieces: UnitPieces<'_>| {
            let units = |piece: Option<Units<'_>>| match piece.expect("units") {
                Units::Ascii(text) => text.encode_utf16().collect(),
                Units::Latin1(bytes) => bytes.into_iter().map(u16::from).collect(),
                Units::Utf16(units) => units,
            };
            pieces.map(units).collect::<Vec<Vec<u16>>>()
        };
        for before in 0..=20 {
            let mut text = "x".repeat(PIECE - before);
            text.push_str(&"é\n😀 plain text of one lane 緑".repeat(PIECE / 8));
            let units: Vec<u16> = text.encode_utf16().collect();
            let escaped = units.iter().map(|unit| format!("\\u{unit:04x}")).collect::<Vec<_>>().concat();
            let pieces = joined(UnitPieces::of_text(&text));
            assert!(pieces.len() > 2 && pieces.iter().all(|piece| piece.len() <= PIECE + 2));
            assert!(pieces.concat() == units, "{before}");
            for literal in [serde_json::json!(text).to_string(), format!("\"{escaped}\"")] {
                let pieces = joined(UnitPieces::of_literal(&literal).expect("quotes"));
                let is_half = |piece: &Vec<u16>| matches!(piece.last(), Some(0xd800..0xdc00));
                assert!(pieces.len() > 2 && !pieces.iter().any(is_half), "{before}");
                assert!(pieces.concat() == units, "{before}");
            }
        }
        let broken = format!("\"{}\\x\"", "ü".repeat(PIECE));
        assert_eq!(UnitPieces::of_literal(&broken).expect("quotes").last(), Some(None));
        assert_eq!(UnitPieces::of_literal("\"\"").expect("quotes").next(), None);
    }

    #[test]
    fn escapes_of_every_form_are_read_and_others_refused() {
        let forms = r#""\"\\\/\b\f\n\r\t\u0041\u00E9\u20ac\uD83D\uDE00""#;
        let expected: Vec<u16> = "\"\\/\u{8}\u{c}\n\r\tAé€😀".encode_utf16().collect();
        assert_eq!(read(forms), expected);
        for broken in ["\"", "x", "\"\\\"", "\"\\u12\"", "\"\\u+123\"", "\"\\x\"", "\"ü\\u00g0\""] {
            assert_eq!(Units::of_literal(broken), None, "{broken}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_comes_back(value in "(?s)([ -~]{0,20}|.{0,3}){0,8}") {
            let expected = serde_json::json!(value).to_string();
            let units: Vec<u16> = value.encode_utf16().collect();
            proptest::prop_assert_eq!(&text(HostText::Utf8(&value).to_literal()), &expected);
            proptest::prop_assert_eq!(&text(HostText::Utf16(&units).to_literal()), &expected);
            proptest::prop_assert_eq!(read(&expected), units.clone());
            proptest::prop_assert_eq!(HostText::Utf16(&units).to_utf8(), Some(value.clone()));
            let plain = match Units::of_text(&value).expect("units") {
                Units::Ascii(text) => text.to_owned(),
                Units::Latin1(bytes) => HostText::Latin1(&bytes).to_utf8().expect("UTF-8"),
                Units::Utf16(units) => HostText::Utf16(&units).to_utf8().expect("UTF-8"),
            };
            proptest::prop_assert_eq!(plain, value);
        }

        #[test]
        fn any_units_come_back(units in proptest::collection::vec(proptest::prelude::any::<u16>(), 0..60)) {
            let literal = text(HostText::Utf16(&units).to_literal());
            proptest::prop_assert_eq!(read(&literal), units);
        }
    }
}
