//! The command `mcpbolt` as a library: packages of other languages link it and hand over
//! their arguments.
//!
//! Rooms import downwards only: `exit` and `args` → `output` → `target`, `ask`, `arguments` →
//! `connection` → `verbs`.
//!
//! Owns: from arguments to an exit code. Must not know: whose program it is in.
//!
//! ```
//! let exit = mcpbolt_cli::run(["mcpbolt", "--version"]);
//! assert_eq!(exit.code(), 0);
//! ```

mod args;
mod arguments;
mod ask;
mod connection;
mod exit;
mod interrupt;
mod output;
mod progress;
mod target;
mod verbs;

use std::ffi::OsString;

use clap::Parser as _;

use args::Cli;
use output::Output;

pub use exit::Exit;

/// Runs the command with these arguments, the program's name first, on the standard streams of
/// the process. It returns when the command is done; a second Ctrl-C ends the process at once.
pub fn run<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(refused) => {
            // Help and version are "errors" that go to standard output.
            let exit = if refused.use_stderr() { Exit::Usage } else { Exit::Done };
            let _ = refused.print();
            return exit;
        }
    };
    let output = Output::new(&cli.common);
    match verbs::run(cli, &output) {
        Ok(exit) => exit,
        Err(failure) => {
            output.failure(&failure);
            failure.exit
        }
    }
}
