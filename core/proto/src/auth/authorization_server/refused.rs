//! Refusals of an authorization server.
//!
//! Owns: error codes with their statuses and headers, by endpoint. Must not know: why something
//! is refused beyond one text.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::auth::words::Words;

/// Why a request is refused: the error code, and a text for developers.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::{Endpoint, Refused};
/// use mcpbolt_proto::auth::words::Words;
///
/// let refused = Refused::new("invalid_grant", "authorization code has expired");
/// let answer = refused.answer(Endpoint::Token, Words::Python);
/// assert_eq!((answer.status, &answer.body["error"]), (400, &"invalid_grant".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", description.as_deref().unwrap_or(error))]
pub struct Refused {
    /// The code of RFC 6749, RFC 7591 or another specification.
    pub error: String,
    /// A text for developers, `error_description`.
    #[serde(default, rename = "error_description")]
    pub description: Option<String>,
    /// A page about the error.
    #[serde(default, rename = "error_uri", skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Whether the client has not proved itself, which has a status of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unauthenticated: bool,
}

/// The endpoints of an authorization server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Endpoint {
    /// Where users are sent, as far as the answer is for the browser.
    Authorize,
    /// Where tokens are issued.
    Token,
    /// Where clients register.
    Register,
    /// Where tokens are revoked.
    Revoke,
}

/// An answer: status, headers and the JSON body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers beside `Content-Type`.
    pub headers: Map<String, Value>,
    /// The body.
    pub body: Value,
}

impl Refused {
    /// A refusal with one of the codes.
    pub fn new(error: &str, description: impl Into<String>) -> Self {
        Self {
            error: error.to_owned(),
            description: Some(description.into()),
            uri: None,
            unauthenticated: false,
        }
    }

    /// The refusal of a client that has not proved itself.
    pub fn unproved(why: impl Into<String>, endpoint: Endpoint, words: Words) -> Self {
        let rfc = !words.is_python() || (words == Words::Python2 && endpoint == Endpoint::Token);
        let error = if rfc { "invalid_client" } else { "unauthorized_client" };
        Self { unauthenticated: true, ..Self::new(error, why) }
    }

    /// The answer of an endpoint.
    pub fn answer(&self, endpoint: Endpoint, words: Words) -> Answer {
        let status = match (words.is_python(), &*self.error) {
            (false, "server_error") => 500,
            (true, _) if self.unauthenticated => 401,
            _ => 400,
        };
        Answer { status, headers: headers(endpoint, words), body: self.body() }
    }

    /// The members of the answer, also as parameters of a redirect.
    pub fn body(&self) -> Value {
        let mut body = json!({"error": self.error});
        for (name, value) in [("error_description", &self.description), ("error_uri", &self.uri)] {
            if let Some(value) = value {
                body[name] = value.as_str().into();
            }
        }
        body
    }
}

/// No answer of these endpoints may be kept. The Python packages say so where a secret could be
/// in it; in TypeScript the endpoints say it themselves, before they ask.
fn headers(endpoint: Endpoint, words: Words) -> Map<String, Value> {
    let told: &[(&str, &str)] = match (words.is_python(), endpoint) {
        (true, Endpoint::Token) => &[("Cache-Control", "no-store"), ("Pragma", "no-cache")],
        (true, Endpoint::Authorize) | (false, _) => &[("Cache-Control", "no-store")],
        (true, Endpoint::Register | Endpoint::Revoke) => &[],
    };
    told.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect()
}
