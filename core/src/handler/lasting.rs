//! Work that goes on when its request is answered, for those who stop serving.
//!
//! Owns: who does such work, how many listeners serve. Must not know: what the work is (`tasks`
//! does), or how listeners stop.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use tokio::sync::oneshot;

use super::scope::TransportKind;

/// Which work: that of calls which came in such a way.
pub(crate) type Of = fn(TransportKind) -> bool;
/// What comes next.
pub(crate) type Then = Box<dyn FnOnce() + Send>;

/// Does work that lasts.
pub(crate) trait Lasting: Send + Sync {
    /// Calls a function once, when none of this work goes on: now, or when the last of it has ended.
    fn at_rest(&self, of: Of, then: Then);

    /// This work ends, because the server does; then it is stored that it did.
    fn stop(&self, of: Of, then: Then);
}

/// The lasting work of a server.
#[derive(Default)]
pub(crate) struct LastingWork {
    worker: OnceLock<Weak<dyn Lasting>>,
    listeners: AtomicUsize,
}

impl LastingWork {
    /// Who does it. A server has one, or none.
    pub(crate) fn is_done_by(&self, worker: Weak<dyn Lasting>) {
        let _ = self.worker.set(worker);
    }

    /// Until none of this work goes on.
    pub(crate) async fn ended(&self, of: Of) {
        over(self.told(|worker, then| worker.at_rest(of, then))).await;
    }

    /// Ends this work. That is begun at once, and over when it is awaited.
    pub(crate) fn stop(&self, of: Of) -> impl Future<Output = ()> + Send + use<> {
        over(self.told(|worker, then| worker.stop(of, then)))
    }

    fn told(&self, tell: impl FnOnce(&dyn Lasting, Then)) -> Option<oneshot::Receiver<()>> {
        let worker = self.worker.get().and_then(Weak::upgrade)?;
        let (over, wait) = oneshot::channel();
        tell(
            &*worker,
            Box::new(move || {
                let _ = over.send(());
            }),
        );
        Some(wait)
    }
}

async fn over(told: Option<oneshot::Receiver<()>>) {
    if let Some(told) = told {
        let _ = told.await;
    }
}

/// One listener of a server, until it leaves: the last one ends the work that none can ask for any more.
pub(crate) struct Listening(Option<Arc<LastingWork>>);

impl Listening {
    pub(crate) fn begin(work: &Arc<LastingWork>) -> Self {
        work.listeners.fetch_add(1, Ordering::AcqRel);
        Self(Some(Arc::clone(work)))
    }

    /// Whether it was the last one.
    pub(crate) fn leave(&mut self) -> bool {
        self.0.take().is_some_and(|work| work.listeners.fetch_sub(1, Ordering::AcqRel) == 1)
    }
}

impl fmt::Debug for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listening").field(&self.0.is_some()).finish()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.leave();
    }
}
