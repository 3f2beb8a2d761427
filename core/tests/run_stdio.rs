//! A program whose main function serves stdio: started by hand, and ended in every way at once.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use mcpbolt::server::Server;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

const BOUND: Duration = Duration::from_secs(20);
/// How often the input ends and the signal comes at the same time.
const TRIES: usize = 40;
const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

/// Runs as the child process of the tests below.
#[test]
#[ignore = "a server on stdin and stdout"]
fn child_server() {
    std::process::exit(Server::builder("s", "1").build().run_stdio().expect("stdio"));
}

fn child(stdin: impl Into<Stdio>) -> Child {
    Command::new(std::env::current_exe().expect("a program"))
        .args(["child_server", "--exact", "--ignored", "--nocapture"])
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts")
}

fn ended(child: &mut Child) -> ExitStatus {
    let end = Instant::now() + BOUND;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            panic!("the server did not end");
        }
        std::thread::yield_now();
    }
}

fn said(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().expect("stderr").read_to_string(&mut text).expect("text");
    text
}

/// Waits until it serves: signals are its own from then on, or a moment later.
fn serving(child: &mut Child) -> BufReader<std::process::ChildStdout> {
    child.stdin.as_mut().expect("stdin").write_all(PING).expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("stdout"));
    let mut line = String::new();
    while !line.contains("\"result\"") {
        line.clear();
        assert!(output.read_line(&mut line).expect("a line") > 0, "it ended");
    }
    output
}

#[test]
fn started_by_hand_it_says_what_it_waits_for_and_under_a_client_it_says_nothing() {
    let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&user).expect("a terminal");
    unlockpt(&user).expect("a terminal");
    let name = ptsname(&user, Vec::new()).expect("a terminal");
    let terminal =
        File::options().read(true).write(true).open(name.to_str().expect("a name")).expect("opens");
    let mut by_hand = child(terminal);
    let mut stderr = BufReader::new(by_hand.stderr.take().expect("stderr"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("a line");
    assert!(line.contains("@modelcontextprotocol/inspector") && line.contains("run_http"), "{line}");
    kill_process(Pid::from_child(&by_hand), Signal::KILL).expect("alive");
    ended(&mut by_hand);

    let mut under_a_client = child(Stdio::piped());
    drop(under_a_client.stdin.take());
    assert_eq!(ended(&mut under_a_client).code(), Some(0));
    assert_eq!(said(&mut under_a_client), "");
}

#[test]
fn a_signal_together_with_the_end_of_input_ends_it() {
    for turn in 0..TRIES {
        let mut child = child(Stdio::piped());
        let output = serving(&mut child);
        let pid = Pid::from_child(&child);
        if turn % 2 == 0 {
            drop(child.stdin.take());
            let _ = kill_process(pid, Signal::TERM);
        } else {
            let _ = kill_process(pid, Signal::TERM);
            drop(child.stdin.take());
        }
        let status = ended(&mut child);
        // Before it listens to signals, and after it has stopped to, the signal ends it as any program.
        assert!(matches!(status.code(), Some(0 | 143)) || status.signal() == Some(15), "{status:?}");
        drop(output);
    }
}
