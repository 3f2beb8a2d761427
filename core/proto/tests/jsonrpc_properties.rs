//! Laws of the codec and of the digest, on generated input.

use mcpbolt_proto::jsonrpc::{
    DecodeLimits, ErrorCode, ErrorObject, Id, Incoming, Message, Notification, RawJson, Request, Response,
    canonical_digest, decode, encode,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..5).prop_map(Value::from_iter),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(any::<String>(), value(), 0..5).prop_map(Value::from_iter)
}

fn id() -> impl Strategy<Value = Id> {
    prop_oneof![
        any::<i64>().prop_map(Id::from),
        any::<String>().prop_map(Id::from),
        any::<u64>().prop_map(|n| {
            let digits = (u128::from(n) + u128::from(u64::MAX)).to_string();
            Id::from_raw(&RawJson::parse(digits).unwrap()).unwrap()
        }),
    ]
}

fn error() -> impl Strategy<Value = ErrorObject> {
    (any::<i64>(), any::<String>(), prop::option::of(value())).prop_map(|(code, message, data)| {
        let error = ErrorObject::new(ErrorCode(code), message);
        match data {
            Some(data) => error.with_data(data),
            None => error,
        }
    })
}

fn message() -> impl Strategy<Value = Message> {
    let params = || prop::option::of(object().prop_map(RawJson::from));
    let name = any::<String>;
    let respond = |id, outcome| Message::Response(Response { id, outcome });
    prop_oneof![
        (id(), name(), params()).prop_map(|(id, name, params)| Message::Request(Request {
            id,
            method: name.into(),
            params
        })),
        (name(), params())
            .prop_map(|(name, params)| Message::Notification(Notification { method: name.into(), params })),
        (id(), value()).prop_map(move |(id, value)| respond(Some(id), Ok(value.into()))),
        (prop::option::of(id()), error()).prop_map(move |(id, error)| respond(id, Err(error))),
    ]
}

/// Bytes that look like messages often enough to get past the first checks.
fn jsonish() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "\r\n",
        "\"",
        "\\",
        "\"id\":1,",
        "\"method\":\"m\"",
        "1e999",
        "\"params\":{",
        "\"result\":",
        "\"jsonrpc\":\"2.0\",",
        "\"\\ud800\"",
        "null",
        "\"a\":",
        "{}",
    ];
    let token = prop_oneof![prop::sample::select(words.to_vec()).prop_map(str::to_owned), "[ -~]{0,3}"];
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..64),
        prop::collection::vec(token.clone(), 0..24).prop_map(|tokens| tokens.concat().into_bytes()),
        prop::collection::vec(token, 0..4).prop_map(|tokens| {
            let inside = tokens.join(",\n");
            format!("{{\n\"jsonrpc\":\r\"2.0\",\"id\":1,\n\"result\":[\n{inside}\n]\n}}").into_bytes()
        }),
    ]
}

fn parts(message: &Message) -> Vec<&RawJson> {
    match message {
        Message::Request(r) => r.params.iter().collect(),
        Message::Notification(n) => n.params.iter().collect(),
        Message::Response(Response { outcome: Ok(value), .. }) => vec![value],
        Message::Response(Response { outcome: Err(error), .. }) => error.data.iter().collect(),
    }
}

/// The same value with the members of its objects turned round.
fn reordered(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(reordered).collect(),
        Value::Object(members) => {
            members.iter().rev().map(|(name, value)| (name.clone(), reordered(value))).collect()
        }
        other => other.clone(),
    }
}

fn digest(text: &str) -> [u8; 32] {
    canonical_digest(Some(&RawJson::parse(text.to_owned()).unwrap()), &[])
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(message in message()) {
        let text = encode::message(&message);
        prop_assert!(!text.contains(['\n', '\r']));
        match decode(text.into_bytes(), DecodeLimits::default()) {
            Ok(Incoming::Single(back)) => prop_assert_eq!(back, message),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn batches_are_read_back(messages in prop::collection::vec(message(), 1..6)) {
        let texts: Vec<_> = messages.iter().map(encode::message).collect();
        match decode(encode::batch(&texts).into_bytes(), DecodeLimits::default()) {
            Ok(Incoming::Batch(back)) => {
                prop_assert_eq!(back.into_iter().map(Result::unwrap).collect::<Vec<_>>(), messages);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn decoding_never_panics_and_cleans_every_part(bytes in jsonish()) {
        let messages = match decode(bytes, DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => vec![message],
            Ok(Incoming::Batch(all)) => all.into_iter().flatten().collect(),
            Err(_) => vec![],
        };
        for message in &messages {
            for part in parts(message) {
                prop_assert!(!part.as_str().contains(['\n', '\r']));
                prop_assert!(RawJson::parse(part.as_str().to_owned()).is_ok());
                let _ = canonical_digest(Some(part), &["a"]);
            }
            prop_assert!(!encode::message(message).contains(['\n', '\r']));
        }
    }

    #[test]
    fn digest_sees_neither_order_nor_whitespace(value in object()) {
        let pretty = serde_json::to_string_pretty(&reordered(&value)).unwrap();
        prop_assert_eq!(digest(&value.to_string()), digest(&pretty));
    }

    #[test]
    fn digest_sees_every_change_of_value(a in object(), name in any::<String>(), new in value()) {
        let mut changed = a.clone();
        let old = changed.as_object_mut().unwrap().insert(name, new.clone());
        // 1.0 and 1 are one value to the digest and two to serde_json: compare as text by it.
        let same = old.is_some_and(|old| digest(&old.to_string()) == digest(&new.to_string()));
        prop_assert_eq!(digest(&a.to_string()) == digest(&changed.to_string()), same);
    }
}

#[test]
fn digest_compares_numbers_by_value() {
    let same: [&[&str]; 5] = [
        &["1", "1.0", "1e0", "10e-1", "0.1E1", "1.000", "100e-2"],
        &["100", "1e2", "1E+2", "1.0e2", "0.01e4"],
        &["0", "-0", "0.0", "0e5", "-0.0e-9"],
        &[
            "123456789012345678901234567890",
            "123456789012345678901234567890.0",
            "12345678901234567890123456789e1",
        ],
        &["9007199254740993", "9007199254740993.0"],
    ];
    for group in same {
        for text in group {
            assert_eq!(digest(text), digest(group[0]), "{text}");
        }
    }
    let different = [
        "0",
        "1",
        "-1",
        "10",
        "0.1",
        "1.1",
        "11",
        "9007199254740992",
        "9007199254740993",
        "1e999",
        "1e998",
        "123456789012345678901234567890",
        "123456789012345678901234567891",
        "\"1\"",
        "true",
        "null",
        "[1]",
    ];
    for (at, a) in different.iter().enumerate() {
        for b in &different[at + 1..] {
            assert_ne!(digest(a), digest(b), "{a} {b}");
        }
    }
}

#[test]
fn digest_leaves_out_the_named_top_level_members_only() {
    let without = ["_meta", "inputResponses", "requestState"];
    let digest = |value: &Value| canonical_digest(Some(&RawJson::from(value)), &without);
    let bare = digest(&json!({"name": "t", "arguments": {"x": 1}}));
    let retry = json!({"_meta": {"a": 1}, "requestState": "s", "arguments": {"x": 1.0}, "name": "t", "inputResponses": {}});
    assert_eq!(digest(&retry), bare);
    assert_ne!(digest(&json!({"name": "t", "arguments": {"x": 1, "_meta": {}}})), bare);
    assert_eq!(canonical_digest(None, &without), digest(&json!({"_meta": {}})));
    assert_ne!(digest(&json!({"a": [1, 2]})), digest(&json!({"a": [2, 1]})));
    assert_ne!(digest(&json!({"a": {"b": 1}, "c": 2})), digest(&json!({"a": {"b": 1, "c": 2}})));
}

#[test]
fn digest_takes_a_value_without_one_meaning_as_text() {
    for (text, other) in [
        (r#"{"a":{"b":1,"b":2}}"#, r#"{"a":{"b":2}}"#),
        (r#"{"a":{"b":1,"b":2}}"#, r#"{"a":{"b":2,"b":1}}"#),
        (r#"[{"a":1,"\u0061":1}]"#, r#"[{"a":1}]"#),
        (r#"{"a":"\ud800"}"#, r#"{"a":"\ud801"}"#),
        (r#"{"\ud800":1}"#, r#"{"\ud800":2}"#),
    ] {
        assert_eq!(digest(text), digest(text));
        assert_ne!(digest(text), digest(other), "{text}");
    }
    assert_eq!(digest(r#"{"\u0061":"\u0062\/"}"#), digest(r#"{"a":"b/"}"#));
}
