//! SIGINT and SIGTERM for programs whose main function is a server.
//!
//! Owns: hearing the two signals without an async runtime, their exit codes.
//! Must not know: what shuts down. Only entry points such as `run()` may install it, never a
//! transport: the signals belong to the program.

use std::io;

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
}

impl ShutdownSignal {
    /// The exit code that says that the program ended because of it: 130 or 143.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Hears SIGINT and SIGTERM while it lives; after that they end the process again.
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

#[cfg(windows)]
#[path = "signals_windows.rs"]
mod system;

#[cfg(unix)]
mod system {
    use std::io;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, OnceLock};
    use std::thread::{self, JoinHandle};

    use parking_lot::Mutex;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::{Handle, Signals};

    use super::ShutdownSignal;

    /// True while there is no listener: then a signal does what it does by default. The
    /// handlers themselves stay for the life of the process.
    static UNHEARD: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    static LISTENERS: AtomicUsize = AtomicUsize::new(0);
    static INSTALL: Mutex<()> = Mutex::new(());

    #[derive(Debug)]
    pub(super) struct Listener {
        handle: Handle,
        thread: Option<JoinHandle<()>>,
    }

    impl Listener {
        pub(super) fn start(mut on_signal: impl FnMut(ShutdownSignal) + Send + 'static) -> io::Result<Self> {
            let _installing = INSTALL.lock();
            if UNHEARD.get().is_none() {
                let unheard = Arc::new(AtomicBool::new(false));
                for signal in [SIGINT, SIGTERM] {
                    signal_hook::flag::register_conditional_default(signal, Arc::clone(&unheard))?;
                }
                let _ = UNHEARD.set(unheard);
            }
            let signals = Signals::new([SIGINT, SIGTERM]);
            let listener = signals.and_then(|mut signals| {
                let handle = signals.handle();
                let listen = move || {
                    for signal in signals.forever() {
                        on_signal(match signal {
                            SIGINT => ShutdownSignal::Interrupt,
                            _ => ShutdownSignal::Terminate,
                        });
                    }
                };
                let name = "mcpbolt-signals".to_owned();
                let thread = thread::Builder::new().name(name).spawn(listen)?;
                LISTENERS.fetch_add(1, Ordering::SeqCst);
                Ok(Self { handle, thread: Some(thread) })
            });
            set_unheard();
            listener
        }
    }

    fn set_unheard() {
        if let Some(flag) = UNHEARD.get() {
            flag.store(LISTENERS.load(Ordering::SeqCst) == 0, Ordering::SeqCst);
        }
    }

    impl Drop for Listener {
        fn drop(&mut self) {
            {
                let _installing = INSTALL.lock();
                LISTENERS.fetch_sub(1, Ordering::SeqCst);
                set_unheard();
            }
            self.handle.close();
            if let Some(thread) = self.thread.take()
                && thread.thread().id() != thread::current().id()
            {
                let _ = thread.join();
            }
        }
    }
}
