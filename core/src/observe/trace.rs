//! Every frame, on request, as JSON lines or for a function: for debugging, not for production.
//!
//! Owns: the form of a line, and where frames go. Must not know: what a frame means, which of it
//! is a credential.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::redact::Redactor;

/// Which way a frame went.
///
/// ```
/// use mcpbolt::observe::Direction;
///
/// assert_ne!(Direction::In, Direction::Out);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the peer.
    In,
    /// To the peer.
    Out,
}

impl Direction {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}

/// Writes frames to a file, one JSON object per line: time in microseconds since 1970,
/// direction, connection, size, message. Credentials are blanked by name and scheme, and
/// whatever else the given JSON pointers name. Clones write to the same file.
///
/// ```no_run
/// use mcpbolt::client::Client;
/// use mcpbolt::observe::FrameTrace;
///
/// # fn main() -> std::io::Result<()> {
/// let pins = vec!["/params/arguments/pin".to_owned()];
/// let trace = FrameTrace::append_to("frames.jsonl".as_ref(), pins)?;
/// let client = Client::builder("example", "1.0").trace(trace).build();
/// # let _ = client;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FrameTrace(Arc<Inner>);

enum Inner {
    File { file: Mutex<File>, redact: Redactor },
    Function(Box<FrameFn>),
}

/// Takes a frame: which way it went, the number of its connection, the bytes.
type FrameFn = dyn Fn(Direction, u64, &[u8]) + Send + Sync;

impl FrameTrace {
    /// Appends to a file. `redact` holds JSON pointers into the messages.
    ///
    /// # Errors
    /// When the file cannot be opened for writing.
    pub fn append_to(path: &Path, redact: Vec<String>) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self(Arc::new(Inner::File { file: Mutex::new(file), redact: Redactor::lenient(redact) })))
    }

    /// Hands each frame to a function: which way it went, the number of its connection, its
    /// bytes as they are. Nothing is blanked, so it is for showing the wire to the person whose
    /// session it is, never for logs. The function must neither wait nor use the session: the
    /// connection stands still meanwhile.
    ///
    /// ```
    /// use mcpbolt::client::Client;
    /// use mcpbolt::observe::{Direction, FrameTrace};
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// static RECEIVED: AtomicUsize = AtomicUsize::new(0);
    ///
    /// let trace = FrameTrace::to(|direction, _, frame| {
    ///     if direction == Direction::In {
    ///         RECEIVED.fetch_add(frame.len(), Ordering::Relaxed);
    ///     }
    /// });
    /// let client = Client::builder("example", "1.0").trace(trace).build();
    /// # let _ = client;
    /// ```
    pub fn to(function: impl Fn(Direction, u64, &[u8]) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner::Function(Box::new(function))))
    }

    /// The trace that `MCPBOLT_TRACE` names, if it does. Asked once per process.
    /// `MCPBOLT_TRACE_REDACT` may hold JSON pointers, separated by commas.
    pub fn from_environment() -> Option<&'static Self> {
        static TRACE: OnceLock<Option<FrameTrace>> = OnceLock::new();
        TRACE
            .get_or_init(|| {
                let path = std::env::var_os("MCPBOLT_TRACE")?;
                let redact = std::env::var("MCPBOLT_TRACE_REDACT").unwrap_or_default();
                let redact = redact.split(',').filter(|p| !p.is_empty()).map(str::to_owned).collect();
                Self::append_to(Path::new(&path), redact)
                    .inspect_err(|error| {
                        let kind = error.kind();
                        tracing::error!(target: "mcpbolt::protocol", ?kind, "MCPBOLT_TRACE cannot be written");
                    })
                    .ok()
            })
            .as_ref()
    }

    /// Writes one frame, or hands it to the function. In a file text that is not JSON is told by
    /// its size alone.
    pub fn frame(&self, direction: Direction, connection: u64, frame: &[u8]) {
        let (file, redact) = match &*self.0 {
            Inner::File { file, redact } => (file, redact),
            Inner::Function(function) => return function(direction, connection, frame),
        };
        let micros = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros());
        let message = serde_json::from_slice::<Value>(frame).ok().map(|mut message| {
            redact.message(&mut message);
            message
        });
        let line = json!({
            "time": u64::try_from(micros).unwrap_or(u64::MAX),
            "direction": direction.name(),
            "connection": connection,
            "bytes": frame.len(),
            "message": message,
        });
        // A trace that cannot be written must not stop what it traces. One write per line,
        // so that several processes can share a file.
        let _ = file.lock().write_all(format!("{line}\n").as_bytes());
    }
}

impl fmt::Debug for FrameTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FrameTrace");
        if let Inner::File { redact, .. } = &*self.0 {
            shown.field("redact", &redact.pointers());
        }
        shown.finish_non_exhaustive()
    }
}

/// Where a connection's frames go: the trace of its options, and the environment's.
pub(crate) fn frame(own: Option<&FrameTrace>, direction: Direction, connection: u64, frame: &[u8]) {
    for trace in own.into_iter().chain(FrameTrace::from_environment()) {
        trace.frame(direction, connection, frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_pointers_are_blanked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace");
        let trace = FrameTrace::append_to(&path, vec!["/params/arguments/pin".to_owned()]).unwrap();
        let frame = br#"{"params":{"requestState":"canary-1","arguments":{"pin":"canary-2","city":"Bern"}}}"#;
        trace.frame(Direction::In, 7, frame);
        trace.frame(Direction::Out, 7, b"not json canary-3");
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains("Bern") && !text.contains("canary"), "{text}");
    }
}
