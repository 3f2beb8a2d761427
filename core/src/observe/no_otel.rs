//! What stands where the feature `opentelemetry` is off: nothing, at no cost.
//!
//! Owns: the same names as with the feature. Must not know: that there are
//! spans and durations.

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::meta::Meta;
use mcpbolt_proto::protocol::{Error, Method, Revision};
use mcpbolt_proto::session::{InboundRequest, OutgoingId};

#[derive(Debug)]
pub(crate) struct CallSpan;

#[derive(Debug)]
pub(crate) struct SessionSpan;

/// Nothing is current.
pub(crate) struct Attached;

#[allow(clippy::unused_self)] // as the real one
impl CallSpan {
    pub(crate) fn client(
        _: impl FnOnce() -> Option<&'static Method>,
        _: Option<&RawJson>,
        _: &Meta,
        _: impl FnOnce() -> Option<Revision>,
    ) -> Self {
        Self
    }

    pub(crate) fn server(_: &InboundRequest) -> Self {
        Self
    }

    pub(crate) fn sent_as(&self, _: OutgoingId) {}

    pub(crate) fn inject(&self, _: &Meta) -> Meta {
        Meta::new()
    }

    pub(crate) fn attach(&self) -> Attached {
        Attached
    }

    pub(crate) fn answered(&self, _: &RawJson) {}

    pub(crate) fn finish(&self, _: Option<&Error>) {}
}

#[allow(clippy::unused_self)] // as the real one
impl SessionSpan {
    pub(crate) fn client(_: Revision) -> Self {
        Self
    }

    pub(crate) fn server(_: Revision) -> Self {
        Self
    }

    pub(crate) fn ended_by(&mut self, _: &Error) {}
}
