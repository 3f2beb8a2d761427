//! The demonstration: starts notes servers and uses all of them over every transport, in
//! both eras.
//!
//! Shows: that one server and one client program work the same over stdio, Streamable
//! HTTP and HTTP+SSE; with `--python`, `--node`, `--kotlin` and `--swift` also that programs
//! in these languages understand each other: each client visits each server. Prints what
//! happens and tables, the last one of all languages; fails unless every cell holds.
//!
//! ```sh
//! cargo xtask demo
//! ```
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod matrix;
mod programs;
mod report;
mod server;
mod steps;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use mcpbolt::client::{Client, ProtocolPolicy, Target};
use mcpbolt::protocol::{Error, Revision};
use mcpbolt::types::{CreateMessageResult, ElicitResult, Root};
use mcpbolt_examples::{command, fill_in, log_to_stderr, sse};

use matrix::{Absent, LANGUAGES, SHOWN};
use programs::Programs;
use report::Report;
use server::{HttpServer, Program};
use steps::Visit;

/// Starts notes servers and uses all of them over every transport.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The server program; by default the one beside this program.
    #[arg(long, value_name = "FILE")]
    server: Option<PathBuf>,
    /// A Python interpreter that imports mcpbolt: its programs take part.
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// A Node that imports mcpbolt from the examples: its programs take part.
    #[arg(long, value_name = "FILE")]
    node: Option<PathBuf>,
    /// A folder with `notes-server` and `demo-client` in Kotlin: they take part.
    #[arg(long, value_name = "FOLDER")]
    kotlin: Option<PathBuf>,
    /// A folder with `notes-server` and `demo-client` in Swift: they take part.
    #[arg(long, value_name = "FOLDER")]
    swift: Option<PathBuf>,
    /// Rust with Rust, and nothing of other languages.
    #[arg(long)]
    rust_alone: bool,
    /// Why a language takes no part, for the table at the end.
    #[arg(long, value_name = "LANGUAGE=REASON", value_parser = absent)]
    absent: Vec<Absent>,
}

/// `LANGUAGE=REASON`.
fn absent(text: &str) -> Result<Absent, String> {
    let (language, reason) = text.split_once('=').ok_or("not of the form LANGUAGE=REASON")?;
    let known = LANGUAGES.into_iter().find(|known| *known == language);
    let known = known.ok_or_else(|| format!("not one of {}", LANGUAGES.join(", ")))?;
    Ok((known, reason.to_owned()))
}

/// The programs that take part beside those in Rust, and who does not.
fn others(args: &Args) -> (Vec<Programs>, Vec<Absent>) {
    let mut here = Vec::new();
    here.extend(args.python.as_deref().map(Programs::python));
    here.extend(args.node.as_deref().map(Programs::node));
    here.extend(args.kotlin.as_deref().map(|folder| Programs::commands("Kotlin", folder)));
    here.extend(args.swift.as_deref().map(|folder| Programs::commands("Swift", folder)));
    let missing =
        LANGUAGES[1..].iter().filter(|name| here.iter().all(|programs| programs.language != **name));
    let why = |name: &str| {
        let reason = args.absent.iter().find(|(language, _)| *language == name);
        reason.map_or_else(|| "its programs were not given".to_owned(), |(_, reason)| reason.clone())
    };
    let absent = missing.map(|name| (*name, why(name))).collect();
    (here, absent)
}

/// One way to reach a server.
struct Way {
    name: &'static str,
    revision: Revision,
    reach: Reach,
}

enum Reach {
    Stdio(Vec<OsString>),
    Http(String),
    Sse(String),
}

impl Reach {
    fn target(&self) -> Result<Target, Error> {
        match self {
            Self::Stdio(words) => command(words),
            Self::Http(url) => Ok(url.as_str().into()),
            Self::Sse(url) => Ok(sse(url)),
        }
    }

    /// As clients are told on their command line.
    fn words(&self) -> Vec<OsString> {
        match self {
            Self::Stdio(words) => std::iter::once("--".into()).chain(words.iter().cloned()).collect(),
            Self::Http(url) | Self::Sse(url) => vec![url.into()],
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    log_to_stderr();
    let folder = std::env::temp_dir().join(format!("mcpbolt-demo-{}", std::process::id()));
    let outcome = demo(&args, &folder).await;
    let _ = std::fs::remove_dir_all(&folder);
    match outcome {
        Ok((reports, _)) if args.rust_alone => matrix::close_alone(&reports),
        Ok((reports, absent)) => matrix::close(&reports, &absent),
        Err(error) => {
            eprintln!("the demonstration could not start: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The server next to this program.
fn beside() -> io::Result<PathBuf> {
    let name = format!("notes-server{}", std::env::consts::EXE_SUFFIX);
    Ok(std::env::current_exe()?.with_file_name(name))
}

/// Each client with each server.
async fn demo(args: &Args, folder: &Path) -> io::Result<(Vec<Report>, Vec<Absent>)> {
    std::fs::create_dir_all(folder)?;
    let folder = &folder.canonicalize()?;
    let rust = Program::new([args.server.clone().map_or_else(beside, Ok)?]);
    let (others, absent) = others(args);
    let mut servers = vec![("Rust", &rust)];
    servers.extend(others.iter().map(|programs| (programs.language, &programs.server)));
    let mut reports = Vec::new();
    for (language, program) in servers {
        let http = match HttpServer::start(program, folder).await {
            Ok(http) => http,
            Err(error) => {
                let clients = std::iter::once("Rust").chain(others.iter().map(|client| client.language));
                reports.extend(clients.map(|client| not_visited(client, language, &error)));
                continue;
            }
        };
        let ways = ways(program, folder, &http);
        reports.push(from_rust(language, &ways, folder).await);
        for client in &others {
            reports.push(from_other(client, language, &ways, folder).await);
        }
        http.stop().await;
    }
    Ok((reports, absent))
}

fn new_report(client: &'static str, server: &'static str) -> Report {
    Report::new(client, server, steps::ALL.iter().map(|step| step.name))
}

/// A server that does not start.
fn not_visited(client: &'static str, server: &'static str, error: &io::Error) -> Report {
    let mut report = new_report(client, server);
    report.column(SHOWN);
    Report::unreachable(error);
    report
}

/// All steps on all ways, by the client of this program.
async fn from_rust(server: &'static str, ways: &[Way], folder: &Path) -> Report {
    let mut report = new_report("Rust", server);
    for way in ways {
        report.column(way.name);
        if let Err(error) = visit(&mut report, way, folder).await {
            Report::unreachable(&error);
        }
    }
    report
}

async fn visit(report: &mut Report, way: &Way, folder: &Path) -> Result<(), Error> {
    let session = client(way.revision, folder).connect(way.reach.target()?).await?;
    let visit = Visit::new(session, folder, way.revision);
    for step in steps::ALL {
        report.cell(step.name, (step.run)(&visit).await);
    }
    match steps::call_time(&visit).await {
        Ok(median) => report.call(median),
        Err(why) => Report::unreachable(&why),
    }
    visit.session.close().await;
    Ok(())
}

/// The same by a client in another language.
async fn from_other(client: &Programs, server: &'static str, ways: &[Way], folder: &Path) -> Report {
    let mut report = new_report(client.language, server);
    for way in ways {
        report.column(way.name);
        if let Err(error) = client.visit(&mut report, way.revision, folder, &way.reach.words()).await {
            Report::unreachable(&error);
        }
    }
    report
}

fn ways(program: &Program, folder: &Path, http: &HttpServer) -> Vec<Way> {
    let (modern, legacy) = (Revision::LATEST_MODERN, Revision::LATEST_LEGACY);
    let stdio = || Reach::Stdio(program.stdio(folder));
    let way = |name, revision, reach| Way { name, revision, reach };
    vec![
        way("stdio, modern", modern, stdio()),
        way("stdio, legacy", legacy, stdio()),
        way(SHOWN, modern, Reach::Http(http.url("/mcp"))),
        way("HTTP, legacy", legacy, Reach::Http(http.url("/mcp"))),
        way("HTTP+SSE", legacy, Reach::Sse(http.url("/sse"))),
    ]
}

/// A client that says yes to every form, has a model that repeats, and one root.
fn client(revision: Revision, folder: &Path) -> Client {
    Client::builder("mcpbolt-demo", env!("CARGO_PKG_VERSION"))
        .protocol(ProtocolPolicy::Pinned(revision))
        .roots([Root::new(format!("file://{}", folder.display())).name("notes")])
        .on_elicitation(|form| async move { Ok(ElicitResult::accept(fill_in(&form.requested_schema))) })
        .on_sampling(|asked| async move {
            let text = asked.messages.first().map(|message| mcpbolt_examples::text_of(&message.content));
            let text = text.ok_or_else(|| Error::invalid_params("no message"))?;
            Ok(CreateMessageResult::text("scripted", format!("In short: {text}")))
        })
        .build()
}
