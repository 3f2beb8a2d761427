//! Spans, and their context in `_meta`.
//!
//! Owns: parents and ends of spans, reading and writing W3C trace context. Must not know: what
//! a call is about.

use std::str::FromStr;

use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, ContextGuard, KeyValue, Value, global};

use mcpbolt_proto::protocol::meta::{self, Meta};

use super::{SCOPE, key_values};
use crate::observe::conventions::{Failure, Subject};

const VERSION: &str = "00";

/// The span of one call.
pub(super) struct Span(Context);

impl Span {
    pub(super) fn client(subject: &Subject, given: &Meta) -> Self {
        Self::start(SpanKind::Client, subject, &parent(given).unwrap_or_else(Context::current))
    }

    pub(super) fn server(subject: &Subject, given: &Meta) -> Self {
        Self::start(SpanKind::Server, subject, &parent(given).unwrap_or_default())
    }

    fn start(kind: SpanKind, subject: &Subject, parent: &Context) -> Self {
        let tracer = global::tracer(SCOPE);
        let attributes = key_values(subject.attributes());
        let builder = tracer.span_builder(subject.name()).with_kind(kind).with_attributes(attributes);
        Self(parent.with_span(builder.start_with_context(&tracer, parent)))
    }

    pub(super) fn set(&self, name: &'static str, value: impl Into<Value>) {
        self.0.span().set_attribute(KeyValue::new(name, value));
    }

    pub(super) fn inject(&self, given: &Meta) -> Meta {
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

    pub(super) fn attach(&self) -> ContextGuard {
        self.0.clone().attach()
    }

    pub(super) fn end(&self, failure: Option<&Failure>) {
        let span = self.0.span();
        if let Some(failure) = failure {
            span.set_attributes(key_values(failure.attributes()));
            // The message may hold what no observer is to see.
            span.set_status(Status::error(""));
        }
        span.end();
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
