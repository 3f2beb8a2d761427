//! Deadlines and concurrency of calls.
//!
//! Owns: when the time of a call runs and stands still, and its place among what runs.
//! Must not know: how many may run (`policy::bounds` does).

use std::sync::{Arc, Weak};

use mcpbolt_proto::policy::bounds::timed_out;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::{CancelReason, Time};

use crate::handler::Call;
use crate::handler::contract::CallState;
use crate::handler::timer::{Appointment, Due};

use super::state::GuardRails;

impl GuardRails {
    /// Counts a call among what runs, and sets its time.
    pub(super) fn enter(&self, call: &Arc<Call>) -> Result<(), Error> {
        let own = call.handler.bounds(call);
        let timeout = own.as_ref().and_then(|(_, bounds)| bounds.timeout).or(self.timeout);
        // What the engine answers by itself takes no place.
        let counts = call.action().is_some() || call.spec().is_none();
        let place = if counts {
            let bounded = own.as_ref().and_then(|(name, bounds)| Some((&**name, bounds.max_concurrency?)));
            Some(self.running.lock().enter(bounded)?)
        } else {
            None
        };
        if place.is_some() || timeout.is_some() {
            call.guard(|guarded| {
                guarded.place = place;
                guarded.timeout = timeout;
            });
        }
        Ok(())
    }

    /// Sets the time of a call that is counted already.
    pub(super) fn time(&self, call: &Call) {
        let own = call.handler.bounds(call).and_then(|(_, bounds)| bounds.timeout);
        if let Some(timeout) = own.or(self.timeout) {
            call.guard(|guarded| guarded.timeout = Some(timeout));
        }
    }
}

impl Call {
    /// Its handler goes on in the background: from here its deadline is watched.
    pub(in crate::handler) fn set_deadline(self: &Arc<Self>) {
        if !self.engine.rails.is_on() {
            return;
        }
        let mut guarded = self.guarded.lock();
        let Some(guarded) = guarded.as_mut().filter(|guarded| guarded.deadline.is_none()) else { return };
        let Some(timeout) = guarded.timeout else { return };
        guarded.since = self.engine.now();
        guarded.deadline = Some(self.appointment(guarded.since.saturating_add(timeout)));
    }

    fn appointment(self: &Arc<Self>, at: Time) -> Appointment {
        let me: Weak<Self> = Arc::downgrade(self);
        Appointment::on(self.engine.clock(), at, me)
    }

    /// A retry, or an answer of the client, came: time runs anew.
    pub(in crate::handler) fn deadline_anew(&self) {
        if self.engine.rails.is_on()
            && let Some(guarded) = self.guarded.lock().as_mut()
        {
            guarded.since = self.engine.now();
        }
    }

    /// The client is asked something: until what this returns is dropped, no time runs.
    pub(in crate::handler) fn waits(self: &Arc<Self>) -> Option<BeingAsked> {
        if !self.engine.rails.is_on() {
            return None;
        }
        self.guard(|guarded| guarded.waiting += 1);
        Some(BeingAsked(Arc::downgrade(self)))
    }

    /// What runs again takes the place of what ran before.
    pub(in crate::handler) fn hand_on(&self, next: &Self) {
        let place = self.guarded.lock().as_mut().and_then(|guarded| guarded.place.take());
        if place.is_some() {
            next.guard(|guarded| guarded.place = place);
        }
    }

    /// Gives its place back.
    pub(in crate::handler) fn leave(&self) {
        let place = self.guarded.lock().as_mut().and_then(|guarded| guarded.place.take());
        if let Some(place) = place {
            self.engine.rails.running.lock().leave(place);
        }
    }
}

/// While it lives the client is being asked, and the time of the call stands still.
pub(in crate::handler) struct BeingAsked(Weak<Call>);

impl Drop for BeingAsked {
    fn drop(&mut self) {
        let Some(call) = self.0.upgrade() else { return };
        call.guard(|guarded| guarded.waiting = guarded.waiting.saturating_sub(1));
        call.deadline_anew();
    }
}

impl Due for Call {
    fn due(self: Arc<Self>) {
        let state = self.binding.lock().state;
        if state == CallState::Finished {
            return;
        }
        let now = self.engine.now();
        let over = {
            let mut guarded = self.guarded.lock();
            let Some(guarded) = guarded.as_mut() else { return };
            let Some(timeout) = guarded.timeout else { return };
            if guarded.waiting > 0 || matches!(state, CallState::Parked(_)) {
                guarded.since = now;
            }
            let end = guarded.since.saturating_add(timeout);
            if end > now {
                guarded.deadline = Some(self.appointment(end));
            }
            (end <= now).then_some(timeout)
        };
        let Some(timeout) = over else { return };
        let mut error = timed_out(timeout);
        if self.method() == methods::TOOLS_CALL
            && let Some(action) = self.action()
        {
            error.message = format!("Tool {} {}", action.name, error.message);
        }
        let answer = self.turned_away(error);
        // The handler may go on: its place is taken until it ends.
        let charge = self.charge.lock().take();
        if self.finish(answer) {
            *self.charge.lock() = charge;
            // The client knows; whatever the handler still says is dropped.
            self.cancel(CancelReason::Deadline);
        }
    }
}
