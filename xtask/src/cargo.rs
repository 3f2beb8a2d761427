//! What cargo knows: packages, binaries and where they are built.

use crate::exec;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Cargo as a shell would start it.
pub(crate) fn cargo() -> Command {
    exec::command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn metadata() -> Result<Value, String> {
    let text = exec::stdout(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

/// Whether a package has a target of that kind (`bin`, `test`) and name.
pub(crate) fn has_target(package: &str, kind: &str, name: &str) -> Result<bool, String> {
    let metadata = metadata()?;
    let found = packages(&metadata)
        .filter(|p| p["name"] == package)
        .flat_map(|p| p["targets"].as_array().into_iter().flatten())
        .any(|t| t["name"] == name && t["kind"].as_array().is_some_and(|k| k.iter().any(|k| k == kind)));
    Ok(found)
}

/// A cargo command on the whole workspace, to which a target's name is to be added. With
/// `-p` cargo would choose features for that package alone and compile the dependencies
/// once more.
pub(crate) fn workspace(verb: &str) -> Command {
    let mut command = cargo();
    command.args([verb, "--quiet", "--workspace"]);
    command
}

/// Builds one binary; `None` if the package has no such binary yet.
pub(crate) fn build_bin(package: &str, name: &str) -> Result<Option<PathBuf>, String> {
    if !has_target(package, "bin", name)? {
        return Ok(None);
    }
    if !exec::passes(workspace("build").args(["--bin", name]))? {
        return Err(format!("{name} does not build"));
    }
    built(name).map(Some)
}

/// Where cargo puts a binary.
pub(crate) fn built(name: &str) -> Result<PathBuf, String> {
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().unwrap_or("target");
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(PathBuf::from(target).join("debug").join(file))
}
