//! A Swift compiler: the one on PATH, or Debian's in a folder of the user's cache.
//!
//! Owns: where it comes from, and why it cannot be had. Must not know: what is compiled.

use crate::{exec, install};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Debian release that has a Swift of 6.
const RELEASE: &str = "trixie";
/// What a program needs to be compiled and linked there.
const PACKAGES: [&str; 5] = ["swiftlang", "libc6-dev", "libstdc++-14-dev", "gcc", "binutils"];

/// Where Swift is.
pub(crate) enum Toolchain {
    /// On PATH.
    System,
    /// In a system of its own, in this folder.
    Folder(Mounted),
}

/// A folder with a system in it whose `/proc` is there as long as this lives.
pub(crate) struct Mounted {
    root: PathBuf,
    /// Whether it was mounted here, and is to go again.
    ours: bool,
}

impl Toolchain {
    /// Finds one, or installs it; `Err` says why there is none.
    pub(crate) fn get() -> Result<Self, String> {
        if exec::stdout(exec::command("swiftc").arg("--version")).is_ok() {
            return Ok(Self::System);
        }
        folder().map(Self::Folder)
    }

    /// A fresh folder that its programs see, for what is to be compiled.
    pub(crate) fn workplace(&self) -> Result<PathBuf, String> {
        let place = match self {
            Self::System => exec::root().join("target/swift"),
            Self::Folder(mounted) => mounted.root.join("build"),
        };
        let text = |e: std::io::Error| format!("{}: {e}", place.display());
        if place.exists() {
            std::fs::remove_dir_all(&place).map_err(text)?;
        }
        std::fs::create_dir_all(&place).map_err(text)?;
        Ok(place)
    }

    /// A shell script of the workplace, run in it.
    pub(crate) fn script(&self, workplace: &Path, script: &str) -> Command {
        match self {
            Self::System => {
                let mut bash = exec::command("bash");
                bash.arg(script).current_dir(workplace);
                bash
            }
            Self::Folder(mounted) => {
                let mut chroot = exec::command("chroot");
                chroot.arg(&mounted.root).args([
                    "bash",
                    "-c",
                    "cd /build && exec bash \"$@\"",
                    "bash",
                    script,
                ]);
                chroot.env("HOME", "/build").env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
                chroot
            }
        }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if self.ours {
            let _ = exec::stdout(exec::command("umount").arg(self.root.join("proc")));
        }
    }
}

/// The folder, with the compiler in it.
fn folder() -> Result<Mounted, String> {
    let root = cache()?.join("mcpbolt").join(RELEASE);
    if !install::is_root() {
        return Err("no swiftc on PATH, and only root may install Debian's in a folder".to_owned());
    }
    let done = root.join(".swift");
    if !root.join(".system").is_file() {
        debootstrap(&root)?;
        write(&root.join(".system"))?;
    }
    let mounted = mount(root)?;
    if !done.is_file() {
        println!("    installing {} in {}", PACKAGES[0], mounted.root.display());
        install::apt(Some(&mounted.root), &PACKAGES)
            .map_err(|why| format!("Debian's Swift cannot be installed: {why}"))?;
        write(&done)?;
    }
    Ok(mounted)
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
        install::apt(None, &["debootstrap"])
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

/// Its `/proc`, which the compiler looks into.
fn mount(root: PathBuf) -> Result<Mounted, String> {
    let proc = root.join("proc");
    if proc.join("self").exists() {
        return Ok(Mounted { root, ours: false });
    }
    exec::stdout(exec::command("mount").args(["-t", "proc", "proc"]).arg(&proc))
        .map_err(|why| format!("/proc cannot be mounted for Debian's Swift: {why}"))?;
    Ok(Mounted { root, ours: true })
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
