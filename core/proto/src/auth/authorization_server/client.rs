//! Clients at the token and revocation endpoints (RFC 6749, section 2.3).
//!
//! Owns: who a client says it is, and whether its secret proves it. Must not know: where clients
//! are kept, what they ask for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::Value;

use super::form::{self, Kind, Rule};
use super::refused::{Endpoint, Refused};
use crate::auth::secret::Secret;
use crate::auth::words::Words;

const RULES: [Rule; 2] = [("client_id", Kind::Text, true), ("client_secret", Kind::Text, false)];

/// What is known of a registered client.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct KnownClient {
    /// Its secret; none for a public client.
    #[serde(default)]
    pub client_secret: Option<Secret>,
    /// From when on the secret is void, in seconds since 1970; 0 means never.
    #[serde(default)]
    pub client_secret_expires_at: Option<f64>,
    /// How it proves itself.
    #[serde(default)]
    pub token_endpoint_auth_method: Option<String>,
}

/// The id of the client that sent a form.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::named_client;
/// use mcpbolt_proto::auth::words::Words;
///
/// let form = serde_json::json!({"client_id": "editor"});
/// assert_eq!(named_client(Some(&form), Words::Python)?, "editor");
/// assert!(named_client(None, Words::Python).unwrap_err().unauthenticated);
/// # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
/// ```
///
/// # Errors
/// `invalid_client`, or `invalid_request` in TypeScript, if it names none.
pub fn named_client(form: Option<&Value>, words: Words) -> Result<String, Refused> {
    if words.is_python() {
        let id = form.and_then(|form| form["client_id"].as_str()).filter(|id| !id.is_empty());
        return id.map(str::to_owned).ok_or_else(|| unproved("Missing client_id", words));
    }
    let found = form::read(form, &RULES, words, "");
    let found = found.map_err(|wrong| Refused::new("invalid_request", wrong.words))?;
    Ok(found["client_id"].as_str().unwrap_or_default().to_owned())
}

/// Checks that a client is known and has proved itself, at a time in seconds since 1970.
///
/// # Errors
/// `invalid_client` (`unauthorized_client` in Python 1.x), which says what is missing or wrong.
pub fn prove_client(
    client: Option<&KnownClient>,
    form: &Value,
    authorization: Option<&str>,
    words: Words,
    now: f64,
) -> Result<(), Refused> {
    let Some(client) = client else { return Err(unproved("Invalid client_id", words)) };
    let posted = form["client_secret"].as_str().map(Secret::from);
    let sent = if words.is_python() {
        match client.token_endpoint_auth_method.as_deref() {
            Some("client_secret_basic") => {
                let id = form["client_id"].as_str().unwrap_or_default();
                Some(basic(authorization.unwrap_or_default(), id).map_err(|why| unproved(why, words))?)
            }
            Some("client_secret_post") => posted,
            Some("none") => None,
            other => {
                let said = format!("Unsupported auth method: {}", other.unwrap_or("None"));
                return Err(unproved(&said, words));
            }
        }
    } else {
        posted
    };
    secret(client, sent, now).map_err(|why| unproved(why, words))
}

fn secret(client: &KnownClient, sent: Option<Secret>, now: f64) -> Result<(), &'static str> {
    let present = |secret: &&Secret| !secret.is_empty();
    let Some(known) = client.client_secret.as_ref().filter(present) else { return Ok(()) };
    let sent = sent.filter(|sent| !sent.is_empty()).ok_or("Client secret is required")?;
    if *known != sent {
        return Err("Invalid client_secret");
    }
    let end = client.client_secret_expires_at.filter(|end| *end != 0.0);
    if end.is_some_and(|end| end < now.floor()) { Err("Client secret has expired") } else { Ok(()) }
}

/// The secret of a Basic header, in which id and secret are form-encoded.
fn basic(header: &str, client_id: &str) -> Result<Secret, &'static str> {
    let encoded = header.strip_prefix("Basic ").filter(|encoded| !encoded.is_empty());
    let encoded = encoded.ok_or("Missing or invalid Basic authentication in Authorization header")?;
    let decoded = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    let (named, secret) = pair.ok_or("Invalid Basic authentication header")?;
    if percent_decode_str(named).decode_utf8_lossy() != client_id {
        return Err("Client ID mismatch in Basic auth");
    }
    Ok(Secret::new(percent_decode_str(secret).decode_utf8_lossy()))
}

fn unproved(why: &str, words: Words) -> Refused {
    Refused::unproved(why, Endpoint::Token, words)
}
