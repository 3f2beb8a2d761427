//! The contestant of ours: an echo server as its users would write it.

use std::process::ExitCode;

use clap::Parser;
use mcpbolt::RawJson;
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::{HttpOptions, Sessions};
use mcpbolt::types::Tool;
use mcpbolt_bench::server::{ServerArgs, TOOL_SCHEMA, tool_description, tool_name};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What to say.
    text: String,
}

fn main() -> ExitCode {
    let args = ServerArgs::parse();
    let served = match args.http {
        None => server(&args).run_stdio(),
        Some(_) => http(&args),
    };
    match served {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn server(args: &ServerArgs) -> Server {
    let mut builder = Server::builder("bench", "1.0.0").tool(
        "echo",
        "Says what it was told.",
        |echo: Echo, _: Context| async move { echo.text },
    );
    for n in 0..args.tools {
        let schema = RawJson::parse(TOOL_SCHEMA).expect("the schema is JSON");
        let tool = Tool::new(tool_name(n), schema).description(tool_description(n));
        builder =
            builder.raw_tool(tool, |given: RawJson, _: Context| async move { given.as_str().to_owned() });
    }
    builder.build()
}

#[tokio::main]
async fn http(args: &ServerArgs) -> std::io::Result<i32> {
    let mut options = HttpOptions::default();
    if args.stateless {
        options.sessions = Sessions::None;
    }
    if args.sse {
        options.response = mcpbolt::transport::streamable_http::server::ResponseMode::Sse;
    }
    let address = args.http.expect("asked for HTTP");
    server(args).run_http(address, options).await
}
