//! Tool arguments that travel as headers too (`x-mcp-header`, modern revisions).
//!
//! Owns: which annotations of an input schema are valid, the header values of given
//! arguments, and the comparison of headers with arguments. Must not know: tools,
//! sessions, HTTP libraries.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::headers::{self, HeaderLookup, NotInteger, PARAM_PREFIX};
use crate::jsonrpc::{JsonKind, RawJson, RawObject};
use crate::protocol::{Error, ErrorKind};

const KEYWORD: &str = "x-mcp-header";

/// Keywords whose value is one subschema (`items` may also be a list).
const ONE: [&str; 13] = [
    "items",
    "additionalItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
    "extends",
];
/// Keywords whose value is a list of subschemas.
const LIST: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value maps names to subschemas.
const MAP: [&str; 5] = ["$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"];

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

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// Full header name, spelled as the schema does.
    header: String,
    /// Property names from the arguments down to the value.
    path: Vec<String>,
}

/// An annotation that hides its tool from clients over HTTP (T7).
///
/// ```
/// use mcpbolt_proto::http::{InvalidAnnotation, ParamHeaders};
/// use serde_json::json;
///
/// let schema = json!({"properties": {"region": {"type": "array", "x-mcp-header": "Region"}}});
/// let invalid: InvalidAnnotation = ParamHeaders::from_schema(&schema.into()).unwrap_err();
/// assert_eq!(invalid.pointer, "/properties/region");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid x-mcp-header at {pointer}: {reason}")]
pub struct InvalidAnnotation {
    /// JSON pointer to the subschema that carries it.
    pub pointer: String,
    /// What is wrong.
    pub reason: AnnotationFault,
}

/// What can be wrong with an annotation.
///
/// ```
/// use mcpbolt_proto::http::ParamHeaders;
/// use mcpbolt_proto::http::param_headers::AnnotationFault;
/// use serde_json::json;
///
/// let schema = json!({"properties": {"region": {"type": "string", "x-mcp-header": "no blanks"}}});
/// assert_eq!(ParamHeaders::from_schema(&schema.into()).unwrap_err().reason, AnnotationFault::Name);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationFault {
    /// Empty, no string, or not an RFC 9110 token.
    #[error("the name is not a valid header name")]
    Name,
    /// Another parameter has the name, upper and lower case alike.
    #[error("the name is used twice")]
    Duplicate,
    /// The parameter is no string, integer or boolean.
    #[error("only parameters of type string, integer or boolean can be headers")]
    Type,
    /// The parameter is not reachable through `properties` alone.
    #[error("the parameter is not reachable through properties alone")]
    Unreachable,
    /// The schema is not readable as JSON values.
    #[error("the schema is not readable")]
    Schema,
}

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
    /// Absent and `null` values have none (T8).
    pub fn values(&self, arguments: Option<&RawJson>) -> Vec<(String, String)> {
        let root = arguments.and_then(RawObject::parse);
        let value = |entry: &Entry| {
            let value = find(root.as_ref()?, &entry.path)?;
            let text = carried(&value)?;
            Some((entry.header.clone(), headers::encode_text(&text).into_owned()))
        };
        self.0.iter().filter_map(value).collect()
    }

    /// Compares the headers of a request with its arguments (T9). `get_header` gets
    /// a full header name; it must not care about upper and lower case.
    pub fn check<'h>(
        &self,
        arguments: Option<&RawJson>,
        get_header: impl Fn(&str) -> HeaderLookup<'h>,
    ) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        let root = arguments.and_then(RawObject::parse);
        for entry in &self.0 {
            let value = root.as_ref().and_then(|root| find(root, &entry.path));
            compare(value.as_ref(), get_header(&entry.header))
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

/// The value at a path; `None` when any step is absent, and for `null`.
fn find(root: &RawObject, path: &[String]) -> Option<RawJson> {
    let (last, parents) = path.split_last()?;
    let mut object = Cow::Borrowed(root);
    for name in parents {
        object = Cow::Owned(RawObject::parse(object.get(name)?)?);
    }
    object.get(last).filter(|value| !value.is_null()).cloned()
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

struct Reader {
    found: Vec<Entry>,
    pointer: String,
}

impl Reader {
    /// `path`: property names that lead here, `None` where no path exists.
    fn schema(
        &mut self,
        schema: &Value,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), InvalidAnnotation> {
        let Value::Object(members) = schema else { return Ok(()) };
        if let Some(name) = members.get(KEYWORD) {
            self.annotation(name, members, path.as_deref())?;
        }
        if let Some(Value::Object(properties)) = members.get("properties") {
            for (name, property) in properties {
                if let Some(path) = path.as_deref_mut() {
                    path.push(name.clone());
                }
                self.at(&["properties", name], |this| this.schema(property, path.as_deref_mut()))?;
                if let Some(path) = path.as_deref_mut() {
                    path.pop();
                }
            }
        }
        for (keyword, value) in members {
            self.unreachable(keyword, value)?;
        }
        Ok(())
    }

    fn unreachable(&mut self, keyword: &str, value: &Value) -> Result<(), InvalidAnnotation> {
        match value {
            Value::Object(map) if MAP.contains(&keyword) => map
                .iter()
                .try_for_each(|(name, part)| self.at(&[keyword, name], |this| this.schema(part, None))),
            Value::Array(list) if LIST.contains(&keyword) => {
                list.iter().enumerate().try_for_each(|(n, part)| {
                    self.at(&[keyword, &n.to_string()], |this| this.schema(part, None))
                })
            }
            Value::Object(_) if ONE.contains(&keyword) => {
                self.at(&[keyword], |this| this.schema(value, None))
            }
            _ => Ok(()),
        }
    }

    fn at<T>(&mut self, steps: &[&str], run: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        for step in steps {
            self.pointer.push('/');
            self.pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        let result = run(self);
        self.pointer.truncate(length);
        result
    }

    fn annotation(
        &mut self,
        name: &Value,
        schema: &Map<String, Value>,
        path: Option<&Vec<String>>,
    ) -> Result<(), InvalidAnnotation> {
        let fault = |reason| Err(InvalidAnnotation { pointer: self.pointer.clone(), reason });
        let Some(name) = name.as_str().filter(|name| headers::is_token(name)) else {
            return fault(AnnotationFault::Name);
        };
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return fault(AnnotationFault::Unreachable);
        };
        if !matches!(schema.get("type").and_then(Value::as_str), Some("string" | "integer" | "boolean")) {
            return fault(AnnotationFault::Type);
        }
        let header = format!("Mcp-Param-{name}");
        debug_assert!(header.to_ascii_lowercase().starts_with(PARAM_PREFIX));
        if self.found.iter().any(|entry| entry.header.eq_ignore_ascii_case(&header)) {
            return fault(AnnotationFault::Duplicate);
        }
        self.found.push(Entry { header, path: path.clone() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(schema: Value) -> Result<ParamHeaders, InvalidAnnotation> {
        ParamHeaders::from_schema(&schema.into())
    }

    fn fault(schema: Value) -> (String, AnnotationFault) {
        let error = read(schema).unwrap_err();
        (error.pointer, error.reason)
    }

    fn example() -> ParamHeaders {
        read(json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "limits": {"type": "object", "properties": {
                "count": {"type": "integer", "x-mcp-header": "Count"},
                "strict": {"type": "boolean", "x-mcp-header": "Strict"},
            }},
            "x-mcp-header": {"type": "object"},
        }}))
        .unwrap()
    }

    #[test]
    fn t7_invalid_annotations() {
        let one = |property: Value| json!({"type": "object", "properties": {"a": property}});
        for name in [json!(""), json!("a b"), json!("ü"), json!(7), json!("a:b")] {
            let schema = one(json!({"type": "string", "x-mcp-header": name}));
            assert_eq!(fault(schema), ("/properties/a".into(), AnnotationFault::Name));
        }
        for kind in [json!("number"), json!("object"), json!("array"), json!("null"), json!(["string"])] {
            let schema = one(json!({"type": kind, "x-mcp-header": "A"}));
            assert_eq!(fault(schema), ("/properties/a".into(), AnnotationFault::Type));
        }
        assert_eq!(fault(one(json!({"x-mcp-header": "A"}))).1, AnnotationFault::Type);
        let twice = json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "Name"},
            "b": {"properties": {"c": {"type": "string", "x-mcp-header": "nAME"}}},
        }});
        assert_eq!(fault(twice), ("/properties/b/properties/c".into(), AnnotationFault::Duplicate));
    }

    #[test]
    fn t7_positions_without_a_property_path() {
        let part = || json!({"type": "string", "x-mcp-header": "A"});
        for keyword in ONE {
            let schema = json!({"properties": {"a": {keyword: {"properties": {"b": part()}}}}});
            assert_eq!(fault(schema).1, AnnotationFault::Unreachable, "{keyword}");
        }
        for keyword in LIST {
            assert_eq!(
                fault(json!({keyword: [true, {"properties": {"b": part()}}]})),
                (format!("/{keyword}/1/properties/b"), AnnotationFault::Unreachable)
            );
        }
        for keyword in MAP {
            assert_eq!(
                fault(json!({keyword: {"a/b": part()}})),
                (format!("/{keyword}/a~1b"), AnnotationFault::Unreachable)
            );
        }
        assert_eq!(fault(part()), (String::new(), AnnotationFault::Unreachable));
    }

    #[test]
    fn data_is_no_annotation() {
        let schema = json!({"properties": {"a": {"type": "object", "default": {"x-mcp-header": ""},
            "enum": [{"x-mcp-header": ""}]}}});
        assert_eq!(read(schema), Ok(ParamHeaders::default()));
    }

    #[test]
    fn t8_values_of_arguments() {
        let arguments = json!({"region": "über", "limits": {"count": 42.0, "strict": false}}).into();
        let expected = [
            ("Mcp-Param-Region", "=?base64?w7xiZXI=?="),
            ("Mcp-Param-Count", "42"),
            ("Mcp-Param-Strict", "false"),
        ];
        let values = example().values(Some(&arguments));
        assert_eq!(values, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));

        let sparse = json!({"region": null, "limits": 7}).into();
        assert_eq!(example().values(Some(&sparse)), []);
        assert_eq!(example().values(None), []);
        let empty = json!({"region": ""}).into();
        assert_eq!(example().values(Some(&empty)), [("Mcp-Param-Region".to_owned(), String::new())]);
    }

    #[test]
    fn t8_an_integer_that_not_every_peer_reads_alike_is_in_no_header() {
        let sent = |count: &str| {
            let arguments = RawJson::parse(format!(r#"{{"limits":{{"count":{count}}}}}"#)).unwrap();
            example().values(Some(&arguments)).into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        assert_eq!(sent("9007199254740991"), ["9007199254740991"]);
        assert_eq!(sent("-9007199254740991"), ["-9007199254740991"]);
        for count in ["9007199254740992", "-9007199254740992", "1e16", "18446744073709551615"] {
            assert_eq!(sent(count), [""; 0], "{count}");
        }
    }

    fn verdict(arguments: Value, sent: &[(&str, HeaderLookup<'static>)]) -> Result<(), ErrorKind> {
        let get = |name: &str| {
            sent.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map_or(HeaderLookup::Absent, |(_, v)| *v)
        };
        example().check(Some(&arguments.into()), get).map_err(|error| error.kind)
    }

    #[test]
    fn t9_headers_and_arguments_agree() {
        use HeaderLookup::One;
        let region = |value| [("mcp-param-region", value)];
        assert_eq!(verdict(json!({"region": "Hello"}), &region(One("=?base64?SGVsbG8=?="))), Ok(()));
        assert_eq!(verdict(json!({"region": "Hello"}), &region(One(" Hello\t"))), Ok(()));
        assert_eq!(verdict(json!({"region": ""}), &region(One(""))), Ok(()));
        assert_eq!(verdict(json!({}), &[]), Ok(()));
        assert_eq!(verdict(json!({"region": null}), &[]), Ok(()));
        let count = |value| [("mcp-param-count", One(value))];
        for sent in ["42", "42.0", "4.2e1"] {
            assert_eq!(verdict(json!({"limits": {"count": 42}}), &count(sent)), Ok(()), "{sent}");
        }
        let sent = [("MCP-PARAM-STRICT", One("true")), ("mcp-param-unknown", One("x"))];
        assert_eq!(verdict(json!({"limits": {"strict": true}}), &sent), Ok(()));
    }

    #[test]
    fn t9_disagreement_is_refused() {
        use HeaderLookup::{Many, One, Unreadable};
        let no = Err(ErrorKind::HeaderMismatch);
        let hello = || json!({"region": "Hello"});
        assert_eq!(verdict(hello(), &[]), no);
        for sent in [One("hello"), One("=?base64?SGVsbG8?="), One("=?BASE64?SGVsbG8=?="), Many, Unreadable] {
            assert_eq!(verdict(hello(), &[("mcp-param-region", sent)]), no, "{sent:?}");
        }
        assert_eq!(verdict(json!({}), &[("mcp-param-region", One("x"))]), no);
        assert_eq!(verdict(json!({"limits": {"count": 42}}), &[("mcp-param-count", One("43"))]), no);
        let huge = json!({"limits": {"count": 9_007_199_254_740_992_i64}});
        assert_eq!(verdict(huge, &[("mcp-param-count", One("9007199254740992"))]), no);
        assert_eq!(verdict(json!({"limits": {"strict": true}}), &[("mcp-param-strict", One("True"))]), no);
    }

    #[test]
    fn a_value_no_header_can_carry_is_left_to_the_parameter_check() {
        assert_eq!(verdict(json!({"region": [1]}), &[]), Ok(()));
    }
}
