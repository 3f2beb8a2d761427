//! Where metadata are looked for.
//!
//! Owns: the well-known URLs and their order. Must not know: what is found there.

use serde::{Deserialize, Serialize};

use crate::auth::endpoint;
use crate::auth::error::AuthError;
use crate::policy::discovery::Guard;

const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const SERVER: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";

/// Why metadata of a resource may be at a place.
///
/// ```
/// use mcpbolt_proto::auth::discovery::{PlaceKind, resource_places};
/// use mcpbolt_proto::policy::discovery::Guard;
///
/// let found = resource_places(None, "https://mcp.example.com/mcp", &Guard::default())?;
/// assert_eq!(found.places[0].kind, PlaceKind::Path);
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaceKind {
    /// The challenge says so.
    Challenge,
    /// It is the well-known URL of the server's path.
    Path,
    /// It is the well-known URL of the server's origin.
    Root,
}

/// One place to look at.
///
/// ```
/// use mcpbolt_proto::auth::discovery::{Place, PlaceKind, resource_places};
/// use mcpbolt_proto::policy::discovery::Guard;
///
/// let url = "https://mcp.example.com/.well-known/oauth-protected-resource".to_owned();
/// let found = resource_places(None, "https://mcp.example.com/", &Guard::default())?;
/// assert_eq!(found.places, [Place { url, kind: PlaceKind::Root }]);
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The URL of the document.
    pub url: String,
    /// Why it may be there.
    pub kind: PlaceKind,
}

/// Where to look for the metadata of a resource.
///
/// ```
/// use mcpbolt_proto::auth::discovery::{ResourcePlaces, resource_places};
/// use mcpbolt_proto::policy::discovery::Guard;
///
/// let challenge = Some("http://elsewhere.example.com/metadata");
/// let ResourcePlaces { places, refused } =
///     resource_places(challenge, "https://mcp.example.com/mcp", &Guard::default())?;
/// assert_eq!(places.len(), 2); // of the path and of the root
/// assert!(refused.is_some_and(|why| why.to_string().contains("https")));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourcePlaces {
    /// The places in their order, each once.
    pub places: Vec<Place>,
    /// Why the challenge's URL is not among them, to be told if nothing is found.
    pub refused: Option<AuthError>,
}

/// Where the metadata of a resource may be: where the challenge says, at the well-known URL
/// of its path, at that of its origin.
pub fn resource_places(
    challenge: Option<&str>,
    server_url: &str,
    guard: &Guard,
) -> Result<ResourcePlaces, AuthError> {
    let mut server = endpoint::read("server URL", server_url)?;
    server.set_fragment(None);
    endpoint::check("server URL", server.as_str(), guard)?;
    let origin = endpoint::origin(&server);
    let mut found = ResourcePlaces { places: Vec::new(), refused: None };
    if let Some(text) = challenge {
        match endpoint::check("resource_metadata", text, guard) {
            Ok(url) => found.places.push(Place { url: url.into(), kind: PlaceKind::Challenge }),
            Err(why) => found.refused = Some(why),
        }
    }
    let query = server.query().map(|query| format!("?{query}")).unwrap_or_default();
    let path = if server.path() == "/" { "" } else { server.path() };
    let mut add = |url: String, kind| {
        if found.places.iter().all(|place| place.url != url) {
            found.places.push(Place { url, kind });
        }
    };
    if !path.is_empty() || !query.is_empty() {
        add(format!("{origin}{RESOURCE}{path}{query}"), PlaceKind::Path);
    }
    add(format!("{origin}{RESOURCE}"), PlaceKind::Root);
    // A challenge that names a well-known URL says no more than that.
    let root = format!("{origin}{RESOURCE}");
    if let Some(first) = found.places.first_mut().filter(|first| first.url == root) {
        first.kind = PlaceKind::Root;
    }
    Ok(found)
}

/// Where the metadata of an authorization server may be, by its issuer. With a path: that
/// of RFC 8414 and that of OpenID Connect before the path, then OpenID Connect's after it.
/// Without: the two at the root.
pub fn server_places(issuer: &str, guard: &Guard) -> Result<Vec<String>, AuthError> {
    let url = endpoint::check("issuer", issuer, guard)?;
    if url.query().is_some() {
        return Err(AuthError::Url { field: "issuer", why: "it has a query; leave it out" });
    }
    let origin = endpoint::origin(&url);
    let path = url.path().trim_end_matches('/');
    Ok(if path.is_empty() {
        vec![format!("{origin}{SERVER}"), format!("{origin}{OPENID}")]
    } else {
        vec![
            format!("{origin}{SERVER}{path}"),
            format!("{origin}{OPENID}{path}"),
            format!("{origin}{path}{OPENID}"),
        ]
    })
}

/// Where 2025-03-26 has the metadata of a server that is its own authorization server.
pub(in crate::auth) fn origin_places(origin: &str) -> Vec<String> {
    vec![format!("{origin}{SERVER}")]
}
