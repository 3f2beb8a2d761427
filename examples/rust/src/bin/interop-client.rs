//! Calls one tool of any server and checks what it answers: what the interoperability
//! tests run against servers of other SDKs.
//!
//! Shows: reaching a server over stdio, Streamable HTTP or HTTP+SSE with the same code.
//!
//! ```sh
//! cargo run -p mcpbolt-examples --bin interop-client -- \
//!     --call echo '{"message":"hi"}' --expect hi -- npx -y @modelcontextprotocol/server-everything
//! ```

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use mcpbolt::client::{CallOptions, Client, Target};
use mcpbolt::jsonrpc::RawJson;
use mcpbolt::protocol::Error;
use mcpbolt_examples::{command, log_to_stderr, sse};

/// Calls one tool and checks its answer.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The tool and its arguments, a JSON object.
    #[arg(long, num_args = 2, value_names = ["TOOL", "JSON"], required = true)]
    call: Vec<String>,
    /// Text that the answer must hold.
    #[arg(long, value_name = "TEXT")]
    expect: String,
    /// Say what happens.
    #[arg(short, long)]
    verbose: bool,
    /// URL of a server that speaks Streamable HTTP.
    #[arg(long, value_name = "URL", conflicts_with_all = ["sse", "command"])]
    http: Option<String>,
    /// URL of a server that speaks HTTP+SSE.
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    sse: Option<String>,
    /// Program and arguments of a server that speaks over stdin and stdout.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    log_to_stderr();
    match check(&args).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn target(args: &Args) -> Result<Target, Error> {
    match (&args.http, &args.sse) {
        (Some(url), _) => Ok(Target::from(url.as_str())),
        (None, Some(url)) => Ok(sse(url)),
        (None, None) => command(&args.command),
    }
}

async fn check(args: &Args) -> Result<bool, Error> {
    let say = |text: String| {
        if args.verbose {
            eprintln!("{text}");
        }
    };
    let [tool, arguments] = args.call.as_slice() else {
        return Err(Error::usage("--call takes a tool and its arguments"));
    };
    let arguments =
        RawJson::parse(arguments.clone()).map_err(|_| Error::usage("the arguments are no JSON"))?;
    let session = Client::builder("interop-client", "1.0.0").build().connect(target(args)?).await?;
    let name = session.server_info().map_or_else(String::new, |info| info.name);
    say(format!("connected to {name}, revision {}", session.revision()));
    let tools = session.list_all_tools().await?;
    say(format!("{} tools", tools.len()));
    if !tools.iter().any(|known| known.name == *tool) {
        eprintln!("the server has no tool {tool}");
        return Ok(false);
    }
    let result = session.call_tool_with(tool, Some(arguments), CallOptions::new()).await?;
    session.close().await;
    let said = RawJson::encode(&result).map_err(|error| Error::protocol(error.to_string()))?;
    say(format!("answer: {}", said.as_str()));
    let holds = !result.failed() && said.as_str().contains(&args.expect);
    if !holds {
        eprintln!("the answer does not hold {:?}: {}", args.expect, said.as_str());
    }
    Ok(holds)
}
