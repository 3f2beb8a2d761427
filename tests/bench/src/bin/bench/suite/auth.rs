//! The rows of authorization: a token that is looked at, and a server that wants tokens.
//!
//! The programs in Python and Node are in `tests/bench`; each contestant of the official packages
//! verifies tokens with the library that the package itself depends on.

use jsonwebtoken::Algorithm;
use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATELESS, Suite, Transport, Work, row};

/// What a check of a token that was seen before may take, in µs.
const SEEN: Bound = Bound::Below(2.0);
/// The share of its calls that a server keeps which looks at a token with each.
const KEPT: Bound = Bound::AtLeast(0.9);

pub(super) fn suite() -> Suite {
    let mut rows = checks();
    rows.extend(servers());
    Suite {
        name: "auth",
        title: "Authorization: tokens checked by mcpbolt and by the official packages",
        notes: &[
            "A check is what stands between a request's head and its handler: ours in Rust with the whole of `ResourceServer`; in Python and Node with the middleware of each package around a handler that does nothing.",
            "The official packages leave tokens to the program. Theirs are checked as such programs do: PyJWT in Python, `jose` in Node, with a key that was fetched before. Neither remembers tokens.",
            "`jsonwebtoken` is the library that ours checks signatures with, alone: the same rules of issuer, audience and end, none of scopes and of who it is.",
            "Servers: 16 connections, each request with a token that was seen before, against the same server that wants none; in Python on uvicorn and in Node in Express, where the middleware of the official packages has to stand too.",
        ],
        warm_up: None,
        rows,
    }
}

/// A program that goes through a file of tokens.
fn checker(name: &'static str, role: Role, command: &[&str]) -> Entrant {
    let told = ["--issuer", "{issuer}", "--resource", "{resource}", "--tokens", "{tokens}"];
    Entrant { name, role, command: command.iter().chain(&told).map(|&word| word.to_owned()).collect() }
}

fn checks() -> Vec<Row> {
    let stdio = Transport::Stdio;
    let of =
        |id, title, signature, seen| row(id, title, Work::Tokens { signature, seen }, Era::Modern, stdio);
    let rust = |row: Row| {
        row.by(vec![
            checker("mcpbolt", Role::Ours, &["{bin}/auth-checks"]),
            checker("jsonwebtoken", Role::Peer, &["{bin}/auth-checks", "--library"]),
        ])
    };
    let python = |row: Row| {
        row.by(vec![
            checker("mcpbolt", Role::Ours, &["{mcpbolt}", "{programs}/python/auth_mcpbolt.py"]),
            checker("mcp 2.3", Role::Peer, &["{mcp2}", "{programs}/python/auth_official.py"]),
            checker("mcp 1.30", Role::Shown, &["{mcp1}", "{programs}/python/auth_official.py"]),
        ])
    };
    let node = |row: Row| {
        row.by(vec![
            checker("mcpbolt", Role::Ours, &["node", "{programs}/node/auth_mcpbolt.mjs"]),
            checker("sdk 1.32", Role::Peer, &["node", "{programs}/node/auth_sdk1.mjs"]),
            checker("sdk 2.4", Role::Shown, &["node", "{programs}/node/auth_sdk2.mjs"]),
        ])
    };
    let (es256, rs256) = (Algorithm::ES256, Algorithm::RS256);
    let (library, official) = (Bound::AtMost(1.2), Bound::AtMost(1.0));
    let p50 = Metric::P50;
    vec![
        rust(of("seen-rust", "a token seen before, Rust", es256, true)).goal(p50, SEEN),
        rust(of("es256-rust", "a new ES256 token, Rust", es256, false)).goal(p50, library),
        rust(of("rs256-rust", "a new RS256 token, Rust", rs256, false)).goal(p50, library),
        python(of("seen-python", "a token seen before, Python", es256, true)).goal(p50, official),
        python(of("es256-python", "a new ES256 token, Python", es256, false)).goal(p50, official),
        python(of("rs256-python", "a new RS256 token, Python", rs256, false)).goal(p50, official),
        node(of("seen-node", "a token seen before, Node", es256, true)).goal(p50, official),
        node(of("es256-node", "a new ES256 token, Node", es256, false)).goal(p50, official),
        node(of("rs256-node", "a new RS256 token, Node", rs256, false)).goal(p50, official),
    ]
}

/// A server with and without tokens, and an official one with them.
fn servers() -> Vec<Row> {
    let serving = |name, role, command: &[&str], flags: &[&str]| {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        super::serving(name, role, command, STATELESS, &[&["--stateless"], flags].concat())
    };
    let tokens = ["--issuer", "{issuer}"];
    let mounted = ["--mount", "--issuer", "{issuer}"];
    let served = |id, title, entrants| {
        row(id, title, Work::Calls, Era::Modern, STATELESS).by(entrants).goal(Metric::Rate, KEPT)
    };
    let rust = ["{bin}/mcpbolt-equipped-server"];
    let python = ["{mcpbolt}", "{programs}/python/server_mcpbolt.py"];
    let node = ["node", "{programs}/node/server_mcpbolt.mjs"];
    vec![
        served(
            "http-rust",
            "HTTP with tokens, Rust",
            vec![
                serving("with tokens", Role::Ours, &rust, &tokens),
                serving("without", Role::Peer, &rust, &[]),
            ],
        ),
        served(
            "http-python",
            "HTTP with tokens, Python",
            vec![
                serving("with tokens", Role::Ours, &python, &mounted),
                serving("without", Role::Peer, &python, &["--mount"]),
                serving(
                    "mcp 2.3, with tokens",
                    Role::Shown,
                    &["{mcp2}", "{programs}/python/server_mcp2.py"],
                    &mounted,
                ),
            ],
        ),
        served(
            "http-node",
            "HTTP with tokens, Node",
            vec![
                serving("with tokens", Role::Ours, &node, &mounted),
                serving("without", Role::Peer, &node, &["--mount"]),
                serving(
                    "sdk 2.4, with tokens",
                    Role::Shown,
                    &["node", "{programs}/node/server_sdk2.mjs"],
                    &mounted,
                ),
            ],
        ),
    ]
}
