//! One GET that reads a stream from the shared log, wherever its events are made.
//!
//! Owns: from where is read, and when there is no more. Must not know: who writes the log.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use mcpbolt_proto::http::sse;
use mcpbolt_proto::protocol::Error;

use crate::handler::lease::{GONE, RENEW};

use super::super::lost_node;
use super::asked_id::AskedId;
use super::journal::{Event, LOST, LogPosition, StreamKey};
use super::node_messages::NodeMessage;
use super::nodes::Nodes;
use super::pipe::Pipe;
use super::resident::is_of;
use super::session::Streams;

/// Reads on until the stream or its reader ends.
pub(super) struct Follower {
    pub(super) nodes: Arc<Nodes>,
    /// Of the session.
    pub(super) key: String,
    /// Of this node's share of it.
    pub(super) name: Arc<str>,
    pub(super) pipe: Arc<Pipe>,
    pub(super) stream: StreamKey,
    /// The entry of the log that was read last.
    pub(super) entry: Option<String>,
    /// More was read than the stores know.
    pub(super) moved: bool,
    /// The event of a POST that was read last.
    pub(super) number: u64,
    /// On the session's own stream, the event of each node that was read last.
    pub(super) numbers: HashMap<Arc<str>, u64>,
    /// The request that the stream answers, if that is known.
    pub(super) asked: Option<AskedId>,
    /// Changes when the log may have more.
    pub(super) more: watch::Receiver<u64>,
    /// Of the session, on this node.
    pub(super) streams: Arc<Streams>,
}

/// How a stream ended, as the log has it.
enum End {
    Whole,
    /// What it ended with was pushed out of the log.
    Lost,
}

/// Ends a follower with its GET.
pub(super) struct Following(JoinHandle<()>);

impl Drop for Following {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Follower {
    pub(super) fn start(self) -> Following {
        Following(tokio::spawn(self.run()))
    }

    async fn run(mut self) {
        // Who comes back to a stream of a node that was found gone need not wait for that again.
        let known = self.nodes.noted_orphan(&self.stream) && self.nodes.is_orphan(&self.stream).await;
        let mut gone = if known { GONE } else { 0 };
        let mut look = tokio::time::interval(RENEW);
        look.tick().await;
        let mut number = self.number;
        loop {
            self.more.borrow_and_update();
            // Asked first: what the log has from here on is all there is.
            let over = self.streams.is_over(&self.stream) || gone >= GONE;
            match self.read().await {
                Ok(None) if !over => {}
                Ok(Some(End::Whole)) => break,
                Ok(None | Some(End::Lost)) => {
                    self.answer_lost();
                    break;
                }
                Err(error) => {
                    tracing::warn!(target: "mcpbolt::session", kind = ?error.kind, "a stream cannot be read");
                    break;
                }
            }
            if self.pipe.is_finished() {
                break;
            }
            tokio::select! {
                more = self.more.changed() => if more.is_err() { break },
                _ = look.tick() => {
                    gone = if self.nodes.is_orphan(&self.stream).await { gone + 1 } else { 0 };
                    if gone >= GONE {
                        self.nodes.note_orphan(&self.stream);
                    }
                    if std::mem::replace(&mut number, self.number) == self.number {
                        self.ask_again().await;
                    }
                }
            }
        }
        self.pipe.end();
    }

    /// Has the node that makes the stream say so if it is over. Its end was pushed out of the log, or
    /// the node did not hear that the stream is read here: the bus may lose what is said.
    async fn ask_again(&self) {
        if let StreamKey::Post { name, stream } = self.stream.clone()
            && *name != *self.name
        {
            let told = NodeMessage::Resumed { name, stream, again: true };
            self.nodes.tell(&self.key, &self.name, told).await;
        }
    }

    /// Nobody will make the answer any more, or has it.
    fn answer_lost(&self) {
        if let Some(asked) = &self.asked {
            let text = lost_node::answer(asked.id());
            self.pipe.write(|out| sse::message(out, None, &text));
        }
    }

    /// Writes all that the log has; how the stream ended, if it did.
    async fn read(&mut self) -> Result<Option<End>, Error> {
        loop {
            let (entries, more) = self.nodes.read(&self.key, self.entry.as_deref()).await?;
            self.moved |= !entries.is_empty();
            for entry in entries {
                let id = entry.id;
                let event = Event::decode(&entry.value);
                self.entry = Some(id.clone());
                let Some(event) = event.filter(|event| is_of(event, &self.stream, self.number)) else {
                    continue;
                };
                if self.was_read(&event) {
                    continue;
                }
                self.write(&event, id).await;
                if event.last {
                    return Ok(Some(if event.number == LOST { End::Lost } else { End::Whole }));
                }
            }
            if self.moved
                && self.stream == StreamKey::Own
                && let Some(entry) = &self.entry
            {
                // Else it is tried again with the next look.
                self.moved = self.nodes.set_cursor(&self.key, entry).await.is_err();
            }
            if !more {
                return Ok(None);
            }
        }
    }

    /// Whether an event of the session's own stream was read before: its node, which was not told
    /// that the log had taken it, wrote it again.
    fn was_read(&mut self, event: &Event) -> bool {
        let Some(maker) = &event.maker else { return false };
        let last = self.numbers.entry(maker.clone()).or_default();
        if event.number <= *last {
            return true;
        }
        *last = event.number;
        false
    }

    async fn write(&mut self, event: &Event, entry: String) {
        if event.text.is_empty() || (self.stream != StreamKey::Own && event.number <= self.number) {
            return;
        }
        let place = match &event.stream {
            StreamKey::Own => LogPosition::Own(Some(entry)),
            post @ StreamKey::Post { .. } => {
                LogPosition::Post { stream: post.clone(), number: event.number, asked: self.asked.clone() }
            }
        };
        self.number = event.number;
        self.pipe.write(|out| sse::message(out, Some(&place.to_string()), &event.text));
        let (room, wait) = oneshot::channel();
        self.pipe.on_writable(Box::new(move || {
            let _ = room.send(());
        }));
        let _ = wait.await;
    }
}
