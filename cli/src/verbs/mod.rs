//! The verbs: what each asks of a server, and what is printed of the answer.
//!
//! Owns: from a parsed command line to its verb. Must not know: how options are read.

mod bench;
mod bridge;
mod call;
mod check;
mod inspect;
mod install;
mod list;
mod lists;
mod ping;
mod prompt;
mod read;
mod record;
mod replay;
mod watch;

use std::collections::VecDeque;
use std::time::Duration;

use mcpbolt::transport::child_client::finish_closing;

use crate::args::{Check, Cli, Common, Completions, Verb};
use crate::connection::Setup;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{self, Output};
use crate::program::Program;
use crate::terminal;

/// Longest wait for servers that are asked to end: two seconds until they have to, two until they are made to.
const LAST_SERVERS: Duration = Duration::from_secs(5);

/// Runs the verb.
pub(crate) fn run(cli: Cli, output: &Output, program: &Program) -> Result<Exit, Failure> {
    let Cli { common, verb } = cli;
    let live = Live { common: &common, output, program, may_ask: false, print_log: true, ends_itself: false };
    let asked = Live { may_ask: true, ..live };
    let watching = Live { print_log: false, ends_itself: true, ..live };
    let measuring = Live { ends_itself: true, ..live };
    match verb {
        Verb::List(arguments) => live.run(async |setup| list::run(setup, arguments).await),
        Verb::Call(arguments) => asked.run(async |setup| call::run(setup, arguments).await),
        Verb::Read(arguments) => asked.run(async |setup| read::run(setup, arguments).await),
        Verb::Prompt(arguments) => asked.run(async |setup| prompt::run(setup, arguments).await),
        Verb::Ping(arguments) => live.run(async |setup| ping::run(setup, arguments).await),
        Verb::Watch(arguments) => watching.run(async |setup| watch::run(setup, arguments).await),
        Verb::Bench(arguments) => measuring.run(async |setup| bench::run(setup, arguments).await),
        Verb::Check(Check { rules: true, .. }) => check::print_rules(output),
        Verb::Check(arguments) => live.run(async |setup| check::run(setup, arguments).await),
        Verb::Inspect(arguments) => measuring.run(async |setup| inspect::run(setup, arguments).await),
        Verb::Bridge(arguments) => measuring.run(async |setup| bridge::run(setup, arguments).await),
        Verb::Install(arguments) => install::run(output, &common, program, arguments),
        Verb::Uninstall(arguments) => install::remove(output, &arguments),
        // These are as synchronous as the streams they stand between.
        Verb::Record(arguments) => record::run(&live, arguments),
        Verb::Replay(arguments) => replay::run(&live, arguments),
        Verb::Completions(arguments) => completions(program, &arguments),
    }
}

/// How a verb that has a session is run.
#[derive(Clone, Copy)]
struct Live<'a> {
    common: &'a Common,
    output: &'a Output,
    program: &'a Program,
    may_ask: bool,
    print_log: bool,
    ends_itself: bool,
}

impl Live<'_> {
    /// Runs it on a runtime of its own, with the signals of the process or those that its program passes on.
    fn run(self, work: impl AsyncFnOnce(&Setup<'_>) -> Result<Exit, Failure>) -> Result<Exit, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|why| Failure::new(Exit::Failed, format!("no runtime: {why}")))?;
        let interrupt = Interrupt::install(self.program.signals.as_ref());
        let Self { common, output, program, may_ask, print_log, ends_itself } = self;
        let interrupt = &interrupt;
        let setup =
            Setup { common, output, program, interrupt, may_ask, print_log, ends_itself, on_problem: None };
        let done = runtime.block_on(work(&setup));
        // A question that nobody answers any more may still wait for a key.
        runtime.shutdown_background();
        terminal::restore();
        // What was given up while it connected is ended by a thread that goes with the process.
        finish_closing(LAST_SERVERS);
        done
    }
}

fn completions(program: &Program, arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program.command(), "mcpbolt", &mut script);
    output::raw(&script)?;
    Ok(Exit::Done)
}

/// The next word, or a failure that says what is missing.
fn word(words: &mut VecDeque<String>, what: &str) -> Result<String, Failure> {
    words
        .pop_front()
        .ok_or_else(|| Failure::usage(format!("{what} is missing")).remedy("--help has examples"))
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
    Failure::usage(format!("the server has no {what} {name}")).remedy(instead_of(
        what,
        name,
        &known,
        "mcpbolt list shows what it has",
    ))
}

/// What to do about a name that is not there; `otherwise` where no other is like it.
fn instead_of(what: &str, name: &str, known: &[&str], otherwise: &str) -> String {
    match near(name, known) {
        Some(near) => format!("did you mean {near}?"),
        None if known.is_empty() => format!("it has no {what}s at all"),
        None => otherwise.to_owned(),
    }
}

/// The one of these names that is most like one that is not there.
fn near<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|other| (strsim::jaro_winkler(name, other), *other))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, near)| near)
}
