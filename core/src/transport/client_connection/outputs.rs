//! What a client's session wants done: frames to the transport, the rest to who waits or hosts.
//!
//! Owns: what happens under the lock and what after it, and the restart of a lost channel.
//! Must not know: why the session wants it.

use std::time::Duration;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Time;
use mcpbolt_proto::session::client::{ClientOutput, FrameFacts};

use crate::observe::{contained, events};
use crate::transport::timer::Appointment;

use super::connection::{ClientConnection, ConnectionState, Event, Reply};
use super::options::RestartPolicy;

impl ClientConnection {
    /// Empties the session's outputs: messages to the transport while the lock is held,
    /// so that two threads cannot reorder them; the rest to the caller.
    pub(super) fn drain(&self, inner: &mut ConnectionState) -> Vec<Event> {
        let mut outputs = std::mem::take(&mut inner.scratch);
        inner.session.take_outputs(&mut outputs);
        let mut events = Vec::new();
        for output in outputs.drain(..) {
            match output {
                ClientOutput::Send(frame) => {
                    let notifies = matches!(frame.facts, FrameFacts::Notification);
                    let taken = if notifies { inner.taken.take() } else { None };
                    events.extend(self.send(frame, taken).map(Event::Sent));
                }
                ClientOutput::Abandon { request, notice } => {
                    let done = self.transport.get().is_some_and(|t| t.abandon(request));
                    if let (false, Some(notice)) = (done, notice) {
                        let taken = inner.taken.take();
                        events.extend(self.send(notice, taken).map(Event::Sent));
                    }
                }
                ClientOutput::Answered { request, outcome } => {
                    if let Some(waiter) = inner.waiters.remove(&request) {
                        events.push(Event::Reply(waiter, outcome));
                    }
                }
                ClientOutput::Progress { request, params } => {
                    if let Some(hook) = inner.waiters.get(&request).and_then(|w| w.hooks.progress.clone()) {
                        events.push(Event::Progress(hook, params));
                    }
                }
                ClientOutput::Notification { method, params, subscription } => {
                    let waiter = subscription.and_then(|request| inner.waiters.get(&request));
                    if let Some(hook) = waiter.and_then(|w| w.hooks.notes.clone()) {
                        events.push(Event::Note(hook, method.clone(), params.clone()));
                    }
                    events.push(Event::Output(ClientOutput::Notification { method, params, subscription }));
                }
                ClientOutput::Ready(agreed) => {
                    inner.restarts = 0;
                    if let Some(transport) = self.transport.get() {
                        transport.negotiated(agreed.revision);
                    }
                    events.push(Event::Output(ClientOutput::Ready(agreed)));
                }
                other => events.push(Event::Output(other)),
            }
        }
        inner.scratch = outputs;
        // Where nothing had to be sent, as of a request whose stream ends with it, it is done.
        events.extend(inner.taken.take().map(Event::Sent));
        let next = inner.session.next_deadline();
        let earlier = |at: &Time| inner.scheduled.as_ref().is_none_or(|scheduled| *at < scheduled.at);
        if let Some(deadline) = next.filter(earlier) {
            inner.scheduled = Some(Appointment::on(&*self.clock, deadline, self.me.clone()));
        }
        events
    }

    /// What a callback of the program's does ends neither its caller nor other events.
    pub(super) fn handle(&self, event: Event) {
        contained(|| self.handle_one(event));
    }

    fn handle_one(&self, event: Event) {
        let output = match event {
            Event::Reply(waiter, outcome) => {
                self.watch.answered(&waiter.watched, outcome.as_ref().err(), self.now());
                return match waiter.reply {
                    Reply::Future(sender) => drop(sender.send(outcome)),
                    Reply::Then(reply) => reply(outcome),
                };
            }
            Event::Progress(hook, params) => return hook(&params),
            Event::Note(hook, method, params) => return hook(&method, params.as_ref()),
            Event::Sent(taken) => return taken(Ok(())),
            Event::Output(output) => output,
        };
        self.watch_output(&output);
        let Some(host) = self.host.upgrade() else { return };
        match output {
            ClientOutput::Ready(agreed) => self.tell_ready(agreed),
            ClientOutput::Request(request) => {
                if let Some(me) = self.me.upgrade() {
                    host.request(&me, request);
                }
            }
            ClientOutput::CancelRequest { exchange, reason } => host.cancelled(exchange, &reason),
            ClientOutput::Notification { method, params, subscription } => {
                host.notification(&method, params.as_ref(), subscription);
            }
            ClientOutput::Problem(problem) => host.problem(&problem),
            ClientOutput::Lost(error) => self.lost(&error.message, &error),
            ClientOutput::Restart => self.replace_channel(Duration::ZERO),
            ClientOutput::Refused(error) => host.refused(&self.placed(error)),
            ClientOutput::Closed(error) => host.closed(&self.placed(error)),
            _ => {}
        }
    }

    /// The channel is gone: another is made if that is allowed, else the connection is over.
    pub(super) fn lost(&self, why: &str, reason: &Error) {
        let (delay, events) = {
            let mut inner = self.inner.lock();
            if inner.replacing {
                return;
            }
            let Some(delay) = self.may_restart(&mut inner) else {
                drop(inner);
                return self.drive(|session, now| session.channel_lost(now, reason));
            };
            inner.replacing = true;
            inner.session.interrupted(reason);
            (delay, self.drain(&mut inner))
        };
        self.tell_lost(why);
        for event in events {
            self.handle(event);
        }
        self.replace_channel(delay);
    }

    /// Asks the transport for a fresh channel in the background.
    pub(super) fn replace_channel(&self, delay: Duration) {
        let (me, transport) = (self.me.clone(), self.transport.get().cloned());
        self.spawner.spawn(async move {
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            match me.upgrade() {
                Some(me) => me.inner.lock().replacing = false,
                // Nobody is left to talk to what would be started.
                None => return,
            }
            let fresh = match transport {
                Some(transport) => transport.restart().await,
                None => false,
            };
            if let Some(me) = me.upgrade() {
                me.drive(|session, now| session.restarted(now, fresh));
            }
        });
    }

    /// How long to wait before another channel is tried; `None` when the end is final.
    fn may_restart(&self, inner: &mut ConnectionState) -> Option<Duration> {
        let RestartPolicy::Limited { max, backoff } = self.restart else { return None };
        let was_ready = inner.session.agreed().is_some();
        if inner.closing || !was_ready || inner.restarts >= max {
            return None;
        }
        inner.restarts += 1;
        let delay = backoff.saturating_mul(1 << (inner.restarts - 1).min(16));
        events::retry("restart", inner.restarts, delay);
        Some(delay)
    }
}
