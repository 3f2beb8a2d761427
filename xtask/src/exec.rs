//! Starting other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The top of the checkout.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A command in the top folder with nothing on its stdin.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
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
