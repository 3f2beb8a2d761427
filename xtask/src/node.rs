//! The Node package as programs of this repository use it: built, and importable from
//! anywhere in the checkout, with the official packages beside it as peers.

use crate::{exec, install};
use std::path::PathBuf;

/// A Node that finds the package of this checkout; the addon is built.
pub(crate) fn environment() -> Result<PathBuf, String> {
    let tools = install::node_package()?;
    let mut build = exec::command("bash");
    build.arg("bindings-node/build.sh").env("MCPBOLT_NODE_TOOLS", tools);
    if !exec::passes(&mut build)? {
        return Err("the Node package does not build".to_owned());
    }
    Ok(PathBuf::from("node"))
}
