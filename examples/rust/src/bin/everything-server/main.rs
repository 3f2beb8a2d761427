//! A server with one of everything: what the conformance suites and the
//! interoperability tests call.
//!
//! Shows: content of every kind, logging, progress, errors, questions to the client in
//! both styles (waiting inside the handler, and explicit rounds), resources, templates,
//! prompts, completion, change notifications, tools with a schema of their own, skills, tasks.
//!
//! ```sh
//! cargo run --release -p mcpbolt-examples --bin everything-server -- --http 127.0.0.1:3000
//! ```

mod content;
mod offers;
mod questions;
mod rounds;
mod running;
mod samples;
mod schemas;
mod skills;
mod tasks;

use std::process::ExitCode;

use clap::Parser;
use mcpbolt::server::{Context, Server, ServerBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

/// A server with one of everything, over stdio or HTTP.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(flatten)]
    listen: mcpbolt_examples::Listen,
}

/// Tools without arguments.
#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn main() -> ExitCode {
    mcpbolt_examples::serve(&Args::parse().listen, server)
}

fn server() -> Server {
    let builder = Server::builder("mcpbolt-everything", env!("CARGO_PKG_VERSION"))
        .title("Everything")
        .description("One of everything the protocol has, for tests")
        .instructions("Call test_simple_text first; every tool says what it shows.");
    // The first tool of the list is one that takes nothing and cannot fail.
    let builder = content::tools(builder);
    let builder = running::tools(builder);
    let builder = questions::tools(builder);
    let builder = rounds::tools(builder);
    let builder = schemas::tools(builder);
    let builder = tasks::tools(builder);
    let builder = announcing(builder);
    skills::all(offers::all(builder)).build()
}

/// Tools that tell clients of changes.
fn announcing(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool(
            "test_trigger_tool_change",
            "Says that the tool list changed",
            |_: Nothing, ctx: Context| async move {
                ctx.server().as_ref().map(Server::tools_changed);
                "Announced a change of the tools."
            },
        )
        .tool(
            "test_trigger_prompt_change",
            "Says that the prompt list changed",
            |_: Nothing, ctx: Context| async move {
                ctx.server().as_ref().map(Server::prompts_changed);
                "Announced a change of the prompts."
            },
        )
}
