//! The command line that every server contestant understands.

use std::net::SocketAddr;

/// What a server is told.
#[derive(clap::Parser, Debug, Clone)]
pub struct ServerArgs {
    /// Serve Streamable HTTP there, at /mcp; without it, stdin and stdout.
    #[arg(long)]
    pub http: Option<SocketAddr>,
    /// No sessions: every POST stands alone.
    #[arg(long)]
    pub stateless: bool,
    /// Always answer with an event stream.
    #[arg(long)]
    pub sse: bool,
    /// Which guard rails are on; those that are by default, unless told.
    #[arg(long)]
    pub guard_rails: Option<GuardRails>,
    /// The issuer whose tokens each request needs, with the scope `notes`.
    #[arg(long)]
    pub issuer: Option<String>,
    /// Where sessions and the like are kept, such as redis://127.0.0.1:6379; the server's own
    /// memory, unless told.
    #[arg(long)]
    pub stores: Option<String>,
    /// With tools that take and give long texts.
    #[arg(long)]
    pub large: bool,
    /// With a tool `wait` that becomes a task and never ends.
    #[arg(long)]
    pub tasks: bool,
    /// One client may hold so many connections, sessions, streams and calls, and clients may listen.
    #[arg(long)]
    pub crowd: Option<usize>,
    /// How many tools there are besides `echo`.
    #[arg(long, default_value_t = 0)]
    pub tools: usize,
}

/// How a server of ours is guarded.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardRails {
    /// By nothing that can be turned off.
    Off,
    /// By everything there is, with bounds that the load does not reach.
    On,
}

/// Largest request that must be taken, in bytes.
pub const MAX_BODY: usize = 64 << 20;

/// Name of the nth tool besides `echo`.
pub fn tool_name(n: usize) -> String {
    format!("tool_{n:03}")
}

/// What the nth tool says of itself.
pub fn tool_description(n: usize) -> String {
    format!("Tool number {n}: looks something up in a table of the program and says what it found.")
}

/// The input schema of such a tool.
pub const TOOL_SCHEMA: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"What to look for"},"limit":{"type":"integer","minimum":1,"maximum":100},"exact":{"type":"boolean"}},"required":["query"]}"#;
