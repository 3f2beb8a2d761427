//! The rows of authorization: what a token costs a server.
//!
//! The first rows measure themselves, in one process; in the others our servers of each language
//! answer calls that carry a token, with and without looking at it.

use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATELESS, Suite, Transport, Work, row, serving};

pub(super) fn suite() -> Suite {
    let mut rows = checks();
    rows.extend(loads());
    Suite {
        name: "auth",
        title: "Authorization: what a token costs a server",
        notes: &[
            "In one process: `ResourceServer::verify` for a request with a token, from its header to a principal, against `jsonwebtoken::decode` alone with a key at hand: each measured token is a new one. A token that was seen before is measured in batches of 100.",
            "Over HTTP every request has a token of 900 characters. Ours looks at it, and remembers it as each language does; the same server without does not look. The official packages are shown beside, with the same verifier, a lookup in a table.",
        ],
        warm_up: None,
        rows,
    }
}

fn checks() -> Vec<Row> {
    let check = |name, role, words: &[&str]| {
        let command = [&["{bin}/auth-checks"], words].concat();
        Entrant { name, role, command: command.into_iter().map(str::to_owned).collect() }
    };
    let fresh = |id, title, algorithm| {
        let of = |name, role, by| check(name, role, &["--by", by, "--algorithm", algorithm]);
        row(id, title, Work::Client, Era::Modern, Transport::Stdio)
            .by(vec![of("mcpbolt", Role::Ours, "mcpbolt"), of("library", Role::Peer, "library")])
            .goal(Metric::P50, Bound::AtMost(1.2))
    };
    let seen = row("seen", "a token seen before", Work::Client, Era::Modern, Transport::Stdio)
        .by(vec![
            check("mcpbolt", Role::Ours, &["--by", "mcpbolt", "--seen"]),
            check("library", Role::Peer, &["--by", "library", "--seen"]),
        ])
        .goal(Metric::P50, Bound::Below(2.0));
    vec![
        seen,
        fresh("fresh-es256", "a new token, ES256", "ES256"),
        fresh("fresh-rs256", "a new token, RS256", "RS256"),
    ]
}

fn loads() -> Vec<Row> {
    let node = |file| vec!["node".to_owned(), format!("{{programs}}/node/{file}.mjs")];
    let python =
        |interpreter: &str, file| vec![interpreter.to_owned(), format!("{{programs}}/python/{file}.py")];
    let load =
        |id, title, command: Vec<String>, flags: &[&str], official: Option<(&'static str, Vec<String>)>| {
            let looking = [flags, &["--tokens"]].concat();
            let mut entrants = vec![
                serving("looking", Role::Ours, command.clone(), STATELESS, &looking),
                serving("without", Role::Peer, command, STATELESS, flags),
            ];
            entrants.extend(
                official.map(|(name, command)| serving(name, Role::Shown, command, STATELESS, &looking)),
            );
            Row { token: true, ..row(id, title, Work::Calls, Era::Legacy, STATELESS) }
                .by(entrants)
                .goal(Metric::Rate, Bound::AtLeast(0.9))
        };
    let official_python = Some(("mcp 1.30", python("{mcp1}", "server_mcp1")));
    let official_node = Some(("sdk 1.32", node("server_sdk1")));
    vec![
        load(
            "http-rust",
            "calls with a token, Rust",
            vec!["{bin}/mcpbolt-server".to_owned()],
            &["--stateless"],
            None,
        ),
        load(
            "http-python",
            "calls with a token, Python",
            python("{mcpbolt}", "server_mcpbolt"),
            &["--stateless"],
            official_python,
        ),
        load(
            "http-node",
            "calls with a token, Node, in an Express program",
            node("server_mcpbolt"),
            &["--stateless", "--mount"],
            official_node,
        ),
    ]
}
