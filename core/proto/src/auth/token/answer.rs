//! What a token endpoint answers.
//!
//! Owns: reading tokens and errors, and what of them may be shown. Must not know: what is
//! done after a refusal.

use std::time::Duration;

use serde_json::{Map, Value};

use super::tokens::Tokens;
use crate::auth::challenge::TokenScheme;
use crate::auth::error::{AuthError, Document, Refusal};
use crate::auth::fetch::{Answer, Body, Fetch};
use crate::auth::metadata::{Members, check_text};
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;

/// Credentials that a refusal of a token endpoint says are good for nothing any more.
///
/// ```
/// use mcpbolt_proto::auth::token::Spent;
///
/// assert_eq!(Spent::by("invalid_grant"), Some(Spent::Tokens));
/// assert_eq!(Spent::by("invalid_scope"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// The client: the server knows it no more, and its tokens are gone with it.
    Client,
    /// The code or the tokens.
    Tokens,
}

impl Spent {
    /// What the error code of a refusal says.
    pub fn by(error: &str) -> Option<Self> {
        match error {
            "invalid_client" | "unauthorized_client" => Some(Self::Client),
            "invalid_grant" | "invalid_dpop_proof" => Some(Self::Tokens),
            _ => None,
        }
    }
}

/// What was asked for, to read the answer by.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt_proto::auth::fetch::{Answer, Body, Fetch, Rules};
/// use mcpbolt_proto::auth::token::{Expected, read_tokens};
///
/// let url = "https://a.example.com/token".to_owned();
/// let request = Fetch::post(url, Body::form([("code", "c")]), Rules::credentials(Default::default()));
/// let scopes = Default::default();
/// let expected = Expected { request: &request, scopes: &scopes, issued_type: None, bearer_if_unsaid: false, proved: false };
/// let answer = Answer::new(200, r#"{"access_token": "t", "token_type": "bearer", "expires_in": 60}"#);
/// let tokens = read_tokens(&answer, expected, Duration::from_secs(1000))?;
/// assert_eq!(tokens.expires_at, Some(1060));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The request: what it sent is blotted out of what the server says.
    pub request: &'a Fetch,
    /// The scopes that were asked for: a server that says nothing of scopes gave these.
    pub scopes: &'a Scopes,
    /// The kind of token that an exchange asked for. Without, a bearer token is expected.
    pub issued_type: Option<&'a str>,
    /// Whether a token whose kind is not said is a bearer token, as in the official 1.x Python
    /// package.
    pub bearer_if_unsaid: bool,
    /// Whether the request went with a proof of possession: the token may be bound to its key.
    pub proved: bool,
}

/// Reads the answer of a token endpoint. `now` is the time since 1970. An error is one with
/// any status: some servers send it with 200.
///
/// A refresh token is there only if the answer has one; after a refresh without, the old
/// one stays (RFC 6749, section 6), which is the caller's to see to.
pub fn read_tokens(answer: &Answer, expected: Expected<'_>, now: Duration) -> Result<Tokens, AuthError> {
    let document = Document::Token;
    let object = answer.object(document, &expected.request.rules);
    let error = object.as_ref().ok().and_then(|object| object.get("error")).and_then(Value::as_str);
    if let Some(error) = error {
        let description = object.as_ref().ok().and_then(|object| object.get("error_description"));
        let refusal = refusal(expected.request, error, description.and_then(Value::as_str));
        return Err(AuthError::TokenRefused { status: answer.status, refusal });
    }
    if answer.is_failing() {
        return Err(AuthError::Unavailable { document, status: Some(answer.status) });
    }
    if !answer.is_success() {
        let refusal = refusal(expected.request, "no error code", None);
        return Err(AuthError::TokenRefused { status: answer.status, refusal });
    }
    let object = object?;
    tokens(Members { document, object: &object }, expected, now)
}

fn tokens(members: Members<'_>, expected: Expected<'_>, now: Duration) -> Result<Tokens, AuthError> {
    let document = Document::Token;
    let access_token = members.required("access_token")?;
    check_text(document, "access_token", &access_token, false)?;
    let scheme = kind_of(members, expected)?;
    let refresh_token = members.text("refresh_token")?.filter(|token| !token.is_empty());
    if let Some(token) = &refresh_token {
        check_text(document, "refresh_token", token, true)?;
    }
    let scopes = match members.text("scope")? {
        Some(scope) => Scopes::parse("scope", &scope)?,
        None => expected.scopes.clone(),
    };
    let lasts = lifetime(members.object);
    Ok(Tokens {
        access_token: Secret::new(access_token),
        refresh_token: refresh_token.map(Secret::new),
        expires_at: lasts.map(|seconds| now.as_secs().saturating_add(seconds)),
        scopes,
        scheme,
        ..Tokens::default()
    })
}

/// A token of another kind would be sent in a way that gives it away or does not work.
fn kind_of(members: Members<'_>, expected: Expected<'_>) -> Result<TokenScheme, AuthError> {
    if let Some(wanted) = expected.issued_type {
        let issued = members.required("issued_token_type")?;
        return if issued == wanted {
            Ok(TokenScheme::Bearer)
        } else {
            Err(members.malformed("issued_token_type", "it is not the kind that was asked for"))
        };
    }
    if expected.bearer_if_unsaid && members.get("token_type").is_none() {
        return Ok(TokenScheme::Bearer);
    }
    let kind = members.required("token_type")?;
    match kind.to_ascii_lowercase().as_str() {
        "bearer" => Ok(TokenScheme::Bearer),
        "dpop" if expected.proved => Ok(TokenScheme::Dpop),
        _ => Err(members.malformed("token_type", "it has to be Bearer")),
    }
}

/// The seconds of `expires_in`, which some servers write as text. A negative number means
/// that the token has ended; anything that cannot be read as a number is ignored.
fn lifetime(object: &Map<String, Value>) -> Option<u64> {
    let number = match object.get("expires_in")? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse::<f64>().ok()?,
        _ => return None,
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
    number.is_finite().then_some(number.max(0.0) as u64)
}

fn refusal(request: &Fetch, error: &str, description: Option<&str>) -> Refusal {
    const SECRETS: [&str; 7] = [
        "code",
        "code_verifier",
        "refresh_token",
        "client_secret",
        "client_assertion",
        "assertion",
        "subject_token",
    ];
    let Body::Form(form) = &request.body else { return Refusal::new(error, description, &[]) };
    let mut sent: Vec<&Secret> =
        form.iter().filter(|(name, _)| SECRETS.contains(&name.as_str())).map(|(_, value)| value).collect();
    sent.extend(request.header("Authorization"));
    let mut refusal = Refusal::new(error, description, &sent);
    let plain = Refusal { error: error.to_owned(), description: None };
    if Spent::by(error).is_some() || plain.is_unclear() {
        // A word of the protocol, whatever short secret is in it.
        refusal.error = plain.error;
    }
    refusal
}
