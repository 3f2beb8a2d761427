//! Tools the tests need, at pinned versions, in `.cache/` (ignored by git).
//!
//! An installation is named by the hash of what pins it, so a changed pin makes a
//! new one and a finished one is used again.

use crate::exec;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Oldest Node the conformance suites start on.
const NODE_MAJOR: u32 = 22;
/// Builds collectors of OpenTelemetry.
const BUILDER: &str = "go.opentelemetry.io/collector/cmd/builder@v0.165.0";

/// A short name that differs for what differs.
pub(crate) fn digest(of: &(impl Hash + ?Sized)) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Holds off parts that run beside this one until what they share is made.
fn alone(lock: &Path) -> Result<File, String> {
    let why = |e: std::io::Error| format!("{}: {e}", lock.display());
    std::fs::create_dir_all(exec::root().join(".cache")).map_err(why)?;
    let file = File::create(lock).map_err(why)?;
    file.lock().map_err(why)?;
    Ok(file)
}

/// Runs `build` in a fresh folder of `.cache`, once per pin.
fn once(
    name: &str,
    pins: &[String],
    build: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let folder = exec::root().join(".cache").join(format!("{name}-{}", digest(pins)));
    let done = folder.join(".done");
    if done.is_file() {
        return Ok(folder);
    }
    let _one_at_a_time = alone(&folder.with_extension("lock"))?;
    if done.is_file() {
        return Ok(folder);
    }
    println!("    installing {name}");
    if folder.exists() {
        let why = |e| format!("{} is half made and cannot be removed: {e}", folder.display());
        std::fs::remove_dir_all(&folder).map_err(why)?;
    }
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    build(&folder)?;
    std::fs::write(done, "").map_err(|e| e.to_string())?;
    Ok(folder)
}

/// `npm ci` from the `package.json` and lockfile in `source`; the folder that holds `node_modules`.
pub(crate) fn npm(name: &str, source: &str) -> Result<PathBuf, String> {
    let source = exec::root().join(source);
    let files = ["package.json", "package-lock.json", ".npmrc"];
    let pins = files.iter().map(|file| read(&source.join(file))).collect::<Result<Vec<_>, _>>()?;
    once(name, &pins.clone(), |folder| {
        for (file, text) in files.iter().zip(&pins) {
            std::fs::write(folder.join(file), text).map_err(|e| e.to_string())?;
        }
        npm_ci(folder)
    })
}

/// Installs what the lockfile of a folder names.
pub(crate) fn npm_ci(folder: &Path) -> Result<(), String> {
    let mut npm = exec::command("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"]);
    quiet(npm.current_dir(folder))
}

/// The jars that a `pom.xml` names, with what they need; the folder that holds them.
pub(crate) fn maven(name: &str, pom: &str) -> Result<PathBuf, String> {
    maven_of(name, pom, &[])
}

/// Those of them that `which` leaves, as `dependency:copy-dependencies` takes it.
pub(crate) fn maven_of(name: &str, pom: &str, which: &[&str]) -> Result<PathBuf, String> {
    let pom = exec::root().join(pom);
    let pins: Vec<_> = std::iter::once(read(&pom)?).chain(which.iter().map(ToString::to_string)).collect();
    once(name, &pins, |folder| {
        let mut maven = exec::command("mvn");
        maven.args(["-q", "-B", "-ntp", "-f"]).arg(&pom).arg("dependency:copy-dependencies");
        quiet(maven.arg(format!("-DoutputDirectory={}", folder.display())).args(which))
    })
}

/// The distribution of a program that a `pom.xml` names, unpacked; the one folder in it.
pub(crate) fn maven_unpacked(name: &str, pom: &str) -> Result<PathBuf, String> {
    let pom = exec::root().join(pom);
    let made = once(name, &[read(&pom)?], |folder| {
        let mut maven = exec::command("mvn");
        maven.args(["-q", "-B", "-ntp", "-f"]).arg(&pom).arg("dependency:unpack-dependencies");
        // What marks packages as unpacked would else be written beside the pom.
        let marks = format!("-DmarkersDirectory={}", folder.join("marks").display());
        quiet(maven.arg(format!("-DoutputDirectory={}", folder.join("unpacked").display())).arg(marks))
    })?;
    let mut inside = std::fs::read_dir(made.join("unpacked")).map_err(|e| e.to_string())?;
    let only = inside.next().and_then(Result::ok).map(|entry| entry.path());
    only.ok_or_else(|| format!("{} is empty", made.display()))
}

/// What builds and checks the Node package, and the packages its tests compare it with.
pub(crate) fn node_package() -> Result<PathBuf, String> {
    npm("node-package", "bindings-node/tools")
}

/// The runtimes beside the system's Node that the package is tried on: name and program.
pub(crate) fn node_runtimes() -> Result<Vec<(&'static str, Option<PathBuf>)>, String> {
    let modules = npm("node-runtimes", "bindings-node/runtimes")?.join("node_modules");
    let arm = cfg!(target_arch = "aarch64");
    let node = |major| format!("node-{major}-linux-{}/bin/node", if arm { "arm64" } else { "x64" });
    let rows = [
        ("Node 22", node(22)),
        ("Node 24", node(24)),
        ("Bun", format!("@oven/bun-linux-{}/bin/bun", if arm { "aarch64" } else { "x64" })),
        ("Deno", "@deno/linux-x64-glibc/deno".to_owned()),
    ];
    let found = |(name, file)| (name, Some(modules.join(file)).filter(|path| path.is_file()));
    Ok(rows.into_iter().map(found).collect())
}

/// The interpreter that has an official package for Python, of the line 1 or 2.
pub(crate) fn official_python(line: u8) -> Result<PathBuf, String> {
    python(&format!("python-{line}"), &format!("tests/interop/requirements-py{line}.txt"))
}

/// A virtual environment with exactly what `requirements` lists; its interpreter.
pub(crate) fn python(name: &str, requirements: &str) -> Result<PathBuf, String> {
    python_with(name, requirements, Path::new("python3"))
}

/// The same, made by another interpreter than the usual one.
pub(crate) fn python_with(name: &str, requirements: &str, made_by: &Path) -> Result<PathBuf, String> {
    let list = exec::root().join(requirements);
    let folder = once(name, &[read(&list)?], |folder| {
        quiet(exec::command(made_by).args(["-m", "venv"]).arg(folder))?;
        let mut pip = exec::command(interpreter(folder));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r"])
            .arg(&list);
        quiet(&mut pip)
    })?;
    Ok(interpreter(&folder))
}

/// What the Python package and its tests need; its interpreter.
pub(crate) fn python_package() -> Result<PathBuf, String> {
    python("python-package", "bindings-python/tests/requirements.txt")
}

/// The type checkers for Python, with the interpreter that runs them.
pub(crate) fn python_checkers() -> Result<PathBuf, String> {
    python("python-typing", "tests/typing/python/requirements.txt")
}

fn interpreter(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
}

/// A Node of at least 22: the system's, or the one pinned beside the suites.
pub(crate) fn node(suites: &Path) -> Result<PathBuf, String> {
    let system =
        exec::stdout(exec::command("node").args(["-p", "process.versions.node"])).unwrap_or_default();
    let major: u32 = system.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
    if major >= NODE_MAJOR {
        return Ok(PathBuf::from("node"));
    }
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let pinned = suites.join(format!("node_modules/node-linux-{machine}/bin/node"));
    if pinned.is_file() {
        return Ok(pinned);
    }
    Err(format!("no Node of at least {NODE_MAJOR} here, and none pinned for this platform"))
}

fn quiet(command: &mut Command) -> Result<(), String> {
    command.stdout(Stdio::null());
    exec::stdout(command).map(|_| ())
}

/// Whether this user may install what belongs to the system.
pub(crate) fn is_root() -> bool {
    exec::stdout(exec::command("id").arg("-u")).unwrap_or_default().trim() == "0"
}

/// A program of Debian's, unpacked and not installed: the folder of its package's files. It runs
/// with the libraries that are here.
pub(crate) fn debian(package: &str) -> Result<PathBuf, String> {
    once(&format!("debian-{package}"), &[package.to_owned()], |folder| {
        let mut fetch = exec::command("apt-get");
        quiet(fetch.args(["download", "--quiet", package]).current_dir(folder))?;
        let script = "dpkg -x ./*.deb .";
        quiet(exec::command("sh").args(["-c", script]).current_dir(folder))
    })
}

/// The collector of OpenTelemetry, built of what a file names; needs Go.
pub(crate) fn collector(recipe: &str) -> Result<PathBuf, String> {
    let recipe = read(&exec::root().join(recipe))?;
    let go = found("go").or_else(|| found("/usr/local/go/bin/go"));
    let go =
        go.ok_or("no collector without Go: put one of at least 1.26 on the path, from https://go.dev/dl")?;
    let folder = once("collector", &[recipe.clone(), BUILDER.to_owned()], |folder| {
        let name = "collector.yaml";
        std::fs::write(folder.join(name), &recipe).map_err(|e| e.to_string())?;
        let mut build = exec::command(&go);
        quiet(build.args(["run", BUILDER, "--config", name]).current_dir(folder))
    });
    let folder = folder.map_err(|why| format!("the collector does not build: {why}"))?;
    Ok(folder.join("built/collector"))
}

/// A program of one of these names: the one on the path, or Debian's, where this user may install
/// it; else why it cannot be had.
pub(crate) fn program(names: &[&str], package: &str) -> Result<String, String> {
    if let Some(program) = names.iter().find_map(|name| found(name)) {
        return Ok(program);
    }
    if !is_root() {
        return Err(format!("no {package} here, and only root may install it"));
    }
    println!("    installing {package}");
    apt(exec::command("apt-get"), &[package])
        .map_err(|why| format!("no {package} here, and apt-get does not install it: {why}"))?;
    names.iter().find_map(|name| found(name)).ok_or_else(|| format!("apt-get installed no {package}"))
}

/// Where a program is.
pub(crate) fn found(name: &str) -> Option<String> {
    let said = exec::stdout(exec::command("sh").args(["-c", "command -v \"$1\"", "sh", name])).ok()?;
    Some(said.trim().to_owned()).filter(|path| !path.is_empty())
}

/// Installs Debian's packages with this `apt-get`.
pub(crate) fn apt(mut apt: Command, packages: &[&str]) -> Result<(), String> {
    apt.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages);
    exec::stdout(apt.env("DEBIAN_FRONTEND", "noninteractive")).map(drop)
}
