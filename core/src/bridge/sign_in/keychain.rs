//! Credentials that the host keeps, in a keychain or elsewhere: the services `oauth.load` and
//! `oauth.save`.
//!
//! Owns: what they are given, how their answers are read. Must not know: what is in a text, but
//! for whether it says nothing.

use std::sync::Weak;

use serde_json::{Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::auth::{CredentialStore, Credentials};
use crate::bridge::queue::inbox::Inbox;
use crate::handler::BoxFuture;

/// The host's keychain.
pub(super) struct Keychain(pub(super) Weak<Inbox>);

impl Keychain {
    fn ask(&self, service: &str, payload: Value) -> BoxFuture<'static, Result<RawJson, Error>> {
        match self.0.upgrade() {
            Some(inbox) => inbox.ask_host(service, payload.into()),
            None => Box::pin(std::future::ready(Err(Error::closed()))),
        }
    }
}

impl CredentialStore for Keychain {
    fn load<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<Credentials, Error>> {
        let answer = self.ask("oauth.load", json!({"key": server}));
        Box::pin(async move {
            let answer = answer.await?;
            if answer.is_null() {
                return Ok(Credentials::default());
            }
            let kept = answer.as_string().and_then(|text| serde_json::from_str(&text).ok());
            kept.ok_or_else(|| {
                let words = format!("oauth.load: what is kept for {server} is not what was saved; delete it");
                Error::new(ErrorKind::Store, words)
            })
        })
    }

    fn save<'a>(&'a self, server: &'a str, credentials: &'a Credentials) -> BoxFuture<'a, Result<(), Error>> {
        let kept = (*credentials != Credentials::default())
            .then(|| serde_json::to_string(credentials).unwrap_or_default());
        let answer = self.ask("oauth.save", json!({"key": server, "value": kept}));
        Box::pin(async move { answer.await.map(drop) })
    }
}
