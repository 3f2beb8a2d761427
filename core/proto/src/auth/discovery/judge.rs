//! Whether metadata that came may be used.
//!
//! Owns: the checks of resource and issuer, and what the status of an answer means for the
//! search. Must not know: where else is looked.

use super::places::PlaceKind;
use crate::auth::endpoint;
use crate::auth::error::{AuthError, Document};
use crate::auth::fetch::{Answer, Rules};
use crate::auth::metadata::{AuthorizationServerMetadata, ProtectedResourceMetadata};

/// What follows from an answer.
///
/// ```
/// use mcpbolt_proto::auth::discovery::{PlaceKind, ResourceMatch, Verdict, judge_resource};
/// use mcpbolt_proto::auth::fetch::{Answer, Rules};
///
/// let (answer, rules) = (Answer::new(404, ""), Rules::document(Default::default()));
/// let url = "https://mcp.example.com/mcp";
/// let verdict = judge_resource(&answer, PlaceKind::Path, url, ResourceMatch::Exact, &rules);
/// assert_eq!(verdict, Verdict::Elsewhere(None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The document may be used.
    Use(T),
    /// It is not here, or not to be used: the next place is looked at. The error is told if
    /// there is none.
    Elsewhere(Option<AuthError>),
    /// The search ends here.
    Stop(AuthError),
}

/// What `resource` has to be in the metadata of a resource.
///
/// ```
/// use mcpbolt_proto::auth::discovery::{PlaceKind, ResourceMatch};
///
/// let (server, published) = ("https://mcp.example.com/a/mcp", "https://mcp.example.com/a");
/// assert!(!ResourceMatch::Exact.holds(published, server, PlaceKind::Path));
/// assert!(ResourceMatch::Within.holds(published, server, PlaceKind::Path));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResourceMatch {
    /// The server's URL; at the well-known URL of the root also its origin (RFC 9728,
    /// section 3.3).
    #[default]
    Exact,
    /// The server's URL, or one whose path is above it on the same origin, as the official
    /// 1.x packages have it.
    Within,
    /// Anything: the program checks it.
    Any,
}

impl ResourceMatch {
    /// Whether what was published fits the server's URL.
    pub fn holds(self, published: &str, server_url: &str, place: PlaceKind) -> bool {
        if self == Self::Any {
            return true;
        }
        let Ok(server) = endpoint::read("server URL", server_url) else { return false };
        let (Ok(wanted), Ok(found)) = (endpoint::resource(server_url), endpoint::resource(published)) else {
            return false;
        };
        if published.contains('#') {
            return false;
        }
        let root = found == endpoint::origin(&server);
        match self {
            _ if found == wanted => true,
            Self::Exact => root && place == PlaceKind::Root,
            Self::Any => true,
            Self::Within => {
                let below = wanted.strip_prefix(found.trim_end_matches('/'));
                // A slash at the end of what was published has to be in the server's URL.
                below.is_some_and(|rest| rest.starts_with(['/', '?']))
            }
        }
    }
}

/// How `issuer` of a document is compared with the one that was asked.
///
/// ```
/// use mcpbolt_proto::auth::discovery::IssuerMatch;
///
/// assert!(!IssuerMatch::Identical.holds("https://a.example.com/", "https://a.example.com"));
/// assert!(IssuerMatch::OriginSlash.holds("https://a.example.com/", "https://a.example.com"));
/// assert!(!IssuerMatch::OriginSlash.holds("https://a.example.com/t/", "https://a.example.com/t"));
/// assert!(IssuerMatch::AnySlash.holds("https://a.example.com/t/", "https://a.example.com/t"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IssuerMatch {
    /// Letter by letter, as RFC 8414, section 3.3, demands.
    #[default]
    Identical,
    /// An origin is the same with and without a slash at its end, for programs whose types
    /// for URLs add one. A document of another issuer ends the search, as in the official
    /// 1.x packages.
    OriginSlash,
    /// A slash at the end never makes a difference, as the official TypeScript package compares
    /// what it stored.
    AnySlash,
    /// Any two are one: the program says so.
    Any,
}

impl IssuerMatch {
    /// Whether the two are one.
    pub fn holds(self, one: &str, other: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Identical => one == other,
            Self::OriginSlash => is_same_issuer(one, other),
            Self::AnySlash => {
                let written =
                    |text: &str| url::Url::parse(text).map_or_else(|_| text.to_owned(), String::from);
                let (one, other) = (written(one), written(other));
                one.strip_suffix('/').unwrap_or(&one) == other.strip_suffix('/').unwrap_or(&other)
            }
        }
    }
}

/// Whether two issuers are one, a slash at the end of an origin aside.
pub(in crate::auth) fn is_same_issuer(one: &str, other: &str) -> bool {
    endpoint::issuer(one) == endpoint::issuer(other)
}

/// Judges an answer that should be the metadata of the resource at `server_url`. A document
/// that speaks for another resource ends the search.
pub fn judge_resource(
    answer: &Answer,
    place: PlaceKind,
    server_url: &str,
    matching: ResourceMatch,
    rules: &Rules,
) -> Verdict<ProtectedResourceMetadata> {
    let document = Document::ProtectedResource;
    if !answer.is_success() {
        return Verdict::Elsewhere(failure(document, answer));
    }
    match answer.object(document, rules).and_then(|object| ProtectedResourceMetadata::read(&object)) {
        Err(why) => Verdict::Elsewhere(Some(why)),
        Ok(metadata) if matching.holds(&metadata.resource, server_url, place) => Verdict::Use(metadata),
        Ok(_) => {
            let expected = endpoint::resource(server_url).unwrap_or_default();
            Verdict::Stop(AuthError::ResourceMismatch { expected })
        }
    }
}

/// Judges an answer that should be the metadata of the authorization server `issuer`. A
/// document that names another issuer is not used.
pub fn judge_server(
    answer: &Answer,
    issuer: &str,
    matching: IssuerMatch,
    rules: &Rules,
) -> Verdict<AuthorizationServerMetadata> {
    let document = Document::AuthorizationServer;
    if !answer.is_success() {
        return Verdict::Elsewhere(failure(document, answer));
    }
    match answer.object(document, rules).and_then(|object| AuthorizationServerMetadata::read(&object)) {
        Err(why) => Verdict::Elsewhere(Some(why)),
        Ok(metadata) if matching.holds(&metadata.issuer, issuer) => Verdict::Use(metadata),
        Ok(_) => {
            let mismatch = AuthError::IssuerMismatch { document, expected: issuer.to_owned() };
            match matching {
                IssuerMatch::Identical => Verdict::Elsewhere(Some(mismatch)),
                _ => Verdict::Stop(mismatch),
            }
        }
    }
}

/// That a document is elsewhere cannot be told from a server that fails.
fn failure(document: Document, answer: &Answer) -> Option<AuthError> {
    answer.is_failing().then_some(AuthError::Unavailable { document, status: Some(answer.status) })
}
