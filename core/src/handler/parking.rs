//! Parked calls and the sealed state that leads back to them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::parked::{ParkId, ParkLimits, ParkedTable};
use mcpbolt_proto::session::used_states::StateId;
use mcpbolt_proto::session::{Answer, CancelReason, Time};

use crate::observe::events::{self, Refused};
use crate::seal::{self, OpenError};

use super::call::State;
use super::used_states as used;
use super::{Call, Engine};

/// The calls of a process that wait for a retry.
pub struct Parking {
    table: Mutex<ParkedTable<Arc<Call>>>,
    ttl: Time,
    watched: AtomicBool,
}

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
    /// somebody does, or nothing is parked.
    pub(crate) fn watch(&self) -> Option<Time> {
        let deadline = self.table.lock().next_deadline()?;
        (!self.watched.swap(true, Ordering::AcqRel)).then_some(deadline)
    }

    /// Nobody watches any more.
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

/// What a `requestState` of ours says. The client sees only ciphertext.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SealedState {
    pub(super) kind: StateKind,
    /// Seconds since 1970 after which it is void.
    pub(super) expires: u64,
    pub(super) principal: Option<String>,
    pub(super) method: String,
    /// Of the canonical params, without what changes per leg.
    pub(super) digest: String,
    pub(super) round: u32,
    /// Tells it from others, where it is taken once only.
    #[serde(skip)]
    pub(super) once: Option<StateId>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum StateKind {
    /// The call waits under this number.
    Park(String),
    /// These answers were given so far.
    Replay(RawObject),
    /// The handler's own state.
    Handler(String),
}

const PURPOSE: &[u8] = b"mcpbolt requestState v1";
/// Members that change from leg to leg and are no part of what was asked.
const PER_LEG: [&str; 3] = ["_meta", "inputResponses", "requestState"];

impl SealedState {
    /// Checks that a retry asks the same thing for the same principal in time.
    pub(super) fn open(
        engine: &Engine,
        text: &str,
        method: &str,
        params: Option<&RawJson>,
        principal: Option<&str>,
    ) -> Result<Self, Error> {
        let plain = match engine.sealer.open(PURPOSE, text) {
            Ok(plain) => plain,
            Err(_) if engine.host_seals_state => return Ok(Self::sealed_by_host(text)),
            Err(error) => {
                events::refused(Refused::State, 0);
                let message = match error {
                    OpenError::UnknownKey { .. } => error.to_string(),
                    _ => "requestState is not one this server issued".to_owned(),
                };
                return Err(Error::invalid_params(message));
            }
        };
        let mut state: Self = serde_json::from_slice(&plain)
            .map_err(|_| Error::invalid_params("requestState is of another version"))?;
        if state.expires <= used::now().as_secs() {
            return Err(Error::invalid_params("requestState has expired; send the request again without it"));
        }
        if state.principal.as_deref() != principal || state.method != method || state.digest != digest(params)
        {
            events::refused(Refused::State, 0);
            return Err(Error::invalid_params("requestState belongs to another request"));
        }
        if !engine.reusable_state {
            state.once = Some(used::id_of(text, Time::from_secs(state.expires)));
        }
        Ok(state)
    }

    /// What nobody but the handler can open and check.
    fn sealed_by_host(text: &str) -> Self {
        Self {
            kind: StateKind::Handler(text.to_owned()),
            expires: u64::MAX,
            principal: None,
            method: String::new(),
            digest: String::new(),
            round: 0,
            once: None,
        }
    }
}

/// What was asked, in hexadecimal: the same for params that mean the same.
pub(super) fn digest(params: Option<&RawJson>) -> String {
    use std::fmt::Write as _;
    seal::canonical_digest(params, &PER_LEG).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Call {
    fn seal_state(&self, kind: StateKind, round: u32) -> Result<String, Error> {
        let state = SealedState {
            kind,
            expires: used::now().as_secs().saturating_add(self.engine.parking.ttl.as_secs()),
            principal: self.scope().principal.id().map(ToOwned::to_owned),
            method: self.method().to_owned(),
            digest: digest(self.params()),
            round,
            once: None,
        };
        let plain = serde_json::to_vec(&state)
            .map_err(|_| Error::new(ErrorKind::Internal, "requestState could not be written"))?;
        Ok(self.engine.sealer.seal(PURPOSE, &plain))
    }

    /// Seals a handler's own state (I2).
    pub(super) fn seal_handler_state(&self, state: String) -> Result<String, Error> {
        if self.engine.host_seals_state {
            return Ok(state);
        }
        self.seal_state(StateKind::Handler(state), self.given.round + 1)
    }

    /// Seals the answers a replayed handler has had so far.
    pub(super) fn seal_replay(&self) -> Result<String, Error> {
        let round = self.given.round + 1;
        if round as usize > self.engine.limits.max_rounds {
            return Err(Error::overloaded("the call asked too often"));
        }
        self.seal_state(StateKind::Replay(self.given.responses.clone()), round)
    }

    /// Answers the present exchange with every open question and waits for the retry.
    pub(super) fn park(self: &Arc<Self>) {
        let id = ParkId(u128::from_le_bytes(seal::random_bytes()));
        let round = self.binding.lock().round + 1;
        let sealed = self.seal_state(StateKind::Park(format!("{:032x}", id.0)), round);
        let requests = self.questions.lock().unanswered();
        let (link, exchange) = {
            let mut binding = self.binding.lock();
            if binding.state != State::Running || requests.is_empty() {
                return;
            }
            binding.round = round;
            binding.state = State::Parked(id);
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
                self.binding.lock().state = State::Running;
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
