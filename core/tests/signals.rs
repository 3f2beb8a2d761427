//! Shutdown signals of a program whose main function is a server.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use mcpbolt::transport::signals::{ShutdownSignal, ShutdownSignals};
use rustix::process::{Signal, getpid, kill_process};

const BOUND: Duration = Duration::from_secs(20);

/// What starts this test again, as a process of its own that the words before it start.
fn again(test: &str, words: &[&str]) -> Command {
    let program = std::env::current_exe().unwrap();
    let mut command = match words.split_first() {
        Some((first, words)) => {
            let mut command = Command::new(first);
            command.args(words).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.args(["--exact", test]).env("SIGNALS_HELPER", "1");
    command
}

fn is_helper() -> bool {
    std::env::var_os("SIGNALS_HELPER").is_some()
}

/// Whether these tests were started to outlive their terminal, as by `nohup`.
fn hangup_is_ignored() -> bool {
    Command::new("sh").args(["-c", "kill -s HUP $$"]).status().unwrap().success()
}

#[test]
fn signals_are_heard_and_after_the_drop_end_the_process_again() {
    if !is_helper() {
        let test = "signals_are_heard_and_after_the_drop_end_the_process_again";
        assert_eq!(again(test, &[]).status().unwrap().signal(), Some(15));
        return;
    }
    let mut all = vec![
        (Signal::INT, ShutdownSignal::Interrupt, 130),
        (Signal::TERM, ShutdownSignal::Terminate, 143),
        (Signal::INT, ShutdownSignal::Interrupt, 130),
    ];
    if !hangup_is_ignored() {
        all.push((Signal::HUP, ShutdownSignal::Hangup, 129));
    }
    for _ in 0..2 {
        let (sender, heard) = channel();
        let signals = ShutdownSignals::install(move |signal| {
            let _ = sender.send(signal);
        });
        for &(raised, expected, code) in &all {
            kill_process(getpid(), raised).unwrap();
            let signal = heard.recv_timeout(BOUND).unwrap();
            assert_eq!((signal, signal.exit_code()), (expected, code));
        }
        drop(signals.unwrap());
        assert_eq!(heard.recv_timeout(BOUND), Err(RecvTimeoutError::Disconnected));
    }
    kill_process(getpid(), Signal::TERM).unwrap();
    unreachable!("the signal ends the process");
}

#[test]
fn a_program_that_is_to_outlive_its_terminal_does() {
    if !is_helper() {
        let nohup = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"];
        let test = "a_program_that_is_to_outlive_its_terminal_does";
        assert!(again(test, &nohup).status().unwrap().success());
        return;
    }
    let (sender, heard) = channel();
    let signals = ShutdownSignals::install(move |signal| {
        let _ = sender.send(signal);
    });
    for raised in [Signal::HUP, Signal::TERM, Signal::HUP] {
        kill_process(getpid(), raised).unwrap();
    }
    assert_eq!(heard.recv_timeout(BOUND), Ok(ShutdownSignal::Terminate));
    drop(signals.unwrap());
    assert_eq!(heard.recv_timeout(BOUND), Err(RecvTimeoutError::Disconnected), "it was heard");
    // Nor does it end the process when nobody hears signals any more.
    kill_process(getpid(), Signal::HUP).unwrap();
}
