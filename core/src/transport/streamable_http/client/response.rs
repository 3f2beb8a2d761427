//! The answer to an HTTP request: its kind, its body within bounds, and what a refusal says.
//!
//! Owns: how much is read, and for how long a refusal's body is waited for. Must not know:
//! JSON-RPC, or what was asked.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::StatusCode;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::Response;
use serde_json::{Map, Value, json};

use mcpbolt_proto::http::headers::{EVENT_STREAM, is_json};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::transport::client::SendFailure;

use super::failures::{network, refusal};

/// Largest body of a refusal worth reading.
const MAX_ERROR_BODY: u64 = 1024 * 1024;
/// So much of the body of a refusal is shown, in bytes.
const MAX_REASON: usize = 16 * 1024;
/// How long the body of a refusal is waited for.
const REASON_PATIENCE: Duration = Duration::from_secs(2);

/// What a response carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    EventStream,
    Other,
}

impl SendFailure {
    /// With what the server said beside a status, for those who look into the cause. Data of
    /// the server's own stays: beside its members if it is an object, else in this one's place.
    pub(crate) fn said(mut self, body: &[u8]) -> Self {
        let mut data = match self.error.data.as_ref().map(RawJson::decode::<Map<String, Value>>) {
            None => Map::new(),
            Some(Ok(own)) => own,
            Some(Err(_)) => return self,
        };
        let text = String::from_utf8_lossy(&body[..body.len().min(MAX_REASON)]);
        data.insert("http".to_owned(), json!({ "status": self.status, "body": text }));
        self.error.data = Some(Value::Object(data).into());
        self
    }
}

/// What a status other than success means, with the body it came with, if that comes soon.
pub(crate) async fn refused(response: Response) -> SendFailure {
    let failure = refusal(&response);
    match tokio::time::timeout(REASON_PATIENCE, body(response, MAX_ERROR_BODY)).await {
        Ok(Ok(body)) => failure.said(&body),
        Ok(Err(_)) | Err(_) => failure.said(&[]),
    }
}

/// The session of a request is gone, in the words of the session for the request that learns it first.
pub(crate) fn forgotten() -> SendFailure {
    let error = Error::new(ErrorKind::Closed, "the server has ended the session");
    SendFailure { error, status: Some(StatusCode::NOT_FOUND.as_u16()) }
}

/// What kind of body a response has. A content coding we did not ask for is refused.
pub(crate) fn media(response: &Response) -> Result<Media, Error> {
    let headers = response.headers();
    if headers.get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(Error::protocol("the server's answer has a content coding that was not asked for"));
    }
    let text = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim();
    Ok(match essence {
        _ if is_json(text) => Media::Json,
        _ if essence.eq_ignore_ascii_case(EVENT_STREAM) => Media::EventStream,
        _ => Media::Other,
    })
}

/// Why a body was not read to its end.
pub(crate) enum Unread {
    TooLarge(u64),
    /// The connection was lost.
    Cut(Error),
}

impl From<Unread> for Error {
    fn from(why: Unread) -> Self {
        match why {
            Unread::TooLarge(max) => {
                Self::transport(format!("the server's answer is larger than {max} bytes"))
            }
            Unread::Cut(error) => error,
        }
    }
}

/// Reads a whole body of at most `max` bytes.
pub(crate) async fn body(mut response: Response, max: u64) -> Result<Bytes, Unread> {
    let too_large = || Unread::TooLarge(max);
    if response.content_length().is_some_and(|length| length > max) {
        return Err(too_large());
    }
    let max_len = Limits::size(max);
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(chunk) = next_chunk(&mut response).await? {
        if first.len() + whole.len() + chunk.len() > max_len {
            return Err(too_large());
        }
        if first.is_empty() && whole.is_empty() {
            first = chunk;
        } else {
            if whole.is_empty() {
                whole.extend_from_slice(&std::mem::take(&mut first));
            }
            whole.extend_from_slice(&chunk);
        }
    }
    Ok(if whole.is_empty() { first } else { whole.freeze() })
}

async fn next_chunk(response: &mut Response) -> Result<Option<Bytes>, Unread> {
    let chunk = response.chunk().await;
    chunk.map_err(|error| Unread::Cut(network(&error, response.url())))
}

/// Reads the JSON body of a refusal, if it has one of reasonable size.
pub(crate) async fn error_body(response: Response, max: u64) -> Option<Bytes> {
    if media(&response).ok()? != Media::Json {
        return None;
    }
    body(response, max.min(MAX_ERROR_BODY)).await.ok().filter(|body| !body.is_empty())
}
