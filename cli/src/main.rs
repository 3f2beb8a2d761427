//! The program `mcpbolt`.
//!
//! Owns: its arguments go to the library, what comes back is its exit code. Must not know: what
//! they mean.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mcpbolt_cli::run(std::env::args_os()).code())
}
