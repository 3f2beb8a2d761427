//! Messages and raw JSON.

use mcpbolt_proto::jsonrpc::{
    DecodeLimits, Id, Incoming, Malformed, Message, RawJson, RawObject, decode, encode,
};
use serde_json::Value;

fn single(text: &str) -> Message {
    match decode(text.to_owned(), DecodeLimits::default()) {
        Ok(Incoming::Single(message)) => message,
        other => panic!("no message any more: {other:?}"),
    }
}

fn one_line(text: &str) {
    assert!(!text.contains(['\n', '\r']), "a line break survived");
}

fn survives(message: &Message) {
    let text = encode::message(message);
    one_line(&text);
    assert!(single(&text) == *message, "written and read, it is another message");
}

fn answerable(malformed: &Malformed) {
    let text = encode::error(malformed.id.as_ref(), &malformed.error);
    one_line(&text);
    let Message::Response(response) = single(&text) else { panic!("no response") };
    assert!(response.id == malformed.id && response.outcome.is_err());
}

/// Decoding never panics; what it accepts survives being written and read again.
pub(super) fn codec(data: &[u8]) {
    match decode(data.to_vec(), DecodeLimits::default()) {
        Ok(Incoming::Single(message)) => survives(&message),
        Ok(Incoming::Batch(messages)) => {
            for message in &messages {
                message.as_ref().map_or_else(answerable, survives);
            }
        }
        Err(malformed) => answerable(&malformed),
    }
}

/// Raw JSON is one line, one value, and the same value wherever it is put.
pub(super) fn splice(data: &[u8]) {
    let Ok(raw) = RawJson::parse(data.to_vec()) else { return };
    one_line(raw.as_str());
    assert!(RawJson::parse(raw.as_str().to_owned()).as_ref() == Ok(&raw), "read again, it differs");
    let (before, after) =
        (serde_json::from_slice::<Value>(data).ok(), serde_json::from_str::<Value>(raw.as_str()).ok());
    assert!(before == after, "cleaning changed the value");
    let id = Id::from("a\nb");
    let text = encode::result(&id, &raw);
    one_line(&text);
    let Message::Response(response) = single(&text) else { panic!("no response") };
    assert!(response.id == Some(id.clone()) && response.outcome.as_ref() == Ok(&raw));
    let Some(members) = RawObject::parse(&raw) else { return };
    let rebuilt = members.to_raw();
    one_line(rebuilt.as_str());
    assert!(RawObject::parse(&rebuilt).as_ref() == Some(&members), "rebuilt, it has other members");
    let text = encode::request(&id, "m\"\n", Some(&rebuilt));
    one_line(&text);
    let Message::Request(request) = single(&text) else { panic!("no request") };
    assert!(request.id == id && request.method == "m\"\n" && request.params.as_ref() == Some(&rebuilt));
}
