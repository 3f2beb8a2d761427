//! The library under Kotlin and Swift as programs of this repository use it: built, with the
//! sources that were generated for it.

use crate::exec;
use std::path::PathBuf;

/// What `bindings-uniffi/build.sh` makes.
pub(crate) struct Built {
    /// The folder with the Kotlin sources.
    pub(crate) kotlin: PathBuf,
    /// The folder with the Swift source, the header and its module map.
    pub(crate) swift: PathBuf,
    /// The folder with the library.
    pub(crate) library: PathBuf,
}

/// Builds it.
pub(crate) fn environment() -> Result<Built, String> {
    if !exec::passes(exec::command("bash").arg("bindings-uniffi/build.sh"))? {
        return Err("the library for Kotlin and Swift does not build".to_owned());
    }
    let built = exec::root().join("bindings-uniffi/build");
    Ok(Built { kotlin: built.join("kotlin"), swift: built.join("swift"), library: built.join("lib") })
}
