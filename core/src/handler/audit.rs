//! What the audit is told: one record per request, of calls and of what needed none.
//!
//! Owns: how a record is filled. Must not know: where records go; the queue and the sinks
//! are `observe::audit`'s.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::meta::RequestMeta;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, ErrorKind, Method, methods};
use mcpbolt_proto::session::{Answer, InboundRequest, Settled};

use crate::observe::{AuditOutcome, AuditRecord};

use super::sealed_state::digest;
use super::{Call, Engine, Link, Scope};

/// Longest name of a method, a tool or a resource in a record, in bytes: clients choose
/// them, and thousands of records may wait.
const MAX_NAME: usize = 1024;

/// What a record says of the request itself.
struct Asked<'a> {
    method: &'a str,
    spec: Option<&'static Method>,
    members: &'a RawObject,
    params: Option<&'a RawJson>,
}

impl<'a> Asked<'a> {
    fn of(request: &'a InboundRequest) -> Self {
        Self {
            method: &request.method,
            spec: request.spec,
            members: &request.members,
            params: request.params.as_ref(),
        }
    }

    fn record(
        &self,
        link: &dyn Link,
        scope: &Scope,
        client: Option<Implementation>,
        duration: Duration,
        (outcome, bytes): (AuditOutcome, usize),
    ) -> AuditRecord {
        let named = self.spec.and_then(|spec| spec.name_source.param());
        let name = named.and_then(|param| self.members.get(param)?.as_string());
        let arguments = self.members.get("arguments").or(self.params);
        let client = client.map(|info| format!("{} {}", info.name, info.version));
        AuditRecord {
            time: SystemTime::now().checked_sub(duration).unwrap_or(SystemTime::UNIX_EPOCH),
            session: link.info().id.0,
            principal: scope.principal.id().map(str::to_owned),
            client: client.map(clipped),
            method: clipped(self.method.to_owned()),
            name: name.map(clipped),
            arguments: arguments.map(|raw| digest(Some(raw))),
            outcome,
            duration,
            bytes,
        }
    }
}

impl Engine {
    /// A request was settled by its session, without a call.
    pub(crate) fn audit_settled(&self, link: &dyn Link, scope: &Scope, settled: &Settled) {
        let Some(audit) = &self.audit else { return };
        let members = settled.params.as_ref().and_then(RawObject::parse).unwrap_or_default();
        let asked = Asked {
            method: &settled.method,
            spec: methods::lookup(&settled.method),
            members: &members,
            params: settled.params.as_ref(),
        };
        let meta = RequestMeta::from_meta(members.get("_meta")).ok();
        let client = meta.and_then(|meta| meta.client_info()).or_else(|| link.client().1);
        let end = settled.error.as_ref().map_or((AuditOutcome::Result, 2), failed);
        audit.record(asked.record(link, scope, client, Duration::ZERO, end));
    }

    /// A request led to no call.
    pub(super) fn audit_refused(
        &self,
        link: &dyn Link,
        scope: &Scope,
        request: &InboundRequest,
        error: &Error,
    ) {
        let Some(audit) = &self.audit else { return };
        let client = request.meta.client_info().or_else(|| link.client().1);
        audit.record(Asked::of(request).record(link, scope, client, Duration::ZERO, failed(error)));
    }
}

impl Call {
    /// Tells the audit, if there is one, how the present exchange ended.
    pub(super) fn audit(&self, answer: &Answer) {
        let Some(audit) = &self.engine.audit else { return };
        self.audited.store(true, Ordering::Relaxed);
        let end = match answer {
            Answer::Result { value, .. } | Answer::Shaped(value) => {
                let is_tool = self.method() == methods::TOOLS_CALL;
                let outcome = if is_tool { AuditOutcome::of_tool(value) } else { AuditOutcome::Result };
                (outcome, value.as_bytes().len())
            }
            Answer::Error { error, .. } if error.kind == ErrorKind::Cancelled => (AuditOutcome::Cancelled, 0),
            Answer::Error { error, .. } => failed(error),
            Answer::InputRequired { requests, state } => {
                let asked = |params: &Option<RawJson>| params.as_ref().map_or(0, |raw| raw.as_bytes().len());
                let bytes: usize = requests.iter().map(|(_, _, params)| asked(params)).sum();
                (AuditOutcome::InputRequired, bytes + state.as_ref().map_or(0, String::len))
            }
        };
        audit.record(self.audit_record(self.client_info(), end));
    }

    /// The last that knew of the call let go: one without an answer was not wanted.
    pub(super) fn audit_unanswered(&self) {
        if let Some(audit) = &self.engine.audit
            && !self.audited.load(Ordering::Relaxed)
        {
            // The last holder may have the connection locked, so the connection is not asked.
            audit.record(self.audit_record(self.meta().client_info(), (AuditOutcome::Cancelled, 0)));
        }
    }

    fn audit_record(&self, client: Option<Implementation>, end: (AuditOutcome, usize)) -> AuditRecord {
        let duration = self.engine.now().saturating_sub(self.started());
        Asked::of(&self.request).record(&*self.link(), &self.scope(), client, duration, end)
    }
}

/// How a request ended with an error, and the size of that.
fn failed(error: &Error) -> (AuditOutcome, usize) {
    let data = error.data.as_ref().map_or(0, |data| data.as_bytes().len());
    (AuditOutcome::Error(error.kind), error.message.len() + data)
}

/// The beginning of what is too long for a record.
fn clipped(mut name: String) -> String {
    if name.len() > MAX_NAME {
        name.truncate(name.floor_char_boundary(MAX_NAME));
        name.push('…');
    }
    name
}
