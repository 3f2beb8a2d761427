//! The contestants in Swift: built as users build theirs, with the package for Linux and in it the
//! library in the release profile. The official package is none of them: nothing but a git host
//! has it; whoever does names programs of it in the environment, which the driver reads.

use super::checkout::Checkout;
use crate::swift::{self, Toolchain};
use std::path::PathBuf;

/// The folder with the commands `server` and `client`, and what the compiler says it is.
pub(super) fn commands() -> Result<(PathBuf, String), String> {
    let toolchain = Toolchain::get()?;
    println!("==> building the library for Swift (release, some minutes the first time)");
    let library = Checkout::this().release("mcpbolt-uniffi", &["libmcpbolt_uniffi.a"], &[])?;
    println!("==> building the programs in Swift (release, some minutes the first time)");
    Ok((swift::released(&toolchain, "tests/bench/swift", &library)?, toolchain.version()?))
}
