//! The verbs: what each asks of a server, and what is printed of the answer.
//!
//! Owns: from a parsed command line to its verb. Must not know: how options are read.

mod bench;
mod call;
mod check;
mod list;
mod lists;
mod ping;
mod prompt;
mod read;
mod watch;

use std::collections::VecDeque;

use clap::CommandFactory as _;

use crate::args::{Check, Cli, Completions, Verb};
use crate::connection::Setup;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::Output;

/// Runs the verb, on a runtime of its own where it has to do with a server.
pub(crate) fn run(cli: Cli, output: &Output) -> Result<Exit, Failure> {
    match &cli.verb {
        Verb::Completions(arguments) => return completions(arguments, output),
        Verb::Check(Check { rules: true, .. }) => return check::print_rules(output),
        _ => {}
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::new(Exit::Failed, format!("no runtime: {why}")))?;
    let interrupt = Interrupt::install();
    let done = runtime.block_on(dispatch(cli, output, &interrupt));
    // A question that nobody answers any more may still wait for a key.
    runtime.shutdown_background();
    done
}

async fn dispatch(cli: Cli, output: &Output, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let common = &cli.common;
    let mut setup = Setup { common, output, interrupt, may_ask: false, print_log: true, on_problem: None };
    match cli.verb {
        Verb::List(arguments) => list::run(&setup, arguments).await,
        Verb::Ping(arguments) => ping::run(&setup, arguments).await,
        Verb::Bench(arguments) => bench::run(&setup, arguments).await,
        Verb::Check(arguments) => check::run(&setup, arguments).await,
        Verb::Watch(arguments) => {
            setup.print_log = false;
            watch::run(&setup, arguments).await
        }
        Verb::Call(arguments) => {
            setup.may_ask = true;
            call::run(&setup, arguments).await
        }
        Verb::Read(arguments) => {
            setup.may_ask = true;
            read::run(&setup, arguments).await
        }
        Verb::Prompt(arguments) => {
            setup.may_ask = true;
            prompt::run(&setup, arguments).await
        }
        Verb::Completions(arguments) => completions(&arguments, output),
    }
}

fn completions(arguments: &Completions, output: &Output) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "mcpbolt", &mut script);
    output.raw(&script)?;
    Ok(Exit::Done)
}

/// The next word, or a failure that says what is missing.
fn word(words: &mut VecDeque<String>, what: &str) -> Result<String, Failure> {
    words.pop_front().ok_or_else(|| Failure::usage(format!("{what} is missing")).remedy("--help has examples"))
}

/// That nothing is left over.
fn no_more(words: &VecDeque<String>) -> Result<(), Failure> {
    match words.front() {
        None => Ok(()),
        Some(word) => Err(Failure::usage(format!("{word} is one word too many"))
            .remedy("a command of a server comes after --")),
    }
}

/// A failure for a name that the server does not have, with one that is like it.
fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known
        .iter()
        .map(|other| (strsim::jaro_winkler(name, other), *other))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let failure = Failure::usage(format!("the server has no {what} {name}"));
    match near {
        Some((_, near)) => failure.remedy(format!("did you mean {near}?")),
        None if known.is_empty() => failure.remedy(format!("it has no {what}s at all")),
        None => failure.remedy("mcpbolt list shows what it has"),
    }
}
