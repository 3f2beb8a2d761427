//! The boundary's verbs for Node. The facade, written in TypeScript, stands on this.
//!
//! JSON text crosses at most twice per batch: one text of items in, one text of outcomes out. Long
//! strings cross by themselves. No
//! runtime starts when the module is loaded, and nothing in here holds a JavaScript object except
//! the one function that wakes its event loop.
#![allow(clippy::needless_pass_by_value, reason = "arguments arrive as owned values")]
#![cfg_attr(test, allow(dead_code, reason = "the macro registers functions outside of tests alone"))]

mod apps;
mod auth;
mod buffers;
mod client;
mod command;
mod error;
mod hosts;
mod inbox;
mod number;
mod schema;
mod seal;
mod server;
mod sign_in;
mod skills;
mod strings;
mod template;
mod testing;
mod transport;
mod transport_rules;
