//! Decisions of an authorization server, for the helpers of the official packages.
//!
//! Owns: their names, and their arguments and results as JSON. Must not know: what is decided;
//! the endpoints, which are the host's.

use mcpbolt_proto::auth::authorization_server as server;
use mcpbolt_proto::auth::authorization_server::{
    AssertionRules, AuthorizationRequest, Endpoint, HeldCode, HeldToken, KnownClient, NamedClient, Refused,
    RegistrationRules, ServerDocument, WantedClient,
};
use mcpbolt_proto::auth::provider_presets::{ProviderPreset, TokenForm};
use mcpbolt_proto::auth::words::Words;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::host_flow::now;
use super::options::read;

/// Makes the decision `name`; `None` if there is none of this name.
pub(super) fn decide(name: &str, given: Value) -> Option<Result<Value, Error>> {
    Some(match name {
        "authorize_client" => read(name, given)
            .and_then(|given: Form| shown(NamedClient::read(given.form.as_ref(), given.words))),
        "authorize_request" => read(name, given)
            .and_then(|given: Form| shown(AuthorizationRequest::read(given.form.as_ref(), given.words))),
        "redirect_choice" => read(name, given).and_then(|given: Redirect| {
            let requested = given.requested.as_deref();
            shown(server::redirect_choice(&given.registered, requested, given.words))
        }),
        "redirect_matches" => read(name, given)
            .map(|given: TwoUrls| server::redirect_matches(&given.requested, &given.registered).into()),
        "registered_scopes" => read(name, given).and_then(|given: ScopeOf| {
            shown(server::registered_scopes(given.registered.as_deref(), given.requested.as_deref()))
        }),
        "named_client" => read(name, given)
            .and_then(|given: Form| shown(server::named_client(given.form.as_ref(), given.words))),
        "prove_client" => read(name, given).and_then(|given: Proof| prove(&given)),
        "read_token_request" => read(name, given).and_then(|given: TokenRequestForm| token_request(&given)),
        "check_code" => read(name, given).and_then(|given: Exchange<HeldCode>| {
            shown(server::check_code(&given.asked, given.held.as_ref(), seconds(given.now)))
        }),
        "check_refresh" => read(name, given).and_then(|given: Exchange<HeldToken>| {
            shown(server::check_refresh(&given.asked, given.held.as_ref(), seconds(given.now)))
        }),
        "check_verifier" => read(name, given).and_then(|given: Pkce| {
            shown(server::check_verifier(&given.verifier, &given.challenge, given.words))
        }),
        "check_assertion_grant" => read(name, given).and_then(|given: AssertionGrant| {
            shown(server::check_assertion_grant(given.enabled, given.confidential))
        }),
        "judge_assertion" => read(name, given).and_then(assertion),
        "names_document" => {
            read(name, given).map(|given: Id| server::names_document(&given.client_id).into())
        }
        "read_revocation" => read(name, given)
            .and_then(|given: Form| shown(server::read_revocation(given.form.as_ref(), given.words))),
        "register_client" => read(name, given).and_then(register),
        _ => return tell(name, given),
    })
}

/// What a server says: its answers, its documents, and what its settings stand for.
fn tell(name: &str, given: Value) -> Option<Result<Value, Error>> {
    Some(match name {
        "refusal_answer" => read(name, given).and_then(|given: Refusal| {
            let mut answer = given.refused.answer(given.endpoint, given.words);
            if let Some(state) = given.state {
                answer.body["state"] = state.into();
            }
            json_of(&answer)
        }),
        "unproved_answer" => read(name, given).and_then(|given: Unproved| {
            let refused = Refused::unproved(given.error_description, given.endpoint, given.words);
            json_of(&refused.answer(given.endpoint, given.words))
        }),
        "with_issuer" => read(name, given).map(|given: Location| {
            server::with_issuer(&given.uri, &given.redirect_uri, &given.issuer).into()
        }),
        "server_document" => {
            read(name, given).map(|given: Document| Value::Object(given.server.members(given.words)))
        }
        "issuer_url" => read(name, given).and_then(|given: IssuerUrl| {
            let judged = server::check_issuer(&given.url, given.words, given.insecure);
            judged.map(|()| Value::Null).map_err(Error::usage)
        }),
        "resource_metadata_url" => read(name, given).map(|given: ResourceUrl| {
            server::resource_metadata_url(&given.url, given.words == Words::TypeScript2).into()
        }),
        "provider_preset" => read(name, given).and_then(|given: Preset| preset(&given)),
        _ => return None,
    })
}

/// A result as JSON; a refusal is the data of the error.
fn shown<T: serde::Serialize>(judged: Result<T, Refused>) -> Result<Value, Error> {
    json_of(&judged.map_err(|refused| thrown(&refused))?)
}

/// An answer as JSON text.
pub(super) fn told<T: serde::Serialize>(answer: Result<&T, &Refused>) -> Result<String, Error> {
    Ok(json_of(answer.map_err(thrown)?)?.to_string())
}

pub(super) fn json_of<T: serde::Serialize>(value: &T) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|why| Error::new(ErrorKind::Internal, why.to_string()))
}

pub(super) fn thrown(refused: &Refused) -> Error {
    Error::usage(refused.to_string()).with_data(json!(refused))
}

/// The host's own clock counts where it is given: its tests may have moved it.
fn seconds(hosts: Option<f64>) -> f64 {
    hosts.unwrap_or_else(|| now().as_secs_f64())
}

#[derive(Deserialize)]
struct Form {
    form: Option<Value>,
    words: Words,
}

#[derive(Deserialize)]
struct Id {
    client_id: String,
}

#[derive(Deserialize)]
struct Redirect {
    registered: Vec<String>,
    requested: Option<String>,
    words: Words,
}

#[derive(Deserialize)]
struct TwoUrls {
    requested: String,
    registered: String,
}

#[derive(Deserialize)]
struct ScopeOf {
    registered: Option<String>,
    requested: Option<String>,
}

#[derive(Deserialize)]
struct Proof {
    form: Value,
    authorization: Option<String>,
    client: Option<KnownClient>,
    words: Words,
    /// In seconds since 1970.
    now: Option<f64>,
}

fn prove(given: &Proof) -> Result<Value, Error> {
    let authorization = given.authorization.as_deref();
    let now = seconds(given.now);
    shown(server::prove_client(given.client.as_ref(), &given.form, authorization, given.words, now))
}

#[derive(Deserialize)]
struct TokenRequestForm {
    form: Option<Value>,
    words: Words,
    /// The grants the client is registered with; not looked at where the package does not.
    grant_types: Option<Vec<String>>,
    /// Whether assertions of identity providers are taken, in TypeScript.
    #[serde(default)]
    assertions: bool,
}

fn token_request(given: &TokenRequestForm) -> Result<Value, Error> {
    let asked = server::read_token_request(given.form.as_ref(), given.words, given.assertions);
    shown(asked.and_then(|asked| {
        let grant = asked.get("grant_type").and_then(Value::as_str).unwrap_or_default();
        given.grant_types.as_ref().map_or(Ok(()), |known| server::check_grant(grant, known))?;
        Ok(asked)
    }))
}

#[derive(Deserialize)]
struct Exchange<T> {
    asked: Map<String, Value>,
    held: Option<T>,
    /// In seconds since 1970.
    now: Option<f64>,
}

#[derive(Deserialize)]
struct Pkce {
    verifier: String,
    challenge: String,
    words: Words,
}

#[derive(Deserialize)]
struct AssertionGrant {
    enabled: bool,
    confidential: bool,
}

#[derive(Deserialize)]
struct Assertion {
    rules: AssertionRules,
    header: Map<String, Value>,
    claims: Map<String, Value>,
    client_id: String,
    scope: Option<String>,
    resource: Option<String>,
}

/// The signature is the host's to verify, with a library; so is that no id comes twice.
fn assertion(given: Assertion) -> Result<Value, Error> {
    given.rules.check_header(&given.header).map_err(|refused| thrown(&refused))?;
    let (scope, resource) = (given.scope.as_deref(), given.resource.as_deref());
    shown(given.rules.judge(given.claims, &given.client_id, scope, resource, now()))
}

#[derive(Deserialize)]
struct Registration {
    #[serde(flatten)]
    rules: RegistrationRules,
    wanted: WantedClient,
    words: Words,
}

fn register(given: Registration) -> Result<Value, Error> {
    let mut random = [0; 48];
    getrandom::fill(&mut random)
        .map_err(|_| Error::new(ErrorKind::Internal, "the system has no random bytes"))?;
    let now = i64::try_from(now().as_secs()).unwrap_or(i64::MAX);
    shown(given.rules.register(given.wanted, given.words, &random, now))
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(flatten)]
    refused: Refused,
    /// Of the request, where the user sees the answer.
    state: Option<String>,
    endpoint: Endpoint,
    words: Words,
}

#[derive(Deserialize)]
struct Unproved {
    error_description: String,
    endpoint: Endpoint,
    words: Words,
}

#[derive(Deserialize)]
struct Location {
    #[serde(rename = "location")]
    uri: String,
    redirect_uri: String,
    issuer: String,
}

#[derive(Deserialize)]
struct Document {
    #[serde(flatten)]
    server: ServerDocument,
    words: Words,
}

#[derive(Deserialize)]
struct IssuerUrl {
    url: String,
    words: Words,
    #[serde(default)]
    insecure: bool,
}

#[derive(Deserialize)]
struct ResourceUrl {
    url: String,
    words: Words,
}

#[derive(Deserialize)]
struct Preset {
    provider: String,
    values: std::collections::BTreeMap<String, String>,
}

fn preset(given: &Preset) -> Result<Value, Error> {
    let unknown = || Error::usage("provider: there is no preset of this name; use oidc with an issuer");
    let row = ProviderPreset::named(&given.provider).ok_or_else(unknown)?;
    let values: Vec<(&str, &str)> =
        given.values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let issuer = row.issuer(&values)?;
    Ok(json!({
        "issuer": issuer,
        "signed": row.tokens == TokenForm::Signed,
        "names_resource": row.names_resource,
        "note": row.note,
    }))
}
