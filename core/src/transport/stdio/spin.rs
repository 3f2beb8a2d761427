//! Looking for input before sleeping until there is some.
//!
//! Owns: whether that pays, and for how long. Must not know: what is read, or what it causes.
//!
//! Waking a processor that sleeps takes longer than most calls do. A client that asks the next thing
//! as soon as it has an answer gets it sooner from a thread that is still awake.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::system::{Input, Wake};

/// How a thread waits for input.
pub(super) struct Spin {
    /// The longest look. Zero: it sleeps at once.
    most: Duration,
    /// What came last came within that time.
    pays: bool,
}

impl Spin {
    /// Looks for so long at most, and not at all where nothing else could run meanwhile.
    pub(super) fn new(most: Duration) -> Self {
        let alone = thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
        let most = if cfg!(windows) || alone { Duration::ZERO } else { most };
        Self { most, pays: false }
    }

    /// As [`Input::wait`]. Once nothing came for as long as it looks, it sleeps, until something comes
    /// sooner than that again.
    pub(super) fn wait(&mut self, input: &Input, wake: &Wake, timeout: Option<Duration>) -> io::Result<bool> {
        if self.most.is_zero() {
            return input.wait(wake, timeout);
        }
        let began = Instant::now();
        while self.pays {
            if input.is_ready(wake)? {
                return input.wait(wake, timeout);
            }
            self.pays = began.elapsed() < self.most;
            thread::yield_now();
        }
        let ready = input.wait(wake, timeout)?;
        self.pays = ready && began.elapsed() < self.most;
        Ok(ready)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn it_stays_awake_after_what_came_soon_and_not_after_a_look_in_vain() -> io::Result<()> {
        let (mut reader, mut writer) = io::pipe()?;
        let (input, wake) = (Input::new(reader.try_clone()?.into()), Wake::new()?);
        let mut spin = Spin { most: Duration::from_millis(20), pays: false };
        assert!(!spin.wait(&input, &wake, Some(Duration::ZERO))? && !spin.pays);
        spin.most = Duration::from_mins(1);
        writer.write_all(b"x")?;
        assert!(spin.wait(&input, &wake, None)? && spin.pays);
        // Still awake, it finds what is there.
        assert!(spin.wait(&input, &wake, None)? && spin.pays);
        reader.read_exact(&mut [0])?;
        spin.most = Duration::from_millis(20);
        assert!(!spin.wait(&input, &wake, Some(Duration::ZERO))? && !spin.pays);
        Ok(())
    }

    #[test]
    fn a_wake_ends_a_look() -> io::Result<()> {
        let (reader, _writer) = io::pipe()?;
        let (input, wake) = (Input::new(reader.into()), Wake::new()?);
        let mut spin = Spin { most: Duration::from_mins(1), pays: true };
        wake.wake();
        assert!(!spin.wait(&input, &wake, None)?);
        Ok(())
    }
}
