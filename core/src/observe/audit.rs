//! Who called what, when, and how it ended: one record per request, for a sink of the
//! program's.
//!
//! Owns: the record, the bounded queue, the thread that feeds the sink. Must not know:
//! calls; it is told about them. Arguments never get here, only their digest.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::ErrorKind;

use super::panics::panics;

/// Most records that wait for the sink, unless the program says otherwise.
pub const AUDIT_QUEUE: usize = 10_000;

/// How long the end of a server waits for a sink that is still writing.
const LAST_CHANCE: Duration = Duration::from_secs(1);

/// How long the sink's thread rests after it has taken all there was.
const REST: Duration = Duration::from_millis(1);

/// How a request ended.
///
/// ```
/// use mcpbolt::observe::AuditOutcome;
/// use mcpbolt::ErrorKind;
///
/// assert_eq!(AuditOutcome::ToolError.name(), "tool_error");
/// assert_eq!(AuditOutcome::Error(ErrorKind::Timeout).kind(), Some(ErrorKind::Timeout));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditOutcome {
    /// With a result.
    Result,
    /// With a result that tells the model of a failure.
    ToolError,
    /// With questions to the client; its retry is a request of its own.
    InputRequired,
    /// With an error.
    Error(ErrorKind),
    /// With nothing: it was cancelled, or its connection ended.
    Cancelled,
}

impl AuditOutcome {
    /// Of the result of `tools/call`.
    pub(crate) fn of_tool(result: &RawJson) -> Self {
        // Only a tool's failure says so, near the end of a short text.
        let failed = memchr::memmem::find(result.as_bytes(), b"\"isError\"").is_some()
            && RawObject::parse(result)
                .is_some_and(|r| r.get("isError").is_some_and(|flag| flag.as_str() == "true"));
        if failed { Self::ToolError } else { Self::Result }
    }

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::ToolError => "tool_error",
            Self::InputRequired => "input_required",
            Self::Error(_) => "error",
            Self::Cancelled => "cancelled",
        }
    }

    /// Why it failed, if it did.
    pub fn kind(self) -> Option<ErrorKind> {
        match self {
            Self::Error(kind) => Some(kind),
            _ => None,
        }
    }
}

/// One request.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use mcpbolt::observe::{AuditOutcome, AuditRecord};
///
/// let record = AuditRecord {
///     time: SystemTime::UNIX_EPOCH,
///     session: 1,
///     principal: None,
///     client: Some("inspector 2.1".to_owned()),
///     method: "tools/call".to_owned(),
///     name: Some("weather".to_owned()),
///     arguments: None,
///     outcome: AuditOutcome::Result,
///     duration: Duration::from_micros(20),
///     bytes: 48,
/// };
/// assert_eq!(record.to_json()["method"], "tools/call");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord {
    /// When it arrived.
    pub time: SystemTime,
    /// The number of its connection or session in this process. Session ids are secrets
    /// and never written.
    pub session: u64,
    /// Who asked, as the credential hook knows them.
    pub principal: Option<String>,
    /// Name and version the client gives itself.
    pub client: Option<String>,
    /// The method.
    pub method: String,
    /// The tool or prompt, or the URI of the resource.
    pub name: Option<String>,
    /// SHA-256 of the arguments in canonical form, in hexadecimal.
    pub arguments: Option<String>,
    /// How it ended.
    pub outcome: AuditOutcome,
    /// From arrival to answer.
    pub duration: Duration,
    /// Size of the result or error.
    pub bytes: usize,
}

impl AuditRecord {
    /// As one JSON object: `time` in microseconds since 1970, `duration` in
    /// microseconds, and the other members under their names.
    pub fn to_json(&self) -> Value {
        json!({
            "time": micros(self.time.duration_since(UNIX_EPOCH).unwrap_or_default()),
            "session": self.session,
            "principal": self.principal,
            "client": self.client,
            "method": self.method,
            "name": self.name,
            "arguments": self.arguments.as_ref().map(|digest| format!("sha256:{digest}")),
            "outcome": self.outcome.name(),
            "kind": self.outcome.kind().map(|kind| format!("{kind:?}")),
            "duration": micros(self.duration),
            "bytes": self.bytes,
        })
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Where records go. Called on a thread of its own, one at a time; it may block, calls
/// do not wait for it.
///
/// ```
/// use mcpbolt::observe::{Audit, AuditRecord, AuditSink};
/// use mcpbolt::server::Server;
///
/// struct Print;
///
/// impl AuditSink for Print {
///     fn record(&mut self, record: &AuditRecord) {
///         println!("{} {} {}", record.method, record.name.as_deref().unwrap_or("-"), record.outcome.name());
///     }
/// }
/// let server = Server::builder("notes", "1.0.0").audit(Audit::new(Print)).build();
/// # let _ = server;
/// ```
pub trait AuditSink: Send + 'static {
    /// Takes one record.
    fn record(&mut self, record: &AuditRecord);

    /// So many records were lost before the next one, because the queue was full.
    fn lost(&mut self, records: u64) {
        let _ = records;
    }

    /// Nothing waits at the moment: a good time to write out what is buffered.
    fn idle(&mut self) {}
}

/// Writes records as JSON lines, and lost ones as `{"lost": n}`.
///
/// ```no_run
/// use mcpbolt::observe::{Audit, JsonLines};
/// use mcpbolt::server::Server;
///
/// # fn main() -> std::io::Result<()> {
/// let audit = Audit::new(JsonLines::append_to("audit.jsonl")?);
/// let server = Server::builder("notes", "1.0.0").audit(audit).build();
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
pub struct JsonLines<W: Write + Send + 'static>(BufWriter<W>);

impl JsonLines<std::fs::File> {
    /// Appends to a file, which on Unix only its owner may read if it is made now.
    ///
    /// # Errors
    /// When the file cannot be opened for writing.
    pub fn append_to(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).map(Self::new)
    }
}

impl<W: Write + Send + 'static> JsonLines<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self(BufWriter::new(out))
    }

    fn line(&mut self, value: &Value) {
        if writeln!(self.0, "{value}").is_err() {
            tracing::error!(target: "mcpbolt::security", "the audit cannot be written");
        }
    }
}

impl<W: Write + Send + 'static> AuditSink for JsonLines<W> {
    fn record(&mut self, record: &AuditRecord) {
        self.line(&record.to_json());
    }

    fn lost(&mut self, records: u64) {
        self.line(&json!({ "lost": records }));
    }

    fn idle(&mut self) {
        if self.0.flush().is_err() {
            tracing::error!(target: "mcpbolt::security", "the audit cannot be written");
        }
    }
}

impl<W: Write + Send + 'static> fmt::Debug for JsonLines<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JsonLines")
    }
}

/// An audit: a sink and the bounded queue before it. Clones share both, so that several
/// servers can write to one sink. When the last is dropped, what waits is still written,
/// for at most a second.
///
/// ```no_run
/// use mcpbolt::observe::{Audit, JsonLines};
///
/// # fn main() -> std::io::Result<()> {
/// let file = std::fs::OpenOptions::new().append(true).create(true).open("audit.jsonl")?;
/// let audit = Audit::new(JsonLines::new(file));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Audit(Arc<Inner>);

struct Inner {
    /// Taken away at the end.
    queue: Option<SyncSender<AuditRecord>>,
    /// All that were lost.
    lost: AtomicU64,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Progress {
    /// Lost and not told to the sink yet.
    untold: AtomicU64,
    waiting: Mutex<u64>,
    changed: Condvar,
}

impl Audit {
    /// An audit with the usual queue of [`AUDIT_QUEUE`] records.
    pub fn new(sink: impl AuditSink) -> Self {
        Self::with_queue(sink, AUDIT_QUEUE)
    }

    /// An audit with a queue of `records`; those beyond are lost and counted.
    pub fn with_queue(sink: impl AuditSink, records: usize) -> Self {
        let (queue, taken) = sync_channel(records.max(1));
        let progress = Arc::new(Progress::default());
        let theirs = Arc::clone(&progress);
        let started = std::thread::Builder::new()
            .name("mcpbolt-audit".to_owned())
            .spawn(move || serve(Box::new(sink), &taken, &theirs));
        if started.is_err() {
            tracing::error!(target: "mcpbolt::security", "the audit's thread could not be started: all is lost");
        }
        Self(Arc::new(Inner { queue: Some(queue), lost: AtomicU64::new(0), progress }))
    }

    /// Takes a record if there is room. Never waits.
    pub fn record(&self, record: AuditRecord) {
        let Some(queue) = &self.0.queue else { return };
        *self.0.progress.waiting.lock() += 1;
        if queue.try_send(record).is_err() {
            *self.0.progress.waiting.lock() -= 1;
            self.0.lost.fetch_add(1, Ordering::Relaxed);
            self.0.progress.untold.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many records were lost because the sink was too slow.
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    /// Waits until the sink has taken all there is; `false` if it has not in time.
    pub fn flush(&self, patience: Duration) -> bool {
        self.0.progress.idle_within(patience)
    }
}

impl Progress {
    fn idle_within(&self, patience: Duration) -> bool {
        let mut waiting = self.waiting.lock();
        !self.changed.wait_while_for(&mut waiting, |waiting| *waiting > 0, patience).timed_out()
    }

    fn done(&self, sink: &mut dyn AuditSink) {
        let mut waiting = self.waiting.lock();
        // Who waits for the end finds it written.
        if *waiting == 1 {
            drop(waiting);
            unharmed(|| sink.idle());
            waiting = self.waiting.lock();
        }
        *waiting -= 1;
        if *waiting == 0 {
            self.changed.notify_all();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.queue = None;
        self.progress.idle_within(LAST_CHANCE);
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit").field("lost", &self.lost()).finish_non_exhaustive()
    }
}

fn serve(mut sink: Box<dyn AuditSink>, taken: &Receiver<AuditRecord>, progress: &Progress) {
    while let Ok(record) = taken.recv() {
        tell(&mut *sink, &record, progress);
        while let Ok(record) = taken.try_recv() {
            tell(&mut *sink, &record, progress);
        }
        // Under load a call need not wake this thread each time.
        std::thread::sleep(REST);
    }
}

fn tell(sink: &mut dyn AuditSink, record: &AuditRecord, progress: &Progress) {
    let lost = progress.untold.swap(0, Ordering::Relaxed);
    unharmed(|| {
        if lost > 0 {
            sink.lost(lost);
        }
        sink.record(record);
    });
    progress.done(sink);
}

/// A sink that panics loses a record, not the audit.
fn unharmed(step: impl FnOnce()) {
    if panics(step) {
        tracing::error!(target: "mcpbolt::security", "an audit sink panicked");
    }
}
