//! What the driver needs from Windows, where standard handles are plain blocking ones.
//!
//! Owns: blocking reads and writes. Must not know: lines, queues, threads. A wait
//! cannot be ended from another thread here: a stopped reader ends with its next read.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::windows::io::{AsHandle, OwnedHandle};
use std::time::Duration;

use super::waited::Waited;

/// A byte channel: a handle.
pub type Channel = OwnedHandle;

#[derive(Debug)]
pub(super) struct Wake;

impl Wake {
    #[allow(clippy::unnecessary_wraps)] // the same shape as on Unix
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    #[allow(clippy::unused_self)]
    pub(super) fn wake(&self) {}
}

#[derive(Debug)]
pub(super) struct ParentWatch;

impl ParentWatch {
    pub(super) fn new() -> Self {
        Self
    }

    #[allow(clippy::unused_self)]
    pub(super) fn is_gone(&self) -> bool {
        false
    }
}

#[derive(Debug)]
pub(super) struct Input {
    file: File,
}

impl Input {
    pub(super) fn new(handle: OwnedHandle) -> Self {
        Self { file: File::from(handle) }
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    pub(super) fn wait(&self, _: &Wake, _: Option<Duration>) -> io::Result<Waited> {
        Ok(Waited::Data)
    }

    pub(super) fn read(&self, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let start = buffer.len();
        buffer.resize(buffer.capacity(), 0);
        let result = (&self.file).read(&mut buffer[start..]);
        buffer.truncate(start + result.as_ref().copied().unwrap_or(0));
        match result {
            Ok(length) => Ok(Some(length)),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Some(0)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[derive(Debug)]
pub(super) struct Output {
    file: File,
}

impl Output {
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn new(handle: OwnedHandle) -> io::Result<Self> {
        Ok(Self { file: File::from(handle) })
    }

    #[allow(clippy::unused_self)]
    pub(super) fn never_blocks(&self) -> bool {
        false
    }

    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.file).write(bytes)
    }

    #[allow(clippy::unused_self)]
    pub(super) fn unread(&self) -> Option<usize> {
        None
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    pub(super) fn wait(&self, _: &Wake) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn private_stdio() -> io::Result<(OwnedHandle, OwnedHandle)> {
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    Ok((input, output))
}

#[allow(clippy::unnecessary_wraps)]
pub(super) fn divert_stdio() -> io::Result<()> {
    Ok(())
}

#[allow(clippy::unnecessary_wraps)]
pub(super) fn restore_stdio(_: &OwnedHandle, _: &OwnedHandle) -> io::Result<()> {
    Ok(())
}

pub(super) fn duplicate(channel: &OwnedHandle) -> io::Result<OwnedHandle> {
    channel.try_clone()
}
