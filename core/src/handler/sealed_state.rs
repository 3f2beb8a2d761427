//! `requestState`: what the engine seals into it, and what is checked when it comes back.
//!
//! Owns: its members, its purpose, and which retries it fits. Must not know: how bytes are
//! sealed (`seal` does), or what becomes of the call.

use serde::{Deserialize, Serialize};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Time;
use mcpbolt_proto::session::used_states::StateId;

use crate::observe::events::{self, Refused};
use crate::seal::{self, OpenError};

use super::used_states as used;
use super::{Call, Engine};

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
/// Members that change from leg to leg and are not a part of what was asked.
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

    /// A state that only the handler can open and check.
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
    pub(super) fn seal_state(&self, kind: StateKind, round: u32) -> Result<String, Error> {
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

    /// Seals a handler's own state.
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
}
