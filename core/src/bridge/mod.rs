//! What language bindings are built on. Outside semver.
//!
//! Owns: the verbs of the boundary, who answers a method, options as JSON, the names of
//! errors. Must not know: pyo3, napi, uniffi, or any object of a language: integers,
//! names and JSON text only.
//!
//! A host loop has one [`Inbox`]. It takes [`Item`]s out of it and calls verbs on it;
//! a [`HostServer`] and a [`HostClient`] feed it. Nothing starts before it is used. No entry
//! panics: what goes wrong inside is contained ([`contain`]).
//!
//! The folders, each used by those after it:
//!
//! | folder | what it is |
//! |---|---|
//! | `boundary` | what crosses: items, outcomes, failures; panics and forks |
//! | `queue` | the pull queue: items in order, the wake, what is open in it |
//! | `options` | what servers, clients and requests can be told, read from JSON |
//! | `services` | services that the host writes and the engine asks |
//! | `requests` | calls, requests and messages, and the verbs on them |
//! | `fed` | connections whose bytes the host carries |
//! | `http` | HTTP that the host serves or carries |
//! | `server` | a server whose handlers live in the host |
//! | `client` | a client whose program lives in the host |
//! | `auth` | signing in for a host that carries HTTP |
//! | `sign_in` | signing in by the engine, with the host's browser and keychain |
//! | `skills`, `apps`, `hosts`, `telemetry` | the rules of skills and apps, the names of tools of several servers, and what spans say, for a host; used by none of the others |

mod apps;
mod auth;
mod boundary;
mod client;
mod features;
mod fed;
mod hosts;
mod http;
mod options;
mod queue;
mod requests;
mod server;
mod services;
mod sign_in;
mod skills;
mod telemetry;
pub mod testing;

pub use self::apps::decide_app;
pub use self::auth::assertions::HostAssertions;
pub use self::auth::bearer::HostBearer;
pub use self::auth::client_documents::HostClientDocuments;
pub use self::auth::decisions::decide_auth;
pub use self::auth::held_key::HostDpopKey;
pub use self::auth::held_redirect::{HostRedirect, PendingRedirect, open_in_browser};
pub use self::auth::held_store::{HostFileStore, HostStoreLock};
pub use self::auth::host_flow::HostFlow;
pub use self::auth::pending::PendingText;
pub use self::auth::resource_server::{HostResourceServer, PendingCheck, TokenCheck};
pub use self::boundary::grant::Grant;
pub use self::http::incoming_head::IncomingHead;
pub use self::http::listener::PageMaker;
pub use self::http::mount::HttpMount;
pub use self::http::transport_rules::TransportRules;
pub use boundary::batch::{SplitBatch, decode_outcomes, encode_batch, split_batch};
pub use boundary::errors::{ERROR_NAMES, ErrorNames, names_of};
pub use boundary::fork_guard::{ForkGuard, ForkedError};
pub use boundary::item::{CancelWhy, Item, Request};
pub use boundary::outcome::{Delivery, Failure, Outcome, Question};
pub use boundary::panics::contain;
pub use client::host_client::HostClient;
pub use client::message_transport::HostTransport;
pub use fed::framing::Framing;
pub use hosts::host_names;
pub use options::client::{ClientOptions, ResultChecks};
pub use options::guard_rails::Hidden;
pub use options::outgoing_options::AuditText;
pub use options::request::RequestPlan;
pub use options::server::{Options, UnknownTool};
pub use queue::inbox::Inbox;
pub use queue::limits::InboxLimits;
pub use queue::ready::Ready;
pub use queue::wake::Wake;
pub use server::host_server::HostServer;
pub use server::list_changes::OutdatedList;
pub use server::slots::Slot;
pub use server::used_states::take_state;
pub use services::asks::AskReply;
pub use sign_in::host_sign_in::HostSignIn;
pub use skills::{decide_skill, skill_digest, verify_skill};
pub use telemetry::decide_telemetry;
