//! How an authorization server comes to know a client.
//!
//! Owns: what is kept of a client, the order of ways, the request of a dynamic registration
//! and its answer. Must not know: tokens, stores, users.
//!
//! ```
//! use mcpbolt_proto::auth::metadata::{AuthorizationServerMetadata, ClientMetadata};
//! use mcpbolt_proto::auth::registration::{ClientInformation, Situation, Unbound, Way};
//!
//! let ours = ClientInformation::pre_registered("s6BhdRkqt3", "https://a.example.com");
//! let situation = Situation {
//!     issuer: "https://a.example.com",
//!     server: &AuthorizationServerMetadata::default(),
//!     clients: &[ours.clone()],
//!     metadata: &ClientMetadata::default(),
//!     metadata_url: None,
//!     unbound: Unbound::Refuse,
//!     now: std::time::Duration::ZERO,
//! };
//! assert_eq!(situation.way()?, Way::Known(ours));
//! # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
//! ```

mod choose;
mod client;
mod dynamic;

pub use choose::{Situation, Unbound, Way};
pub use client::{ClientInformation, ClientOrigin};
pub use dynamic::{read_registration, registration_body};
