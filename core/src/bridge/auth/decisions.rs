//! Single decisions, for the functions of the official packages that programs call by
//! themselves: where metadata are, which scopes to ask for, how a token request looks.
//!
//! Owns: the names of the decisions, and their arguments as JSON. Must not know: the order in
//! which a flow makes them.

use mcpbolt_proto::auth::challenge::{Challenge, Demand};
use mcpbolt_proto::auth::discovery::{IssuerMatch, PlaceKind, ResourceMatch, resource_places, server_places};
use mcpbolt_proto::auth::dpop;
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::fetch::Answer;
use mcpbolt_proto::auth::metadata::ApplicationType;
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::scope::{Known, Scopes};
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Value, json};

use super::authorization_server;
use super::checks;
use super::choices;
use super::failures::thrown;
use super::host_flow::verifier;
use super::options::{Like, parsed, read};
use super::proofs;
use super::requests;
use super::revocation;
use super::steps::scope;

/// Makes the decision `name`; arguments and result are JSON text. Requests come as a step of a
/// flow has them.
pub fn decide_auth(name: &str, arguments: &str) -> Result<String, Error> {
    let given = parsed(name, arguments)?;
    let value = match name {
        "challenge" => challenge(&read(name, given)?),
        "resource_places" => places(&read(name, given)?)?,
        "server_places" => servers(&read(name, given)?)?,
        "document_status" => choices::document_status(&read(name, given)?),
        "same_issuer" => same_issuer(&read(name, given)?),
        "redirect_issuer" => choices::redirect_issuer(&read(name, given)?),
        "resource_fits" => resource_fits(&read(name, given)?),
        "fetch_rules" => checks::fetch_rules(&read(name, given)?),
        "scope" => scopes(&read(name, given)?)?,
        "scope_union" => union(read(name, given)?)?,
        "authorization_url" => choices::authorization_url(given)?,
        "wants_nonce" => wants_nonce(&read(name, given)?),
        "dpop_proof" => proofs::dpop_proof(&read(name, given)?)?,
        "dpop_key" => proofs::dpop_key(&read(name, given)?)?,
        "token_hash" => proofs::token_hash(&read(name, given)?),
        "is_client_id_url" => is_client_id_url(&read(name, given)?),
        "token_endpoint_is_safe" => is_safe(&read(name, given)?),
        "application_type" => application_type(&read(name, given)?),
        "pkce" => pkce()?,
        "token_request" => requests::tokens(read(name, given)?)?,
        "assertion" => requests::assertion(read(name, given)?)?,
        "client_proof" => requests::client_proof(read(name, given)?)?,
        "token_answer" => requests::token_answer(&read(name, given)?)?,
        "registration_answer" => requests::registration_answer(&read(name, given)?)?,
        "revocation_requests" => revocation::requests(read(name, given)?)?,
        "revocation_answer" => revocation::answer(&read(name, given)?)?,
        _ => authorization_server::decide(name, given)
            .ok_or_else(|| Error::usage(format!("there is no decision {name}")))??,
    };
    Ok(value.to_string())
}

#[derive(Deserialize)]
struct Answered {
    status: u16,
    body: String,
}

/// Whether a token endpoint wants a request once more, with its nonce in the proof.
fn wants_nonce(given: &Answered) -> Value {
    dpop::wants_nonce(&Answer::new(given.status, given.body.as_str())).into()
}

#[derive(Deserialize)]
struct Headers {
    headers: Vec<String>,
    /// The one parameter that is wanted, of whichever scheme.
    parameter: Option<String>,
}

fn challenge(given: &Headers) -> Value {
    let found = Challenge::parse(given.headers.iter().map(String::as_str));
    if let Some(name) = &given.parameter {
        let named = |challenge: &&Challenge| challenge.parameter(name).is_some_and(|value| !value.is_empty());
        return found.iter().find(named).and_then(|challenge| challenge.parameter(name)).into();
    }
    let Some(demand) = Demand::of(&found) else { return Value::Null };
    json!({
        "scheme": demand.scheme.name(),
        "resource_metadata": demand.resource_metadata,
        "scope": demand.scope,
        "error": demand.error,
        "error_description": demand.error_description,
        "wants_more_scope": demand.wants_more_scope(),
        "wants_dpop_nonce": dpop::is_for_nonce(&found),
    })
}

#[derive(Deserialize)]
struct ResourceSearch {
    server_url: String,
    challenge: Option<String>,
    #[serde(default)]
    private_networks: bool,
    #[serde(default)]
    like: Like,
}

fn places(given: &ResourceSearch) -> Result<Value, Error> {
    let guard = checks::guard_of(&given.server_url, given.private_networks)?;
    let server =
        if given.like.is_typescript() { slashless(&given.server_url) } else { given.server_url.clone() };
    let found = resource_places(given.challenge.as_deref(), &server, &guard).map_err(thrown)?;
    Ok(found.places.into_iter().map(|place| place.url).collect())
}

/// The URL without a slash at the end of its path, which those packages take away.
fn slashless(text: &str) -> String {
    let Ok(mut url) = url::Url::parse(text) else { return text.to_owned() };
    let path = url.path().strip_suffix('/').unwrap_or(url.path()).to_owned();
    url.set_path(&path);
    url.into()
}

#[derive(Deserialize)]
struct ServerSearch {
    /// None where the resource named no authorization server.
    issuer: Option<String>,
    server_url: String,
    #[serde(default)]
    private_networks: bool,
}

fn servers(given: &ServerSearch) -> Result<Value, Error> {
    let guard = checks::guard_of(&given.server_url, given.private_networks)?;
    let Some(issuer) = given.issuer.as_deref().filter(|issuer| !issuer.is_empty()) else {
        let server = endpoint::check("server URL", &given.server_url, &guard).map_err(thrown)?;
        let mut found = server_places(&endpoint::origin(&server), &guard).map_err(thrown)?;
        // What 2025-03-26 has of a server that is its own authorization server.
        found.truncate(1);
        return Ok(found.into());
    };
    Ok(server_places(issuer, &guard).map_err(thrown)?.into())
}

#[derive(Deserialize)]
struct Two {
    one: String,
    other: String,
    /// Whether both are as they were published: then no slash more or less is the host's.
    #[serde(default)]
    published: bool,
    #[serde(default)]
    like: Like,
}

fn same_issuer(given: &Two) -> Value {
    let matching = match given.like {
        _ if given.published => IssuerMatch::Identical,
        Like::Typescript | Like::Typescript2 => IssuerMatch::AnySlash,
        _ => IssuerMatch::OriginSlash,
    };
    matching.holds(&given.one, &given.other).into()
}

#[derive(Deserialize)]
struct OneUrl {
    url: String,
    #[serde(default)]
    like: Like,
}

fn resource_fits(given: &Two) -> Value {
    ResourceMatch::Within.holds(&given.one, &given.other, PlaceKind::Path).into()
}

#[derive(Deserialize)]
struct ScopeSources {
    challenge: Option<String>,
    resource: Option<Vec<String>>,
    server: Option<Vec<String>>,
    configured: Option<String>,
    #[serde(default)]
    all_of_server: bool,
    #[serde(default)]
    refreshable: bool,
}

fn scopes(given: &ScopeSources) -> Result<Value, Error> {
    let text = |text: &Option<String>| text.as_deref().map(|text| Scopes::parse("scope", text)).transpose();
    let list = |list: &Option<Vec<String>>| {
        let list = list.as_ref();
        list.map(|list| Scopes::from_list("scopes_supported", list.iter().map(String::as_str))).transpose()
    };
    let (challenge, configured) =
        (text(&given.challenge).map_err(thrown)?, text(&given.configured).map_err(thrown)?);
    let (resource, server) = (list(&given.resource).map_err(thrown)?, list(&given.server).map_err(thrown)?);
    let known = Known {
        challenge: challenge.as_ref(),
        resource: resource.as_ref(),
        server: server.as_ref(),
        configured: configured.as_ref(),
        all_of_server: given.all_of_server,
        refreshable: given.refreshable,
    };
    Ok(scope(&known.choose().to_string()))
}

#[derive(Deserialize)]
struct ScopeTexts {
    scopes: Vec<Option<String>>,
}

fn union(given: ScopeTexts) -> Result<Value, Error> {
    let mut all = Scopes::default();
    for text in given.scopes.into_iter().flatten() {
        all = all.union(&Scopes::parse("scope", &text).map_err(thrown)?);
    }
    Ok(scope(&all.to_string()))
}

fn is_client_id_url(given: &OneUrl) -> Value {
    ClientInformation::of_document(&given.url).is_ok().into()
}

fn is_safe(given: &OneUrl) -> Value {
    let Ok(url) = url::Url::parse(&given.url) else { return false.into() };
    let local = if given.like.is_typescript() {
        choices::is_listed_loopback(&url)
    } else {
        endpoint::is_loopback(&url)
    };
    (url.scheme() == "https" || local).into()
}

#[derive(Deserialize)]
struct RedirectUris {
    redirect_uris: Vec<String>,
    #[serde(default)]
    like: Like,
}

fn application_type(given: &RedirectUris) -> Value {
    let kind = if given.like.is_typescript() {
        choices::listed_application_type(&given.redirect_uris)
    } else {
        ApplicationType::of(&given.redirect_uris)
    };
    serde_json::to_value(kind).unwrap_or_default()
}

fn pkce() -> Result<Value, Error> {
    let verifier = verifier()?;
    Ok(json!({"code_verifier": verifier.secret(), "code_challenge": verifier.challenge()}))
}
