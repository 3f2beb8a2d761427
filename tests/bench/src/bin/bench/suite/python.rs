//! The rows of Python: our package against both lines of the official one and fastmcp.
//!
//! The programs are in `tests/bench/python`; the interpreters they run on come from the
//! environment, one per contestant, because their dependencies exclude each other.

use mcpbolt_bench::long::Way;
use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATEFUL, STATELESS, Suite, Transport, Work, row};

/// Peak memory of a server with a short program, in MB: when it has answered once, and under load.
const IDLE_MEMORY: Bound = Bound::Below(30.0);
const STDIO_MEMORY: Bound = Bound::Below(30.0);
const HTTP_MEMORY: Bound = Bound::Below(40.0);
const WHY_MEMORY: &str = "a program that imports `asyncio` and does nothing has 20.4 MB here, OpenSSL, which that loads, among them. Of the rest half are pages of the extension's code, where it is not built by a profile of calls: 1.4 MB of it run before the first answer, and the kernel maps 64 kB around each page that does. Load adds 1 MB.";
/// From the start of the process to the first answer, in ms.
const START: Bound = Bound::Below(100.0);

// Why targets are missed, in the words of the report.

const FLOOR: &str =
    "the floor, a loop over standard input with `json` and nothing else, answers a sixth more.";
const UVICORN: &str = "so many times the official server's rate is far above what bare uvicorn answers on the same two processors.";
const WAKE: &str = "where processors sleep, each call wakes one, and a loop in Python that does nothing but answer takes 53 µs.";

pub(super) fn suite() -> Suite {
    let mut rows = loads();
    let one_by_one =
        super::one_by_one(50.0, |transport| servers(transport, Era::Legacy, &["--async"], false));
    rows.extend(one_by_one.into_iter().map(|row| row.why(WAKE)));
    rows.extend(mounts());
    rows.extend(clients());
    rows.extend(singles());
    rows.extend(large());
    Suite {
        name: "python",
        title: "Python: mcpbolt against the official package, 2.3.0 and 1.30.0, and fastmcp 4",
        notes: &[
            "The peer of the targets is `MCPServer` and `Client` of the official package 2.3.0, unless a row says otherwise; 1.30.0 and fastmcp 4.1.6 are shown for scale. 1.30.0 does not speak 2026-07-28.",
            "Each runs in an environment of its own with pinned dependencies, on the same interpreter, with the defaults that its users get: `FastMCP`, structured output, validation of arguments. The extension is built as for a wheel, and bytecode is there as pip makes it.",
            "Over HTTP each side serves with its own `run`: ours from Rust, the others on uvicorn. Each answers in the form it prefers; ours writes one JSON document, because the client names that first.",
            "10 MiB go there and back as text alone, as rmcp sends it: by default such a tool's result has its text twice, the second time as structured content.",
            "Mounted apps run on uvicorn with uvloop and httptools. `bare` is the least that answers there: it parses the body and echoes, without checks, sessions or MCP. The apps of MCP servers are Starlette's, which is shown as bare too; in ours the endpoint is reached without its router, unless the program adds something that stands before it.",
            "Clients call our own Rust server.",
        ],
        warm_up: None,
        rows,
    }
}

/// A program of `tests/bench/python` on the interpreter of its package.
fn program(interpreter: &str, file: &str) -> Vec<String> {
    vec![format!("{{{interpreter}}}"), format!("{{programs}}/{file}.py")]
}

fn server(
    name: &'static str,
    role: Role,
    interpreter: &str,
    file: &str,
    transport: Transport,
    flags: &[&str],
) -> Entrant {
    super::serving(name, role, program(interpreter, file), transport, flags)
}

/// Ours and the peer; with `all`, those shown for scale too.
fn servers(transport: Transport, era: Era, flags: &[&str], all: bool) -> Vec<Entrant> {
    let of = |name, role, interpreter, file| server(name, role, interpreter, file, transport, flags);
    let mut found = vec![
        of("mcpbolt", Role::Ours, "mcpbolt", "server_mcpbolt"),
        of("mcp 2.3", Role::Peer, "mcp2", "server_mcp2"),
    ];
    if all && era == Era::Legacy {
        found.push(of("mcp 1.30", Role::Shown, "mcp1", "server_mcp1"));
    }
    if all {
        found.push(of("fastmcp 4", Role::Shown, "fastmcp4", "server_fastmcp4"));
    }
    found.extend(floor(transport, flags));
    found
}

/// The least that answers, on stdio: it knows no other tools.
fn floor(transport: Transport, flags: &[&str]) -> Option<Entrant> {
    let able = transport == Transport::Stdio && !flags.contains(&"--tools");
    able.then(|| server("floor", Role::Shown, "mcpbolt", "server_floor", transport, &[]))
}

fn loads() -> Vec<Row> {
    let load = |id, title, era, transport, flags: &[&str], times| {
        row(id, title, Work::Calls, era, transport)
            .by(servers(transport, era, flags, true))
            .goal(Metric::Rate, Bound::AtLeast(times))
            .goal(Metric::Memory, if transport == Transport::Stdio { STDIO_MEMORY } else { HTTP_MEMORY })
            .why_memory(WHY_MEMORY)
    };
    let (legacy, modern, stdio) = (Era::Legacy, Era::Modern, Transport::Stdio);
    vec![
        load("stdio-def", "stdio, 2025-11-25, def", legacy, stdio, &[], 50.0),
        load("stdio-async", "stdio, 2025-11-25, async def", legacy, stdio, &["--async"], 75.0).why(FLOOR),
        load("stdio-modern", "stdio, 2026-07-28, async def", modern, stdio, &["--async"], 75.0).why(FLOOR),
        load("http-sessions", "HTTP, 2025-11-25, sessions", legacy, STATEFUL, &["--async"], 35.0)
            .why(UVICORN),
        load("http-modern", "HTTP, 2026-07-28", modern, STATELESS, &["--async", "--stateless"], 27.0)
            .why(UVICORN),
    ]
}

fn mounts() -> Vec<Row> {
    let mount = |id, title, era, transport, flags: &[&str]| {
        row(id, title, Work::Calls, era, transport)
            .by(vec![
                server("mcpbolt", Role::Ours, "mcpbolt", "server_mcpbolt", transport, flags),
                server("bare", Role::Peer, "mcpbolt", "server_bare", transport, &[]),
                server("bare, Starlette", Role::Shown, "mcpbolt", "server_bare", transport, &["--starlette"]),
                server("mcp 2.3", Role::Shown, "mcp2", "server_mcp2", transport, flags),
            ])
            .goal(Metric::Rate, Bound::AtLeast(0.8))
            .why("0.8 of an echo leaves 7 µs of processor time a call for all of MCP, where the layers of Starlette alone take 6. Ours takes 30: half of that are the interpreter's steps through ASGI, the handler's task and its context, the rest is the engine's (perf).")
    };
    vec![
        mount(
            "mount-sessions",
            "mounted on uvicorn, 2025-11-25",
            Era::Legacy,
            STATEFUL,
            &["--async", "--mount"],
        ),
        mount(
            "mount-modern",
            "mounted on uvicorn, 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--async", "--mount", "--stateless"],
        ),
    ]
}

fn clients() -> Vec<Row> {
    let client = |id, title, era, transport| {
        let entrant = |name, role, interpreter, file| {
            let mut command = program(interpreter, file);
            command.extend(super::client_arguments(transport, era));
            Entrant { name, role, command }
        };
        let mut entrants = vec![
            entrant("mcpbolt", Role::Ours, "mcpbolt", "client_mcpbolt"),
            entrant("mcp 2.3", Role::Peer, "mcp2", "client_mcp2"),
        ];
        if era == Era::Legacy {
            entrants.push(entrant("mcp 1.30", Role::Shown, "mcp1", "client_mcp1"));
        }
        entrants.push(entrant("fastmcp 4", Role::Shown, "fastmcp4", "client_fastmcp4"));
        row(id, title, Work::Client, era, transport).by(entrants).goal(Metric::Rate, Bound::AtLeast(10.0))
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
            .by(servers(transport, Era::Legacy, &["--tools", "499"], false))
            .goal(Metric::P50, Bound::Below(1000.0))
    };
    let long = |id, title, era, transport, flags: &[&str]| {
        let mut rmcp = vec!["{bin}/rmcp-server".to_owned()];
        if transport != Transport::Stdio {
            rmcp.extend(["--http", "127.0.0.1:{port}", "--stateless"].map(str::to_owned));
        }
        let mut entrants = vec![
            server("mcpbolt", Role::Ours, "mcpbolt", "server_mcpbolt", transport, flags),
            Entrant { name: "rmcp", role: Role::Peer, command: rmcp },
            server("mcp 2.3", Role::Shown, "mcp2", "server_mcp2", transport, flags),
        ];
        entrants.extend(floor(transport, flags));
        row(id, title, Work::Long(Way::ThereAndBack, 10 << 20), era, transport)
            .by(entrants)
            .goal(Metric::Bytes, Bound::AtLeast(1.0))
            .why("the interpreter's string is a copy each way, which rmcp's handler does not need.")
    };
    let cold = |id, title, transport| {
        row(id, title, Work::ColdStart, Era::Legacy, transport)
            .by(servers(transport, Era::Legacy, &[], true))
            .goal(Metric::Start, START)
            .goal(Metric::Memory, IDLE_MEMORY)
            .why_memory(WHY_MEMORY)
    };
    vec![
        list("list-stdio", "tools/list of 500 tools, stdio", Transport::Stdio),
        list("list-http", "tools/list of 500 tools, HTTP, sessions", STATEFUL),
        long(
            "long-stdio",
            "10 MiB there and back, stdio",
            Era::Legacy,
            Transport::Stdio,
            &["--async", "--plain"],
        ),
        long(
            "long-http",
            "10 MiB there and back, HTTP 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--async", "--plain", "--stateless"],
        ),
        cold("cold-stdio", "cold start, stdio, initialize", Transport::Stdio),
        cold("cold-http", "cold start, HTTP, initialize", STATEFUL),
    ]
}

fn large() -> Vec<Row> {
    super::large::rows(|transport| {
        let flags = [super::large::flags(transport), &["--async", "--plain"]].concat();
        let of = |name, role, of, file| server(name, role, of, file, transport, &flags);
        vec![
            of("mcpbolt", Role::Ours, "mcpbolt", "server_mcpbolt"),
            of("mcp 2.3", Role::Peer, "mcp2", "server_mcp2"),
            super::large::rmcp(transport),
        ]
    })
}
