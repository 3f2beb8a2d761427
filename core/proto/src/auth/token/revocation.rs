//! Telling an authorization server that tokens are wanted no more (RFC 7009).
//!
//! Owns: the requests and their order. Must not know: when a user signs out, where tokens are
//! kept.

use super::authentication::{ClientAuthentication, Writing};
use super::tokens::Tokens;
use crate::auth::endpoint;
use crate::auth::error::{AuthError, Document, Refusal};
use crate::auth::fetch::{Answer, Body, Fetch, Rules};
use crate::auth::secret::Secret;
use crate::policy::discovery::Guard;

/// The requests that revoke tokens: that for the refresh token first, since servers then often
/// revoke the access token as well.
///
/// ```
/// use mcpbolt_proto::auth::token::{ClientAuthentication, Tokens, Writing, revocation_requests};
///
/// let tokens = Tokens {
///     access_token: "a".into(),
///     refresh_token: Some("r".into()),
///     ..Tokens::default()
/// };
/// let client = ClientAuthentication::None { client_id: "c".into() };
/// let url = "https://a.example.com/revoke";
/// let requests = revocation_requests(url, &tokens, &client, Writing::default(), &Default::default())?;
/// assert_eq!(requests[0].body.field("token_type_hint"), Some("refresh_token"));
/// assert_eq!(requests[1].body.field("token"), Some("a"));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
pub fn revocation_requests(
    revocation_endpoint: &str,
    tokens: &Tokens,
    client: &ClientAuthentication,
    writing: Writing,
    guard: &Guard,
) -> Result<Vec<Fetch>, AuthError> {
    let url = endpoint::check("revocation_endpoint", revocation_endpoint, guard)?;
    let request = |token: &Secret, hint: &str| {
        let mut form =
            vec![("token".to_owned(), token.clone()), ("token_type_hint".to_owned(), Secret::new(hint))];
        let header = client.add(&mut form, writing);
        let mut fetch = Fetch::post(url.to_string(), Body::Form(form), Rules::credentials(*guard));
        fetch.headers.extend(header.map(|value| ("Authorization", value)));
        fetch
    };
    let refresh = tokens.refresh_token.as_ref().map(|token| request(token, "refresh_token"));
    let access = (!tokens.access_token.is_empty()).then(|| request(&tokens.access_token, "access_token"));
    Ok(refresh.into_iter().chain(access).collect())
}

/// Judges the answer to a revocation. A token that the server does not know is revoked.
///
/// ```
/// use mcpbolt_proto::auth::fetch::Answer;
/// use mcpbolt_proto::auth::token::read_revocation;
///
/// assert!(read_revocation(&Answer::new(200, "")).is_ok());
/// assert!(read_revocation(&Answer::new(503, "")).is_err());
/// ```
pub fn read_revocation(answer: &Answer) -> Result<(), AuthError> {
    if answer.is_success() {
        return Ok(());
    }
    let document = Document::Token;
    if answer.is_failing() {
        return Err(AuthError::Unavailable { document, status: Some(answer.status) });
    }
    // Its words may repeat the token.
    let refusal = Refusal::new("revocation refused", None, &[]);
    Err(AuthError::TokenRefused { status: answer.status, refusal })
}
