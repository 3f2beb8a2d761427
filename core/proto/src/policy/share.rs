//! How many senders share what there is only so much of.
//!
//! Owns: the reserve that those who hold much cannot take. Must not know: what is
//! shared, who the senders are.

/// A tenth of the whole is the reserve. A sender that holds less than a tenth of the
/// reserve may take from it, so that a few cannot close the door for all.
const RESERVE: usize = 10;
const SMALL: usize = 100;

/// Something that many share.
///
/// ```
/// use mcpbolt_proto::policy::share::Shares;
///
/// let calls = Shares::of(1_000);
/// assert!(calls.admits(899, 899)); // there is plenty
/// assert!(!calls.admits(900, 10)); // the reserve is for others
/// assert!(calls.admits(999, 9));
/// assert!(!calls.admits(1_000, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    most: usize,
}

impl Shares {
    /// Of so many things.
    pub const fn of(most: usize) -> Self {
        Self { most }
    }

    /// Whether a sender that holds `mine` may have another one, when all together hold
    /// `taken`.
    pub fn admits(&self, taken: usize, mine: usize) -> bool {
        let reserve = if self.most > 1 { self.most.div_ceil(RESERVE) } else { 0 };
        taken < self.most - reserve || taken < self.most && mine < (self.most / SMALL).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_reserve_of_few_things_too() {
        let two = Shares::of(2);
        assert!(two.admits(0, 0) && !two.admits(1, 1) && two.admits(1, 0) && !two.admits(2, 0));
        let one = Shares::of(1);
        assert!(one.admits(0, 0) && !one.admits(1, 0));
        assert!(!Shares::of(0).admits(0, 0));
    }
}
