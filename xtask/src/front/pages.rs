//! Which page shows which figures, and in which words.
//!
//! A page marks the place: what stands between `<!-- figures: NAME -->` and
//! `<!-- end of figures -->` is written anew, the rest is left alone.

use super::figures::Bench;
use std::fmt::Write as _;

/// A page, and the language it is in.
pub(super) struct Page {
    pub(super) path: &'static str,
    chinese: bool,
}

pub(super) const PAGES: &[Page] = &[
    Page { path: "README.md", chinese: false },
    Page { path: "README.zh-CN.md", chinese: true },
    Page { path: "bindings-python/README.md", chinese: false },
    Page { path: "bindings-node/README.md", chinese: false },
    Page { path: "docs/conformance.md", chinese: false },
];

const START: &str = "<!-- figures: ";
const END: &str = "<!-- end of figures -->";

/// A row of the table: its words in English and Chinese, the measure, and the rows of
/// `docs/bench.md` for Python, Node, Rust and Kotlin.
struct Row {
    english: &'static str,
    chinese: &'static str,
    measure: &'static str,
    rows: [Option<&'static str>; 4],
}

const SUITES: [&str; 4] = ["python", "node", "rust", "kotlin"];

const ROWS: &[Row] = &[
    Row {
        english: "server, stdio, 2026-07-28",
        chinese: "服务器，stdio，2026-07-28",
        measure: "calls/s",
        rows: [
            Some("stdio, 2026-07-28, async def"),
            Some("stdio, 2026-07-28"),
            Some("stdio, 2026-07-28, 64 in flight"),
            None,
        ],
    },
    Row {
        english: "server, HTTP, 2026-07-28",
        chinese: "服务器，HTTP，2026-07-28",
        measure: "calls/s",
        rows: [Some("HTTP, 2026-07-28"), Some("HTTP, 2026-07-28"), Some("HTTP, 2026-07-28"), None],
    },
    Row {
        english: "server, HTTP, sessions of 2025-11-25",
        chinese: "服务器，HTTP，2025-11-25 会话",
        measure: "calls/s",
        rows: [Some("HTTP, 2025-11-25, sessions"); 4],
    },
    Row {
        english: "client, HTTP, 2025-11-25",
        chinese: "客户端，HTTP，2025-11-25",
        measure: "calls/s",
        rows: [
            Some("client, HTTP, 2025-11-25"),
            Some("client, HTTP, 2025-11-25"),
            Some("client, HTTP, 2025-11-25, 64 in flight"),
            Some("client, HTTP, 2025-11-25"),
        ],
    },
    Row {
        english: "throughput with messages of 10 MiB, stdio, as a multiple of `rmcp`",
        chinese: "10 MiB 的消息，stdio，每秒字节数（与 `rmcp` 相比）",
        measure: "MB/s",
        rows: [
            Some("10 MiB there and back, stdio"),
            Some("10 MiB there and back, stdio"),
            Some("10 MiB there and back, stdio"),
            None,
        ],
    },
    Row {
        english: "time from start to first answer, HTTP (less is better)",
        chinese: "从启动到首个应答的时间，HTTP（越小越好）",
        measure: "start ms",
        rows: [Some("cold start, HTTP, initialize"); 4],
    },
];

/// The page with its figures as they are now.
pub(super) fn fill(page: &Page, text: &str, bench: &Bench, legs: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(START) {
        let (before, from) = rest.split_at(at);
        let (marker, after) = from.split_once('\n').ok_or_else(|| unclosed(page, from))?;
        let name = marker[START.len()..].trim_end_matches("-->").trim();
        let (_, after) = after.split_once(END).ok_or_else(|| unclosed(page, name))?;
        let block = block(name, page.chinese, bench, legs)?;
        let _ = write!(out, "{before}{marker}\n{block}{END}");
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn unclosed(page: &Page, name: &str) -> String {
    format!("{}: the figures {name} have no {END}", page.path)
}

fn block(name: &str, chinese: bool, bench: &Bench, legs: &str) -> Result<String, String> {
    match name {
        "lead" => lead(chinese, bench),
        "python" => sentence(PYTHON, bench),
        "node" => sentence(NODE, bench),
        "table" => table(chinese, bench),
        "server checks" => checks(legs, "serverLegs"),
        "client checks" => checks(legs, "clientLegs"),
        "authorization checks" => checks(legs, "authorizationLegs"),
        other => Err(format!("there are no figures called {other}")),
    }
}

/// The first sentence of the front page.
fn lead(chinese: bool, bench: &Bench) -> Result<String, String> {
    let calls = |suite, row| bench.get(suite, row, "calls/s").map(super::figures::Figure::digits);
    let python = (calls("python", "HTTP, 2026-07-28")?, calls("python", "stdio, 2026-07-28, async def")?);
    let node = (calls("node", "stdio, 2026-07-28")?, calls("node", "HTTP, 2026-07-28")?);
    Ok(if chinese {
        format!(
            "**一套 Rust 引擎，藏在你已经会用的 [MCP](https://modelcontextprotocol.io) API 之下：只改一行 import，甚至一行不改，\
             Python 服务器每秒应答的调用就是官方包的 {} 倍（HTTP，2026-07-28）到 {} 倍（stdio），Node 是 {} 倍（stdio）到 {} 倍（HTTP）。**\n",
            python.0, python.1, node.0, node.1
        )
    } else {
        format!(
            "**One Rust engine for the [Model Context Protocol](https://modelcontextprotocol.io), under the API you \
             already know: change one import, or none, and your Python server answers {} times (HTTP, 2026-07-28) to {} \
             times (stdio) the calls of the official package, your Node server {} times (stdio) to {} times (HTTP).**\n",
            python.0, python.1, node.0, node.1
        )
    })
}

/// The sentence of a package's own page: whom it is compared with, then rows of calls and their
/// words.
type Sentence = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PYTHON: Sentence = (
    "python",
    "the official package 2.3",
    &[
        ("HTTP, 2026-07-28", "the calls a second of a server over HTTP (2026-07-28)"),
        ("stdio, 2026-07-28, async def", "on stdio"),
        ("client, HTTP, 2025-11-25", "of a client over HTTP"),
    ],
);

const NODE: Sentence = (
    "node",
    "the official packages",
    &[
        ("HTTP, 2026-07-28", "the calls a second of a server over HTTP (2026-07-28)"),
        ("HTTP, 2025-11-25, sessions", "with sessions"),
        ("stdio, 2026-07-28", "on stdio"),
        ("client, HTTP, 2025-11-25", "of a client over HTTP"),
    ],
);

fn sentence((suite, rivals, rows): Sentence, bench: &Bench) -> Result<String, String> {
    let mut out = format!("Against {rivals}:");
    for (row, words) in rows {
        let _ = write!(out, " {} times {words},", bench.get(suite, row, "calls/s")?.digits());
    }
    let large = bench.get(suite, "10 MiB there and back, stdio", "MB/s")?.digits();
    let start = bench.get(suite, "cold start, HTTP, initialize", "start ms")?.digits();
    let _ = writeln!(
        out,
        " {start} of the time from start to first answer; with messages of 10 MiB on stdio {large} times the bytes a \
         second of `rmcp`, the official package in Rust. Each figure has its row in the \
         [benchmark](https://github.com/mcpbolt/mcpbolt/blob/main/docs/bench.md)."
    );
    Ok(out)
}

fn table(chinese: bool, bench: &Bench) -> Result<String, String> {
    let head = if chinese { "官方包的倍数" } else { "times the official package" };
    let mut out = format!("| {head} | Python | Node | Rust | Kotlin |\n|---|--:|--:|--:|--:|\n");
    for row in ROWS {
        let _ = write!(out, "| {} |", if chinese { row.chinese } else { row.english });
        for (suite, name) in SUITES.iter().zip(row.rows) {
            let cell = match name {
                Some(name) => bench.get(suite, name, row.measure)?.times(),
                None => "–".to_owned(),
            };
            let _ = write!(out, " {cell} |");
        }
        out.push('\n');
    }
    Ok(out)
}

/// The legs of one side, with what they pass.
fn checks(legs: &str, side: &str) -> Result<String, String> {
    let missing = || format!("{} has no {side}", super::LEGS);
    let (_, list) = legs.split_once(&format!("export const {side} = [")).ok_or_else(missing)?;
    let (list, _) = list.split_once("];").ok_or_else(missing)?;
    let mut out = "| suite | checks passed | failures | warnings |\n|---|--:|--:|--:|\n".to_owned();
    let mut sum = 0_u32;
    for line in list.lines().filter(|line| line.contains("name:")) {
        let name = line.split('\'').nth(1).ok_or_else(missing)?;
        let most = line.split("most: ").nth(1).and_then(|rest| rest.split([' ', ',']).next());
        let most: u32 = most.and_then(|digits| digits.parse().ok()).ok_or_else(missing)?;
        sum += most;
        let _ = writeln!(out, "| {name} | {most} | 0 | 0 |");
    }
    let _ = writeln!(out, "| together | {sum} | 0 | 0 |");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGS: &str = "export const serverLegs = [\n  { name: 'a', suite: 's', most: 4 },\n  { name: 'b', suite: 's', revision: 'r', most: 3 },\n];";

    #[test]
    fn what_stands_between_the_marks_is_written_anew() {
        let bench = Bench::read("").unwrap();
        let page = Page { path: "p.md", chinese: false };
        let text = "one\n<!-- figures: server checks -->\nold\n<!-- end of figures -->\ntwo\n";
        let filled = fill(&page, text, &bench, LEGS).unwrap();
        assert!(filled.starts_with("one\n<!-- figures: server checks -->\n| suite |"), "{filled}");
        assert!(filled.ends_with("| together | 7 | 0 | 0 |\n<!-- end of figures -->\ntwo\n"), "{filled}");
        assert_eq!(fill(&page, &filled, &bench, LEGS).unwrap(), filled);
    }

    #[test]
    fn figures_that_are_not_there_are_named() {
        let bench = Bench::read("").unwrap();
        let page = Page { path: "p.md", chinese: false };
        let fault = |text: &str| fill(&page, text, &bench, LEGS).unwrap_err();
        assert!(
            fault("<!-- figures: table -->\n<!-- end of figures -->").contains("docs/bench.md has no row")
        );
        assert!(fault("<!-- figures: none -->\n<!-- end of figures -->").contains("called none"));
        assert!(fault("<!-- figures: table -->\n").contains("p.md"));
    }
}
