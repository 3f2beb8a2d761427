//! Which request a message answers.
//!
//! Owns: reading as much of a message as tells that, and another id in the place of the one that an
//! answer has. Must not know: how messages come, what is made of them.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use mcpbolt_proto::jsonrpc::{DecodeLimits, ErrorObject, Id, Incoming, Message, RawJson, RawObject, decode};

/// As much of a message as tells whether it is a response.
#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

impl Peek<'_> {
    fn is_response_to(&self, id: &Id) -> bool {
        self.method.is_none() && self.id.is_some_and(|found| is_id(found.get(), id))
    }
}

/// Whether a message answers the request, by its id or as an error without one.
pub(super) fn answers(message: &Bytes, id: &Id) -> bool {
    if is_batch(message) {
        let Ok(Incoming::Batch(batch)) = decode(message.clone(), DecodeLimits::default()) else {
            return false;
        };
        return batch.iter().any(|one| match one {
            Ok(Message::Response(response)) => {
                response.id.as_ref().is_some_and(|found| is_id(found.to_raw().as_str(), id))
            }
            _ => false,
        });
    }
    let Ok(peek) = serde_json::from_slice::<Peek<'_>>(message) else { return false };
    let nameless = peek.id.is_none_or(|id| id.get() == "null");
    peek.is_response_to(id) || (peek.method.is_none() && nameless && peek.error.is_some())
}

/// Whether a message is a response with this id.
pub(super) fn names(message: &Bytes, id: &Id) -> bool {
    serde_json::from_slice::<Peek<'_>>(message).is_ok_and(|peek| peek.is_response_to(id))
}

pub(super) fn error_in(message: &Bytes) -> Option<ErrorObject> {
    match decode(message.clone(), DecodeLimits::default()) {
        Ok(Incoming::Single(Message::Response(response))) => response.outcome.err(),
        _ => None,
    }
}

/// An answer to whatever request, with this id.
pub(super) fn readdressed(message: Bytes, id: &Id) -> Bytes {
    let members = RawJson::parse(message.clone()).ok().and_then(|message| RawObject::parse(&message));
    let answer = members.filter(|members| members.contains("result") || members.contains("error"));
    let Some(mut answer) = answer else { return message };
    answer.set("id", id.to_raw());
    answer.to_raw().text().clone().into_bytes()
}

/// A message in which the answer to one request has the id of another. All else stays byte for byte.
pub(super) fn renamed(message: Bytes, from: &Id, to: &Id) -> Bytes {
    let Some(place) = place(&message, from) else { return message };
    let id = to.to_raw();
    let mut renamed = BytesMut::with_capacity(message.len() + id.as_bytes().len());
    renamed.extend_from_slice(&message[..place.start]);
    renamed.extend_from_slice(id.as_bytes());
    renamed.extend_from_slice(&message[place.end..]);
    renamed.freeze()
}

/// Where the id of the answer to this request stands.
fn place(message: &Bytes, id: &Id) -> Option<Range<usize>> {
    let parts: Vec<&RawValue> = if is_batch(message) {
        serde_json::from_slice(message)
    } else {
        serde_json::from_slice(message).map(|one| vec![one])
    }
    .ok()?;
    let found = parts.into_iter().find_map(|part| {
        let peek: Peek<'_> = serde_json::from_str(part.get()).ok()?;
        peek.id.filter(|_| peek.is_response_to(id))
    })?;
    // What was found is a part of the message itself.
    let start = found.get().as_ptr().addr() - message.as_ptr().addr();
    Some(start..start + found.get().len())
}

fn is_batch(message: &Bytes) -> bool {
    message.trim_ascii_start().starts_with(b"[")
}

/// Whether a text is this id, or this number as a string: some servers turn every id into one.
fn is_id(found: &str, id: &Id) -> bool {
    let id = id.to_raw();
    let bare = found.strip_prefix('"').and_then(|found| found.strip_suffix('"'));
    found == id.as_str() || bare == Some(id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_id_of_the_answer_is_another() {
        let (from, to) = (Id::from("5~1"), Id::from(5));
        let named = |text: &'static str| renamed(Bytes::from_static(text.as_bytes()), &from, &to);
        let deep = r#" { "result": {"id": "5~1"}, "id" : "5~1" , "jsonrpc":"2.0" }"#;
        assert_eq!(named(deep), r#" { "result": {"id": "5~1"}, "id" : 5 , "jsonrpc":"2.0" }"#);
        let batch = r#"[{"method":"n"}, {"id":"6","result":{}},{"id":"5~1","error":{}}]"#;
        assert_eq!(named(batch), r#"[{"method":"n"}, {"id":"6","result":{}},{"id":5,"error":{}}]"#);
        for other in [
            r#"{"id":"5~1","method":"roots/list"}"#,
            r#"{"id":null,"error":{}}"#,
            r#"{"id":"5~2","result":{}}"#,
            "[]",
            "[7]",
            "x",
        ] {
            assert_eq!(named(other), other);
        }
    }
}
