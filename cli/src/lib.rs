//! The command `mcpbolt` as a library: packages of other languages link it and hand over
//! their arguments.
//!
//! Rooms import downwards only: `environment`, `exit` and `args` → `output`, `program` → `target`, `ask`,
//! `arguments` → `connection`, `relay`, `hosts` → `verbs`.
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
mod program;
mod progress;
mod relay;
mod target;
mod terminal;
mod verbs;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::FromArgMatches as _;

use args::Cli;
use exit::Failure;
use output::Output;

pub use exit::Exit;
pub use interrupt::Signals;
pub use program::Program;

/// Runs the command with these arguments, the program's name first, on the standard streams of
/// the process. It returns when the command is done; a second Ctrl-C ends the process at once.
///
/// ```
/// assert_eq!(mcpbolt_cli::run(["mcpbolt", "no-such-verb"]).code(), 2);
/// ```
pub fn run<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Exit {
    Program::default().run(arguments)
}

impl Program {
    /// Runs the command in this program with these arguments, the program's name first, on the
    /// standard streams of the process. A panic goes no further than this: it is told on standard
    /// error, and is [`Exit::Panicked`].
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::new(["/usr/bin/example"]);
    /// assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    pub fn run<A: Into<OsString>>(&self, arguments: impl IntoIterator<Item = A>) -> Exit {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let exit = contained(|| obey(self, &arguments));
        // Nobody else does where the program is not one of Rust.
        let _ = io::stdout().flush();
        exit
    }
}

/// The end of the work, panics included; the hook of the process has told of those.
fn contained(work: impl FnOnce() -> Exit) -> Exit {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Panicked)
}

fn obey(program: &Program, arguments: &[OsString]) -> Exit {
    let cli = match read(program, arguments) {
        Ok(cli) => cli,
        Err(refused) => return misread(arguments, &refused),
    };
    let output = Output::new(&cli.common);
    match verbs::run(cli, &output, program) {
        Ok(exit) => exit,
        Err(failure) => {
            output.failure(&failure);
            failure.exit
        }
    }
}

fn read(program: &Program, arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = program.command();
    let mut found = command.try_get_matches_from_mut(arguments)?;
    if let Some(verb) = found.subcommand_name().filter(|verb| program.does(verb)) {
        let why = format!("{verb} is the first word, before every option");
        return Err(command.error(clap::error::ErrorKind::ArgumentConflict, why));
    }
    Cli::from_arg_matches_mut(&mut found).map_err(|refused| refused.format(&mut command))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_exit_code() {
        assert_eq!(contained(|| panic!("for the test")), Exit::Panicked);
        assert_eq!(contained(|| Exit::Done), Exit::Done);
    }

    #[test]
    fn a_verb_of_the_program_comes_first() {
        let program = Program::default().verb("run", "Run a server");
        let refused = |words: &[&str]| {
            read(&program, &words.iter().map(Into::into).collect::<Vec<_>>())
                .map(drop)
                .unwrap_err()
                .to_string()
        };
        assert!(
            refused(&["mcpbolt", "--json", "run", "server.py", "--port", "1"])
                .contains("run is the first word")
        );
        assert!(refused(&["mcpbolt", "--help"]).contains("Run a server"));
        let program = program.explains("install", "--with PACKAGE installs it too");
        let help = read(&program, &["mcpbolt".into(), "install".into(), "--help".into()]).unwrap_err();
        assert!(
            help.to_string().contains("mcpbolt install cursor")
                && help.to_string().contains("--with PACKAGE")
        );
    }
}
