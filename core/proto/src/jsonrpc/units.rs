//! JSON strings to the units that strings of hosts are made of, and back, in one pass each.
//!
//! Owns: escapes, Latin-1, UTF-16, surrogates that stand alone. Must not know: any host.
//!
//! Strings of JavaScript and Python lie in memory as Latin-1 or UTF-16, and neither runtime is
//! fast at UTF-8 that is not ASCII: what crosses in its own units is only copied there.

/// What is looked at together: long runs of plain text are told by few instructions.
const LANE: usize = 16;

/// A string as it stands in JSON: with escapes.
const JSON: bool = true;
/// A string that stands for itself.
const TEXT: bool = false;

/// A host's string as it lies in memory.
///
/// ```
/// use mcpbolt_proto::jsonrpc::HostText;
///
/// assert_eq!(HostText::Latin1(b"gr\xfcn").to_literal(), "\"grün\"".as_bytes());
/// // Half a character is escaped, as JavaScript does it.
/// assert_eq!(HostText::Utf16(&[0x61, 0xd83d]).to_literal(), br#""a\ud83d""#);
/// ```
#[derive(Debug, Clone, Copy)]
pub enum HostText<'a> {
    /// UTF-8.
    Utf8(&'a str),
    /// One byte a character, U+0000 to U+00FF.
    Latin1(&'a [u8]),
    /// UTF-16; surrogates may stand alone.
    Utf16(&'a [u16]),
}

impl HostText<'_> {
    /// The text as a JSON string, with its quotes.
    pub fn to_literal(self) -> Vec<u8> {
        let mut out = Vec::new();
        self.push_literal(&mut out);
        out
    }

    /// Appends [`HostText::to_literal`].
    pub fn push_literal(self, out: &mut Vec<u8>) {
        out.reserve(self.len() + self.len() / 16 + 2);
        out.push(b'"');
        match self {
            Self::Utf8(text) => push_utf8(out, text.as_bytes()),
            Self::Latin1(bytes) => push_latin1::<JSON>(out, bytes),
            // Half a character is escaped.
            Self::Utf16(units) => drop(push_utf16::<JSON>(out, units)),
        }
        out.push(b'"');
    }

    /// The text as UTF-8; `None` if there is a surrogate that stands alone.
    pub fn to_utf8(self) -> Option<String> {
        let mut out = Vec::with_capacity(self.len() + self.len() / 16);
        match self {
            Self::Utf8(text) => return Some(text.to_owned()),
            Self::Latin1(bytes) => push_latin1::<TEXT>(&mut out, bytes),
            Self::Utf16(units) => push_utf16::<TEXT>(&mut out, units)?,
        }
        String::from_utf8(out).ok()
    }

    /// How many units there are.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Utf8(text) => text.len(),
            Self::Latin1(bytes) => bytes.len(),
            Self::Utf16(units) => units.len(),
        }
    }
}

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
        if text.is_ascii() && memchr::memchr(b'\\', text.as_bytes()).is_none() {
            return Some(Self::Ascii(text));
        }
        Self::read::<JSON>(text)
    }

    /// The units of any text.
    pub fn of_text(text: &'a str) -> Option<Self> {
        if text.is_ascii() { Some(Self::Ascii(text)) } else { Self::read::<TEXT>(text) }
    }

    fn read<const FORM: bool>(text: &str) -> Option<Self> {
        let mut narrow = Vec::with_capacity(text.len());
        let at = narrow_units::<FORM>(text.as_bytes(), &mut narrow)?;
        if at == text.len() {
            return Some(Self::Latin1(narrow));
        }
        let mut wide = Vec::with_capacity(narrow.len() + (text.len() - at) / 2);
        wide.extend(narrow.into_iter().map(u16::from));
        wide_units::<FORM>(text, at, &mut wide)?;
        Some(Self::Utf16(wide))
    }
}

/// Whether a byte is ASCII that is written as it is.
const fn is_plain<const FORM: bool>(byte: u8) -> bool {
    // No branches: this is asked of a whole lane at once.
    match FORM {
        JSON => (byte.cast_signed() > 0x1f) & (byte != b'"') & (byte != b'\\'),
        TEXT => byte < 0x80,
    }
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => return push_number(out, u16::from(byte)),
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn push_number(out: &mut Vec<u8>, unit: u16) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |shift: u32| DIGITS[usize::from(unit >> shift & 0xf)];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}

fn push_utf8(out: &mut Vec<u8>, mut bytes: &[u8]) {
    while let Some(lane) = bytes.first_chunk::<LANE>() {
        // Beyond ASCII nothing is escaped.
        let stays = |byte: u8| (byte > 0x1f) & (byte != b'"') & (byte != b'\\');
        if lane.iter().fold(true, |all, &byte| all & stays(byte)) {
            out.extend_from_slice(lane);
        } else {
            push_utf8_slowly(out, lane);
        }
        bytes = &bytes[LANE..];
    }
    push_utf8_slowly(out, bytes);
}

fn push_utf8_slowly(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        if byte >= 0x80 || is_plain::<JSON>(byte) { out.push(byte) } else { escape(out, byte) }
    }
}

fn push_latin1<const FORM: bool>(out: &mut Vec<u8>, mut bytes: &[u8]) {
    while let Some(lane) = bytes.first_chunk::<LANE>() {
        if lane.iter().fold(true, |all, &byte| all & is_plain::<FORM>(byte)) {
            out.extend_from_slice(lane);
        } else {
            push_latin1_slowly::<FORM>(out, lane);
        }
        bytes = &bytes[LANE..];
    }
    push_latin1_slowly::<FORM>(out, bytes);
}

fn push_latin1_slowly<const FORM: bool>(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            0x80.. => out.extend_from_slice(&[0xc0 | byte >> 6, 0x80 | byte & 0x3f]),
            _ if is_plain::<FORM>(byte) => out.push(byte),
            _ => escape(out, byte),
        }
    }
}

/// `None` if half a character stands alone and is no escape.
fn push_utf16<const FORM: bool>(out: &mut Vec<u8>, units: &[u16]) -> Option<()> {
    let mut at = 0;
    while let Some(lane) = units[at..].first_chunk::<LANE>() {
        let plain = |unit: u16| match FORM {
            JSON => {
                (unit.wrapping_sub(0x20) < 0x60) & (unit != u16::from(b'"')) & (unit != u16::from(b'\\'))
            }
            TEXT => unit < 0x80,
        };
        if lane.iter().fold(true, |all, &unit| all & plain(unit)) {
            out.extend_from_slice(&lane.map(|unit| unit.to_le_bytes()[0]));
            at += LANE;
        } else {
            at = push_utf16_slowly::<FORM>(out, units, at, at + LANE)?;
        }
    }
    push_utf16_slowly::<FORM>(out, units, at, units.len()).map(drop)
}

/// From `at` to `end`, or to behind the pair that lies across it.
fn push_utf16_slowly<const FORM: bool>(
    out: &mut Vec<u8>,
    units: &[u16],
    mut at: usize,
    end: usize,
) -> Option<usize> {
    while at < end {
        let unit = units[at];
        match u8::try_from(unit) {
            Ok(byte) if is_plain::<FORM>(byte) => out.push(byte),
            Ok(byte @ ..0x80) => escape(out, byte),
            _ => {
                let pair = &units[at..units.len().min(at + 2)];
                match char::decode_utf16(pair.iter().copied()).next() {
                    Some(Ok(character)) => {
                        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                        at += character.len_utf16() - 1;
                    }
                    _ if FORM == JSON => push_number(out, unit),
                    _ => return None,
                }
            }
        }
        at += 1;
    }
    Some(at)
}

/// Reads escapes and characters up to U+00FF: to the end, or to where a wider one stands.
fn narrow_units<const FORM: bool>(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        if let Some(lane) = plain_lane::<FORM>(text, at) {
            out.extend_from_slice(lane);
            at += LANE;
            continue;
        }
        let end = text.len().min(at + LANE);
        while at < end {
            let (unit, length) = match text[at] {
                b'\\' if FORM == JSON => unescaped(text, at)?,
                byte @ ..0x80 => (u16::from(byte), 1),
                lead @ 0xc2..=0xc3 => (u16::from(lead & 3) << 6 | u16::from(text.get(at + 1)? & 0x3f), 2),
                _ => return Some(at),
            };
            let Ok(byte) = u8::try_from(unit) else { return Some(at) };
            out.push(byte);
            at += length;
        }
    }
    Some(at)
}

fn wide_units<const FORM: bool>(text: &str, mut at: usize, out: &mut Vec<u16>) -> Option<()> {
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if let Some(lane) = plain_lane::<FORM>(bytes, at) {
            out.extend_from_slice(&lane.map(u16::from));
            at += LANE;
            continue;
        }
        let end = bytes.len().min(at + LANE);
        while at < end {
            match bytes[at] {
                b'\\' if FORM == JSON => {
                    let (unit, length) = unescaped(bytes, at)?;
                    out.push(unit);
                    at += length;
                }
                byte @ ..0x80 => {
                    out.push(u16::from(byte));
                    at += 1;
                }
                _ => {
                    let character = text.get(at..)?.chars().next()?;
                    out.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                    at += character.len_utf8();
                }
            }
        }
    }
    Some(())
}

/// The next bytes, if all of them are ASCII and stand for themselves.
fn plain_lane<const FORM: bool>(text: &[u8], at: usize) -> Option<&[u8; LANE]> {
    let lane = text.get(at..)?.first_chunk::<LANE>()?;
    let stays = |byte: u8| (byte < 0x80) & ((FORM == TEXT) | (byte != b'\\'));
    let all = lane.iter().fold(true, |all, &byte| all & stays(byte));
    all.then_some(lane)
}

/// The unit of the escape that begins at `at`, and how long that is.
fn unescaped(text: &[u8], at: usize) -> Option<(u16, usize)> {
    let short = match text.get(at + 1)? {
        b'u' => {
            let digits = text.get(at + 2..at + 6)?;
            let digit = |unit: u16, &byte: &u8| Some(unit << 4 | u16::try_from(char::from(byte).to_digit(16)?).ok()?);
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
        for character in (0..=0x17f).chain([0x2028, 0xd7ff, 0xe000, 0xffff, 0x1_0000]).filter_map(char::from_u32) {
            for before in 0..=LANE {
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
        for before in 0..=LANE {
            let mut units = vec![u16::from(b'x'); before];
            units.extend([0xd83d, 0xde00, 0xde00, 0xd83d, 0x61, 0xd83d]);
            let expected = format!("\"{}😀\\ude00\\ud83da\\ud83d\"", "x".repeat(before));
            assert_eq!(text(HostText::Utf16(&units).to_literal()), expected);
            assert_eq!(read(&expected), units);
            assert_eq!(HostText::Utf16(&units).to_utf8(), None);
        }
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
