//! A driver that reads nothing while too much waits to be written.
#![cfg(unix)]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use bytes::Bytes;
use mcpbolt::transport::lines::LineEvent;
use mcpbolt::transport::stdio::{Driver, DriverOptions, EndReason, InputEvent, Pause, WriteOutcome};

const BOUND: Duration = Duration::from_secs(20);

#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Line(Bytes),
    WriteFailed(io::ErrorKind),
    Untaken,
    Stopped,
    End(String),
}

fn start(input: OwnedFd, output: OwnedFd, options: &DriverOptions) -> (Driver, Receiver<Seen>) {
    let (sender, receiver) = channel();
    let driver = Driver::start(input, output, options, move |event| {
        let tell = |seen| drop(sender.send(seen));
        match event {
            InputEvent::Batch(lines) => {
                for line in lines.drain(..) {
                    let LineEvent::Line(line) = line else { panic!("{line:?}") };
                    tell(Seen::Line(line));
                }
            }
            InputEvent::WriteFailed(error) => tell(Seen::WriteFailed(error.kind())),
            InputEvent::End(EndReason::Untaken) => tell(Seen::Untaken),
            InputEvent::End(EndReason::Stopped) => tell(Seen::Stopped),
            InputEvent::End(reason) => tell(Seen::End(format!("{reason:?}"))),
        }
    });
    (driver.unwrap(), receiver)
}

fn pipe() -> (OwnedFd, OwnedFd) {
    let (reader, writer) = io::pipe().unwrap();
    (reader.into(), writer.into())
}

/// Beyond the bound nothing is refused and nothing is read; what is taken makes room again.
#[test]
fn reading_pauses_while_too_much_waits_to_be_written() {
    let pause = Pause { bytes: 1 << 20, patience: BOUND };
    let options = DriverOptions { max_queued_bytes: 1000, pause: Some(pause), ..DriverOptions::default() };
    let (input, feed) = pipe();
    let (mut peer, output) = UnixStream::pair().unwrap();
    let (driver, events) = start(input, output.into(), &options);
    let reply = Bytes::from(vec![b'x'; 1 << 20]);
    assert_eq!(driver.writer().write_always(&reply), WriteOutcome::Queued);
    assert_eq!(driver.writer().write_always(&reply), WriteOutcome::Queued);
    File::from(feed).write_all(b"next\n").unwrap();
    assert_eq!(
        events.recv_timeout(Duration::from_millis(200)),
        Err(RecvTimeoutError::Timeout),
        "nothing is read now"
    );
    peer.read_exact(&mut vec![0; 2 << 20]).unwrap();
    assert_eq!(events.recv_timeout(BOUND).unwrap(), Seen::Line("next".into()));
    assert!(driver.writer().flush(BOUND));
}

#[test]
fn a_peer_that_takes_nothing_ends_a_pause_for_good() {
    let pause = Pause { bytes: 1000, patience: Duration::from_millis(50) };
    let options = DriverOptions { pause: Some(pause), ..DriverOptions::default() };
    let (idle, _keep) = pipe();
    let (_peer, output) = pipe();
    let (driver, events) = start(idle, output, &options);
    assert_eq!(driver.writer().write_always(&vec![b'x'; 1 << 20].into()), WriteOutcome::Queued);
    assert_eq!(events.recv_timeout(BOUND).unwrap(), Seen::Untaken);
    assert!(!driver.writer().flush(Duration::from_millis(10)));
}

#[test]
fn a_pause_ends_with_its_driver() {
    let pause = Pause { bytes: 1000, patience: BOUND };
    let options = DriverOptions { pause: Some(pause), ..DriverOptions::default() };
    for peer_leaves in [false, true] {
        let (idle, _keep) = pipe();
        let (peer, output) = pipe();
        let (driver, events) = start(idle, output, &options);
        assert_eq!(driver.writer().write_always(&vec![b'x'; 1 << 20].into()), WriteOutcome::Queued);
        if peer_leaves {
            drop(peer);
            assert_eq!(events.recv_timeout(BOUND).unwrap(), Seen::WriteFailed(io::ErrorKind::BrokenPipe));
        }
        driver.stop();
        assert_eq!(events.recv_timeout(BOUND).unwrap(), Seen::Stopped);
    }
}
