//! The headers of given arguments, and headers compared with arguments.
//!
//! Owns: which values a header can carry, and what counts as the same. Must not know: how
//! annotations are read.

use std::borrow::Cow;

use serde_json::Value;

use super::super::headers::{self, HeaderLookup, NotInteger};
use super::annotations::{AnnotationFault, Entry, InvalidAnnotation, KEYWORD, Reader};
use crate::jsonrpc::{JsonKind, RawJson, RawObject};
use crate::protocol::{Error, ErrorKind};

/// The annotated parameters of one tool.
///
/// ```
/// use mcpbolt_proto::http::ParamHeaders;
/// use serde_json::json;
///
/// let schema = json!({"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
/// let headers = ParamHeaders::from_schema(&schema.into())?;
/// let sent = headers.values(Some(&json!({"region": "us-west1"}).into()));
/// assert_eq!(sent, [("Mcp-Param-Region".to_owned(), "us-west1".to_owned())]);
/// # Ok::<(), mcpbolt_proto::http::InvalidAnnotation>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParamHeaders(Vec<Entry>);

impl ParamHeaders {
    /// Reads the annotations of a tool's input schema.
    pub fn from_schema(schema: &RawJson) -> Result<Self, InvalidAnnotation> {
        if !schema.as_str().contains(KEYWORD) && !schema.as_str().contains('\\') {
            return Ok(Self::default());
        }
        let value: Value = schema
            .decode()
            .map_err(|_| InvalidAnnotation { pointer: String::new(), reason: AnnotationFault::Schema })?;
        let mut reader = Reader { found: Vec::new(), pointer: String::new() };
        reader.schema(&value, Some(&mut Vec::new()))?;
        Ok(Self(reader.found))
    }

    /// Whether no parameter is annotated.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The header names, with their prefix.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| entry.header.as_str())
    }

    /// The headers a client sends with these arguments: name and encoded value.
    /// Absent and `null` values have none.
    pub fn values(&self, arguments: Option<&RawJson>) -> Vec<(String, String)> {
        let root = arguments.and_then(|arguments| members(arguments).ok().flatten());
        let value = |entry: &Entry| {
            let value = find(root.as_ref()?, &entry.path).ok()??;
            let text = carried(&value)?;
            Some((entry.header.clone(), headers::encode_text(&text).into_owned()))
        };
        self.0.iter().filter_map(value).collect()
    }

    /// Compares the headers of a request with its arguments. `get_header` gets
    /// a full header name; it must not care about upper and lower case.
    pub fn check<'h>(
        &self,
        arguments: Option<&RawJson>,
        get_header: impl Fn(&str) -> HeaderLookup<'h>,
    ) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        let root = arguments.map_or(Ok(None), members);
        for entry in &self.0 {
            let root = root.as_ref().map_err(|fault| *fault);
            root.and_then(|root| root.as_ref().map_or(Ok(None), |root| find(root, &entry.path)))
                .and_then(|value| compare(value.as_ref(), get_header(&entry.header)))
                .map_err(|fault| mismatch(&entry.header, fault))?;
        }
        Ok(())
    }
}

fn mismatch(header: &str, fault: &str) -> Error {
    Error::new(ErrorKind::HeaderMismatch, format!("Header mismatch: {header} {fault}"))
}

fn compare(value: Option<&RawJson>, header: HeaderLookup<'_>) -> Result<(), &'static str> {
    let header = match (value, header) {
        (_, HeaderLookup::Many) => return Err("occurs more than once"),
        (_, HeaderLookup::Unreadable) => return Err("is not readable"),
        (None, HeaderLookup::Absent) => return Ok(()),
        (None, HeaderLookup::One(_)) => return Err("is present, but its argument is not"),
        // A value no header can carry is for the parameter check to refuse.
        (Some(value), _) if plain_text(value).is_none() => return Ok(()),
        (Some(value), HeaderLookup::Absent) if carried(value).is_none() => return Ok(()),
        (Some(_), HeaderLookup::Absent) => return Err("is missing"),
        (Some(_), HeaderLookup::One(header)) => header,
    };
    let Some(value) = value else { return Ok(()) };
    let sent = headers::decode_text(header).map_err(|_| "is not validly encoded")?;
    let equal = match (value.kind(), headers::parse_integer(value.as_str())) {
        (JsonKind::Number, Ok(number)) => headers::parse_integer(&sent) == Ok(number),
        (JsonKind::Number, Err(NotInteger::OutOfRange)) => {
            return Err("carries an integer beyond ±(2^53 - 1)");
        }
        _ => plain_text(value).is_some_and(|text| text == sent),
    };
    if equal { Ok(()) } else { Err("differs from the argument") }
}

/// The members of an object; `None` for other values. An error where names repeat or have half of a
/// character, which some handlers drop: whose value is taken for a name, nobody on the way can tell.
fn members(value: &RawJson) -> Result<Option<RawObject>, &'static str> {
    if value.kind() != JsonKind::Object {
        return Ok(None);
    }
    RawObject::parse(value)
        .map(Some)
        .ok_or("cannot be compared: names in the arguments repeat or are not Unicode")
}

/// The value at a path; `None` when any step is absent, and for `null`.
fn find(root: &RawObject, path: &[String]) -> Result<Option<RawJson>, &'static str> {
    let Some((last, parents)) = path.split_last() else { return Ok(None) };
    let mut object = Cow::Borrowed(root);
    for name in parents {
        let Some(inner) = object.get(name).map_or(Ok(None), members)? else { return Ok(None) };
        object = Cow::Owned(inner);
    }
    Ok(object.get(last).filter(|value| !value.is_null()).cloned())
}

fn plain_text(value: &RawJson) -> Option<Cow<'_, str>> {
    match value.kind() {
        JsonKind::String => value.as_string().map(Cow::Owned),
        JsonKind::Bool => Some(Cow::Borrowed(value.as_str())),
        JsonKind::Number => Some(match headers::parse_integer(value.as_str()) {
            Ok(integer) => Cow::Owned(integer.to_string()),
            Err(_) => Cow::Borrowed(value.as_str()),
        }),
        _ => None,
    }
}

/// What a client may send: integers only where every peer reads the same number.
fn carried(value: &RawJson) -> Option<Cow<'_, str>> {
    let unsafe_integer = headers::parse_integer(value.as_str()) == Err(NotInteger::OutOfRange);
    if value.kind() == JsonKind::Number && unsafe_integer { None } else { plain_text(value) }
}
