//! The documents of authorization as types.
//!
//! Owns: what a protected resource, an authorization server and a client publish of
//! themselves. Unknown members are ignored; a member that decides something has to be what
//! it should be. Must not know: where documents come from and whether they may be believed.

mod client;
mod member;
mod resource;
mod server;

pub use client::{ApplicationType, ClientMetadata};
pub use resource::ProtectedResourceMetadata;
pub use server::AuthorizationServerMetadata;

pub(super) use client::check_client_id;
pub(super) use member::{Members, check_text};
