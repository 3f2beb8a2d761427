//! What an authorization server says of itself (RFC 8414), and where a resource's document is.
//!
//! Owns: the members, and which URLs an issuer may have. Must not know: who serves them.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use super::token::JWT_BEARER;
use crate::auth::words::Words;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
const ID_JAG: &str = "urn:ietf:params:oauth:grant-profile:id-jag";

/// What a server has.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::ServerDocument;
/// use mcpbolt_proto::auth::words::Words;
///
/// let server = ServerDocument { issuer: "https://a.example".into(), revokes: true, ..Default::default() };
/// let members = server.members(Words::Python2);
/// assert_eq!(members["revocation_endpoint"], "https://a.example/revoke");
/// assert!(members["registration_endpoint"].is_null());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a duty of its own that the server has or not")]
pub struct ServerDocument {
    /// Its issuer identifier.
    pub issuer: String,
    /// The URL of its endpoints, if that is another.
    pub base: Option<String>,
    /// A page for developers.
    pub documentation: Option<String>,
    /// The scopes it grants.
    pub scopes: Option<Vec<String>>,
    /// Whether clients register themselves.
    pub registers: bool,
    /// Whether tokens are revoked.
    pub revokes: bool,
    /// Whether assertions of an identity provider are taken.
    pub assertions: bool,
    /// Whether the id of a client may be the URL of its document.
    pub reads_documents: bool,
    /// Whether answers name the issuer (RFC 9207). It may be said only where it is done.
    pub names_issuer: Option<bool>,
}

impl ServerDocument {
    /// The document; what is not there is null.
    ///
    /// ```
    /// use mcpbolt_proto::auth::authorization_server::ServerDocument;
    /// use mcpbolt_proto::auth::words::Words;
    ///
    /// let server = ServerDocument { issuer: "https://a.example/x".into(), ..Default::default() };
    /// let at = |words| server.members(words)["token_endpoint"].clone();
    /// assert_eq!(at(Words::Python), "https://a.example/x/token");
    /// assert_eq!(at(Words::TypeScript), "https://a.example/token");
    /// ```
    pub fn members(&self, words: Words) -> Map<String, Value> {
        let at = |path: &str| self.at(path, words);
        let methods = match (words.is_python(), self.reads_documents) {
            (true, false) => json!(["client_secret_post", "client_secret_basic"]),
            // Such clients have no secret.
            (true, true) => json!(["client_secret_post", "client_secret_basic", "none"]),
            (false, _) => json!(["client_secret_post", "none"]),
        };
        let revocation = if words.is_python() { methods.clone() } else { json!(["client_secret_post"]) };
        let mut grants = vec!["authorization_code", "refresh_token"];
        grants.extend(self.assertions.then_some(JWT_BEARER));
        let mut members = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            members.insert(name.to_owned(), value.unwrap_or_default());
        };
        put("issuer", Some(self.issuer.as_str().into()));
        put("service_documentation", self.documentation.clone().map(Into::into));
        put("authorization_endpoint", Some(at("/authorize")));
        put("response_types_supported", Some(json!(["code"])));
        put("code_challenge_methods_supported", Some(json!(["S256"])));
        put("token_endpoint", Some(at("/token")));
        put("token_endpoint_auth_methods_supported", Some(methods));
        put("grant_types_supported", Some(json!(grants)));
        put("scopes_supported", self.scopes.as_ref().map(|scopes| json!(scopes)));
        put("revocation_endpoint", self.revokes.then(|| at("/revoke")));
        put("revocation_endpoint_auth_methods_supported", self.revokes.then_some(revocation));
        put("registration_endpoint", self.registers.then(|| at("/register")));
        if self.reads_documents {
            put("client_id_metadata_document_supported", Some(true.into()));
        }
        if self.assertions {
            put("authorization_grant_profiles_supported", Some(json!([ID_JAG])));
        }
        if let Some(names) = self.names_issuer {
            put("authorization_response_iss_parameter_supported", Some(names.into()));
        }
        members
    }

    /// The URL of an endpoint: below the issuer in Python, at the root of the host in TypeScript.
    fn at(&self, path: &str, words: Words) -> Value {
        let base = self.base.as_deref().unwrap_or(&self.issuer);
        if words.is_python() {
            return format!("{}{path}", base.trim_end_matches('/')).into();
        }
        Url::parse(base).and_then(|base| base.join(path)).map(String::from).unwrap_or_default().into()
    }
}

/// What is wrong with the URL of an issuer (RFC 8414, section 2): HTTPS unless on this machine, no
/// query, no fragment.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::check_issuer;
/// use mcpbolt_proto::auth::words::Words;
///
/// assert!(check_issuer("http://localhost:9000", Words::Python, false).is_ok());
/// assert_eq!(check_issuer("http://a.example", Words::Python, false).unwrap_err(), "Issuer URL must be HTTPS");
/// ```
///
/// # Errors
/// The sentence of the official package.
pub fn check_issuer(issuer: &str, words: Words, insecure: bool) -> Result<(), String> {
    let url = Url::parse(issuer).map_err(|_| "Issuer URL must be a URL".to_owned())?;
    let host = url.host_str().unwrap_or_default();
    let here = host == "localhost"
        || if words.is_python() { host.starts_with("127.0.0.1") } else { host == "127.0.0.1" };
    if url.scheme() != "https" && !here && !insecure {
        return Err("Issuer URL must be HTTPS".to_owned());
    }
    let shown = if words.is_python() { String::new() } else { format!(": {url}") };
    if url.fragment().is_some_and(|fragment| !fragment.is_empty()) {
        return Err(format!("Issuer URL must not have a fragment{shown}"));
    }
    if url.query().is_some_and(|query| !query.is_empty()) {
        return Err(format!("Issuer URL must not have a query string{shown}"));
    }
    Ok(())
}

/// Where a resource's document is: the well-known path goes before its own (RFC 9728, section
/// 3.1). `strict` leaves a slash at the end of a path out and a query in, as the packages of 2.x
/// in TypeScript do.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::resource_metadata_url;
///
/// let place = resource_metadata_url("https://a.example/mcp?x=1", false);
/// assert_eq!(place.as_deref(), Some("https://a.example/.well-known/oauth-protected-resource/mcp"));
/// ```
pub fn resource_metadata_url(resource: &str, strict: bool) -> Option<String> {
    let mut url = Url::parse(resource).ok()?;
    let path = url.path().to_owned();
    let path = if strict { path.strip_suffix('/').unwrap_or(&path) } else { &path };
    let below = if path == "/" { "" } else { path };
    url.set_path(&format!("{WELL_KNOWN}{below}"));
    url.set_fragment(None);
    if !strict {
        url.set_query(None);
    }
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_advertises_what_is_on_and_nothing_else() {
        let off = ServerDocument { issuer: "https://a.example".into(), ..Default::default() };
        let on = ServerDocument {
            names_issuer: Some(true),
            reads_documents: true,
            assertions: true,
            ..off.clone()
        };
        for name in [
            "authorization_response_iss_parameter_supported",
            "client_id_metadata_document_supported",
            "authorization_grant_profiles_supported",
        ] {
            for words in [Words::Python, Words::Python2, Words::TypeScript] {
                assert!(!off.members(words).contains_key(name), "{name}");
                assert!(on.members(words).contains_key(name), "{name}");
            }
        }
        assert_eq!(on.members(Words::Python)["token_endpoint_auth_methods_supported"][2], "none");
    }
}
