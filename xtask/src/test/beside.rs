//! Parts that run beside the others: each keeps one processor busy at most.
//!
//! Owns: which these are, their process, what it prints, and how its parts ended. Everything
//! they share with others is installed and built before.

use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, node, python};
use std::fs::File;
use std::path::PathBuf;
use std::process::Child;

/// These run beside what comes after [`after`]: about half of the time that all take.
pub(super) fn parts(args: &TestArgs) -> &'static [&'static str] {
    if args.full { &["python", "node", "interop"] } else { &["python", "node"] }
}

/// They start after this part. In the default run nothing is compiled after it; in the full one they
/// need the time of all that follow, and wait where those compile.
pub(super) fn after(args: &TestArgs) -> &'static str {
    if args.full { "guardrails" } else { "vectors" }
}

/// A process that runs [`parts`].
pub(super) struct Beside {
    child: Child,
    printed: PathBuf,
    said: Option<String>,
}

/// Starts them.
pub(super) fn start(args: &TestArgs) -> Result<Beside, String> {
    python::environment()?;
    node::environment()?;
    install::official_python(2)?;
    let text = |e: std::io::Error| format!("cannot run parts beside others: {e}");
    let printed = exec::root().join("target/test-beside.log");
    let file = File::create(&printed).map_err(text)?;
    let mut command = exec::command(std::env::current_exe().map_err(text)?);
    command.arg("test").args(parts(args)).stderr(file.try_clone().map_err(text)?).stdout(file);
    if args.full {
        command.arg("--full");
    }
    Ok(Beside { child: command.spawn().map_err(text)?, printed, said: None })
}

impl Beside {
    /// Waits for all of them, prints what they printed, and says how this one ended.
    pub(super) fn outcome(&mut self, name: &str) -> Result<Outcome, String> {
        if self.said.is_none() {
            self.child.wait().map_err(|e| e.to_string())?;
            let said = std::fs::read_to_string(&self.printed).map_err(|e| e.to_string())?;
            print!("{said}");
            self.said = Some(said);
        }
        Ok(ended(self.said.as_deref().unwrap_or_default(), name))
    }
}

/// From the line that closes a stage.
fn ended(said: &str, name: &str) -> Outcome {
    let line = said.lines().rev().find_map(|line| line.strip_prefix(&format!("    {name}: ")));
    match line {
        Some(line) if line.starts_with("ok in ") => Outcome::Ok(format!("beside the others, {}", &line[3..])),
        Some(line) if line.starts_with("partly in ") => {
            let note = line.split_once(" s ").map_or(line, |(_, note)| note);
            let skipped =
                note.split_once(" skipped").and_then(|(before, _)| before.rsplit(' ').nth(1)?.parse().ok());
            Outcome::Partly { note: format!("beside the others; {note}"), skipped: skipped.unwrap_or(0) }
        }
        Some(line) if line.starts_with("not run") => Outcome::NotRun("see above".to_owned()),
        Some(line) => Outcome::Failed(line.split_once(" s ").map_or(line, |(_, why)| why).to_owned()),
        None => Outcome::Failed("it did not get that far; see above".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_as_its_last_line_says() {
        let said =
            "==> python\n    python: ok in 9.1 s\n==> node\n    node: FAILED in 2.0 s a test, another\n";
        assert_eq!(ended(said, "python"), Outcome::Ok("beside the others, in 9.1 s".to_owned()));
        assert_eq!(ended(said, "node"), Outcome::Failed("a test, another".to_owned()));
        let note = "beside the others; 22; 3 tests skipped: no tool".to_owned();
        assert_eq!(
            ended("    node: partly in 2.0 s 22; 3 tests skipped: no tool", "node"),
            Outcome::Partly { note, skipped: 3 }
        );
        assert!(matches!(ended("", "node"), Outcome::Failed(_)));
        assert!(matches!(ended("    node: not run in 0.0 s", "node"), Outcome::NotRun(_)));
    }
}
