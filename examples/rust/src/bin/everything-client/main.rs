//! A client that uses whatever a server offers: what the conformance suites drive.
//!
//! Shows: connecting in either era, lists, calls, reading, prompts, answering the
//! server's questions, signing in. Which of it is done, and with what, the suites say by environment
//! variables (MCP_CONFORMANCE_SCENARIO, _CONTEXT, _PROTOCOL_VERSION); without them it
//! looks at everything and prints what it found.
//!
//! ```sh
//! cargo run --release -p mcpbolt-examples --bin everything-client -- http://127.0.0.1:3000/mcp
//! cargo run --release -p mcpbolt-examples --bin everything-client -- -- my-server --stdio
//! ```
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod scenarios;
mod sign_in;
mod tour;

use std::process::ExitCode;

use clap::Parser;
use mcpbolt::client::{Client, ProtocolPolicy, Target};
use mcpbolt::protocol::{Era, Error, Revision};
use mcpbolt::types::{CreateMessageResult, ElicitResult, Root};
use mcpbolt_examples::{Reach, fill_in, log_to_stderr, text_of};

use scenarios::Scenario;

/// Uses whatever a server offers.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(flatten)]
    server: Reach,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    log_to_stderr();
    match run(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("failed: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> Result<(), Error> {
    let scenario = Scenario::from_env();
    let session = client(policy(scenario.as_ref())).connect(target(args, scenario.as_ref())?).await?;
    let outcome = match &scenario {
        Some(scenario) => scenario.play(&session).await,
        None => tour::tour(&session).await,
    };
    session.close().await;
    outcome
}

/// The server, signed in at if that is what the scenario is about.
fn target(args: &Args, scenario: Option<&Scenario>) -> Result<Target, Error> {
    match (&args.server.url, scenario) {
        (Some(url), Some(scenario)) if scenario.name.starts_with("auth/") => {
            Ok((url.as_str(), sign_in::options(&scenario.name)).into())
        }
        _ => args.server.target(),
    }
}

/// The era the suite's mock speaks; of a suite that does not say, the legacy one.
fn policy(scenario: Option<&Scenario>) -> ProtocolPolicy {
    let Some(scenario) = scenario else { return ProtocolPolicy::Auto };
    match scenario.revision.as_deref().and_then(Revision::parse) {
        Some(revision) if revision.era() == Era::Modern => ProtocolPolicy::Auto,
        _ => ProtocolPolicy::LegacyFirst,
    }
}

/// Answers every question: forms by their defaults, the model with a fixed sentence.
fn client(policy: ProtocolPolicy) -> Client {
    Client::builder("mcpbolt-everything-client", env!("CARGO_PKG_VERSION"))
        .protocol(policy)
        // Test servers declare less than they can do.
        .lenient()
        .roots([Root::new("file:///example").name("example")])
        .on_elicitation(|form| async move { Ok(ElicitResult::accept(fill_in(&form.requested_schema))) })
        .on_sampling(|asked| async move {
            let heard = asked.messages.last().map(|message| text_of(&message.content)).unwrap_or_default();
            Ok(CreateMessageResult::text("scripted", format!("You said: {heard}")))
        })
        .build()
}
