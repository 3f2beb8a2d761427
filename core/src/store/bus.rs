//! The primitive for messages between nodes: topics, without memory.
//!
//! Owns: the trait and its promises. Must not know: what a message means, or how it travels.

use bytes::Bytes;

use mcpbolt_proto::protocol::Error;

use super::future::{BoxFuture, BoxStream};

/// What a subscriber hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BusEvent {
    /// A published message.
    Message(Bytes),
    /// The subscriber was too slow, and this many messages are lost.
    Missed(u64),
}

/// Messages to all current listeners. In order per publisher and topic, at most once.
pub trait Bus: Send + Sync {
    /// Sends to all current subscribers of `topic`. Never waits for a slow one.
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), Error>>;

    /// What is published to `topic` from the moment this future is ready. Dropping
    /// the stream ends the subscription; the stream ends when the bus does.
    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<BoxStream<BusEvent>, Error>>;
}
