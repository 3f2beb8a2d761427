//! The command line as types.
//!
//! Owns: verbs, options, help. Must not know: what a verb does.

mod common;
mod help;
mod installing;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use common::{Auth, Common, Protocol, duration};
pub(crate) use installing::{HostName, Install, Settings, Uninstall};

/// Look at servers of the Model Context Protocol, call them, check them, record them
#[derive(Debug, Parser)]
#[command(name = "mcpbolt", version, after_help = help::SERVERS, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show what a server offers: tools, resources, templates, prompts
    #[command(after_help = help::LIST, override_usage = help::LIST_USAGE)]
    List(List),
    /// Call a tool
    #[command(after_help = help::CALL, override_usage = help::CALL_USAGE)]
    Call(Call),
    /// Read a resource
    #[command(after_help = help::READ, override_usage = help::READ_USAGE)]
    Read(Read),
    /// Get a prompt
    #[command(after_help = help::PROMPT, override_usage = help::PROMPT_USAGE)]
    Prompt(Prompt),
    /// Ask for a sign of life
    #[command(after_help = help::PING, override_usage = help::PING_USAGE)]
    Ping(Ping),
    /// Print what a server tells without being asked, until Ctrl-C
    #[command(after_help = help::WATCH, override_usage = help::WATCH_USAGE)]
    Watch(Watch),
    /// Measure how fast a server answers
    #[command(after_help = help::BENCH, override_usage = help::BENCH_USAGE)]
    Bench(Bench),
    /// Look for faults of a server: the protocol, descriptions, schemas, security
    #[command(after_help = help::CHECK, override_usage = help::CHECK_USAGE)]
    Check(Check),
    /// Stand between a client and a server, and write down what both say
    #[command(after_help = help::RECORD, override_usage = help::RECORD_USAGE)]
    Record(Record),
    /// Play a recording as the server it was of, or as its client
    #[command(after_help = help::REPLAY, override_usage = help::REPLAY_USAGE)]
    Replay(Replay),
    /// Show a server on a page in the browser, and try what it offers
    #[command(after_help = help::INSPECT, override_usage = help::INSPECT_USAGE)]
    Inspect(Inspect),
    /// Serve a command over HTTP, or a URL on standard input and output
    #[command(after_help = help::BRIDGE, override_usage = help::BRIDGE_USAGE)]
    Bridge(Bridge),
    /// Add a server to an app: Claude Desktop, VS Code, Cursor, Windsurf, Zed
    #[command(after_help = help::INSTALL, override_usage = help::INSTALL_USAGE)]
    Install(Install),
    /// Take a server out of an app
    #[command(after_help = help::UNINSTALL)]
    Uninstall(Uninstall),
    /// Print a completion script for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(Completions),
}

/// Words and a command after `--`: the server, then what the verb wants.
#[derive(Debug, Default, Args)]
pub(crate) struct Reach {
    /// The server (a URL, a file) unless a command follows --, then what the verb takes
    #[arg(value_name = "WORDS")]
    pub(crate) words: Vec<String>,
    /// Program and arguments of a server on standard input and output
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// Show these only; may be given more than once
    #[arg(long, value_enum)]
    pub(crate) only: Vec<Kind>,
    /// Show input and output schemas in full
    #[arg(long)]
    pub(crate) schemas: bool,
}

/// What servers have lists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Tools
    Tools,
    /// Resources
    Resources,
    /// Resource templates
    Templates,
    /// Prompts
    Prompts,
}

/// Arguments of `call`.
#[derive(Debug, Args)]
pub(crate) struct Call {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// All arguments as one JSON object, sent as it is: JSON, @FILE, or - for standard input
    #[arg(long, short, value_name = "JSON")]
    pub(crate) arguments: Option<String>,
}

/// Arguments of `read`.
#[derive(Debug, Args)]
pub(crate) struct Read {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// Write the contents to this file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `prompt`.
#[derive(Debug, Args)]
pub(crate) struct Prompt {
    #[command(flatten)]
    pub(crate) reach: Reach,
}

/// Arguments of `ping`.
#[derive(Debug, Args)]
pub(crate) struct Ping {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// How many times
    #[arg(long, short = 'n', default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: u32,
}

/// Arguments of `watch`.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// Be told of changes of this resource; may be given more than once
    #[arg(long, value_name = "URI")]
    pub(crate) resource: Vec<String>,
    /// End after so many notifications
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) count: Option<u64>,
    /// End after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) r#for: Option<Duration>,
}

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// How long to measure
    #[arg(long, short, default_value = "5s", value_name = "TIME", value_parser = duration)]
    pub(crate) duration: Duration,
    /// End after so many requests, if that is sooner
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: Option<u64>,
    /// Requests that are under way at the same time, on one connection
    #[arg(long, short, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) concurrency: u32,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// The least finding that makes the exit code 1
    #[arg(long, value_enum, default_value_t = Level::Warning, value_name = "LEVEL")]
    pub(crate) fail_on: Level,
    /// Leave out findings of this name; may be given more than once
    #[arg(long, value_name = "NAME")]
    pub(crate) allow: Vec<String>,
    /// Print every rule with its remedy, and end
    #[arg(long)]
    pub(crate) rules: bool,
}

/// Arguments of `record`.
#[derive(Debug, Args)]
pub(crate) struct Record {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// Leave out what this JSON pointer into messages leads to; may be given more than once
    #[arg(long, value_name = "POINTER")]
    pub(crate) redact: Vec<String>,
    /// Replace the file if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// Do not compare what this JSON pointer into answers leads to; may be given more than once
    #[arg(long, value_name = "POINTER")]
    pub(crate) ignore: Vec<String>,
    /// Compare bytes: the same values in another order, or written otherwise, are a difference
    #[arg(long, conflicts_with = "ignore")]
    pub(crate) exact: bool,
}

/// Arguments of `inspect`.
#[derive(Debug, Args)]
pub(crate) struct Inspect {
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// The port of 127.0.0.1 that the page is on [default: one that is free]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_name = "PORT")]
    pub(crate) port: u16,
    /// Print where the page is, but do not open it
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Arguments of `bridge`.
#[derive(Debug, Args)]
pub(crate) struct Bridge {
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) meeting: Meeting,
}

/// Where clients are met, and who may come.
#[derive(Debug, Args)]
pub(crate) struct Meeting {
    /// Serve over HTTP on this address, at /mcp; 127.0.0.1:8000 for a command
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) http: Option<String>,
    /// Serve on standard input and output, as is done for a URL
    #[arg(long, conflicts_with = "http")]
    pub(crate) stdio: bool,
    /// Ask HTTP clients for the bearer token that is in this variable of the environment
    #[arg(long, value_name = "NAME")]
    pub(crate) token: Option<String>,
    /// A host name under which HTTP clients may come, such as tools.example.com:8000
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose web pages may come, such as https://example.com
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// Serve HTTP+SSE too, for clients of 2024-11-05: /sse and /messages
    #[arg(long)]
    pub(crate) sse: bool,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Level {
    /// Good to know
    Note,
    /// Models, people or clients will have trouble
    Warning,
    /// Against the specification, or dangerous
    Error,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
