//! Checks of what servers say, for hosts that walk through a flow by themselves.
//!
//! Owns: their arguments and results as JSON. Must not know: when a host makes them, and how it
//! sends requests.

use mcpbolt_proto::auth::discovery::{PlaceKind, ResourceMatch, resource_places};
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::fetch::Rules;
use mcpbolt_proto::auth::flow::Options;
use mcpbolt_proto::policy::discovery::{Guard, Unsafe};
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::failures::thrown;

/// What a server may point at; `private_networks` opens those of a company.
pub(super) fn guard_of(server_url: &str, private_networks: bool) -> Result<Guard, Error> {
    Options { private_networks, ..Options::new(server_url) }.guard().map_err(thrown)
}

/// A request: for a document, or with credentials.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostRequest {
    credentials: bool,
}

/// How much of an answer is read, and how many redirects are followed.
pub(super) fn fetch_rules(given: &HostRequest) -> Value {
    let guard = Guard::default();
    let rules = if given.credentials { Rules::credentials(guard) } else { Rules::document(guard) };
    json!({"max_bytes": rules.max_bytes, "max_redirects": rules.max_redirects})
}

/// `resource` of the metadata that were found at `place`; without it they were found earlier.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedResource {
    server_url: String,
    published: String,
    place: Option<String>,
}

/// Whether the metadata are those of the server.
pub(super) fn resource_published(given: &PublishedResource) -> Result<Value, Error> {
    let kind = match &given.place {
        None => PlaceKind::Root,
        Some(place) => {
            let guard = guard_of(&given.server_url, true)?;
            let found = resource_places(Some(place), &given.server_url, &guard).map_err(thrown)?;
            found.places.first().map_or(PlaceKind::Challenge, |place| place.kind)
        }
    };
    Ok(ResourceMatch::Exact.holds(&given.published, &given.server_url, kind).into())
}

#[derive(Debug, Clone, Copy, Deserialize)]
enum Member {
    #[serde(rename = "authorization_endpoint")]
    Authorization,
    #[serde(rename = "token_endpoint")]
    Token,
    #[serde(rename = "registration_endpoint")]
    Registration,
}

impl Member {
    const fn name(self) -> &'static str {
        match self {
            Self::Authorization => "authorization_endpoint",
            Self::Token => "token_endpoint",
            Self::Registration => "registration_endpoint",
        }
    }
}

/// An endpoint that a server points at.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointedAt {
    member: Member,
    url: String,
    server_url: String,
    #[serde(default)]
    private_networks: bool,
}

/// Refuses an endpoint on this machine or in a private network that the server may not point at.
/// Whether others could read along is another question.
pub(super) fn may_point_at(given: &PointedAt) -> Result<Value, Error> {
    let guard = guard_of(&given.server_url, given.private_networks)?;
    let Ok(url) = Url::parse(&given.url) else { return Ok(true.into()) };
    let allowed = guard.scheme(url.scheme(), url.host_str().unwrap_or_default());
    if matches!(allowed, Err(Unsafe::Loopback | Unsafe::NotPublic)) {
        endpoint::check(given.member.name(), &given.url, &guard).map_err(thrown)?;
    }
    Ok(true.into())
}
