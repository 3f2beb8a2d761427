//! Who on this node listens to which channel of the server.
//!
//! Owns: subscribing once for all who listen here, handing out what comes, and that a subscription
//! ends when its stream is dropped. Must not know: how a connection is made.

use std::collections::HashMap;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use redis::{Msg, PushInfo, RedisResult};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::super::bus::BusEvent;
use super::super::future::BoxStream;
use super::super::memory::MemoryBus;
use super::connection::Connection;

/// Most subscriptions of a node.
const SUBSCRIBERS: usize = 1 << 20;
/// How many messages wait for a slow one.
const WAITING: usize = 1 << 10;
/// How many channels are subscribed to with one command.
const TOGETHER: usize = 1_000;

/// What a subscriber wants done.
pub(super) enum Request {
    /// To listen from when this is answered.
    Join { topic: String, tell: oneshot::Sender<Subscription> },
    /// To listen no more.
    Leave { topic: String },
}

/// The subscriptions of a node.
pub(super) struct Topics {
    prefix: String,
    /// Topics, and how many listen.
    listening: HashMap<String, usize>,
    here: MemoryBus,
    /// Where those who leave say so.
    requests: UnboundedSender<Request>,
}

/// One who listens to a topic, and leaves it when this is dropped: also on the way to a subscriber
/// who is gone by then.
pub(super) struct Subscription {
    inner: BoxStream<BusEvent>,
    topic: String,
    requests: UnboundedSender<Request>,
}

impl Topics {
    pub(super) fn new(prefix: &str, requests: UnboundedSender<Request>) -> Self {
        let here = MemoryBus::new(SUBSCRIBERS, WAITING);
        Self { prefix: prefix.to_owned(), listening: HashMap::new(), here, requests }
    }

    /// All subscriptions on a new connection. What was published in between is lost.
    pub(super) async fn renew(&mut self, connection: &mut Connection) -> RedisResult<()> {
        let channels: Vec<String> = self.listening.keys().map(|topic| self.channel(topic)).collect();
        for channels in channels.chunks(TOGETHER) {
            connection.subscribe(channels).await?;
        }
        self.missed();
        Ok(())
    }

    /// Everybody may have missed something.
    pub(super) fn missed(&self) {
        self.here.miss();
    }

    /// A message of the server's.
    pub(super) fn hear(&self, push: PushInfo) {
        let Some(message) = Msg::from_push_info(push) else { return };
        let Some(topic) = message.get_channel_name().strip_prefix(&self.prefix) else { return };
        self.here.send(topic, &Bytes::copy_from_slice(message.get_payload_bytes()));
    }

    /// Does what a subscriber wants.
    pub(super) async fn take(&mut self, request: Request, connection: &mut Connection) -> RedisResult<()> {
        match request {
            Request::Join { topic, tell } => {
                if !self.listening.contains_key(&topic) {
                    connection.subscribe(&[self.channel(&topic)]).await?;
                }
                *self.listening.entry(topic.clone()).or_default() += 1;
                let Ok(inner) = self.here.listen(&topic) else {
                    return self.leave(&topic, connection).await;
                };
                // One that nobody takes is dropped, and leaves.
                let _ = tell.send(Subscription { inner, topic, requests: self.requests.clone() });
                Ok(())
            }
            Request::Leave { topic } => self.leave(&topic, connection).await,
        }
    }

    async fn leave(&mut self, topic: &str, connection: &mut Connection) -> RedisResult<()> {
        let Some(listening) = self.listening.get_mut(topic) else { return Ok(()) };
        *listening -= 1;
        if *listening > 0 {
            return Ok(());
        }
        self.listening.remove(topic);
        connection.unsubscribe(&self.channel(topic)).await
    }

    fn channel(&self, topic: &str) -> String {
        format!("{}{topic}", self.prefix)
    }
}

impl Stream for Subscription {
    type Item = BusEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<BusEvent>> {
        self.inner.as_mut().poll_next(context)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let _ = self.requests.send(Request::Leave { topic: std::mem::take(&mut self.topic) });
    }
}
