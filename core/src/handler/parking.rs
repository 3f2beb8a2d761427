//! Calls that wait for the client's retry.
//!
//! Owns: when a call is parked, found again, expired. Must not know: what a retry brings
//! (`retry` does), or what is sealed into its state (`sealed_state` does).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::parked::{ParkId, ParkLimits, ParkedTable};
use mcpbolt_proto::session::{Answer, CancelReason, Time};

use crate::seal;

use super::contract::CallState;
use super::sealed_state::StateKind;
use super::{Call, Engine, Parking};

impl Parking {
    pub(super) fn new(limits: &Limits) -> Self {
        let table = ParkLimits::from(limits);
        Self { ttl: table.ttl, table: Mutex::new(ParkedTable::new(table)), watched: AtomicBool::new(false) }
    }

    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.table.lock().len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn remove(&self, id: ParkId) -> Option<Arc<Call>> {
        self.table.lock().remove(id)
    }

    /// When [`Parking::expire`] has work, for the one who watches from now on; `None` if
    /// it is watched already, or nothing is parked.
    pub(crate) fn watch(&self) -> Option<Time> {
        let deadline = self.table.lock().next_deadline()?;
        (!self.watched.swap(true, Ordering::AcqRel)).then_some(deadline)
    }

    /// It is not watched any more.
    pub(crate) fn unwatch(&self) {
        self.watched.store(false, Ordering::Release);
    }

    /// Cancels the calls whose time is over, and says when to come again.
    pub fn expire(&self, now: Time) -> Option<Time> {
        loop {
            let (call, next) = {
                let mut table = self.table.lock();
                (table.expire(now), table.next_deadline())
            };
            match call {
                Some(call) => drop(call.cancel(CancelReason::SessionClosed)),
                None => return next,
            }
        }
    }

    /// Cancels all parked calls.
    pub fn close(&self) {
        let calls = self.table.lock().drain();
        for call in calls {
            call.cancel(CancelReason::SessionClosed);
        }
    }
}

impl Call {
    /// Answers the present exchange with every open question and waits for the retry.
    pub(super) fn park(self: &Arc<Self>) {
        let id = ParkId(u128::from_le_bytes(seal::random_bytes()));
        let round = self.binding.lock().round + 1;
        let sealed = self.seal_state(StateKind::Park(format!("{:032x}", id.0)), round);
        let requests = self.questions.lock().unanswered();
        let (link, exchange) = {
            let mut binding = self.binding.lock();
            if binding.state != CallState::Running || requests.is_empty() {
                return;
            }
            binding.round = round;
            binding.state = CallState::Parked(id);
            (Arc::clone(&binding.link), binding.exchange)
        };
        let quota = self.scope().quota_key(link.info());
        let parked =
            self.engine.parking.table.lock().park(self.engine.now(), id, &quota, round, Arc::clone(self));
        match (sealed, parked) {
            (Ok(state), Ok(_)) => {
                let answer = Answer::InputRequired { requests, state: Some(state) };
                self.audit(&answer);
                self.discharge();
                if !link.answer(exchange, answer) {
                    self.cancel(CancelReason::StreamGone);
                }
            }
            (sealed, parked) => {
                self.engine.parking.remove(id);
                self.binding.lock().state = CallState::Running;
                let error = sealed.err().or(parked.err().map(|(_, e)| e));
                self.fail_questions(
                    &error.unwrap_or_else(|| Error::overloaded("the call could not be parked")),
                );
            }
        }
    }

    /// Takes a parked call out for its retry.
    pub(super) fn unpark(engine: &Engine, id: &str, round: u32) -> Result<Arc<Self>, Error> {
        let id =
            u128::from_str_radix(id, 16).map_err(|_| Error::invalid_params("requestState is malformed"))?;
        engine.parking.table.lock().take(engine.now(), ParkId(id), round)
    }
}
