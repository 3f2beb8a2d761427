//! A Swift compiler: the one on PATH, or Debian's in a folder of the user's cache.
//!
//! Owns: where it comes from, why it cannot be had, and where it works. Must not know: what is
//! compiled; that is [`programs`]'s business.

mod programs;

pub(crate) use programs::{in_a_project, programs};

use crate::{exec, install};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Debian release that has a Swift of 6.
const RELEASE: &str = "trixie";
/// What a program needs to be compiled and linked there.
const PACKAGES: [&str; 5] = ["swiftlang", "libc6-dev", "libstdc++-14-dev", "gcc", "binutils"];
/// There once the compiler is.
const INSTALLED: &str = ".swift";
/// The folder in it where it works.
const WORK: &str = "work";

/// Where Swift is.
pub(crate) enum Toolchain {
    /// On PATH.
    System,
    /// In a system of its own, in this folder.
    Folder(PathBuf),
}

impl Toolchain {
    /// Finds one, or installs it; `Err` says why there is none.
    pub(crate) fn get() -> Result<Self, String> {
        if exec::stdout(exec::command("swiftc").arg("--version")).is_ok() {
            return Ok(Self::System);
        }
        folder().map(Self::Folder)
    }

    /// Finds one that is here already; `Err` says that there is none.
    pub(crate) fn found() -> Result<Self, String> {
        if exec::stdout(exec::command("swiftc").arg("--version")).is_ok() {
            return Ok(Self::System);
        }
        let root = cache()?.join("mcpbolt").join(RELEASE);
        if !root.join(INSTALLED).is_file() {
            return Err("no swiftc on PATH, and none in the cache".to_owned());
        }
        enter(&root).map(|()| Self::Folder(root))
    }

    /// A folder that its programs see, another for each checkout.
    fn workplace(&self) -> PathBuf {
        match self {
            Self::System => exec::root().join("target/swift/work"),
            Self::Folder(root) => root.join(WORK).join(install::digest(&exec::root())),
        }
    }

    /// A shell script of the workplace, run in it.
    pub(crate) fn script(&self, script: &str) -> Command {
        let place = self.workplace();
        match self {
            Self::System => {
                let mut bash = exec::command("bash");
                bash.arg(script).current_dir(place);
                bash
            }
            Self::Folder(root) => {
                let place = Path::new("/").join(place.strip_prefix(root).unwrap_or(&place));
                let mut bash = inside(root, "bash");
                bash.args(["-c", "cd \"$0\" && exec bash \"$1\""]).arg(&place).arg(script);
                bash.env("HOME", place).env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
                bash
            }
        }
    }
}

/// A program of the system in a folder, with a `/proc` there that only it and its children see:
/// the compiler looks into it, and nothing is left mounted.
fn inside(root: &Path, program: &str) -> Command {
    let enter = "mount -t proc proc \"$0/proc\" && exec chroot \"$0\" \"$@\"";
    let mut command = exec::command("unshare");
    command.args(["--mount", "bash", "-c", enter]).arg(root).arg(program);
    command
}

/// The folder, with the compiler in it.
fn folder() -> Result<PathBuf, String> {
    let root = cache()?.join("mcpbolt").join(RELEASE);
    if !install::is_root() {
        return Err("no swiftc on PATH, and only root may install Debian's in a folder".to_owned());
    }
    let done = root.join(INSTALLED);
    if !root.join(".system").is_file() {
        debootstrap(&root)?;
        write(&root.join(".system"))?;
    }
    enter(&root)?;
    if !done.is_file() {
        println!("    installing {} in {}", PACKAGES[0], root.display());
        install::apt(inside(&root, "apt-get"), &PACKAGES)
            .map_err(|why| format!("Debian's Swift cannot be installed: {why}"))?;
        write(&done)?;
    }
    Ok(root)
}

/// Whether this user may work in that system.
fn enter(root: &Path) -> Result<(), String> {
    let entered = exec::stdout(&mut inside(root, "true"));
    entered.map(drop).map_err(|why| format!("the system in {} cannot be entered: {why}", root.display()))
}

fn write(file: &Path) -> Result<(), String> {
    std::fs::write(file, "").map_err(|e| format!("{}: {e}", file.display()))
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
        .map_err(|_| "no swiftc on PATH, and no apt to get Debian's with".to_owned())?;
    let mirror = mirror(&listed).ok_or("no swiftc on PATH, and apt knows no mirror of Debian")?;
    if exec::stdout(exec::command("debootstrap").arg("--version")).is_err() {
        install::apt(exec::command("apt-get"), &["debootstrap"])
            .map_err(|why| format!("no swiftc on PATH, and debootstrap cannot be installed: {why}"))?;
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
}
