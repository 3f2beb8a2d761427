//! Servers that want tokens: OAuth 2.1 resource servers.
//!
//! Owns: finding out whether a token is genuine: signatures by the keys that its issuer
//! publishes, or its issuer's own word; remembering that for a while; and the metadata by which
//! clients find the issuer. Must not know: what claims have to be and how a refusal is worded,
//! which `mcpbolt_proto::auth::resource_server` decides; what a program does with a principal.
//!
//! ```
//! use mcpbolt::auth::ResourceServer;
//! use mcpbolt::server::{Bounded, Server};
//! use mcpbolt::transport::streamable_http::server::HttpOptions;
//! use std::sync::Arc;
//!
//! let tokens = ResourceServer::builder("https://mcp.example.com/mcp", ["https://login.example.com"])
//!     .scopes(["files:read"])
//!     .implies(|granted, needed| granted == "files:write" && needed == "files:read")
//!     .build()?;
//! let options = HttpOptions { verify: Some(Arc::new(tokens)), ..HttpOptions::default() };
//! let server = Server::builder("files", "1.0.0").scopes(Bounded::tool("write"), ["files:write"])?.build();
//! # let _ = (server, options);
//! # Ok::<(), mcpbolt::Error>(())
//! ```

mod accepted;
mod builder;
mod identity_assertions;
mod introspection;
mod issuer;
mod jwt;
mod key_set;
mod key_source;
mod proofs;
mod remembered;
mod server;
mod single_flight;
mod verifier;

pub use builder::ResourceServerBuilder;
pub use identity_assertions::IdentityAssertions;
pub use introspection::Introspection;
pub use proofs::Dpop;
pub use server::ResourceServer;
pub use verifier::{CheckedToken, TokenError, TokenVerifier};
