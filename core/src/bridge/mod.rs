//! What language bindings are built on. Outside semver.
//!
//! Owns: the boundary's verbs (R5), the slots (R6), options as JSON, the names of
//! errors. Must not know: pyo3, napi, uniffi, or any object of a language: integers,
//! names and JSON text only.
//!
//! A host loop has one [`Inbox`]. It takes [`Item`]s out of it and calls verbs on it;
//! a [`HostServer`] feeds it. Nothing starts before it is used. No entry panics: what
//! goes wrong inside is contained ([`contain`]).

mod boundary;
mod client;
mod fed;
mod http;
mod options;
mod queue;
mod requests;
mod server;
mod services;
pub mod testing;

pub use self::http::mount::{HttpMount, IncomingHead};
pub use boundary::batch::{decode_outcomes, encode_batch};
pub use boundary::errors::{ERROR_NAMES, ErrorNames, names_of};
pub use boundary::fork_guard::{Birth, ForkedError};
pub use boundary::item::{CancelWhy, Item, Request};
pub use boundary::outcome::{Failure, Outcome, Question};
pub use boundary::panics::contain;
pub use client::host_client::HostClient;
pub use client::message_transport::HostTransport;
pub use client::result_checks::ResultChecks;
pub use fed::outbox::Framing;
pub use options::client::{ClientOptions, RequestPlan};
pub use options::guard_rails::Hidden;
pub use options::outgoing_options::AuditText;
pub use options::server::{InboxLimits, Options, UnknownTool};
pub use queue::inbox::{Inbox, Ready, Wake};
pub use requests::verbs::Delivery;
pub use server::host_server::HostServer;
pub use server::slots::Slot;
pub use server::used_states::take_state;
pub use services::asks::AskReply;
