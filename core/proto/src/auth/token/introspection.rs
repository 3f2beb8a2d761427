//! Asking an authorization server what a token is (RFC 7662).
//!
//! Owns: the request, and what its answer says of the token. Must not know: when a token is
//! asked about, for how long the answer holds.

use serde_json::Value;

use super::authentication::{ClientAuthentication, Writing};
use crate::auth::endpoint;
use crate::auth::error::{AuthError, Document, Refusal};
use crate::auth::fetch::{Answer, Body, Fetch, Rules};
use crate::auth::resource_server::{TokenClaims, TokenRefusal};
use crate::auth::secret::Secret;
use crate::policy::discovery::Guard;

/// The request about an access token, which goes to nobody but the authorization server.
///
/// ```
/// use mcpbolt_proto::auth::token::{ClientAuthentication, introspection_request};
///
/// let server = ClientAuthentication::Basic { client_id: "mcp".into(), secret: "s".into() };
/// let url = "https://a.example.com/introspect";
/// let request = introspection_request(url, &"mF_9.Bxf-4.JqM".into(), &server, &Default::default())?;
/// assert_eq!(request.body.field("token_type_hint"), Some("access_token"));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
pub fn introspection_request(
    introspection_endpoint: &str,
    token: &Secret,
    resource_server: &ClientAuthentication,
    guard: &Guard,
) -> Result<Fetch, AuthError> {
    let url = endpoint::check("introspection_endpoint", introspection_endpoint, guard)?;
    let mut form = vec![
        ("token".to_owned(), token.clone()),
        ("token_type_hint".to_owned(), Secret::new("access_token")),
    ];
    let header = resource_server.add(&mut form, Writing::default());
    let mut fetch = Fetch::post(url.into(), Body::Form(form), Rules::credentials(*guard));
    fetch.headers.extend(header.map(|value| ("Authorization", value)));
    Ok(fetch)
}

/// What the answer says: the claims of an active token, or that it is not good. An error says
/// that there is no answer to go by.
///
/// ```
/// use mcpbolt_proto::auth::fetch::{Answer, Rules};
/// use mcpbolt_proto::auth::token::read_introspection;
///
/// let rules = Rules::credentials(Default::default());
/// let active = Answer::new(200, r#"{"active": true, "sub": "ann", "scope": "files"}"#);
/// assert_eq!(read_introspection(&active, &rules)?.unwrap().subject.as_deref(), Some("ann"));
/// let over = Answer::new(200, r#"{"active": false}"#);
/// assert!(read_introspection(&over, &rules)?.is_err());
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
pub fn read_introspection(
    answer: &Answer,
    rules: &Rules,
) -> Result<Result<TokenClaims, TokenRefusal>, AuthError> {
    let document = Document::Introspection;
    if answer.is_failing() {
        return Err(AuthError::Unavailable { document, status: Some(answer.status) });
    }
    if !answer.is_success() {
        // Its words may repeat the token.
        let refusal = Refusal::new("introspection refused", None, &[]);
        return Err(AuthError::TokenRefused { status: answer.status, refusal });
    }
    let object = answer.object(document, rules)?;
    Ok(match object.get("active") {
        Some(Value::Bool(true)) => TokenClaims::read(object),
        Some(Value::Bool(false)) => Err(TokenRefusal::Token("it is not active")),
        _ => {
            return Err(AuthError::Malformed {
                document,
                field: "active",
                why: "it has to be true or false",
            });
        }
    })
}
