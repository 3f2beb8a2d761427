//! Decisions of a flow that hosts walk through by themselves, because the programs of the
//! official TypeScript packages are asked in an order of their own.
//!
//! Owns: their arguments and results as JSON, and where those packages choose otherwise.
//! Must not know: in which order they are made.

use std::time::Duration;

use mcpbolt_proto::auth::authorization_request::{AuthorizationRequest, Pending};
use mcpbolt_proto::auth::discovery::IssuerMatch;
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::flow::Options;
use mcpbolt_proto::auth::metadata::{ApplicationType, AuthorizationServerMetadata, ClientMetadata};
use mcpbolt_proto::auth::redirect::IssuerCheck;
use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin, Situation, Unbound, Way};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::Spent;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use super::failures::thrown;
use super::host_flow::verifier;
use super::options::{HostClient, Like, read, server_metadata};

/// How a place answered that may have metadata; no status means that it was not reached.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentAnswer {
    status: Option<u16>,
    #[serde(default)]
    like: Like,
}

/// Whether the document is read, the next place is looked at, or the search ends.
pub(super) fn document_status(given: &DocumentAnswer) -> Value {
    let stands_between = given.like == Like::Typescript2;
    match given.status {
        Some(200..=299) => "read",
        // A gateway speaks for itself there, not for the server.
        Some(502) if stands_between => "next",
        Some(500..) if given.like.is_typescript() => "end",
        _ => "next",
    }
    .into()
}

/// The issuer that an authorization response names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResponseIssuer {
    iss: Option<String>,
    expected: String,
    #[serde(default)]
    promised: bool,
}

pub(super) fn redirect_issuer(given: &ResponseIssuer) -> Value {
    IssuerCheck::Required.holds(given.iss.as_deref(), &given.expected, given.promised).into()
}

/// What a host keeps of a client, and whether it can keep another.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptClient {
    issuer: String,
    metadata: Option<Map<String, Value>>,
    client: Option<HostClient>,
    metadata_url: Option<String>,
    can_register: bool,
}

/// How the client becomes known: `known`, `document` or `register`.
pub(super) fn client(given: KeptClient) -> Result<Value, Error> {
    let server = match &given.metadata {
        Some(_) => server_metadata(given.metadata.as_ref())?,
        None => AuthorizationServerMetadata::assumed(&given.issuer),
    };
    let kept = given.client.map(|kept| {
        let client = kept.client(None);
        let here = client.issuer.as_deref().is_none_or(|of| IssuerMatch::AnySlash.holds(of, &given.issuer));
        let issuer = if here { Some(given.issuer.clone()) } else { client.issuer.clone() };
        let elsewhere = !here && given.can_register;
        let origin = if elsewhere { ClientOrigin::Dynamic } else { ClientOrigin::PreRegistered };
        // Whether its secret still holds, the server says.
        ClientInformation { issuer, origin, client_secret_expires_at: None, ..client }
    });
    let situation = Situation {
        issuer: &given.issuer,
        server: &server,
        clients: kept.as_slice(),
        metadata: &ClientMetadata::default(),
        metadata_url: given.metadata_url.as_deref(),
        unbound: Unbound::Bind,
        now: Duration::ZERO,
    };
    Ok(match situation.way().map_err(thrown)? {
        Way::Known(client) if client.origin == ClientOrigin::MetadataDocument => "document",
        Way::Known(_) => "known",
        Way::Register | Way::AskUser => "register",
    }
    .into())
}

/// An authorization request. Without metadata the endpoint of 2025-03-26 is at `base`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostAuthorization {
    metadata: Option<Map<String, Value>>,
    base: String,
    client_id: String,
    redirect_uri: String,
    scope: Option<String>,
    state: Option<Secret>,
    resource: Option<String>,
    #[serde(default)]
    like: Like,
}

/// The URL to open, and the verifier to keep.
pub(super) fn authorization_url(given: Value) -> Result<Value, Error> {
    let given: HostAuthorization = read("authorization_url", given)?;
    let base = Options::new(given.base.as_str());
    let guard = base.guard().map_err(thrown)?;
    let assumed = given.metadata.is_none();
    let server = if assumed {
        let base = endpoint::check("server URL", &given.base, &guard).map_err(thrown)?;
        AuthorizationServerMetadata::assumed(&endpoint::origin(&base))
    } else {
        server_metadata(given.metadata.as_ref())?
    };
    let scopes = Scopes::parse("scope", given.scope.as_deref().unwrap_or_default()).map_err(thrown)?;
    let pending = Pending {
        issuer: server.issuer.clone(),
        says_issuer: server.authorization_response_iss_parameter_supported,
        state: given.state.unwrap_or_else(|| Secret::new("")),
        verifier: verifier()?,
        client_id: given.client_id,
        redirect_uri: given.redirect_uri,
        resource: given.resource,
        scopes,
    };
    let request = AuthorizationRequest { server: &server, pending: &pending, extra: &[], private_use: false };
    let pkce = (!assumed).then(|| given.like.compatibility().pkce);
    let url = request.url_of_host(pkce, &guard).map_err(thrown)?;
    Ok(json!({"url": url, "code_verifier": pending.verifier.secret()}))
}

/// A token request that failed. Without `error` nobody could read why.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostRefusal {
    error: Option<String>,
}

/// What is forgotten, and whether the user is asked if tokens should only have been refreshed.
pub(super) fn refusal(given: &HostRefusal) -> Value {
    let spent = given.error.as_deref().and_then(Spent::by);
    let forget = spent.map(|spent| match spent {
        Spent::Client => "client",
        Spent::Tokens => "tokens",
    });
    let unclear = given.error.as_deref().is_none_or(|error| error == "server_error");
    json!({"forget": forget, "ask_user": unclear})
}

/// Whether a URL is of this machine by the names that those packages know.
pub(super) fn is_listed_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    matches!(host, "localhost" | "127.0.0.1" | "[::1]") || host.ends_with(".localhost")
}

/// Whether a client is native, as those packages derive it: a scheme of its own, or a place on
/// this machine.
pub(super) fn listed_application_type(redirect_uris: &[String]) -> ApplicationType {
    let mut urls = redirect_uris.iter().filter_map(|uri| Url::parse(uri).ok());
    let native = urls.any(|url| !matches!(url.scheme(), "http" | "https") || is_listed_loopback(&url));
    if native { ApplicationType::Native } else { ApplicationType::Web }
}
