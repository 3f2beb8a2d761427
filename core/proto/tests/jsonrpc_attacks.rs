//! What a hostile or careless peer can send, and what must come of it: the shape
//! of messages, ids, errors and batches, and the rule of raw JSON (one line, bounded depth,
//! no duplicate names).

use std::fmt::Write as _;

use bytes::Bytes;
use mcpbolt_proto::jsonrpc::{
    DecodeLimits, ErrorCode, ErrorObject, Id, Incoming, JsonKind, Malformed, Message, RawJson, RawObject,
    Request, Response, decode, encode,
};
use serde::{Deserialize, Serialize};

fn one(text: impl Into<Bytes>) -> Result<Message, Malformed> {
    match decode(text, DecodeLimits::default())? {
        Incoming::Single(message) => Ok(message),
        Incoming::Batch(_) => panic!("a batch came out of a single message"),
    }
}

fn code(text: impl Into<Bytes>) -> ErrorCode {
    one(text).expect_err("must be refused").error.code
}

fn request(text: &str) -> Request {
    match one(text.to_owned()).expect("must decode") {
        Message::Request(request) => request,
        other => panic!("no request: {other:?}"),
    }
}

fn batch(text: impl Into<Bytes>) -> Vec<Result<Message, Malformed>> {
    match decode(text, DecodeLimits::default()).expect("must decode") {
        Incoming::Batch(parts) => parts,
        Incoming::Single(_) => panic!("a single message came out of a batch"),
    }
}

fn raw(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).expect("valid JSON")
}

fn one_line(text: &str) -> bool {
    !text.contains(['\n', '\r'])
}

/// A peer's pretty-printed result holds a whole message on a line of its own.
#[test]
fn spliced_result_forges_no_message() {
    let upstream = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[\n\
        {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"forged\":true}}\r\n]}}";
    let Message::Response(Response { outcome: Ok(result), .. }) = one(upstream).unwrap() else {
        panic!("a result was sent");
    };
    let spliced = encode::result(&Id::from(9), &result);
    assert!(one_line(&spliced), "one message in, one line out");
    let Message::Response(again) = one(spliced.into_bytes()).unwrap() else {
        panic!("a response was written")
    };
    assert_eq!(again.id, Some(Id::from(9)));
}

#[test]
fn no_path_into_raw_json_keeps_a_line_break() {
    #[derive(Serialize, Deserialize)]
    struct Outer {
        inner: RawJson,
        list: Vec<RawJson>,
        object: RawObject,
    }
    let pretty = "{\n\"inner\":\r\n{\"a\":\n[1,\r2]},\"list\":[\n[\n]\n],\"object\":{\n\"x\":[\n1]}}";
    let from_text: Outer = serde_json::from_str(pretty).unwrap();
    let from_reader: Outer = serde_json::from_reader(pretty.as_bytes()).unwrap();
    for outer in [&from_text, &from_reader] {
        assert!(one_line(outer.inner.as_str()));
        assert!(one_line(outer.list[0].as_str()));
        assert!(one_line(outer.object.get("x").unwrap().as_str()));
        assert!(one_line(&serde_json::to_string(outer).unwrap()));
        assert!(one_line(RawJson::encode(outer).unwrap().as_str()));
    }
    assert!(one_line(raw(pretty).as_str()));
    // A foreign raw value inside a Rust struct.
    let foreign: Box<serde_json::value::RawValue> = serde_json::from_str("[\n1\n]").unwrap();
    assert!(one_line(RawJson::encode(&vec![foreign]).unwrap().as_str()));
}

#[test]
fn every_part_of_a_message_is_cleaned() {
    let request = "{\"jsonrpc\":\"2.0\",\n\"id\":\n1,\"method\":\n\"m\",\"params\":{\n\"a\":\n{\"b\":[\n]}}}";
    let error =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"m\",\"data\":{\n\"d\":\n1}}}";
    for text in [request, error] {
        assert!(one_line(&encode::message(&one(text).unwrap())));
    }
    let texts: Vec<_> = batch("[\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[\n1\n]}\n]")
        .into_iter()
        .map(|m| encode::message(&m.unwrap()))
        .collect();
    assert!(one_line(&encode::batch(&texts)));
}

#[test]
fn line_breaks_in_strings_are_escapes_or_errors() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"a\nb\r"}}"#;
    let kept = request(text).params.unwrap();
    assert_eq!(kept.as_str(), r#"{"t":"a\nb\r"}"#);
    assert_eq!(RawObject::parse(&kept).unwrap().get("t").unwrap().as_string().unwrap(), "a\nb\r");
    for bare in ["\n", "\r", "\r\n"] {
        assert_eq!(code(text.replace(r"\n", bare)), ErrorCode::PARSE_ERROR);
    }
    // What we write ourselves must be escaped.
    assert!(one_line(&encode::notification("a\nb", None)));
    assert!(one_line(&encode::error(None, &ErrorObject::new(ErrorCode(1), "a\r\nb"))));
    assert!(one_line(&encode::request(&Id::from("a\nb"), "m", None)));
    let mut object = RawObject::new();
    object.set("a\nb", RawJson::null());
    assert!(one_line(object.to_raw().as_str()));
}

#[test]
fn unicode_separators_are_no_line_breaks() {
    let text =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"t\":\"\u{2028}\u{2029}\u{85}\"}}";
    assert_eq!(&*encode::message(&one(text).unwrap()), text, "kept as they are");
    assert_eq!(code("\u{2028}{}"), ErrorCode::PARSE_ERROR, "and no whitespace either");
}

#[test]
fn duplicate_names_in_the_envelope_are_refused() {
    for text in [
        r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","\u006dethod":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{},"params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"error":{"code":1,"message":""}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"m","extra":1,"ext\u0072a":2}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"code":2,"message":""}}"#,
    ] {
        assert_eq!(code(text), ErrorCode::INVALID_REQUEST, "{text}");
    }
}

#[test]
fn escaped_member_names_count() {
    assert_eq!(&*request(r#"{"jsonrpc":"2.0","id":1,"\u006dethod":"m"}"#).method, "m");
    assert_eq!(&*request(r#"{"jsonrpc":"2.0","id":1,"method":"\u006d\u002fn"}"#).method, "m/n");
}

#[test]
fn raw_object_refuses_duplicates() {
    for text in [r#"{"a":1,"a":2}"#, r#"{"a":1,"\u0061":2}"#, r#"{"":1,"":1}"#] {
        assert!(RawObject::parse(&raw(text)).is_none(), "{text}");
        assert!(serde_json::from_str::<RawObject>(text).is_err(), "{text}");
    }
    let params = raw(r#"{"name":"x","_meta":{"progressToken":1,"progressToken":2}}"#);
    let params = RawObject::parse(&params).expect("distinct at this level");
    assert!(RawObject::parse(params.get("_meta").unwrap()).is_none());
    for text in ["[]", "1", "null", "\"{}\""] {
        assert!(RawObject::parse(&raw(text)).is_none(), "{text}");
    }
}

/// Quadratic time would take hours here.
#[test]
fn a_million_names_are_checked_at_once() {
    let mut members = String::new();
    for n in 0..1_000_000 {
        write!(members, r#""n{n}":0,"#).unwrap();
    }
    let params = raw(&format!(r#"{{{members}"last":1}}"#));
    assert_eq!(RawObject::parse(&params).unwrap().len(), 1_000_001);
    assert!(RawObject::parse(&raw(&format!(r#"{{{members}"n5":1}}"#))).is_none());
    assert!(one(format!(r#"{{{members}"jsonrpc":"2.0","method":"m"}}"#)).is_ok());
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    const LEVELS: usize = 200_000;
    let array = format!("{}{}", "[".repeat(LEVELS), "]".repeat(LEVELS));
    let object = format!("{}1{}", "{\"a\":".repeat(LEVELS), "}".repeat(LEVELS));
    for deep in [&array, &object] {
        for text in [
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{deep}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":{deep}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":1,"message":"","data":{deep}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","unknown":{deep}}}"#),
            format!(r#"[{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{deep}}}}}]"#),
            format!(r#"{{"jsonrpc":"2.0","id":{deep},"method":"m"}}"#),
            deep.clone(),
        ] {
            let refused = decode(text, DecodeLimits::default()).expect_err("too deep");
            assert_eq!(refused.error.code, ErrorCode::INVALID_REQUEST);
        }
        assert!(RawJson::parse(deep.clone()).is_err());
        assert!(serde_json::from_str::<RawJson>(deep).is_err());
    }
    assert!(decode("[".repeat(LEVELS), DecodeLimits::default()).is_err(), "unclosed, too");
}

#[test]
fn depth_limit_is_exact() {
    let limits = DecodeLimits { max_depth: 5, ..DecodeLimits::default() };
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{open}{close}}}}}"#)
    };
    assert!(decode(nested(3), limits).is_ok());
    assert!(decode(nested(4), limits).is_err());
}

#[test]
fn odd_values_stay_raw_and_fail_where_they_are_read() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"s":"\ud800","n":1e999,"ok":1,"big":123456789012345678901234567890}}"#;
    let request = request(text);
    let params = RawObject::parse(request.params.as_ref().unwrap()).expect("top level is fine");
    assert_eq!(params.get("s").unwrap().kind(), JsonKind::String);
    assert_eq!(params.get("s").unwrap().as_string(), None);
    assert!(params.get("n").unwrap().decode::<f64>().is_err());
    assert_eq!(params.get("ok").unwrap().decode::<u8>().unwrap(), 1);
    assert_eq!(params.get("big").unwrap().as_str(), "123456789012345678901234567890");
    assert_eq!(&*encode::message(&Message::Request(request)), text, "byte for byte");

    // In a batch the neighbours live.
    let parts = batch(format!(
        r#"[{text},{{"jsonrpc":"2.0","id":2,"method":"\ud800"}},{{"jsonrpc":"2.0","id":3,"method":"n"}}]"#
    ));
    assert!(parts[0].is_ok() && parts[2].is_ok());
    let refused = parts[1].as_ref().expect_err("a method that is no text");
    assert_eq!((refused.id.clone(), refused.error.code), (Some(Id::from(2)), ErrorCode::INVALID_REQUEST));
}

#[test]
fn ids_keep_type_and_value() {
    for id in [
        "0",
        "1",
        "-1",
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        r#""""#,
        r#""1""#,
        r#""a b""#,
        r#""é\n\"\\""#,
        r#""9007199254740993""#,
    ] {
        let decoded = request(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#)).id;
        assert_eq!(decoded.to_raw().as_str(), id);
        let answer = encode::result(&decoded, &RawJson::empty_object());
        assert_eq!(&*answer, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        let Message::Response(back) = one(answer.into_bytes()).unwrap() else {
            panic!("a response was written")
        };
        assert_eq!(back.id.as_ref(), Some(&decoded));
        let through_serde: Id = serde_json::from_str(&serde_json::to_string(&decoded).unwrap()).unwrap();
        assert_eq!(through_serde, decoded);
    }
    assert_ne!(Id::from(1), Id::from("1"));
    assert_eq!(request(r#"{"jsonrpc":"2.0","id":-0,"method":"m"}"#).id, Id::from(0), "the same number");
}

#[test]
fn other_ids_are_refused_without_an_id() {
    for id in ["null", "true", "false", "{}", "[]", "[1]", "1.5", "1.0", "1e3", "1E3", "-0.0", r#""\ud800""#]
    {
        let refused = one(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#)).expect_err(id);
        assert_eq!((refused.id, refused.error.code), (None, ErrorCode::INVALID_REQUEST), "{id}");
        // The answer has no id member, not a null one.
        assert!(!encode::error(None, &refused.error).contains("\"id\""));
    }
}

#[test]
fn errors_may_come_without_an_id_but_results_may_not() {
    for head in [r#"{"jsonrpc":"2.0","id":null"#, r#"{"jsonrpc":"2.0""#] {
        let error = one(format!(r#"{head},"error":{{"code":-32700,"message":"x"}}}}"#)).unwrap();
        assert!(matches!(error, Message::Response(Response { id: None, outcome: Err(_) })));
        assert_eq!(code(format!(r#"{head},"result":{{}}}}"#)), ErrorCode::INVALID_REQUEST);
    }
    for id in ["1.5", "true", "{}"] {
        assert_eq!(
            code(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)),
            ErrorCode::INVALID_REQUEST
        );
    }
}

#[test]
fn batches_are_bounded_and_never_empty() {
    let limits = DecodeLimits::default();
    for empty in ["[]", " [ ] ", "\n[\n]\n"] {
        assert_eq!(decode(empty, limits).unwrap_err().error.code, ErrorCode::INVALID_REQUEST);
    }
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let pings = |n: usize| format!("[{}]", vec![ping; n].join(","));
    assert_eq!(batch(pings(limits.max_batch)).len(), limits.max_batch);
    for over in [pings(limits.max_batch + 1), format!("[{}0]", "0,".repeat(5_000_000))] {
        assert_eq!(decode(over, limits).unwrap_err().error.code, ErrorCode::INVALID_REQUEST);
    }
    for broken in [format!("[{ping},]"), format!("[{ping}]{ping}"), format!("[{ping}")] {
        assert_eq!(decode(broken, limits).unwrap_err().error.code, ErrorCode::PARSE_ERROR);
    }
}

#[test]
fn bad_elements_of_a_batch_are_refused_one_by_one() {
    let parts = batch(
        r#"[1,{"foo":"boo"},[],{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":1}]"#,
    );
    let good: Vec<_> = parts.iter().map(Result::is_ok).collect();
    assert_eq!(good, [false, false, false, true, false]);
    assert_eq!(parts[4].as_ref().unwrap_err().id, Some(Id::from(5)));
    for refused in parts.iter().filter_map(|part| part.as_ref().err()) {
        assert_eq!(refused.error.code, ErrorCode::INVALID_REQUEST);
    }
}

#[test]
fn text_that_is_no_json_is_a_parse_error() {
    let message = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}".as_slice();
    let cases: [&[&[u8]]; 19] = [
        &[b""],
        &[b"  \n"],
        &[b"{"],
        &[b"nonsense"],
        &[b"\0"],
        &[b"\0", message],
        &[message, b"\0"],
        &[b"\xEF\xBB\xBF", message],
        &[b"\xFF\xFE", message],
        &[message, message],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\xFF\"}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"\xC0\xAF\"}}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"\xED\xA0\x80\"}}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"\0\"}}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"m\"}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":+1,\"method\":\"m\"}"],
        &[b"{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"m\"}"],
        &[b"{'jsonrpc':'2.0'}"],
    ];
    for case in cases {
        let bytes = case.concat();
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let refused = one(bytes).expect_err(&shown);
        assert_eq!((refused.id, refused.error.code), (None, ErrorCode::PARSE_ERROR), "{shown}");
    }
}

#[test]
fn json_that_is_no_message_is_an_invalid_request() {
    for text in ["1", "null", "true", "\"x\"", "{}", r#"{"id":1,"method":"m"}"#, r#"{"jsonrpc":"2.0"}"#] {
        assert_eq!(code(text), ErrorCode::INVALID_REQUEST, "{text}");
    }
    for version in [r#""2""#, "2.0", "2", r#""1.0""#, "null", r#"["2.0"]"#, r#""2.0 ""#] {
        let text = format!(r#"{{"jsonrpc":{version},"id":"a","method":"m"}}"#);
        let refused = one(text).expect_err(version);
        assert_eq!((refused.id, refused.error.code), (Some(Id::from("a")), ErrorCode::INVALID_REQUEST));
    }
    for rest in [
        r#""id":1"#,
        r#""id":1,"method":1"#,
        r#""id":1,"method":null"#,
        r#""id":1,"method":["m"]"#,
        r#""method":{}"#,
        r#""id":1,"method":"m","params":[]"#,
        r#""id":1,"method":"m","params":null"#,
        r#""id":1,"method":"m","params":"x""#,
        r#""id":1,"method":"m","result":{}"#,
        r#""id":1,"method":"m","error":{"code":1,"message":""}"#,
        r#""id":1,"result":{},"error":{"code":1,"message":""}"#,
        r#""id":1,"result":null,"error":null"#,
        r#""id":1,"error":null"#,
        r#""id":1,"error":"x""#,
        r#""id":1,"error":[1,"x"]"#,
        r#""id":1,"error":{"code":1.5,"message":""}"#,
        r#""id":1,"error":{"code":-32603.0,"message":""}"#,
        r#""id":1,"error":{"code":"1","message":""}"#,
        r#""id":1,"error":{"code":1}"#,
        r#""id":1,"error":{"message":""}"#,
        r#""id":1,"error":{"code":1,"message":1}"#,
    ] {
        assert_eq!(code(format!(r#"{{"jsonrpc":"2.0",{rest}}}"#)), ErrorCode::INVALID_REQUEST, "{rest}");
    }
}

#[test]
fn refusals_quote_no_payload() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":"SECRET"}"#,
        r#"{"jsonrpc":"SECRET","id":1}"#,
        r#"{"SECRET":1,"SECRET":2}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":"SECRET","message":1}}"#,
        r#"{"jsonrpc":"2.0" SECRET"#,
        r#""SECRET""#,
    ] {
        let refused = one(text).unwrap_err();
        assert!(!format!("{refused:?} {}", refused.error.message).contains("SECRET"), "{text}");
    }
}

#[test]
fn null_data_is_data() {
    let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":null}}"#;
    assert_eq!(&*encode::message(&one(text).unwrap()), text);
}
