//! Runs a handler's future: first poll where the request arrived, the rest on the
//! spawner; panics become errors, cancellation drops the future.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Answer;

use super::{BoxFuture, Call, Reply};

/// Runs a call whose exchange the caller answers: returns the answer if the handler
/// has one at once, else `None`, and the call finishes itself later.
pub fn run_inline(call: &Arc<Call>) -> Option<Answer> {
    run(call, || call.invoke())
}

/// As [`run_inline`] from where the guard rails let it go on.
pub(super) fn go_on(call: &Arc<Call>, body: impl FnOnce() -> Reply) {
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
        Ok(Reply::Done(answer)) => return call.sifted(answer),
        Ok(Reply::Detached) => {
            call.set_deadline();
            return None;
        }
        Ok(Reply::Later(future)) => future,
        Err(_) => return Some(panicked(call)),
    };
    let first =
        call.engine.spawner.enter(|| poll(call, &mut future, &mut Context::from_waker(Waker::noop())));
    match first {
        Poll::Ready(answer) => call.sifted(answer),
        Poll::Pending => {
            call.set_deadline();
            call.engine.spawner.spawn(CallTask { call: Arc::clone(call), future: Some(future) });
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

struct CallTask {
    call: Arc<Call>,
    future: Option<BoxFuture<'static, Answer>>,
}

impl Future for CallTask {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let call = Arc::clone(&self.call);
        call.cancel_flag().register(cx.waker());
        let Some(future) = self.future.as_mut() else { return Poll::Ready(()) };
        if call.is_cancelled() {
            self.future = None;
            call.finish(cancelled());
            return Poll::Ready(());
        }
        match poll(&call, future, cx) {
            Poll::Ready(answer) => {
                self.future = None;
                call.finish(answer);
                Poll::Ready(())
            }
            Poll::Pending => {
                call.flush_questions();
                Poll::Pending
            }
        }
    }
}

/// The runtime was shut down under an unfinished call.
impl Drop for CallTask {
    fn drop(&mut self) {
        if self.future.take().is_some() {
            let error = Error::new(ErrorKind::Internal, "the server was shut down before the answer");
            self.call.finish(Answer::error(error));
        }
    }
}
