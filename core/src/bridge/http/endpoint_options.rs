//! Options of an HTTP endpoint, with the services that the host wrote.
//!
//! Owns: which service is asked for which option. Must not know: what a service answers.

use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use crate::auth::ResourceServer;
use crate::bridge::options::http::HttpText;
use crate::bridge::options::resource_server::ResourceServerText;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::services::body_words::AskBodyWords;
use crate::bridge::services::event_store::HostEvents;
use crate::bridge::services::token_verifier::AskTokenVerifier;
use crate::bridge::services::verifier::AskVerifier;
use crate::handler::Engine;
use crate::transport::streamable_http::server::HttpOptions;

/// For the engine's HTTP server; services of the host are asked in `inbox`.
pub(crate) fn endpoint_options(
    text: &HttpText,
    engine: &Arc<Engine>,
    inbox: &Arc<Inbox>,
) -> Result<HttpOptions, Error> {
    let mut options = text.engine_options(engine)?;
    if text.verify() {
        options.verify = Some(Arc::new(AskVerifier(Arc::clone(inbox))));
    }
    if let Some(tokens) = text.resource_server() {
        options.verify = Some(Arc::new(resource_server(tokens, inbox)?));
    }
    if engine.settings.norm.asks_for_bodies {
        options.body_words = Some(Arc::new(AskBodyWords(Arc::clone(inbox))));
    }
    if text.event_store() {
        options.event_recorder = Some(Arc::new(HostEvents(Arc::clone(inbox))));
    }
    Ok(options)
}

fn resource_server(text: &ResourceServerText, inbox: &Arc<Inbox>) -> Result<ResourceServer, Error> {
    let server = text.builder()?;
    match text.verifier()? {
        Some(service) => server.verifier(AskTokenVerifier(Arc::clone(inbox), service)).build(),
        None => server.build(),
    }
}
