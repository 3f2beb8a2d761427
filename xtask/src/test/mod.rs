//! `cargo xtask test`: the parts, in the order CI runs them.

mod attacks;
mod auth;
mod beside;
mod browser;
mod cli;
mod colours;
mod conformance;
mod duties;
mod duty_names;
mod duty_sections;
mod failures;
mod fleet;
mod instructions;
mod interop;
mod interop_ours;
mod kotlin;
mod ledger;
mod mistakes;
mod newcomer;
mod node;
mod npm_packages;
mod page;
mod parts;
mod python;
mod skips;
mod split_packages;
mod swift;
mod third_party;
mod uniffi;
mod watched;

use crate::TestArgs;
use crate::report::{Outcome, Report};

type Part = fn(&TestArgs) -> Result<Outcome, String>;

/// All parts; cheap ones first, so that a mistake shows early.
const PARTS: &[(&str, Part)] = &[
    ("lint", parts::lint),
    ("guardrails", duties::run),
    ("rust", parts::rust),
    ("uniffi", uniffi::run),
    ("swift", swift::run),
    ("kotlin", kotlin::run),
    ("vectors", parts::vectors),
    ("demo", parts::demo),
    ("attacks", attacks::run),
    ("auth", auth::run),
    ("auth-keycloak", auth::keycloak),
    ("fleet", fleet::run),
    ("watched", watched::run),
    ("cli", cli::run),
    ("page", page::run),
    ("mistakes", mistakes::run),
    ("newcomer", newcomer::run),
    ("conformance-server", conformance::server),
    ("conformance-bridge", conformance::bridge),
    ("conformance-client", conformance::client),
    ("conformance-python", conformance::python),
    ("conformance-node", conformance::node),
    ("conformance-kotlin", conformance::kotlin),
    ("conformance-swift", conformance::swift),
    ("interop-kotlin", interop_ours::kotlin),
    ("interop-swift", interop_ours::swift),
    ("browser", browser::run),
    ("fuzz", parts::fuzz),
    ("interop", interop::run),
    ("python", python::run),
    ("node", node::run),
    ("newcomer-installed", newcomer::installed),
    ("instructions", instructions::run),
    // Last, when nothing runs beside them.
    ("bench", parts::bench),
    ("bench-kotlin", parts::bench_kotlin),
    ("bench-swift", parts::bench_swift),
];

/// Those that run when they are named, or with `--full`.
const ON_REQUEST: &[&str] = &[
    "auth-keycloak",
    "watched",
    "newcomer-installed",
    "swift",
    "kotlin",
    "conformance-kotlin",
    "conformance-swift",
    "interop-kotlin",
    "interop-swift",
    "bench-kotlin",
    "bench-swift",
];

/// What the parts are called, in their order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(name, _)| *name)
}

/// Runs the parts asked for, or all.
pub(crate) fn run(args: &TestArgs) -> bool {
    let mut report = Report::new(if args.full { "test --full" } else { "test" });
    // The whole is bounded in time.
    let mut two_at_a_time = args.parts.is_empty();
    let mut others: Option<Result<beside::Beside, String>> = None;
    for (name, part) in PARTS {
        if !args.parts.is_empty() && !args.parts.iter().any(|wanted| wanted == name) {
            continue;
        }
        report.stage(name, || {
            let ended = match &mut others {
                Some(Ok(others)) if beside::parts(args).contains(name) => others.outcome(name),
                Some(Err(why)) if beside::parts(args).contains(name) => Err(why.clone()),
                _ if ON_REQUEST.contains(name) && !args.wants(name) => {
                    Ok(Outcome::NotRun(format!("use --full or --require {name}")))
                }
                _ => part(args),
            };
            ended.unwrap_or_else(Outcome::Failed)
        });
        if *name == beside::after(args) && std::mem::take(&mut two_at_a_time) {
            others = Some(beside::start(args));
        }
    }
    report.require(&args.require);
    report.close()
}

/// What every part says of a program that is not written yet.
fn not_built(what: &str) -> Outcome {
    Outcome::NotRun(format!("not built yet: {what}"))
}
