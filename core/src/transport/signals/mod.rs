//! SIGINT, SIGTERM and SIGHUP for programs whose main function is a server.
//!
//! Owns: hearing the signals without an async runtime, their exit codes.
//! Must not know: what shuts down. Only entry points such as `run()` may install it, never a
//! transport: the signals belong to the program.

#[cfg(unix)]
mod ignored;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

mod signal;

use std::io;

pub use signal::ShutdownSignal;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// Hears SIGINT, SIGTERM and SIGHUP while it lives; after that they end the process again. SIGHUP
/// stays ignored where it is when the first of these is installed, as `nohup` has it.
///
/// For programs in Rust. Where a language's runtime handles signals, use that. On
/// Windows Ctrl-C and Ctrl-Break count as SIGINT; closing the window, logging off and
/// shutting down count as SIGTERM.
///
/// ```no_run
/// use mcpbolt::transport::signals::ShutdownSignals;
///
/// # fn main() -> std::io::Result<()> {
/// let (sender, receiver) = std::sync::mpsc::channel();
/// let _signals = ShutdownSignals::install(move |signal| {
///     let _ = sender.send(signal);
/// })?;
/// if let Ok(signal) = receiver.recv() {
///     std::process::exit(signal.exit_code().into());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ShutdownSignals {
    #[cfg(any(unix, windows))]
    _listener: system::Listener,
}

impl ShutdownSignals {
    /// Calls `on_signal` for each signal, on a thread of its own: a second Ctrl-C is
    /// heard too.
    ///
    /// # Errors
    /// When the system refuses the handlers or a thread; `Unsupported` on systems that
    /// are neither Unix nor Windows.
    #[cfg_attr(not(any(unix, windows)), allow(unused_variables))]
    pub fn install(on_signal: impl FnMut(ShutdownSignal) + Send + 'static) -> io::Result<Self> {
        #[cfg(any(unix, windows))]
        return system::Listener::start(on_signal).map(|listener| Self { _listener: listener });
        #[cfg(not(any(unix, windows)))]
        Err(io::ErrorKind::Unsupported.into())
    }
}
