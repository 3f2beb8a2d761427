//! OpenTelemetry spans of calls, and their context in `_meta`.
//!
//! Owns: names and attributes of the spans, reading and writing W3C trace context.
//! Must not know: who exports. Spans go to the program's global tracer provider; without one
//! nothing is recorded and nothing is sent.

use std::str::FromStr;

use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, ContextGuard, KeyValue, global};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::meta::{self, Meta};
use mcpbolt_proto::protocol::{Error, Revision, methods};
use mcpbolt_proto::session::{InboundRequest, OutgoingId};

const SCOPE: &str = "mcpbolt";
const VERSION: &str = "00";

/// The span of one call. Ends when dropped.
#[derive(Debug)]
pub(crate) struct CallSpan(Context);

impl CallSpan {
    /// A call of ours. Its parent is the caller's trace context if there is one in the
    /// call's metadata, else the span that is current.
    pub(crate) fn client(
        method: &str,
        params: Option<&RawJson>,
        given: &Meta,
        revision: impl FnOnce() -> Option<Revision>,
    ) -> Self {
        let members = params.and_then(RawObject::parse).unwrap_or_default();
        let parent = parent(given).unwrap_or_else(Context::current);
        let span = Self::start(SpanKind::Client, method, &members, &parent);
        if let Some(revision) = revision() {
            span.speaks(revision);
        }
        span
    }

    /// A call of the peer's. Its parent is what the peer says.
    pub(crate) fn server(request: &InboundRequest) -> Self {
        let parent = parent(&Meta(request.meta.raw.clone())).unwrap_or_default();
        let span = Self::start(SpanKind::Server, &request.method, &request.members, &parent);
        span.speaks(request.revision);
        span.set_id(request.id.to_raw().as_str().trim_matches('"').to_owned());
        span
    }

    fn start(kind: SpanKind, method: &str, params: &RawObject, parent: &Context) -> Self {
        let known = methods::lookup(method).map_or("other", |row| row.name);
        let key = match known {
            methods::TOOLS_CALL => Some("gen_ai.tool.name"),
            methods::PROMPTS_GET => Some("gen_ai.prompt.name"),
            _ => None,
        };
        let target = key.and_then(|key| Some((key, params.get("name")?.as_string()?)));
        let name = target.as_ref().map_or_else(|| known.to_owned(), |(_, name)| format!("{known} {name}"));
        let mut attributes = vec![KeyValue::new("mcp.method.name", known)];
        attributes.extend(target.map(|(key, name)| KeyValue::new(key, name)));
        let tracer = global::tracer(SCOPE);
        let builder = tracer.span_builder(name).with_kind(kind).with_attributes(attributes);
        Self(parent.with_span(builder.start_with_context(&tracer, parent)))
    }

    /// Says which request of ours carries the call.
    pub(crate) fn sent_as(&self, request: OutgoingId) {
        self.set_id(request.0.to_string());
    }

    fn set_id(&self, id: String) {
        self.0.span().set_attribute(KeyValue::new("jsonrpc.request.id", id));
    }

    fn speaks(&self, revision: Revision) {
        self.0.span().set_attribute(KeyValue::new("mcp.protocol.version", revision.as_str()));
    }

    /// The members of `_meta` that carry this span to the peer; none where nothing is
    /// recorded, or where the caller gave its own.
    pub(crate) fn inject(&self, given: &Meta) -> Meta {
        let span = self.0.span();
        let context = span.span_context();
        if !context.is_valid() || given.0.contains(meta::TRACEPARENT) {
            return Meta::new();
        }
        let (trace, id, flags) = (context.trace_id(), context.span_id(), context.trace_flags().to_u8());
        let made = Meta::new().with(meta::TRACEPARENT, &format!("{VERSION}-{trace}-{id}-{flags:02x}"));
        match context.trace_state().header() {
            state if state.is_empty() => made,
            state => made.with(meta::TRACESTATE, &state),
        }
    }

    /// Makes the span current on this thread, so that the program's own spans are below it.
    pub(crate) fn attach(&self) -> ContextGuard {
        self.0.clone().attach()
    }

    /// Says how the call ended.
    pub(crate) fn finish(&self, error: Option<&Error>) {
        let span = self.0.span();
        if let Some(error) = error {
            span.set_attribute(KeyValue::new("error.type", format!("{:?}", error.kind)));
            span.set_attribute(KeyValue::new("rpc.response.status_code", error.code.0));
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

impl Drop for CallSpan {
    fn drop(&mut self) {
        self.0.span().end();
    }
}

/// What the metadata says about the caller's span. What is malformed says nothing.
fn parent(meta: &Meta) -> Option<Context> {
    let text: String = meta.get(meta::TRACEPARENT)?;
    let mut parts = text.split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let hex = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    // A later version may have more parts; the first four stay.
    let known = hex(version, 2) && version != "ff" && (version != VERSION || parts.next().is_none());
    if !known || !hex(trace, 32) || !hex(span, 16) || !hex(flags, 2) {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let state: Option<String> = meta.get(meta::TRACESTATE);
    let state = state.and_then(|text| TraceState::from_str(&text).ok()).unwrap_or_default();
    let context =
        SpanContext::new(TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?, flags, true, state);
    context.is_valid().then(|| Context::new().with_remote_span_context(context))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_trace_context_is_believed() {
        let meta = |text: &str| Meta::new().with(meta::TRACEPARENT, text);
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let context = parent(&meta(good)).expect("well formed");
        assert!(context.span().span_context().is_sampled() && context.span().span_context().is_remote());
        assert!(parent(&meta("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more")).is_some());
        for bad in [
            "",
            "00",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
        ] {
            assert!(parent(&meta(bad)).is_none(), "{bad}");
        }
        assert!(parent(&Meta::new()).is_none());
    }
}
