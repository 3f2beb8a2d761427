//! Several nodes on one store: the store on real servers, then nodes in three languages behind a
//! balancer.
//!
//! Owns: which programs take part, and where Redis, Valkey and haproxy come from. What has to hold is in
//! `core/tests/redis` and `tests/fleet`.

use super::failures::{self, Ran};
use super::interop;
use crate::TestArgs;
use crate::folder::{copy, fresh};
use crate::report::Outcome;
use crate::{cargo, exec, install, newer_debian, node, python};
use std::process::Command;

/// In the full run with clusters, Sentinels, a million calls and a second balancer, and with all but
/// the last two on a Valkey as well.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    for tools in [python::tools(), node::tools()] {
        if let Err(missing) = tools {
            return Ok(Outcome::NotRun(missing));
        }
    }
    let redis = match install::program(&["redis-server", "valkey-server"], "redis-server") {
        Ok(program) => program,
        Err(why) => return Ok(Outcome::NotRun(why)),
    };
    let first = on(&redis, args, args.full)?;
    if !args.full || first.failed.is_some() {
        return Ok(first.outcome(String::new()));
    }
    match valkey() {
        Ok(program) => {
            println!("    the same on Valkey, in the short form");
            let mut all = on(&program, args, false)?;
            all.skips.add(first.skips);
            Ok(all.outcome(String::new()))
        }
        Err(why) => Ok(Outcome::Partly { note: format!("not on Valkey: {why}"), skipped: 1 }),
    }
}

/// The rules of stores, and a fleet on one, with this server.
fn on(store: &str, args: &TestArgs, long: bool) -> Result<Ran, String> {
    let mut rules = cargo::workspace("test");
    rules.args(["--test", "redis", "--", "--include-ignored"]).env("MCPBOLT_REDIS_SERVER", store);
    if !args.full {
        rules.args(["--skip", "topologies"]);
    }
    let tested = failures::run(&mut rules)?;
    if tested.failed.is_some() {
        return Ok(tested);
    }
    let binary = |name| cargo::build_bin("mcpbolt-fleet-node", name)?.ok_or(format!("no binary {name}"));
    let interpreter = python::environment()?;
    let mut fleet = exec::command(&interpreter);
    fleet.arg("tests/fleet/run.py").arg("--rust").arg(binary("fleet-node")?);
    fleet.arg("--caller").arg(binary("fleet-caller")?).arg("--reader").arg(binary("fleet-reader")?);
    fleet.arg("--python").arg(interpreter);
    fleet.arg("--node").arg(node::environment()?).args(["--redis", store]);
    official(&mut fleet)?;
    for balancer in ["haproxy", "nginx"].into_iter().take(if long { 2 } else { 1 }) {
        match install::program(&[balancer], balancer) {
            Ok(program) => _ = fleet.arg(format!("--{balancer}")).arg(program),
            Err(why) => println!("    not run with {balancer} ({why})"),
        }
    }
    if let Some(only) = &args.only {
        fleet.arg("--only").arg(only);
    }
    if long {
        fleet.arg("--full");
    }
    failures::run(&mut fleet)
}

/// The official clients: what runs them, and their programs, which in TypeScript stand beside the
/// packages.
fn official(fleet: &mut Command) -> Result<(), String> {
    fleet.arg("--python1").arg(install::official_python(1)?);
    fleet.arg("--python2").arg(install::official_python(2)?);
    let place = install::npm("interop", "tests/interop")?.join("fleet");
    copy(&exec::root().join("tests/fleet/programs/official"), &place)?;
    fleet.arg("--official-node").arg(interop::pinned_node()?).arg(place);
    Ok(())
}

/// The one on the path, or that of a newer Debian: the package of its tools is enough, and starts
/// nothing when it is installed.
fn valkey() -> Result<String, String> {
    if let Some(program) = install::found("valkey-server") {
        return Ok(program);
    }
    let root = newer_debian::with("valkey", &["valkey-tools"])?;
    let place = exec::root().join("target/valkey");
    fresh(&place.join("bin"))?;
    // The program is what it is called, and asked by the one that is called so beside it.
    for (name, program) in [("valkey-server", "valkey-check-rdb"), ("valkey-cli", "valkey-cli")] {
        let called = place.join(name);
        exec::stdout(exec::command("ln").arg("-sf").arg(root.join("usr/bin").join(program)).arg(&called))?;
        newer_debian::write_command(
            &place.join("bin").join(name),
            &newer_debian::words(&root, &called, &[]),
        )?;
    }
    Ok(place.join("bin/valkey-server").display().to_string())
}
