//! A program, in whatever language, and a notes server as a process that listens on a free
//! port.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// Longest time until it listens.
const START: Duration = Duration::from_secs(20);

/// A program that is not running, and its first arguments.
#[derive(Clone)]
pub(crate) struct Program {
    words: Vec<OsString>,
}

impl Program {
    pub(crate) fn new(words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { words: words.into_iter().map(Into::into).collect() }
    }

    /// It, to be started with further arguments.
    pub(crate) fn command(&self) -> io::Result<Command> {
        let (program, args) = self.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(args);
        Ok(command)
    }

    /// The command that serves the notes of a folder over stdio.
    pub(crate) fn stdio(&self, folder: &Path) -> Vec<OsString> {
        let mut words = self.words.clone();
        words.push(folder.into());
        words
    }
}

/// The running server; it ends with its owner.
pub(crate) struct HttpServer {
    child: Child,
    address: String,
}

impl HttpServer {
    /// Starts it and waits until it says where it listens.
    pub(crate) async fn start(program: &Program, folder: &Path) -> io::Result<Self> {
        let mut child = program
            .command()?
            .args(["--http", "127.0.0.1:0"])
            .arg(folder)
            .env("RUST_LOG", "mcpbolt::transport=info")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stderr = child.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut lines = BufReader::new(stderr).lines();
        let address = timeout(START, async {
            while let Some(line) = lines.next_line().await? {
                if let Some(address) = address_in(&line) {
                    return Ok(address);
                }
                eprintln!("notes-server: {line}");
            }
            Err(io::Error::other("the server ended before it listened"))
        });
        let address = address.await.map_err(|_| io::ErrorKind::TimedOut)??;
        // Whoever stops reading stops the server when the pipe is full.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { child, address })
    }

    /// The URL of a path on it.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Ends it.
    pub(crate) async fn stop(mut self) {
        let _ = self.child.kill().await;
    }
}

/// The address in the line in which a server says that it listens.
fn address_in(line: &str) -> Option<String> {
    if let Some((_, address)) = line.split_once("listening address=") {
        return Some(address.trim().to_owned());
    }
    let (_, url) = line.split_once("Serving HTTP on http://")?;
    url.split('/').next().map(str::to_owned)
}
