//! The command `mcpbolt` as a library: packages of other languages link it and hand over
//! their arguments.
//!
//! Rooms import downwards only: `environment`, `exit` and `args` → `output` → `target`, `ask`, `arguments` →
//! `connection`, `relay`, `hosts` → `verbs`.
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
mod environment;
mod exit;
mod hosts;
mod interrupt;
mod output;
mod progress;
mod relay;
mod target;
mod verbs;

use std::ffi::OsString;

use clap::Parser as _;

use args::Cli;
use exit::Failure;
use output::Output;

pub use exit::Exit;

/// Runs the command with these arguments, the program's name first, on the standard streams of
/// the process. It returns when the command is done; a second Ctrl-C ends the process at once.
pub fn run<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(refused) => return misread(&arguments, &refused),
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

/// Arguments that cannot be read; help and version, which are no failures, are printed as well.
fn misread(arguments: &[OsString], refused: &clap::Error) -> Exit {
    if !refused.use_stderr() {
        let _ = refused.print();
        return Exit::Done;
    }
    let ours = arguments.iter().take_while(|word| *word != "--");
    if ours.into_iter().any(|word| word == "--json") {
        let text = refused.to_string();
        let sentence = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Output::for_programs().failure(&Failure::usage(sentence));
    } else {
        let _ = refused.print();
    }
    Exit::Usage
}
