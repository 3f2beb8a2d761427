//! What a program is asked to do by a signal.
//!
//! Owns: the requests and their exit codes. Must not know: how they are heard.

/// A request to end the program.
///
/// ```
/// use mcpbolt::transport::signals::ShutdownSignal;
///
/// assert_eq!(ShutdownSignal::Terminate.exit_code(), 143);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShutdownSignal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal is gone.
    Hangup,
}

impl ShutdownSignal {
    /// The exit code that says that the program ended because of it: 130, 143 or 129.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
            Self::Hangup => 129,
        }
    }
}
