//! The byte driver over every kind of channel.
#![cfg(unix)]

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bytes::Bytes;
use mcpbolt::transport::lines::LineEvent;
use mcpbolt::transport::stdio::{
    Driver, DriverOptions, EndReason, Flush, InputEvent, StdioHandles, WriteOutcome,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

const BOUND: Duration = Duration::from_secs(20);

#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Line(Bytes),
    TooLong(usize),
    BatchEnd,
    WriteFailed(io::ErrorKind),
    End(&'static str),
}

fn line(text: &str) -> Seen {
    Seen::Line(Bytes::copy_from_slice(text.as_bytes()))
}

fn start(input: OwnedFd, output: OwnedFd, options: &DriverOptions) -> (Driver, Receiver<Seen>) {
    let (sender, receiver) = channel();
    let driver = Driver::start(input, output, options, move |event| {
        let tell = |seen| drop(sender.send(seen));
        match event {
            InputEvent::Batch(lines) => {
                for event in lines.drain(..) {
                    match event {
                        LineEvent::Line(line) => tell(Seen::Line(line)),
                        LineEvent::TooLong { bytes, .. } => tell(Seen::TooLong(bytes)),
                    }
                }
                tell(Seen::BatchEnd);
            }
            InputEvent::WriteFailed(error) => tell(Seen::WriteFailed(error.kind())),
            InputEvent::End(EndReason::Eof) => tell(Seen::End("eof")),
            InputEvent::End(EndReason::Stopped) => tell(Seen::End("stopped")),
            InputEvent::End(EndReason::ParentDied) => tell(Seen::End("parent died")),
            InputEvent::End(EndReason::Untaken) => tell(Seen::End("untaken")),
            InputEvent::End(EndReason::Error(_)) => tell(Seen::End("error")),
        }
    });
    (driver.unwrap(), receiver)
}

fn next(events: &Receiver<Seen>) -> Seen {
    loop {
        match events.recv_timeout(BOUND).unwrap() {
            Seen::BatchEnd => {}
            seen => return seen,
        }
    }
}

/// Reads until `length` bytes are there or nothing comes.
fn read_some(fd: &OwnedFd, length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let mut fds = [PollFd::new(fd, PollFlags::IN)];
        let bound = Timespec::try_from(BOUND).unwrap();
        assert_ne!(poll(&mut fds, Some(&bound)).unwrap(), 0, "nothing came");
        let mut buffer = vec![0; (length - bytes.len()).min(1 << 16)];
        match rustix::io::read(fd, &mut buffer).unwrap() {
            0 => break,
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
    bytes
}

/// A child of another test holds a copy of the other end for the moment of its start.
fn wait_for_closed_reader(writer: &OwnedFd) {
    let mut fds = [PollFd::new(writer, PollFlags::empty())];
    poll(&mut fds, Some(&Timespec::try_from(BOUND).unwrap())).unwrap();
    assert!(fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP));
}

fn null() -> OwnedFd {
    File::options().read(true).write(true).open("/dev/null").unwrap().into()
}

fn pipe() -> (OwnedFd, OwnedFd) {
    let (reader, writer) = io::pipe().unwrap();
    (reader.into(), writer.into())
}

fn sockets() -> (OwnedFd, OwnedFd) {
    let (one, other) = UnixStream::pair().unwrap();
    (one.into(), other.into())
}

/// The user's side and the program's side of a terminal that changes no bytes.
fn terminal() -> (OwnedFd, OwnedFd) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&user).unwrap();
    unlockpt(&user).unwrap();
    let name = ptsname(&user, Vec::new()).unwrap();
    let program = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut settings = tcgetattr(&program).unwrap();
    settings.make_raw();
    tcsetattr(&program, OptionalActions::Now, &settings).unwrap();
    (user, program.into())
}

fn reads_lines(input: OwnedFd, peer: OwnedFd) {
    let options = DriverOptions { max_line_bytes: 100, ..DriverOptions::default() };
    let (driver, events) = start(input, null(), &options);
    let mut peer = File::from(peer);
    peer.write_all(b"one\r\n\n\xFF\xFE\ntw").unwrap();
    assert_eq!(next(&events), line("one"));
    assert_eq!(next(&events), Seen::Line(Bytes::from_static(b"\xFF\xFE")));
    peer.write_all(b"o\n").unwrap();
    assert_eq!(next(&events), line("two"));
    peer.write_all(&[b'x'; 1000]).unwrap();
    peer.write_all(b"\nlast").unwrap();
    assert_eq!(next(&events), Seen::TooLong(1000));
    drop(peer);
    assert_eq!(next(&events), line("last"));
    assert_eq!(next(&events), Seen::End("eof"));
    assert!(driver.join(BOUND));
    assert_eq!(events.recv_timeout(BOUND), Err(RecvTimeoutError::Disconnected));
}

#[test]
fn reads_a_pipe() {
    let (input, peer) = pipe();
    reads_lines(input, peer);
}

#[test]
fn reads_a_socket() {
    let (input, peer) = sockets();
    reads_lines(input, peer);
}

#[test]
fn reads_a_terminal() {
    let (user, program) = terminal();
    // The last line has no line break, and a terminal drops it when its user hangs up.
    let (driver, events) = start(program, null(), &DriverOptions::default());
    let mut user = File::from(user);
    user.write_all(b"one\r\ntw").unwrap();
    assert_eq!(next(&events), line("one"));
    user.write_all(b"o\n").unwrap();
    assert_eq!(next(&events), line("two"));
    drop(user);
    assert_eq!(next(&events), Seen::End("eof"));
    assert!(driver.join(BOUND));
}

#[test]
fn reads_a_regular_file_and_dev_null() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(b"{\"a\":1}\n\nlast").unwrap();
    file.rewind().unwrap();
    let (_driver, events) = start(file.into(), null(), &DriverOptions::default());
    assert_eq!(next(&events), line("{\"a\":1}"));
    assert_eq!(next(&events), line("last"));
    assert_eq!(next(&events), Seen::End("eof"));
    let (_driver, events) = start(null(), null(), &DriverOptions::default());
    assert_eq!(next(&events), Seen::End("eof"));
}

#[test]
fn all_lines_of_one_read_come_together() {
    let (input, peer) = pipe();
    File::from(peer).write_all(b"a\nb\nc\n").unwrap();
    let (_driver, events) = start(input, null(), &DriverOptions::default());
    let seen: Vec<Seen> = (0..4).map(|_| events.recv_timeout(BOUND).unwrap()).collect();
    assert_eq!(seen, [line("a"), line("b"), line("c"), Seen::BatchEnd]);
}

#[test]
fn ten_mebibytes_in_one_line() {
    let (input, peer) = pipe();
    let (_driver, events) = start(input, null(), &DriverOptions::default());
    let mut bytes = vec![b'x'; 10 << 20];
    bytes.push(b'\n');
    File::from(peer).write_all(&bytes).unwrap();
    bytes.pop();
    assert_eq!(next(&events), Seen::Line(Bytes::from(bytes)));
}

#[test]
fn stops_at_once_from_another_thread_and_frees_the_channel() {
    for (input, peer) in [pipe(), sockets(), terminal()] {
        let (driver, events) = start(input, null(), &DriverOptions::default());
        driver.stop();
        assert_eq!(next(&events), Seen::End("stopped"));
        assert!(driver.join(BOUND));
        drop(peer);
    }
    let (input, peer) = pipe();
    let (driver, _events) = start(input, null(), &DriverOptions::default());
    drop(driver);
    wait_for_closed_reader(&peer);
}

#[test]
fn never_makes_a_shared_channel_non_blocking() {
    use rustix::fs::{OFlags, fcntl_getfl};
    for (ours, peer) in [sockets(), terminal()] {
        let shared = ours.try_clone().unwrap();
        let (driver, _events) = start(ours.try_clone().unwrap(), ours, &DriverOptions::default());
        while driver.writer().queued() < 1 << 20 {
            let _ = driver.writer().write(&[b'x'; 4096]);
        }
        assert!(!fcntl_getfl(&shared).unwrap().contains(OFlags::NONBLOCK));
        // Lets a thread out that waits for a terminal.
        drop(peer);
    }
}

fn writes_lines(output: OwnedFd, peer: &OwnedFd) {
    let (idle, _keep) = pipe();
    let (driver, _events) = start(idle, output, &DriverOptions::default());
    let writer = driver.writer();
    let outcome = writer.write_lines(&["one", "two"]);
    assert!(matches!(outcome, WriteOutcome::Written | WriteOutcome::Queued));
    assert_eq!(read_some(peer, 8), b"one\ntwo\n");
    assert_eq!(driver.close(BOUND), Flush::Complete);
    assert_eq!(writer.write(b"late\n"), WriteOutcome::Closed);
}

#[test]
fn writes_a_pipe_a_socket_and_a_terminal() {
    let (peer, output) = pipe();
    writes_lines(output, &peer);
    assert_eq!(read_some(&peer, 1), b"", "the close is seen");
    let (peer, output) = sockets();
    writes_lines(output, &peer);
    assert_eq!(read_some(&peer, 1), b"", "the close is seen");
    let (user, program) = terminal();
    writes_lines(program, &user);
}

#[test]
fn writes_a_regular_file_and_dev_null_at_once() {
    let file = tempfile::tempfile().unwrap();
    let (idle, _keep) = pipe();
    let output = file.try_clone().unwrap().into();
    let (driver, _events) = start(idle, output, &DriverOptions::default());
    let line = vec![b'x'; 1 << 20];
    assert_eq!(driver.writer().write(&line), WriteOutcome::Written);
    assert_eq!(file.metadata().unwrap().len(), 1 << 20);
    let (idle, _keep) = pipe();
    let (driver, _events) = start(idle, null(), &DriverOptions::default());
    assert_eq!(driver.writer().write(&line), WriteOutcome::Written);
}

fn slow_reader(output: OwnedFd, peer: &OwnedFd) {
    const MAX: usize = 1 << 20;
    let options = DriverOptions { max_queued_bytes: MAX, ..DriverOptions::default() };
    let (idle, _keep) = pipe();
    let (driver, _events) = start(idle, output, &options);
    let (drained, on_drained) = channel();
    driver.writer().set_on_drained(move || {
        let _ = drained.send(());
    });
    let mut sent = Vec::new();
    // Nobody reads: every write comes back at once, until the queue is full.
    for number in 0.. {
        let line = format!("{number} {}\n", "x".repeat(number % 5000));
        let outcome = if number % 2 == 0 {
            driver.writer().write(line.as_bytes())
        } else {
            driver.writer().clone().write_bytes(&Bytes::from(line.clone()))
        };
        match outcome {
            WriteOutcome::Written | WriteOutcome::Queued => sent.extend_from_slice(line.as_bytes()),
            WriteOutcome::Full => break,
            WriteOutcome::Closed => panic!("closed"),
        }
        assert!(driver.writer().queued() <= MAX);
    }
    assert!(driver.writer().queued() > MAX / 2);
    let half = sent.len() * 3 / 4;
    let mut received = read_some(peer, half);
    on_drained.recv_timeout(BOUND).unwrap();
    assert_eq!(driver.writer().write(b"end\n"), WriteOutcome::Queued);
    sent.extend_from_slice(b"end\n");
    received.extend(read_some(peer, sent.len() - half));
    assert!(received == sent, "order and bytes are kept");
    assert_eq!(driver.close(BOUND), Flush::Complete);
}

#[test]
fn slow_reader_fills_the_queue_and_then_drains_it() {
    let (peer, output) = pipe();
    slow_reader(output, &peer);
    let (peer, output) = sockets();
    slow_reader(output, &peer);
    let (user, program) = terminal();
    slow_reader(program, &user);
}

#[test]
fn one_message_above_the_queue_bound_still_gets_through() {
    let options = DriverOptions { max_queued_bytes: 1000, ..DriverOptions::default() };
    let (idle, _keep) = pipe();
    let (peer, output) = pipe();
    let (driver, _events) = start(idle, output, &options);
    let message = Bytes::from(vec![b'x'; 10 << 20]);
    assert_eq!(driver.writer().write_bytes(&message), WriteOutcome::Queued);
    assert_eq!(driver.writer().write(b"more"), WriteOutcome::Full);
    assert!(read_some(&peer, message.len()) == message);
}

#[test]
fn gone_reader_is_told_once_and_sticks() {
    for (peer, output) in [pipe(), sockets()] {
        let (idle, keep) = pipe();
        let watched = output.try_clone().unwrap();
        let (driver, events) = start(idle, output, &DriverOptions::default());
        drop(peer);
        wait_for_closed_reader(&watched);
        assert_eq!(driver.writer().write(b"x\n"), WriteOutcome::Closed);
        assert_eq!(driver.writer().write(b"x\n"), WriteOutcome::Closed);
        assert_eq!(next(&events), Seen::WriteFailed(io::ErrorKind::BrokenPipe));
        drop(keep);
        assert_eq!(next(&events), Seen::End("eof"));
    }
}

#[test]
fn reader_that_dies_with_a_full_queue_is_told() {
    let (idle, _keep) = pipe();
    let (peer, output) = pipe();
    let (driver, events) = start(idle, output, &DriverOptions::default());
    assert_eq!(driver.writer().write(&vec![b'x'; 1 << 20]), WriteOutcome::Queued);
    drop(peer);
    assert_eq!(next(&events), Seen::WriteFailed(io::ErrorKind::BrokenPipe));
    assert!(matches!(driver.close(BOUND), Flush::Lost { .. }));
}

#[test]
fn close_is_bounded_when_nobody_reads() {
    let (idle, _keep) = pipe();
    for (peer, output) in [pipe(), sockets(), terminal()] {
        let idle = idle.try_clone().unwrap();
        let (driver, _events) = start(idle, output, &DriverOptions::default());
        assert_eq!(driver.writer().write(&vec![b'x'; 1 << 20]), WriteOutcome::Queued);
        let before = Instant::now();
        let flush = driver.close(Duration::from_millis(10));
        assert!(matches!(flush, Flush::Lost { bytes } if bytes > 0));
        assert!(before.elapsed() < Duration::from_secs(5));
        drop(peer);
    }
}

#[test]
fn close_writes_what_is_queued() {
    let (idle, _keep) = pipe();
    let (peer, output) = pipe();
    let (driver, _events) = start(idle, output, &DriverOptions::default());
    assert_eq!(driver.writer().write(&vec![b'x'; 1 << 20]), WriteOutcome::Queued);
    let reader = std::thread::spawn(move || read_some(&peer, (1 << 20) + 1).len());
    assert_eq!(driver.close(BOUND), Flush::Complete);
    assert_eq!(reader.join().unwrap(), 1 << 20);
}

/// Not a test: what the child processes below run.
#[test]
fn helper() {
    let Ok(task) = std::env::var("DRIVER_HELPER") else {
        return;
    };
    let handles = StdioHandles::take().unwrap();
    let (input, output) = handles.channels().unwrap();
    let options = DriverOptions { watch_parent: task == "parent", ..DriverOptions::default() };
    let (driver, events) = start(input, output, &options);
    // What must not reach the wire, from this process and from a child.
    #[allow(clippy::print_stdout)]
    {
        println!("stray");
    }
    Command::new("sh").args(["-c", "echo child"]).status().unwrap();
    assert_eq!(io::stdin().read(&mut [0; 10]).unwrap(), 0);
    assert_eq!(StdioHandles::take().unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    let _ = driver.writer().write(b"wire: ready\n");
    loop {
        match next(&events) {
            Seen::Line(line) => {
                let line = [b"wire: ", line.as_ref(), b"\n"].concat();
                let _ = driver.writer().write(&line);
            }
            Seen::End(reason) => {
                let end = format!("wire: {reason}\n");
                let _ = driver.writer().write(end.as_bytes());
                break;
            }
            _ => {}
        }
    }
    driver.close(BOUND);
    handles.restore().unwrap();
    let mut out = io::stdout();
    out.write_all(b"wire: restored\n").unwrap();
    out.flush().unwrap();
    std::process::exit(0);
}

/// A command that runs [`helper`] through a shell line, in which `"$0" "$@"` is it.
fn helper_command(task: &str, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(script);
    command.arg(std::env::current_exe().unwrap());
    command.args(["--exact", "helper", "--nocapture", "--test-threads=1"]);
    command.env("DRIVER_HELPER", task);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The lines on the wire, without what the test harness says before it is taken.
fn wire_lines(output: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(output)
        .lines()
        .skip_while(|line| !line.contains("wire: "))
        .map(|line| line[line.find("wire: ").unwrap_or(0)..].to_owned())
        .collect()
}

#[test]
fn stray_output_goes_to_standard_error() {
    let mut child = helper_command("echo", "exec \"$0\" \"$@\"").spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"hello\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let expected = ["wire: ready", "wire: hello", "wire: eof", "wire: restored"];
    assert_eq!(wire_lines(&output.stdout), expected);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("stray\n") && stderr.contains("child\n"));
}

#[test]
fn closed_standard_input_is_an_end_and_closed_standard_error_is_no_problem() {
    let command = helper_command("echo", "exec \"$0\" \"$@\" <&- 2>&-");
    let output = { command }.output().unwrap();
    let expected = ["wire: ready", "wire: eof", "wire: restored"];
    assert_eq!(wire_lines(&output.stdout), expected);
}

#[test]
fn dead_parent_is_noticed_while_someone_else_holds_the_input() {
    let script = "exec 3<&0; \"$0\" \"$@\" <&3 & wait";
    let mut shell = helper_command("parent", script).spawn().unwrap();
    let _held = shell.stdin.take().unwrap();
    let stdout = OwnedFd::from(shell.stdout.take().unwrap());
    let mut seen = Vec::new();
    let mut wait_for = |text: &[u8]| {
        while !seen.windows(text.len()).any(|window| window == text) {
            let byte = read_some(&stdout.as_fd().try_clone_to_owned().unwrap(), 1);
            assert!(!byte.is_empty(), "ended before {text:?}");
            seen.extend(byte);
        }
    };
    wait_for(b"wire: ready");
    shell.kill().unwrap();
    shell.wait().unwrap();
    wait_for(b"wire: parent died");
}
