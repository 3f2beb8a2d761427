//! Token requests outside a flow, and answers to requests.
//!
//! Owns: their arguments and results as JSON. Must not know: when they are made.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::fetch::{Answer, Body, Fetch, Rules};
use mcpbolt_proto::auth::flow::Options;
use mcpbolt_proto::auth::metadata::AuthorizationServerMetadata;
use mcpbolt_proto::auth::pkce::Verifier;
use mcpbolt_proto::auth::registration::{ClientInformation, read_registration};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::{ClientAuthentication, Expected, Grant, Method, TokenRequest, read_tokens};
use mcpbolt_proto::policy::discovery::Guard;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::auth::AssertionKey;

use super::failures::thrown;
use super::host_flow::now;
use super::options::{HostClient, Like, server_metadata};
use super::steps::{fetch, tokens as told};

/// A grant, by the name that requests have for it.
#[derive(Deserialize)]
#[serde(tag = "grant_type", rename_all = "snake_case")]
enum HostGrant {
    AuthorizationCode {
        code: Secret,
        code_verifier: Verifier,
        redirect_uri: String,
    },
    RefreshToken {
        refresh_token: Secret,
    },
    ClientCredentials,
    #[serde(rename = "urn:ietf:params:oauth:grant-type:jwt-bearer")]
    JwtBearer {
        assertion: Secret,
    },
    #[serde(rename = "urn:ietf:params:oauth:grant-type:token-exchange")]
    TokenExchange {
        subject_token: Secret,
        subject_token_type: String,
        requested_token_type: String,
        audience: String,
    },
}

impl HostGrant {
    fn grant(self) -> Grant {
        match self {
            Self::AuthorizationCode { code, code_verifier: verifier, redirect_uri } => {
                Grant::AuthorizationCode { code, verifier, redirect_uri }
            }
            Self::RefreshToken { refresh_token } => Grant::RefreshToken { refresh_token },
            Self::ClientCredentials => Grant::ClientCredentials,
            Self::JwtBearer { assertion } => Grant::JwtBearer { assertion },
            Self::TokenExchange { subject_token, subject_token_type, requested_token_type, audience } => {
                Grant::TokenExchange { subject_token, subject_token_type, requested_token_type, audience }
            }
        }
    }
}

/// A token request. Without a client the grant says who asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostTokenRequest {
    server_url: String,
    grant: HostGrant,
    client: Option<HostClient>,
    metadata: Option<Map<String, Value>>,
    /// Where the endpoint of 2025-03-26 is, if the metadata name none.
    base: String,
    resource: Option<String>,
    scope: Option<String>,
    assertion: Option<Secret>,
    #[serde(default)]
    extra: Map<String, Value>,
    #[serde(default)]
    like: Like,
}

pub(super) fn tokens(given: HostTokenRequest) -> Result<Value, Error> {
    let metadata = server_metadata(given.metadata.as_ref())?;
    let guard = Options::new(given.server_url.as_str()).guard().map_err(thrown)?;
    let client = given.client.map(|client| client.client(None));
    let supported = metadata.token_endpoint_auth_methods_supported.as_deref();
    let proof = match &client {
        None => ClientAuthentication::Nobody,
        Some(client) => {
            let method = Method::choose(client, supported).map_err(thrown)?;
            ClientAuthentication::of(client, method, given.assertion).map_err(thrown)?
        }
    };
    let endpoint = if let Some(endpoint) = metadata.token_endpoint {
        endpoint
    } else {
        let base = endpoint::check("server URL", &given.base, &guard).map_err(thrown)?;
        format!("{}/token", endpoint::origin(&base))
    };
    let scopes = Scopes::parse("scope", given.scope.as_deref().unwrap_or_default()).map_err(thrown)?;
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let extra = given.extra.into_iter().map(|(name, value)| (name, Secret::new(text(value)))).collect();
    let request = TokenRequest { grant: given.grant.grant(), resource: given.resource, scopes, extra };
    let writing = given.like.compatibility().writing;
    Ok(fetch(&request.fetch(&endpoint, &proof, writing, &guard).map_err(thrown)?))
}

/// What proves a client in a token request, besides the grant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostProof {
    client: HostClient,
    metadata: Option<Map<String, Value>>,
    assertion: Option<Secret>,
    #[serde(default)]
    like: Like,
}

/// How a client proves itself.
pub(super) fn proof_of(
    client: &ClientInformation,
    metadata: &AuthorizationServerMetadata,
    assertion: Option<Secret>,
    like: Like,
) -> Result<ClientAuthentication, Error> {
    let method = method_of(client, metadata, like)?;
    // Without its secret a client of that package says who it is, no more.
    let bare = like.is_typescript() && client.client_secret.is_none();
    let shown = if bare { Method::None } else { method };
    ClientAuthentication::of(client, shown, assertion).map_err(thrown)
}

fn method_of(
    client: &ClientInformation,
    metadata: &AuthorizationServerMetadata,
    like: Like,
) -> Result<Method, Error> {
    let supported = metadata.token_endpoint_auth_methods_supported.as_deref();
    if like.is_typescript() {
        return Ok(Method::choose_listed(client, supported.unwrap_or_default()));
    }
    Method::choose(client, supported).map_err(thrown)
}

pub(super) fn client_proof(given: HostProof) -> Result<Value, Error> {
    let metadata = server_metadata(given.metadata.as_ref())?;
    let client = given.client.client(None);
    let method = method_of(&client, &metadata, given.like)?;
    let proof = proof_of(&client, &metadata, given.assertion, given.like)?;
    let (fields, header) = proof.parts(given.like.compatibility().writing);
    let form: Map<String, Value> =
        fields.into_iter().map(|(name, value)| (name, value.expose().into())).collect();
    Ok(json!({"method": method.name(), "form": form, "authorization": header}))
}

/// A signed assertion. The key is PEM, or the shared secret; `base64url` says that it is
/// written so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostAssertion {
    algorithm: String,
    key: Secret,
    #[serde(default)]
    base64url: bool,
    issuer: String,
    subject: String,
    audience: String,
    lifetime: Option<f64>,
    #[serde(default)]
    claims: Map<String, Value>,
}

pub(super) fn assertion(given: HostAssertion) -> Result<Value, Error> {
    let text = given.key.expose();
    let wrong = |_| Error::usage("key: it is no base64url");
    let bytes =
        if given.base64url { URL_SAFE_NO_PAD.decode(text).map_err(wrong)? } else { text.as_bytes().to_vec() };
    let mut key = AssertionKey::new(&given.algorithm, &bytes)?;
    if let Some(seconds) = given.lifetime {
        let wrong = |_| Error::usage("lifetime: it has to be a number of seconds");
        key = key.lifetime(Duration::try_from_secs_f64(seconds).map_err(wrong)?);
    }
    let signed = key.assertion(&given.issuer, &given.subject, &given.audience, given.claims)?;
    Ok(json!(signed))
}

/// An answer as it came.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostAnswer {
    status: u16,
    body: String,
    #[serde(default)]
    issuer: String,
    #[serde(default)]
    like: Like,
    /// Whether the request went with a proof of possession.
    #[serde(default)]
    proved: bool,
}

pub(super) fn token_answer(given: &HostAnswer) -> Result<Value, Error> {
    let answer = Answer::new(given.status, given.body.as_str());
    let request = Fetch::post(String::new(), Body::None, Rules::credentials(Guard::default()));
    let bearer_if_unsaid = given.like.compatibility().bearer_if_unsaid;
    let scopes = Scopes::default();
    let expected = Expected {
        request: &request,
        scopes: &scopes,
        issued_type: None,
        bearer_if_unsaid,
        proved: given.proved,
    };
    let now = now();
    let tokens = read_tokens(&answer, expected, now).map_err(thrown)?;
    let mut all = told(&tokens);
    all["expires_in"] = tokens.expires_at.map(|end| end.saturating_sub(now.as_secs())).into();
    Ok(all)
}

pub(super) fn registration_answer(given: &HostAnswer) -> Result<Value, Error> {
    let answer = Answer::new(given.status, given.body.as_str());
    let rules = Rules::credentials(Guard::default());
    let client = read_registration(&answer, &given.issuer, &rules).map_err(thrown)?;
    Ok(serde_json::to_value(client).unwrap_or_default())
}
