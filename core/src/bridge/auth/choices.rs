//! Decisions of the functions that the official TypeScript packages have beside their flow.
//!
//! Owns: their arguments and results as JSON, and where those packages choose otherwise.
//! Must not know: in which order they are made.

use mcpbolt_proto::auth::authorization_request::{AuthorizationRequest, Pending};
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::flow::Options;
use mcpbolt_proto::auth::metadata::{ApplicationType, AuthorizationServerMetadata};
use mcpbolt_proto::auth::redirect::IssuerCheck;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use super::failures::thrown;
use super::host_flow::verifier;
use super::options::{Like, read, server_metadata};

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
    let ends = given.like.compatibility().failure_ends;
    match given.status {
        Some(200..=299) => "read",
        Some(status @ 500..) if ends.ends(status) => "end",
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
