//! SIGINT, SIGTERM and SIGHUP on Unix, heard on a thread of its own.
//!
//! Owns: the handlers, and when a signal does again what it does by default. Must not know:
//! what shuts down.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::ignored::hangup_is_ignored;
use super::signal::ShutdownSignal;

static HANDLERS: OnceLock<Handlers> = OnceLock::new();
static LISTENERS: AtomicUsize = AtomicUsize::new(0);
static INSTALL: Mutex<()> = Mutex::new(());

/// The handlers, which stay for the life of the process.
struct Handlers {
    /// True while there is no listener: then a signal does what it does by default.
    unheard: Arc<AtomicBool>,
    signals: Vec<i32>,
}

impl Handlers {
    fn install() -> io::Result<Self> {
        let mut signals = vec![SIGINT, SIGTERM];
        // A program that was started to outlive its terminal does.
        if !hangup_is_ignored() {
            signals.push(SIGHUP);
        }
        let unheard = Arc::new(AtomicBool::new(false));
        for signal in &signals {
            signal_hook::flag::register_conditional_default(*signal, Arc::clone(&unheard))?;
        }
        Ok(Self { unheard, signals })
    }

    fn get() -> io::Result<&'static Self> {
        match HANDLERS.get() {
            Some(handlers) => Ok(handlers),
            None => Self::install().map(|handlers| HANDLERS.get_or_init(|| handlers)),
        }
    }
}

#[derive(Debug)]
pub(super) struct Listener {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    pub(super) fn start(mut on_signal: impl FnMut(ShutdownSignal) + Send + 'static) -> io::Result<Self> {
        let _installing = INSTALL.lock();
        let signals = Signals::new(&Handlers::get()?.signals);
        let listener = signals.and_then(|mut signals| {
            let handle = signals.handle();
            let listen = move || {
                for signal in signals.forever() {
                    on_signal(match signal {
                        SIGINT => ShutdownSignal::Interrupt,
                        SIGHUP => ShutdownSignal::Hangup,
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
    if let Some(handlers) = HANDLERS.get() {
        handlers.unheard.store(LISTENERS.load(Ordering::SeqCst) == 0, Ordering::SeqCst);
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
