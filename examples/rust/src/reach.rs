//! How the example clients are told which server to reach: a URL, or `-- COMMAND ARGS`.

use std::ffi::OsString;

use mcpbolt::client::{Command, Target};
use mcpbolt::protocol::Error;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;

/// Which server, last on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Reach {
    /// URL of the server's MCP endpoint.
    #[arg(value_name = "URL", required_unless_present = "command", conflicts_with = "command")]
    pub url: Option<String>,
    /// Program and arguments of a server that speaks over stdin and stdout.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl Reach {
    /// The server.
    pub fn target(&self) -> Result<Target, Error> {
        match &self.url {
            Some(url) => Ok(Target::from(url.as_str())),
            None => command(&self.command),
        }
    }
}

/// A server program and its arguments.
pub fn command(words: &[OsString]) -> Result<Target, Error> {
    let (program, args) = words.split_first().ok_or_else(|| Error::usage("no command after --"))?;
    Ok(Command::new(program).args(args).into())
}

/// A server that speaks only HTTP+SSE (2024-11-05).
pub fn sse(url: &str) -> Target {
    let options = HttpClientOptions { sse_only: true, ..HttpClientOptions::default() };
    Target::Http { url: url.to_owned(), options: Box::new(options) }
}
