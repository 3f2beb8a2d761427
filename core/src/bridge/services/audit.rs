//! Audit records that go to the host, through the service `audit.record` or what the option
//! names.
//!
//! Owns: one record at a time, and handing over the last ones at the end of a server.
//! Must not know: what is in a record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::bridge::options::outgoing_options::AuditText;
use crate::bridge::queue::inbox::Inbox;
use crate::observe::{Audit, AuditRecord, AuditSink};

/// Longest wait for the host's sink.
const SINK_PATIENCE: Duration = Duration::from_secs(30);
/// Longest that the end of a server takes to hand over records.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// The audit of a server whose first inbox is this one.
pub(crate) fn open_audit(audit: AuditText, inbox: &Arc<Inbox>) -> (Audit, LastRecords) {
    match audit {
        AuditText::File(audit) => (audit.clone(), LastRecords { audit, sink_wait: None }),
        AuditText::Host { service, queue } => {
            let sink_wait = Arc::new(SinkWait::default());
            let sink = HostSink { inbox: Arc::downgrade(inbox), service, sink_wait: Arc::clone(&sink_wait) };
            let audit = Audit::with_queue(sink, queue);
            (audit.clone(), LastRecords { audit, sink_wait: Some(sink_wait) })
        }
    }
}

/// Whether the host's sink is waited for.
#[derive(Default)]
struct SinkWait {
    over: AtomicBool,
    waits: Mutex<Option<SyncSender<()>>>,
}

/// The records that the sink has not taken at the end of a server.
pub(crate) struct LastRecords {
    audit: Audit,
    /// Present if the sink is the host's.
    sink_wait: Option<Arc<SinkWait>>,
}

impl LastRecords {
    /// All that waits goes into the file or into the inbox now. The host's loop may be what
    /// ends the server: it is not waited for any more.
    pub(crate) fn hand_over(&self) {
        if let Some(sink_wait) = &self.sink_wait {
            sink_wait.over.store(true, Ordering::SeqCst);
            if let Some(waits) = sink_wait.waits.lock().take() {
                let _ = waits.try_send(());
            }
        }
        self.audit.flush(LAST_PATIENCE);
    }
}

/// The host's sink. It is given one record at a time; records that it is too slow for are
/// lost and counted, as with any sink.
struct HostSink {
    inbox: Weak<Inbox>,
    service: String,
    sink_wait: Arc<SinkWait>,
}

impl HostSink {
    fn tell(&self, payload: Value) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (done, wait) = sync_channel(1);
        *self.sink_wait.waits.lock() = Some(done.clone());
        let reply = Box::new(move |_| done.try_send(()).unwrap_or_default());
        inbox.ask_host_then(&self.service, payload.into(), reply);
        drop(inbox);
        if !self.sink_wait.over.load(Ordering::SeqCst) {
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
