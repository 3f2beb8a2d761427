//! `cargo xtask`: the commands people and CI share.
//!
//! Owns: what is run, in which order, with which pinned tools, and the closing
//! summary. Knows the repository's layout; knows nothing about the protocol.
#![allow(clippy::print_stdout, reason = "a command line tool talks on stdout")]

mod bench;
mod cargo;
mod commands;
mod docs;
mod exec;
mod folder;
mod front;
mod generate;
mod install;
mod kotlin;
mod lint;
mod listening;
mod newer_debian;
mod node;
mod python;
mod python_signatures;
mod python_source;
mod reference;
mod report;
mod rust_source;
mod swift;
mod test;
mod tree;
mod typescript_signatures;
mod typescript_source;
mod uniffi;
mod uniffi_source;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use lint::Depth;
use std::process::ExitCode;

/// Everything this repository can do to itself.
#[derive(Parser)]
#[command(name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds and runs the demonstration: each language as client visits each as server.
    ///
    /// Rust with Rust is shown as soon as it is compiled; then the packages for Python and Node
    /// are built, and all of them shown together. Python 3.11 with venv and Node 20 with npm take
    /// part where they are here; Kotlin where a JDK of 17 and Maven are; Swift where a Swift of 6
    /// is on PATH, or Debian's in the cache. Who is missing is named, and the others go on.
    ///
    /// The first run compiles some 250 crates, installs two packages for Python and npm, and takes
    /// up to ten minutes on two cores; later ones take half a minute. Each step says how long it took.
    Demo {
        /// Fetches what is missing for Swift, too: as root on Debian, some 20 minutes.
        #[arg(long)]
        all: bool,
        /// Passed on to the demonstration.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Runs the tests; without a part, all of them at the depth CI uses.
    Test(TestArgs),
    /// Measures against other implementations; writes docs/bench.md and draws its pictures, which
    /// `bench pictures` does anew without measuring.
    Bench(BenchArgs),
    /// Builds the documentation as a site, in .cache/site/html; a warning fails it.
    Docs {
        /// Serves it at http://127.0.0.1:8000 afterwards, until Ctrl-C.
        #[arg(long)]
        serve: bool,
    },
    /// Holds the rules a machine can hold; without a rule, all of them.
    Lint {
        /// Which rules; see the summary for their names.
        rules: Vec<String>,
        /// Leave out the rules that compile.
        #[arg(long)]
        fast: bool,
    },
    /// Writes the files that derive from the method table and the types, and the figures that pages show.
    Generate {
        /// Write nothing; fail if a file is out of date.
        #[arg(long)]
        check: bool,
    },
}

/// What `cargo xtask test` takes.
#[derive(Args, Default)]
struct TestArgs {
    /// Which parts.
    #[arg(value_name = "PART", value_parser = PossibleValuesParser::new(test::names()))]
    parts: Vec<String>,
    /// The whole depth instead of the one CI has time for.
    #[arg(long)]
    full: bool,
    /// Parts that must run: "not run" is a failure for them.
    #[arg(long, value_name = "PART", hide_possible_values = true, value_parser = PossibleValuesParser::new(test::names()))]
    require: Vec<String>,
    /// Conformance: only scenarios whose name matches this expression.
    #[arg(long, value_name = "REGEX")]
    only: Option<String>,
    /// A line per scenario and check.
    #[arg(short, long)]
    verbose: bool,
}

impl TestArgs {
    /// Whether a part runs for which CI has no time.
    fn wants(&self, part: &str) -> bool {
        self.full || self.parts.iter().chain(&self.require).any(|name| name == part)
    }
}

/// What `cargo xtask bench` takes.
#[derive(Args, Clone)]
struct BenchArgs {
    /// Which suite: `rust`, `python`, `node`, `kotlin`, `swift`, `auth`, `extensions`, `fleet` or `scale`;
    /// `instructions` counts what a call costs outside the kernel, `compare` measures another commit
    /// beside this one, `profile` counts what calls run, for release builds of the packages.
    #[arg(default_value = "rust")]
    suite: String,
    /// For `instructions`: whose, `rust` (the default), `python`, `node`. `MCPBOLT_BLESS=1` writes what
    /// was counted to tests/bench/instructions.json. For `compare`: the commit, and a suite.
    of: Vec<String>,
    /// How often each program is measured; they take turns.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How long each load lasts. 5 rounds of 2 s take about ten minutes after the build.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// One round of a few hundred calls: shows that everything answers. Writes nothing.
    #[arg(long)]
    quick: bool,
    /// Only rows whose name matches, for example `^http`. Writes nothing.
    #[arg(long, value_name = "REGEX")]
    only: Option<String>,
    /// For `compare`: this checkout's packages as users get them, by what `profile` counted, beside
    /// the other commit's without.
    #[arg(long)]
    released: bool,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo { all, args } => {
            let who = if all { commands::Who::All } else { commands::Who::Here };
            commands::demo(&args, who).map(|outcome| !matches!(outcome, report::Outcome::Failed(_)))
        }
        Command::Test(args) => Ok(test::run(&args)),
        Command::Bench(args) => bench::run(&args),
        Command::Docs { serve } => docs::run(serve),
        Command::Lint { rules, fast } => {
            lint::run(&rules, if fast { Depth::Fast } else { Depth::Whole }).map(|broken| broken.is_empty())
        }
        Command::Generate { check } => generate::run(check),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            println!("xtask: {why}");
            ExitCode::from(2)
        }
    }
}
