//! A flow that a host carries out.
//!
//! Owns: the state between steps, the time and random bytes. Must not know: JSON of single
//! steps and events.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcpbolt_proto::auth::fetch::Answer;
use mcpbolt_proto::auth::flow::{Event, Flow, Random, Step};
use mcpbolt_proto::auth::pkce::Verifier;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use parking_lot::Mutex;
use serde_json::json;

use super::events::{HostCause, HostEvent};
use super::failures::thrown;
use super::options::{FlowOptions, HostStored, parsed, read};
use super::steps::step;

/// The way to a token at one server, for a host that sends the requests, opens the browser
/// and keeps what comes of it. Each verb returns the next step as JSON text.
pub struct HostFlow {
    flow: Mutex<Flow>,
}

impl HostFlow {
    /// A flow with options and with what is kept. `saved` is what an earlier flow with this
    /// server left: how often more was asked for.
    pub fn new(options: &str, stored: &str, saved: Option<&str>) -> Result<Self, Error> {
        let options: FlowOptions = read("options", parsed("options", options)?)?;
        let stored: HostStored = read("stored", parsed("stored", stored)?)?;
        let options = options.options()?;
        let stored = stored.stored(options.client_metadata_url.as_deref())?;
        let flow = match saved {
            Some(saved) => Flow::resume(options, stored, &Secret::new(saved)),
            None => Flow::new(options, stored),
        };
        Ok(Self { flow: Mutex::new(flow.map_err(thrown)?) })
    }

    /// Begins; `cause` is JSON text.
    pub fn start(&self, cause: &str) -> Result<String, Error> {
        let cause: HostCause = read("cause", parsed("cause", cause)?)?;
        let mut flow = self.flow.lock();
        let next = flow.start(cause.cause()?, now(), &random()?);
        Ok(told(&flow, &next))
    }

    /// Goes on with what the last step asked for; `event` is JSON text.
    pub fn take(&self, event: &str) -> Result<String, Error> {
        let event: HostEvent = read("event", parsed("event", event)?)?;
        Ok(self.went_on(event.event()?))
    }

    /// Goes on with the answer to a request.
    pub fn answered(&self, status: u16, body: &[u8]) -> String {
        self.went_on(Event::Answered(Answer::new(status, body)))
    }

    fn went_on(&self, event: Event) -> String {
        let mut flow = self.flow.lock();
        let next = flow.take(event, now());
        told(&flow, &next)
    }

    /// Notes that the server accepted the token for an operation.
    pub fn accepted(&self, operation: &str) {
        self.flow.lock().accepted(operation);
    }

    /// What the flow found so far, as JSON text: the issuer, whether its endpoints are assumed,
    /// the client.
    pub fn found(&self) -> String {
        let flow = self.flow.lock();
        let server = flow.server();
        json!({
            "issuer": server.map(|server| &server.metadata.issuer),
            "is_assumed": server.is_some_and(|server| server.is_assumed),
            "metadata": server.map(|server| &server.metadata),
            "client": flow.client(),
        })
        .to_string()
    }

    /// The state as text, with secrets.
    pub fn save(&self) -> String {
        self.flow.lock().save().expose().to_owned()
    }
}

fn told(flow: &Flow, next: &Step) -> String {
    let mut told = step(next, flow.asked());
    if let Some(issuer) = flow.searched_issuer() {
        told["issuer"] = issuer.into();
    }
    if flow.wants_proof() {
        told["wants_proof"] = true.into();
    }
    told.to_string()
}

/// The time since 1970.
pub(super) fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Bytes that nobody can guess.
pub(super) fn random() -> Result<Random, Error> {
    let mut bytes = [0; 64];
    getrandom::fill(&mut bytes)
        .map_err(|_| Error::new(ErrorKind::Internal, "the system has no random bytes"))?;
    Ok(Random::new(bytes))
}

/// A verifier as long as one may be.
pub(super) fn verifier() -> Result<Verifier, Error> {
    let mut bytes = [0; 96];
    getrandom::fill(&mut bytes)
        .map_err(|_| Error::new(ErrorKind::Internal, "the system has no random bytes"))?;
    Verifier::from_secret(Secret::new(URL_SAFE_NO_PAD.encode(bytes))).map_err(thrown)
}
