//! Dynamic registration (RFC 7591), for servers that know no client id metadata documents.
//!
//! Owns: what is sent, and what is taken of the answer. Must not know: when a client
//! registers.

use serde_json::Value;

use super::client::{ClientInformation, ClientOrigin};
use crate::auth::error::{AuthError, Document, Refusal};
use crate::auth::fetch::{Answer, Rules};
use crate::auth::metadata::{AuthorizationServerMetadata, ClientMetadata, Members, check_text};
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;

/// How a client without a preference proves itself, the least that it has to keep first.
const METHODS: [&str; 3] = ["none", "client_secret_basic", "client_secret_post"];

/// The body of a registration: the client's metadata with the kind of program, a way to
/// prove itself that the server knows, and the scopes it will ask for. A scope that the server
/// does not list is left out: servers refuse registrations for it that grant it to whoever asks
/// with the resource it belongs to.
///
/// ```
/// use mcpbolt_proto::auth::metadata::{AuthorizationServerMetadata, ClientMetadata};
/// use mcpbolt_proto::auth::registration::registration_body;
/// use mcpbolt_proto::auth::scope::Scopes;
///
/// let metadata = ClientMetadata {
///     redirect_uris: vec!["http://localhost:3000/callback".into()],
///     ..ClientMetadata::default()
/// };
/// let server = AuthorizationServerMetadata::default();
/// let body = registration_body(&metadata, &server, &Scopes::default());
/// assert_eq!(body["application_type"], "native");
/// ```
pub fn registration_body(
    metadata: &ClientMetadata,
    server: &AuthorizationServerMetadata,
    scopes: &Scopes,
) -> Value {
    let mut all = metadata.complete();
    if all.token_endpoint_auth_method.is_none() {
        let known = server.token_endpoint_auth_methods_supported.as_deref().unwrap_or_default();
        let chosen = METHODS.iter().find(|method| known.iter().any(|known| known == *method));
        all.token_endpoint_auth_method = chosen.map(|&method| method.to_owned());
    }
    let known = scopes.known_to(server.scopes_supported.as_ref());
    if !known.is_empty() {
        all.scope = Some(known.to_string());
    }
    all.json()
}

/// Reads the answer to a registration at `issuer`. What it says of an issuer is ignored.
///
/// ```
/// use mcpbolt_proto::auth::fetch::{Answer, Rules};
/// use mcpbolt_proto::auth::registration::read_registration;
///
/// let answer = Answer::new(201, r#"{"client_id": "s6BhdRkqt3"}"#);
/// let rules = Rules::credentials(Default::default());
/// let client = read_registration(&answer, "https://a.example.com", &rules)?;
/// assert_eq!(client.issuer.as_deref(), Some("https://a.example.com"));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
pub fn read_registration(
    answer: &Answer,
    issuer: &str,
    rules: &Rules,
) -> Result<ClientInformation, AuthError> {
    let document = Document::Registration;
    if answer.is_failing() {
        return Err(AuthError::Unavailable { document, status: Some(answer.status) });
    }
    let object = answer.object(document, rules);
    if !answer.is_success() {
        let object = object.unwrap_or_default();
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        let error = text("error").unwrap_or("no error code");
        let refusal = Refusal::new(error, text("error_description"), &[]);
        return Err(AuthError::RegistrationRefused { status: answer.status, refusal });
    }
    let object = object?;
    let members = Members { document, object: &object };
    let client_id = members.required("client_id")?;
    check_text(document, "client_id", &client_id, true)?;
    let client_secret = members.text("client_secret")?.filter(|secret| !secret.is_empty());
    if let Some(secret) = &client_secret {
        check_text(document, "client_secret", secret, true)?;
    }
    Ok(ClientInformation {
        client_id,
        client_secret: client_secret.map(Secret::new),
        client_secret_expires_at: members.get("client_secret_expires_at").and_then(Value::as_u64),
        token_endpoint_auth_method: members.text("token_endpoint_auth_method")?,
        redirect_uris: members.list("redirect_uris")?.unwrap_or_default(),
        issuer: Some(issuer.to_owned()),
        origin: ClientOrigin::Dynamic,
    })
}
