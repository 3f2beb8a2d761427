//! Who on this node listens to which channel of the server.
//!
//! Owns: subscribing once for all who listen here, handing out what comes, and that a subscription
//! ends when its stream is dropped. Must not know: how a connection is made.

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use redis::{Msg, PushInfo, PushKind, RedisResult, Value};
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
    /// Channels that were subscribed to, of which the server's word has not come by yet.
    asked: HashSet<String>,
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
        let (listening, asked) = (HashMap::new(), HashSet::new());
        Self { prefix: prefix.to_owned(), listening, asked, here, requests }
    }

    /// All subscriptions on a new connection. What was published in between is lost.
    pub(super) async fn renew(&mut self, connection: &mut Connection) -> RedisResult<()> {
        let channels: Vec<String> = self.listening.keys().map(|topic| self.channel(topic)).collect();
        self.asked = channels.iter().cloned().collect();
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

    /// A message of the server's, or its word that a channel is subscribed to.
    pub(super) fn hear(&mut self, push: PushInfo) {
        if push.kind == PushKind::Subscribe {
            return self.subscribed(&push);
        }
        let Some(message) = Msg::from_push_info(push) else { return };
        let Some(topic) = message.get_channel_name().strip_prefix(&self.prefix) else { return };
        self.here.send(topic, &Bytes::copy_from_slice(message.get_payload_bytes()));
    }

    /// Where we did not ask, it was the connection, which finds the nodes of a cluster again and
    /// subscribes anew: what was published until now may be lost.
    fn subscribed(&mut self, push: &PushInfo) {
        let Some(Value::BulkString(channel)) = push.data.first() else { return };
        let Ok(channel) = std::str::from_utf8(channel) else { return };
        if let (false, Some(topic)) = (self.asked.remove(channel), channel.strip_prefix(&self.prefix)) {
            self.here.miss_on(topic);
        }
    }

    /// Does what a subscriber wants.
    pub(super) async fn take(&mut self, request: Request, connection: &mut Connection) -> RedisResult<()> {
        match request {
            Request::Join { topic, tell } => {
                if !self.listening.contains_key(&topic) {
                    self.subscribe(&topic, connection).await?;
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

    async fn subscribe(&mut self, topic: &str, connection: &mut Connection) -> RedisResult<()> {
        let channel = self.channel(topic);
        self.asked.insert(channel.clone());
        let channels = [channel];
        let done = connection.subscribe(&channels).await;
        if done.is_err() {
            self.asked.remove(&channels[0]);
        }
        done
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

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, StreamExt as _};
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;

    #[test]
    fn a_subscription_that_the_connection_renews_has_a_gap() {
        let mut topics = Topics::new("p:", unbounded_channel().0);
        let (mut here, mut other) = (topics.here.listen("t").unwrap(), topics.here.listen("u").unwrap());
        let word = || PushInfo {
            kind: PushKind::Subscribe,
            data: vec![Value::BulkString(b"p:t".to_vec()), Value::Int(1)],
        };
        topics.asked.insert("p:t".to_owned());
        topics.hear(word());
        assert_eq!(here.next().now_or_never(), None, "this one was asked for");
        topics.hear(word());
        assert_eq!(here.next().now_or_never(), Some(Some(BusEvent::Missed(1))));
        assert_eq!(other.next().now_or_never(), None);
    }
}
