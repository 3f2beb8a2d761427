//! Header names, header values and content negotiation.
//!
//! Owns: how a text, integer or boolean becomes the value of an `Mcp-Name` or
//! `Mcp-Param-*` header and back. Must not know: where headers come from.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// `MCP-Protocol-Version`. Names are lower case: HTTP compares them so.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// `Mcp-Session-Id`, legacy.
pub const SESSION_ID: &str = "mcp-session-id";
/// `Mcp-Method`, modern: repeats the method.
pub const METHOD: &str = "mcp-method";
/// `Mcp-Name`, modern: repeats the name, URI or task id.
pub const NAME: &str = "mcp-name";
/// Prefix of the headers that repeat tool arguments, modern.
pub const PARAM_PREFIX: &str = "mcp-param-";
/// `Last-Event-ID`, legacy: where a resumed stream goes on.
pub const LAST_EVENT_ID: &str = "last-event-id";
/// Media type of one JSON answer.
pub const JSON: &str = "application/json";
/// Media type of an event stream.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Largest magnitude of an integer in a header: 2^53 - 1.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

const OPEN: &str = "=?base64?";
const CLOSE: &str = "?=";

/// What a lookup of one header name found.
///
/// ```
/// use mcpbolt_proto::http::HeaderLookup;
///
/// assert_eq!(HeaderLookup::One(" 2026-07-28 ").one(), Some("2026-07-28"));
/// assert!(HeaderLookup::Many.is_present() && HeaderLookup::Many.one().is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeaderLookup<'a> {
    /// No such header.
    #[default]
    Absent,
    /// Exactly one, as text.
    One(&'a str),
    /// More than one header of that name.
    Many,
    /// One, but not readable as text.
    Unreadable,
}

impl<'a> HeaderLookup<'a> {
    /// The value without surrounding blanks, if there is exactly one.
    pub fn one(self) -> Option<&'a str> {
        match self {
            Self::One(value) => Some(trim(value)),
            _ => None,
        }
    }

    /// Whether at least one header has the name.
    pub fn is_present(self) -> bool {
        self != Self::Absent
    }
}

/// Removes what HTTP calls optional white space.
pub fn trim(value: &str) -> &str {
    value.trim_matches([' ', '\t'])
}

/// A header value that stands for no text.
///
/// ```
/// use mcpbolt_proto::http::headers::{BadValue, decode_text, encode_text};
///
/// assert_eq!(decode_text(&encode_text("Zürich")).unwrap(), "Zürich");
/// assert_eq!(decode_text("=?base64?***?="), Err(BadValue::Base64));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadValue {
    /// The base64 between complete markers is invalid, or not UTF-8.
    #[error("invalid base64 in a header value")]
    Base64,
    /// Raw characters that only the base64 form may carry.
    #[error("a header value holds characters that must be base64-encoded")]
    NotPlain,
}

/// Writes a text as a header value: as it is, or between base64 markers when HTTP
/// would change or refuse it.
pub fn encode_text(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|b| (0x20..0x7f).contains(&b))
        && trim(text).len() == text.len()
        && !(text.starts_with(OPEN) && text.ends_with(CLOSE));
    if plain { Cow::Borrowed(text) } else { Cow::Owned(format!("{OPEN}{}{CLOSE}", STANDARD.encode(text))) }
}

/// Reads a header value as text. Markers that are incomplete or upper case are
/// literal text; bad base64 between complete ones is an error.
pub fn decode_text(value: &str) -> Result<Cow<'_, str>, BadValue> {
    let value = trim(value);
    if let Some(inner) = value.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE)) {
        let bytes = STANDARD.decode(inner).map_err(|_| BadValue::Base64)?;
        return String::from_utf8(bytes).map(Cow::Owned).map_err(|_| BadValue::Base64);
    }
    if value.bytes().all(|b| b == b'\t' || (0x20..0x7f).contains(&b)) {
        Ok(Cow::Borrowed(value))
    } else {
        Err(BadValue::NotPlain)
    }
}

/// Why a number text is not an integer a header can carry.
///
/// ```
/// use mcpbolt_proto::http::headers::{NotInteger, parse_integer};
///
/// assert_eq!(parse_integer("4.2e1"), Ok(42));
/// assert_eq!(parse_integer("0.5"), Err(NotInteger::Fraction));
/// assert_eq!(parse_integer("9007199254740993"), Err(NotInteger::OutOfRange));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotInteger {
    /// Not a JSON number, or one with a fraction.
    #[error("not an integer")]
    Fraction,
    /// Beyond 2^53 - 1.
    #[error("integer beyond ±(2^53 - 1)")]
    OutOfRange,
}

/// The exact integer a JSON number stands for: `42`, `42.0` and `4.2e1` are equal.
pub fn parse_integer(text: &str) -> Result<i64, NotInteger> {
    let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let digits_only = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let sign_free = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if !digits_only(whole) || !digits_only(fraction) || !digits_only(sign_free) || leading_zero {
        return Err(NotInteger::Fraction);
    }
    let all = format!("{whole}{fraction}");
    let significant = all.trim_end_matches('0');
    let digits = significant.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(0);
    }
    let exponent: i64 = exponent.parse().map_err(|_| NotInteger::OutOfRange)?;
    let point = i64::try_from(whole.len()).unwrap_or(i64::MAX).saturating_add(exponent);
    let shift = point.saturating_sub(i64::try_from(significant.len()).unwrap_or(i64::MAX));
    let Ok(shift) = u32::try_from(shift) else {
        return Err(if shift < 0 { NotInteger::Fraction } else { NotInteger::OutOfRange });
    };
    let value = digits
        .parse::<i64>()
        .ok()
        .and_then(|n| n.checked_mul(10_i64.checked_pow(shift)?))
        .filter(|n| *n <= MAX_SAFE_INTEGER)
        .ok_or(NotInteger::OutOfRange)?;
    Ok(if negative { -value } else { value })
}

/// Which kinds of answer a client reads.
///
/// ```
/// use mcpbolt_proto::http::Accepts;
///
/// assert_eq!(Accepts::parse(Some("application/json, text/event-stream")), Accepts::BOTH);
/// assert!(!Accepts::parse(Some("application/json")).sse);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepts {
    /// One JSON document.
    pub json: bool,
    /// An event stream.
    pub sse: bool,
    /// Names the event stream before JSON: it would rather have one.
    pub sse_first: bool,
}

/// The header value that means [`Accepts::BOTH`] in the words of the specification.
const COMMON_ACCEPT: &str = "application/json, text/event-stream";

impl Accepts {
    /// Both.
    pub const BOTH: Self = Self { json: true, sse: true, sse_first: false };

    /// Reads an `Accept` header (several headers joined by commas). Without one,
    /// both are accepted. Wildcards count; `q=0` refuses; the closest range decides.
    pub fn parse(header: Option<&str>) -> Self {
        // What nearly every client sends.
        let Some(header) = header.filter(|header| *header != COMMON_ACCEPT) else { return Self::BOTH };
        let place = |media_type: &str| {
            header.split(',').position(|range| {
                trim(range.split(';').next().unwrap_or_default()).eq_ignore_ascii_case(media_type)
            })
        };
        let sse_first = place(EVENT_STREAM).zip(place(JSON)).is_some_and(|(sse, json)| sse < json);
        Self { json: accepts(header, JSON), sse: accepts(header, EVENT_STREAM), sse_first }
    }
}

fn accepts(header: &str, media_type: &str) -> bool {
    let group = media_type.split('/').next().unwrap_or_default();
    let mut best = (0, false);
    for range in header.split(',') {
        let mut parts = range.split(';').map(trim);
        let name = parts.next().unwrap_or_default();
        let closeness = match name.split_once('/') {
            _ if name.eq_ignore_ascii_case(media_type) => 3,
            Some((g, "*")) if g.eq_ignore_ascii_case(group) => 2,
            Some(("*", "*")) => 1,
            _ => continue,
        };
        let refused = parts.any(|p| {
            p.split_once('=').is_some_and(|(key, q)| {
                trim(key).eq_ignore_ascii_case("q") && trim(q).parse::<f32>().is_ok_and(|q| q <= 0.0)
            })
        });
        if closeness > best.0 {
            best = (closeness, !refused);
        }
    }
    best.1
}

/// Whether a `Content-Type` says JSON, parameters such as a charset aside. One that several were
/// joined into, which a comma outside quotes tells, says nothing.
pub fn is_json(content_type: &str) -> bool {
    if content_type == JSON {
        return true;
    }
    let (kind, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let is_joined = || parameters.split('"').step_by(2).any(|unquoted| unquoted.contains(','));
    trim(kind).eq_ignore_ascii_case(JSON) && !is_joined()
}

/// Whether a value can be a session id: 1 to 256 visible ASCII characters.
pub fn is_session_id(value: &str) -> bool {
    (1..=256).contains(&value.len()) && value.bytes().all(|b| (0x21..=0x7e).contains(&b))
}

/// Whether a text is a token as RFC 9110 defines it: what a header name may be.
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_text_stays_plain() {
        for text in ["", "us-west1", "a b", "=?base64?x", "x?=", "=?BASE64?eA==?=", "{}\"'"] {
            assert_eq!(encode_text(text), text);
            assert_eq!(decode_text(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_http_would_change_is_wrapped() {
        assert_eq!(encode_text("über"), "=?base64?w7xiZXI=?=");
        for text in [" a", "a\t", "a\nb", "\u{7f}", "=?base64?eA==?=", "=?base64?=", "日本"] {
            let value = encode_text(text);
            assert!(value.starts_with(OPEN) && value.ends_with(CLOSE), "{text:?}");
            assert_eq!(decode_text(&value).as_deref(), Ok(text));
        }
    }

    #[test]
    fn bad_base64_in_complete_markers_is_an_error() {
        for value in ["=?base64?SGVsbG8?=", "=?base64?SGVs!G8=?=", "=?base64?/w==?=", "=?base64?SGVsbG8=_?="]
        {
            assert_eq!(decode_text(value), Err(BadValue::Base64), "{value}");
        }
        assert_eq!(decode_text("=?base64??=").as_deref(), Ok(""));
    }

    #[test]
    fn incomplete_markers_are_literal_and_blanks_are_trimmed() {
        for value in ["=?base64?SGVsbG8=", "SGVsbG8=?=", "=?Base64?SGVsbG8=?=", "=?base64?="] {
            assert_eq!(decode_text(value).as_deref(), Ok(value));
        }
        assert_eq!(decode_text(" \tx ").as_deref(), Ok("x"));
        assert_eq!(decode_text("ü"), Err(BadValue::NotPlain));
    }

    #[test]
    fn integers_compare_as_numbers() {
        for text in ["42", "42.0", "42.000", "4.2e1", "420e-1", "0.42E+2"] {
            assert_eq!(parse_integer(text), Ok(42), "{text}");
        }
        assert_eq!(parse_integer("-7"), Ok(-7));
        assert_eq!(parse_integer("0e99999"), Ok(0));
        assert_eq!(parse_integer("9007199254740991.0"), Ok(MAX_SAFE_INTEGER));
        for text in ["9007199254740992", "-9007199254740992", "1e16", "1e99999999999999999999"] {
            assert_eq!(parse_integer(text), Err(NotInteger::OutOfRange), "{text}");
        }
        for text in ["42.5", "9007199254740991.4", "", "+1", "042", "1.", ".5", "1e", "0x1", "1e-1", "--1"] {
            assert_eq!(parse_integer(text), Err(NotInteger::Fraction), "{text}");
        }
    }

    #[test]
    fn accept_ranges() {
        let both = |text| Accepts { sse_first: false, ..Accepts::parse(Some(text)) } == Accepts::BOTH;
        assert!(both("application/json, text/event-stream"));
        assert!(both("text/event-stream,APPLICATION/JSON;q=0.5"));
        assert!(both("*/*"));
        assert_eq!(Accepts::parse(None), Accepts::BOTH);
        assert_eq!(Accepts::parse(Some("text/*")), Accepts { json: false, sse: true, sse_first: false });
        assert_eq!(
            Accepts::parse(Some("*/*, text/event-stream;q=0")),
            Accepts { json: true, sse: false, sse_first: false }
        );
        assert!(Accepts::parse(Some("text/event-stream, application/json;q=0.9")).sse_first);
        assert!(!Accepts::parse(Some("application/json, text/event-stream")).sse_first);
        assert_eq!(Accepts::parse(Some("text/html")), Accepts { json: false, sse: false, sse_first: false });
    }

    #[test]
    fn small_checks() {
        assert!(is_json("application/json; charset=utf-8") && !is_json("text/json"));
        assert!(is_session_id("a-B~1") && !is_session_id("") && !is_session_id("a b") && !is_session_id("ü"));
        assert!(
            is_token("Region") && !is_token("") && !is_token("a b") && !is_token("a:b") && !is_token("ü")
        );
    }

    proptest! {
        #[test]
        fn every_text_survives(text in "\\PC{0,40}|[ \\t=?base64\\n]{0,20}") {
            let value = encode_text(&text);
            prop_assert!(value.bytes().all(|b| (0x20..0x7f).contains(&b)));
            prop_assert_eq!(decode_text(&value).unwrap(), text.as_str());
        }
    }
}
