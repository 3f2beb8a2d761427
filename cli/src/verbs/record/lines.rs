//! A server as two streams of lines: those of its own process, or of a bridge to its URL.
//!
//! Owns: starting and ending it. Must not know: what is said on the lines.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt::handler::Handler;
use mcpbolt::transport::stdio_server::StdioServer;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use super::super::{Live, bridge};
use crate::exit::{Exit, Failure};
use crate::relay::Relay;
use crate::target::{Place, in_env};

/// Longest wait for answers that are still to be given when the server is gone.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How often it is looked whether a program has ended.
const STEP: Duration = Duration::from_millis(10);

/// What is written to the server, and what it says.
pub(in crate::verbs) struct Lines {
    pub(in crate::verbs) to: Box<dyn Write + Send>,
    pub(in crate::verbs) from: Box<dyn BufRead + Send>,
    pub(in crate::verbs) server: Started,
}

/// A server that was started, or reached.
pub(in crate::verbs) enum Started {
    Program(Child),
    /// The bridge ends when its lines do; whether the server was there until then.
    Bridge {
        runtime: Runtime,
        ended: JoinHandle<bool>,
    },
}

impl Lines {
    /// Starts the program with all of our environment, for whoever starts us means it; or connects to the URL.
    pub(in crate::verbs) fn open(live: &Live<'_>, place: &Place) -> Result<Self, Failure> {
        match place {
            Place::Program { .. } => Self::program(place),
            Place::Url { .. } => Self::bridge(live, place),
        }
    }

    fn program(place: &Place) -> Result<Self, Failure> {
        let Place::Program { words, env, cwd, .. } = place else {
            return Err(Failure::usage("no command of a server"));
        };
        let (program, args) = words.split_first().ok_or_else(|| Failure::usage("no command after --"))?;
        let mut command = Command::new(program);
        command.args(args);
        for (name, value) in env {
            command.env(name, in_env(value)?);
        }
        if let Some(folder) = cwd {
            command.current_dir(folder);
        }
        let unreachable = |why: String| Failure::new(Exit::Unreachable, why);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|why| {
                unreachable(format!("{} cannot be started: {why}", program.to_string_lossy()))
            })?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(unreachable("the server has no standard streams".to_owned()));
        };
        Ok(Self { to: Box::new(to), from: Box::new(BufReader::new(from)), server: Started::Program(child) })
    }

    fn bridge(live: &Live<'_>, place: &Place) -> Result<Self, Failure> {
        let failed = |why: io::Error| Failure::new(Exit::Failed, why.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        let reaching = bridge::reaching(live.common, live.output, place)?;
        let relay = runtime.block_on(Relay::start(reaching, false));
        let relay = relay.map_err(|error| Failure::from(error).about(&place.name()))?;
        let (input, to) = io::pipe().map_err(failed)?;
        let (from, output) = io::pipe().map_err(failed)?;
        let handler: Arc<dyn Handler> = Arc::clone(&relay) as _;
        // The relay's calls run there, whichever thread reads the line.
        let inside = runtime.enter();
        let server = StdioServer::on(&bridge::engine(), &handler, input.into(), output.into(), false);
        drop(inside);
        let ended = runtime.spawn(until_it_ends(server.map_err(failed)?, relay));
        let server = Started::Bridge { runtime, ended };
        Ok(Self { to: Box::new(to), from: Box::new(BufReader::new(from)), server })
    }
}

/// Waits for the end of the client's lines, which leaves time for answers, or of the server.
async fn until_it_ends(server: StdioServer, relay: Arc<Relay>) -> bool {
    let stayed = tokio::select! {
        _ = server.wait() => true,
        _ = relay.server_died() => {
            let (idle, over) = tokio::sync::oneshot::channel();
            server.connection().when_idle(Box::new(move || idle.send(()).unwrap_or_default()));
            let _ = tokio::time::timeout(LAST_WORDS, over).await;
            false
        }
    };
    // Ends the lines that it says.
    drop(server);
    relay.close().await;
    stayed
}

impl Started {
    /// Waits for the end; whether it was a good one.
    pub(in crate::verbs) fn wait(self) -> Result<bool, Failure> {
        match self {
            Self::Program(mut child) => {
                let status = child.wait().map_err(|why| Failure::new(Exit::Unreachable, why.to_string()))?;
                Ok(status.success())
            }
            Self::Bridge { runtime, ended } => {
                let stayed = runtime.block_on(ended).unwrap_or(false);
                runtime.shutdown_background();
                Ok(stayed)
            }
        }
    }

    /// Gives it this time to end by itself, then ends it, whatever it does.
    pub(in crate::verbs) fn end(self, grace: Duration) {
        match self {
            Self::Program(mut child) => {
                let until = Instant::now() + grace;
                // The system has no wait with a bound.
                while matches!(child.try_wait(), Ok(None)) && Instant::now() < until {
                    std::thread::sleep(STEP);
                }
                let _ = child.kill();
                let _ = child.wait();
            }
            Self::Bridge { runtime, ended } => {
                let _ = runtime.block_on(async { tokio::time::timeout(grace, ended).await });
                runtime.shutdown_background();
            }
        }
    }
}
