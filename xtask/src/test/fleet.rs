//! Several nodes on one store: the store on real servers, then nodes in three languages behind a
//! balancer.
//!
//! Owns: which programs take part, and where Redis and haproxy come from. What has to hold is in
//! `core/tests/redis` and `tests/fleet`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, install, node, python};

/// With clusters, Sentinels and ten minutes of killed nodes in the full run.
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
    let mut stores = cargo::workspace("test");
    stores.args(["--test", "redis", "--", "--include-ignored"]).env("MCPBOLT_REDIS_SERVER", &redis);
    if !args.full {
        stores.args(["--skip", "topologies"]);
    }
    let tested = failures::run(&mut stores)?;
    if tested.failed.is_some() {
        return Ok(tested.outcome(String::new()));
    }
    let Some(rust) = cargo::build_bin("mcpbolt-fleet-node", "fleet-node")? else {
        return Err("no binary fleet-node".to_owned());
    };
    let interpreter = python::environment()?;
    let mut fleet = exec::command(&interpreter);
    fleet.arg("tests/fleet/run.py").arg("--rust").arg(rust).arg("--python").arg(interpreter);
    fleet.arg("--node").arg(node::environment()?).args(["--redis", &redis]);
    match install::program(&["haproxy"], "haproxy") {
        Ok(program) => _ = fleet.args(["--haproxy", &program]),
        Err(why) => println!("    not run with haproxy ({why})"),
    }
    if let Some(only) = &args.only {
        fleet.arg("--only").arg(only);
    }
    if args.full {
        fleet.arg("--full");
    }
    Ok(failures::run(&mut fleet)?.outcome(String::new()))
}
