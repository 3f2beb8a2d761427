//! The rows whose instructions are counted.
//!
//! Owns: which these are, and how many calls they need. Those of suites are the suites' own.

use mcpbolt_bench::long::Way;

use super::{Row, Suite, Work, large};
use crate::count::Calls;

/// Small results in both eras on both transports, and results of 64 KiB.
const ROWS: &[&str] = &[
    "stdio-legacy",
    "stdio-async",
    "stdio-modern",
    "http-sessions",
    "http-sse",
    "http-stateless",
    "http-modern",
    "out-64k-stdio",
    "out-64k-http",
];

/// Leaves these in a suite; the calls they need.
pub fn only_counted(suite: &mut Suite) -> Calls {
    if suite.name == "rust" {
        suite.rows.extend(long_results());
    }
    suite.rows.retain(|row| ROWS.contains(&row.id));
    match suite.name {
        // Until V8 has compiled what it will.
        "node" => Calls { before: 3000, counted: 1000 },
        "python" => Calls { before: 300, counted: 500 },
        _ => Calls { before: 100, counted: 200 },
    }
}

/// As the other languages have them; Rust is measured with 10 MiB.
fn long_results() -> Vec<Row> {
    let mut rows = large::rows(|transport| super::servers(transport, large::flags(transport), false));
    rows.retain(|row| matches!(row.work, Work::Long(Way::Back, _)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_small_and_large_results_on_both_transports() {
        for (name, rows) in [("rust", 8), ("python", 6), ("node", 7)] {
            let mut suite = super::super::find(name).expect("a suite");
            only_counted(&mut suite);
            assert_eq!(suite.rows.len(), rows, "{name}");
        }
    }
}
