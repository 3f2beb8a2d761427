//! Variables of the environment that people set for this program.
//!
//! Owns: that one which is empty counts as none. Must not know: what they are for.

use std::ffi::OsString;
use std::path::PathBuf;

/// A text; `None` also where it is no Unicode.
pub(crate) fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

/// A folder.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}
