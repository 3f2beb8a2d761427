//! What a child process does, as its owner is told.
//!
//! Owns: the events. Must not know: how any of them is noticed.

use std::fmt;
use std::io;
use std::process::ExitStatus;

use crate::transport::lines::LineEvent;
use crate::transport::stdio::EndReason;

/// What a child process does. Events come one at a time, from several threads.
///
/// ```
/// use mcpbolt::transport::child_process::ChildEvent;
///
/// fn is_last(event: &ChildEvent<'_>) -> bool {
///     matches!(event, ChildEvent::Exited(_))
/// }
/// ```
#[derive(Debug)]
pub enum ChildEvent<'a> {
    /// Lines of its standard output, at least one.
    Batch(&'a mut Vec<LineEvent>),
    /// Lines of its standard error, with [`StderrMode::Capture`](super::StderrMode::Capture).
    Stderr(&'a [LineEvent]),
    /// It no longer reads its standard input. It is ended as by [`ChildProcess::close`](super::ChildProcess::close).
    WriteFailed(io::Error),
    /// Its standard output ended. If it does not exit by itself, it is ended as by
    /// [`ChildProcess::close`](super::ChildProcess::close).
    End(EndReason),
    /// It has exited, and all it wrote has been told. The last event.
    Exited(&'a ChildExit),
}

/// How a child process ended.
///
/// ```
/// use mcpbolt::transport::child_process::ChildExit;
///
/// fn explain(exit: &ChildExit) -> String {
///     let status = exit.status.map_or("unknown".to_owned(), |status| status.to_string());
///     format!("{status}: {}", exit.stderr.join("\n"))
/// }
/// ```
#[derive(Clone)]
pub struct ChildExit {
    /// Its exit status; `None` when another part of this process collected it.
    pub status: Option<ExitStatus>,
    /// The last lines of its standard error, with [`StderrMode::Capture`](super::StderrMode::Capture).
    pub stderr: Vec<String>,
    /// It was ended because it had closed a pipe and gone on running.
    pub cut: bool,
    /// It had read all that was written to it, and there was something; `None` where the
    /// system does not tell.
    pub heard: Option<bool>,
}

impl fmt::Debug for ChildExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.stderr.len();
        write!(f, "ChildExit({:?}, {lines} lines of standard error)", self.status)
    }
}
