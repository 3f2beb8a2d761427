//! Nothing leaks and nothing hangs: two tables over real processes and sockets.
//!
//! Without libtest's harness, because a server that is this same program must own its
//! standard output. Words on the command line choose rows by what is printed of them.
#![allow(clippy::print_stdout, reason = "its tables are its output")]

#[cfg(target_os = "linux")]
mod census;
#[cfg(target_os = "linux")]
mod hangs;
#[cfg(target_os = "linux")]
mod leaks;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod relay;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    if program::played() {
        return std::process::ExitCode::SUCCESS;
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = move |row: &str| words.iter().all(|word| row.contains(word.as_str()));
    let fine = [hangs::run(&chosen), leaks::run(&chosen)];
    if fine == [true; 2] { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::FAILURE }
}

/// What is counted here, Linux counts.
#[cfg(not(target_os = "linux"))]
fn main() {}
