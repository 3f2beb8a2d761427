//! What only the host's program has: the services `oauth.supply` and `oauth.register`.
//!
//! Owns: what they are given, how their answers are read. Must not know: what it is used for.

use std::sync::Weak;

use serde_json::{Value, json};

use mcpbolt_proto::auth::flow::Need;
use mcpbolt_proto::auth::metadata::ClientMetadata;
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::auth::{AssertionKey, Supplier};
use crate::bridge::auth::steps::need as described;
use crate::bridge::queue::inbox::Inbox;
use crate::handler::BoxFuture;

/// A key that the engine signs with, and which services the host has.
pub(super) struct Supplies {
    pub(super) inbox: Weak<Inbox>,
    pub(super) key: Option<AssertionKey>,
    pub(super) supply: bool,
    pub(super) register: bool,
}

impl Supplies {
    /// Asks the host; `None` if it has none.
    async fn ask(&self, service: &str, payload: Value) -> Result<Option<RawJson>, Error> {
        let inbox = self.inbox.upgrade().ok_or_else(Error::closed)?;
        let asked = inbox.ask_host(service, payload.into());
        drop(inbox);
        Ok(Some(asked.await?).filter(|answer| !answer.is_null()))
    }
}

impl Supplier for Supplies {
    fn supply<'a>(&'a self, need: &'a Need) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
        Box::pin(async move {
            if let (Some(key), Need::ClientAssertion { .. }) = (&self.key, need) {
                return key.assertion_for(need);
            }
            if !self.supply {
                return Ok(None);
            }
            let Some(answer) = self.ask("oauth.supply", described(need)).await? else { return Ok(None) };
            let wrong = || Error::usage("oauth.supply must answer null or text");
            answer.as_string().map(|text| Some(Secret::new(text))).ok_or_else(wrong)
        })
    }

    fn register_by_hand<'a>(
        &'a self,
        issuer: &'a str,
        metadata: &'a ClientMetadata,
    ) -> BoxFuture<'a, Result<Option<ClientInformation>, Error>> {
        Box::pin(async move {
            if !self.register {
                return Ok(None);
            }
            let payload = json!({"issuer": issuer, "metadata": metadata.json()});
            let Some(answer) = self.ask("oauth.register", payload).await? else { return Ok(None) };
            let wrong = |why| Error::usage(format!("oauth.register: {why}"));
            let mut client: ClientInformation = answer.decode().map_err(wrong)?;
            client.issuer.get_or_insert_with(|| issuer.to_owned());
            Ok(Some(client))
        })
    }
}
