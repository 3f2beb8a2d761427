//! What an authorization server decides, for the helpers of the official packages.
//!
//! Owns: which authorization, token and registration requests are valid, exact redirects, PKCE,
//! whether a client has proved itself, the documents a server publishes, assertions of an
//! identity provider, and error codes with their statuses. Must not know: HTTP, where clients,
//! codes and tokens are kept, whether a user agrees: that is the program's.

mod assertion;
mod authorize;
mod client;
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
pub use document::{ServerDocument, check_issuer, resource_metadata_url};
pub use refused::{Answer, Endpoint, Refused};
pub use registration::{Registered, RegistrationRules, WantedClient};
pub use token::{
    HeldCode, HeldToken, check_assertion_grant, check_code, check_grant, check_refresh, check_verifier,
    read_revocation, read_token_request,
};
