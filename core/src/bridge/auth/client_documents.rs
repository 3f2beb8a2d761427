//! Clients of an authorization server of the host's whose id is the URL of a document.
//!
//! Owns: looking them up as JSON, at once where nobody has to be asked. Must not know: which
//! documents are good, for how long.

use std::sync::Arc;

use mcpbolt_proto::auth::authorization_server::DocumentPlaces;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;

use crate::auth::ClientDocuments;

use super::authorization_server::told;
use super::options::{parsed, read};
use super::pending::PendingText;

/// Looks clients up. A refusal is the data of the error: `{error, error_description}`.
pub struct HostClientDocuments(Arc<ClientDocuments>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    #[serde(default)]
    this_machine: bool,
    #[serde(default)]
    private_networks: bool,
}

impl HostClientDocuments {
    /// From JSON text: where documents may be besides the public internet, `this_machine` and
    /// `private_networks`; both may be left out.
    pub fn new(places: &str) -> Result<Self, Error> {
        let Places { this_machine, private_networks } = read("places", parsed("places", places)?)?;
        Ok(Self(Arc::new(ClientDocuments::new(DocumentPlaces { this_machine, private_networks }))))
    }

    /// Begins to look a client up: `{"client": metadata, "host": …}` as JSON text, or what has to be
    /// waited for.
    pub fn client(&self, client_id: &str) -> Result<Result<String, PendingText>, Error> {
        let (documents, client_id) = (Arc::clone(&self.0), client_id.to_owned());
        PendingText::begin_text(async move { told(documents.client(&client_id).await.as_deref()) })
    }
}
