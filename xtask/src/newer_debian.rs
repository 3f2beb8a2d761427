//! A newer Debian than this one, in a folder of the user's cache.
//!
//! Owns: how it is made, entered and given packages, and how programs of it run here. Must not know:
//! which packages.

use crate::folder::failed;
use crate::{exec, install};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release.
const RELEASE: &str = "trixie";
/// Its loader, and its libraries.
const LOADER: &str = if cfg!(target_arch = "aarch64") {
    "usr/lib/ld-linux-aarch64.so.1"
} else {
    "usr/lib64/ld-linux-x86-64.so.2"
};
const LIBRARIES: &str =
    if cfg!(target_arch = "aarch64") { "usr/lib/aarch64-linux-gnu" } else { "usr/lib/x86_64-linux-gnu" };

/// The folder, with these packages in it: `what` is their name, and there is a file of that name once
/// they are.
pub(crate) fn with(what: &str, packages: &[&str]) -> Result<PathBuf, String> {
    if !install::is_root() {
        return Err("only root may install Debian's in a folder".to_owned());
    }
    let root = place()?;
    if !root.join(".system").is_file() {
        debootstrap(&root)?;
        write(&root.join(".system"))?;
    }
    enter(&root)?;
    let done = root.join(format!(".{what}"));
    if !done.is_file() {
        println!("    installing {} in {}", packages[0], root.display());
        install::apt(inside(&root, "apt-get"), packages)
            .map_err(|why| format!("Debian's {} cannot be installed: {why}", packages[0]))?;
        write(&done)?;
    }
    Ok(root)
}

/// The folder, if what [`with`] names so is in it already.
pub(crate) fn found(what: &str) -> Result<PathBuf, String> {
    let root = place()?;
    if !root.join(format!(".{what}")).is_file() {
        return Err("there is none in the cache".to_owned());
    }
    enter(&root).map(|()| root)
}

/// A command of a shell that runs a program of the folder's, which sees all files that are here, with
/// more libraries than those of the system.
pub(crate) fn words(root: &Path, program: &Path, more: &[PathBuf]) -> String {
    let libraries = std::iter::once(root.join(LIBRARIES)).chain(more.iter().cloned());
    let path: Vec<String> = libraries.map(|folder| folder.display().to_string()).collect();
    let libraries = quoted(Path::new(&path.join(":")));
    format!("{} --library-path {libraries} {}", quoted(&root.join(LOADER)), quoted(program))
}

/// Writes a command of these words, without one more between it and the program, so that signals
/// reach that. A variable with the libraries would reach the program's children too, which have others.
pub(crate) fn write_command(command: &Path, words: &str) -> Result<(), String> {
    std::fs::write(command, format!("#!/bin/sh\nexec {words} \"$@\"\n")).map_err(|e| failed(command, &e))?;
    exec::stdout(exec::command("chmod").arg("+x").arg(command)).map(drop)
}

/// As a shell reads it as one word.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// A program of the system in a folder, with a `/proc` there that only it and its children see:
/// the compiler looks into it, and nothing is left mounted.
pub(crate) fn inside(root: &Path, program: &str) -> Command {
    let enter = "mount -t proc proc \"$0/proc\" && exec chroot \"$0\" \"$@\"";
    let mut command = exec::command("unshare");
    command.args(["--mount", "bash", "-c", enter]).arg(root).arg(program);
    command
}

/// Whether this user may work in that system.
fn enter(root: &Path) -> Result<(), String> {
    let entered = exec::stdout(&mut inside(root, "true"));
    entered.map(drop).map_err(|why| format!("the system in {} cannot be entered: {why}", root.display()))
}

fn write(file: &Path) -> Result<(), String> {
    std::fs::write(file, "").map_err(|e| format!("{}: {e}", file.display()))
}

fn place() -> Result<PathBuf, String> {
    Ok(cache()?.join("mcpbolt").join(RELEASE))
}

/// The user's folder for what can be made again.
fn cache() -> Result<PathBuf, String> {
    if let Some(given) = std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
        return Ok(PathBuf::from(given));
    }
    let home = std::env::var_os("HOME").ok_or("there is no home for a cache")?;
    Ok(PathBuf::from(home).join(".cache"))
}

/// A small system in a folder.
fn debootstrap(root: &Path) -> Result<(), String> {
    let targets = ["indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"];
    let listed = exec::stdout(exec::command("apt-get").args(targets))
        .map_err(|_| "there is no apt to get Debian's with".to_owned())?;
    let mirror = mirror(&listed).ok_or("apt knows no mirror of Debian")?;
    if exec::stdout(exec::command("debootstrap").arg("--version")).is_err() {
        install::apt(exec::command("apt-get"), &["debootstrap"])
            .map_err(|why| format!("debootstrap cannot be installed: {why}"))?;
    }
    println!("    a Debian {RELEASE} in {}", root.display());
    if root.join("proc/self").exists() {
        return Err(format!("{} is half made and has a /proc: unmount that first", root.display()));
    }
    if root.exists() {
        // What was begun and not finished.
        std::fs::remove_dir_all(root).map_err(|e| format!("{}: {e}", root.display()))?;
    }
    std::fs::create_dir_all(root).map_err(|e| format!("{}: {e}", root.display()))?;
    let mut make = exec::command("debootstrap");
    make.args(["--variant=minbase", "--include=ca-certificates", RELEASE]).arg(root).arg(mirror);
    exec::stdout(&mut make).map(drop).map_err(|why| format!("debootstrap fails: {why}"))
}

/// Debian's mirror, of the lines `ORIGIN COMPONENT URI` that apt is configured for.
fn mirror(listed: &str) -> Option<String> {
    let rows = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?, words.next()?))
    });
    let mut own = rows.filter(|(origin, component, uri)| {
        *origin == "Debian" && *component == "main" && !uri.trim_end_matches('/').ends_with("security")
    });
    own.next().map(|(_, _, uri)| uri.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_the_one_apt_is_configured_for() {
        let listed = "Other main https://packages.example/apt/\n\
            Debian contrib http://mirror.example/debian/\n\
            Debian main http://mirror.example/debian-security/\n\
            Debian main http://mirror.example/debian/\n";
        assert_eq!(mirror(listed).as_deref(), Some("http://mirror.example/debian/"));
        assert_eq!(mirror("Ubuntu main http://mirror.example/ubuntu/\n"), None);
    }

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(quoted(Path::new("/a b/c'd")), r"'/a b/c'\''d'");
    }
}
