//! How deep sampling nests: a handler that asks a model may call a tool that samples again.
//!
//! Owns: the open calls of a session and the depth they were made at. Must not know: how a
//! sampling request is answered.

use std::future::Future;

use parking_lot::Mutex;

use mcpbolt_proto::policy::trust::ResultCaps;
use mcpbolt_proto::protocol::Error;

/// Sampling inside of sampling, more often than may be.
pub(crate) fn too_deep() -> Error {
    Error::rejected("sampling request: it is nested too deeply (max_nested_sampling)")
}

tokio::task_local! {
    /// How deep in sampling the running handler is.
    static DEPTH: usize;
}

/// The calls of one session that are open, by the depth they were made at.
#[derive(Debug, Default)]
pub(super) struct Nesting(Mutex<Vec<usize>>);

/// One open call.
pub(super) struct Open<'a>(&'a Nesting, usize);

impl Nesting {
    /// A call begins.
    pub(super) fn call(&self) -> Open<'_> {
        let depth = DEPTH.try_with(|depth| *depth).unwrap_or(0);
        self.0.lock().push(depth);
        Open(self, depth)
    }

    /// Answers a sampling request, unless that would be one inside too many others: it
    /// belongs to one of the open calls, at worst to the deepest.
    pub(super) async fn sample<T>(
        &self,
        caps: &ResultCaps,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let depth = self.0.lock().iter().copied().max().unwrap_or(0) + 1;
        if !caps.nests(depth) {
            return Err(too_deep());
        }
        DEPTH.scope(depth, answer).await
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut open = self.0.0.lock();
        if let Some(at) = open.iter().position(|depth| *depth == self.1) {
            open.swap_remove(at);
        }
    }
}
