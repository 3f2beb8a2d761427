//! The table of what works, on the front page, agrees with what is here.
//!
//! Owns: what proves each cell, and the words that say yes and no. A cell that says yes
//! needs its proof; one that says no may not stand beside it.

use super::{Finding, Tree};
use crate::test;

const PAGE: &str = "README.md";
/// The same table in another language, row by row.
const TRANSLATED: &str = "README.zh-CN.md";
const MARK: &str = "<!-- matrix -->";
const COLUMNS: [&str; 5] = ["Python", "TypeScript", "Rust", "Kotlin", "Swift"];
/// How a cell begins that says no. All others say yes, or how much of it.
const NO: &[&str] = &["–", "not ", "planned", "in progress", "尚无", "未", "计划", "进行中", "否"];

/// What shows that something is there.
#[derive(Clone, Copy)]
enum Proof {
    /// Nothing could, so far.
    None,
    /// A part of `cargo xtask test`.
    Part(&'static str),
    /// A file of tests, or of what is tested elsewhere.
    File(&'static str),
    /// Any file whose path begins so.
    Begins(&'static str),
    /// A feature of the crate in Rust.
    Feature(&'static str),
    /// A file that has this text.
    Says(&'static str, &'static str),
}

use Proof::{Begins, Feature, File, None as Nothing, Part, Says};

/// The clients that sign in at authorization servers of others.
const SIGNING_IN: &str = "tests/auth/clients.mjs";

/// A row: what stands in its first cell, and the proof of each column.
type Fact = (&'static str, [Proof; 5]);

const FACTS: &[Fact] = &[
    (
        "five revisions, servers and clients, stdio and HTTP",
        [
            File("bindings-python/tests/test_vectors.py"),
            File("bindings-node/tests/vectors-server.test.mjs"),
            Feature("http-server"),
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/VectorTest.kt"),
            File("bindings-uniffi/swift/Tests/Vectors.swift"),
        ],
    ),
    (
        "official conformance suites, no failure or warning",
        [
            Part("conformance-python"),
            Part("conformance-node"),
            Part("conformance-server"),
            Part("conformance-kotlin"),
            Part("conformance-swift"),
        ],
    ),
    (
        "code for the official 1.x package runs",
        [
            File("bindings-python/tests/test_compat.py"),
            File("bindings-node/tests/types-program.test.mjs"),
            Nothing,
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/ProgramTest.kt"),
            File("bindings-uniffi/swift/Tests/official.swift.txt"),
        ],
    ),
    (
        "code for the official 2.x packages runs",
        [
            File("bindings-python/tests/test_names_of_2_official.py"),
            File("bindings-node/tests/v2-names.test.mjs"),
            Nothing,
            Nothing,
            Nothing,
        ],
    ),
    (
        "inside a web server of yours",
        [
            File("bindings-python/tests/test_asgi_app.py"),
            File("bindings-node/tests/http-frameworks.test.mjs"),
            Says("core/tests/http_server/tls.rs", "tower_service"),
            File("bindings-uniffi/kotlin/src/ktor-test/dev/mcpbolt/KtorServerTest.kt"),
            Nothing,
        ],
    ),
    (
        "sessions on several nodes, over Redis or Valkey",
        [
            File("tests/fleet/programs/node.py"),
            File("tests/fleet/programs/node.mjs"),
            Feature("redis"),
            Nothing,
            Nothing,
        ],
    ),
    (
        "many servers from an `mcpServers` file",
        [
            File("bindings-python/tests/test_host.py"),
            File("examples/node/host.mjs"),
            Says("core/tests/client_memory.rs", "mcpServers"),
            Says("bindings-uniffi/kotlin/src/main/dev/mcpbolt/client/Host.kt", "mcpServers"),
            Says("bindings-uniffi/swift/Tests/Hosts.swift", "mcpServers"),
        ],
    ),
    (
        "sampling, elicitation, roots, progress, subscriptions",
        [
            File("bindings-python/tests/test_rounds.py"),
            File("bindings-node/tests/server-context.test.mjs"),
            File("core/tests/server_rules/asking.rs"),
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/FacadeTest.kt"),
            File("bindings-uniffi/swift/Tests/Facade.swift"),
        ],
    ),
    (
        "tokens checked by a server",
        [
            File("bindings-python/tests/test_auth_official.py"),
            File("bindings-node/tests/auth-server.test.mjs"),
            File("core/tests/http_server/access.rs"),
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/ResourceServerTest.kt"),
            Says("bindings-uniffi/swift/Sources/MCPBolt/server/Server.swift", "withVerifier"),
        ],
    ),
    (
        "OAuth: clients, authorization servers",
        [
            File("bindings-python/tests/test_client_auth_official.py"),
            File("bindings-node/tests/client-auth.test.mjs"),
            Begins("core/src/auth/"),
            Begins("bindings-uniffi/kotlin/src/main/dev/mcpbolt/client/OAuth"),
            Begins("bindings-uniffi/swift/Sources/MCPBolt/client/OAuth"),
        ],
    ),
    (
        "signing in at Keycloak and `oidc-provider`",
        [
            Says(SIGNING_IN, "language: 'python'"),
            Says(SIGNING_IN, "language: 'node'"),
            Says(SIGNING_IN, "language: 'rust'"),
            Says(SIGNING_IN, "language: 'kotlin'"),
            Says(SIGNING_IN, "language: 'swift'"),
        ],
    ),
    (
        "tasks",
        [
            File("bindings-python/tests/test_tasks_modern.py"),
            File("bindings-node/tests/tasks-modern.test.mjs"),
            Begins("core/src/server/task"),
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/TasksTest.kt"),
            File("bindings-uniffi/swift/Tests/Tasks.swift"),
        ],
    ),
    (
        "skills, apps",
        [
            File("bindings-python/tests/test_skills.py"),
            File("bindings-node/tests/v2-skills.test.mjs"),
            Begins("core/src/server/skills/"),
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/SkillsTest.kt"),
            File("bindings-uniffi/swift/Tests/Skills.swift"),
        ],
    ),
    (
        "extensions of your own",
        [
            File("bindings-python/tests/test_extensions.py"),
            File("bindings-node/tests/v2-extensions.test.mjs"),
            File("core/tests/server_rules/extensions.rs"),
            File("bindings-uniffi/kotlin/src/test/dev/mcpbolt/ExtensionsTest.kt"),
            File("bindings-uniffi/swift/Tests/Extensions.swift"),
        ],
    ),
    ("Linux x64", [Part("python"), Part("node"), Part("rust"), Part("kotlin"), Part("swift")]),
    ("macOS, Windows", [Nothing, Nothing, Nothing, Nothing, Nothing]),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(rows) = read(tree, PAGE, &mut findings) else { return findings };
    for (feature, proofs) in FACTS {
        let Some((line, cells)) = rows.iter().find(|(_, cells)| cells[0] == *feature) else {
            findings.push(Finding::new(PAGE, 0, format!("the table has no row {feature:?}")));
            continue;
        };
        for ((column, said), proof) in COLUMNS.iter().zip(&cells[1..]).zip(proofs) {
            findings.extend(wrong(tree, said, *proof).map(|why| {
                let message = format!("{feature}, {column}: {said:?}, but {why}");
                Finding::new(PAGE, *line, message)
            }));
        }
    }
    for (line, cells) in &rows {
        if !FACTS.iter().any(|(feature, _)| cells[0] == *feature) {
            let message = format!("{:?} has no proof in xtask/src/lint/matrix.rs", cells[0]);
            findings.push(Finding::new(PAGE, *line, message));
        }
    }
    translated(tree, &rows, &mut findings);
    findings
}

/// Line number and cells of each row.
type Rows = Vec<(usize, Vec<String>)>;

fn read(tree: &Tree, page: &str, findings: &mut Vec<Finding>) -> Option<Rows> {
    let text = &tree.file(page)?.text;
    let mut lines = text.lines().enumerate().skip_while(|(_, line)| line.trim() != MARK).skip(1);
    let mut rows = Rows::new();
    for (index, line) in lines.by_ref().take_while(|(_, line)| line.starts_with('|')) {
        let cells: Vec<_> =
            line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        rows.push((index + 1, cells));
    }
    let head = rows.first().map(|(_, cells)| cells[1..].iter().map(String::as_str).collect::<Vec<_>>());
    if head.as_deref() != Some(&COLUMNS) {
        let message = format!("want {MARK} and a table of {}", COLUMNS.join(", "));
        findings.push(Finding::new(page, 0, message));
        return None;
    }
    for (line, _) in rows.iter().filter(|(_, cells)| cells.len() != COLUMNS.len() + 1) {
        findings.push(Finding::new(page, *line, "a row with more or fewer cells than the others"));
    }
    rows.retain(|(_, cells)| cells.len() == COLUMNS.len() + 1);
    Some(rows.into_iter().skip(2).collect())
}

/// What speaks against a cell.
fn wrong(tree: &Tree, said: &str, proof: Proof) -> Option<String> {
    let begins = |start: &str| tree.files.iter().any(|file| file.path.starts_with(start));
    let has = |path: &str, text: &str| tree.file(path).is_some_and(|file| file.text.contains(text));
    let (there, what) = match proof {
        Nothing => (false, "a proof".to_owned()),
        Part(name) => (test::names().any(|part| part == name), format!("the part {name}")),
        File(path) => (tree.file(path).is_some(), path.to_owned()),
        Begins(start) => (begins(start), format!("{start}…")),
        Feature(name) => {
            (has("core/Cargo.toml", &format!("\n{name} = [")), format!("the feature {name} of the crate"))
        }
        Says(path, text) => (has(path, text), format!("{text:?} in {path}")),
    };
    match (says_yes(said), there) {
        (true, false) => Some(format!("there is no {}", what.strip_prefix("a ").unwrap_or(&what))),
        (false, true) => Some(format!("there is {what}")),
        _ => None,
    }
}

fn says_yes(cell: &str) -> bool {
    let cell = cell.to_lowercase();
    !cell.is_empty() && cell != "no" && !NO.iter().any(|no| cell.starts_with(no))
}

/// The other language has the same rows and says yes and no in the same cells.
fn translated(tree: &Tree, rows: &Rows, findings: &mut Vec<Finding>) {
    let Some(others) = read(tree, TRANSLATED, findings) else { return };
    if others.len() != rows.len() {
        let message = format!("{} rows, {PAGE} has {}", others.len(), rows.len());
        findings.push(Finding::new(TRANSLATED, 0, message));
        return;
    }
    for ((_, cells), (line, other)) in rows.iter().zip(&others) {
        let differs = |(ours, theirs): (&String, &String)| says_yes(ours) != says_yes(theirs);
        if cells[1..].iter().zip(&other[1..]).any(differs) {
            let message = format!("{:?} says something else than {PAGE}", other[0]);
            findings.push(Finding::new(TRANSLATED, *line, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree;

    /// The page with these rows in place of all others, beside files that prove everything.
    fn messages(rows: &str, more: &[(&str, &str)]) -> Vec<String> {
        let file = |path: &str, text: &str| tree::File { path: path.to_owned(), text: text.to_owned() };
        let table = format!("{MARK}\n| | {} |\n|---|---|---|---|---|---|\n{rows}", COLUMNS.join(" | "));
        let mut files = vec![file(PAGE, &table)];
        files.extend(more.iter().map(|(path, text)| file(path, text)));
        check(&Tree::of(files)).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn yes_needs_its_proof() {
        let row = "| tasks | yes | not yet | not yet | not yet | not yet |\n";
        let missing = "tasks, Python: \"yes\", but there is no bindings-python/tests/test_tasks_modern.py";
        assert!(messages(row, &[]).contains(&missing.to_owned()));
        let there = messages(row, &[("bindings-python/tests/test_tasks_modern.py", "")]);
        assert!(!there.iter().any(|message| message.starts_with("tasks,")), "{there:?}");
    }

    #[test]
    fn no_may_not_stand_beside_a_proof() {
        for no in ["not yet", "planned", "in progress", "–"] {
            let row = format!("| tasks | not yet | {no} | not yet | not yet | not yet |\n");
            let said = messages(&row, &[("bindings-node/tests/tasks-modern.test.mjs", "")]);
            assert!(
                said.contains(&format!(
                    "tasks, TypeScript: {no:?}, but there is bindings-node/tests/tasks-modern.test.mjs"
                )),
                "{said:?}"
            );
        }
    }

    #[test]
    fn rows_are_those_we_have_proofs_for() {
        let said = messages("| teleportation | yes | yes | yes | yes | yes |\n", &[]);
        assert!(said.contains(&"\"teleportation\" has no proof in xtask/src/lint/matrix.rs".to_owned()));
        assert!(said.contains(&"the table has no row \"tasks\"".to_owned()));
    }

    #[test]
    fn a_page_without_the_table_is_found() {
        let tree = Tree::of_one(PAGE, "# mcpbolt\n");
        assert_eq!(check(&tree).len(), 1);
    }

    #[test]
    fn the_translation_says_the_same() {
        let row = "| macOS, Windows | not tested | not tested | not tested | not tested | not tested |\n";
        let other = |cell: &str| {
            let head = format!("{MARK}\n| | {} |\n|---|---|---|---|---|---|\n", COLUMNS.join(" | "));
            let text = format!("{head}| macOS、Windows | {cell} | 未测试 | 未测试 | 未测试 | 未测试 |\n");
            let said = messages(row, &[(TRANSLATED, &text)]);
            said.iter().any(|message| message.ends_with("says something else than README.md"))
        };
        assert!(!other("未测试"));
        assert!(other("已测试"));
    }
}
