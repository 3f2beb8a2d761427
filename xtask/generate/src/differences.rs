//! The page of what differs from the official packages.
//!
//! Owns: the page, and that its rows and the tests agree: each row of `tests/differences.json`
//! is named where it shows, by `differs: ID` in a comment, and each such comment has its row.
//! Must not know: which differences there are. They come from the rows, from the lists of the
//! official tests that fail, from what is still to come, and from the documentation of
//! `mcpbolt.compat`.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const ROWS: &str = "tests/differences.json";
const TO_COME: &str = "bindings-node/tests/to-come.json";
const LISTS: &str = "tests/interop/compat";
const COMPAT: &str = "bindings-python/python/mcpbolt/compat/__init__.py";
/// Where differences show.
const PLACES: [&str; 5] =
    ["bindings-node/tests", "bindings-node/ts", "bindings-python/tests", "tests/interop", "tests/typing"];
const MARK: &str = "differs: ";

/// The releases that are compared with, in the order of the page, and how to go back.
const LINES: [(&str, &str); 4] = [
    ("Python 1.30", PYTHON_BACK),
    ("Python 2.3", PYTHON_BACK),
    (
        "TypeScript 1.32",
        "Name `@modelcontextprotocol/sdk` itself in `package.json`, in place of the alias or the `overrides`.",
    ),
    (
        "TypeScript 2.4",
        "Name `@modelcontextprotocol/server` and so on themselves in `package.json`, in place of `npm:@mcpbolt/server`.",
    ),
];
const PYTHON_BACK: &str = "Run without `-m mcpbolt.compat`, or without `mcpbolt.compat.install()`: `import mcp` is the \
    official package again, if it is installed.";

/// A difference that a test shows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    line: String,
    what: String,
    why: String,
    switch: String,
}

/// Names that are to come: part, module, kind, names.
type ToCome = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>;

/// The page.
pub(crate) fn page() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows: Vec<Row> = parsed(&root, ROWS)?;
    let shown = shown(&root)?;
    agree(&rows, &shown)?;
    let lists = lists(&root)?;
    let mut out = String::from(HEAD);
    for (line, back) in LINES {
        let _ = writeln!(out, "\n## {line}\n\nTo go back: {back}\n");
        if line.starts_with("Python") {
            python(&mut out, &root, line, &lists)?;
        }
        table(&mut out, rows.iter().filter(|row| row.line == line), &shown);
        if line == "TypeScript 2.4" {
            to_come(&mut out, &parsed(&root, TO_COME)?);
        }
    }
    others(&mut out, &lists);
    Ok(out)
}

const HEAD: &str = "# What differs\n\nWritten by `cargo xtask generate`; do not edit. Every known difference from the \
    official packages, with its reason and with what to do about it. The rows come from `tests/differences.json`, and \
    each is marked in the test that shows it; the lists of tests come from `tests/interop/compat`, where \
    `cargo xtask test interop --full` holds them exactly; the names that are to come from \
    `bindings-node/tests/to-come.json`, which a test compares with the official packages. What none of them names is \
    meant to be the same: please report it if it is not.\n";

fn read(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))
}

fn parsed<T: for<'a> Deserialize<'a>>(root: &Path, path: &str) -> Result<T, String> {
    serde_json::from_str(&read(root, path)?).map_err(|e| format!("{path}: {e}"))
}

/// Every file below a folder, in order.
fn files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let why = |e| format!("{}: {e}", folder.display());
    let mut entries = std::fs::read_dir(folder).map_err(why)?.collect::<Result<Vec<_>, _>>().map_err(why)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let kind = entry.file_type().map_err(why)?;
        if kind.is_dir() && entry.file_name() != "node_modules" && entry.file_name() != "__pycache__" {
            files(&path, found)?;
        } else if kind.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// Where each marked difference shows: the first file that names it.
fn shown(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    for place in PLACES {
        let mut all = Vec::new();
        files(&root.join(place), &mut all)?;
        for path in all {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for (at, _) in text.match_indices(MARK) {
                let id = text[at + MARK.len()..].split(|c: char| !c.is_alphanumeric() && c != '-').next();
                let path = path.strip_prefix(root).unwrap_or(&path).display().to_string();
                found.entry(id.unwrap_or_default().to_owned()).or_insert(path);
            }
        }
    }
    Ok(found)
}

/// That rows and tests name the same differences, and rows a release that is compared with.
fn agree(rows: &[Row], shown: &BTreeMap<String, String>) -> Result<(), String> {
    let known: BTreeSet<_> = rows.iter().map(|row| &row.id).collect();
    if known.len() != rows.len() {
        return Err(format!("{ROWS} has an id twice"));
    }
    if let Some(row) = rows.iter().find(|row| !shown.contains_key(&row.id)) {
        return Err(format!("{ROWS}: no test says `{MARK}{}`: does it still differ?", row.id));
    }
    if let Some((id, path)) = shown.iter().find(|(id, _)| !known.contains(id)) {
        return Err(format!("{path} says `{MARK}{id}`, which has no row in {ROWS}"));
    }
    match rows.iter().find(|row| !LINES.iter().any(|(line, _)| *line == row.line)) {
        Some(row) => Err(format!("{ROWS}: {} has the line {}, which is not compared with", row.id, row.line)),
        None => Ok(()),
    }
}

fn table<'a>(out: &mut String, rows: impl Iterator<Item = &'a Row>, shown: &BTreeMap<String, String>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    out.push_str("\n| what | why | what to do | shown by |\n|---|---|---|---|\n");
    for Row { id, what, why, switch, .. } in rows {
        let path = &shown[id];
        let name = path.rsplit('/').next().unwrap_or(path);
        let switch = if switch.is_empty() { "–" } else { switch };
        let _ = writeln!(out, "| {what} | {why} | {switch} | [{name}](../{path}) |");
    }
}

/// A list of tests of others that fail: its path, what it says of itself, reasons with their tests.
struct List {
    path: String,
    title: String,
    reasons: Vec<(String, usize)>,
}

fn lists(root: &Path) -> Result<Vec<List>, String> {
    let mut all = Vec::new();
    files(&root.join(LISTS), &mut all)?;
    let names = all.iter().filter_map(|path| path.file_name()?.to_str());
    let names = names.filter(|name| name.contains("-known"));
    names.map(|name| list(root, &format!("{LISTS}/{name}"))).collect()
}

fn list(root: &Path, path: &str) -> Result<List, String> {
    let text = read(root, path)?;
    // Of the form `# Tests of the official package, 1.30.0, that fail on mcpbolt.compat, …`.
    let first = text.lines().next().unwrap_or_default();
    let title = first.strip_prefix("# Tests of ").and_then(|rest| rest.split(", that fail").next());
    let title = title.ok_or_else(|| format!("{path}: the first line does not say whose tests these are"))?;
    let mut reasons: Vec<(String, usize)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match (line.strip_prefix("## "), reasons.last_mut()) {
            (Some(reason), _) => reasons.push((reason.trim_start_matches("? ").to_owned(), 0)),
            (None, Some((_, count))) => *count += 1,
            (None, None) => return Err(format!("{path}: {line} stands under no reason")),
        }
    }
    Ok(List { path: path.to_owned(), title: title.to_owned(), reasons })
}

/// What the documentation of the alias says, and the official package's own tests.
fn python(out: &mut String, root: &Path, line: &str, lists: &[List]) -> Result<(), String> {
    let version = line.trim_start_matches("Python ");
    if version.starts_with("1.") {
        let text = read(root, COMPAT)?;
        let start = text.find("Some differences stay under either name. ");
        let words = start.and_then(|start| text[start..].split("\n\n").next());
        let words = words.ok_or_else(|| format!("{COMPAT} does not say which differences stay"))?;
        let _ = writeln!(out, "{}\n", words.replace('\n', " "));
        out.push_str(
            "With `fixes=True` known defects of the official package are fixed under its name too.\n",
        );
    }
    let own = lists.iter().find(|list| is_official(list) && list.title.contains(version));
    reasons(
        out,
        own.ok_or_else(|| format!("{LISTS} has no list of the official tests of {version} that fail"))?,
    );
    Ok(())
}

fn is_official(list: &List) -> bool {
    list.title.starts_with("the official package")
}

fn reasons(out: &mut String, list: &List) {
    let List { path, title, reasons } = list;
    let _ = writeln!(out, "\nOf the tests of {title}, these fail ([each by name](../{path})):\n");
    out.push_str("| reason | entries |\n|---|--:|\n");
    for (reason, count) in reasons {
        let _ = writeln!(out, "| {} | {count} |", reason.replace('|', "\\|"));
    }
}

/// Packages that stand on the official ones.
fn others(out: &mut String, lists: &[List]) {
    let mut lists = lists.iter().filter(|list| !is_official(list)).peekable();
    if lists.peek().is_some() {
        out.push_str("\n## Packages on the official ones\n");
        lists.for_each(|list| reasons(out, list));
    }
}

fn to_come(out: &mut String, parts: &ToCome) {
    if parts.is_empty() {
        return;
    }
    out.push_str(
        "\nThese names can be imported and say that they are to come when they are used. Until then, take them from \
         the official package.\n\n| module | comes with | names |\n|---|---|---|\n",
    );
    for (part, modules) in parts {
        for (module, kinds) in modules {
            let mut names: Vec<_> = kinds.values().flatten().map(|name| format!("`{name}`")).collect();
            names.sort();
            let _ = writeln!(out, "| `{module}` | {part} | {} |", names.join(", "));
        }
    }
}
