//! What `--help` prints besides the options: usage lines and examples.
//!
//! Owns: words. Every example is run by the tests. Must not know: anything else.

pub(super) const SERVERS: &str = "\
A server is one of
  https://example.com/mcp     a URL
  servers.json:weather        a file with mcpServers, and a name in it
  server.py, server.mjs       a program, run by Python or Node
  -- my-server --stdio        any command, after everything else

Exit codes: 0 done, 1 the server or tool failed, 2 usage, 3 unreachable, 4 denied, 5 no answer in
time, 6 the protocol was broken, 130 Ctrl-C.";

pub(super) const LIST_USAGE: &str = "\
mcpbolt list [OPTIONS] SERVER
       mcpbolt list [OPTIONS] -- COMMAND...";
pub(super) const LIST: &str = "\
Examples:
  mcpbolt list https://example.com/mcp
  mcpbolt list --only tools --schemas -- my-server --stdio
  mcpbolt list --json server.py

In a pipe each line is a kind, a name or URI, and a description, with tabs between them.";

pub(super) const CALL_USAGE: &str = "\
mcpbolt call [OPTIONS] SERVER TOOL [KEY=VALUE]...
       mcpbolt call [OPTIONS] TOOL [KEY=VALUE]... -- COMMAND...";
pub(super) const CALL: &str = "\
Examples:
  mcpbolt call https://example.com/mcp add a=1 b=2
  mcpbolt call search query='two words' tags=new tags=red filter.max=5 -- my-server --stdio
  mcpbolt call server.py add --arguments '{\"a\": 1, \"b\": 2}'

KEY=VALUE is read as the tool's input schema says, and checked before it is sent. KEY.INNER=VALUE
is a member of an object, a KEY that is repeated makes a list, KEY:=JSON is JSON as it is,
KEY=@FILE the content of a file. The tool's own failure is exit code 1. Ctrl-C cancels the call.";

pub(super) const READ_USAGE: &str = "\
mcpbolt read [OPTIONS] SERVER URI
       mcpbolt read [OPTIONS] URI -- COMMAND...";
pub(super) const READ: &str = "\
Examples:
  mcpbolt read https://example.com/mcp file:///notes.txt
  mcpbolt read image://logo --output logo.png -- my-server --stdio

In a pipe the contents are written byte for byte.";

pub(super) const PROMPT_USAGE: &str = "\
mcpbolt prompt [OPTIONS] SERVER PROMPT [KEY=VALUE]...
       mcpbolt prompt [OPTIONS] PROMPT [KEY=VALUE]... -- COMMAND...";
pub(super) const PROMPT: &str = "\
Examples:
  mcpbolt prompt https://example.com/mcp review language=Rust
  mcpbolt prompt review language=Rust --json -- my-server --stdio";

pub(super) const PING_USAGE: &str = "\
mcpbolt ping [OPTIONS] SERVER
       mcpbolt ping [OPTIONS] -- COMMAND...";
pub(super) const PING: &str = "\
Examples:
  mcpbolt ping https://example.com/mcp
  mcpbolt ping --count 5 -- my-server --stdio

On 2026-07-28, which has no ping, the request is server/discover.";

pub(super) const WATCH_USAGE: &str = "\
mcpbolt watch [OPTIONS] SERVER
       mcpbolt watch [OPTIONS] -- COMMAND...";
pub(super) const WATCH: &str = "\
Examples:
  mcpbolt watch https://example.com/mcp
  mcpbolt watch --resource file:///notes.txt --log-level info -- my-server --stdio
  mcpbolt watch --json --count 10 --for 1h https://example.com/mcp

With --json each line is one notification.";

pub(super) const BENCH_USAGE: &str = "\
mcpbolt bench [OPTIONS] SERVER [TOOL [KEY=VALUE]...]
       mcpbolt bench [OPTIONS] [TOOL [KEY=VALUE]...] -- COMMAND...";
pub(super) const BENCH: &str = "\
Examples:
  mcpbolt bench https://example.com/mcp
  mcpbolt bench https://example.com/mcp add a=1 b=2 --concurrency 16 --duration 10s
  mcpbolt bench --requests 1000 --json -- my-server --stdio

Without a tool the request is a ping. Ctrl-C ends the measurement and prints what was measured.";

pub(super) const CHECK_USAGE: &str = "\
mcpbolt check [OPTIONS] SERVER
       mcpbolt check [OPTIONS] -- COMMAND...";
pub(super) const CHECK: &str = "\
Examples:
  mcpbolt check https://example.com/mcp
  mcpbolt check --fail-on error --allow tool-without-annotations -- my-server --stdio
  mcpbolt check --json server.py
  mcpbolt check --rules

It asks and lists, but calls no tool. The exit code is 1 if something was found.";

pub(super) const RECORD_USAGE: &str = "\
mcpbolt record [OPTIONS] FILE SERVER
       mcpbolt record [OPTIONS] FILE -- COMMAND...";
pub(super) const RECORD: &str = "\
Examples:
  mcpbolt record session.jsonl -- my-server --stdio
  mcpbolt record session.jsonl https://example.com/mcp
  mcpbolt record session.jsonl --overwrite --redact /params/arguments/address -- my-server --stdio

It takes the place of the server's command in a host's file, on standard input and output; a URL is
met as by mcpbolt bridge. Only you can read the file. Members
with names such as token, password, api_key and authorization are left out of it.";

pub(super) const REPLAY_USAGE: &str = "\
mcpbolt replay [OPTIONS] FILE
       mcpbolt replay [OPTIONS] FILE SERVER
       mcpbolt replay [OPTIONS] FILE -- COMMAND...";
pub(super) const REPLAY: &str = "\
Examples:
  mcpbolt list -- mcpbolt replay session.jsonl
  mcpbolt bridge --http 127.0.0.1:8000 -- mcpbolt replay session.jsonl
  mcpbolt replay session.jsonl --exact -- my-server --stdio
  mcpbolt replay session.jsonl https://example.com/mcp
  mcpbolt replay session.jsonl --ignore /result/serverInfo/version -- my-server --stdio

Without a server it is the server, on standard input and output: what was said then is said now,
byte for byte and in the same order. With one it is the client, and compares the answers: the exit
code is 1 if one differs.";

pub(super) const INSPECT_USAGE: &str = "\
mcpbolt inspect [OPTIONS] SERVER
       mcpbolt inspect [OPTIONS] -- COMMAND...";
pub(super) const INSPECT: &str = "\
Examples:
  mcpbolt inspect https://example.com/mcp
  mcpbolt inspect server.py
  mcpbolt inspect --port 6274 --no-open -- my-server --stdio

The page is on 127.0.0.1 only, and opens for those who have its URL, which holds a key of this
run. Ctrl-C ends.";

pub(super) const COMPLETIONS: &str = "\
Examples:
  mcpbolt completions bash > ~/.local/share/bash-completion/completions/mcpbolt
  mcpbolt completions zsh > ~/.zfunc/_mcpbolt
  mcpbolt completions fish > ~/.config/fish/completions/mcpbolt.fish";

pub(super) const BRIDGE_USAGE: &str = "\
mcpbolt bridge [OPTIONS] SERVER
       mcpbolt bridge [OPTIONS] -- COMMAND...";
pub(super) const BRIDGE: &str = "\
Examples:
  mcpbolt bridge https://example.com/mcp --auth oauth
  mcpbolt bridge --http 127.0.0.1:8000 -- my-server --stdio
  mcpbolt bridge --http 0.0.0.0:8000 --token TOOLS_TOKEN --allow-host tools.example.com:8000 -- my-server

Each client with a session has a server of its own. Messages are passed on as they are where both
sides speak the same revision; else they are said in the other's words, questions of the server
included. A command gets all of the environment.";

pub(super) const INSTALL_USAGE: &str = "\
mcpbolt install [OPTIONS] APP SERVER
       mcpbolt install [OPTIONS] APP -- COMMAND...";
pub(super) const INSTALL: &str = "\
Examples:
  mcpbolt install claude --name weather -- /usr/local/bin/weather-server --stdio
  mcpbolt install vscode https://example.com/mcp --name example --dry-run
  mcpbolt install cursor server.py --env UNITS=metric --env 'API_KEY=${env:API_KEY}'

The change is shown. The file is copied beside itself first, its comments and layout stay, and a
file that cannot be read is left alone.";

pub(super) const UNINSTALL: &str = "\
Examples:
  mcpbolt uninstall claude weather
  mcpbolt uninstall vscode example --dry-run";
