//! Signing in where the program's `fetch` carries the requests, and tokens that the program
//! verifies. Owns: nothing of its own. Must
//! not know: what a step is.

use mcpbolt::bridge::{HostBearer, HostFlow, decide_auth};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::error::{Result, throw};

/// The way to a token at one server, step by step; steps and events are JSON text.
#[napi]
pub struct AuthFlow(HostFlow);

#[napi]
impl AuthFlow {
    /// A flow with options and with what is kept.
    #[napi(constructor)]
    pub fn new(options: String, stored: String, saved: Option<String>) -> Result<Self> {
        HostFlow::new(&options, &stored, saved.as_deref()).map(Self).map_err(throw)
    }

    /// Begins; the first step.
    #[napi]
    pub fn start(&self, cause: String) -> Result<String> {
        self.0.start(&cause).map_err(throw)
    }

    /// Goes on with an event; the next step.
    #[napi]
    pub fn take(&self, event: String) -> Result<String> {
        self.0.take(&event).map_err(throw)
    }

    /// Goes on with the answer to a request; the next step.
    #[napi]
    pub fn answered(&self, status: u16, body: Uint8Array) -> String {
        self.0.answered(status, &body)
    }

    /// Notes that the server accepted the token for an operation.
    #[napi]
    pub fn accepted(&self, operation: String) {
        self.0.accepted(&operation);
    }

    /// What the flow found so far.
    #[napi]
    pub fn found(&self) -> String {
        self.0.found()
    }

    /// What the next flow with this server has to know.
    #[napi]
    pub fn save(&self) -> String {
        self.0.save()
    }
}

/// One decision of a flow, for functions that programs call by themselves.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn auth_decision(name: String, given: String) -> Result<String> {
    decide_auth(&name, &given).map_err(throw)
}

/// What a server asks of the tokens that its program verifies. A refusal is an error whose data
/// has `error` and `error_description`.
#[napi]
pub struct BearerRules(HostBearer);

#[napi]
impl BearerRules {
    /// From JSON text: `{words, required_scopes, resource, metadata_url}`.
    #[napi(constructor)]
    pub fn new(options: String) -> Result<Self> {
        HostBearer::new(&options).map(Self).map_err(throw)
    }

    /// The token in the value of `Authorization`.
    #[napi]
    pub fn token(&self, authorization: Option<String>) -> Result<String> {
        self.0.token(authorization.as_deref()).map(str::to_owned).map_err(throw)
    }

    /// Throws unless a verified token is good here.
    #[napi]
    pub fn judge(
        &self,
        scopes: Vec<String>,
        expires_at: Option<f64>,
        resource: Option<String>,
    ) -> Result<()> {
        self.0.judge(&scopes, expires_at, resource.as_deref()).map_err(throw)
    }

    /// The answer to a request that is refused, as JSON text.
    #[napi]
    pub fn answer(&self, refused: String) -> Result<String> {
        self.0.answer(&refused).map_err(throw)
    }

    /// The challenge for scopes that one operation needs.
    #[napi]
    pub fn challenge(&self, description: String, scopes: Vec<String>) -> String {
        self.0.challenge(&description, &scopes)
    }
}
