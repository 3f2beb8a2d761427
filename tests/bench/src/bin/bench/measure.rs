//! One measurement: starts an entrant afresh, makes its load, reads off the figures.
//!
//! Owns: processes that listen, warm-up. Must not know: rounds, goals, reports.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mcpbolt_bench::ask::Ask;
use mcpbolt_bench::client::ClientReport;
use mcpbolt_bench::long::LongCalls;
use mcpbolt_bench::process::{self, free_port};

use crate::awake::Awake;
use crate::beside::Beside;
use crate::http::{self, Connection};
use crate::idle;
use crate::sample::Sample;
use crate::stdio::{self, Pipes};
use crate::suite::{Entrant, GIVEN, Metric, Processors, Row, Transport, Work};
use crate::tokens;

/// Calls in flight on a pipe.
const IN_FLIGHT: u64 = 64;
/// Keep-alive connections on HTTP.
const CONNECTIONS: usize = 16;
/// Starts of one cold-start measurement.
const STARTS: usize = 10;
/// How long anything may hang before it counts as broken.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a server that does not listen yet is tried.
const TRY_EVERY: Duration = Duration::from_micros(200);

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Time of one load.
    pub time: Duration,
    /// Most calls of it.
    pub most: u64,
    /// Time of the load before it, which is not measured.
    pub warm_time: Duration,
    /// Most calls of that one.
    pub warm_up: u64,
}

impl Effort {
    /// A whole measurement; it goes on for so long before, or for 2,000 calls.
    pub fn full(seconds: f64, warm_up: Option<Duration>) -> Self {
        Self {
            time: Duration::from_secs_f64(seconds),
            most: u64::MAX,
            warm_time: warm_up.unwrap_or(PATIENCE),
            warm_up: if warm_up.is_some() { u64::MAX } else { 2000 },
        }
    }

    /// A few hundred calls: does everything still answer?
    pub fn quick() -> Self {
        let time = Duration::from_millis(300);
        Self { time, most: 300, warm_time: time, warm_up: 64 }
    }

    /// How long all of it may take.
    pub fn patience(self) -> Duration {
        PATIENCE + self.warm_time + 2 * self.time
    }
}

/// Measures one entrant of a row, once.
pub fn measure(row: &Row, entrant: &Entrant, effort: Effort, beside: &Beside) -> Result<Sample, String> {
    let _awake = match row.work {
        Work::OneByOne(Processors::Awake) => Some(Awake::start()?),
        _ => None,
    };
    let mut sample = match (row.work, row.transport) {
        (Work::Tokens { signature, seen }, _) => {
            let issuer = beside.issuer(entrant).ok_or("no entrant is told of an issuer")?;
            tokens::checks(entrant, issuer, signature, seen, effort)?
        }
        (Work::ColdStart, _) => cold_starts(row, entrant)?,
        (Work::Client, _) => client(row, entrant, effort)?,
        (Work::Idle(holding), Transport::Http { sessions }) => {
            idle::on_http(row, entrant, holding, sessions, effort)?
        }
        (Work::Idle(_), Transport::Stdio) => idle::on_stdio(row, entrant, effort)?,
        (_, Transport::Stdio) => on_stdio(row, entrant, effort)?,
        (_, Transport::Http { sessions }) => on_http(row, entrant, effort, sessions, beside)?,
    };
    if let Work::Long(_, bytes) = row.work
        && let Some(micros) = sample.get(Metric::P50)
    {
        sample.set(Metric::Bytes, bytes as f64 / micros);
    }
    Ok(sample)
}

fn on_stdio(row: &Row, entrant: &Entrant, effort: Effort) -> Result<Sample, String> {
    let mut pipes = Pipes::start(&fill(entrant, 0, effort, &[]), effort.patience())?;
    pipes.open(row.era)?;
    let ask = match row.work {
        Work::Tasks(open) => pipes.tasks(open)?,
        _ => Ask::Echo,
    };
    let in_flight = if row.work.is_load() { IN_FLIGHT } else { 1 };
    if row.work.warms_up() {
        pipes.calls(&ask, row.era, in_flight, effort.warm_time, effort.warm_up)?;
    }
    let cpu = pipes.cpu();
    let latencies = match row.work {
        Work::List(tools) => pipes.lists(row.era, tools + 1, effort.time)?,
        Work::Long(way, bytes) => pipes.longs(row.era, &LongCalls::new(way, bytes), effort.time)?,
        _ => pipes.calls(&ask, row.era, in_flight, effort.time, effort.most)?,
    };
    let (spent, calls) = (pipes.cpu().saturating_sub(cpu), latencies.calls());
    let mut sample = latencies.sample();
    sample.cpu(spent, calls);
    pipes.finish(&mut sample);
    Ok(sample)
}

fn on_http(
    row: &Row,
    entrant: &Entrant,
    effort: Effort,
    sessions: bool,
    beside: &Beside,
) -> Result<Sample, String> {
    let port = free_port()?;
    let token = beside.issuer(entrant).map(|issuer| tokens::for_server(issuer, port)).transpose()?;
    let server = Listening::start(&fill(entrant, port, effort, &beside.placeholders()))?;
    let load = async {
        let wanted = match row.work {
            Work::Connections(wanted) => wanted,
            work if work.is_load() => CONNECTIONS,
            _ => 1,
        };
        let mut connections = vec![first(&server, port, row).await?];
        connections[0].start(&token, sessions).await?;
        while connections.len() < wanted {
            // Each is used before the next one comes, which would else wait until it is accepted.
            let mut next = Connection::connect(port, row.era).await.map_err(|error| error.to_string())?;
            next.start(&token, sessions).await?;
            connections.push(next);
        }
        let ask = match row.work {
            Work::Tasks(open) => connections[0].tasks(open).await?,
            _ => Ask::Echo,
        };
        if row.work.warms_up() {
            http::calls(&mut connections, &ask, effort.warm_time, effort.warm_up).await?;
        }
        let cpu = process::cpu(server.pid());
        let latencies = match row.work {
            Work::List(tools) => connections[0].lists(tools + 1, effort.time).await?,
            Work::Long(way, bytes) => connections[0].longs(&LongCalls::new(way, bytes), effort.time).await?,
            _ => http::calls(&mut connections, &ask, effort.time, effort.most).await?,
        };
        let (spent, calls) = (process::cpu(server.pid()).saturating_sub(cpu), latencies.calls());
        let mut sample = latencies.sample();
        sample.cpu(spent, calls);
        sample.memory(process::peak_memory(server.pid()));
        Ok::<_, String>(sample)
    };
    within(effort.patience(), load)
}

/// Runs a load on this thread alone.
pub fn within<T>(patience: Duration, load: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let local = tokio::task::LocalSet::new();
    let bounded = local.run_until(async { tokio::time::timeout(patience, load).await });
    runtime.block_on(bounded).map_err(|_| "the server was too slow".to_owned())?
}

/// The first connection, as soon as the server listens.
pub async fn first(server: &Listening, port: u16, row: &Row) -> Result<Connection, String> {
    let mut tries = tokio::time::interval(TRY_EVERY);
    loop {
        tries.tick().await;
        if let Ok(connection) = Connection::connect(port, row.era).await {
            return Ok(connection);
        }
        if server.ended() {
            return Err("the server ended before it listened".to_owned());
        }
    }
}

fn cold_starts(row: &Row, entrant: &Entrant) -> Result<Sample, String> {
    let effort = Effort::quick();
    let mut took = Vec::new();
    let mut sample = Sample::default();
    for _ in 0..STARTS {
        let port = free_port()?;
        let command = fill(entrant, port, effort, &[]);
        let started = Instant::now();
        match row.transport {
            Transport::Stdio => {
                let mut pipes = Pipes::start(&command, PATIENCE)?;
                pipes.open(row.era)?;
                took.push(started.elapsed().as_secs_f64() * 1e3);
                pipes.finish(&mut sample);
            }
            Transport::Http { sessions } => {
                let server = Listening::start(&command)?;
                within(PATIENCE, async { first(&server, port, row).await?.open(sessions).await })?;
                took.push(started.elapsed().as_secs_f64() * 1e3);
                sample.memory(process::peak_memory(server.pid()));
            }
        }
    }
    took.sort_by(f64::total_cmp);
    sample.set(Metric::Start, took[took.len() / 2]);
    Ok(sample)
}

/// A client contestant measures itself, on our server.
fn client(row: &Row, entrant: &Entrant, effort: Effort) -> Result<Sample, String> {
    let port = free_port()?;
    let server = match row.transport {
        Transport::Stdio => None,
        Transport::Http { .. } => {
            let ours =
                [format!("{}/mcpbolt-server", programs()), "--http".into(), format!("127.0.0.1:{port}")];
            let server = Listening::start(&ours)?;
            within(PATIENCE, first(&server, port, row))?;
            Some(server)
        }
    };
    let command = fill(entrant, port, effort, &[]);
    let reported = reported(&command);
    drop(server);
    reported
}

/// Runs a program that measures itself.
pub fn reported(command: &[String]) -> Result<Sample, String> {
    let out = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", command[0]))?;
    if !out.status.success() {
        return Err(format!("the program failed: {}", out.status));
    }
    let report: ClientReport =
        serde_json::from_slice(&out.stdout).map_err(|error| format!("the program's report: {error}"))?;
    let mut sample = Sample::default();
    sample.set(Metric::Rate, report.calls as f64 / report.seconds);
    sample.set(Metric::P50, report.p50);
    sample.set(Metric::P99, report.p99);
    sample.cpu(Duration::from_secs_f64(report.cpu), usize::try_from(report.calls).unwrap_or(usize::MAX));
    sample.memory(report.memory);
    Ok(sample)
}

/// Where the programs of this workspace are.
fn programs() -> String {
    let folder = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    folder.unwrap_or_default().to_string_lossy().into_owned()
}

/// An entrant's command, with what its placeholders stand for; `more` has those of its row.
pub fn fill(entrant: &Entrant, port: u16, effort: Effort, more: &[(&str, &str)]) -> Vec<String> {
    let seconds = |time: Duration| time.as_secs_f64().to_string();
    let (bin, port) = (programs(), port.to_string());
    let (time, warm) = (seconds(effort.time), seconds(effort.warm_time));
    let usual: [(&str, &str); 4] =
        [("{bin}", &bin), ("{port}", &port), ("{seconds}", &time), ("{warm}", &warm)];
    let fill = |word: &String| {
        let known = usual.iter().chain(more);
        let word = known.fold(word.clone(), |word, (placeholder, value)| word.replace(placeholder, value));
        GIVEN.iter().fold(word, |word, (placeholder, variable)| match std::env::var(variable) {
            Ok(value) => word.replace(placeholder, &value),
            Err(_) => word,
        })
    };
    entrant.command.iter().map(fill).collect()
}

/// A server that listens. It is killed when this is dropped.
pub struct Listening(std::cell::RefCell<Child>);

impl Listening {
    /// Starts it.
    pub fn start(command: &[String]) -> Result<Self, String> {
        let child =
            Command::new(&command[0]).args(&command[1..]).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        child.map(|child| Self(child.into())).map_err(|error| format!("{}: {error}", command[0]))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.0.borrow().id()
    }

    fn ended(&self) -> bool {
        matches!(self.0.borrow_mut().try_wait(), Ok(Some(_)) | Err(_))
    }

    /// Asks it to end and waits for that; it is killed after `patience`.
    pub fn end(mut self, patience: Duration) -> Result<(), String> {
        let _alive = stdio::watch(self.pid(), patience);
        let asked = Command::new("kill").arg(self.pid().to_string()).status();
        asked.and_then(|_| self.0.get_mut().wait()).map(drop).map_err(|error| error.to_string())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.get_mut().kill();
        let _ = self.0.get_mut().wait();
    }
}
