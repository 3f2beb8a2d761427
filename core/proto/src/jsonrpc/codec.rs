//! Text to messages and back.
//!
//! Owns: the bounds of depth and number, and what is told of a text that is not a message.
//! Must not know: MCP.

use bytes::Bytes;
use bytestring::ByteString;
use serde::de::DeserializeSeed;
use serde_json::value::RawValue;

use super::envelope::{Elements, ElementsUpTo, Envelope};
use super::raw::{self, MAX_DEPTH};
use super::{
    ErrorCode, ErrorObject, Id, JsonKind, Message, Notification, RawError, RawJson, Request, Response, Skim,
    Skimmed,
};

/// What a decoder accepts.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};
///
/// let strict = DecodeLimits { max_depth: 4, ..DecodeLimits::default() };
/// let deep = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[[[[1]]]]}}"#;
/// assert!(decode(deep, strict).is_err() && decode(deep, DecodeLimits::default()).is_ok());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DecodeLimits {
    /// Deepest nesting.
    pub max_depth: usize,
    /// Most messages in one batch.
    pub max_batch: usize,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        Self { max_depth: MAX_DEPTH, max_batch: 100 }
    }
}

/// One decoded frame.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, decode};
///
/// let frame = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// match decode(frame, DecodeLimits::default()) {
///     Ok(Incoming::Single(message)) => assert_eq!(message.method(), Some("notifications/initialized")),
///     Ok(Incoming::Batch(messages)) => panic!("{} messages", messages.len()),
///     Err(malformed) => panic!("{}", malformed.error.message),
/// }
/// ```
#[derive(Debug)]
pub enum Incoming {
    /// One message.
    Single(Message),
    /// A JSON array. Whether the revision allows it is not decided here.
    Batch(Vec<Result<Message, Malformed>>),
}

/// A text that is not a message, as the error to answer it with.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{DecodeLimits, ErrorCode, decode};
///
/// let malformed = decode(r#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, DecodeLimits::default()).unwrap_err();
/// assert_eq!(malformed.error.code, ErrorCode::INVALID_REQUEST);
/// assert_eq!(malformed.id, Some(7.into())); // the answer can still name the request
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The request's id, where it could be read; not that of an answer, which nobody answers.
    pub id: Option<Id>,
    /// What the message was meant to be, where that could be told. In a box, since it is rare and
    /// this is the error of every message.
    pub seen: Option<Box<Skimmed>>,
    /// -32700 or -32600, with the reason.
    pub error: ErrorObject,
}

impl Malformed {
    fn new(id: Option<Id>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id, seen: None, error: ErrorObject::new(code, message) }
    }

    /// A message that was skipped, for its size or depth. A request can still be told what
    /// is wrong with it, and a request that waits for an answer that it cannot be read.
    pub fn skipped(seen: Skimmed, message: impl Into<String>) -> Self {
        let id = seen.id.clone().filter(|_| !seen.is_answer);
        Self { seen: Some(Box::new(seen)), ..Self::invalid(id, message) }
    }

    /// A message whose members are not what they have to be.
    fn wrong(envelope: &Envelope<'_>, id: Option<Id>, message: &str) -> Self {
        let has_method = envelope.method.is_some();
        let has_outcome = envelope.result.is_some() || envelope.error.is_some();
        if !has_method && !has_outcome {
            return Self::invalid(id, message);
        }
        Self::skipped(Skimmed { id, is_answer: !has_method, has_method }, message)
    }

    fn invalid(id: Option<Id>, message: impl Into<String>) -> Self {
        Self::new(id, ErrorCode::INVALID_REQUEST, message)
    }
}

impl From<RawError> for Malformed {
    fn from(error: RawError) -> Self {
        let code = match error {
            RawError::TooDeep { .. } => ErrorCode::INVALID_REQUEST,
            _ => ErrorCode::PARSE_ERROR,
        };
        Self::new(None, code, error.to_string())
    }
}

/// Decodes one frame: a stdio line, an HTTP body or the data of an SSE event.
pub fn decode(frame: impl Into<Bytes>, limits: DecodeLimits) -> Result<Incoming, Malformed> {
    let text = raw::clean_or_keep(frame.into(), limits.max_depth).map_err(|(error, text)| match error {
        RawError::TooDeep { .. } => Malformed::skipped(Skim::of(&text), error.to_string()),
        _ => error.into(),
    })?;
    if text.trim_start().starts_with('[') {
        return decode_batch(&text, limits).map(Incoming::Batch);
    }
    decode_one(&text, &text).map(Incoming::Single)
}

fn decode_batch(
    text: &ByteString,
    limits: DecodeLimits,
) -> Result<Vec<Result<Message, Malformed>>, Malformed> {
    let syntax = |e: serde_json::Error| Malformed::from(RawError::syntax(&e));
    let mut reader = serde_json::Deserializer::from_str(text);
    let elements = ElementsUpTo(limits.max_batch).deserialize(&mut reader).map_err(syntax)?;
    reader.end().map_err(syntax)?;
    let Elements::Within(parts) = elements else {
        let message = format!("a batch may hold at most {} messages", limits.max_batch);
        return Err(Malformed::invalid(None, message));
    };
    if parts.is_empty() {
        return Err(Malformed::invalid(None, "a batch must hold at least one message"));
    }
    Ok(parts.into_iter().map(|part| decode_one(text, part.get())).collect())
}

fn decode_one(whole: &ByteString, text: &str) -> Result<Message, Malformed> {
    let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|e| match e.classify() {
        serde_json::error::Category::Data => Malformed::invalid(None, "not a JSON-RPC message object"),
        _ => RawError::syntax(&e).into(),
    })?;
    let wrong = |id: Option<Id>, message: &str| Malformed::wrong(&envelope, id, message);
    if envelope.duplicate {
        return Err(wrong(None, "a member name occurs twice"));
    }
    let null_id = envelope.id.is_some_and(|id| id.get() == "null");
    let id = envelope.id.and_then(|id| Id::from_text(id.get()));
    if envelope.jsonrpc.is_none_or(|v| !is_two(v)) {
        return Err(wrong(id, "jsonrpc must be \"2.0\""));
    }
    let bad_id = envelope.id.is_some() && id.is_none();
    let slice = |value: &RawValue| RawJson::slice_of(whole, value);
    if let Some(method) = envelope.method {
        if bad_id {
            return Err(wrong(None, "id must be a string or an integer"));
        }
        if envelope.result.is_some() || envelope.error.is_some() {
            return Err(wrong(id, "a message has either a method or a result"));
        }
        let Some(method) = string(whole, method) else {
            return Err(wrong(id, "method must be a string"));
        };
        let params = envelope.params.map(slice);
        if params.as_ref().is_some_and(|p| !p.is_object()) {
            return Err(wrong(id, "params must be an object"));
        }
        return Ok(match id {
            Some(id) => Message::Request(Request { id, method, params }),
            None => Message::Notification(Notification { method, params }),
        });
    }
    if bad_id && !null_id {
        return Err(wrong(None, "id must be a string or an integer"));
    }
    let outcome = match (envelope.result, envelope.error) {
        (Some(_), None) if id.is_none() => {
            return Err(wrong(None, "a result must have an id"));
        }
        (Some(result), None) => Ok(slice(result)),
        (None, Some(error)) => Err(error_object(&slice(error))
            .ok_or_else(|| wrong(id.clone(), "error must have an integer code and a message"))?),
        (Some(_), Some(_)) => {
            return Err(wrong(id, "a response has either a result or an error"));
        }
        (None, None) => return Err(wrong(id, "neither a method nor a result nor an error")),
    };
    Ok(Message::Response(Response { id, outcome }))
}

/// Whether a value is the string `2.0`, however it is written.
fn is_two(raw: &RawValue) -> bool {
    raw.get() == "\"2.0\"" || serde_json::from_str::<String>(raw.get()).is_ok_and(|text| text == "2.0")
}

fn error_object(raw: &RawJson) -> Option<ErrorObject> {
    if raw.kind() != JsonKind::Object {
        return None;
    }
    raw.decode().ok()
}

fn string(whole: &ByteString, raw: &RawValue) -> Option<ByteString> {
    let text = raw.get();
    if !text.starts_with('"') {
        return None;
    }
    let inner = &text[1..text.len() - 1];
    if inner.contains('\\') {
        return serde_json::from_str::<String>(text).ok().map(Into::into);
    }
    Some(whole.slice_ref(inner))
}

/// Writers of whole messages, without a trailing line break.
pub mod encode {
    use super::super::escape::push_string;
    use super::super::members::Around;
    use super::{ByteString, ErrorObject, Id, Message, RawJson};

    const HEAD: &str = "{\"jsonrpc\":\"2.0\"";

    /// A request.
    pub fn request(id: &Id, method: &str, params: Option<&RawJson>) -> ByteString {
        let mut text = start(method.len() + params.map_or(0, |p| p.as_str().len()));
        push_id(&mut text, id);
        push_method(&mut text, method, params);
        text.into()
    }

    /// A notification.
    pub fn notification(method: &str, params: Option<&RawJson>) -> ByteString {
        let mut text = start(method.len() + params.map_or(0, |p| p.as_str().len()));
        push_method(&mut text, method, params);
        text.into()
    }

    /// A successful response.
    pub fn result(id: &Id, result: &RawJson) -> ByteString {
        result_with(id, result.as_str().len(), |text| text.push_str(result.as_str()))
    }

    /// A successful response whose result `write` appends.
    pub(crate) fn result_with(id: &Id, size: usize, write: impl FnOnce(&mut String)) -> ByteString {
        let mut text = start_result(id, size);
        write(&mut text);
        text.push('}');
        text.into()
    }

    /// As [`result_with`], in the room of the result itself: for large ones, which only this message
    /// has.
    pub(crate) fn result_around(id: &Id, result: RawJson, around: &Around) -> ByteString {
        let mut head = start_result(id, around.head.len());
        head.push_str(&around.head);
        let mut text = String::from(result.into_text());
        text.truncate(around.kept.end);
        text.reserve_exact(head.len() + around.tail.len() + 1);
        text.replace_range(..around.kept.start, &head);
        text.push_str(&around.tail);
        text.push('}');
        text.into()
    }

    /// An error response; without an `id` member when the id is unknown.
    pub fn error(id: Option<&Id>, error: &ErrorObject) -> ByteString {
        let mut text = start(error.message.len() + 64);
        if let Some(id) = id {
            push_id(&mut text, id);
        }
        text.push_str(",\"error\":{\"code\":");
        text.push_str(&error.code.0.to_string());
        text.push_str(",\"message\":");
        push_string(&mut text, &error.message);
        if let Some(data) = &error.data {
            text.push_str(",\"data\":");
            text.push_str(data.as_str());
        }
        text.push_str("}}");
        text.into()
    }

    /// Any message.
    pub fn message(message: &Message) -> ByteString {
        match message {
            Message::Request(r) => request(&r.id, &r.method, r.params.as_ref()),
            Message::Notification(n) => notification(&n.method, n.params.as_ref()),
            Message::Response(r) => match (&r.outcome, &r.id) {
                (Ok(value), Some(id)) => result(id, value),
                // Not decodable, on purpose: a result that answers nothing is a bug of the caller's.
                (Ok(value), None) => format!("{HEAD},\"id\":null,\"result\":{}}}", value.as_str()).into(),
                (Err(e), id) => error(id.as_ref(), e),
            },
        }
    }

    /// A batch of already written messages.
    pub fn batch(messages: &[ByteString]) -> ByteString {
        format!("[{}]", messages.iter().map(|m| &**m).collect::<Vec<_>>().join(",")).into()
    }

    fn start_result(id: &Id, payload: usize) -> String {
        let mut text = start(payload);
        push_id(&mut text, id);
        text.push_str(",\"result\":");
        text
    }

    fn start(payload: usize) -> String {
        let mut text = String::with_capacity(payload + 64);
        text.push_str(HEAD);
        text
    }

    fn push_id(text: &mut String, id: &Id) {
        text.push_str(",\"id\":");
        id.push_to(text);
    }

    fn push_method(text: &mut String, method: &str, params: Option<&RawJson>) {
        text.push_str(",\"method\":");
        push_string(text, method);
        if let Some(params) = params {
            text.push_str(",\"params\":");
            text.push_str(params.as_str());
        }
        text.push('}');
    }
}
