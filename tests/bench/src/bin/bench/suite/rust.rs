//! The rows of Rust: our servers and clients against rmcp's and the floor.
//!
//! Owns: these rows and what ours must reach. Must not know: how loads are made.

use mcpbolt_bench::long::Way;
use mcpbolt_bench::payload::Era;

use super::{
    Bound, Metric, Role, Row, STATEFUL, STATELESS, Suite, Transport, Work, clients, one_by_one, row, servers,
    serving,
};

// Why targets are missed, in the words of the report.

const EVENTS: &str = "each of the 16 sessions keeps its last 1,000 events, answers too, for clients that come back with Last-Event-ID; rmcp keeps a few.";
const COLD: &str = "from start to end ours spends 0.92 million instructions outside the kernel, rmcp 0.88, the floor 0.52 (callgrind). The rest is the kernel's, which maps a program of 18 MB beside one of 7.";
const PAGES: &str = "the kernel has more than half of the time: it hands out the pages of buffers that are given back after each message (perf). Peak memory is 63 MB for that, rmcp's 175.";
const RAILS: &str = "a call on stdio takes 2.2 µs of the processor without them. Two buckets, a deadline, an access decision, a line of audit as JSON and a look at its text take 3.8 more.";
const PROGRAM: &str = "our program is larger, 18 MB beside 7, for guard rails, tasks, schemas and clients: at rest it takes 1.4 to 2.5 MB more (the idle rows of the suite `scale`).";

pub(super) fn suite() -> Suite {
    let mut rows = loads();
    rows.extend(one_by_one(40.0, |transport| servers(transport, &[], true)));
    rows.extend(client_rows());
    rows.extend(singles());
    rows.extend(guard_rails());
    Suite {
        name: "rust",
        title: "Rust: mcpbolt against rmcp 3.11.0 and against the least code that answers",
        notes: &[
            "Both sides are built in one workspace with one profile (thin LTO, one codegen unit) and use tokio's default multi-threaded runtime where they need one.",
            "rmcp serves stdio with `stdio_pipes()`, the faster of its two, and HTTP on axum with `TCP_NODELAY` set on accepted sockets, which it does not do itself. Its client may have 64 POSTs under way.",
            "Each side answers HTTP in the form it prefers: in sessions rmcp always opens an event stream; ours writes one JSON document, because the client names that first. A row of its own forces event streams on both.",
            "The floor is a loop over stdin without registry, sessions or checks, and bare hyper on one thread. It shows what the load generator can measure at all. It knows no sessions.",
            "Guard rails: our server with two rates, a deadline, a cap on calls, an access decision, an audit written as JSON and a look at each block that leaves, against the same with nothing that can be turned off.",
        ],
        warm_up: None,
        rows,
    }
}

fn loads() -> Vec<Row> {
    use Bound::{AtLeast, AtMost};
    let stdio = |id, title, era| {
        row(id, title, Work::Calls, era, Transport::Stdio)
            .by(servers(Transport::Stdio, &[], true))
            .goal(Metric::Rate, AtLeast(3.0))
            .goal(Metric::Memory, AtMost(1.0))
    };
    let http = |id, title, era, transport, flags| {
        row(id, title, Work::Calls, era, transport)
            .by(servers(transport, flags, true))
            .goal(Metric::Rate, AtLeast(3.0))
            .goal(Metric::Memory, AtMost(1.0))
    };
    vec![
        stdio("stdio-legacy", "stdio, 2025-11-25, 64 in flight", Era::Legacy).why(
            "the load needs a processor for itself and has no more to give: of the other one ours takes 2.3 µs a call, its looks for the next message among them, and rmcp, which also takes some of the load's, 9.2. Outside the kernel ours spends about 20,000 instructions on a call, rmcp 69,000, the floor 4,000 (callgrind).",
        ),
        stdio("stdio-modern", "stdio, 2026-07-28, 64 in flight", Era::Modern).why(
            "the load needs a processor for itself and has no more to give: of the other one ours takes 2.9 µs a call, its looks for the next message among them, and rmcp, which also takes some of the load's, 12.0. Outside the kernel ours spends about 28,000 instructions on a call, rmcp 88,000, the floor 6,000 (callgrind).",
        )
        .why_memory(PROGRAM),
        http("http-sessions", "HTTP, 2025-11-25, sessions", Era::Legacy, STATEFUL, &[][..]).why(
            "the load runs on the same two processors, and it and the kernel cost the same for both. Outside the kernel ours spends about 46,000 instructions on a call, rmcp 145,000 (callgrind).",
        ),
        http("http-sse", "HTTP, 2025-11-25, sessions, event streams", Era::Legacy, STATEFUL, &["--sse"][..])
            .why(EVENTS)
            .why_memory(EVENTS),
        http("http-stateless", "HTTP, 2025-11-25, stateless", Era::Legacy, STATELESS, &["--stateless"][..])
            .why(
                "three times rmcp's rate is more than the floor reaches under this load. Outside the kernel ours spends about 48,000 instructions on a call, rmcp 131,000, the floor 17,000 (callgrind).",
            )
            .why_memory(PROGRAM),
        http("http-modern", "HTTP, 2026-07-28", Era::Modern, STATELESS, &["--stateless"][..]).why(
            "outside the kernel ours spends about 58,000 instructions on a call, rmcp 189,000, the floor 22,000 (callgrind); the kernel's part and the load's are the same for all, and three times rmcp's rate is what the floor reaches.",
        )
        .why_memory(PROGRAM),
    ]
}

fn client_rows() -> Vec<Row> {
    let client = |id, title, era, transport| {
        row(id, title, Work::Client, era, transport)
            .by(clients(transport, era))
            .goal(Metric::Rate, Bound::AtLeast(2.0))
    };
    vec![
        client(
            "client-stdio-legacy",
            "client, stdio, 2025-11-25, 64 in flight",
            Era::Legacy,
            Transport::Stdio,
        )
        .why(
            "client and server share two processors, and the server's part is the same for both. Outside the kernel ours spends about 28,000 instructions on a call, rmcp's 78,000 (callgrind).",
        ),
        client(
            "client-stdio-modern",
            "client, stdio, 2026-07-28, 64 in flight",
            Era::Modern,
            Transport::Stdio,
        ),
        client("client-http-legacy", "client, HTTP, 2025-11-25, 64 in flight", Era::Legacy, STATEFUL),
        client("client-http-modern", "client, HTTP, 2026-07-28, 64 in flight", Era::Modern, STATELESS),
    ]
}

/// Ours with everything on, against ours with everything off.
fn guard_rails() -> Vec<Row> {
    let rails = |id, title, era, transport, flags: &[&str]| {
        let ours = |name, role, guard| {
            let flags = [flags, &["--guard-rails", guard]].concat();
            serving(name, role, vec!["{bin}/mcpbolt-server".to_owned()], transport, &flags)
        };
        row(id, title, Work::Calls, era, transport)
            .by(vec![ours("all on", Role::Ours, "on"), ours("all off", Role::Peer, "off")])
            .goal(Metric::Rate, Bound::AtLeast(0.5))
            .why(RAILS)
    };
    vec![
        rails("rails-stdio", "guard rails on and off, stdio, 2025-11-25", Era::Legacy, Transport::Stdio, &[]),
        rails(
            "rails-http",
            "guard rails on and off, HTTP, 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--stateless"],
        ),
    ]
}

fn singles() -> Vec<Row> {
    use Bound::{AtLeast, AtMost, Below};
    const LIST: Work = Work::List(499);
    const LONG: Work = Work::Long(Way::ThereAndBack, 10 << 20);
    let many = &["--tools", "499"][..];
    let list = |id, title, transport| {
        row(id, title, LIST, Era::Legacy, transport)
            .by(servers(transport, many, false))
            .goal(Metric::P50, Below(1000.0))
    };
    let long = |id, title, era, transport, flags| {
        row(id, title, LONG, era, transport)
            .by(servers(transport, flags, true))
            .goal(Metric::Bytes, AtLeast(1.0))
            .why(PAGES)
    };
    let cold = |id, title, era, transport| {
        row(id, title, Work::ColdStart, era, transport)
            .by(servers(transport, &[], true))
            .goal(Metric::Start, AtMost(1.0))
    };
    vec![
        list("list-stdio", "tools/list of 500 tools, stdio", Transport::Stdio),
        list("list-http", "tools/list of 500 tools, HTTP, sessions", STATEFUL),
        long("long-stdio", "10 MiB there and back, stdio", Era::Legacy, Transport::Stdio, &[][..]),
        long(
            "long-http",
            "10 MiB there and back, HTTP 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--stateless"][..],
        ),
        cold("cold-stdio-legacy", "cold start, stdio, initialize", Era::Legacy, Transport::Stdio).why(COLD),
        cold("cold-stdio-modern", "cold start, stdio, server/discover", Era::Modern, Transport::Stdio)
            .why(COLD),
        cold("cold-http", "cold start, HTTP, initialize", Era::Legacy, STATEFUL),
    ]
}
