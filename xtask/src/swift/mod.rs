//! A Swift compiler: the one on PATH, or Debian's in a folder of the user's cache.
//!
//! Owns: where it comes from, why it cannot be had, and where it works. Must not know: what is
//! compiled; that is [`programs`]'s business.

mod programs;

pub(crate) use programs::{in_a_project, programs, released};

use crate::{exec, install, newer_debian};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the folder has then.
const NAME: &str = "swift";
/// What a program needs to be compiled and linked there.
const PACKAGES: [&str; 5] = ["swiftlang", "libc6-dev", "libstdc++-14-dev", "gcc", "binutils"];
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
        newer_debian::with(NAME, &PACKAGES).map(Self::Folder).map_err(|why| no_swiftc(&why))
    }

    /// Finds one that is here already; `Err` says that there is none.
    pub(crate) fn found() -> Result<Self, String> {
        if exec::stdout(exec::command("swiftc").arg("--version")).is_ok() {
            return Ok(Self::System);
        }
        newer_debian::found(NAME).map(Self::Folder).map_err(|why| no_swiftc(&why))
    }

    /// What the compiler says it is, such as `Swift version 6.0.3`.
    pub(crate) fn version(&self) -> Result<String, String> {
        let mut ask = match self {
            Self::System => exec::command("swiftc"),
            Self::Folder(root) => newer_debian::inside(root, "swiftc"),
        };
        let said = exec::stdout(ask.arg("--version"))?;
        let first = said.lines().find(|line| line.contains("Swift version")).unwrap_or_default();
        Ok(first.split('(').next().unwrap_or_default().trim().to_owned())
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
                let mut bash = newer_debian::inside(root, "bash");
                bash.args(["-c", "cd \"$0\" && exec bash \"$1\""]).arg(&place).arg(script);
                bash.env("HOME", place).env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
                bash
            }
        }
    }
}

fn no_swiftc(why: &str) -> String {
    format!("no swiftc on PATH, and {why}")
}
