//! `cargo xtask bench instructions`: what a call costs outside the kernel, counted by callgrind,
//! beside what it may cost.
//!
//! Owns: where valgrind has to be, with which tools budgets are comparable, how much a row may
//! grow, and what is printed of it. Must not know: how the calls are made; the driver does.

use super::budgets::{self, Budgets, Judged, Row, TABLE};
use super::checkout::Checkout;
use crate::report::Outcome;
use crate::{BenchArgs, exec, install, tree};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// How a language is held: its name, how much a row may grow, and what the engine is called there.
pub(crate) struct Held {
    suite: &'static str,
    most: f64,
    engine: &'static str,
}

/// All that are counted. Interpreters are counted with fixed seeds, and still less exactly.
pub(crate) const RUST: Held = Held { suite: "rust", most: 0.03, engine: "mcpbolt-server" };
pub(crate) const PYTHON: Held = Held { suite: "python", most: 0.15, engine: "_mcpbolt.abi3.so" };
pub(crate) const NODE: Held = Held { suite: "node", most: 0.15, engine: "mcpbolt.node" };

/// What a binary of Rust needs of `tests/bench`.
const PROGRAMS: &[&str] = &["bench", "mcpbolt-server"];

/// Counts the languages that are named; false if a row grew too much.
pub(super) fn command(args: &BenchArgs) -> Result<bool, String> {
    let valgrind = valgrind()?;
    let named = |held: &&Held| args.of.iter().any(|name| name == held.suite);
    let all = [&RUST, &PYTHON, &NODE];
    if let Some(name) = args.of.iter().find(|name| all.iter().all(|held| held.suite != name.as_str())) {
        return Err(format!("instructions of {name} are not counted; there are rust, python, node"));
    }
    let wanted: Vec<_> =
        if args.of.is_empty() { vec![&RUST] } else { all.into_iter().filter(named).collect() };
    let bless = std::env::var_os("MCPBOLT_BLESS").is_some_and(|wanted| wanted == "1");
    let mut right = true;
    for held in wanted {
        let rows = count(held, args.only.as_deref())?;
        let (tools, before) = (tools(held, &valgrind)?, Budgets::read(held.suite)?);
        let grown = judge(held, &before, &rows);
        if bless {
            budgets::bless(held.suite, &tools, &rows, args.only.is_none())?;
            println!("bench: wrote {TABLE}");
        } else if comparable(&before.tools, &tools) {
            right &= grown.is_empty();
        } else {
            println!("bench: {}", incomparable(&before.tools, &tools));
        }
    }
    Ok(right)
}

/// One language as a part of the tests.
pub(crate) fn test(held: &Held) -> Result<Outcome, String> {
    let valgrind = match valgrind() {
        Ok(valgrind) => valgrind,
        Err(missing) => return Ok(Outcome::NotRun(missing)),
    };
    let (tools, budgets) = (tools(held, &valgrind)?, Budgets::read(held.suite)?);
    if !comparable(&budgets.tools, &tools) {
        return Ok(Outcome::NotRun(incomparable(&budgets.tools, &tools)));
    }
    let rows = count(held, None)?;
    let grown = judge(held, &budgets, &rows);
    Ok(if grown.is_empty() {
        Outcome::Ok(format!("{} rows of {}", rows.len(), held.suite))
    } else {
        let how =
            format!("if it is worth that, MCPBOLT_BLESS=1 cargo xtask bench instructions {}", held.suite);
        Outcome::Failed(format!("a call costs more: {}; {how}", grown.join(", ")))
    })
}

/// Whether the server in Rust is built of the engine's sources as they are.
pub(crate) fn is_built() -> Result<bool, String> {
    let changed = |path: PathBuf| std::fs::metadata(path).and_then(|about| about.modified()).ok();
    let built = changed(Checkout::this().target.join("release/mcpbolt-server"));
    let sources = tree::names(&exec::root(), &["core/src", "core/proto/src"])?;
    let newest = sources.iter().filter_map(|name| changed(exec::root().join(name))).max();
    Ok(built.is_some() && built >= newest)
}

/// What valgrind says of itself, or how it is had.
pub(super) fn valgrind() -> Result<String, String> {
    let missing = "no valgrind here, which counts instructions: apt-get install valgrind";
    install::found("valgrind").ok_or(missing)?;
    exec::stdout(exec::command("valgrind").arg("--version")).map(|said| said.trim().to_owned())
}

/// What the figures depend on. The first ones decide whether they can be compared.
fn tools(held: &Held, valgrind: &str) -> Result<Value, String> {
    let rustc = exec::stdout(exec::command("rustc").arg("--version"))?;
    let rustc = rustc.split_whitespace().nth(1).unwrap_or_default();
    let libc = exec::stdout(exec::command("getconf").arg("GNU_LIBC_VERSION")).unwrap_or_default();
    let interpreter = match held.suite {
        "python" => exec::stdout(exec::command("python3").arg("--version"))?,
        "node" => exec::stdout(exec::command("node").arg("--version"))?,
        _ => String::new(),
    };
    Ok(json!({
        "rustc": rustc, "machine": std::env::consts::ARCH, "interpreter": interpreter.trim(),
        "libc": libc.trim(), "valgrind": valgrind,
    }))
}

/// Another compiler or interpreter makes other figures; another libc or valgrind hardly.
fn comparable(before: &Value, now: &Value) -> bool {
    ["rustc", "machine", "interpreter"].iter().all(|tool| before[*tool] == now[*tool])
}

fn incomparable(before: &Value, now: &Value) -> String {
    let words = |tools: &Value| {
        let words = ["rustc", "machine", "interpreter"].map(|tool| tools[tool].as_str().unwrap_or_default());
        words.join(" ").trim().to_owned()
    };
    if before.is_null() {
        return format!("{TABLE} has no budgets of it yet: MCPBOLT_BLESS=1 cargo xtask bench instructions");
    }
    format!(
        "{TABLE} was counted with {}, here is {}: cargo xtask bench compare COMMIT compares two commits here",
        words(before),
        words(now)
    )
}

/// Builds what a language needs and has the driver count it.
fn count(held: &Held, only: Option<&str>) -> Result<Vec<Row>, String> {
    let checkout = Checkout::this();
    let programs = checkout.programs(PROGRAMS)?;
    let mut driver = super::ours(&programs, held.suite, &checkout)?;
    if let Some(only) = only {
        driver.args(["--only", only]);
    }
    println!("==> counting {}", held.suite);
    let counted = run(&mut driver, held.suite)?;
    let one = |row: &Value| parse(&row["id"], &row["counts"][0]);
    counted.as_array().into_iter().flatten().map(one).collect()
}

/// Runs the driver so that it counts; what it wrote.
pub(super) fn run(driver: &mut Command, suite: &str) -> Result<Value, String> {
    let file = file(suite);
    if !exec::passes(driver.arg("--instructions").arg(&file))? {
        return Err(format!("the instructions of {suite} could not be counted"));
    }
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

fn file(suite: &str) -> PathBuf {
    exec::root().join("target/bench").join(format!("instructions-{suite}.json"))
}

fn parse(id: &Value, count: &Value) -> Result<Row, String> {
    let numbers = |of: &Value| -> BTreeMap<String, f64> {
        let all = of.as_object().into_iter().flatten();
        all.filter_map(|(name, count)| Some((name.clone(), count.as_f64()?))).collect()
    };
    Ok(Row {
        id: id.as_str().ok_or("a row without a name")?.to_owned(),
        instructions: count["instructions"].as_f64().ok_or("a row without a count")?,
        functions: numbers(&count["functions"]),
        objects: numbers(&count["objects"]),
    })
}

/// Prints each row with its budget; those that grew too much.
fn judge(held: &Held, budgets: &Budgets, rows: &[Row]) -> Vec<String> {
    let mut grown = Vec::new();
    for row in rows {
        let judged = budgets.judge(row, held.most);
        let beside = match &judged {
            Judged::Within(more) | Judged::Grown(more, _) => format!("{:+.2} % of its budget", more * 100.0),
            Judged::Unknown => "no budget".to_owned(),
        };
        println!(
            "    {:<16} {:>8.0} instructions a call, {beside}{}",
            row.id,
            row.instructions,
            shares(held, row)
        );
        match judged {
            Judged::Within(_) => {}
            Judged::Unknown => grown.push(format!("{} (no budget)", row.id)),
            Judged::Grown(more, functions) => {
                for (name, was, now) in functions {
                    println!("        {was:>8.0} → {now:>8.0}  {name}");
                }
                grown.push(format!("{} {:+.1} %", row.id, more * 100.0));
            }
        }
    }
    grown
}

/// The engine's part, the interpreter's, and what both have of the system's libraries.
fn shares(held: &Held, row: &Row) -> String {
    if held.suite == RUST.suite {
        return String::new();
    }
    let is_system = |name: &str| {
        ["libc.so", "libm.so", "libpthread.so", "ld-linux", "libgcc_s.so", "libstdc++.so", "vgpreload"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let (mut engine, mut system) = (0.0, 0.0);
    for (name, count) in &row.objects {
        if name == held.engine {
            engine += count;
        } else if is_system(name) {
            system += count;
        }
    }
    let interpreter = row.instructions - engine - system;
    format!(
        "; the interpreter's {interpreter:.0}, the engine's {engine:.0}, libraries of the system {system:.0}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_of_another_compiler_say_nothing() {
        let tools = |rustc: &str, libc: &str| json!({ "rustc": rustc, "machine": "x86_64", "libc": libc });
        assert!(comparable(&tools("1.95.0", "2.36"), &tools("1.95.0", "2.39")));
        assert!(!comparable(&tools("1.95.0", "2.36"), &tools("1.96.0", "2.36")));
        assert!(!comparable(&Value::Null, &tools("1.95.0", "2.36")));
    }

    #[test]
    fn the_interpreters_share_is_what_no_library_has() {
        let objects = [("_mcpbolt.abi3.so", 30.0), ("libc.so.6", 20.0), ("python3.11", 50.0)];
        let objects = objects.map(|(name, count)| (name.to_owned(), count)).into();
        let row = Row { id: "a".to_owned(), instructions: 100.0, functions: BTreeMap::new(), objects };
        let said = shares(&PYTHON, &row);
        assert!(said.contains("interpreter's 50, the engine's 30") && said.ends_with("system 20"), "{said}");
    }
}
