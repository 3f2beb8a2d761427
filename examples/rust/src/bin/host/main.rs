//! A host: several servers from an `mcpServers` file, their tools in one list, a
//! scripted model that uses them, and a person who is asked before anything changes.
//!
//! Shows: the merged registry of tools, review of tool calls, answering a server's
//! questions on the terminal.
//!
//! ```sh
//! cargo run -p mcpbolt-examples --bin host -- examples/rust/host.json
//! ```
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod model;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use mcpbolt::client::{AskUnlessReadOnly, Client, Host, ToolDecision};
use mcpbolt::protocol::{Error, ErrorKind};
use mcpbolt::types::{CreateMessageResult, ElicitResult};
use mcpbolt_examples::{fill_in, log_to_stderr, text_of};

use model::{ScriptedModel, Turn};
use terminal::Terminal;

/// Lets a scripted model use the tools of several servers.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// A file with an mcpServers object.
    config: PathBuf,
    /// The city the model looks at.
    #[arg(long, default_value = "Oslo")]
    city: String,
    /// Answer yes to every question.
    #[arg(long)]
    yes: bool,
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
    let config = std::fs::read_to_string(&args.config)
        .map_err(|error| Error::usage(format!("{}: {error}", args.config.display())))?;
    let host = Host::new(client(Terminal::new(args.yes)));
    for (server, error) in host.add_config(&config).await? {
        eprintln!("{server} is left out: {error}");
    }
    for tool in host.tools() {
        println!("{:<10} {:<18} {}", tool.server, tool.name, tool.tool.description.unwrap_or_default());
    }
    let outcome = talk(&host, ScriptedModel::new(&args.city)).await;
    host.close().await;
    outcome
}

/// The loop of every host: the model says what it wants, the host does it and reports.
async fn talk(host: &Host, mut model: ScriptedModel) -> Result<(), Error> {
    let mut heard = None;
    loop {
        match model.turn(&host.tools(), heard.take()) {
            Turn::Say(text) => {
                println!("\nmodel: {text}");
                return Ok(());
            }
            Turn::Call(tool, arguments) => {
                println!("\nmodel: call {tool} {arguments}");
                let answer = match host.call_tool(&tool, arguments).await {
                    Ok(result) => text_of(&result.content),
                    // The model learns that the person said no.
                    Err(error) if error.kind == ErrorKind::Rejected => error.to_string(),
                    Err(error) => return Err(error),
                };
                println!("{tool}: {answer}");
                heard = Some(answer);
            }
        }
    }
}

/// A client that asks the person on the terminal.
fn client(terminal: Terminal) -> Client {
    let (for_tools, for_forms, for_model) = (terminal.clone(), terminal.clone(), terminal);
    let reviewer = AskUnlessReadOnly::new(move |call| {
        let terminal = for_tools.clone();
        async move {
            let arguments = call.arguments.as_ref().map_or("{}", |raw| raw.as_str());
            if terminal.agrees(&format!("Allow {} {arguments}?", call.tool)).await {
                ToolDecision::Allow
            } else {
                ToolDecision::Deny("the person said no".to_owned())
            }
        }
    });
    Client::builder("mcpbolt-host", env!("CARGO_PKG_VERSION"))
        // The servers of the file are the person's own: their read-only hints count.
        .trusted(true)
        .review_tool_call(reviewer)
        .on_elicitation(move |form| {
            let terminal = for_forms.clone();
            async move {
                Ok(if terminal.agrees(&form.message).await {
                    ElicitResult::accept(fill_in(&form.requested_schema))
                } else {
                    ElicitResult::decline()
                })
            }
        })
        .on_sampling(move |asked| {
            let terminal = for_model.clone();
            async move {
                let text = asked.messages.last().map(|message| text_of(&message.content)).unwrap_or_default();
                if !terminal.agrees(&format!("Let a server ask the model about {text:?}?")).await {
                    return Err(Error::new(ErrorKind::Rejected, "the person said no"));
                }
                Ok(CreateMessageResult::text("scripted", format!("In short: {text}")))
            }
        })
        .build()
}
