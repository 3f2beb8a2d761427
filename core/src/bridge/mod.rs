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
mod encode;
mod errors;
mod feed;
mod guard;
mod host;
mod inbox;
mod item;
mod lists;
mod options;
mod outcome;
mod queue;
mod runtime;
mod server;
mod service;
mod settle;
mod slots;
mod snapshot;
mod table;
mod verbs;

pub use encode::{decode_outcomes, encode_batch};
pub use errors::{ERROR_NAMES, ErrorNames, names_of};
pub use feed::Framing;
pub use guard::contain;
pub use inbox::{Inbox, Ready, Wake};
pub use item::{CancelWhy, Item, Request};
pub use options::{InboxLimits, Options, UnknownTool};
pub use outcome::{Failure, Outcome, Question};
pub use runtime::{Birth, ForkedError};
pub use server::HostServer;
pub use service::AskReply;
pub use slots::Slot;
pub use verbs::Delivery;
