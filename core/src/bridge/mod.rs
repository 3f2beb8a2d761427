//! What language bindings are built on. Outside semver.
//!
//! Owns: the boundary's verbs (R5), the slots (R6), options as JSON, the names of
//! errors. Must not know: pyo3, napi, uniffi, or any object of a language: integers,
//! names and JSON text only.
//!
//! A host loop has one [`Inbox`]. It takes [`Item`]s out of it and calls verbs on it;
//! a [`HostServer`] feeds it. Nothing starts before it is used. No entry panics: what
//! goes wrong inside is contained ([`contain`]).

mod asks;
mod caps;
mod client;
mod client_options;
mod encode;
mod errors;
mod event_store;
mod exchange;
mod fed_client;
mod feed;
mod fetch;
mod greeting;
mod guard;
mod held;
mod host;
mod http_client;
mod http_options;
mod inbox;
mod item;
mod leaving;
mod links;
mod listen;
mod lists;
mod mount;
mod options;
mod outcome;
mod pages;
mod queue;
mod rails;
mod received;
mod runtime;
mod served;
mod server;
mod service;
mod session;
mod settle;
mod slots;
mod snapshot;
mod states;
mod stats;
mod sync;
mod table;
mod target;
pub mod testing;
mod tidy;
mod transport;
mod upload;
mod verbs;

pub use client::HostClient;
pub use client_options::{ClientOptions, RequestPlan};
pub use encode::{decode_outcomes, encode_batch};
pub use errors::{ERROR_NAMES, ErrorNames, names_of};
pub use feed::Framing;
pub use guard::contain;
pub use inbox::{Inbox, Ready, Wake};
pub use item::{CancelWhy, Item, Request};
pub use leaving::AuditText;
pub use mount::{HttpMount, IncomingHead};
pub use options::{InboxLimits, Options, UnknownTool};
pub use outcome::{Failure, Outcome, Question};
pub use rails::Hidden;
pub use received::ResultChecks;
pub use runtime::{Birth, ForkedError};
pub use server::HostServer;
pub use service::AskReply;
pub use slots::Slot;
pub use states::take_state;
pub use transport::HostTransport;
pub use verbs::Delivery;
