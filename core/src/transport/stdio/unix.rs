//! What the driver needs from a Unix kernel.
//!
//! Owns: waiting, reading, and writing what the kernel takes without blocking, on
//! pipes, sockets, terminals, files and other devices. Must not know: lines, queues,
//! threads.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::FileType;
use rustix::io::{Errno, retry_on_intr};
use rustix::net::SendFlags;

use super::waited::Waited;

/// A byte channel: a file descriptor.
pub type Channel = OwnedFd;

/// A pipe that polls writable takes this much without blocking.
const PIPE_PIECE: usize = rustix::pipe::PIPE_BUF;

/// Ends the wait of one thread from another.
#[derive(Debug)]
pub(super) struct Wake {
    sender: UnixStream,
    receiver: UnixStream,
}

impl Wake {
    pub(super) fn new() -> io::Result<Self> {
        let (sender, receiver) = UnixStream::pair()?;
        sender.set_nonblocking(true)?;
        receiver.set_nonblocking(true)?;
        Ok(Self { sender, receiver })
    }

    pub(super) fn wake(&self) {
        // A full socket already wakes.
        let _ = (&self.sender).write(&[1]);
    }

    fn clear(&self) {
        let mut bytes = [0; 64];
        while matches!((&self.receiver).read(&mut bytes), Ok(64)) {}
    }
}

/// True when the process that started this one is not the one it was.
#[derive(Debug)]
pub(super) struct ParentWatch(Option<rustix::process::Pid>);

impl ParentWatch {
    pub(super) fn new() -> Self {
        Self(rustix::process::getppid())
    }

    pub(super) fn is_gone(&self) -> bool {
        rustix::process::getppid() != self.0
    }
}

/// The reading side.
#[derive(Debug)]
pub(super) struct Input {
    fd: OwnedFd,
}

impl Input {
    pub(super) fn new(fd: OwnedFd) -> Self {
        Self { fd }
    }

    /// Waits for bytes, the end of input, a wake, or the timeout.
    pub(super) fn wait(&self, wake: &Wake, timeout: Option<Duration>) -> io::Result<Waited> {
        let mut fds = [PollFd::new(&self.fd, PollFlags::IN), PollFd::new(&wake.receiver, PollFlags::IN)];
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Waited::Nothing),
            Err(error) => return Err(error.into()),
        }
        let (data, woken) = (!fds[0].revents().is_empty(), !fds[1].revents().is_empty());
        if woken {
            wake.clear();
        }
        Ok(match (data, woken) {
            (true, _) => Waited::Data,
            (false, true) => Waited::Woken,
            (false, false) => Waited::Nothing,
        })
    }

    /// Appends what is there to the spare capacity of `buffer`. `Some(0)` is the end of
    /// input; `None` means that nothing was there after all.
    pub(super) fn read(&self, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        match rustix::io::read(&self.fd, spare_capacity(buffer)) {
            Ok(length) => Ok(Some(length)),
            Err(Errno::INTR | Errno::AGAIN) => Ok(None),
            // A terminal whose other side closed, a socket whose peer died.
            Err(Errno::IO | Errno::CONNRESET) => Ok(Some(0)),
            Err(error) => Err(error.into()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Socket,
    Pipe,
    File,
    Terminal,
    Device,
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Output {
    fd: OwnedFd,
    kind: Kind,
    /// The kernel knows non-blocking writes per call on this pipe (Linux 6.4).
    nowait: AtomicBool,
    pipe_size: usize,
}

impl Output {
    pub(super) fn new(fd: OwnedFd) -> io::Result<Self> {
        let kind = match FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) {
            FileType::Socket => Kind::Socket,
            FileType::Fifo => Kind::Pipe,
            FileType::RegularFile => Kind::File,
            _ if rustix::termios::isatty(&fd) => Kind::Terminal,
            _ => Kind::Device,
        };
        let nowait = AtomicBool::new(cfg!(target_os = "linux") && kind == Kind::Pipe);
        let pipe_size = if kind == Kind::Pipe { pipe_size(&fd) } else { 0 };
        Ok(Self { fd, kind, nowait, pipe_size })
    }

    /// Whether [`Output::try_write`] never blocks. A terminal may: what it has room
    /// for cannot be asked.
    pub(super) fn never_blocks(&self) -> bool {
        self.kind != Kind::Terminal
    }

    /// Writes what the kernel takes now; zero when that is nothing.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < bytes.len() {
            match self.write_once(&bytes[written..]) {
                Ok(0) | Err(Errno::AGAIN) => break,
                Ok(length) => written += length,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(written)
    }

    /// How many bytes the other side has still to read, or never did before it ended. Only
    /// Linux tells the writing side.
    #[cfg(target_os = "linux")]
    pub(super) fn unread(&self) -> Option<usize> {
        let told = rustix::io::ioctl_fionread(&self.fd).ok().filter(|_| self.kind == Kind::Pipe);
        told.and_then(|unread| usize::try_from(unread).ok())
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self)] // the same shape as on Linux
    pub(super) fn unread(&self) -> Option<usize> {
        None
    }

    /// Waits until the kernel takes something again, or for a wake.
    pub(super) fn wait(&self, wake: &Wake) -> io::Result<()> {
        let mut fds = [PollFd::new(&self.fd, PollFlags::OUT), PollFd::new(&wake.receiver, PollFlags::IN)];
        retry_on_intr(|| poll(&mut fds, None))?;
        if !fds[1].revents().is_empty() {
            wake.clear();
        }
        Ok(())
    }

    fn write_once(&self, bytes: &[u8]) -> Result<usize, Errno> {
        match self.kind {
            Kind::File => rustix::io::write(&self.fd, bytes),
            Kind::Socket => rustix::net::send(&self.fd, bytes, socket_flags()),
            Kind::Pipe => self.write_pipe(bytes),
            Kind::Terminal | Kind::Device => self.write_polled(bytes),
        }
    }

    fn write_pipe(&self, bytes: &[u8]) -> Result<usize, Errno> {
        if self.nowait.load(Ordering::Relaxed) {
            match write_nowait(&self.fd, bytes) {
                Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL | Errno::SPIPE) => {
                    self.nowait.store(false, Ordering::Relaxed);
                }
                result => return result,
            }
        }
        match pipe_room(&self.fd, self.pipe_size) {
            room if room > PIPE_PIECE => rustix::io::write(&self.fd, &bytes[..bytes.len().min(room)]),
            _ => self.write_polled(bytes),
        }
    }

    fn write_polled(&self, bytes: &[u8]) -> Result<usize, Errno> {
        let mut fds = [PollFd::new(&self.fd, PollFlags::OUT)];
        if poll(&mut fds, Some(&Timespec::default()))? == 0 {
            return Ok(0);
        }
        rustix::io::write(&self.fd, &bytes[..bytes.len().min(PIPE_PIECE)])
    }
}

fn socket_flags() -> SendFlags {
    #[cfg(target_vendor = "apple")]
    return SendFlags::DONTWAIT;
    #[cfg(not(target_vendor = "apple"))]
    return SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
}

#[cfg(target_os = "linux")]
fn write_nowait(fd: &OwnedFd, bytes: &[u8]) -> Result<usize, Errno> {
    use rustix::io::{ReadWriteFlags, pwritev2};
    let bytes = [io::IoSlice::new(bytes)];
    pwritev2(fd, &bytes, u64::MAX, ReadWriteFlags::NOWAIT)
}

#[cfg(not(target_os = "linux"))]
fn write_nowait(_: &OwnedFd, _: &[u8]) -> Result<usize, Errno> {
    Err(Errno::NOSYS)
}

/// The size of a pipe whose room can be told; zero for others.
#[cfg(target_os = "linux")]
fn pipe_size(fd: &OwnedFd) -> usize {
    use rustix::fs::{OFlags, fcntl_getfl};
    // In packet mode no two writes share a page.
    if !fcntl_getfl(fd).is_ok_and(|flags| !flags.contains(OFlags::DIRECT)) {
        return 0;
    }
    rustix::pipe::fcntl_getpipe_size(fd).unwrap_or(0)
}

/// How many bytes a blocking write to a pipe takes for certain without waiting; zero
/// when that cannot be told.
///
/// A pipe is a ring of pages. The tail page takes small writes while they fit, so two
/// neighbouring pages hold more than one page of bytes together: the unread bytes bound
/// the pages in use. Two more pages are for a half-read head and an odd tail.
#[cfg(target_os = "linux")]
fn pipe_room(fd: &OwnedFd, size: usize) -> usize {
    match rustix::io::ioctl_fionread(fd).map(usize::try_from) {
        Ok(Ok(0)) => size,
        Ok(Ok(unread)) => {
            let page = rustix::param::page_size();
            size.saturating_sub((2 * unread.div_ceil(page) + 2) * page)
        }
        _ => 0,
    }
}

#[cfg(not(target_os = "linux"))]
fn pipe_size(_: &OwnedFd) -> usize {
    0
}

#[cfg(not(target_os = "linux"))]
fn pipe_room(_: &OwnedFd, _: usize) -> usize {
    0
}

/// Copies of the process's standard input and output that no child inherits.
pub(super) fn private_stdio() -> io::Result<(OwnedFd, OwnedFd)> {
    // Above 2, so that a process started without standard error does not get the wire
    // as its standard error.
    let input = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let output = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    Ok((input, output))
}

/// Points standard input at nothing and standard output at standard error.
pub(super) fn divert_stdio() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    match rustix::stdio::dup2_stdout(rustix::stdio::stderr()) {
        Err(Errno::BADF) => rustix::stdio::dup2_stdout(&null)?,
        result => result?,
    }
    Ok(())
}

/// Points standard input and output back at where they were.
pub(super) fn restore_stdio(input: &OwnedFd, output: &OwnedFd) -> io::Result<()> {
    rustix::stdio::dup2_stdin(input)?;
    rustix::stdio::dup2_stdout(output)?;
    Ok(())
}

/// Another handle of the same channel, not inherited by children.
pub(super) fn duplicate(channel: &OwnedFd) -> io::Result<OwnedFd> {
    channel.as_fd().try_clone_to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe whose pages are used as badly as small writes can: the estimate must
    /// never promise more than a non-blocking write takes.
    #[test]
    #[cfg(target_os = "linux")]
    fn pipe_room_is_never_more_than_the_pipe_takes() {
        let page = rustix::param::page_size();
        for (first, second) in [(page - 1, 2), (1, page), (100, 100), (1, 1), (page, 3)] {
            for pairs in 0..20 {
                let (reader, writer) = rustix::pipe::pipe().unwrap();
                for length in [first, second].repeat(pairs) {
                    let _ = write_nowait(&writer, &vec![b'x'; length]);
                }
                let mut head = [0; 10];
                if pairs > 2 {
                    rustix::io::read(&reader, &mut head).unwrap();
                }
                let room = pipe_room(&writer, pipe_size(&writer));
                if room > 0 {
                    let taken = write_nowait(&writer, &vec![b'y'; room]);
                    assert_eq!(taken, Ok(room), "{first} {second} {pairs}");
                }
            }
        }
    }

    /// Kernels without non-blocking writes per call: still one write for a batch, still
    /// never blocked.
    #[test]
    fn older_kernels_write_a_batch_at_once_and_never_block() {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let output = Output::new(writer).unwrap();
        output.nowait.store(false, Ordering::Relaxed);
        let batch = vec![b'x'; 6400];
        if cfg!(target_os = "linux") {
            assert_eq!(output.write_once(&batch).unwrap(), 6400);
            assert_eq!(output.write_once(&batch).unwrap(), 6400);
        }
        let mut written = 0;
        for _ in 0..100 {
            written += output.try_write(&batch).unwrap();
        }
        assert!(written > 0 && written < 640_000);
        assert_eq!(output.try_write(&batch).unwrap(), 0);
        drop(reader);
        assert_eq!(output.try_write(&batch).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn new_kernels_write_a_batch_with_one_call() {
        let (_reader, writer) = rustix::pipe::pipe().unwrap();
        let output = Output::new(writer).unwrap();
        assert_eq!(output.write_once(&[b'x'; 6400]).unwrap(), 6400);
    }
}
