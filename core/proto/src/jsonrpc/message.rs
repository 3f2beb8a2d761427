//! The three kinds of message.
//!
//! Owns: the types. Must not know: methods, and how messages are read.

use std::fmt;

use bytestring::ByteString;

use super::{ErrorObject, Id, RawJson};

/// A request: it has an id and wants exactly one response.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{Message, Request, encode};
///
/// let ping = Request { id: 1.into(), method: "ping".into(), params: None };
/// assert_eq!(encode::message(&Message::Request(ping)), r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// Echoed by the response, with the same JSON type.
    pub id: Id,
    /// Method name.
    pub method: ByteString,
    /// `params`, undecoded. An object when present.
    pub params: Option<RawJson>,
}

/// A notification: no id, no answer.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{Message, Notification};
///
/// let ready = Notification { method: "notifications/initialized".into(), params: None };
/// assert_eq!(Message::Notification(ready).method(), Some("notifications/initialized"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Notification {
    /// Method name.
    pub method: ByteString,
    /// `params`, undecoded. An object when present.
    pub params: Option<RawJson>,
}

/// A response: result or error.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{RawJson, Response};
///
/// let pong = Response { id: Some(1.into()), outcome: Ok(RawJson::empty_object()) };
/// assert_eq!(format!("{pong:?}"), "Response(Some(1) Ok(RawJson(Object, 2 bytes)))"); // no payload in logs
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// Id of the request; `None` when the peer could not read it.
    pub id: Option<Id>,
    /// The result, undecoded, or the error.
    pub outcome: Result<RawJson, ErrorObject>,
}

/// Any message.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{Message, RawJson, Response};
///
/// let pong = Response { id: Some(1.into()), outcome: Ok(RawJson::empty_object()) };
/// assert_eq!(Message::Response(pong).method(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// A request.
    Request(Request),
    /// A notification.
    Notification(Notification),
    /// A response.
    Response(Response),
}

impl Message {
    /// The method name, if it is a request or notification.
    pub fn method(&self) -> Option<&str> {
        match self {
            Self::Request(r) => Some(&r.method),
            Self::Notification(n) => Some(&n.method),
            Self::Response(_) => None,
        }
    }
}

fn size(params: Option<&RawJson>) -> usize {
    params.map_or(0, |p| p.as_str().len())
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({:?} {} {} bytes)", self.id, self.method, size(self.params.as_ref()))
    }
}

impl fmt::Debug for Notification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Notification({} {} bytes)", self.method, size(self.params.as_ref()))
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Response({:?} {:?})", self.id, self.outcome)
    }
}
