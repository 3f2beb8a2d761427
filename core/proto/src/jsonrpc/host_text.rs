//! Strings of hosts to JSON strings and to UTF-8, in one pass.
//!
//! Owns: Latin-1 and UTF-16 on their way out. Must not know: any host, or what is escaped how.

use super::escape::{ESCAPES, number};
use super::special::{BEYOND, ESCAPED, any_special, is_special, next_special, push_run};

/// What is special where a string is written as it stands in JSON.
const JSON: u8 = ESCAPED | BEYOND;
/// The same of a string that stands for itself.
const TEXT: u8 = BEYOND;

/// How many units are looked at together: long runs of plain text are told by few instructions.
const LANE: usize = 32;

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
        let mut out = Vec::with_capacity(self.room() + 2);
        self.push_literal(&mut out);
        out
    }

    /// Appends [`HostText::to_literal`].
    pub fn push_literal(self, out: &mut Vec<u8>) {
        out.push(b'"');
        self.push_escaped(out);
        out.push(b'"');
    }

    fn push_escaped(self, out: &mut Vec<u8>) {
        out.reserve(self.room());
        match self {
            Self::Utf8(text) => push_utf8(out, text.as_bytes()),
            Self::Latin1(bytes) => push_latin1::<JSON>(out, bytes),
            // Half a character is escaped.
            Self::Utf16(units) => drop(push_utf16::<JSON>(out, units)),
        }
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

    /// About how long it is in JSON.
    fn room(self) -> usize {
        self.len() + self.len() / 16 + 2
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

/// A JSON string whose parts come one after another.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{HostText, LiteralParts};
///
/// let mut out = Vec::new();
/// LiteralParts::write(&mut out, |parts| {
///     parts.push(HostText::Utf8("one\n"));
///     parts.push(HostText::Latin1(b"gr\xfcn"));
///     Ok::<(), std::convert::Infallible>(())
/// })?;
/// assert_eq!(out, "\"one\\ngrün\"".as_bytes());
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug)]
pub struct LiteralParts<'a>(&'a mut Vec<u8>);

impl LiteralParts<'_> {
    /// Appends the string whose parts are pushed.
    ///
    /// # Errors
    /// What `parts` returns; the string ends there.
    pub fn write<E>(
        out: &mut Vec<u8>,
        parts: impl FnOnce(&mut LiteralParts<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        out.push(b'"');
        let pushed = parts(&mut LiteralParts(out));
        out.push(b'"');
        pushed
    }

    /// Appends a part. A pair of surrogates must not lie across two.
    pub fn push(&mut self, part: HostText<'_>) {
        part.push_escaped(self.0);
    }
}

fn push_utf8(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut from = 0;
    while let Some(at) = next_special::<ESCAPED>(bytes, from) {
        push_run(out, bytes, from, at);
        push_escape(out, bytes[at]);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
}

fn push_latin1<const FORM: u8>(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut from = 0;
    while let Some(at) = next_special::<FORM>(bytes, from) {
        push_run(out, bytes, from, at);
        from = at;
        // Where one is special, the next may be too.
        while let Some(&byte) = bytes.get(from).filter(|&&byte| is_special::<FORM>(byte)) {
            match byte {
                ..0x80 => push_escape(out, byte),
                _ => push_unit(out, u16::from(byte)),
            }
            from += 1;
        }
    }
    out.extend_from_slice(&bytes[from..]);
}

/// `None` if half a character stands alone and is no escape.
fn push_utf16<const FORM: u8>(out: &mut Vec<u8>, units: &[u16]) -> Option<()> {
    let mut rest = units;
    while !rest.is_empty() {
        rest = push_plain::<FORM>(out, rest);
        rest = push_special::<FORM>(out, rest)?;
    }
    Some(())
}

/// The units that are written as they are, and escapes among them; the rest begins with one that is not
/// ASCII, or is short.
fn push_plain<'a, const FORM: u8>(out: &mut Vec<u8>, mut units: &'a [u16]) -> &'a [u16] {
    // What is beyond ASCII becomes a byte that is special.
    let narrow = |unit: u16| if unit < 0x80 { unit.to_le_bytes()[0] } else { 0xff };
    while let Some(lane) = units.first_chunk::<LANE>() {
        let lane = lane.map(narrow);
        if !any_special::<FORM, LANE>(&lane) {
            out.extend_from_slice(&lane);
            units = &units[LANE..];
            continue;
        }
        let mut from = 0;
        while let Some(at) = next_special::<FORM>(&lane, from) {
            push_run(out, &lane, from, at);
            if lane[at] >= 0x80 {
                return &units[at..];
            }
            push_escape(out, lane[at]);
            from = at + 1;
        }
        push_run(out, &lane, from, LANE);
        units = &units[LANE..];
    }
    let plain = |&&unit: &&u16| !is_special::<FORM>(narrow(unit));
    let (plain, rest) = units.split_at(units.iter().take_while(plain).count());
    out.extend(plain.iter().map(|&unit| narrow(unit)));
    rest
}

/// The units that are not, up to one that is: where one is beyond ASCII, the next often is too.
fn push_special<'a, const FORM: u8>(out: &mut Vec<u8>, mut units: &'a [u16]) -> Option<&'a [u16]> {
    while let Some((&unit, behind)) = units.split_first() {
        units = match unit {
            0xd800..0xe000 => push_surrogate::<FORM>(out, unit, behind)?,
            0x80.. => {
                push_unit(out, unit);
                behind
            }
            _ if is_special::<FORM>(unit.to_le_bytes()[0]) => {
                push_escape(out, unit.to_le_bytes()[0]);
                behind
            }
            // A space between two words.
            _ if behind.first().is_some_and(|&next| next >= 0x80) => {
                out.push(unit.to_le_bytes()[0]);
                behind
            }
            _ => break,
        };
    }
    Some(units)
}

/// A character of two units; half a one as an escape.
fn push_surrogate<'a, const FORM: u8>(out: &mut Vec<u8>, unit: u16, behind: &'a [u16]) -> Option<&'a [u16]> {
    if let (0xd800..0xdc00, Some((&second @ 0xdc00..0xe000, behind))) = (unit, behind.split_first()) {
        let pair = char::decode_utf16([unit, second]).next()?.ok()?;
        out.extend_from_slice(pair.encode_utf8(&mut [0; 4]).as_bytes());
        return Some(behind);
    }
    if FORM == TEXT {
        return None;
    }
    out.extend_from_slice(&number(unit));
    Some(behind)
}

/// A character beyond ASCII of one unit, which has two bytes or three.
fn push_unit(out: &mut Vec<u8>, unit: u16) {
    let [high, low] = unit.to_be_bytes();
    let last = 0x80 | low & 0x3f;
    let middle = (high << 2 | low >> 6) & 0x3f;
    if unit < 0x800 {
        out.extend_from_slice(&[0xc0 | middle, last]);
    } else {
        out.extend_from_slice(&[0xe0 | high >> 4, 0x80 | middle, last]);
    }
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    match ESCAPES[usize::from(byte & 0x7f)] {
        b'u' => out.extend_from_slice(&number(u16::from(byte))),
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}
