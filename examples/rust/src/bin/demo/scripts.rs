//! The same programs in other languages: a notes server, and a client that takes the same
//! steps with a server and says how each went.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use mcpbolt::protocol::{Era, Revision};
use tokio::process::Command;
use tokio::time::timeout;

use crate::report::Report;
use crate::server::Program;

/// Longest time for all steps of one way.
const BOUND: Duration = Duration::from_mins(1);

/// The scripts of one language, and what runs them.
pub(crate) struct Scripts {
    pub(crate) language: &'static str,
    interpreter: PathBuf,
    server: PathBuf,
    client: PathBuf,
}

impl Scripts {
    pub(crate) fn python(interpreter: PathBuf) -> Self {
        Self::new("Python", interpreter, ["python/notes_server.py", "python/demo_client.py"])
    }

    pub(crate) fn node(interpreter: PathBuf) -> Self {
        Self::new("Node", interpreter, ["node/notes-server.mjs", "node/demo-client.mjs"])
    }

    fn new(language: &'static str, interpreter: PathBuf, scripts: [&str; 2]) -> Self {
        let [server, client] =
            scripts.map(|script| Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(script));
        Self { language, interpreter, server, client }
    }

    /// The notes server.
    pub(crate) fn server(&self) -> Program {
        Program::new([&self.interpreter, &self.server])
    }

    /// Has the client visit a server (a URL, or `--` and a command), and notes what it
    /// says: a line per step, its parts separated by tabs.
    pub(crate) async fn visit(
        &self,
        report: &mut Report,
        revision: Revision,
        folder: &Path,
        server: &[OsString],
    ) -> io::Result<()> {
        let mode = if revision.era() == Era::Modern { revision.as_str() } else { "legacy" };
        let mut client = Command::new(&self.interpreter);
        client.arg(&self.client).args(["--mode", mode, "--revision"]);
        client.arg(revision.as_str()).arg("--folder").arg(folder).args(server);
        client.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let ended = timeout(BOUND, client.output()).await.map_err(|_| io::ErrorKind::TimedOut)??;
        for line in String::from_utf8_lossy(&ended.stdout).lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(verdict), Some(step), Some(said)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let outcome = if verdict == "ok" { Ok(said.to_owned()) } else { Err(said.to_owned()) };
            report.cell(step, outcome);
        }
        Ok(())
    }
}
