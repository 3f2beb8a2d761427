//! The rows of Node: our package against both lines of the official TypeScript SDK.
//!
//! The programs are in `tests/bench/node`.

use mcpbolt_bench::long::Way;
use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATEFUL, STATELESS, Suite, Transport, Work, row};

/// Peak memory of a server with a short program, in MB: when it has answered once, and under load.
const IDLE_MEMORY: Bound = Bound::Below(60.0);
const LOADED_MEMORY: Bound = Bound::Below(80.0);
/// From the start of the process to the first answer, in ms.
const START: Bound = Bound::Below(100.0);

// Why targets are missed, in the words of the report.

const STDIO: &str = "the processor time of a call is the program's JavaScript (the schema's parser, promises, the context that follows a call) and two crossings of the boundary: with the reads and writes of the kernel they are four fifths of it (perf), the addon is a fifth.";
const HTTP: &str = "so many times the official package's rate is what bare `node:http` answers here, or more, and nearly what the engine answers with a handler in Rust: most of a call is the kernel's and the load's.";
const HEAP: &str = "Node alone has 45 MB before its first call; with `zod`, the package and the addon it has 67, with the official packages 70, and V8 lets its young generation grow by 18 under any load that lasts.";
const SPIN: &str = "the thread that reads looks for the next message for up to 100 µs before it sleeps, which halves the time of a call where the processors sleep (the row above) and saves little where they are awake; `stdio_spin` says how long.";
const COLD: &str = "until the server is there Node itself spends 0.52 billion instructions outside the kernel, `zod` 0.28 and the package with its addon 0.17 (callgrind); Node alone takes half of the time.";
const CLIENT: &str = "five times the official client's rate is more than our server in Rust answers on the two processors that it shares with the client.";
const LONG: &str = "V8 decodes, parses, writes and encodes the text each time; rmcp's handler gets it as it came. The addon's part is a tenth; the kernel, that hands out the pages, and V8 have four fifths (perf).";

pub(super) fn suite() -> Suite {
    let mut rows = loads();
    let one_by_one = super::one_by_one(60.0, |transport| servers(transport, Era::Legacy, &[]));
    rows.extend(one_by_one.into_iter().map(|row| row.why(SPIN)));
    rows.extend(mounts());
    rows.extend(clients());
    rows.extend(singles());
    rows.extend(large());
    Suite {
        name: "node",
        title: "Node: mcpbolt against the official TypeScript SDK, 1.32.2 and 2.4.0",
        notes: &[
            "The peer of the targets is the official package 1.32.2, and 2.4.0 where the row is about 2026-07-28, which 1.32.2 does not speak.",
            "All run on the same Node with the same `zod`, `McpServer` and a tool with a zod schema. The addon is built as for the npm package.",
            "Over HTTP ours serves with `server.listen`, from Rust; 1.32.2 on Express with one transport per session, as its documentation has it; 2.4.0 with `createMcpHandler` on `node:http`. All answer with JSON documents where the client allows it.",
            "Mounted: the same Express; `bare` is the least that answers there: it parses the body and echoes, without checks, sessions or MCP.",
            "The floor is a loop over stdin, or bare `node:http`, with `JSON.parse` and `JSON.stringify`: no package, no registry, no sessions, no checks. It shows what a JavaScript program can reach under this load.",
            "Clients call our own Rust server.",
        ],
        warm_up: None,
        rows,
    }
}

fn program(file: &str) -> Vec<String> {
    vec!["node".to_owned(), format!("{{programs}}/{file}.mjs")]
}

fn server(name: &'static str, role: Role, file: &str, transport: Transport, flags: &[&str]) -> Entrant {
    super::serving(name, role, program(file), transport, flags)
}

/// Ours, the peer of the era, and the other line where it speaks it.
fn servers(transport: Transport, era: Era, flags: &[&str]) -> Vec<Entrant> {
    let of = |name, role, file| server(name, role, file, transport, flags);
    let ours = of("mcpbolt", Role::Ours, "server_mcpbolt");
    // With sessions 2.4.0 has no server of its own.
    let mut all = match (era, transport) {
        (Era::Modern, _) => vec![ours, of("sdk 2.4", Role::Peer, "server_sdk2")],
        (Era::Legacy, STATEFUL) => vec![ours, of("sdk 1.32", Role::Peer, "server_sdk1")],
        (Era::Legacy, _) => {
            vec![ours, of("sdk 1.32", Role::Peer, "server_sdk1"), of("sdk 2.4", Role::Shown, "server_sdk2")]
        }
    };
    all.extend(floor(transport, flags));
    all
}

/// The least that answers, where that is possible: it knows no sessions and no other tools.
fn floor(transport: Transport, flags: &[&str]) -> Option<Entrant> {
    let able = transport != STATEFUL && !flags.contains(&"--tools");
    able.then(|| server("floor", Role::Shown, "server_floor", transport, flags))
}

fn loads() -> Vec<Row> {
    let load = |id, title, era, transport, flags: &[&str], times| {
        row(id, title, Work::Calls, era, transport)
            .by(servers(transport, era, flags))
            .goal(Metric::Rate, Bound::AtLeast(times))
            .goal(Metric::Memory, LOADED_MEMORY)
            .why_memory(HEAP)
    };
    let (legacy, modern, stdio) = (Era::Legacy, Era::Modern, Transport::Stdio);
    vec![
        load("stdio-legacy", "stdio, 2025-11-25", legacy, stdio, &[], 3.4).why(STDIO),
        load("stdio-modern", "stdio, 2026-07-28", modern, stdio, &[], 3.4).why(STDIO),
        load("http-sessions", "HTTP, 2025-11-25, sessions", legacy, STATEFUL, &[], 18.0).why(HTTP),
        load("http-stateless", "HTTP, 2025-11-25, stateless", legacy, STATELESS, &["--stateless"], 18.0)
            .why(HTTP),
        load("http-modern", "HTTP, 2026-07-28", modern, STATELESS, &["--stateless"], 22.0).why(HTTP),
    ]
}

fn mounts() -> Vec<Row> {
    let mount = |id, title, era, transport, flags: &[&str], file| {
        row(id, title, Work::Calls, era, transport)
            .by(vec![
                server("mcpbolt", Role::Ours, "server_mcpbolt", transport, flags),
                server("official", Role::Peer, file, transport, flags),
                server("bare", Role::Shown, "server_bare", transport, flags),
            ])
            .goal(Metric::Rate, Bound::AtLeast(2.0))
            .why("Express with an echo in it and nothing else answers little more than twice what the official package answers.")
    };
    vec![
        mount(
            "mount-sessions",
            "in Express, 2025-11-25, sessions",
            Era::Legacy,
            STATEFUL,
            &["--mount"],
            "server_sdk1",
        ),
        mount(
            "mount-modern",
            "in Express, 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--mount", "--stateless"],
            "server_sdk2",
        ),
    ]
}

fn clients() -> Vec<Row> {
    let client = |id, title, era, transport| {
        let entrant = |name, role, file| {
            let mut command = program(file);
            command.extend(super::client_arguments(transport, era));
            Entrant { name, role, command }
        };
        let modern = era == Era::Modern;
        let mut entrants = vec![entrant("mcpbolt", Role::Ours, "client_mcpbolt")];
        if !modern {
            entrants.push(entrant("sdk 1.32", Role::Peer, "client_sdk1"));
        }
        entrants.push(entrant("sdk 2.4", if modern { Role::Peer } else { Role::Shown }, "client_sdk2"));
        row(id, title, Work::Client, era, transport)
            .by(entrants)
            .goal(Metric::Rate, Bound::AtLeast(5.0))
            .why(CLIENT)
    };
    vec![
        client("client-stdio", "client, stdio, 2025-11-25", Era::Legacy, Transport::Stdio),
        client("client-stdio-modern", "client, stdio, 2026-07-28", Era::Modern, Transport::Stdio),
        client("client-http", "client, HTTP, 2025-11-25", Era::Legacy, STATEFUL),
        client("client-http-modern", "client, HTTP, 2026-07-28", Era::Modern, STATELESS),
    ]
}

fn singles() -> Vec<Row> {
    let list = |id, title, transport| {
        row(id, title, Work::List(499), Era::Legacy, transport)
            .by(servers(transport, Era::Legacy, &["--tools", "499"]))
            .goal(Metric::P50, Bound::Below(1000.0))
    };
    let long = |id, title, era, transport, flags: &[&str]| {
        let mut rmcp = vec!["{bin}/rmcp-server".to_owned()];
        if transport != Transport::Stdio {
            rmcp.extend(["--http", "127.0.0.1:{port}", "--stateless"].map(str::to_owned));
        }
        // The official servers do not take lines of that length.
        let mut entrants = vec![
            server("mcpbolt", Role::Ours, "server_mcpbolt", transport, flags),
            Entrant { name: "rmcp", role: Role::Peer, command: rmcp },
        ];
        entrants.extend(floor(transport, flags));
        row(id, title, Work::Long(Way::ThereAndBack, 10 << 20), era, transport)
            .by(entrants)
            .goal(Metric::Bytes, Bound::AtLeast(0.8))
            .why(LONG)
    };
    let cold = |id, title, transport| {
        row(id, title, Work::ColdStart, Era::Legacy, transport)
            .by(servers(transport, Era::Legacy, &[]))
            .goal(Metric::Start, START)
            .why(COLD)
            .goal(Metric::Memory, IDLE_MEMORY)
            .why_memory(HEAP)
    };
    vec![
        list("list-stdio", "tools/list of 500 tools, stdio", Transport::Stdio),
        list("list-http", "tools/list of 500 tools, HTTP, sessions", STATEFUL),
        long("long-stdio", "10 MiB there and back, stdio", Era::Legacy, Transport::Stdio, &[]),
        long("long-http", "10 MiB there and back, HTTP 2026-07-28", Era::Modern, STATELESS, &["--stateless"]),
        cold("cold-stdio", "cold start, stdio, initialize", Transport::Stdio),
        cold("cold-http", "cold start, HTTP, initialize", STATEFUL),
    ]
}

fn large() -> Vec<Row> {
    super::large::rows(|transport| {
        let of = |name, role, file| server(name, role, file, transport, super::large::flags(transport));
        let ours = of("mcpbolt", Role::Ours, "server_mcpbolt");
        // 1.32.2 takes no lines of 10 MiB and does not speak 2026-07-28.
        vec![ours, of("sdk 2.4", Role::Peer, "server_sdk2"), super::large::rmcp(transport)]
    })
}
