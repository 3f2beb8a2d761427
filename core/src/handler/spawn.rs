//! Where unfinished handler futures run.
//!
//! Owns: the choice of the runtime, and the one of our own. Must not know: what runs there.

use std::future::Future;
use std::process;

use parking_lot::Mutex;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// The caller's tokio runtime when there is one, else a small one of the engine that
/// starts with the first future that has to wait.
#[derive(Debug, Clone, Default)]
pub struct Spawner(Option<Handle>);

impl Spawner {
    /// Takes the runtime this thread is in, if any.
    pub fn current() -> Self {
        Self(Handle::try_current().ok())
    }

    /// Runs `future` to its end in the background.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        match &self.0 {
            Some(handle) => drop(handle.spawn(future)),
            None => {
                if let Some(handle) = Self::background() {
                    drop(handle.spawn(future));
                } else {
                    tracing::error!(target: "mcpbolt::transport", "no runtime could be started");
                }
            }
        }
    }

    /// Calls `gone` when the caller's runtime shuts down before `over` comes: none of the
    /// tasks that would say so is left then. The engine's own runtime never does.
    pub(crate) fn on_shutdown(&self, over: oneshot::Receiver<()>, gone: impl FnOnce() + Send + 'static) {
        if let Some(handle) = &self.0 {
            // Outside the task, which may never be polled.
            let gone = Gone(Some(gone));
            handle.spawn(async move {
                let _ = over.await;
                gone.forget();
            });
        }
    }

    /// Runs `body` inside the runtime's context, so that timers and sockets of tokio
    /// can be created by a handler that is polled on a transport's thread.
    pub fn enter<T>(&self, body: impl FnOnce() -> T) -> T {
        let _guard = self.0.as_ref().map(Handle::enter);
        body()
    }

    /// The runtime of the engine, started if need be. A forked child has none of its
    /// parent's threads: there it is started anew.
    pub(crate) fn background() -> Option<Handle> {
        static RUNNING: Mutex<Option<(u32, Handle)>> = Mutex::new(None);
        let mut running = RUNNING.lock();
        if let Some((owner, handle)) = running.as_ref()
            && *owner == process::id()
        {
            return Some(handle.clone());
        }
        let handle = start()?;
        // What the parent's tasks hold is not the child's to let go.
        std::mem::forget(running.replace((process::id(), handle.clone())));
        Some(handle)
    }
}

/// Calls a function when it is dropped.
struct Gone<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Gone<F> {
    fn forget(mut self) {
        self.0 = None;
    }
}

impl<F: FnOnce()> Drop for Gone<F> {
    fn drop(&mut self) {
        if let Some(tell) = self.0.take() {
            tell();
        }
    }
}

fn start() -> Option<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new()
        .name("mcpbolt-tasks".into())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))
        .ok()?;
    Some(handle)
}
