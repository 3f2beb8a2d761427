//! Starting other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The top of the checkout.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A command in the top folder with nothing on its stdin, as a shell would start it. What
/// cargo tells the programs it runs about themselves would reach build scripts, also by way of
/// scripts that call cargo, and those run again when that differs: with ring, everything that
/// stands on it would be compiled once for `cargo` and once for `cargo xtask`.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    let about_us = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(about_us)) {
        command.env_remove(name);
    }
    command
}

/// Runs it with our stdout and stderr; true if it exited with 0.
pub(crate) fn passes(command: &mut Command) -> Result<bool, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.status().map(|status| status.success()).map_err(|e| format!("cannot start {name}: {e}"))
}

/// Its stdout, if it exited with 0; else its stderr in the error.
pub(crate) fn stdout(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("cannot start {name}: {e}"))?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        Err(format!("{name}: {}", String::from_utf8_lossy(&out.stderr).trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::command;

    /// Under cargo, which sets it for tests too.
    #[test]
    fn commands_are_not_told_that_we_run_under_cargo() {
        let removed =
            |name: &str| command("true").get_envs().any(|(at, value)| at == name && value.is_none());
        assert!(std::env::var_os("CARGO_PKG_NAME").is_some() && removed("CARGO_PKG_NAME"));
        assert!(removed("CARGO_MANIFEST_DIR") && !removed("PATH"));
    }
}
