//! The Python package as programs of this repository use it: built, and importable in a
//! virtual environment of its own, with the official packages beside it as peers.

use crate::{exec, install};
use std::path::{Path, PathBuf};

/// Says what is missing, if something is.
pub(crate) fn tools() -> Result<(), String> {
    let check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    let python = exec::stdout(exec::command("python3").args(["-c", check]));
    python.map(drop).map_err(|_| "no python3 of at least 3.11 with venv on the path".to_owned())
}

/// An interpreter that imports the package from this checkout; the extension is built.
pub(crate) fn environment() -> Result<PathBuf, String> {
    let python = install::python_package()?;
    if !exec::passes(exec::command("bash").arg("bindings-python/build.sh"))? {
        return Err("the Python extension does not build".to_owned());
    }
    finds_package(&python)?;
    Ok(python)
}

/// An environment's programs find the package: by a path file, not by PYTHONPATH, because
/// servers that a client starts inherit little.
pub(crate) fn finds_package(python: &Path) -> Result<(), String> {
    let purelib = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let place = exec::stdout(exec::command(python).args(["-c", purelib]))?;
    let package = exec::root().join("bindings-python/python");
    let file = PathBuf::from(place.trim()).join("mcpbolt-checkout.pth");
    std::fs::write(&file, format!("{}\n", package.display())).map_err(|e| format!("{}: {e}", file.display()))
}
