//! Where a run of plain text ends: most text is plain, and is copied as it lies.
//!
//! Owns: the search, by blocks and by eights. Must not know: what becomes of what it finds.

use super::scan::{each, zeroes};

/// Control characters of ASCII.
const CONTROL: u8 = 1;
const QUOTE: u8 = 2;
/// Begins an escape in JSON.
pub(super) const BACKSLASH: u8 = 4;
/// What is not ASCII.
pub(super) const BEYOND: u8 = 8;
/// What a JSON string cannot hold as it is.
pub(super) const ESCAPED: u8 = CONTROL | QUOTE | BACKSLASH;

/// So many bytes are looked at by eights first: in text full of escapes a block would be in vain.
const NEAR: usize = 16;
/// Behind these, as many bytes are looked at together as long as none is special.
const BLOCK: usize = 64;

/// Index of the next byte that is one of `WHICH`.
pub(super) fn next_special<const WHICH: u8>(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(eight) = bytes[at..].first_chunk() {
        let found = specials::<WHICH>(u64::from_le_bytes(*eight));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
        if at == from + NEAR {
            at = behind_plain_blocks::<WHICH>(bytes, at);
        }
    }
    bytes[at..].iter().position(|&byte| is_special::<WHICH>(byte)).map(|found| at + found)
}

/// The first index from `at` on whose block is cut off or has something special.
fn behind_plain_blocks<const WHICH: u8>(bytes: &[u8], mut at: usize) -> usize {
    while let Some(block) = bytes[at..].first_chunk::<BLOCK>()
        && !any_special::<WHICH, BLOCK>(block)
    {
        at += BLOCK;
    }
    at
}

/// Appends some of the bytes.
pub(super) fn push_run(out: &mut Vec<u8>, bytes: &[u8], from: usize, to: usize) {
    // Where much is special, runs are short, and copying eight costs less than asking how many.
    match bytes[from..].first_chunk::<8>() {
        Some(eight) if to - from <= 8 => {
            let length = out.len() + to - from;
            out.extend_from_slice(eight);
            out.truncate(length);
        }
        _ => out.extend_from_slice(&bytes[from..to]),
    }
}

/// Whether any of some bytes is. The compiler makes SIMD of a loop of a fixed length that neither
/// ends early nor branches.
pub(super) fn any_special<const WHICH: u8, const LENGTH: usize>(bytes: &[u8; LENGTH]) -> bool {
    bytes.iter().fold(false, |found, &byte| found | is_special::<WHICH>(byte))
}

/// Whether a byte is one of `WHICH`.
#[allow(clippy::needless_bitwise_bool, reason = "without branches")]
pub(super) const fn is_special<const WHICH: u8>(byte: u8) -> bool {
    (WHICH & CONTROL != 0 && byte < 0x20)
        | (WHICH & QUOTE != 0 && byte == b'"')
        | (WHICH & BACKSLASH != 0 && byte == b'\\')
        | (WHICH & BEYOND != 0 && byte >= 0x80)
}

/// The high bit of each of eight bytes that is special. The lowest of them is right: a borrow can
/// only reach bytes behind a special one.
const fn specials<const WHICH: u8>(word: u64) -> u64 {
    let mut found = 0;
    if WHICH & CONTROL != 0 {
        found |= word.wrapping_sub(each(0x20)) & !word & each(0x80);
    }
    if WHICH & QUOTE != 0 {
        found |= zeroes(word ^ each(b'"'));
    }
    if WHICH & BACKSLASH != 0 {
        found |= zeroes(word ^ each(b'\\'));
    }
    if WHICH & BEYOND != 0 {
        found |= word & each(0x80);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<const WHICH: u8>(bytes: &[u8]) -> Vec<usize> {
        let mut all = Vec::new();
        while let Some(at) = next_special::<WHICH>(bytes, all.last().map_or(0, |last| last + 1)) {
            all.push(at);
        }
        all
    }

    fn expected(bytes: &[u8], is: impl Fn(u8) -> bool) -> Vec<usize> {
        bytes.iter().enumerate().filter(|(_, byte)| is(**byte)).map(|(at, _)| at).collect()
    }

    #[test]
    fn every_byte_is_found_wherever_it_stands() {
        for byte in 0..=0xff {
            for before in
                (0..NEAR + 10).chain(BLOCK - 2..BLOCK + NEAR + 10).chain(3 * BLOCK..3 * BLOCK + NEAR)
            {
                let bytes = [&b"x".repeat(before)[..], &[byte, byte, b' ', byte], b" and more"].concat();
                let escaped = |byte| byte < 0x20 || byte == b'"' || byte == b'\\';
                assert_eq!(found::<ESCAPED>(&bytes), expected(&bytes, escaped));
                let both = |byte| escaped(byte) || byte >= 0x80;
                assert_eq!(found::<{ ESCAPED | BEYOND }>(&bytes), expected(&bytes, both));
                assert_eq!(found::<BEYOND>(&bytes), expected(&bytes, |byte| byte >= 0x80));
                assert_eq!(found::<BACKSLASH>(&bytes), expected(&bytes, |byte| byte == b'\\'));
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_told(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let both = |byte| byte < 0x20 || byte == b'"' || byte == b'\\' || byte >= 0x80;
            proptest::prop_assert_eq!(found::<{ ESCAPED | BEYOND }>(&bytes), expected(&bytes, both));
        }
    }
}
