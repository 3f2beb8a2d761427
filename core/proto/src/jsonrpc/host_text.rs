//! Strings of hosts to JSON strings and to UTF-8, in one pass.
//!
//! Owns: escapes, Latin-1 and UTF-16 on their way out. Must not know: any host.
#![allow(clippy::needless_bitwise_bool, reason = "a lane is told without branches")]

/// What is looked at together: long runs of plain text are told by few instructions.
pub(super) const LANE: usize = 16;
/// A string as it stands in JSON: with escapes.
pub(super) const JSON: bool = true;
/// A string that stands for itself.
pub(super) const TEXT: bool = false;

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
        let mut out = Vec::with_capacity(self.room());
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
    let plain = |byte: u8| {
        if FORM == TEXT {
            return byte < 0x80;
        }
        (byte.cast_signed() > 0x1f) & (byte != b'"') & (byte != b'\\')
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
