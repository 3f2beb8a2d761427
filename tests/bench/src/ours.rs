//! Our server: an echo, as users would write it.
//!
//! Owns: its tools, guard rails and limits. Must not know: how stores are reached or tokens checked. Most
//! programs need neither, and who links them starts with their size.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::ask::WAIT;
use crate::long::LINE;
use crate::server::{GuardRails, ServerArgs, TOOL_SCHEMA, tool_description, tool_name};
use clap::Parser;
use mcpbolt::handler::{Asker, Call};
use mcpbolt::observe::{Audit, JsonLines};
use mcpbolt::policy::access::{Action, Verdict};
use mcpbolt::policy::rate::{Per, RateRule};
use mcpbolt::server::{Context, Server, ServerBuilder, TaskSupport, Tasks};
use mcpbolt::transport::streamable_http::server::{HttpOptions, ResponseMode, Sessions, Verifier};
use mcpbolt::types::{ContentBlock, Tool};
use mcpbolt::{Limits, RawJson};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What to say.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Repeat {
    /// How often.
    lines: usize,
}

/// What only some programs are built with.
pub trait Equipment {
    /// Keeps sessions and the like where `--stores` says.
    fn stores(&self, builder: ServerBuilder, stores: &str) -> io::Result<ServerBuilder>;

    /// Checks tokens of an issuer that are for a resource.
    fn tokens(&self, issuer: &str, resource: String) -> io::Result<Arc<dyn Verifier>>;
}

/// Serves as the command line says, until it is told to end.
pub fn main(equipment: &impl Equipment) -> ExitCode {
    let args = ServerArgs::parse();
    let served = match args.http {
        None => server(&args, equipment).and_then(|server| server.run_stdio()),
        Some(address) => http(&args, address, equipment),
    };
    match served {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn server(args: &ServerArgs, equipment: &impl Equipment) -> io::Result<Server> {
    let mut builder = Server::builder("bench", "1.0.0").tool(
        "echo",
        "Says what it was told.",
        |echo: Echo, _: Context| async move { echo.text },
    );
    builder = match args.guard_rails {
        None => builder,
        Some(GuardRails::Off) => builder.check_media(false),
        Some(GuardRails::On) => guarded(builder),
    };
    if args.large {
        builder = builder
            .tool("count", "How many characters a text has.", |echo: Echo, _: Context| async move {
                echo.text.chars().count().to_string()
            })
            .tool("repeat", "Says a line so many times.", |repeat: Repeat, _: Context| async move {
                LINE.repeat(repeat.lines)
            });
    }
    if args.tasks {
        builder = with_tasks(builder);
    }
    if let Some(stores) = &args.stores {
        builder = equipment.stores(builder, stores)?;
    }
    if let Some(most) = args.crowd {
        builder = builder.limits(crowded(most));
    }
    for n in 0..args.tools {
        let schema = RawJson::parse(TOOL_SCHEMA).expect("the schema is JSON");
        let tool = Tool::new(tool_name(n), schema).description(tool_description(n));
        builder =
            builder.raw_tool(tool, |given: RawJson, _: Context| async move { given.as_str().to_owned() });
    }
    Ok(builder.build())
}

/// One client may have as many tasks as all together.
fn with_tasks(builder: ServerBuilder) -> ServerBuilder {
    let limits = Limits::default();
    let wait = Tool::new(WAIT, RawJson::parse(r#"{"type":"object"}"#).expect("the schema is JSON"));
    builder
        .raw_tool(wait, |_: RawJson, _: Context| std::future::pending::<String>())
        .extension(Tasks::new().tool(WAIT, TaskSupport::Required))
        .limits(Limits { tasks_per_principal: limits.tasks_max, ..limits })
}

/// What one client and all together may hold, all of it from one address.
fn crowded(most: usize) -> Limits {
    Limits {
        max_connections: most,
        max_sessions: most,
        max_in_flight: most,
        principal_sessions: most,
        principal_streams: most,
        principal_in_flight: most,
        ..Limits::default()
    }
}

/// Everything that can be on: buckets, deadlines, access, an audit that is written as JSON,
/// and a look at each block that leaves.
fn guarded(builder: ServerBuilder) -> ServerBuilder {
    let each_tool = RateRule::new(["tools/call"], Per::Tool, 1e9, 1_000_000);
    let each_session = RateRule::new(["*"], Per::Session, 1e9, 1_000_000);
    builder
        .rate_limit([each_tool, each_session].map(|rule| rule.expect("a rate")))
        .timeout(Duration::from_mins(1))
        .max_concurrency(10_000)
        .authorize(|_: &Asker, action: &Action| match &*action.name {
            "purge" => Verdict::Hide,
            _ => Verdict::Allow,
        })
        .audit(Audit::new(JsonLines::new(std::io::sink())))
        .check_media(true)
        .max_result_bytes(64 << 20)
        .sanitize_result(|_: &Call, block: ContentBlock| match block {
            ContentBlock::Text(text) if text.text.contains("hunter2") => None,
            block => Some(block),
        })
}

#[tokio::main]
async fn http(args: &ServerArgs, address: SocketAddr, equipment: &impl Equipment) -> io::Result<i32> {
    let mut options = HttpOptions::default();
    if args.stateless {
        options.sessions = Sessions::None;
    }
    if args.sse {
        options.response = ResponseMode::Sse;
    }
    if let Some(issuer) = &args.issuer {
        options.verify = Some(equipment.tokens(issuer, format!("http://{address}/mcp"))?);
    }
    server(args, equipment)?.run_http(address, options).await
}
