//! What a client says of itself: when it registers (RFC 7591), and in the document its id
//! may be the URL of.
//!
//! Owns: the members, what is left out said explicitly, the rules for ids that are URLs.
//! Must not know: which server reads it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::auth::endpoint;
use crate::auth::error::{AuthError, Document};

/// What kind of program a client is.
///
/// ```
/// use mcpbolt_proto::auth::metadata::ApplicationType;
///
/// assert_eq!(ApplicationType::of(&["http://127.0.0.1:0/callback".to_owned()]), ApplicationType::Native);
/// assert_eq!(ApplicationType::of(&["https://app.example.com/cb".to_owned()]), ApplicationType::Web);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApplicationType {
    /// It runs on the user's machine.
    Native,
    /// It runs on a web server.
    Web,
}

impl ApplicationType {
    /// By where the browser comes back to: this machine or a scheme of the app's own mean
    /// native. A client without redirect URIs is one as well.
    pub fn of(redirect_uris: &[String]) -> Self {
        let native = |uri: &String| {
            url::Url::parse(uri).is_ok_and(|url| url.scheme() != "https" || endpoint::is_loopback(&url))
        };
        let native = redirect_uris.is_empty() || redirect_uris.iter().any(native);
        if native { Self::Native } else { Self::Web }
    }
}

/// Client metadata. Members that this type does not name are kept in `other` and sent.
///
/// ```
/// use mcpbolt_proto::auth::metadata::ClientMetadata;
///
/// let metadata = ClientMetadata {
///     client_name: Some("Example".into()),
///     redirect_uris: vec!["http://localhost:3000/callback".into()],
///     ..ClientMetadata::default()
/// };
/// let document = metadata.document("https://app.example.com/client.json")?;
/// assert_eq!(document["client_id"], "https://app.example.com/client.json");
/// assert_eq!(document["application_type"], "native");
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientMetadata {
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// Where the browser may come back to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redirect_uris: Vec<String>,
    /// How it gets tokens; codes and refresh tokens if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant_types: Option<Vec<String>>,
    /// What its authorization requests ask for; codes if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_types: Option<Vec<String>>,
    /// How it proves itself at the token endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_endpoint_auth_method: Option<String>,
    /// What kind of program it is; told from the redirect URIs if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application_type: Option<ApplicationType>,
    /// The scopes it may ask for, with blanks between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// What else it says: `client_uri`, `logo_uri`, `jwks_uri`, …
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl ClientMetadata {
    /// Whether the client wants refresh tokens.
    pub fn wants_refresh(&self) -> bool {
        self.grant_types.as_ref().is_none_or(|types| types.iter().any(|kind| kind == "refresh_token"))
    }

    /// These metadata with what they leave out: grant and response types where a browser
    /// takes part, and the kind of program.
    #[must_use]
    pub fn complete(&self) -> Self {
        let list = |kinds: &[&str]| Some(kinds.iter().map(|&kind| kind.to_owned()).collect());
        let mut all = self.clone();
        if !all.redirect_uris.is_empty() {
            all.grant_types = all.grant_types.or_else(|| list(&["authorization_code", "refresh_token"]));
            all.response_types = all.response_types.or_else(|| list(&["code"]));
        }
        all.application_type = all.application_type.or_else(|| Some(ApplicationType::of(&all.redirect_uris)));
        all
    }

    /// The document to publish at the URL that is the client's id. It needs a name and
    /// redirect URIs, and no secret may be in it.
    pub fn document(&self, client_id: &str) -> Result<Value, AuthError> {
        check_client_id(client_id)?;
        let malformed = |field, why| AuthError::Malformed { document: Document::Client, field, why };
        if self.client_name.as_deref().is_none_or(str::is_empty) {
            return Err(malformed("client_name", "it is missing; users see it when they are asked"));
        }
        if self.redirect_uris.is_empty() {
            return Err(malformed("redirect_uris", "it has to name at least one"));
        }
        if self.other.contains_key("client_secret") {
            return Err(malformed("client_secret", "the document is public; leave the secret out"));
        }
        let mut document = self.complete().json();
        document["client_id"] = client_id.into();
        Ok(document)
    }

    /// The metadata as JSON.
    pub fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Refuses a URL that cannot be a client id: it has to be HTTPS with a path, without dot
/// segments, fragment, user name or password.
pub(in crate::auth) fn check_client_id(text: &str) -> Result<(), AuthError> {
    let field = "client_id";
    let refused = |why| AuthError::Url { field, why };
    let url = endpoint::read(field, text)?;
    if url.scheme() != "https" {
        return Err(refused("the URL of a client id metadata document has to use https"));
    }
    if url.path() == "/" {
        return Err(refused("the URL of a client id metadata document needs a path"));
    }
    if url.fragment().is_some() {
        return Err(refused("it has a fragment; leave it out"));
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let dots =
        |segment: &str| matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    if path.split('/').any(dots) {
        return Err(refused("it has dot segments; write the path out"));
    }
    Ok(())
}
