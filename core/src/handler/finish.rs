//! How a call ends: finished by its handler, cancelled by its client, or let go.
//!
//! Owns: which of them wins, and what is told of the end. Must not know: how a call is run,
//! parked or asked, or how an answer travels.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::{Answer, CancelReason, ExchangeId};

use crate::observe::events;

use super::contract::CallState;
use super::{Call, Link};

impl Call {
    /// Resolves when the call is cancelled.
    pub fn cancelled(self: &Arc<Self>) -> Cancelled {
        Cancelled(Arc::clone(self))
    }

    /// Marks a call as over whose answer its connection sends itself: as it may leave.
    pub(crate) fn conclude(&self, answer: Answer) -> Answer {
        self.note(&answer);
        let answer = self.outgoing(answer);
        self.audit(&answer);
        self.binding.lock().state = CallState::Finished;
        answer
    }

    /// From here on the call serves an exchange of another link, and nobody is charged for it.
    /// Returns what it served; `None`, and nothing changes, if it is over or not wanted any more.
    pub(crate) fn move_to(
        &self,
        link: Arc<dyn Link>,
        exchange: ExchangeId,
    ) -> Option<(Arc<dyn Link>, ExchangeId)> {
        let mut binding = self.binding.lock();
        if binding.state != CallState::Running || self.is_cancelled() {
            return None;
        }
        let served = std::mem::replace(&mut binding.link, link);
        let served = (served, std::mem::replace(&mut binding.exchange, exchange));
        if let Some(head) = &mut binding.scope.head {
            *head = self.engine.heads.keep(head);
        }
        drop(binding);
        self.discharge();
        Some(served)
    }

    fn note(&self, answer: &Answer) {
        match answer {
            Answer::Error { error, .. } => self.fail(error.clone()),
            Answer::Result { value, .. } | Answer::Shaped(value) => self.span.answered(value),
            Answer::InputRequired { .. } => {}
        }
    }

    /// What it failed with, however the client is told.
    pub(super) fn fail(&self, error: Error) {
        let _ = self.failure.set(Box::new(error));
    }

    /// Ends the call. `false` if it had ended before; the outcome of a cancelled call
    /// is dropped, that of a parked one waits for the retry.
    pub fn finish(self: &Arc<Self>, answer: Answer) -> bool {
        // A list of which not everybody sees everything may still wait for verdicts; the call
        // is then finished by them.
        let Some(answer) = self.filtered(answer) else { return true };
        self.note(&answer);
        // Handler, deadline, cancellation and retry may all be here at once. The state decides,
        // under the lock of the binding, and who comes second finds it decided. The answer
        // is sent without that lock: the link takes the connection's.
        let (link, exchange) = {
            let mut binding = self.binding.lock();
            match binding.state {
                CallState::Finished => return false,
                // The client has its questions and no exchange is open. The retry takes what is
                // kept under this same lock, so it finds the outcome, or we find it running.
                CallState::Parked(_) if !self.is_cancelled() => {
                    let first = binding.kept.is_none();
                    binding.kept.get_or_insert_with(|| Box::new(answer));
                    return first;
                }
                // No retry is wanted any more: the place among the parked is free.
                CallState::Parked(id) => {
                    binding.state = CallState::Finished;
                    drop(binding);
                    self.audit(&answer);
                    self.engine.parking.remove(id);
                    return true;
                }
                CallState::Running => {}
            }
            // Questions do not end the call on the legacy era: the client is asked in this
            // exchange, and the handler runs again.
            if !matches!(answer, Answer::InputRequired { .. }) {
                binding.state = CallState::Finished;
            }
            (Arc::clone(&binding.link), binding.exchange)
        };
        match answer {
            Answer::InputRequired { requests, state } => {
                self.ask_explicitly(&link, exchange, requests, state)
            }
            answer => {
                let answer = self.outgoing(answer);
                self.audit(&answer);
                self.answered();
                link.answer(exchange, answer)
            }
        }
    }

    /// The call is not wanted any more. `false` if that was known.
    pub fn cancel(self: &Arc<Self>, reason: CancelReason) -> bool {
        // The flag first. Everything below may race with the handler, which finishes or parks
        // the call at this moment: it asks for the flag when it is done, and so ends the call
        // that we did not find.
        if !self.cancel.set(reason) {
            return false;
        }
        let parked = match self.binding.lock().state {
            CallState::Parked(id) => Some(id),
            _ => None,
        };
        if let Some(id) = parked {
            self.engine.parking.remove(id);
        }
        self.questions.lock().fail_all();
        self.handler.cancelled(self);
        // Last, because it drops the handler's future and answers: what the future waits for has
        // failed by now. A task that is polling it has it in hand, and sees the flag afterwards.
        let waiting = self.waiting.lock().as_ref().and_then(Weak::upgrade);
        if let Some(waiting) = waiting {
            waiting.let_go();
        }
        true
    }
}

/// A call counts until the last that knows of it lets go.
impl Drop for Call {
    fn drop(&mut self) {
        self.audit_unanswered();
        self.leave();
        let took = self.engine.now().saturating_sub(self.started);
        let failure = self.failure.get().map(Box::as_ref);
        self.engine.stats().ended(self.spec(), failure.is_some(), took);
        if let Some(error) = failure {
            self.engine.stats().failed(error);
        }
        // Without this it ends as cancelled.
        if failure.is_some() || !self.is_cancelled() {
            self.span.finish(failure);
        }
        events::call_ended("server", self.method(), failure, took);
        if took > self.engine.slow_call {
            events::slow_call("server", self.method(), took);
        }
    }
}

/// Resolves when the call is cancelled; pending for ever otherwise.
#[derive(Debug, Clone)]
pub struct Cancelled(pub(super) Arc<super::Call>);

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0.is_cancelled() {
            return Poll::Ready(());
        }
        self.0.cancel_flag().register(cx.waker());
        if self.0.is_cancelled() { Poll::Ready(()) } else { Poll::Pending }
    }
}
