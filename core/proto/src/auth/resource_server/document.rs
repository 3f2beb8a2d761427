//! What a resource server says of itself (RFC 9728), as it publishes it.
//!
//! Owns: the members of the document and the place where it belongs. Must not know: who serves
//! it.

use serde_json::{Map, Value, json};

use crate::auth::discovery::resource_places;
use crate::auth::endpoint;
use crate::auth::error::AuthError;
use crate::auth::scope::{OFFLINE_ACCESS, Scopes};
use crate::policy::discovery::Guard;

/// The metadata of a resource server.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::ResourceDocument;
///
/// let document = ResourceDocument::new("https://mcp.example.com/mcp", ["https://login.example.com"])?;
/// assert_eq!(document.path(), "/.well-known/oauth-protected-resource/mcp");
/// assert_eq!(document.members()["authorization_servers"][0], "https://login.example.com");
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceDocument {
    resource: String,
    url: String,
    authorization_servers: Vec<String>,
    /// The scopes the server knows. `offline_access` is left out of the document.
    pub scopes_supported: Scopes,
    /// The server's name for people.
    pub resource_name: Option<String>,
    /// A page for developers.
    pub resource_documentation: Option<String>,
    /// Members of the program's own; none of the above is replaced.
    pub more: Map<String, Value>,
}

impl ResourceDocument {
    /// The document of the server at this URL, which trusts these issuers: at least one.
    pub fn new<T: Into<String>>(
        resource: &str,
        issuers: impl IntoIterator<Item = T>,
    ) -> Result<Self, AuthError> {
        // The program's own word: wherever it leads.
        let anywhere = Guard { loopback: true, private: true };
        let resource = endpoint::resource_of("resource", resource)?;
        let places = resource_places(None, &resource, &anywhere)?.places;
        let issuers: Vec<String> = issuers.into_iter().map(Into::into).collect();
        if issuers.is_empty() {
            return Err(AuthError::Url {
                field: "issuers",
                why: "name at least one issuer whose tokens are taken",
            });
        }
        for issuer in &issuers {
            endpoint::check("issuers", issuer, &anywhere)?;
        }
        let url = places.into_iter().next().map(|place| place.url).unwrap_or_default();
        Ok(Self {
            resource,
            url,
            authorization_servers: issuers,
            scopes_supported: Scopes::default(),
            resource_name: None,
            resource_documentation: None,
            more: Map::new(),
        })
    }

    /// The server's URL in the form that clients compare.
    pub fn resource(&self) -> &str {
        &self.resource
    }

    /// The issuers that are trusted.
    pub fn authorization_servers(&self) -> &[String] {
        &self.authorization_servers
    }

    /// Where the document is, for challenges.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The path and query of that URL.
    pub fn path(&self) -> &str {
        let after_scheme = self.url.split_once("://").map_or(&*self.url, |(_, rest)| rest);
        after_scheme.find('/').map_or("/", |at| &after_scheme[at..])
    }

    /// The document.
    pub fn members(&self) -> Map<String, Value> {
        let mut members = self.more.clone();
        let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
        put("resource", json!(self.resource));
        put("authorization_servers", json!(self.authorization_servers));
        put("bearer_methods_supported", json!(["header"]));
        let scopes = self.scopes_supported.without(OFFLINE_ACCESS);
        if !scopes.is_empty() {
            put("scopes_supported", json!(scopes));
        }
        if let Some(name) = &self.resource_name {
            put("resource_name", json!(name));
        }
        if let Some(page) = &self.resource_documentation {
            put("resource_documentation", json!(page));
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_finds_and_reads_it() {
        let mut document =
            ResourceDocument::new("https://R.example:443/a/mcp", ["https://a.example"]).unwrap();
        document.scopes_supported = Scopes::parse("scope", "files offline_access").unwrap();
        document.more.insert("resource".into(), json!("https://other.example"));
        let guard = Guard::for_server("https", "r.example");
        let places = resource_places(None, "https://r.example/a/mcp", &guard).unwrap().places;
        assert_eq!(places[0].url, document.url());
        let read = crate::auth::metadata::ProtectedResourceMetadata::read(&document.members()).unwrap();
        assert_eq!(read.resource, "https://r.example/a/mcp");
        assert_eq!(read.scopes_supported.unwrap().to_string(), "files");
    }

    #[test]
    fn it_needs_a_url_and_an_issuer() {
        let none: [&str; 0] = [];
        assert!(ResourceDocument::new("https://r.example", none).is_err());
        assert!(ResourceDocument::new("mcp", ["https://a.example"]).is_err());
        assert!(ResourceDocument::new("https://r.example", ["http://a.example"]).is_err());
        let root = ResourceDocument::new("http://localhost:3000", ["http://localhost:9000"]).unwrap();
        assert_eq!(root.path(), "/.well-known/oauth-protected-resource");
    }
}
