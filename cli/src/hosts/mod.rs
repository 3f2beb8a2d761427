//! The apps that start servers, and their settings files.
//!
//! Rooms import downwards only: `app` → `secrets`; `file` stands alone.
//!
//! Owns: where each app looks for servers, and in which words. Must not know: which server is
//! meant, or what is said of a change.

mod app;
mod file;
mod secrets;

pub(crate) use app::{App, Entry};
pub(crate) use file::{Change, MARK, SettingsFile};
pub(crate) use secrets::in_the_clear;
