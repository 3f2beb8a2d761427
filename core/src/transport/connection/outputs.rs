//! What a server's session wants done: messages to the sink, the rest to handlers.
//!
//! Owns: what happens under the lock and what after it, and the start of a call.
//! Must not know: why the session wants it, or how bytes travel.

use std::sync::Arc;

use parking_lot::MutexGuard;

use mcpbolt_proto::session::{Answer, ExchangeId, InboundRequest, Output, Time};

use crate::handler::{Entry, Scope, TransportKind, run_inline};
use crate::observe::{SessionSpan, contained, events};
use crate::transport::event::Event;
use crate::transport::timer::Appointment;

use super::server::{ConnectionState, ServerConnection};
use super::sink::Wire;

impl ServerConnection {
    /// Sends, unlocks, then tells whom it concerns.
    pub(super) fn settle(&self, mut inner: MutexGuard<'_, ConnectionState>, now: Time) {
        let events = self.drain(&mut inner, now);
        drop(inner);
        self.handle_all(events);
    }

    pub(super) fn send_wire(&self, inner: &mut ConnectionState) {
        if !inner.wire.is_empty() {
            self.sink.send(&mut inner.wire);
            inner.wire.clear();
        }
    }

    /// Empties the session's outputs. Messages go to the sink while the lock is held, so that
    /// two threads cannot exchange their order. All else is returned, to be done once nothing
    /// is locked: it runs code of handlers, which comes back to this connection.
    pub(super) fn drain(&self, inner: &mut ConnectionState, now: Time) -> Vec<Event> {
        let mut outputs = std::mem::take(&mut inner.scratch);
        inner.session.take_outputs(&mut outputs);
        let mut events = Vec::new();
        for output in outputs.drain(..) {
            match output {
                Output::Send(outbound) => {
                    self.count_sent(&outbound);
                    inner.wire.push(Wire::Message(outbound));
                }
                Output::Ended { stream } => inner.wire.push(Wire::Ended(stream)),
                Output::Answered { request, outcome } => {
                    // Taken out under the lock: an answer, a deadline and the end of the
                    // connection may all settle a request of ours, and only one finds its reply.
                    if let Some((reply, _)) = inner.asks.remove(&request) {
                        events.push(Event::Reply(reply, outcome));
                    }
                }
                Output::Progress { request, params } => {
                    if let Some((_, Some(progress))) = inner.asks.get(&request) {
                        events.push(Event::Progress(Arc::clone(progress), params));
                    }
                }
                Output::Cancel { exchange, reason } => {
                    // A call in its first poll is not in the table yet; it learns of this
                    // when it is registered.
                    if let Some(call) = inner.calls.remove(&exchange) {
                        events.push(Event::Cancel(call, reason));
                    }
                }
                other => events.push(Event::Output(other)),
            }
        }
        inner.scratch = outputs;
        if self.info.transport != TransportKind::Http {
            inner.listens.resize_with(inner.session.listening(), || self.engine.stats().stream());
        }
        if inner.holding == 0 {
            self.send_wire(inner);
        }
        self.keep_time(inner, now);
        // Who waits for this may close at once, so it is told only when no answer is held back.
        if inner.holding == 0 && inner.session.in_flight() == 0 {
            events.extend(inner.idle.take().map(Event::Idle));
        }
        events
    }

    pub(super) fn keep_time(&self, inner: &mut ConnectionState, now: Time) {
        let earlier = |at: &Time| inner.scheduled.as_ref().is_none_or(|scheduled| *at < scheduled.at);
        if let Some(deadline) = inner.session.next_deadline().filter(earlier) {
            let delay = deadline.saturating_sub(now);
            inner.scheduled = Some(Appointment::new(deadline, delay, self.me.clone()));
        }
        if !inner.joined && inner.session.wants_changes() {
            inner.joined = true;
            self.engine.bus().join(self.info.id, self.me.clone());
        }
    }

    pub(super) fn handle_all(&self, events: Vec<Event>) {
        for event in events {
            self.handle(event, &Scope::default(), None);
        }
    }

    /// What a callback of the program's does ends neither its caller nor other events.
    pub(super) fn handle(&self, event: Event, scope: &Scope, inline: Option<&mut Vec<(ExchangeId, Answer)>>) {
        contained(|| self.handle_one(event, scope, inline));
    }

    fn handle_one(&self, event: Event, scope: &Scope, inline: Option<&mut Vec<(ExchangeId, Answer)>>) {
        match event {
            Event::Reply(reply, outcome) => reply(outcome),
            Event::Progress(progress, params) => progress(&params),
            Event::Cancel(call, reason) => drop(call.cancel(reason)),
            Event::Idle(tell) => tell(),
            Event::Output(Output::Request(request)) => self.dispatch(*request, scope, inline),
            Event::Output(Output::Notification(note)) => self.handler.notified(&self.link(), scope, &note),
            Event::Output(Output::Subscription { uri, active }) => {
                self.handler.subscription(&self.link(), &uri, active);
            }
            Event::Output(Output::Settled(told)) => self.engine.audit_settled(&*self.link(), scope, &told),
            Event::Output(Output::Problem(problem)) => self.tell_problem(&problem),
            Event::Output(Output::Ready { revision, .. }) => {
                events::session_state(self.info.id.0, "ready", revision.as_str());
                let open = (self.engine.stats().session(), SessionSpan::server(revision));
                self.inner.lock().open = Some(open);
            }
            Event::Output(_) => {}
        }
    }

    pub(super) fn dispatch(
        &self,
        request: InboundRequest,
        scope: &Scope,
        inline: Option<&mut Vec<(ExchangeId, Answer)>>,
    ) {
        let exchange = request.exchange;
        // A handler is run first and registered after, if it has to wait: most answer at once,
        // and never enter the table of calls.
        match Entry::of(&self.engine, &self.handler, self.link(), request, scope.clone()) {
            Entry::Resumed => {}
            Entry::Refused(error) => drop(self.answer_exchange(exchange, Answer::error(error))),
            Entry::Fresh(call) => match (run_inline(&call), inline) {
                (None, _) => self.register(call.exchange(), &call),
                // Given to the session together with the answers of its neighbours. Questions
                // are not among them: to ask them parks the call, which needs the lock.
                (Some(answer), Some(answers)) if !matches!(answer, Answer::InputRequired { .. }) => {
                    let answer = call.conclude(answer);
                    answers.push((exchange, answer));
                }
                (Some(answer), _) => drop(call.finish(answer)),
            },
        }
    }
}
