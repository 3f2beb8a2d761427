//! The demonstration: starts notes-server and uses all of it over every transport, in
//! both eras.
//!
//! Shows: that one server and one client program work the same over stdio, Streamable
//! HTTP and HTTP+SSE. Prints what happens and a table; fails unless every row holds.
//!
//! ```sh
//! cargo xtask demo
//! ```
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod report;
mod server;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use mcpbolt::client::{Client, Command, ProtocolPolicy, Target};
use mcpbolt::protocol::{Error, Revision};
use mcpbolt::types::{CreateMessageResult, ElicitResult, Root};
use mcpbolt_examples::{fill_in, log_to_stderr, sse};

use report::Report;
use server::HttpServer;
use steps::Visit;

/// Starts notes-server and uses all of it over every transport.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The server program; by default the one beside this program.
    #[arg(long, value_name = "FILE")]
    server: Option<PathBuf>,
}

/// One way to reach the server.
struct Way {
    name: &'static str,
    revision: Revision,
    target: Target,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    log_to_stderr();
    let folder = std::env::temp_dir().join(format!("mcpbolt-demo-{}", std::process::id()));
    let outcome = match args.server.map_or_else(beside, Ok) {
        Ok(program) => demo(&program, &folder).await,
        Err(error) => Err(error),
    };
    let _ = std::fs::remove_dir_all(&folder);
    match outcome {
        Ok(report) => report.print(),
        Err(error) => {
            eprintln!("the demonstration could not start: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The server next to this program.
fn beside() -> std::io::Result<PathBuf> {
    let name = format!("notes-server{}", std::env::consts::EXE_SUFFIX);
    Ok(std::env::current_exe()?.with_file_name(name))
}

async fn demo(program: &Path, folder: &Path) -> std::io::Result<Report> {
    std::fs::create_dir_all(folder)?;
    let folder = &folder.canonicalize()?;
    let http = HttpServer::start(program, folder).await?;
    let mut report = Report::new(steps::ALL.iter().map(|step| step.name));
    for way in ways(program, folder, &http) {
        println!("\n== {} ==", way.name);
        report.column(way.name);
        let client = client(way.revision, folder);
        match client.connect(way.target).await {
            Ok(session) => {
                let visit = Visit::new(session, folder, way.revision);
                for step in steps::ALL {
                    report.cell(step.name, (step.run)(&visit).await);
                }
                visit.session.close().await;
            }
            Err(error) => report.unreachable(&error),
        }
    }
    http.stop().await;
    Ok(report)
}

fn ways(program: &Path, folder: &Path, http: &HttpServer) -> Vec<Way> {
    let (modern, legacy) = (Revision::LATEST_MODERN, Revision::LATEST_LEGACY);
    let stdio = || Target::from(Command::new(program).arg(folder));
    let way = |name, revision, target| Way { name, revision, target };
    vec![
        way("stdio, modern", modern, stdio()),
        way("stdio, legacy", legacy, stdio()),
        way("HTTP, modern", modern, http.url("/mcp").into()),
        way("HTTP, legacy", legacy, http.url("/mcp").into()),
        way("HTTP+SSE", legacy, sse(&http.url("/sse"))),
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
