//! Running the program, within a bound of time.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use serde_json::Value;

/// Longest time that anything here takes.
pub(crate) const BOUND: Duration = Duration::from_mins(1);

/// How a run ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) bytes: Vec<u8>,
}

impl Ran {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    /// The run, which must have ended with this code.
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

/// What starts the program: its own file, or the words of `MCPBOLT_CLI_PROGRAM`, one a line, where it
/// is in the package of another language.
fn words() -> Vec<String> {
    match std::env::var("MCPBOLT_CLI_PROGRAM") {
        Ok(words) => words.lines().map(str::to_owned).collect(),
        Err(_) => vec![env!("CARGO_BIN_EXE_mcpbolt").to_owned()],
    }
}

/// The program with a home of its own and nothing of ours in its environment.
pub(crate) fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let words = words();
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", env!("CARGO_TARGET_TMPDIR")).env("TERM", "xterm-256color");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Ran {
    wait(command(arguments).spawn().expect("mcpbolt starts"))
}

/// Runs it with words that a server's command follows.
pub(crate) fn on(server: &Path, arguments: &[&str]) -> Ran {
    let words = arguments.iter().map(AsRef::<OsStr>::as_ref).chain(["--".as_ref(), server.as_os_str()]);
    run(words)
}

/// Runs it with something on standard input.
pub(crate) fn run_with(arguments: &[&str], input: &str) -> Ran {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().expect("mcpbolt starts");
    let written = child.stdin.take().expect("piped").write_all(input.as_bytes());
    // One that refuses its arguments may end before it is asked anything.
    if let Err(error) = written {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "it reads");
    }
    wait(child)
}

pub(crate) fn wait(child: Child) -> Ran {
    let (tell, told) = mpsc::channel();
    let pid = child.id();
    std::thread::spawn(move || tell.send(child.wait_with_output()));
    let output =
        told.recv_timeout(BOUND).unwrap_or_else(|_| panic!("process {pid} does not end")).expect("it ran");
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        bytes: output.stdout,
    }
}

/// A program in the shell that tells its number when it has started.
#[derive(Debug)]
pub(crate) struct Started {
    _folder: tempfile::TempDir,
    pub(crate) pipe: PathBuf,
    told: mpsc::Receiver<String>,
}

impl Started {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("started");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let (tell, told) = mpsc::channel();
        let read = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(read).map(|number| tell.send(number)));
        Self { _folder: folder, pipe, told }
    }

    /// What the program does to tell it.
    pub(crate) fn tells(&self) -> String {
        format!("echo $$ > '{}'", self.pipe.display())
    }

    /// Waits until it is told.
    pub(crate) fn number(&self) -> rustix::process::Pid {
        let number = self.told.recv_timeout(BOUND).expect("it starts");
        number.trim().parse().ok().and_then(rustix::process::Pid::from_raw).expect("a number")
    }
}

/// An example server, built if it is not.
pub(crate) fn example(name: &'static str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        // Without -p, and without what cargo says of this package, so that dependencies are those
        // that are there already: build scripts read such variables.
        let mut build = Command::new(env!("CARGO"));
        for (name, _) in std::env::vars_os() {
            let of_a_package =
                ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_", "CARGO_PRIMARY_"];
            if of_a_package.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                build.env_remove(name);
            }
        }
        build.args([
            "build",
            "--quiet",
            "--workspace",
            "--bin",
            "everything-server",
            "--bin",
            "notes-server",
        ]);
        assert!(build.current_dir(root()).status().expect("cargo").success(), "the examples do not build");
    });
    let beside = Path::new(env!("CARGO_BIN_EXE_mcpbolt")).parent().expect("a folder");
    beside.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

pub(crate) fn everything() -> PathBuf {
    example("everything-server")
}

/// The checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout")
}
