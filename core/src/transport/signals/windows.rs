//! The console's events on Windows, heard on a thread with a small runtime of its own.
//!
//! Owns: hearing them. Must not know: what shuts down.

use std::io;
use std::thread;

use tokio::runtime::Builder;
use tokio::signal::windows;
use tokio::sync::oneshot;

use super::signal::ShutdownSignal;

#[derive(Debug)]
pub(super) struct Listener {
    /// Dropped with the listener: the thread then ends.
    _stop: oneshot::Sender<()>,
}

impl Listener {
    pub(super) fn start(mut on_signal: impl FnMut(ShutdownSignal) + Send + 'static) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        // Registered here, so that a failure is the caller's.
        let events = {
            let _guard = runtime.enter();
            (
                windows::ctrl_c()?,
                windows::ctrl_break()?,
                windows::ctrl_close()?,
                windows::ctrl_logoff()?,
                windows::ctrl_shutdown()?,
            )
        };
        let (stop, mut stopped) = oneshot::channel::<()>();
        let listen = move || {
            let (mut c, mut brk, mut close, mut logoff, mut shutdown) = events;
            runtime.block_on(async move {
                loop {
                    let signal = tokio::select! {
                        _ = &mut stopped => return,
                        Some(()) = c.recv() => ShutdownSignal::Interrupt,
                        Some(()) = brk.recv() => ShutdownSignal::Interrupt,
                        Some(()) = close.recv() => ShutdownSignal::Terminate,
                        Some(()) = logoff.recv() => ShutdownSignal::Terminate,
                        Some(()) = shutdown.recv() => ShutdownSignal::Terminate,
                        else => return,
                    };
                    on_signal(signal);
                }
            });
        };
        thread::Builder::new().name("mcpbolt-signals".to_owned()).spawn(listen)?;
        Ok(Self { _stop: stop })
    }
}
