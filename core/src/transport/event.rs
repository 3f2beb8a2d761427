//! What follows from a change of a server's session, once nothing is locked.
//!
//! Owns: the kinds of what is left to do. Must not know: who does it.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::{CancelReason, Output};

use crate::handler::{Call, ProgressFn, ReplyFn, Wake};

/// What has to happen after the lock is released.
pub(super) enum Event {
    Output(Output),
    Reply(ReplyFn, Result<RawJson, Error>),
    Progress(ProgressFn, RawJson),
    Cancel(Arc<Call>, CancelReason),
    Idle(Wake),
}
