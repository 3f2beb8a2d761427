//! Instructions a call, outside the kernel: what no other load on the machine can change.
//!
//! Owns: how a server is run so that two runs count the same. It runs under callgrind twice, with
//! some calls and with more of them: the difference is what those more cost, and start and end fall
//! out. One call is under way at a time, and the next is made when all threads of the server wait
//! again, so that nobody's pace decides how often it looks for work. Must not know: budgets.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use mcpbolt_bench::ask::Ask;
use mcpbolt_bench::callgrind::{self, Profile};
use mcpbolt_bench::long::LongCalls;
use mcpbolt_bench::process::{self, free_port};
use serde::Serialize;

use crate::measure::{self, Effort, Listening};
use crate::stdio::Pipes;
use crate::suite::{Entrant, Row, Transport, Work};

/// How long a server may hang: under callgrind all is fifty times slower.
const PATIENCE: Duration = Duration::from_mins(10);
/// The first id, so that all have as many digits.
const FIRST: u64 = 10_000;
/// What would make two runs differ: threads that share work as the clock has it, seeds of hashes.
const PINNED: &[&str] = &["TOKIO_WORKER_THREADS=1", "PYTHONHASHSEED=0"];
/// The same for Node, on its command line.
const PINNED_NODE: &[&str] = &[
    "--predictable",
    "--random-seed=1",
    "--hash-seed=1",
    // V8 collects and forgets by the clock: here is room for all, and nothing is forgotten.
    "--min-semi-space-size=128",
    "--max-semi-space-size=128",
    "--no-memory-reducer",
    "--no-flush-bytecode",
];

/// How many calls are made.
#[derive(Debug, Clone, Copy)]
pub struct Calls {
    /// In both runs: until what is made once is made.
    pub before: u64,
    /// In the second run beside them.
    pub counted: u64,
}

/// What a call costs.
#[derive(Debug, Serialize)]
pub struct Count {
    /// By whom.
    pub by: &'static str,
    /// All instructions.
    pub instructions: f64,
    /// Of these, by function, without what it calls.
    pub functions: BTreeMap<String, f64>,
    /// The same by file.
    pub objects: BTreeMap<String, f64>,
}

/// Counts one entrant; `file` is where callgrind may write.
pub fn count(row: &Row, entrant: &Entrant, calls: Calls, file: &Path) -> Result<Count, String> {
    let few = profile(row, entrant, calls.before, file)?;
    let many = profile(row, entrant, calls.before + calls.counted, file)?;
    let each = |many: &BTreeMap<String, u64>, few: &BTreeMap<String, u64>| {
        let difference = |(name, count): (&String, &u64)| {
            let more = *count as f64 - few.get(name).map_or(0.0, |count| *count as f64);
            (more > 0.0).then(|| (name.clone(), more / calls.counted as f64))
        };
        many.iter().filter_map(difference).collect()
    };
    Ok(Count {
        by: entrant.name,
        instructions: (many.total() as f64 - few.total() as f64) / calls.counted as f64,
        functions: each(&many.functions, &few.functions),
        objects: each(&many.objects, &few.objects),
    })
}

/// Runs a server for so many calls.
fn profile(row: &Row, entrant: &Entrant, calls: u64, file: &Path) -> Result<Profile, String> {
    // What another run wrote must not be taken for this one's.
    let _ = std::fs::remove_file(file);
    let port = free_port()?;
    let command = under_callgrind(measure::fill(entrant, port, Effort::quick(), &[]), file);
    let load = Load::new(row);
    match row.transport {
        Transport::Stdio => on_stdio(&command, row, &load, calls)?,
        Transport::Http { sessions } => on_http(&command, port, row, sessions, &load, calls)?,
    }
    let text = std::fs::read_to_string(file).map_err(|error| format!("callgrind wrote nothing: {error}"))?;
    Profile::parse(&text)
}

/// A command with what pins it, as a command for `env`.
fn under_callgrind(command: Vec<String>, file: &Path) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let command = command.into_iter().filter(|word| word != "env");
    let (settings, mut command): (Vec<_>, Vec<_>) =
        command.partition(|word| word.split_once('=').is_some_and(|(name, _)| is_variable(name)));
    if command.first().is_some_and(|program| program.ends_with("node")) {
        command.splice(1..1, words(PINNED_NODE));
    }
    let mut all = words(&["env"]);
    all.extend(words(PINNED));
    all.extend(settings);
    all.extend(words(&["valgrind", "--quiet"]));
    all.extend(words(callgrind::OPTIONS));
    all.push(format!("--callgrind-out-file={}", file.display()));
    all.extend(command);
    all
}

fn is_variable(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// What is asked, one after the other.
struct Load {
    ask: Ask,
    long: Option<LongCalls>,
}

impl Load {
    fn new(row: &Row) -> Self {
        let long =
            if let Work::Long(way, bytes) = row.work { Some(LongCalls::new(way, bytes)) } else { None };
        Self { ask: Ask::Echo, long }
    }

    fn tool(&self, id: u64) -> &str {
        match &self.long {
            Some(long) => long.tool(),
            None => self.ask.name(id),
        }
    }

    fn request(&self, row: &Row, id: u64) -> Vec<u8> {
        let mut request = Vec::new();
        match &self.long {
            Some(long) => return long.call(row.era, id),
            None => self.ask.push(&mut request, row.era, id),
        }
        request
    }

    fn check(&self, reply: &[u8], id: u64) -> Result<(), String> {
        match &self.long {
            Some(long) => long.check(reply, id),
            None => self.ask.check(reply, |found| found == id).map(drop),
        }
    }
}

fn on_stdio(command: &[String], row: &Row, load: &Load, calls: u64) -> Result<(), String> {
    let mut pipes = Pipes::start(command, PATIENCE)?;
    pipes.open(row.era)?;
    for id in FIRST..FIRST + calls {
        settle(pipes.pid())?;
        let reply = pipes.turn(load.request(row, id))?;
        load.check(&reply, id)?;
    }
    settle(pipes.pid())?;
    pipes.end()
}

fn on_http(
    command: &[String],
    port: u16,
    row: &Row,
    sessions: bool,
    load: &Load,
    calls: u64,
) -> Result<(), String> {
    let server = Listening::start(command)?;
    measure::within(PATIENCE, async {
        let mut connection = measure::first(&server, port, row).await?;
        connection.open(sessions).await?;
        for id in FIRST..FIRST + calls {
            settle(server.pid())?;
            let reply = connection.turn(load.tool(id), &load.request(row, id)).await?;
            load.check(reply, id)?;
        }
        Ok(())
    })?;
    // The connection is closed by now.
    settle(server.pid())?;
    server.end(PATIENCE)
}

/// Until the server has nothing to do.
fn settle(server: u32) -> Result<(), String> {
    let end = std::time::Instant::now() + PATIENCE;
    while !process::asleep(server) {
        if std::time::Instant::now() > end {
            return Err("the server is never at rest".to_owned());
        }
        std::thread::yield_now();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Vec<String> {
        let words = words.iter().map(ToString::to_string).collect();
        under_callgrind(words, Path::new("out"))
    }

    #[test]
    fn a_program_is_started_by_callgrind_and_its_variables_by_env() {
        let words = command(&["env", "PYTHONPATH=a", "python3", "server.py", "--x=1"]);
        let at = |word: &str| words.iter().position(|found| found == word).expect("it is there");
        assert_eq!((at("env"), words.iter().filter(|word| *word == "env").count()), (0, 1));
        assert!(at("PYTHONPATH=a") < at("valgrind") && at("valgrind") < at("python3"));
        assert!(at("python3") < at("--x=1"));
    }

    #[test]
    fn nodes_seeds_are_told_before_its_script() {
        let words = command(&["node", "server.mjs"]);
        assert_eq!(words.last().map(String::as_str), Some("server.mjs"));
        assert!(words.iter().any(|word| word == "--hash-seed=1"));
    }
}
