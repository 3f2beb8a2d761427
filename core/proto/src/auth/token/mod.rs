//! Tokens: asking for them, reading them, knowing when they end.
//!
//! Owns: grants as forms, how a client proves itself, answers of token endpoints, tokens as
//! they are kept, asking what a token is. Must not know: which grant a flow wants, how assertions are signed.
//!
//! ```
//! use mcpbolt_proto::auth::token::{ClientAuthentication, Grant, TokenRequest, Writing};
//!
//! let request = TokenRequest {
//!     grant: Grant::ClientCredentials,
//!     resource: Some("https://mcp.example.com".into()),
//!     scopes: Default::default(),
//!     extra: Vec::new(),
//! };
//! let client = ClientAuthentication::Basic { client_id: "a b".into(), secret: "x:y".into() };
//! let fetch = request.fetch("https://a.example.com/token", &client, Writing::default(), &Default::default())?;
//! assert_eq!(fetch.header("Authorization").unwrap().expose(), "Basic YStiOnglM0F5");
//! # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
//! ```

mod answer;
mod authentication;
mod grant;
mod introspection;
mod revocation;
mod tokens;

pub use answer::{Expected, Spent, read_tokens};
pub use authentication::{BasicEncoding, ClientAuthentication, Method, Writing};
pub use grant::{Grant, TokenRequest, token_type};
pub use introspection::{introspection_request, read_introspection};
pub use revocation::{read_revocation, revocation_requests};
pub use tokens::{Tokens, changed_meanwhile, needs_refresh};
