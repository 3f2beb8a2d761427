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

/// How a byte of ASCII is written in JSON: 0 as it is, else the letter of its escape.
const ESCAPES: [u8; 0x80] = {
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

/// What a lane becomes: at most six bytes a unit, which are appended at once.
struct Piece {
    bytes: [u8; LANE * 6],
    length: usize,
}

impl Piece {
    const fn new() -> Self {
        Self { bytes: [0; LANE * 6], length: 0 }
    }

    fn push<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes[self.length..self.length + N].copy_from_slice(&bytes);
        self.length += N;
    }

    fn ascii<const FORM: bool>(&mut self, byte: u8) {
        match ESCAPES[usize::from(byte & 0x7f)] {
            _ if FORM == TEXT => self.push([byte]),
            0 => self.push([byte]),
            b'u' => self.number(u16::from(byte)),
            letter => self.push([b'\\', letter]),
        }
    }

    fn number(&mut self, unit: u16) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |shift: u32| DIGITS[usize::from(unit >> shift & 0xf)];
        self.push([b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
    }

    /// A character of three bytes at most, or half a one.
    fn unit(&mut self, unit: u16) {
        let [high, low] = unit.to_be_bytes();
        let last = 0x80 | low & 0x3f;
        let middle = (high << 2 | low >> 6) & 0x3f;
        if unit < 0x800 {
            self.push([0xc0 | middle, last]);
        } else {
            self.push([0xe0 | high >> 4, 0x80 | middle, last]);
        }
    }

    fn finish(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes[..self.length]);
    }
}

/// Whether all of a lane is written as it is: ASCII without escapes.
fn is_plain<const FORM: bool>(lane: &[u8; LANE]) -> bool {
    // No branches: this is a few instructions for all of them.
    let plain = |byte: u8| match FORM {
        JSON => (byte.cast_signed() > 0x1f) & (byte != b'"') & (byte != b'\\'),
        TEXT => byte < 0x80,
    };
    lane.iter().fold(true, |all, &byte| all & plain(byte))
}

fn push_utf8(out: &mut Vec<u8>, bytes: &[u8]) {
    for lane in bytes.chunks(LANE) {
        // Beyond ASCII nothing is escaped.
        let stays = |byte: u8| (byte > 0x1f) & (byte != b'"') & (byte != b'\\');
        if lane.iter().fold(true, |all, &byte| all & stays(byte)) {
            out.extend_from_slice(lane);
            continue;
        }
        let mut piece = Piece::new();
        for &byte in lane {
            if byte < 0x80 { piece.ascii::<JSON>(byte) } else { piece.push([byte]) }
        }
        piece.finish(out);
    }
}

fn push_latin1<const FORM: bool>(out: &mut Vec<u8>, bytes: &[u8]) {
    for lane in bytes.chunks(LANE) {
        if lane.first_chunk().is_some_and(is_plain::<FORM>) {
            out.extend_from_slice(lane);
            continue;
        }
        let mut piece = Piece::new();
        for &byte in lane {
            if byte < 0x80 { piece.ascii::<FORM>(byte) } else { piece.unit(u16::from(byte)) }
        }
        piece.finish(out);
    }
}

/// `None` if half a character stands alone and is no escape.
fn push_utf16<const FORM: bool>(out: &mut Vec<u8>, units: &[u16]) -> Option<()> {
    let mut rest = units;
    while !rest.is_empty() {
        if let Some(lane) = rest.first_chunk::<LANE>() {
            // What is beyond a byte becomes one that is not plain.
            let narrow = lane.map(|unit| if unit < 0x80 { unit.to_le_bytes()[0] } else { 0xff });
            if is_plain::<FORM>(&narrow) {
                out.extend_from_slice(&narrow);
                rest = &rest[LANE..];
                continue;
            }
        }
        rest = push_lane::<FORM>(out, rest)?;
    }
    Some(())
}

/// The next lane, or a unit less where a pair lies across its end; what is left comes back.
fn push_lane<'a, const FORM: bool>(out: &mut Vec<u8>, units: &'a [u16]) -> Option<&'a [u16]> {
    let mut piece = Piece::new();
    let mut at = 0;
    while let Some(&unit) = units.get(at).filter(|_| at < LANE) {
        at += 1;
        match unit {
            ..0x80 => piece.ascii::<FORM>(unit.to_le_bytes()[0]),
            0xd800..0xe000 => match (unit, units.get(at)) {
                (..0xdc00, Some(&second @ 0xdc00..0xe000)) => {
                    let pair = char::decode_utf16([unit, second]).next()?.ok()?;
                    let mut bytes = [0; 4];
                    pair.encode_utf8(&mut bytes);
                    piece.push(bytes);
                    at += 1;
                }
                _ if FORM == JSON => piece.number(unit),
                _ => return None,
            },
            _ => piece.unit(unit),
        }
    }
    piece.finish(out);
    Some(&units[at..])
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
        let (end, mut lane, mut length) = (text.len().min(at + LANE), [0; LANE], 0);
        let mut is_wide = false;
        while at < end {
            let (unit, taken) = match text[at] {
                b'\\' if FORM == JSON => unescaped(text, at)?,
                byte @ ..0x80 => (u16::from(byte), 1),
                lead @ 0xc2..=0xc3 => (u16::from(lead & 3) << 6 | u16::from(text.get(at + 1)? & 0x3f), 2),
                _ => (u16::MAX, 0),
            };
            let Ok(byte) = u8::try_from(unit) else {
                is_wide = true;
                break;
            };
            lane[length] = byte;
            length += 1;
            at += taken;
        }
        out.extend_from_slice(&lane[..length]);
        if is_wide {
            return Some(at);
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
        let (end, mut lane, mut length) = (bytes.len().min(at + LANE), [0; LANE + 1], 0);
        while at < end {
            let byte = bytes[at];
            let tail = |number: usize| Some(u16::from(bytes.get(at + number)? & 0x3f));
            let (unit, taken) = match byte {
                b'\\' if FORM == JSON => unescaped(bytes, at)?,
                ..0x80 => (u16::from(byte), 1),
                ..0xe0 => (u16::from(byte & 0x1f) << 6 | tail(1)?, 2),
                ..0xf0 => (u16::from(byte & 0xf) << 12 | tail(1)? << 6 | tail(2)?, 3),
                _ => {
                    let mut pair = [0; 2];
                    text.get(at..)?.chars().next()?.encode_utf16(&mut pair);
                    lane[length] = pair[0];
                    length += 1;
                    (pair[1], 4)
                }
            };
            lane[length] = unit;
            length += 1;
            at += taken;
        }
        out.extend_from_slice(&lane[..length]);
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
