//! Connections of a client whose bytes the host carries: memory streams, custom transports.
//!
//! Owns: both directions of one. Must not know: what is said, when a connection begins.

use std::sync::{Arc, Weak};

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::OutgoingId;

use crate::handler::BoxFuture;
use crate::transport::client::{ClientEvents, ClientTransport, FrameKind, OutgoingFrame, RequestFrame};
use crate::transport::duplex_client::too_long;
use crate::transport::lines::{LineEvent, LineSplitter};

use super::framing::Framing;
use super::outbox::Outbox;

/// Both directions of such a connection.
pub(crate) struct FedClient {
    outbox: Arc<Outbox>,
    lines: Option<Mutex<LineSplitter>>,
    /// Whether headers of a request come with it, in a line of their own.
    headers: bool,
    events: Weak<dyn ClientEvents>,
}

impl FedClient {
    pub(crate) fn new(
        outbox: Arc<Outbox>,
        framing: Framing,
        max_line_bytes: usize,
        headers: bool,
        events: Weak<dyn ClientEvents>,
    ) -> Self {
        let lines = (framing == Framing::Lines).then(|| Mutex::new(LineSplitter::new(max_line_bytes)));
        Self { outbox, lines, headers, events }
    }

    /// The frame as the host gets it.
    fn written(&self, frame: OutgoingFrame) -> ByteString {
        let FrameKind::Request(RequestFrame { headers, .. }) = frame.kind else { return frame.text };
        if !self.headers || headers.is_empty() {
            return frame.text;
        }
        let mut shown = serde_json::Map::new();
        for (name, value) in headers {
            // The last one counts, however the names are written.
            shown.retain(|known, _| !known.eq_ignore_ascii_case(&name));
            shown.insert(name, value.into());
        }
        format!("{}\n{}", serde_json::Value::Object(shown), frame.text).into()
    }

    /// Takes bytes of the server; returns what is to be sent at once.
    pub(crate) fn feed(&self, bytes: Bytes) -> Vec<ByteString> {
        let Some(events) = self.events.upgrade() else { return Vec::new() };
        self.outbox.feeding(|| {
            let Some(lines) = &self.lines else { return events.received(bytes, None) };
            let mut found = Vec::new();
            lines.lock().push(&bytes, |event| found.push(event));
            for event in found {
                match event {
                    LineEvent::Line(line) => events.received(line, None),
                    LineEvent::TooLong { bytes, skimmed } => events.skipped(too_long(bytes, *skimmed)),
                }
            }
        })
    }

    pub(crate) fn take(&self) -> Vec<ByteString> {
        self.outbox.take()
    }

    /// The host's transport is at its end.
    pub(crate) fn lost(&self, reason: Error) {
        if let Some(events) = self.events.upgrade() {
            events.closed(reason);
        }
    }
}

/// A fed connection as the transport that the client's connection owns.
pub(crate) struct FedClientTransport(pub(crate) Arc<FedClient>);

impl ClientTransport for FedClientTransport {
    fn send(&self, frame: OutgoingFrame) {
        self.0.outbox.push(std::iter::once(self.0.written(frame)));
    }

    fn abandon(&self, _: OutgoingId) -> bool {
        false
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}
