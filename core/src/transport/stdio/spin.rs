//! Looking for input before sleeping until there is some.
//!
//! Owns: whether that pays, and for how long. Must not know: what is read, or what it causes.
//!
//! Waking a processor that sleeps takes longer than most calls do. A client that asks the next thing
//! as soon as it has an answer gets it sooner from a thread that is still awake.

use std::io;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use super::system::{Input, Wake};
use super::waited::Waited;

/// Whether there is one processor: nothing could come while a thread looks for it.
static ALONE: LazyLock<bool> =
    LazyLock::new(|| thread::available_parallelism().is_ok_and(|processors| processors.get() == 1));

/// How a thread waits for input.
pub(super) struct Spin {
    /// The longest look. Zero: it sleeps at once.
    most: Duration,
    /// What came last came within that time.
    pays: bool,
}

impl Spin {
    /// Looks for so long at most, and not at all where there is one processor.
    pub(super) fn new(most: Duration) -> Self {
        Self { most, pays: false }
    }

    /// As [`Input::wait`]. Once nothing came for as long as it looks, it sleeps, until something comes
    /// sooner than that again.
    pub(super) fn wait(
        &mut self,
        input: &Input,
        wake: &Wake,
        timeout: Option<Duration>,
    ) -> io::Result<Waited> {
        if self.most.is_zero() {
            return input.wait(wake, timeout);
        }
        let began = Instant::now();
        while self.pays {
            let found = input.wait(wake, Some(Duration::ZERO))?;
            if found != Waited::Nothing {
                return Ok(found);
            }
            self.pays = began.elapsed() < self.most;
            thread::yield_now();
        }
        let found = input.wait(wake, timeout)?;
        self.pays = found == Waited::Data && began.elapsed() < self.most && !*ALONE;
        Ok(found)
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
        assert!(spin.wait(&input, &wake, Some(Duration::ZERO))? == Waited::Nothing && !spin.pays);
        spin.most = Duration::from_mins(1);
        writer.write_all(b"x")?;
        assert!(spin.wait(&input, &wake, None)? == Waited::Data && spin.pays != *ALONE);
        // Still awake, it finds what is there.
        assert!(spin.wait(&input, &wake, None)? == Waited::Data && spin.pays != *ALONE);
        reader.read_exact(&mut [0])?;
        spin.most = Duration::from_millis(20);
        assert!(spin.wait(&input, &wake, Some(Duration::ZERO))? == Waited::Nothing && !spin.pays);
        Ok(())
    }

    #[test]
    fn a_wake_ends_a_look() -> io::Result<()> {
        let (reader, _writer) = io::pipe()?;
        let (input, wake) = (Input::new(reader.into()), Wake::new()?);
        let mut spin = Spin { most: Duration::from_mins(1), pays: true };
        wake.wake();
        assert_eq!(spin.wait(&input, &wake, None)?, Waited::Woken);
        Ok(())
    }
}
