//! Signing in where the program's `fetch` carries the requests. Owns: nothing of its own. Must
//! not know: what a step is.

use mcpbolt::bridge::{HostFlow, decide_auth};
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
