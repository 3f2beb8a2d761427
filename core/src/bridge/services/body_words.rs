//! What is said of a body that is not a message, in the host's words: the service `http.body`.
//!
//! Owns: what the service is given, how its answer is read. Must not know: when it is asked.

use std::sync::Arc;

use serde_json::json;

use crate::bridge::queue::inbox::Inbox;
use crate::handler::BoxFuture;
use crate::transport::streamable_http::server::BodyWords;

/// Asks the host: the service `http.body` is given `body` as text, and answers
/// `[code, message]`, or null for the engine's words. It has none where the host fails.
pub(crate) struct AskBodyWords(pub(crate) Arc<Inbox>);

impl BodyWords for AskBodyWords {
    fn describe<'a>(&'a self, body: &'a [u8]) -> BoxFuture<'a, Option<(i64, String)>> {
        let answer = self.0.ask_host("http.body", json!({"body": String::from_utf8_lossy(body)}).into());
        Box::pin(async move { answer.await.ok()?.decode().ok() })
    }
}
