//! How the command ends: exit codes, and failures as sentences with a remedy.
//!
//! Owns: which error is which code. Must not know: how a failure is printed.

use mcpbolt::{Error, ErrorKind};

/// How the command ended. Codes are stable; scripts may rely on them.
///
/// ```
/// use mcpbolt_cli::Exit;
///
/// assert_eq!(Exit::Done.code(), 0);
/// assert_eq!(Exit::Interrupted.code(), 130);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// 0: done, and the answer is a good one.
    Done,
    /// 1: the server or the tool said that it failed; `check` found something.
    Failed,
    /// 2: the arguments make no sense; nothing was asked of the server.
    Usage,
    /// 3: the server cannot be started or reached, or it left.
    Unreachable,
    /// 4: credentials are missing, refused, or do not suffice.
    Denied,
    /// 5: no answer in time.
    TimedOut,
    /// 6: the server broke the protocol.
    Protocol,
    /// 101: a fault of the command itself, which standard error tells of.
    Panicked,
    /// 130: Ctrl-C.
    Interrupted,
    /// 143: SIGTERM.
    Terminated,
    /// 129: SIGHUP, as when the terminal is closed.
    HungUp,
}

impl Exit {
    /// What the process exits with.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unreachable => 3,
            Self::Denied => 4,
            Self::TimedOut => 5,
            Self::Protocol => 6,
            Self::Panicked => 101,
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::HungUp => 129,
        }
    }

    fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Transport | ErrorKind::Closed => Self::Unreachable,
            ErrorKind::Unauthorized | ErrorKind::Forbidden => Self::Denied,
            ErrorKind::Timeout => Self::TimedOut,
            ErrorKind::Protocol => Self::Protocol,
            ErrorKind::Cancelled => Self::Interrupted,
            _ => Self::Failed,
        }
    }
}

/// Why the command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// One sentence.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) remedy: Option<String>,
    /// The code on the wire, where the server sent an error.
    pub(crate) code: Option<i64>,
    /// Its data.
    pub(crate) data: Option<Box<serde_json::Value>>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), remedy: None, code: None, data: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    #[must_use]
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The same, with the name of the server it is about in front.
    #[must_use]
    pub(crate) fn about(mut self, server: &str) -> Self {
        self.message = format!("{server}: {}", self.message);
        self
    }

    /// The name of the kind of failure, for programs.
    pub(crate) fn kind(&self) -> &'static str {
        match self.exit {
            Exit::Done => "done",
            Exit::Failed => "failed",
            Exit::Usage => "usage",
            Exit::Unreachable => "unreachable",
            Exit::Denied => "denied",
            Exit::TimedOut => "timed_out",
            Exit::Protocol => "protocol",
            Exit::Panicked => "panicked",
            Exit::Interrupted => "interrupted",
            Exit::Terminated => "terminated",
            Exit::HungUp => "hung_up",
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = Exit::of(error.kind);
        let remedy = match error.kind {
            ErrorKind::Unauthorized => Some(
                "--auth oauth signs in; --header 'Authorization: Bearer ${TOKEN}' sends a token you have",
            ),
            ErrorKind::Timeout => Some("--timeout 5m waits longer"),
            _ => None,
        };
        Self {
            exit,
            message: error.message,
            remedy: remedy.map(str::to_owned),
            code: (!error.kind.is_local()).then_some(error.code.0),
            data: error.data.and_then(|data| data.decode().ok()).map(Box::new),
        }
    }
}
