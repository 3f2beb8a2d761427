//! Client side of HTTP+SSE: the event stream that carries every message of the server.
//!
//! Owns: the `endpoint` event and the stream after it. Must not know: how messages are
//! posted (as over Streamable HTTP, only to that endpoint).

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, StatusCode};
use url::Url;

use mcpbolt_proto::http::sse_decode::SseItem;
use mcpbolt_proto::protocol::Error;

use crate::transport::client::SendFailure;
use crate::transport::streamable_http::client::connection::HttpConnection;
use crate::transport::streamable_http::client::events::{Events, too_large};
use crate::transport::streamable_http::client::exchange::{Http, Outgoing};
use crate::transport::streamable_http::client::failures::{refusal, shown_url, unusable};
use crate::transport::streamable_http::client::headers::get_headers;
use crate::transport::streamable_http::client::response::{self, Media};

/// Opens the event stream and waits for its first event, which names where messages go.
/// Bounded by the connect timeout.
pub(crate) async fn open(http: &Http) -> Result<(Url, Events), SendFailure> {
    let bound = http.options.connect_timeout;
    tokio::time::timeout(bound, open_unbounded(http)).await.unwrap_or_else(|_| {
        let at = shown_url(&http.url);
        Err(SendFailure::local(Error::transport(format!("the event stream of {at} did not begin in time"))))
    })
}

async fn open_unbounded(http: &Http) -> Result<(Url, Events), SendFailure> {
    let outgoing = Outgoing {
        method: Method::GET,
        url: http.url.clone(),
        headers: get_headers(),
        body: Bytes::new(),
        repeatable: true,
        operation: "GET".into(),
    };
    let response = http.exchange(outgoing).await?;
    let status = response.status();
    if status != StatusCode::OK {
        return Err(refusal(&response));
    }
    let fail = |message: &str| SendFailure { error: Error::protocol(message), status: Some(status.as_u16()) };
    if response::media(&response).map_err(SendFailure::local)? != Media::EventStream {
        return Err(unusable(&response, "no event stream"));
    }
    let mut events = Events::new(response, http.max_bytes());
    while let Some(item) = events.next().await {
        if let SseItem::Event { event, data, .. } = item
            && event == "endpoint"
        {
            let endpoint = endpoint(&http.url, &data).map_err(fail)?;
            return Ok((endpoint, events));
        }
    }
    Err(fail("the server's event stream ended before it named its endpoint"))
}

/// Resolves the endpoint. Another origin is refused: messages and credentials would go
/// where the program did not send them.
fn endpoint(base: &Url, data: &[u8]) -> Result<Url, &'static str> {
    let text = std::str::from_utf8(data).ok().map(str::trim).filter(|text| !text.is_empty());
    let mut url = text.and_then(|text| base.join(text).ok()).ok_or("the server's endpoint cannot be read")?;
    if url.origin() != base.origin() {
        return Err("the server's endpoint is on another origin, which is refused");
    }
    // Credentials in the server's URL hold for its endpoint; others are not taken over.
    let _ = url.set_username(base.username());
    let _ = url.set_password(base.password());
    url.set_fragment(None);
    Ok(url)
}

/// Hands over every message until the stream ends, and with it the connection.
pub(crate) async fn listen(shared: Arc<HttpConnection>, mut stream: Events) {
    while let Some(item) = stream.next().await {
        match item {
            SseItem::Event { event, data, .. } if event == "message" && !data.is_empty() => {
                shared.tell(|events| events.received(data, None));
            }
            SseItem::TooLarge { skimmed, .. } => shared.tell(|events| events.skipped(too_large(skimmed))),
            SseItem::Event { .. } | SseItem::Retry(_) => {}
        }
    }
    shared.tell(|events| events.closed(Error::transport("the server closed its event stream")));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(data: &str) -> Result<String, &'static str> {
        let base = Url::parse("https://host.example:8443/a/sse?x=1").map_err(|_| "base")?;
        endpoint(&base, data.as_bytes()).map(Url::into)
    }

    #[test]
    fn endpoint_is_resolved_against_the_stream() {
        assert_eq!(resolve("/messages?sid=1").as_deref(), Ok("https://host.example:8443/messages?sid=1"));
        assert_eq!(resolve("messages").as_deref(), Ok("https://host.example:8443/a/messages"));
        assert_eq!(resolve("https://host.example:8443/m").as_deref(), Ok("https://host.example:8443/m"));
        assert_eq!(resolve("https://u:p@host.example:8443/m").as_deref(), Ok("https://host.example:8443/m"));
    }

    #[test]
    fn endpoint_on_another_origin_is_refused() {
        for foreign in
            ["//evil.example/m", "https://host.example/m", "http://host.example:8443/m", "data:x", ""]
        {
            assert!(resolve(foreign).is_err(), "{foreign}");
        }
    }
}
