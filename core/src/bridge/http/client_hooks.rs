//! Hooks of the HTTP client that the host writes: the services `client.headers`,
//! `client.authorize`, `client.challenged` and `client.pause`.
//!
//! Owns: what they are given, how their answers are read. Must not know: credentials.

use std::sync::{Arc, Weak};
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};
use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::http_head::{header_pairs, header_text};
use crate::bridge::queue::inbox::Inbox;
use crate::handler::{BoxFuture, RequestHead, Spawner};
use crate::transport::streamable_http::client::{Authorizer, RefusedRequest, Verdict};

/// The hooks of one connection: which inbox is asked.
#[derive(Clone)]
pub(crate) struct ClientHooks {
    pub(crate) inbox: Weak<Inbox>,
    pub(crate) connection: u64,
    /// The credentials that the server took last: they were good before it refused them.
    taken: Arc<Mutex<Option<HeaderValue>>>,
}

/// Headers from names and values, all of them marked as secret.
pub(crate) fn secret_headers<'a>(
    pairs: impl IntoIterator<Item = &'a (String, String)>,
) -> Result<HeaderMap, Error> {
    let mut map = HeaderMap::new();
    for (name, value) in pairs {
        let wrong = || Error::usage(format!("header {name:?} has a name or value that HTTP does not allow"));
        let key = HeaderName::try_from(name).map_err(|_| wrong())?;
        let mut value = HeaderValue::try_from(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        map.append(key, value);
    }
    Ok(map)
}

impl ClientHooks {
    /// Hooks of a connection that is asked about in an inbox.
    pub(crate) fn new(inbox: Weak<Inbox>, connection: u64) -> Self {
        Self { inbox, connection, taken: Arc::default() }
    }

    fn ask(
        &self,
        service: &str,
        head: &RequestHead,
        more: serde_json::Value,
    ) -> BoxFuture<'static, Result<RawJson, Error>> {
        let Some(inbox) = self.inbox.upgrade() else {
            return Box::pin(std::future::ready(Err(Error::closed())));
        };
        let mut payload = json!({
            "connection": self.connection,
            "method": head.method.as_str(),
            "url": head.uri.to_string(),
            "headers": header_pairs(&head.headers),
        });
        if let (Some(members), serde_json::Value::Object(more)) = (payload.as_object_mut(), more) {
            members.extend(more);
        }
        let (sender, receiver) = oneshot::channel();
        // The thread that runs the requests hands over the answers, one after the other. From
        // the host's thread an answer could reach a request that has only just asked, before
        // those that were answered earlier wake up, and let it overtake them.
        let reply = move |answer| Spawner::default().spawn(async move { drop(sender.send(answer)) });
        inbox.ask_host_then(service, payload.into(), Box::new(reply));
        Box::pin(async move { receiver.await.unwrap_or_else(|_| Err(Error::closed())) })
    }

    /// Headers that the host adds to a request.
    pub(crate) fn headers(&self, head: &RequestHead) -> BoxFuture<'static, Result<HeaderMap, Error>> {
        let answer = self.ask("client.headers", head, json!({}));
        Box::pin(async move {
            let pairs: Vec<(String, String)> =
                answer.await?.decode().map_err(|e| Error::usage(format!("client.headers: {e}")))?;
            secret_headers(&pairs)
        })
    }

    /// Has the host wait. What it cannot do is done here.
    pub(crate) fn pause(&self, time: Duration) -> BoxFuture<'static, ()> {
        let payload = json!({"connection": self.connection, "seconds": time.as_secs_f64()});
        let asked = self.inbox.upgrade().map(|inbox| inbox.ask_host("client.pause", payload.into()));
        Box::pin(async move {
            let waited = match asked {
                Some(answer) => answer.await.is_ok(),
                None => false,
            };
            if !waited {
                tokio::time::sleep(time).await;
            }
        })
    }
}

impl Authorizer for ClientHooks {
    fn authorize<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
        let answer = self.ask("client.authorize", head, json!({}));
        Box::pin(async move {
            let answer = answer.await?;
            if answer.is_null() {
                return Ok(None);
            }
            let wrong = || Error::usage("client.authorize must answer null or the value of a header");
            let mut value =
                HeaderValue::try_from(answer.as_string().ok_or_else(wrong)?).map_err(|_| wrong())?;
            value.set_sensitive(true);
            Ok(Some(value))
        })
    }

    fn challenged<'a>(&'a self, refused: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>> {
        let challenges: Vec<_> = refused.challenges.iter().map(header_text).collect();
        let sent = refused.head.headers.get(AUTHORIZATION);
        let was_good = sent.is_some() && *self.taken.lock() == sent.cloned();
        let more = json!({"status": refused.status.as_u16(), "challenges": challenges, "was_good": was_good});
        let answer = self.ask("client.challenged", refused.head, more);
        Box::pin(async move {
            let answer = answer.await?;
            let again = RawObject::parse(&answer).and_then(|members| members.get("retry")?.decode().ok());
            Ok(if again == Some(true) { Verdict::Retry } else { Verdict::GiveUp })
        })
    }

    fn accepted(&self, head: &RequestHead, _: &str) {
        let sent = head.headers.get(AUTHORIZATION);
        let mut taken = self.taken.lock();
        if taken.as_ref() != sent {
            *taken = sent.cloned();
        }
    }
}
