//! The three kinds of message.

use std::fmt;

use bytestring::ByteString;

use super::{ErrorObject, Id, RawJson};

/// A request: it has an id and wants exactly one response.
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
#[derive(Clone, PartialEq, Eq)]
pub struct Notification {
    /// Method name.
    pub method: ByteString,
    /// `params`, undecoded. An object when present.
    pub params: Option<RawJson>,
}

/// A response: result or error.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// Id of the request; `None` when the peer could not read it.
    pub id: Option<Id>,
    /// The result, undecoded, or the error.
    pub outcome: Result<RawJson, ErrorObject>,
}

/// Any message.
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
