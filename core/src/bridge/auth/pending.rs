//! Questions to issuers and other servers, for hosts whose threads must not wait by accident.
//!
//! Owns: the thread that they run on, and that what is known already is said at once. Must not know:
//! what is asked.

use std::task::{Context, Poll, Waker};

use mcpbolt_proto::protocol::{Error, ErrorKind};
use parking_lot::Mutex;
use tokio::runtime::{Builder, Runtime};

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::handler::BoxFuture;

/// An answer that has to be waited for.
pub struct Pending<T>(Mutex<Option<BoxFuture<'static, T>>>);

/// The same as JSON text. A refusal is the data of the error.
pub type PendingText = Pending<Result<String, Error>>;

impl<T> Pending<T> {
    /// Begins: what is answered at once, or what has to be waited for.
    pub(super) fn begin(work: impl Future<Output = T> + Send + 'static) -> Result<Result<T, Self>, Error> {
        let mut work: BoxFuture<'static, T> = Box::pin(work);
        let _inside = runtime()?.enter();
        Ok(match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Ok(answer),
            Poll::Pending => Err(Self(Mutex::new(Some(work)))),
        })
    }

    /// Waits, on a thread that may block.
    pub(super) fn outcome(&self) -> Result<T, Error> {
        let work = self.0.lock().take().ok_or_else(taken)?;
        Ok(runtime()?.block_on(work))
    }
}

impl PendingText {
    /// The same for an answer as text: a failure that is known at once is an error here already.
    pub(super) fn begin_text(
        work: impl Future<Output = Result<String, Error>> + Send + 'static,
    ) -> Result<Result<String, Self>, Error> {
        match Self::begin(work)? {
            Ok(answer) => answer.map(Ok),
            Err(pending) => Ok(Err(pending)),
        }
    }

    /// Waits, on a thread that may block.
    pub fn wait(&self) -> Result<String, Error> {
        self.outcome()?
    }

    /// Blocks no thread: `done` is given what `wait` would return, on a thread of the engine's. Where
    /// anybody can have a slow server asked, threads of the host's could all be waiting for one.
    pub fn then(self, done: impl FnOnce(Result<String, Error>) + Send + 'static) -> Result<(), Error> {
        let work = self.0.into_inner().ok_or_else(taken)?;
        runtime()?.spawn(async move { done(work.await) });
        Ok(())
    }
}

fn taken() -> Error {
    Error::usage("this answer was waited for before")
}

/// For the questions to others, which are few: one thread, begun with the first of them, and
/// another one in a forked child, which has none of its parent's.
pub(super) fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: Mutex<Option<(ForkGuard, &'static Runtime)>> = Mutex::new(None);
    let mut known = RUNTIME.lock();
    if let Some((process, runtime)) = *known
        && process.check().is_ok()
    {
        return Ok(runtime);
    }
    let made = Builder::new_multi_thread().worker_threads(1).thread_name("mcpbolt-auth").enable_all().build();
    let made =
        made.map_err(|_| Error::new(ErrorKind::Internal, "no thread for authorization can be begun"))?;
    // For as long as the process lives.
    let runtime: &'static Runtime = Box::leak(Box::new(made));
    *known = Some((ForkGuard::default(), runtime));
    Ok(runtime)
}
