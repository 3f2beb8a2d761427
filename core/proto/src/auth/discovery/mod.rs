//! Finding whose tokens a server takes.
//!
//! Owns: where metadata are looked for and in which order, and whether what came may be
//! used. Must not know: how documents are fetched, what is done with them.
//!
//! ```
//! use mcpbolt_proto::auth::discovery::{IssuerMatch, Verdict, judge_server, server_places};
//! use mcpbolt_proto::auth::fetch::{Answer, Rules};
//! use mcpbolt_proto::policy::discovery::Guard;
//!
//! let places = server_places("https://a.example.com/tenant", &Guard::default())?;
//! assert_eq!(places[0], "https://a.example.com/.well-known/oauth-authorization-server/tenant");
//!
//! let answer = Answer::new(200, r#"{"issuer": "https://evil.example.com"}"#);
//! let rules = Rules::document(Guard::default());
//! let verdict = judge_server(&answer, "https://a.example.com/tenant", IssuerMatch::Identical, &rules);
//! assert!(matches!(verdict, Verdict::Elsewhere(Some(_))));
//! # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
//! ```

mod judge;
mod places;

pub use judge::{IssuerMatch, ResourceMatch, Verdict, judge_resource, judge_server};
pub use places::{Place, PlaceKind, ResourcePlaces, resource_places, server_places};

pub(super) use judge::is_same_issuer;
pub(super) use places::origin_places;
