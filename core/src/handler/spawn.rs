//! Where unfinished handler futures run.

use std::future::Future;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle};

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
                if let Some(handle) = background() {
                    drop(handle.spawn(future));
                } else {
                    tracing::error!(target: "mcpbolt::transport", "no runtime could be started");
                }
            }
        }
    }

    /// Runs `body` inside the runtime's context, so that timers and sockets of tokio
    /// can be created by a handler that is polled on a transport's thread.
    pub fn enter<T>(&self, body: impl FnOnce() -> T) -> T {
        let _guard = self.0.as_ref().map(Handle::enter);
        body()
    }
}

fn background() -> Option<&'static Handle> {
    static HANDLE: OnceLock<Option<Handle>> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            let runtime = Builder::new_current_thread().enable_all().build().ok()?;
            let handle = runtime.handle().clone();
            std::thread::Builder::new()
                .name("mcpbolt-tasks".into())
                .spawn(move || runtime.block_on(std::future::pending::<()>()))
                .ok()?;
            Some(handle)
        })
        .as_ref()
}
