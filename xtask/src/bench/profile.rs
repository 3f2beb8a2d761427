//! `cargo xtask bench profile`: counts which functions of the packages for Python and Node run when
//! calls are made, so that release builds can put those together and keep the rest small.
//!
//! Owns: which calls are made for it, and the tool that merges counts. Must not know: who builds by
//! the profile; `checkout` does, and `wheel.py` and `pack.mjs`.

use super::checkout::{Checkout, profile, profiles};
use crate::listening::{Listening, listen};
use crate::{exec, folder, install, node};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A text that is taken piece by piece, and makes a result that becomes the message where it lies.
const LONG: &str = "300000";
/// What a server is started with, and whether its calls are of 2026-07-28. Without an address it
/// is on stdio.
const LOADS: &[(&[&str], bool)] = &[
    (&[], false),
    (&[], true),
    (&["--http"], false),
    (&["--http"], true),
    (&["--http", "--stateless"], false),
    (&["--http", "--mount"], false),
    (&["--http", "--mount"], true),
];

/// Makes it, in place of one that is there.
pub(super) fn command() -> Result<bool, String> {
    let merge = merger()?;
    let raw = profiles().join("raw");
    let counting = Checkout::counting(profiles().join("build"), &raw);
    let interpreter = super::interpreter()?;
    let package = counting.package(&interpreter)?;
    node::environment()?;
    let addon = counting.addon()?;
    // Compilers load macros that count, too.
    folder::fresh(&raw)?;
    let counts = format!("LLVM_PROFILE_FILE={}", raw.join("%p.profraw").display());
    let languages = [
        Language {
            program: interpreter,
            programs: "tests/bench/python",
            ending: "py",
            ends_at_interrupt: &[],
            environment: [format!("PYTHONPATH={}", package.display()), counts.clone()],
        },
        Language {
            program: "node".into(),
            programs: "tests/bench/node",
            ending: "mjs",
            ends_at_interrupt: &["--import", "data:text/javascript,process.on('SIGINT',()=>process.exit())"],
            environment: [format!("MCPBOLT_ADDON={}", addon.display()), counts],
        },
    ];
    for language in &languages {
        for (server, is_modern) in LOADS {
            println!("==> {} {}, {}", language.ending, server.join(" "), era(*is_modern));
            language.load(server, *is_modern)?;
        }
    }
    let found = folder::entries(&raw)?;
    let wanted = languages.len() * LOADS.iter().map(|(server, _)| programs(server)).sum::<usize>();
    if found.len() < wanted {
        return Err(format!("{} of {wanted} programs wrote what they counted", found.len()));
    }
    let profile = merged(&merge, &found)?;
    std::fs::remove_dir_all(&raw).map_err(|error| folder::failed(&raw, &error))?;
    println!("bench: wrote {}; release builds of the packages use it", profile.display());
    Ok(true)
}

/// How many programs a load runs: on stdio each of its two clients starts a server of its own.
fn programs(server: &[&str]) -> usize {
    if server.is_empty() { 4 } else { 3 }
}

fn era(is_modern: bool) -> &'static str {
    if is_modern { "2026-07-28" } else { "2025-11-25" }
}

/// Merges counts into the profile, and names it.
fn merged(merge: &Path, counts: &[PathBuf]) -> Result<PathBuf, String> {
    let text = |error: std::io::Error| error.to_string();
    let unnamed = profiles().join("raw/merged");
    // With the functions that never ran, which are most: what is not in the profile is not made small.
    exec::stdout(exec::command(merge).args(["merge", "-o"]).arg(&unnamed).args(counts))?;
    let mut hash = DefaultHasher::new();
    std::fs::read(&unnamed).map_err(text)?.hash(&mut hash);
    if let Some(before) = profile() {
        std::fs::remove_file(before).map_err(text)?;
    }
    let named = profiles().join(format!("calls-{:016x}.profdata", hash.finish()));
    std::fs::rename(unnamed, &named).map_err(text)?;
    Ok(named)
}

/// `llvm-profdata`, of the compiler's LLVM: rustup's, or the system's.
fn merger() -> Result<PathBuf, String> {
    let sysroot = exec::stdout(exec::command("rustc").args(["--print", "sysroot"]))?;
    let about = exec::stdout(exec::command("rustc").arg("-vV"))?;
    let value = |key: &str| about.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    let (host, version) = (value("host: "), value("LLVM version: "));
    let major = version.split('.').next().unwrap_or_default();
    let rustup = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/llvm-profdata");
    if rustup.is_file() {
        return Ok(rustup);
    }
    install::found(&format!("llvm-profdata-{major}")).map(PathBuf::from).ok_or_else(|| {
        format!(
            "no llvm-profdata of LLVM {major} here: rustup component add llvm-tools, or apt-get install llvm-{major}"
        )
    })
}

/// Its programs of the benchmark, and what they are run with.
struct Language {
    program: PathBuf,
    programs: &'static str,
    ending: &'static str,
    /// What makes a server end by itself, and write what it counted, when it is interrupted.
    ends_at_interrupt: &'static [&'static str],
    /// Clients hand nothing of theirs to servers: it is said to each.
    environment: [String; 2],
}

impl Language {
    /// Short texts and long ones, from a client of the language to a server of it.
    fn load(&self, server: &[&str], is_modern: bool) -> Result<(), String> {
        let program = self.words("server_mcpbolt", self.ends_at_interrupt);
        let (target, serving) = match server.split_first() {
            // What follows is the server's, options too.
            None => ([vec!["--".to_owned(), "env".to_owned()], program].concat(), None),
            Some((http, flags)) => {
                let (serving, port) = listen(env(&program), |command, port| {
                    command.arg(http).arg(format!("127.0.0.1:{port}")).args(flags);
                })?;
                (vec!["--url".to_owned(), format!("http://127.0.0.1:{port}/mcp")], Some(serving))
            }
        };
        for long in [&[][..], &["--text", LONG, "--in-flight", "4", "--warm-up", "10"]] {
            let mut client = env(&self.words("client_mcpbolt", &[]));
            exec::stdout(client.args(long).args(is_modern.then_some("--modern")).args(&target))?;
        }
        serving.map_or(Ok(()), Listening::interrupt)
    }

    /// The command line of a program, as `env` takes it.
    fn words(&self, name: &str, flags: &[&str]) -> Vec<String> {
        let file = exec::root().join(self.programs).join(format!("{name}.{}", self.ending));
        let mut words = self.environment.to_vec();
        words.push(self.program.display().to_string());
        words.extend(flags.iter().map(ToString::to_string));
        words.push(file.display().to_string());
        words
    }
}

/// What runs a command line that begins with its environment.
fn env(words: &[String]) -> Command {
    let mut command = exec::command("env");
    command.args(words);
    command
}
