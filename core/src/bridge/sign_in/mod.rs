//! Signing in that the engine carries out for a host, with the HTTP of its own clients.
//!
//! Owns: the options as JSON, and what the host is asked for: its browser, its store, and what
//! only the program has. Must not know: which step follows which, how tokens are got; that is
//! `auth` of the engine. How a language shows a browser or opens a keychain.

mod browser;
pub(crate) mod host_sign_in;
mod keychain;
mod options;
mod supplies;
