//! notes-server as a process that listens on a free port.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// Longest time until it listens.
const START: Duration = Duration::from_secs(20);

/// The running server; it ends with its owner.
pub(crate) struct HttpServer {
    child: Child,
    address: String,
}

impl HttpServer {
    /// Starts it and waits until it says where it listens.
    pub(crate) async fn start(program: &Path, folder: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
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
                if let Some((_, address)) = line.split_once("listening address=") {
                    return Ok(address.trim().to_owned());
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
