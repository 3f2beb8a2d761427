//! Folders that only the user can read.
//!
//! Owns: making them, and how each system is told. Must not know: what is kept there.

use std::fs::DirBuilder;
use std::io;
use std::path::Path;

/// Makes a folder, and those above it. One that exists stays as it is: its owner may share it.
#[cfg(not(windows))]
pub(super) fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a folder, and those above it. One that exists stays as it is: its owner may share it.
#[cfg(windows)]
pub(super) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).create(folder)?;
    let system = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    let closed = closing(Path::new(&system), folder).output().and_then(|done| {
        let why = || io::Error::other(format!("icacls ended with {}", done.status));
        done.status.success().then_some(()).ok_or_else(why)
    });
    if closed.is_err() {
        // The next attempt is not to find an open folder.
        let _ = std::fs::remove_dir(folder);
    }
    closed
}

/// The system's own program gives the folder a list with one entry, which the files in it inherit:
/// whoever owns a file may do everything with it. The owner is named by number, as names are
/// translated. The program is not looked for in `PATH`, where anything may be first.
#[cfg(any(windows, test))]
fn closing(system: &Path, folder: &Path) -> std::process::Command {
    const OWNER_RIGHTS: &str = "*S-1-3-4:(OI)(CI)F";
    let mut command = std::process::Command::new(system.join("System32").join("icacls.exe"));
    command.arg(folder).args(["/inheritance:r", "/grant:r", OWNER_RIGHTS, "/q"]);
    command
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::path::Path;

    #[test]
    fn the_owner_alone_is_let_into_a_folder_of_windows() {
        let command = super::closing(Path::new("/Windows"), Path::new("/a b/kept"));
        assert_eq!(command.get_program(), OsStr::new("/Windows/System32/icacls.exe"));
        let said: Vec<_> = command.get_args().collect();
        assert_eq!(said, ["/a b/kept", "/inheritance:r", "/grant:r", "*S-1-3-4:(OI)(CI)F", "/q"]);
    }
}
