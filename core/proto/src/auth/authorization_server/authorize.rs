//! Authorization requests (RFC 6749, section 4.1.1), by which a client sends a user's browser.
//!
//! Owns: which are valid, and which redirect URI and scopes a client may name. Must not know:
//! where an answer goes: a redirect is safe only to a URI that was found good here.

use serde::Serialize;
use serde_json::{Map, Value};
use url::Url;

use super::form::{self, Kind, Rule};
use super::refused::Refused;
use crate::auth::words::Words;

const REDIRECT: Kind = Kind::UrlSaying("redirect_uri must be a valid URL");
const CLIENT: [Rule; 2] = [("client_id", Kind::Text, true), ("redirect_uri", REDIRECT, false)];
/// In the order in which the Python packages tell what is wrong. PKCE is not left out: S256 is
/// the only method, and they let a request not say so.
const PYTHON: [Rule; 8] = [
    ("client_id", Kind::Text, true),
    ("redirect_uri", Kind::Url, false),
    ("response_type", Kind::OneOf(&["code"]), true),
    ("code_challenge", Kind::Text, true),
    ("code_challenge_method", Kind::OneOf(&["S256"]), false),
    ("state", Kind::Text, false),
    ("scope", Kind::Text, false),
    ("resource", Kind::Resource, false),
];
const TYPESCRIPT: [Rule; 6] = [
    ("response_type", Kind::OneOf(&["code"]), true),
    ("code_challenge", Kind::Text, true),
    ("code_challenge_method", Kind::OneOf(&["S256"]), true),
    ("scope", Kind::Text, false),
    ("state", Kind::Text, false),
    ("resource", Kind::Resource, false),
];

/// Whose request it says it is.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::NamedClient;
/// use mcpbolt_proto::auth::words::Words;
/// use serde_json::json;
///
/// let form = json!({"client_id": "editor"});
/// assert_eq!(NamedClient::read(Some(&form), Words::TypeScript)?.client_id, "editor");
/// assert!(NamedClient::read(None, Words::TypeScript).is_err());
/// # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedClient {
    /// The client's id.
    pub client_id: String,
    /// Where it wants the browser to come back to, if it says so.
    pub redirect_uri: Option<String>,
}

impl NamedClient {
    /// Reads the client of a request that may otherwise be wrong.
    ///
    /// # Errors
    /// `invalid_request` if it names no client, or something that is no URL.
    pub fn read(form: Option<&Value>, words: Words) -> Result<Self, Refused> {
        let found = form::read(form, &CLIENT, words, "");
        let mut found = found.map_err(|wrong| Refused::new("invalid_request", wrong.words))?;
        let client_id = taken(&mut found, "client_id").unwrap_or_default();
        Ok(Self { client_id, redirect_uri: taken(&mut found, "redirect_uri") })
    }
}

/// A valid request.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::AuthorizationRequest;
/// use mcpbolt_proto::auth::words::Words;
/// use serde_json::json;
///
/// let form = json!({"client_id": "editor", "response_type": "token", "code_challenge": "x"});
/// let refused = AuthorizationRequest::read(Some(&form), Words::Python).unwrap_err();
/// assert_eq!(refused.error, "unsupported_response_type");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuthorizationRequest {
    /// The client's id; TypeScript reads it before.
    pub client_id: Option<String>,
    /// Where it wants the browser to come back to, if it says so.
    pub redirect_uri: Option<String>,
    /// The S256 challenge of PKCE.
    pub code_challenge: String,
    /// Returned to the client as it is.
    pub state: Option<String>,
    /// The scopes, with blanks between them.
    pub scope: Option<String>,
    /// The server that a token is wanted for (RFC 8707).
    pub resource: Option<String>,
}

impl AuthorizationRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// `invalid_request`, or `unsupported_response_type` in Python, with what is wrong.
    pub fn read(form: Option<&Value>, words: Words) -> Result<Self, Refused> {
        let rules: &[Rule] = if words.is_python() { &PYTHON } else { &TYPESCRIPT };
        let mut found = form::read(form, rules, words, "").map_err(|wrong| {
            let other = words.is_python() && wrong.is_other("response_type");
            Refused::new(if other { "unsupported_response_type" } else { "invalid_request" }, wrong.words)
        })?;
        Ok(Self {
            client_id: taken(&mut found, "client_id"),
            redirect_uri: taken(&mut found, "redirect_uri"),
            code_challenge: taken(&mut found, "code_challenge").unwrap_or_default(),
            state: taken(&mut found, "state"),
            scope: taken(&mut found, "scope"),
            resource: taken(&mut found, "resource"),
        })
    }
}

fn taken(found: &mut Map<String, Value>, name: &str) -> Option<String> {
    match found.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// The redirect URI to use: the requested one, if it is registered, else the only registered one.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::redirect_choice;
/// use mcpbolt_proto::auth::words::Words;
///
/// let registered = ["http://localhost:1/back".to_owned()];
/// assert_eq!(redirect_choice(&registered, None, Words::Python)?, "http://localhost:1/back");
/// // Ports of this machine are the client's to choose, where the official package lets it.
/// assert!(redirect_choice(&registered, Some("http://localhost:2/back"), Words::TypeScript).is_ok());
/// assert!(redirect_choice(&registered, Some("http://localhost:2/back"), Words::Python).is_err());
/// # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
/// ```
///
/// # Errors
/// `invalid_request` if it is not registered, or there is none to choose.
pub fn redirect_choice<'a>(
    registered: &'a [String],
    requested: Option<&'a str>,
    words: Words,
) -> Result<&'a str, Refused> {
    let Some(requested) = requested else {
        return match registered {
            [only] => Ok(only),
            _ => Err(Refused::new(
                "invalid_request",
                "redirect_uri must be specified when client has multiple registered URIs",
            )),
        };
    };
    let known = |one: &String| {
        if words.is_python() { one == requested } else { redirect_matches(requested, one) }
    };
    if registered.iter().any(known) {
        return Ok(requested);
    }
    let said = if words.is_python() {
        format!("Redirect URI '{requested}' not registered for client")
    } else {
        "Unregistered redirect_uri".to_owned()
    };
    Err(Refused::new("invalid_request", said))
}

/// Whether a redirect URI is a registered one: the same text, or both on this machine and
/// different only in the port (RFC 8252, section 7.3).
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::redirect_matches;
///
/// assert!(redirect_matches("http://127.0.0.1:9/back", "http://127.0.0.1:8/back"));
/// assert!(!redirect_matches("https://example.com/Back", "https://example.com/back"));
/// ```
pub fn redirect_matches(requested: &str, registered: &str) -> bool {
    if requested == registered {
        return true;
    }
    let (Ok(one), Ok(other)) = (Url::parse(requested), Url::parse(registered)) else { return false };
    let here = |url: &Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let query = |url: &Url| url.query().unwrap_or_default().to_owned();
    here(&one)
        && here(&other)
        && (one.scheme(), one.host_str(), one.path()) == (other.scheme(), other.host_str(), other.path())
        && query(&one) == query(&other)
}

/// The scopes of a request, if the client is registered with all of them; none if it names none.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::registered_scopes;
///
/// assert_eq!(registered_scopes(Some("a b"), Some("b"))?, Some(vec!["b"]));
/// assert_eq!(registered_scopes(None, Some("b")).unwrap_err().error, "invalid_scope");
/// # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
/// ```
///
/// # Errors
/// `invalid_scope` for one that it is not registered with.
pub fn registered_scopes<'a>(
    registered: Option<&str>,
    requested: Option<&'a str>,
) -> Result<Option<Vec<&'a str>>, Refused> {
    let Some(requested) = requested else { return Ok(None) };
    let known: Vec<&str> = registered.map(|all| all.split(' ').collect()).unwrap_or_default();
    let asked: Vec<&str> = requested.split(' ').collect();
    match asked.iter().find(|scope| !known.contains(scope)) {
        None => Ok(Some(asked)),
        Some(other) => {
            let said = format!("Client was not registered with scope {other}");
            Err(Refused::new("invalid_scope", said))
        }
    }
}

/// Where the browser goes, with the issuer (RFC 9207) if that is the client's redirect URI and an
/// issuer is not there yet. Pages of the program's own are left as they are: what comes of them
/// is theirs to name.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::with_issuer;
///
/// let back = "https://client.example/back";
/// let named = with_issuer("https://client.example/back?code=1", back, "https://a.example");
/// assert_eq!(named, "https://client.example/back?code=1&iss=https%3A%2F%2Fa.example");
/// let page = "https://a.example/consent?client=1";
/// assert_eq!(with_issuer(page, back, "https://a.example"), page);
/// ```
pub fn with_issuer(location: &str, redirect_uri: &str, issuer: &str) -> String {
    let (Ok(mut url), Ok(back)) = (Url::parse(location), Url::parse(redirect_uri)) else {
        return location.to_owned();
    };
    let goes_back = (url.scheme(), url.host_str(), url.port(), url.path())
        == (back.scheme(), back.host_str(), back.port(), back.path());
    if !goes_back || url.query_pairs().any(|(name, _)| name == "iss") {
        return location.to_owned();
    }
    url.query_pairs_mut().append_pair("iss", issuer);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_uris_are_compared_exactly_but_for_ports_of_this_machine() {
        let back = "https://client.example/back";
        for other in [
            "https://client.example/back/",
            "https://client.example/Back",
            "https://client.example/back?x=1",
            "https://client.example:8443/back",
            "https://client.example.evil.example/back",
            "http://client.example/back",
        ] {
            let registered = [back.to_owned()];
            let refused = redirect_choice(&registered, Some(other), Words::Python2).unwrap_err();
            assert_eq!(refused.error, "invalid_request", "{other}");
        }
        assert!(redirect_matches("http://127.0.0.1:2/back", "http://127.0.0.1:1/back"));
        assert!(!redirect_matches("http://localhost:1/back", "http://127.0.0.1:1/back"));
        assert!(!redirect_matches("https://127.0.0.1:1/back", "http://127.0.0.1:1/back"));
    }

    #[test]
    fn answers_to_the_client_name_the_issuer_and_other_pages_do_not() {
        let (back, issuer) = ("https://client.example/back", "https://a.example");
        let error = with_issuer("https://client.example/back?error=access_denied", back, issuer);
        assert!(error.ends_with("&iss=https%3A%2F%2Fa.example"), "{error}");
        for page in ["https://a.example/consent", "https://client.example/back?iss=x", "no URL"] {
            assert_eq!(with_issuer(page, back, issuer), page);
        }
    }
}
