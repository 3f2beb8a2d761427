//! Tests wait for events or turn a virtual clock; they never sleep.

use super::{Finding, Tree};
use crate::tree::File;

/// Calls that wait for time to pass.
const RUST: &[&str] = &["sleep", "sleep_ms", "sleep_until", "park_timeout"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, source) in tree.rust().filter(|(file, _)| !is_program(file)) {
        let calls = source.tokens.iter().filter(|t| t.in_test && !t.paused && t.before_group);
        for token in calls.filter(|t| RUST.contains(&t.text.as_str())) {
            findings.push(Finding::new(
                &file.path,
                token.line,
                "a test sleeps: wait for an event, or pause the clock",
            ));
        }
    }
    let others = tree.files.iter().filter(|file| file.is_code() && !file.is_rust() && file.is_test());
    for file in others.filter(|file| !is_program(file)) {
        for (index, _) in file.text.lines().enumerate().filter(|(_, line)| sleeps(line)) {
            findings.push(Finding::new(&file.path, index + 1, "a test sleeps: wait for an event"));
        }
    }
    findings
}

/// A program the tests start is no test: the conformance runner polls for a port, as the attacks
/// do, and a peer or something attacked has a tool that takes its time.
fn is_program(file: &File) -> bool {
    const PROGRAMS: [&str; 6] = [
        "tests/conformance/program.mjs",
        "bindings-node/tests/support/official-server.mjs",
        "tests/attacks/peers.py",
        "tests/attacks/programs/",
        "tests/attacks/src/",
        "tests/fleet/",
    ];
    PROGRAMS.iter().any(|program| file.path.starts_with(program))
}

/// Python, JavaScript, Kotlin and Swift; yielding with zero is no sleep.
fn sleeps(line: &str) -> bool {
    let line = line.replace(".sleep(0)", "");
    // Its `setImmediate` yields.
    if line.contains("timers/promises") {
        return line.contains("setTimeout");
    }
    [
        "time.sleep(",
        "asyncio.sleep(",
        "anyio.sleep(",
        "Thread.sleep(",
        "Task.sleep(",
        "setTimeout(resolve",
        "setTimeout(r,",
        "setTimeout(done",
    ]
    .iter()
    .any(|call| line.contains(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of_one(path, text)).len()
    }

    #[test]
    fn sleeping_tests_are_found() {
        assert_eq!(found("core/src/a.rs", "#[test] fn f() { std::thread::sleep(d) }"), 1);
        assert_eq!(found("core/tests/a.rs", "use tokio::time::sleep; async fn f() { sleep(d).await }"), 1);
        assert_eq!(found("bindings-python/tests/test_a.py", "await asyncio.sleep(1)"), 1);
        assert_eq!(found("bindings-node/tests/a.test.mjs", "new Promise((r) => setTimeout(r, 5))"), 1);
    }

    #[test]
    fn code_paused_clocks_and_yields_are_not() {
        assert_eq!(found("core/src/a.rs", "async fn f() { sleep(d).await }"), 0);
        assert_eq!(
            found("core/src/a.rs", "#[tokio::test(start_paused = true)] async fn f() { sleep(d).await }"),
            0
        );
        assert_eq!(found("bindings-python/tests/test_a.py", "await asyncio.sleep(0)"), 0);
        let imported = |name: &str| format!("import {{ {name} }} from 'node:timers/promises'");
        assert_eq!(found("bindings-node/tests/a.test.mjs", &imported("setImmediate")), 0);
        assert_eq!(found("bindings-node/tests/a.test.mjs", &imported("setTimeout")), 1);
    }
}
