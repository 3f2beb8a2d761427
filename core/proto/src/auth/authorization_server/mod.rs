//! What an authorization server decides, for the helpers of the official packages.
//!
//! Owns: which authorization, token and registration requests are valid, exact redirects, PKCE,
//! whether a client has proved itself, the documents of clients and of the server, assertions of an
//! identity provider, and error codes with their statuses. Must not know: HTTP, where clients,
//! codes and tokens are kept, whether a user agrees: that is the program's.
//!
//! ```
//! use mcpbolt_proto::auth::authorization_server::{
//!     Answer, Endpoint, HeldCode, HeldToken, KnownClient, check_code, check_refresh, prove_client,
//! };
//! use mcpbolt_proto::auth::words::Words;
//! use serde_json::json;
//!
//! let words = Words::Python2;
//! let form = json!({"client_id": "editor", "client_secret": "s3cret", "code_verifier": "guessed"});
//! let client = KnownClient {
//!     client_secret: Some("s3cret".into()),
//!     client_secret_expires_at: None,
//!     token_endpoint_auth_method: Some("client_secret_post".into()),
//! };
//! prove_client(Some(&client), &form, None, words, 1e9)?;
//!
//! let code = HeldCode {
//!     client_id: "editor".into(),
//!     expires_at: 2e9,
//!     redirect_uri: "https://editor.example/back".into(),
//!     redirect_uri_provided_explicitly: false,
//!     code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".into(),
//! };
//! let asked = form.as_object().unwrap();
//! let answer: Answer = check_code(asked, Some(&code), 1e9).unwrap_err().answer(Endpoint::Token, words);
//! assert_eq!((answer.status, &answer.body["error"]), (400, &json!("invalid_grant")));
//!
//! let token = HeldToken { client_id: "editor".into(), scopes: vec!["notes".into()], expires_at: None };
//! assert_eq!(check_refresh(asked, Some(&token), 1e9)?, ["notes"]);
//! # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
//! ```

mod assertion;
mod authorize;
mod client;
mod client_document;
mod document;
mod form;
mod refused;
mod registration;
mod token;

pub use assertion::{AssertionRules, Granted};
pub use authorize::{
    AuthorizationRequest, NamedClient, redirect_choice, redirect_matches, registered_scopes, with_issuer,
};
pub use client::{KnownClient, named_client, prove_client};
pub use client_document::{DocumentClient, DocumentPlaces, names_document};
pub use document::{ServerDocument, check_issuer, resource_metadata_url};
pub use refused::{Answer, Endpoint, Refused};
pub use registration::{Registered, RegistrationRules, WantedClient};
pub use token::{
    HeldCode, HeldToken, check_assertion_grant, check_code, check_grant, check_refresh, check_verifier,
    read_revocation, read_token_request,
};
