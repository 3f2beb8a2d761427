//! Rules that other tools hold: rustfmt, clippy, rustdoc, cargo on choices of features, the oldest compiler, type checkers of Python and Node.

use crate::report::Outcome;
use crate::{cargo, exec, generate, install, node};

fn verdict(result: Result<bool, String>, why: &str) -> Outcome {
    match result {
        Ok(held) => Outcome::from_bool(held, why),
        Err(why) => Outcome::Failed(why),
    }
}

pub(super) fn rustfmt() -> Outcome {
    verdict(exec::passes(cargo::cargo().args(["fmt", "--all", "--check"])), "run cargo fmt")
}

pub(super) fn clippy() -> Outcome {
    let mut clippy = cargo::cargo();
    clippy.args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    verdict(exec::passes(&mut clippy), "clippy has findings")
}

/// What users of the crate `mcpbolt` choose, and the library for phones; the bindings' own features
/// are on wherever the whole workspace is compiled, so that nothing else sees what is missing
/// without them.
const CHOICES: [&str; 7] = [
    "",
    "http-server",
    "http-client",
    "schema-validation",
    "default,opentelemetry",
    "redis,testing",
    "bridge",
];

/// The library compiles without a warning in every choice of features. Clippy, because its flags
/// reach no dependency: those need not be compiled once more.
pub(super) fn features() -> Outcome {
    for features in CHOICES {
        let mut check = cargo::cargo();
        check.args(["clippy", "--quiet", "--lib", "--manifest-path", "core/Cargo.toml"]);
        check.args(["--no-default-features", "--features", features, "--", "-D", "warnings"]);
        match exec::passes(&mut check) {
            Ok(true) => {}
            Ok(false) => return Outcome::Failed(format!("core with the features \"{features}\"")),
            Err(why) => return Outcome::Failed(why),
        }
    }
    Outcome::Ok(String::new())
}

/// The workspaces that nothing else here compiles agree with their lock files.
pub(super) fn lock_files() -> Outcome {
    for manifest in ["tests/bench/Cargo.toml", "tests/watched/Cargo.toml"] {
        let mut locked = cargo::cargo();
        locked.args(["update", "--workspace", "--locked", "--quiet", "--manifest-path", manifest]);
        match exec::passes(&mut locked) {
            Ok(true) => {}
            ended => {
                return verdict(ended, &format!("run cargo update --workspace --manifest-path {manifest}"));
            }
        }
    }
    Outcome::Ok(String::new())
}

/// Every public item is documented and every link leads somewhere.
pub(super) fn docs() -> Outcome {
    let mut docs = cargo::workspace("doc");
    docs.args(["--no-deps", "--lib"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    verdict(exec::passes(&mut docs), "rustdoc has findings")
}

/// The workspace compiles with the compiler its `rust-version` names.
pub(super) fn rust_version() -> Outcome {
    match oldest() {
        Err(why) => Outcome::Failed(why),
        Ok(oldest) => with_toolchain(&oldest),
    }
}

fn oldest() -> Result<String, String> {
    let manifest = std::fs::read_to_string(exec::root().join("Cargo.toml")).map_err(|e| e.to_string())?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    line.map(|version| version.trim_matches('"').to_owned()).ok_or_else(|| "no rust-version".to_owned())
}

fn with_toolchain(oldest: &str) -> Outcome {
    let in_use = exec::stdout(exec::command("rustc").arg("--version")).unwrap_or_default();
    if in_use
        .split(' ')
        .nth(1)
        .is_some_and(|found| found == oldest || found.starts_with(&format!("{oldest}.")))
    {
        // Clippy has that compiler inside: what it has looked at compiles.
        return match clippy() {
            Outcome::Ok(_) => Outcome::Ok(format!("the compiler in use is {oldest}, as clippy saw")),
            other => other,
        };
    }
    let toolchains = exec::stdout(exec::command("rustup").args(["toolchain", "list"])).unwrap_or_default();
    let wanted = if oldest.matches('.').count() == 1 { format!("{oldest}.0") } else { oldest.to_owned() };
    if !toolchains.lines().any(|line| line.starts_with(&wanted)) {
        return Outcome::NotRun(format!("toolchain {wanted} is not installed"));
    }
    let mut check = exec::command("cargo");
    check.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTC");
    check.args([&format!("+{wanted}"), "check", "--quiet", "--workspace", "--target-dir", "target/oldest"]);
    verdict(exec::passes(&mut check), &format!("does not compile with {wanted}"))
}

/// Generated files are what `cargo xtask generate` would write.
pub(super) fn generated() -> Outcome {
    verdict(generate::run(true), "run cargo xtask generate")
}

/// The Python package and programs on it, under pyright and mypy, strict.
pub(super) fn typing() -> Outcome {
    verdict(typed(), "pyright, mypy or ruff has findings")
}

fn typed() -> Result<bool, String> {
    let package = install::python_package()?;
    let mut check = exec::command(install::python_checkers()?);
    exec::passes(check.arg("tests/typing/python/check.py").arg(package))
}

/// The Node package: tsc on programs of users, documentation, sizes, publint, attw.
pub(super) fn typing_node() -> Outcome {
    let check = || exec::passes(exec::command(node::environment()?).arg("tests/typing/node/check.mjs"));
    verdict(check(), "the Node package or its types have findings")
}
