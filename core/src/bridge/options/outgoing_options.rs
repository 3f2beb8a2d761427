//! What leaves a host's server: options about it, and the services that see it.
//!
//! Owns: `error_detail`, `check_media`, `max_result_bytes`, `sanitize_result`, `audit` by
//! name, and how the host's own sanitizer and sink are asked. Must not know: what the
//! engine does with them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::detail::ErrorDetail;
use mcpbolt_proto::policy::media;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Answer;

use crate::handler::{Call, EngineOptions, Outlet};
use crate::observe::{AUDIT_QUEUE, Audit, AuditRecord, AuditSink, JsonLines};

use crate::bridge::queue::inbox::Inbox;
use crate::bridge::services::asks::{NoService, about_result, named};

/// Asked for what a record is to be done with: payload is the record, the answer is not
/// looked at.
const AUDIT: &str = "audit.record";
/// Asked for a result as it may leave: payload `{method, name, result}`.
const SANITIZE: &str = "result.sanitize";
/// Longest wait for the host's sink.
const SINK_PATIENCE: Duration = Duration::from_secs(30);
/// Longest that the end of a server takes to hand over records.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// What the official packages do: words leave, and nothing is checked.
pub(crate) fn outlet() -> Outlet {
    Outlet { error_detail: ErrorDetail::Message, check_media: false, ..Outlet::default() }
}

/// Sets an option of this module; `None` if it is none.
pub(crate) fn set(engine: &mut EngineOptions, name: &str, value: &Value) -> Option<Result<(), Error>> {
    let outlet = &mut engine.outlet;
    let set = match name {
        "error_detail" => {
            value.as_str().and_then(ErrorDetail::named).map(|detail| outlet.error_detail = detail)
        }
        "check_media" => value.as_bool().map(|on| outlet.check_media = on),
        "sanitize_result" => {
            named(value, SANITIZE).ok().map(|service| outlet.host_sanitizes = service.map(Arc::from))
        }
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
    /// To a service of the host's.
    Host {
        /// Its name.
        service: String,
        /// Most records that wait for it.
        queue: usize,
    },
}

/// Reads `{"path": "audit.jsonl", "queue": 10000}` or `{"service": true, "queue": …}`;
/// instead of true the name of the service.
pub(crate) fn audit(members: &Map<String, Value>) -> Result<AuditText, Error> {
    let (mut path, mut queue, mut service) = (None, AUDIT_QUEUE, None);
    for (name, value) in members {
        let wrong = || Error::usage(format!("option audit.{name} has a wrong value"));
        match name.as_str() {
            "path" => path = Some(value.as_str().ok_or_else(wrong)?),
            "queue" => {
                let count = value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
                queue = count.ok_or_else(wrong)?;
            }
            "service" => service = named(value, AUDIT).map_err(|NoService| wrong())?,
            _ => return Err(Error::usage(format!("there is no option audit.{name}"))),
        }
    }
    match (path, service) {
        (None, Some(service)) => Ok(AuditText::Host { service, queue }),
        (Some(path), None) => {
            let sink = JsonLines::append_to(path)
                .map_err(|e| Error::usage(format!("option audit.path cannot be written: {}", e.kind())))?;
            Ok(AuditText::File(Audit::with_queue(sink, queue)))
        }
        _ => Err(Error::usage("option audit needs either a path or service: true")),
    }
}

/// The audit of a server whose first inbox is this one.
pub(crate) fn open_audit(audit: AuditText, inbox: &Arc<Inbox>) -> (Audit, Option<LastRecords>) {
    match audit {
        AuditText::File(audit) => (audit, None),
        AuditText::Host { service, queue } => {
            let pace = Arc::new(Pace::default());
            let sink = HostSink { inbox: Arc::downgrade(inbox), service, pace: Arc::clone(&pace) };
            let audit = Audit::with_queue(sink, queue);
            (audit.clone(), Some(LastRecords { audit, pace }))
        }
    }
}

/// Whether the host's sink is waited for.
#[derive(Default)]
struct Pace {
    over: AtomicBool,
    waits: Mutex<Option<SyncSender<()>>>,
}

/// Hands the host what is left at the end of a server.
pub(crate) struct LastRecords {
    audit: Audit,
    pace: Arc<Pace>,
}

impl LastRecords {
    /// All that waits goes into the inbox now. The host's loop may be what ends the server:
    /// it is not waited for any more.
    pub(crate) fn hand_over(&self) {
        self.pace.over.store(true, Ordering::SeqCst);
        if let Some(waits) = self.pace.waits.lock().take() {
            let _ = waits.try_send(());
        }
        self.audit.flush(LAST_PATIENCE);
    }
}

/// The host's sink. It is given one record at a time; what it is too slow for is lost
/// and counted like anywhere.
struct HostSink {
    inbox: Weak<Inbox>,
    service: String,
    pace: Arc<Pace>,
}

impl HostSink {
    fn tell(&self, payload: Value) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (done, wait) = sync_channel(1);
        *self.pace.waits.lock() = Some(done.clone());
        let reply = Box::new(move |_| done.try_send(()).unwrap_or_default());
        inbox.ask_host_then(&self.service, payload.into(), reply);
        drop(inbox);
        if !self.pace.over.load(Ordering::SeqCst) {
            let _ = wait.recv_timeout(SINK_PATIENCE);
        }
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
    pub(crate) fn finish_call(&self, call: &Arc<Call>, answer: Answer) -> bool {
        let service = call.host_sanitizes().filter(|_| media::has_content(call.method()));
        let (Answer::Result { value, cache }, Some(service)) = (&answer, service) else {
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
        self.ask_host_then(&service, payload, Box::new(reply));
        true
    }
}
