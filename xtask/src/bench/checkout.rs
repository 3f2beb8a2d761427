//! A checkout whose programs are measured: this one, or another commit's.
//!
//! Owns: how its servers, its Python package and its addon are built for users, and where that is
//! put. Must not know: what is measured.

use crate::{cargo, exec, folder, tree};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How `wheel.py` and `pack.mjs` have rustc build; `bindings-uniffi/build.sh` adds nothing.
const FAT: &[&str] = &["-C", "lto=fat"];

/// Its folder, and the one that it is built in.
pub(super) struct Checkout {
    /// The top of it.
    pub(super) root: PathBuf,
    /// What cargo calls the target folder.
    pub(super) target: PathBuf,
    /// What every crate of a package is compiled with beside the profile's own: whether it counts what
    /// runs, or is laid out by what was counted.
    flags: Option<String>,
}

impl Checkout {
    /// One that is built there.
    pub(super) fn of(root: PathBuf, target: PathBuf) -> Self {
        Self { root, target, flags: None }
    }

    /// The one that this program is of.
    pub(super) fn this() -> Self {
        Self::of(exec::root(), exec::root().join("target/bench"))
    }

    /// The same, with packages as they are released: by what `bench profile` counted, if it did.
    pub(super) fn released() -> Self {
        let flags = profile().map(|profile| format!("-Cprofile-use={}", profile.display()));
        Self { flags, ..Self::this() }
    }

    /// The same, with packages that write into a folder how often each of their functions ran.
    pub(super) fn counting(target: PathBuf, into: &Path) -> Self {
        let flags = Some(format!("-Cprofile-generate={}", into.display()));
        Self { flags, ..Self::of(exec::root(), target) }
    }

    /// Whether it builds by what was counted.
    pub(super) fn is_profiled(&self) -> bool {
        self.flags.is_some()
    }

    /// Builds programs of its `tests/bench` in the release profile, or all of them; their folder.
    pub(super) fn programs(&self, names: &[&str]) -> Result<PathBuf, String> {
        println!("==> building programs of tests/bench (release, some minutes the first time)");
        let mut build = self.cargo("build", "tests/bench/Cargo.toml");
        build.args(names.iter().flat_map(|name| ["--bin", name]));
        // Also where its commit does without the names of functions.
        build.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
        if exec::passes(&mut build)? {
            Ok(self.target.join("release"))
        } else {
            Err("tests/bench does not build".to_owned())
        }
    }

    /// Node's addon.
    pub(super) fn addon(&self) -> Result<PathBuf, String> {
        println!("==> building the addon of Node (release, some minutes the first time)");
        let built = self.release("mcpbolt-node", &["libmcpbolt_node.so", "libmcpbolt_node.dylib"], FAT)?;
        let addon = self.target.join("mcpbolt.node");
        copy(&built, &addon)?;
        Ok(addon)
    }

    /// The library of a binding, as its users get it: `how` is what rustc is told beside the profile.
    pub(super) fn release(&self, package: &str, names: &[&str], how: &[&str]) -> Result<PathBuf, String> {
        let mut build = self.cargo("rustc", "Cargo.toml");
        build.args(["--package", package, "--lib", "--"]).args(how);
        if let Some(flags) = &self.flags {
            build.env("RUSTFLAGS", flags);
        }
        if !exec::passes(&mut build)? {
            return Err(format!("{package} does not build"));
        }
        let mut libraries = names.iter().map(|name| self.target.join("release").join(name));
        libraries.find(|path| path.is_file()).ok_or_else(|| format!("{package} was built under another name"))
    }

    /// The Python package with its extension in the release profile; the folder to import
    /// it from. The one beside the sources is the tests', and stays as it is.
    pub(super) fn package(&self, interpreter: &Path) -> Result<PathBuf, String> {
        println!("==> building the Python extension (release, some minutes the first time)");
        let library = self.release("mcpbolt-python", &["lib_mcpbolt.so", "lib_mcpbolt.dylib"], FAT)?;
        let site = self.target.join("python");
        let package = site.join("mcpbolt");
        folder::fresh(&package)?;
        let sources = self.root.join("bindings-python/python");
        for name in tree::names(&sources, &[])?.iter().filter(|name| sources.join(name).is_file()) {
            copy(&sources.join(name), &site.join(name))?;
        }
        copy(&library, &package.join("_mcpbolt.abi3.so"))?;
        // As pip does for whoever installs a wheel; the environment may say that nobody else does.
        let mut compile = exec::command(interpreter);
        compile.args(["-m", "compileall", "-q"]).arg(&package).env_remove("PYTHONDONTWRITEBYTECODE");
        exec::stdout(&mut compile)?;
        Ok(site)
    }

    fn cargo(&self, verb: &str, manifest: &str) -> Command {
        let mut build = cargo::cargo();
        build
            .args([verb, "--release", "--quiet", "--locked", "--manifest-path"])
            .arg(self.root.join(manifest));
        build.arg("--target-dir").arg(&self.target);
        build
    }
}

/// Where `bench profile` puts what it counted.
pub(super) fn profiles() -> PathBuf {
    exec::root().join("target/profile")
}

/// What it counted, if it did. The file is named by its content: cargo builds anew for another name.
pub(super) fn profile() -> Option<PathBuf> {
    let paths = folder::entries(&profiles()).ok()?;
    paths.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "profdata"))
}

/// Copies a file, into a folder that is made if need be.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    std::fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}
