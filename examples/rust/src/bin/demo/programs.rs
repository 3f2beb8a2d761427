//! The same programs in other languages: a notes server, and a client that takes the same
//! steps with a server and says how each went.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use mcpbolt::protocol::{Era, Revision};
use tokio::time::timeout;

use crate::report::Report;
use crate::server::Program;
use crate::steps::Checked;

/// Longest time for all steps of one way.
const BOUND: Duration = Duration::from_mins(1);

/// The programs of one language.
pub(crate) struct Programs {
    pub(crate) language: &'static str,
    pub(crate) server: Program,
    client: Program,
}

impl Programs {
    pub(crate) fn python(interpreter: &Path) -> Self {
        Self::scripts("Python", interpreter, ["python/notes_server.py", "python/demo_client.py"])
    }

    pub(crate) fn node(interpreter: &Path) -> Self {
        Self::scripts("Node", interpreter, ["node/notes-server.mjs", "node/demo-client.mjs"])
    }

    /// Scripts of the examples, and what runs them.
    fn scripts(language: &'static str, interpreter: &Path, scripts: [&str; 2]) -> Self {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let [server, client] = scripts.map(|script| Program::new([interpreter, &examples.join(script)]));
        Self { language, server, client }
    }

    /// The commands of a folder.
    pub(crate) fn commands(language: &'static str, folder: &Path) -> Self {
        let [server, client] = ["notes-server", "demo-client"].map(|name| Program::new([folder.join(name)]));
        Self { language, server, client }
    }

    /// Has the client visit a server (a URL, or `--` and a command), and notes what it says.
    pub(crate) async fn visit(
        &self,
        report: &mut Report,
        revision: Revision,
        folder: &Path,
        server: &[OsString],
    ) -> io::Result<()> {
        let mode = if revision.era() == Era::Modern { revision.as_str() } else { "legacy" };
        let mut client = self.client.command()?;
        client.args(["--mode", mode, "--revision", revision.as_str(), "--folder"]);
        client.arg(folder).args(server);
        client.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let ended = timeout(BOUND, client.output()).await.map_err(|_| io::ErrorKind::TimedOut)??;
        let mut whole = false;
        for line in String::from_utf8_lossy(&ended.stdout).lines() {
            match Line::of(line) {
                Some(Line::Step(step, outcome)) => report.cell(step, outcome),
                Some(Line::Call(median)) => {
                    report.call(median);
                    whole = true;
                }
                None => {}
            }
        }
        // A call's time is the last that a client says.
        if whole { Ok(()) } else { Err(io::Error::other(format!("the client ended with {}", ended.status))) }
    }
}

/// What a client says in a line, whose parts are separated by tabs.
#[derive(Debug, PartialEq)]
enum Line<'a> {
    /// `ok`, or another verdict; the step; what was seen.
    Step(&'a str, Checked),
    /// `call`; the median of some calls, in milliseconds.
    Call(Duration),
}

impl<'a> Line<'a> {
    /// Nothing for what else may stand in a client's output.
    fn of(line: &'a str) -> Option<Self> {
        let (verdict, rest) = line.split_once('\t')?;
        if verdict == "call" {
            let milliseconds: f64 = rest.trim().parse().ok().filter(|time| *time > 0.0)?;
            return Duration::try_from_secs_f64(milliseconds / 1000.0).ok().map(Self::Call);
        }
        let (step, said) = rest.split_once('\t')?;
        let outcome = if verdict == "ok" { Ok(said.to_owned()) } else { Err(said.to_owned()) };
        Some(Self::Step(step, outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_a_step_went() {
        assert_eq!(
            Line::of("ok\tprompt\tin a formal\ttone"),
            Some(Line::Step("prompt", Ok("in a formal\ttone".into())))
        );
        assert_eq!(Line::of("FAILED\troots\tnone"), Some(Line::Step("roots", Err("none".into()))));
        for noise in ["", "ok", "ok\tprompt", "a warning"] {
            assert_eq!(Line::of(noise), None, "{noise:?}");
        }
    }

    #[test]
    fn a_time_is_a_number_of_milliseconds_above_zero() {
        assert_eq!(Line::of("call\t0.25"), Some(Line::Call(Duration::from_micros(250))));
        for wrong in ["call\t", "call\tfast", "call\t0", "call\t-1", "call\tNaN", "call\tinf", "call\t1e300"]
        {
            assert_eq!(Line::of(wrong), None, "{wrong:?}");
        }
    }
}
