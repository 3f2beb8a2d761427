//! Folders that are filled anew.
//!
//! Owns: emptying one, and copying another into it. Must not know: what for.

use std::path::{Path, PathBuf};

/// What a failure at a path is told as.
pub(crate) fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// What is in a folder.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = std::fs::read_dir(folder).map_err(|e| failed(folder, &e))?;
    read.map(|entry| entry.map(|entry| entry.path()).map_err(|e| failed(folder, &e))).collect()
}

/// An empty folder.
pub(crate) fn fresh(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| failed(folder, &e))?;
    }
    std::fs::create_dir_all(folder).map_err(|e| failed(folder, &e))
}

/// All of a folder, but for what compilers left there.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::create_dir_all(to).map_err(|e| failed(to, &e))?;
    for path in entries(from)? {
        let name = path.file_name().unwrap_or_default();
        let target = to.join(name);
        if !path.is_dir() {
            std::fs::copy(&path, &target).map_err(|e| failed(&path, &e))?;
        } else if name != ".build" {
            copy(&path, &target)?;
        }
    }
    Ok(())
}
