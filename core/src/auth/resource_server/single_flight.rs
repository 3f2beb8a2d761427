//! Fetching something once for all who wait for it.
//!
//! Owns: whose turn it is, and that what was begun goes on. Must not know: what is fetched, or how
//! long it holds.

use std::sync::Arc;

/// One flight at a time, for all.
#[derive(Default)]
pub(super) struct SingleFlight(Arc<tokio::sync::Mutex<()>>);

impl SingleFlight {
    /// Does `work`, unless `is_done` when its turn has come: whoever waited for somebody else's has what
    /// that brought. It goes on without the request: clients that give up at once would have it begun
    /// each time.
    pub(super) async fn unless<W>(&self, is_done: impl FnOnce() -> bool, work: W)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let turn = Arc::clone(&self.0).lock_owned().await;
        if is_done() {
            return;
        }
        let working = tokio::spawn(async move {
            work.await;
            drop(turn);
        });
        let _ = working.await;
    }
}
