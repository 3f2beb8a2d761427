//! Annotations that are refused, values that travel, headers that disagree.

use serde_json::{Value, json};

use super::annotations::{LIST, MAP, ONE};
use super::*;
use crate::http::HeaderLookup;
use crate::jsonrpc::RawJson;
use crate::protocol::ErrorKind;

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
fn invalid_annotations() {
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
fn positions_without_a_property_path() {
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
fn values_of_arguments() {
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
fn an_integer_that_not_every_peer_reads_alike_is_in_no_header() {
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
fn headers_and_arguments_agree() {
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
fn disagreement_is_refused() {
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
fn arguments_whose_names_repeat_or_are_no_text_cannot_be_compared() {
    for text in [
        r#"{"region":"x","region":"evil"}"#,
        r#"{"region":"evil","z":1,"z":2}"#,
        r#"{"limits":{"count":1,"count":2}}"#,
        r#"{"a\ud800":1,"region":"evil"}"#,
    ] {
        let arguments = RawJson::parse(text).unwrap();
        let refused = example().check(Some(&arguments), |_| HeaderLookup::Absent).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::HeaderMismatch, "{text}");
        // Not for the header that is missing.
        assert!(refused.message.contains("cannot be compared"), "{text}: {}", refused.message);
    }
}

#[test]
fn a_value_no_header_can_carry_is_left_to_the_parameter_check() {
    assert_eq!(verdict(json!({"region": [1]}), &[]), Ok(()));
}
