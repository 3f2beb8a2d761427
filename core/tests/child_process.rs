//! Child processes over the byte driver.
#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use mcpbolt::transport::child_process::{
    ChildEvent, ChildOptions, ChildProcess, EnvPolicy, SpawnError, StderrMode,
};
use mcpbolt::transport::lines::LineEvent;
use mcpbolt::transport::stdio::WriteOutcome;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

const BOUND: Duration = Duration::from_secs(20);
const SOON: Duration = Duration::from_millis(20);

#[derive(Debug, PartialEq)]
enum Seen {
    Line(String),
    Stderr(String),
    WriteFailed,
    End,
    Exited(Option<ExitStatus>, Vec<String>),
}

fn line(text: &str) -> Seen {
    Seen::Line(text.to_owned())
}

fn see(event: ChildEvent<'_>) -> Vec<Seen> {
    let text = |event: &LineEvent| match event {
        LineEvent::Line(line) => String::from_utf8_lossy(line).into_owned(),
        LineEvent::TooLong { bytes, .. } => format!("too long: {bytes}"),
    };
    match event {
        ChildEvent::Batch(lines) => lines.iter().map(|line| Seen::Line(text(line))).collect(),
        ChildEvent::Stderr(lines) => lines.iter().map(|line| Seen::Stderr(text(line))).collect(),
        ChildEvent::WriteFailed(_) => vec![Seen::WriteFailed],
        ChildEvent::End(_) => vec![Seen::End],
        ChildEvent::Exited(exit) => vec![Seen::Exited(exit.status, exit.stderr.clone())],
    }
}

fn spawn(options: ChildOptions) -> (ChildProcess, Receiver<Seen>) {
    let (sender, receiver) = channel();
    let child = ChildProcess::spawn(options, move |event| {
        for seen in see(event) {
            let _ = sender.send(seen);
        }
    });
    (child.unwrap(), receiver)
}

fn shell(script: &str) -> ChildOptions {
    let mut options = ChildOptions::new("sh");
    options.args = vec!["-c".into(), script.into()];
    options.stderr = StderrMode::Capture { lines: 3 };
    options
}

fn impatient(script: &str) -> ChildOptions {
    let mut options = shell(script);
    options.close_grace = SOON;
    options.kill_grace = SOON;
    options
}

fn next(events: &Receiver<Seen>) -> Seen {
    events.recv_timeout(BOUND).unwrap()
}

/// All events up to the last.
fn rest(events: &Receiver<Seen>) -> Vec<Seen> {
    let mut all = Vec::new();
    while !matches!(all.last(), Some(Seen::Exited(..))) {
        all.push(next(events));
    }
    all
}

/// A process that can be waited for though it is not our child.
fn watch(events: &Receiver<Seen>) -> OwnedFd {
    let Seen::Line(number) = next(events) else {
        panic!("no process id");
    };
    let pid = Pid::from_raw(number.trim().parse().unwrap()).unwrap();
    pidfd_open(pid, PidfdFlags::empty()).unwrap()
}

fn is_gone(process: &OwnedFd) -> bool {
    let mut fds = [PollFd::new(process, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec::try_from(BOUND).unwrap())).unwrap() == 1
}

#[test]
fn speaks_with_a_child_that_exits_when_its_input_ends() {
    let (child, events) = spawn(ChildOptions::new("cat"));
    assert_eq!(child.writer().write_lines(&["one", "two"]), WriteOutcome::Written);
    assert_eq!((next(&events), next(&events)), (line("one"), line("two")));
    assert!(!child.has_exited());
    let status = child.close().unwrap().unwrap();
    assert!(status.success());
    assert_eq!(rest(&events), [Seen::End, Seen::Exited(Some(status), Vec::new())]);
    assert_eq!(child.close().unwrap(), Some(status), "closing twice is harmless");
    assert_eq!(child.writer().write(b"late\n"), WriteOutcome::Closed);
    let zombie = format!("/proc/{}", child.id());
    assert!(!Path::new(&zombie).exists(), "its status is collected");
}

#[test]
fn exit_is_noticed_with_all_output_before_it() {
    let script = "for n in 1 2 3 4; do echo err$n >&2; done; echo out; printf last; exit 3";
    let (child, events) = spawn(shell(script));
    let mut all = rest(&events);
    let kept = ["err2", "err3", "err4"].map(str::to_owned).to_vec();
    let exit = all.pop().unwrap();
    assert_eq!(exit, Seen::Exited(Some(ExitStatus::from_raw(3 << 8)), kept));
    let lines: Vec<_> = all.iter().filter(|seen| matches!(seen, Seen::Line(_))).collect();
    assert_eq!(lines, [&line("out"), &line("last")]);
    assert!(all.contains(&Seen::Stderr("err1".to_owned())));
    assert!(child.has_exited());
    assert_eq!(child.close().unwrap().unwrap().code(), Some(3));
}

#[test]
fn term_then_kill() {
    let (child, events) = spawn(impatient("echo ready; exec tail -f /dev/null"));
    assert_eq!(next(&events), line("ready"));
    assert_eq!(child.close().unwrap().unwrap().signal(), Some(15));
    let (child, events) = spawn(impatient("trap '' TERM; echo ready; exec tail -f /dev/null"));
    assert_eq!(next(&events), line("ready"));
    assert_eq!(child.close().unwrap().unwrap().signal(), Some(9));
    assert!(matches!(rest(&events).pop(), Some(Seen::Exited(..))));
}

#[test]
fn close_is_bounded_when_the_child_never_reads() {
    let (child, events) = spawn(impatient("echo ready; exec tail -f /dev/null"));
    assert_eq!(next(&events), line("ready"));
    assert_eq!(child.writer().write(&vec![b'x'; 1 << 20]), WriteOutcome::Queued);
    let before = Instant::now();
    assert_eq!(child.close().unwrap().unwrap().signal(), Some(15));
    assert!(before.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_whole_group_ends() {
    // Closed: the child and its own child ignore SIGTERM.
    let script = "trap '' TERM; tail -f /dev/null & echo $!; wait";
    let (child, events) = spawn(impatient(script));
    let grandchild = watch(&events);
    child.close().unwrap();
    assert!(is_gone(&grandchild));
    // Exited by itself: what it leaves behind does not delay the news.
    let (child, events) = spawn(shell("tail -f /dev/null & echo $!; read x"));
    let grandchild = watch(&events);
    assert_eq!(child.writer().write(b"go\n"), WriteOutcome::Written);
    assert!(matches!(rest(&events).pop(), Some(Seen::Exited(..))));
    assert!(is_gone(&grandchild));
    // Dropped.
    let (child, events) = spawn(shell("echo $$; tail -f /dev/null & echo $!; wait"));
    let (leader, grandchild) = (watch(&events), watch(&events));
    drop(child);
    assert!(is_gone(&leader) && is_gone(&grandchild));
    assert!(matches!(rest(&events).pop(), Some(Seen::Exited(..))));
}

#[test]
fn exit_is_told_though_a_daemon_holds_the_output() {
    let (child, events) = spawn(shell("setsid sh -c 'echo $$; exec tail -f /dev/null' & read x"));
    let daemon = watch(&events);
    assert_eq!(child.writer().write(b"go\n"), WriteOutcome::Written);
    let seen = rest(&events);
    assert!(matches!(seen.last(), Some(Seen::Exited(Some(status), _)) if status.success()));
    child.close().unwrap();
    rustix::process::pidfd_send_signal(&daemon, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn closing_from_many_threads_and_from_an_event() {
    let child: Arc<OnceLock<ChildProcess>> = Arc::default();
    let (sender, receiver) = channel();
    let own = Arc::clone(&child);
    let spawned = ChildProcess::spawn(ChildOptions::new("cat"), move |event| {
        let closes = matches!(event, ChildEvent::Batch(_) | ChildEvent::Exited(_));
        let exited = matches!(event, ChildEvent::Exited(_));
        if closes {
            let status = own.get().unwrap().close().unwrap();
            sender.send((exited, status)).unwrap();
        }
    });
    child.set(spawned.unwrap()).unwrap();
    assert_eq!(child.get().unwrap().writer().write(b"close\n"), WriteOutcome::Written);
    let closers = [(); 4].map(|()| {
        let child = Arc::clone(&child);
        std::thread::spawn(move || child.get().unwrap().close().unwrap())
    });
    for closer in closers {
        assert!(closer.join().unwrap().unwrap().success());
    }
    loop {
        let (exited, status) = receiver.recv_timeout(BOUND).unwrap();
        assert!(status.unwrap().success());
        if exited {
            break;
        }
    }
}

#[test]
fn child_that_stops_reading_is_told() {
    let (child, events) = spawn(shell("exec <&-; echo closed; exec tail -f /dev/null"));
    assert_eq!(next(&events), line("closed"));
    // A child of another test holds a copy of the pipe for the moment of its start.
    let deadline = Instant::now() + BOUND;
    while child.writer().write(b"x\n") != WriteOutcome::Closed {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    assert_eq!(next(&events), Seen::WriteFailed);
}

#[test]
fn environment_is_an_allow_list() {
    let names = |inherit| {
        let mut options = ChildOptions::new("/usr/bin/env");
        options.inherit = inherit;
        options.env.insert("EXTRA".into(), "1".into());
        let (_child, events) = spawn(options);
        let mut names = Vec::new();
        for seen in rest(&events) {
            if let Seen::Line(line) = seen {
                names.extend(line.split_once('=').map(|(name, _)| name.to_owned()));
            }
        }
        names.sort();
        names
    };
    let listed = ["EXTRA", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
    let allowed = names(EnvPolicy::AllowList);
    assert!(allowed.iter().all(|name| listed.contains(&name.as_str())), "{allowed:?}");
    assert!(allowed.contains(&"PATH".to_owned()) && allowed.contains(&"EXTRA".to_owned()));
    assert_eq!(names(EnvPolicy::Nothing), ["EXTRA"]);
    let all = names(EnvPolicy::All);
    assert!(std::env::vars().all(|(name, _)| all.contains(&name)));
}

#[test]
fn errors_name_the_command_and_nothing_else() {
    let fail = |mut options: ChildOptions| {
        options.args.push("--token=canary".into());
        options.env.insert("TOKEN".into(), "canary".into());
        let error = ChildProcess::spawn(options, |_| {}).unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(!text.contains("canary"), "{text}");
        error
    };
    let error = fail(ChildOptions::new("no-such-server"));
    assert!(matches!(error, SpawnError::NotFound { .. }));
    assert_eq!(error.to_string(), "command not found: \"no-such-server\"");
    let error = fail(ChildOptions::new("/dev/null"));
    assert!(error.to_string().starts_with("cannot start \"/dev/null\": "));
    let mut options = ChildOptions::new("cat");
    options.cwd = Some("/no/such/directory".into());
    assert!(matches!(fail(options), SpawnError::NoDirectory { .. }));
}

#[test]
fn options_reach_the_child() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut options = shell("pwd; echo to the file >&2");
    options.cwd = Some(directory.path().to_owned());
    options.stderr = StderrMode::File(std::fs::File::create(&log).unwrap());
    options.max_line_bytes = 4096;
    let (child, events) = spawn(options);
    let wanted = directory.path().canonicalize().unwrap();
    assert_eq!(next(&events), line(wanted.to_str().unwrap()));
    assert!(matches!(rest(&events).pop(), Some(Seen::Exited(_, kept)) if kept.is_empty()));
    assert!(child.close().unwrap().unwrap().success());
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "to the file\n");
    let mut options = shell("printf '%s\n' \"$0\"");
    options.args.push(OsString::from("an argument"));
    assert_eq!(next(&spawn(options).1), line("an argument"));
}
