//! Where the ladder is entered: from HTTP, and from a byte channel.
//!
//! Owns: what a missing header means to each. Must not know: the rungs.

use crate::jsonrpc::Incoming;
use crate::policy::norm::Norm;
use crate::protocol::Revision;
use crate::protocol::methods::{self, Rows};

use super::ladder::Ladder;
use super::route::{Headers, HttpInput, LegacyOperation, Rejection, Route};

/// Classifies one HTTP message. `enabled`: the revisions the server speaks.
pub fn classify_http<'a>(input: HttpInput<'_>, headers: &Headers<'a>, enabled: &[Revision]) -> Route<'a> {
    classify_http_by(Norm::OWN, &methods::lookup, input, headers, enabled)
}

/// As [`classify_http`], with the refusals of a norm, and with rows of extensions beside the
/// protocol's.
pub fn classify_http_by<'a>(
    norm: &'static Norm,
    rows: Rows<'_>,
    input: HttpInput<'_>,
    headers: &Headers<'a>,
    enabled: &[Revision],
) -> Route<'a> {
    let ladder = Ladder { headers: Some(headers), enabled, norm, rows };
    let route = match input {
        HttpInput::Get => ladder.session_operation(LegacyOperation::Stream),
        HttpInput::Delete => ladder.session_operation(LegacyOperation::Delete),
        HttpInput::Other => Err(Rejection::method_not_allowed()),
        HttpInput::Post(Err(fault)) => Err(Rejection::new(fault.id.as_ref(), fault.error.clone())),
        HttpInput::Post(Ok(body)) => ladder.frame(body),
    };
    route.unwrap_or_else(Route::Reject)
}

/// Classifies one message of a byte channel, which has no headers. A rejected
/// response or notification gets no answer there.
pub fn classify_frame(frame: &Incoming, enabled: &[Revision]) -> Route<'static> {
    let ladder = Ladder { headers: None, enabled, norm: Norm::OWN, rows: &methods::lookup };
    ladder.frame(frame).unwrap_or_else(Route::Reject)
}
