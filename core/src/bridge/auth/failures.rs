//! What went wrong on the way to a token, as data.
//!
//! Owns: the names by which hosts tell failures apart. Must not know: the exceptions that
//! hosts make of them.

use mcpbolt_proto::auth::error::{AuthError, Document};
use mcpbolt_proto::auth::token::Spent;
use mcpbolt_proto::protocol::Error;
use serde_json::{Value, json};

/// The name of a document in what crosses the boundary.
pub(crate) fn document_name(document: Document) -> &'static str {
    match document {
        Document::ProtectedResource => "resource_metadata",
        Document::AuthorizationServer => "server_metadata",
        Document::Client => "client_metadata",
        Document::Registration => "registration",
        Document::Token => "tokens",
        Document::AuthorizationResponse => "redirect",
        _ => "other",
    }
}

/// A failure with its `kind` and what hosts need of it beside the message.
pub(crate) fn failure(error: &AuthError) -> Value {
    let (kind, more) = match error {
        AuthError::Url { field, .. } => ("url", json!({"field": field})),
        AuthError::Malformed { document, field, .. } => {
            ("malformed", json!({"document": document_name(*document), "field": field}))
        }
        AuthError::TooLarge { field, .. } => ("too_large", json!({"field": field})),
        AuthError::Unavailable { document, status } => {
            ("unavailable", json!({"document": document_name(*document), "status": status}))
        }
        AuthError::NoResourceMetadata => ("no_resource_metadata", json!({})),
        AuthError::NoServerMetadata { issuer } => ("no_server_metadata", json!({"issuer": issuer})),
        AuthError::ResourceMismatch { expected } => ("resource_mismatch", json!({"expected": expected})),
        AuthError::IssuerMismatch { document, expected } => {
            ("issuer_mismatch", json!({"document": document_name(*document), "expected": expected}))
        }
        AuthError::Unsupported { field, .. } => ("unsupported", json!({"field": field})),
        AuthError::NoPkce => ("unsupported", json!({"field": "code_challenge_methods_supported"})),
        AuthError::NoClient { issuer } => ("no_client", json!({"issuer": issuer})),
        AuthError::ClientBoundElsewhere { bound, current } => {
            ("bound_elsewhere", json!({"bound": bound, "current": current}))
        }
        AuthError::ClientUnbound => ("client_unbound", json!({})),
        AuthError::ClientSecretExpired { issuer } => ("secret_expired", json!({"issuer": issuer})),
        AuthError::RegistrationRefused { status, refusal } => (
            "registration_refused",
            json!({"status": status, "error": refusal.error, "description": refusal.description}),
        ),
        AuthError::ClientAuthentication { .. } => ("client_authentication", json!({})),
        AuthError::StepUpExhausted { .. } => ("step_up_exhausted", json!({})),
        AuthError::StillUnauthorized => ("still_unauthorized", json!({})),
        AuthError::NotAboutAuthorization { status } => ("not_about_authorization", json!({"status": status})),
        AuthError::StateMismatch => ("state_mismatch", json!({})),
        AuthError::AuthorizationRefused { refusal } => {
            ("authorization_refused", json!({"error": refusal.error, "description": refusal.description}))
        }
        AuthError::TokenRefused { status, refusal } => (
            "token_refused",
            json!({
                "status": status, "error": refusal.error, "description": refusal.description,
                "spent": Spent::by(&refusal.error).map(|spent| match spent {
                    Spent::Client => "client",
                    Spent::Tokens => "tokens",
                }),
            }),
        ),
        AuthError::GivenUp { what } => ("given_up", json!({"what": what})),
        AuthError::Unexpected { .. } => ("unexpected", json!({})),
        _ => ("other", json!({})),
    };
    let mut all = json!({"kind": kind, "message": error.to_string()});
    if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
        all.extend(more);
    }
    all
}

/// The same as an error of a verb; the failure is its data.
pub(crate) fn thrown(error: AuthError) -> Error {
    let data = failure(&error);
    Error::from(error).with_data(data)
}
