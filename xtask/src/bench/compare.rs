//! `cargo xtask bench compare COMMIT`: another commit of this repository beside this checkout, in
//! one run, round by round.
//!
//! Owns: the other commit's checkout, under `target/compare`, and what of it is built. Must not
//! know: how the two are measured; the driver does, this checkout's for both.

use super::checkout::Checkout;
use super::{build, instructions, interpreter, options, ours, programs_of};
use crate::{BenchArgs, exec, install};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What of the other commit's `tests/bench` takes part.
const PROGRAMS: &[&str] = &["mcpbolt-server", "mcpbolt-client"];

/// Measures both; false if a reply was wrong.
pub(super) fn command(args: &BenchArgs) -> Result<bool, String> {
    let (commit, suite) = match args.of.as_slice() {
        [commit] => (commit, "rust"),
        [commit, suite] => (commit, suite.as_str()),
        _ => return Err("compare takes a commit, and a suite: rust, python or node".to_owned()),
    };
    if !["rust", "python", "node"].contains(&suite) {
        return Err(format!("{suite} cannot be compared; there are rust, python, node"));
    }
    let packages = if args.released { Checkout::released() } else { Checkout::this() };
    if args.released && !packages.is_profiled() {
        return Err("nothing was counted yet: cargo xtask bench profile".to_owned());
    }
    let other = checkout(commit)?;
    let theirs = other.programs(PROGRAMS)?;
    // All of them, as the suites have them built: a choice would be built anew, with other features.
    let programs = build()?;
    let mut driver = ours(&programs, suite, &packages)?;
    driver.arg("--against").env("MCPBOLT_BENCH_OTHER", theirs);
    driver.env("MCPBOLT_BENCH_OTHER_PROGRAMS", other.root.join(programs_of(suite)));
    driver.env("MCPBOLT_BENCH_OTHER_ENV", setting(suite, &other)?);
    if let Some(only) = &args.only {
        driver.args(["--only", only]);
    }
    let mut timed = again(&driver);
    options(&mut timed, &BenchArgs { only: None, ..args.clone() });
    println!("==> measuring this checkout against {commit}");
    let right = exec::passes(&mut timed)?;
    match instructions::valgrind() {
        Ok(_) => drop(instructions::run(&mut driver, suite)?),
        Err(missing) => println!("bench: instructions are not counted: {missing}"),
    }
    Ok(right)
}

/// The commit as a working tree of its own, detached; another commit takes its place.
fn checkout(commit: &str) -> Result<Checkout, String> {
    let mut parse = exec::command("git");
    let hash =
        exec::stdout(parse.args(["rev-parse", "--verify", "--quiet"]).arg(format!("{commit}^{{commit}}")));
    let hash = hash.map_err(|_| format!("{commit} is no commit of this repository"))?;
    let folder = exec::root().join("target/compare");
    let root = folder.join("tree");
    let mut git = exec::command("git");
    if root.join(".git").exists() {
        git.arg("-C").arg(&root).args(["checkout", "--quiet", "--detach", "--force", hash.trim()]);
    } else {
        // Forced: git may remember one that was deleted with `target`.
        git.args(["worktree", "add", "--quiet", "--force", "--detach"]).arg(&root).arg(hash.trim());
    }
    exec::stdout(&mut git)?;
    Ok(Checkout::of(root, folder.join("build")))
}

/// The variable that has a program in another language load the other checkout's package.
fn setting(suite: &str, other: &Checkout) -> Result<String, String> {
    Ok(match suite {
        "python" => format!("PYTHONPATH={}", other.package(&interpreter()?)?.display()),
        "node" => format!("MCPBOLT_ADDON={}", node_package(other)?.display()),
        _ => "MCPBOLT_BENCH_SIDE=other".to_owned(),
    })
}

/// The other checkout's package as programs in it find it, with the packages that this one has beside
/// it; its addon.
fn node_package(other: &Checkout) -> Result<PathBuf, String> {
    let (addon, tools) = (other.addon()?, install::node_package()?);
    let modules = other.root.join("node_modules");
    let text = |error: std::io::Error| format!("{}: {error}", modules.display());
    if modules.is_dir() {
        std::fs::remove_dir_all(&modules).map_err(text)?;
    }
    std::fs::create_dir(&modules).map_err(text)?;
    for entry in std::fs::read_dir(tools.join("node_modules")).map_err(text)? {
        let entry = entry.map_err(text)?;
        if entry.file_name() != "mcpbolt" {
            link(&entry.path(), &modules.join(entry.file_name()))?;
        }
    }
    link(&other.root.join("bindings-node"), &modules.join("mcpbolt"))?;
    let mut build = exec::command("node");
    build.arg("bindings-node/build.mjs").arg(&addon).current_dir(&other.root);
    if !exec::passes(build.env("MCPBOLT_NODE_TOOLS", tools))? {
        return Err("the other commit's Node package does not build".to_owned());
    }
    Ok(addon)
}

fn link(to: &Path, from: &Path) -> Result<(), String> {
    exec::stdout(exec::command("ln").arg("-s").args([to, from])).map(drop)
}

/// The same command once more.
fn again(command: &Command) -> Command {
    let mut copy = exec::command(command.get_program());
    copy.args(command.get_args());
    for (name, value) in command.get_envs().filter_map(|(name, value)| Some((name, value?))) {
        copy.env(name, value);
    }
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(of: &[&str]) -> Result<bool, String> {
        let of = of.iter().map(ToString::to_string).collect();
        command(&BenchArgs {
            suite: "compare".to_owned(),
            of,
            rounds: 1,
            seconds: 0.1,
            quick: true,
            only: None,
            released: false,
        })
    }

    #[test]
    fn what_cannot_be_compared_is_refused_before_anything_is_built() {
        assert!(compare(&[]).is_err_and(|why| why.contains("takes a commit")));
        assert!(compare(&["HEAD", "kotlin"]).is_err_and(|why| why.contains("there are rust, python, node")));
        assert!(compare(&["no-such-commit"]).is_err_and(|why| why.contains("no commit of this repository")));
    }

    #[test]
    fn a_command_is_repeated_with_its_words_and_variables() {
        let mut first = exec::command("bench");
        first.arg("rust").env("A", "1");
        let second = again(&first);
        assert!(second.get_args().eq(["rust"]));
        assert!(second.get_envs().any(|(name, value)| name == "A" && value == Some("1".as_ref())));
    }
}
