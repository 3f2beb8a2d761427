//! The command `mcpbolt` in the process of an interpreter. Owns: what Python brings to it, and the
//! way of a signal from the interpreter's handlers to it. Must not know: what a verb does.

use std::ffi::OsString;
use std::io;

use mcpbolt_cli::{Program, Signals};
use pyo3::prelude::*;

/// Verbs that the package does itself.
const VERBS: [(&str, &str); 4] = [
    ("run", "Serve the server in a Python file: FILE or FILE:OBJECT"),
    ("dev", "Run a server in a Python file with the MCP Inspector, which needs Node and npx"),
    ("limits", "Print every limit, its default and what happens beyond it"),
    ("version", "Print the version"),
];

/// What the package does before `install` has its turn.
const INSTALL: &str = "\
Servers that are objects in Python files:
  mcpbolt install server.py                      in Claude Desktop, as `mcp install` does
  mcpbolt install cursor server.py:app --with numpy --env-file .env

They are run by `mcpbolt run` on this interpreter, and called as they call themselves.
  -e, --with-editable FOLDER  Install this project too, as editable; needs uv
      --with PACKAGE          Install this package too; needs uv; may be given more than once
  -f, --env-file FILE         Variables of the environment, NAME=VALUE a line";

/// One run of the command.
#[pyclass(frozen)]
pub(crate) struct Command {
    signals: Signals,
    wire: platform::Wire,
}

#[pymethods]
impl Command {
    #[new]
    fn new() -> io::Result<Self> {
        let signals = Signals::new();
        let wire = platform::Wire::to(signals.clone())?;
        Ok(Self { signals, wire })
    }

    /// Where the interpreter writes the numbers of signals that it hears; `None` where the command
    /// hears them itself.
    fn fileno(&self) -> Option<i32> {
        self.wire.number()
    }

    /// Runs it, the program's name first, and returns the exit code. `python` is this interpreter's file.
    fn run(&self, py: Python<'_>, arguments: Vec<OsString>, python: Option<OsString>) -> u8 {
        let mut program = match python {
            Some(python) => {
                let again = [python.clone(), "-m".into(), "mcpbolt".into()];
                let runs = again.clone().into_iter().chain(["run".into()]);
                Program::new(again).objects("py", runs).interpreter("py", python)
            }
            None => Program::default(),
        };
        for (name, about) in VERBS {
            program = program.verb(name, about);
        }
        program = program.explains("install", INSTALL);
        if self.wire.number().is_some() {
            program = program.signals(self.signals.clone());
        }
        py.detach(|| program.run(arguments).code())
    }
}

#[cfg(unix)]
mod platform {
    use std::io::{self, Read as _};
    use std::os::fd::AsRawFd as _;
    use std::os::unix::net::UnixStream;
    use std::thread;

    use mcpbolt::transport::signals::ShutdownSignal;
    use mcpbolt_cli::Signals;
    use rustix::process::Signal;

    /// Bytes that are numbers of signals, and the thread that reads them while the wire is there.
    pub(super) struct Wire(UnixStream);

    impl Wire {
        pub(super) fn to(signals: Signals) -> io::Result<Self> {
            let (near, mut far) = UnixStream::pair()?;
            // The interpreter writes from its signal handlers.
            near.set_nonblocking(true)?;
            let listen = move || {
                let mut byte = [0];
                while far.read_exact(&mut byte).is_ok() {
                    let number = i32::from(byte[0]);
                    let signal = match number {
                        _ if number == Signal::INT.as_raw() => ShutdownSignal::Interrupt,
                        _ if number == Signal::TERM.as_raw() => ShutdownSignal::Terminate,
                        _ if number == Signal::HUP.as_raw() => ShutdownSignal::Hangup,
                        _ => continue,
                    };
                    if !signals.send(signal) {
                        std::process::exit(signal.exit_code().into());
                    }
                }
            };
            thread::Builder::new().name("mcpbolt-signals".to_owned()).spawn(listen)?;
            Ok(Self(near))
        }

        #[allow(clippy::unnecessary_wraps, reason = "other platforms have no such number")]
        pub(super) fn number(&self) -> Option<i32> {
            Some(self.0.as_raw_fd())
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use std::io;

    use mcpbolt_cli::Signals;

    /// Consoles tell the command itself, before the interpreter.
    pub(super) struct Wire;

    impl Wire {
        pub(super) fn to(_: Signals) -> io::Result<Self> {
            Ok(Self)
        }

        pub(super) fn number(&self) -> Option<i32> {
            None
        }
    }
}
