//! Every frame, on request, as JSON lines: for debugging, not for production.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde_json::{Value, json};

/// Names whose values are never written, wherever they stand.
const SECRETS: [&str; 6] =
    ["requestState", "authorization", "access_token", "refresh_token", "client_secret", "password"];

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

/// Writes frames to a file. Secrets are blanked by name, and whatever else the given
/// JSON pointers name.
///
/// ```
/// use mcpbolt::observe::{Direction, FrameTrace};
///
/// let path = std::env::temp_dir().join(format!("mcpbolt-trace-{}.jsonl", std::process::id()));
/// let trace = FrameTrace::append_to(&path, vec!["/params/arguments/pin".to_owned()])?;
/// trace.frame(Direction::In, 1, br#"{"method":"tools/call","params":{"arguments":{"pin":"1234"}}}"#);
/// assert!(!std::fs::read_to_string(&path)?.contains("1234"));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FrameTrace {
    file: Mutex<File>,
    redact: Vec<String>,
}

impl FrameTrace {
    /// Appends to a file. `redact` holds JSON pointers into the messages.
    ///
    /// # Errors
    /// When the file cannot be opened for writing.
    pub fn append_to(path: &Path, redact: Vec<String>) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Mutex::new(file), redact })
    }

    /// The trace that `MCPBOLT_TRACE` names, if it does. Asked once per process.
    pub fn from_environment() -> Option<&'static Self> {
        static TRACE: OnceLock<Option<FrameTrace>> = OnceLock::new();
        TRACE
            .get_or_init(|| {
                let path = std::env::var_os("MCPBOLT_TRACE")?;
                Self::append_to(Path::new(&path), Vec::new())
                    .inspect_err(|error| {
                        tracing::error!(target: "mcpbolt::protocol", kind = ?error.kind(), "MCPBOLT_TRACE cannot be written");
                    })
                    .ok()
            })
            .as_ref()
    }

    /// Writes one frame. Text that is no JSON is told by its size alone.
    pub fn frame(&self, direction: Direction, connection: u64, frame: &[u8]) {
        let micros = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros());
        let message = serde_json::from_slice::<Value>(frame).ok().map(|value| self.redacted(value));
        let line = json!({
            "time": u64::try_from(micros).unwrap_or(u64::MAX),
            "direction": if direction == Direction::In { "in" } else { "out" },
            "connection": connection,
            "bytes": frame.len(),
            "message": message,
        });
        // A trace that cannot be written must not stop what it traces.
        let _ = writeln!(self.file.lock(), "{line}");
    }

    fn redacted(&self, mut message: Value) -> Value {
        blank_secrets(&mut message);
        for pointer in &self.redact {
            if let Some(value) = message.pointer_mut(pointer) {
                *value = "[redacted]".into();
            }
        }
        message
    }
}

fn blank_secrets(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if SECRETS.iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
                    *value = "[redacted]".into();
                } else {
                    blank_secrets(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(blank_secrets),
        _ => {}
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
