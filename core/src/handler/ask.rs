//! Questions to the client: sent at once on the legacy era, collected into one
//! `input_required` on the modern one.
//!
//! Owns: when a question leaves, and how it is withdrawn. Must not know: what is asked, or how
//! an answer travels.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Era, Error, ErrorKind};
use mcpbolt_proto::session::outgoing::Patience;
use mcpbolt_proto::session::server::check_exists;
use mcpbolt_proto::session::{Answer, CancelReason, OutgoingId};
use tokio::sync::oneshot;

use super::contract::CallState;
use super::questions::{InputMode, Question, is_answer};
use super::{AskPlan, Call, Link, ReplyFn};

/// The client's answer to one question. Dropping it withdraws the question.
pub struct AskFuture {
    receiver: oneshot::Receiver<Result<RawJson, Error>>,
    withdraw: Option<Withdraw>,
}

enum Withdraw {
    Request(Arc<dyn Link>, OutgoingId),
    Question(Arc<Call>, String),
}

impl Call {
    /// Asks the client something. On the legacy era this is a request on this call's
    /// stream; on the modern one the call is parked until the client's retry.
    ///
    /// Fails with `Usage` when the revision does not have the method, with
    /// `MissingClientCapability` when the client did not declare what the method needs, and with `Timeout`, `Cancelled`, `Closed` or the client's error.
    pub fn ask(
        self: &Arc<Self>,
        method: &str,
        params: Option<RawJson>,
        patience: Option<Patience>,
    ) -> AskFuture {
        self.ask_with(method, params, patience.into())
    }

    /// As [`Call::ask`], with all options.
    pub fn ask_with(self: &Arc<Self>, method: &str, params: Option<RawJson>, plan: AskPlan) -> AskFuture {
        let (sender, receiver) = oneshot::channel();
        let reply: ReplyFn = Box::new(move |outcome| drop(sender.send(outcome)));
        let withdraw = self.begin_ask(method, params, plan, reply);
        AskFuture { receiver, withdraw }
    }

    /// As [`Call::ask`], for callers without futures: `reply` is called exactly once.
    pub fn ask_then(
        self: &Arc<Self>,
        method: &str,
        params: Option<RawJson>,
        patience: Option<Patience>,
        reply: ReplyFn,
    ) {
        let _ = self.begin_ask(method, params, patience.into(), reply);
    }

    fn begin_ask(
        self: &Arc<Self>,
        method: &str,
        params: Option<RawJson>,
        plan: AskPlan,
        reply: ReplyFn,
    ) -> Option<Withdraw> {
        if self.is_cancelled() {
            reply(Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")));
            return None;
        }
        let is_task = self.link().task().is_some();
        if self.revision().era() == Era::Legacy && !is_task {
            if let Err(error) = self.rate_limit(method) {
                reply(Err(error));
                return None;
            }
            return self.ask_now(method, params.as_ref(), plan, reply);
        }
        if let Err(error) = check_exists(method, self.revision()) {
            reply(Err(error));
            return None;
        }
        if let Some(required) = self.client_capabilities().missing_for(method, params.as_ref()) {
            reply(Err(Error::missing_capability(required)));
            return None;
        }
        if is_task {
            if let Err(error) = self.rate_limit(method) {
                reply(Err(error));
                return None;
            }
            return self.ask_now(method, params.as_ref(), plan, reply);
        }
        let mut questions = self.questions.lock();
        questions.asked += 1;
        let key = format!("q{}", questions.asked);
        if let Some(answer) = self.recorded(&key).filter(|a| is_answer(method, a)) {
            drop(questions);
            reply(Ok(answer));
            return None;
        }
        if let Err(error) = self.rate_limit(method) {
            drop(questions);
            reply(Err(error));
            return None;
        }
        questions.waiting.push(Question {
            key: key.clone(),
            method: method.to_owned(),
            params,
            answer: None,
            sent: false,
            reply: Some(reply),
        });
        Some(Withdraw::Question(Arc::clone(self), key))
    }

    /// An answer that a replayed handler gets again.
    fn recorded(&self, key: &str) -> Option<RawJson> {
        (self.engine.input == InputMode::Replay).then(|| self.given.responses.get(key).cloned()).flatten()
    }

    fn ask_now(
        self: &Arc<Self>,
        method: &str,
        params: Option<&RawJson>,
        plan: AskPlan,
        reply: ReplyFn,
    ) -> Option<Withdraw> {
        let Some((link, exchange)) = self.running() else {
            reply(Err(Error::new(ErrorKind::Closed, "the request is already answered")));
            return None;
        };
        // The link calls back exactly once after success; before that the reply is ours.
        let slot = Arc::new(parking_lot::Mutex::new(Some(reply)));
        let later = Arc::clone(&slot);
        let waiting = self.waits();
        let call_back: ReplyFn = Box::new(move |outcome| {
            drop(waiting);
            if let Some(reply) = later.lock().take() {
                reply(outcome);
            }
        });
        match link.ask(Some(exchange), method, params, plan, call_back) {
            Ok(request) => Some(Withdraw::Request(link, request)),
            Err(error) => {
                if let Some(reply) = slot.lock().take() {
                    reply(Err(error));
                }
                None
            }
        }
    }

    /// Sends the questions asked since the last time, all in one `input_required`, and
    /// parks the call. To be called when the handler has nothing else to do for now.
    pub fn flush_questions(self: &Arc<Self>) {
        if !self.questions.lock().has_unsent() || self.binding.lock().state != CallState::Running {
            return;
        }
        match self.engine.input {
            InputMode::Park => self.park(),
            InputMode::Replay => self.ask_again_later(),
        }
    }

    pub(super) fn fail_questions(self: &Arc<Self>, error: &Error) {
        let waiting = std::mem::take(&mut self.questions.lock().waiting);
        for question in waiting {
            if let Some(reply) = question.reply {
                reply(Err(error.clone()));
            }
        }
    }

    /// The handler will not wait: the retry runs it again with the answers so far.
    fn ask_again_later(self: &Arc<Self>) {
        let requests = self.questions.lock().unanswered();
        let answer = match self.seal_replay() {
            Ok(state) => Answer::InputRequired { requests, state: Some(state) },
            Err(error) => Answer::error(error),
        };
        let Some((link, exchange)) = self.running() else { return };
        self.binding.lock().state = CallState::Finished;
        self.audit(&answer);
        self.discharge();
        link.answer(exchange, answer);
        // Not a disconnect, but this activation is over.
        self.cancel(CancelReason::StreamGone);
    }
}

impl Future for AskFuture {
    type Output = Result<RawJson, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.receiver).poll(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(outcome) => {
                self.withdraw = None;
                Poll::Ready(
                    outcome.unwrap_or_else(|_| Err(Error::new(ErrorKind::Closed, "the connection closed"))),
                )
            }
        }
    }
}

impl Drop for AskFuture {
    fn drop(&mut self) {
        match self.withdraw.take() {
            Some(Withdraw::Request(link, request)) => link.give_up(request),
            Some(Withdraw::Question(call, key)) => call.questions.lock().waiting.retain(|q| q.key != key),
            None => {}
        }
    }
}
