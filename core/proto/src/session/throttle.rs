//! How often something may happen: as many at once as in one second, then evenly.
//!
//! Owns: the arithmetic. Must not know: what is paced, or what becomes of the rest.

use super::Time;

const SECOND: Time = Time::from_secs(1);

/// A bucket that holds one second's worth and fills again as time goes by.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Throttle {
    /// When the bucket will be full again.
    full_at: Time,
}

impl Throttle {
    /// Takes one of `per_second`, if there is one; else says when there will be. With a
    /// rate of zero there always is.
    pub(super) fn take(&mut self, now: Time, per_second: usize) -> Result<(), Time> {
        let Some(rate) = u32::try_from(per_second).ok().filter(|rate| *rate > 0) else { return Ok(()) };
        let step = SECOND / rate;
        let next = self.full_at.max(now) + step;
        if next <= now + SECOND {
            self.full_at = next;
            return Ok(());
        }
        Err(next.saturating_sub(SECOND))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seconds_worth_at_once_and_then_evenly() {
        let mut throttle = Throttle::default();
        let taken = (0..100).filter(|_| throttle.take(Time::ZERO, 10).is_ok()).count();
        assert_eq!(taken, 10);
        let tenth = Time::from_millis(100);
        assert_eq!(throttle.take(Time::ZERO, 10), Err(tenth));
        assert_eq!(throttle.take(tenth, 10), Ok(()));
        assert_eq!(throttle.take(tenth, 10), Err(tenth * 2));
        let later = Time::from_mins(1);
        assert_eq!((0..100).filter(|_| throttle.take(later, 10).is_ok()).count(), 10, "it never holds more");
    }

    #[test]
    fn a_rate_of_zero_is_no_limit() {
        let mut throttle = Throttle::default();
        assert!((0..100).all(|_| throttle.take(Time::ZERO, 0).is_ok()));
    }
}
