//! Token and revocation requests (RFC 6749, sections 4.1.3 and 6; RFC 7009).
//!
//! Owns: which are valid, and whether a code or a refresh token is good for who presents it.
//! Must not know: how codes and tokens are made and kept.

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::form::{self, Kind, Rule};
use super::refused::Refused;
use crate::auth::pkce::Verifier;
use crate::auth::secret::Secret;
use crate::auth::words::Words;

/// The grant for an assertion of another authorization server (RFC 7523).
pub(super) const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const CODE: &str = "authorization_code";
const REFRESH: &str = "refresh_token";

const ASSERTION: Rule = ("assertion", Kind::Text, true);
const CLIENT_ID: Rule = ("client_id", Kind::Text, true);
const CLIENT_SECRET: Rule = ("client_secret", Kind::Text, false);
const RESOURCE: Rule = ("resource", Kind::Resource, false);
const SCOPE: Rule = ("scope", Kind::Text, false);
const VERIFIER: Rule = ("code_verifier", Kind::Text, true);

/// The parameters of each grant, in the order in which the package tells what is wrong.
const GRANTS: [(&str, &[Rule], &[Rule]); 3] = [
    (
        CODE,
        &[
            ("code", Kind::Text, true),
            ("redirect_uri", Kind::Url, false),
            CLIENT_ID,
            CLIENT_SECRET,
            VERIFIER,
            RESOURCE,
        ],
        &[("code", Kind::Text, true), VERIFIER, ("redirect_uri", Kind::Text, false), RESOURCE],
    ),
    (
        REFRESH,
        &[(REFRESH, Kind::Text, true), SCOPE, CLIENT_ID, CLIENT_SECRET, RESOURCE],
        &[(REFRESH, Kind::Text, true), SCOPE, RESOURCE],
    ),
    (JWT_BEARER, &[ASSERTION, SCOPE, CLIENT_ID, CLIENT_SECRET, RESOURCE], &[ASSERTION, SCOPE, RESOURCE]),
];

const HINTS: &[&str] = &["access_token", REFRESH];
const REVOCATION: [Rule; 4] = [
    ("token", Kind::Text, true),
    ("token_type_hint", Kind::OneOf(HINTS), false),
    CLIENT_ID,
    // Required, though a public client has none: that is how the official package has it.
    ("client_secret", Kind::Text, true),
];

/// Reads a token request: its parameters, with `grant_type` among them. `assertions`: whether a server of
/// the TypeScript packages takes those of identity providers; in Python [`check_assertion_grant`] says so.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::read_token_request;
/// use mcpbolt_proto::auth::words::Words;
///
/// let form = serde_json::json!({"grant_type": "refresh_token", "refresh_token": "r"});
/// assert!(read_token_request(Some(&form), Words::TypeScript, false).is_ok());
/// let refused = read_token_request(Some(&form), Words::Python, false).unwrap_err();
/// assert_eq!(refused.to_string(), "refresh_token.client_id: Field required");
/// ```
///
/// # Errors
/// `invalid_request` with what is wrong; `unsupported_grant_type` in TypeScript.
pub fn read_token_request(
    form: Option<&Value>,
    words: Words,
    assertions: bool,
) -> Result<Map<String, Value>, Refused> {
    let grant = grant_of(form, words, assertions)?;
    let Some((name, python, typescript)) = GRANTS.iter().find(|(name, ..)| *name == grant) else {
        return Err(Refused::new("unsupported_grant_type", UNSUPPORTED));
    };
    let (rules, within) =
        if words.is_python() { (*python, format!("{name}.")) } else { (*typescript, String::new()) };
    let found = form::read(form, rules, words, &within);
    let mut found = found.map_err(|wrong| Refused::new("invalid_request", wrong.words))?;
    found.insert("grant_type".to_owned(), (*name).into());
    Ok(found)
}

const UNSUPPORTED: &str = "The grant type is not supported by this authorization server.";

fn grant_of(form: Option<&Value>, words: Words, assertions: bool) -> Result<String, Refused> {
    let invalid = |said: String| Refused::new("invalid_request", said);
    if !words.is_python() {
        let found = form::read(form, &[("grant_type", Kind::Text, true)], words, "");
        let found = found.map_err(|wrong| invalid(wrong.words))?;
        let grant = found["grant_type"].as_str().unwrap_or_default();
        // The official package knows no such grant.
        let known = assertions || grant != JWT_BEARER;
        return Ok(if known { grant.to_owned() } else { String::new() });
    }
    let known: &[&str] =
        if words == Words::Python2 { &[CODE, REFRESH, JWT_BEARER] } else { &[CODE, REFRESH] };
    let Some(grant) = form.and_then(|form| form["grant_type"].as_str()) else {
        return Err(invalid(": Unable to extract tag using discriminator 'grant_type'".to_owned()));
    };
    if known.contains(&grant) {
        return Ok(grant.to_owned());
    }
    let listed: Vec<String> = known.iter().map(|name| format!("'{name}'")).collect();
    let listed = listed.join(", ");
    Err(invalid(format!(
        ": Input tag '{grant}' found using 'grant_type' does not match any of the expected tags: {listed}"
    )))
}

/// Checks that a client may use a grant.
///
/// # Errors
/// `unsupported_grant_type` if it is not registered with it.
pub fn check_grant(grant: &str, registered: &[String]) -> Result<(), Refused> {
    if registered.iter().any(|known| known == grant) {
        return Ok(());
    }
    let listed: Vec<String> = registered.iter().map(|name| format!("'{name}'")).collect();
    let said = format!("Unsupported grant type (supported grant types are [{}])", listed.join(", "));
    Err(Refused::new("unsupported_grant_type", said))
}

/// A code that was issued.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct HeldCode {
    /// The client it was issued to.
    pub client_id: String,
    /// From when on it is void, in seconds since 1970.
    pub expires_at: f64,
    /// The redirect URI of its request.
    pub redirect_uri: String,
    /// Whether the request named that URI; it has to be repeated then.
    pub redirect_uri_provided_explicitly: bool,
    /// The S256 challenge of its request.
    pub code_challenge: String,
}

/// A refresh token that was issued.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct HeldToken {
    /// The client it was issued to.
    pub client_id: String,
    /// What it grants.
    pub scopes: Vec<String>,
    /// From when on it is void, in seconds since 1970; never if 0 or missing.
    #[serde(default)]
    pub expires_at: Option<f64>,
}

/// Checks that a code is good for a request, at a time in seconds since 1970. That of another
/// client is treated like one that does not exist.
///
/// # Errors
/// `invalid_grant`, or `invalid_request` for another redirect URI.
pub fn check_code(asked: &Map<String, Value>, code: Option<&HeldCode>, now: f64) -> Result<(), Refused> {
    let text = |name: &str| asked.get(name).and_then(Value::as_str);
    let grant = |said: &str| Refused::new("invalid_grant", said);
    let code = code.filter(|code| text("client_id") == Some(&code.client_id));
    let code = code.ok_or_else(|| grant("authorization code does not exist"))?;
    if code.expires_at < now {
        return Err(grant("authorization code has expired"));
    }
    let named = code.redirect_uri_provided_explicitly.then_some(&*code.redirect_uri);
    if text("redirect_uri").map(written) != named.map(written) {
        let said = "redirect_uri did not match the one used when creating auth code";
        return Err(Refused::new("invalid_request", said));
    }
    let verifier = text("code_verifier").unwrap_or_default();
    check_verifier(verifier, &code.code_challenge, Words::Python)
}

/// A URL as URL parsers write it: one that a provider keeps went through one.
fn written(text: &str) -> String {
    Url::parse(text).map_or_else(|_| text.to_owned(), String::from)
}

/// Checks a verifier against the challenge of the request (RFC 7636, section 4.6).
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::check_verifier;
/// use mcpbolt_proto::auth::words::Words;
///
/// let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// assert!(check_verifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", challenge, Words::TypeScript).is_ok());
/// assert!(check_verifier("", "", Words::TypeScript).is_err());
/// ```
///
/// # Errors
/// `invalid_grant` if it is another.
pub fn check_verifier(verifier: &str, challenge: &str, words: Words) -> Result<(), Refused> {
    let proof = Verifier::challenge_of(verifier);
    if Secret::from(proof.as_str()) == Secret::from(challenge) {
        return Ok(());
    }
    let said = if words.is_python() {
        "incorrect code_verifier"
    } else {
        "code_verifier does not match the challenge"
    };
    Err(Refused::new("invalid_grant", said))
}

/// Checks that a refresh token is good for a request, at a time in seconds since 1970; the scopes
/// of the new token.
///
/// # Errors
/// `invalid_grant`, or `invalid_scope` for more than it grants.
pub fn check_refresh(
    asked: &Map<String, Value>,
    held: Option<&HeldToken>,
    now: f64,
) -> Result<Vec<String>, Refused> {
    let text = |name: &str| asked.get(name).and_then(Value::as_str);
    let grant = |said: &str| Refused::new("invalid_grant", said);
    let held = held.filter(|held| text("client_id") == Some(&held.client_id));
    let held = held.ok_or_else(|| grant("refresh token does not exist"))?;
    if held.expires_at.is_some_and(|end| end != 0.0 && end < now) {
        return Err(grant("refresh token has expired"));
    }
    let Some(scope) = text("scope").filter(|scope| !scope.is_empty()) else {
        return Ok(held.scopes.clone());
    };
    let wanted: Vec<String> = scope.split(' ').map(str::to_owned).collect();
    match wanted.iter().find(|scope| !held.scopes.contains(scope)) {
        None => Ok(wanted),
        Some(other) => {
            let said = format!("cannot request scope `{other}` not provided by refresh token");
            Err(Refused::new("invalid_scope", said))
        }
    }
}

/// Checks that a client may present an assertion: the server takes them, and the client has a
/// secret.
///
/// # Errors
/// `unsupported_grant_type` or `unauthorized_client`.
pub fn check_assertion_grant(enabled: bool, confidential: bool) -> Result<(), Refused> {
    if !enabled {
        let said = "The JWT bearer grant is not supported by this authorization server";
        return Err(Refused::new("unsupported_grant_type", said));
    }
    if !confidential {
        let said = "The JWT bearer grant requires a confidential client";
        return Err(Refused::new("unauthorized_client", said));
    }
    Ok(())
}

/// Reads a revocation request of the Python packages.
///
/// # Errors
/// `invalid_request` with what is wrong.
pub fn read_revocation(form: Option<&Value>, words: Words) -> Result<Map<String, Value>, Refused> {
    let found = form::read(form, &REVOCATION, words, "");
    found.map_err(|wrong| Refused::new("invalid_request", wrong.words))
}
