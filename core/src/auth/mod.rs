//! Clients sign in, servers want tokens: OAuth 2.1 as the Model Context Protocol has it.
//!
//! Owns: carrying out the steps of [`mcpbolt_proto::auth::flow`]: HTTP to authorization
//! servers, the browser's way there and back, stores, and one flow for any number of requests
//! that wait for a token; and for servers, finding out whether a token is genuine. Must not know:
//! which step follows which event, what a document, an answer or a claim means; that is decided
//! there. What clients and servers do with their connections.
//!
//! ```no_run
//! use mcpbolt::auth::OAuth;
//! use mcpbolt::client::Client;
//! use mcpbolt::transport::streamable_http::client::HttpClientOptions;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), mcpbolt::Error> {
//! let options = HttpClientOptions::default().oauth(OAuth::new("Example"));
//! let client = Client::builder("example", "1.0").build();
//! // If the server wants a token, the user's browser opens.
//! let session = client.connect(("https://mcp.example.com/mcp", options)).await?;
//! # session.close().await;
//! # Ok(())
//! # }
//! ```

mod assertion;
mod authorizer;
mod client_documents;
mod dpop_key;
mod fetch;
mod flow;
mod oauth;
mod redirect;
#[cfg(feature = "http-server")]
mod resource_server;
mod settings;
mod store;
mod supply;
mod time;

pub use assertion::AssertionKey;
pub use client_documents::ClientDocuments;
pub use dpop_key::DpopKey;
pub use oauth::OAuth;
pub use redirect::{Listening, Loopback, RedirectCallback, RedirectReceiver};
#[cfg(feature = "http-server")]
pub use resource_server::{
    CheckedToken, Dpop, IdentityAssertions, Introspection, ResourceServer, ResourceServerBuilder, TokenError,
    TokenVerifier,
};
pub use store::{CredentialStore, Credentials, FileStore, MemoryStore, StoreLock};
pub use supply::Supplier;

pub use mcpbolt_proto::auth::authorization_request::Pending;
pub use mcpbolt_proto::auth::authorization_server::{
    AssertionRules, DocumentClient, DocumentPlaces, Granted, Refused,
};
pub use mcpbolt_proto::auth::error::AuthError;
pub use mcpbolt_proto::auth::flow::{
    Audience, Compatibility, DefaultEndpoints, GrantFlow, IdentityProvider, KnownServer, Need, Options,
    ResourceParameter,
};
pub use mcpbolt_proto::auth::metadata::{ApplicationType, ClientMetadata};
pub use mcpbolt_proto::auth::redirect::RedirectAnswer;
pub use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin, Unbound};
pub use mcpbolt_proto::auth::resource_server::{TokenClaims, TokenRefusal};
pub use mcpbolt_proto::auth::scope::Scopes;
pub use mcpbolt_proto::auth::secret::Secret;
pub use mcpbolt_proto::auth::token::{Tokens, token_type};
