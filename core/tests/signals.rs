//! Shutdown signals of a program whose main function is a server.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use mcpbolt::transport::signals::{ShutdownSignal, ShutdownSignals};
use rustix::process::{Signal, getpid, kill_process};

const BOUND: Duration = Duration::from_secs(20);

#[test]
fn signals_are_heard_and_after_the_drop_end_the_process_again() {
    if std::env::var_os("SIGNALS_HELPER").is_none() {
        let status =
            Command::new(std::env::current_exe().unwrap()).env("SIGNALS_HELPER", "1").status().unwrap();
        assert_eq!(status.signal(), Some(15));
        return;
    }
    for _ in 0..2 {
        let (sender, heard) = channel();
        let signals = ShutdownSignals::install(move |signal| {
            let _ = sender.send(signal);
        });
        for (raised, expected, code) in [
            (Signal::INT, ShutdownSignal::Interrupt, 130),
            (Signal::TERM, ShutdownSignal::Terminate, 143),
            (Signal::INT, ShutdownSignal::Interrupt, 130),
        ] {
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
