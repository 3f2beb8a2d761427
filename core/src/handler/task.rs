//! Runs a handler's future: first poll where the request arrived, the rest on the
//! spawner; panics become errors, cancellation drops the future where it arrives.
//!
//! Owns: the first poll, panics, and the end of a future that is not wanted. Must not know:
//! what a handler does, or where its answer goes.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Answer;

use super::cancel::Pending;
use super::{BoxFuture, Call, Reply};

/// Runs a call whose exchange the caller answers: returns the answer if the handler
/// has one at once, else `None`, and the call finishes itself later.
pub fn run_inline(call: &Arc<Call>) -> Option<Answer> {
    run(call, || call.invoke())
}

/// As [`run_inline`] from where the guard rails let it go on.
pub(crate) fn go_on(call: &Arc<Call>, body: impl FnOnce() -> Reply) {
    let body = || if call.is_cancelled() { Reply::Done(cancelled()) } else { body() };
    if let Some(answer) = run(call, body) {
        call.finish(answer);
    }
}

fn run(call: &Arc<Call>, body: impl FnOnce() -> Reply) -> Option<Answer> {
    let reply = catch_unwind(AssertUnwindSafe(|| {
        let _span = call.span.attach();
        call.engine.spawner.enter(body)
    }));
    let mut future = match reply {
        Ok(Reply::Done(answer)) => return call.filtered(answer),
        Ok(Reply::Detached) => {
            call.charge();
            call.set_deadline();
            return None;
        }
        Ok(Reply::Later(future)) => future,
        Err(_) => return Some(panicked(call)),
    };
    let first =
        call.engine.spawner.enter(|| poll(call, &mut future, &mut Context::from_waker(Waker::noop())));
    match first {
        Poll::Ready(answer) => call.filtered(answer),
        Poll::Pending => {
            call.charge();
            call.set_deadline();
            let waiting = Arc::new(Waiting(Mutex::new(Some((Arc::clone(call), future)))));
            let pending: Weak<dyn Pending> = Arc::downgrade(&(Arc::clone(&waiting) as Arc<dyn Pending>));
            call.waits_in(pending);
            call.engine.spawner.spawn(CallTask(waiting));
            None
        }
    }
}

/// Runs a call that finishes itself in any case.
pub fn start(call: &Arc<Call>) {
    if let Some(answer) = run_inline(call) {
        call.finish(answer);
    }
}

fn poll(call: &Arc<Call>, future: &mut BoxFuture<'static, Answer>, cx: &mut Context<'_>) -> Poll<Answer> {
    let _span = call.span.attach();
    catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)))
        .unwrap_or_else(|_| Poll::Ready(panicked(call)))
}

fn cancelled() -> Answer {
    Answer::error(Error::new(ErrorKind::Cancelled, "the call was cancelled"))
}

/// What a panic says stays in the server's log.
fn panicked(call: &Call) -> Answer {
    tracing::error!(target: "mcpbolt::protocol", method = call.method(), "a handler panicked");
    Answer::error(Error::new(ErrorKind::Internal, "internal error"))
}

/// A handler's future that waits. Its task polls it, a cancellation lets it go where the
/// cancellation arrives: however fast a client calls and cancels, no more of them are kept
/// than are wanted.
pub(super) struct Waiting(Mutex<Option<(Arc<Call>, BoxFuture<'static, Answer>)>>);

impl Pending for Waiting {
    fn let_go(&self) {
        let waiting = self.0.try_lock().and_then(|mut slot| slot.take());
        if let Some((call, future)) = waiting {
            end(&call, future, cancelled());
        }
    }
}

/// Drops the future before the answer leaves.
fn end(call: &Arc<Call>, future: BoxFuture<'static, Answer>, answer: Answer) {
    let dropped = catch_unwind(AssertUnwindSafe(|| call.engine.spawner.enter(|| drop(future))));
    call.finish(dropped.map_or_else(|_| panicked(call), |()| answer));
}

struct CallTask(Arc<Waiting>);

impl Future for CallTask {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut slot = self.0.0.lock();
        let Some((call, future)) = slot.as_mut() else { return Poll::Ready(()) };
        // Before the question whether it is cancelled: who cancels later wakes this task.
        call.cancel_flag().register(cx.waker());
        let answer = if call.is_cancelled() {
            cancelled()
        } else if let Poll::Ready(answer) = poll(call, future, cx) {
            answer
        } else {
            call.flush_questions();
            return Poll::Pending;
        };
        let ended = slot.take();
        drop(slot);
        if let Some((call, future)) = ended {
            end(&call, future, answer);
        }
        Poll::Ready(())
    }
}

/// The runtime was shut down under an unfinished call.
impl Drop for CallTask {
    fn drop(&mut self) {
        let unfinished = self.0.0.lock().take();
        if let Some((call, future)) = unfinished {
            let error = Error::new(ErrorKind::Internal, "the server was shut down before the answer");
            end(&call, future, Answer::error(error));
        }
    }
}
