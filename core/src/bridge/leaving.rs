//! What leaves a host's server: options about it, and the services that see it.
//!
//! Owns: `error_detail`, `check_media`, `max_result_bytes`, `sanitize_result`, `audit` by
//! name, and how the host's own sanitizer and sink are asked. Must not know: what the
//! engine does with them.

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::{Map, Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::detail::ErrorDetail;
use mcpbolt_proto::policy::media;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Answer;

use crate::handler::{Call, EngineOptions, Outlet};
use crate::observe::{AUDIT_QUEUE, Audit, AuditRecord, AuditSink, JsonLines};

use super::inbox::Inbox;
use super::service::about_result;

/// Asked for what a record is to be done with: payload is the record, the answer is not
/// looked at.
const AUDIT: &str = "audit.record";
/// Asked for a result as it may leave: payload `{method, name, result}`.
const SANITIZE: &str = "result.sanitize";
/// Longest wait for the host's sink.
const SINK_PATIENCE: Duration = Duration::from_secs(30);

/// What the official packages do: words leave, and nothing is checked.
pub(super) fn outlet() -> Outlet {
    Outlet { error_detail: ErrorDetail::Message, check_media: false, ..Outlet::default() }
}

/// Sets an option of this module; `None` if it is none.
pub(super) fn set(engine: &mut EngineOptions, name: &str, value: &Value) -> Option<Result<(), Error>> {
    let outlet = &mut engine.outlet;
    let set = match name {
        "error_detail" => {
            value.as_str().and_then(ErrorDetail::named).map(|detail| outlet.error_detail = detail)
        }
        "check_media" => value.as_bool().map(|on| outlet.check_media = on),
        "sanitize_result" => value.as_bool().map(|on| outlet.host_sanitizes = on),
        "max_result_bytes" if value.is_null() => {
            outlet.max_result_bytes = None;
            Some(())
        }
        "max_result_bytes" => value.as_u64().map(|most| outlet.max_result_bytes = Some(most)),
        _ => return None,
    };
    Some(set.ok_or_else(|| Error::usage(format!("option {name} has a wrong value"))))
}

/// Where audit records go.
#[derive(Debug, Clone)]
pub enum AuditText {
    /// To a file, as JSON lines.
    File(Audit),
    /// To the host's `audit.record`, with a queue of so many.
    Host(usize),
}

/// Reads `{"path": "audit.jsonl", "queue": 10000}` or `{"service": true, "queue": …}`.
pub(super) fn audit(members: &Map<String, Value>) -> Result<AuditText, Error> {
    let (mut path, mut queue, mut service) = (None, AUDIT_QUEUE, false);
    for (name, value) in members {
        let wrong = || Error::usage(format!("option audit.{name} has a wrong value"));
        match name.as_str() {
            "path" => path = Some(value.as_str().ok_or_else(wrong)?),
            "queue" => {
                let count = value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
                queue = count.ok_or_else(wrong)?;
            }
            "service" => service = value.as_bool().ok_or_else(wrong)?,
            _ => return Err(Error::usage(format!("there is no option audit.{name}"))),
        }
    }
    match (path, service) {
        (None, true) => Ok(AuditText::Host(queue)),
        (Some(path), false) => {
            let sink = JsonLines::append_to(path)
                .map_err(|e| Error::usage(format!("option audit.path cannot be written: {}", e.kind())))?;
            Ok(AuditText::File(Audit::with_queue(sink, queue)))
        }
        _ => Err(Error::usage("option audit needs either a path or service: true")),
    }
}

/// The audit of a server whose first inbox is this one.
pub(super) fn open_audit(audit: AuditText, inbox: &Arc<Inbox>) -> Audit {
    match audit {
        AuditText::File(audit) => audit,
        AuditText::Host(queue) => Audit::with_queue(HostSink(Arc::downgrade(inbox)), queue),
    }
}

/// The host's sink. It is given one record at a time; what it is too slow for is lost
/// and counted like anywhere.
struct HostSink(Weak<Inbox>);

impl HostSink {
    fn tell(&self, payload: Value) {
        let Some(inbox) = self.0.upgrade() else { return };
        let (done, wait) = sync_channel(1);
        inbox.ask_host_then(AUDIT, payload.into(), Box::new(move |_| done.send(()).unwrap_or_default()));
        drop(inbox);
        let _ = wait.recv_timeout(SINK_PATIENCE);
    }
}

impl AuditSink for HostSink {
    fn record(&mut self, record: &AuditRecord) {
        self.tell(record.to_json());
    }

    fn lost(&mut self, records: u64) {
        self.tell(json!({ "lost": records }));
    }
}

impl Inbox {
    /// Ends a call of the host's, after its sanitizer if it has one.
    pub(super) fn finish_call(&self, call: &Arc<Call>, answer: Answer) -> bool {
        let sanitizes = call.host_sanitizes() && media::has_content(call.method());
        let (Answer::Result { value, cache }, true) = (&answer, sanitizes) else {
            return call.finish(answer);
        };
        let cache = *cache;
        let payload = about_result(call.method(), call.name().as_deref(), value);
        let call = Arc::clone(call);
        let reply = move |cleaned: Result<RawJson, Error>| {
            let answer = match cleaned {
                Ok(value) if value.is_object() => Answer::Result { value, cache },
                // What was not seen does not leave.
                _ => Answer::error(Error::internal("the result could not be sanitized")),
            };
            call.finish(answer);
        };
        self.ask_host_then(SANITIZE, payload, Box::new(reply));
        true
    }
}
