//! The Node package as programs of this repository use it: built, and importable from
//! anywhere in the checkout, with the official packages beside it as peers.

use crate::{exec, install};
use std::path::PathBuf;

/// Oldest Node the package runs on.
const MAJOR: u32 = 20;

/// Says what is missing, if something is.
pub(crate) fn tools() -> Result<(), String> {
    let said = exec::stdout(exec::command("node").arg("--version")).unwrap_or_default();
    if major(&said) < Some(MAJOR) {
        return Err(format!("no Node of at least {MAJOR} on the path"));
    }
    let npm = exec::stdout(exec::command("npm").arg("--version"));
    npm.map(drop).map_err(|_| "no npm on the path".to_owned())
}

/// From `v20.11.1`.
fn major(said: &str) -> Option<u32> {
    said.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// A Node that finds the package of this checkout; the addon is built.
pub(crate) fn environment() -> Result<PathBuf, String> {
    let tools = install::node_package()?;
    let mut build = exec::command("bash");
    build.args(["bindings-node/build.sh", "--debug"]).env("MCPBOLT_NODE_TOOLS", tools);
    if !exec::passes(&mut build)? {
        return Err("the Node package does not build".to_owned());
    }
    Ok(PathBuf::from("node"))
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn a_node_says_its_version() {
        assert_eq!(major("v20.11.1\n"), Some(20));
        assert_eq!(major(""), None);
    }
}
