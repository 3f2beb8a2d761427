//! Where the messages of a connection go.
//!
//! Owns: the steps on the wire, and what a transport has to do with them. Must not know: who
//! sends, or why.

use mcpbolt_proto::session::{Outbound, OutboundKind, StreamId};

use crate::handler::Wake;

/// One step on the wire, in order.
#[derive(Debug)]
pub enum Wire {
    /// Send a message.
    Message(Outbound),
    /// An exchange of this stream ended without an answer.
    Ended(StreamId),
    /// Close the stream for now; the client comes back for the answer (legacy HTTP).
    Detach(StreamId),
}

/// Where a connection's messages go. Called under the connection's lock: must neither
/// block nor call the connection.
pub trait Sink: Send + Sync {
    /// Takes all steps, in order.
    fn send(&self, steps: &mut Vec<Wire>);

    /// Whether notifications of a stream should wait.
    fn is_full(&self, stream: StreamId) -> bool {
        let _ = stream;
        false
    }

    /// Calls `wake` once when there is room on a stream again.
    fn on_writable(&self, stream: StreamId, wake: Wake) {
        let _ = stream;
        wake();
    }

    /// The connection ends: send what is queued and close.
    fn close(&self);
}

/// Whether a message is an answer, for sinks.
pub fn is_response(outbound: &Outbound) -> bool {
    matches!(outbound.kind, OutboundKind::Response { .. })
}
