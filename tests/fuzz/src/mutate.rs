//! Seeded mutations of kept inputs: the same seed gives the same inputs.

use fastrand::Rng;

/// Longest input.
const MAX: usize = 16 * 1024;

/// Pieces that mean something to one of the targets.
const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "null",
    "true",
    "1e999",
    "-0",
    "18446744073709551616",
    "\\u0000",
    "\\ud800",
    "\\n",
    "\n",
    "\r",
    "\r\n",
    "\u{2028}",
    "\u{feff}",
    "data:",
    "id: ",
    "event: ",
    "retry: 5\n",
    "\n\n",
    "{?a,b*}",
    "{+x}",
    "{/y*}",
    "%2F",
    "%",
    "\"jsonrpc\":\"2.0\",",
    "\"id\":1,",
    "\"id\":null,",
    "\"method\":\"tools/call\",",
    "\"params\":{},",
    "\"_meta\":{}",
    "\"result\":{}",
    "\"error\":{}",
    "\"x-mcp-header\":\"A\"",
    "\"$ref\":\"#\"",
    "\"anyOf\":[{\"$ref\":\"#\"}]",
    "\"properties\":{\"a\":{}}",
    "io.modelcontextprotocol/protocolVersion",
    "2026-07-28",
    "2025-03-26",
    "notifications/cancelled",
];

/// An endless source of inputs.
pub(crate) struct Mutator {
    rng: Rng,
    kept: Vec<Vec<u8>>,
}

impl Mutator {
    /// Mutations of `kept`, which is not empty.
    pub(crate) fn new(seed: u64, target: &str, kept: Vec<Vec<u8>>) -> Self {
        let seed = target.bytes().fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        Self { rng: Rng::with_seed(seed), kept }
    }

    /// The next input.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut input = self.kept[self.rng.usize(..self.kept.len())].clone();
        for _ in 0..=self.rng.usize(..8) {
            self.mutate(&mut input);
        }
        input.truncate(MAX);
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let rng = &mut self.rng;
        let at = rng.usize(..=input.len());
        let end = (at + rng.usize(..64)).min(input.len());
        match rng.u8(..8) {
            0 if at < input.len() => input[at] ^= 1 << rng.u8(..8),
            1 if at < input.len() => input[at] = rng.u8(..),
            2 => input.insert(at, rng.u8(..)),
            3 => drop(input.drain(at..end)),
            4 => {
                let copy = input[at..end].to_vec();
                for _ in 0..=rng.usize(..4) {
                    input.splice(at..at, copy.iter().copied());
                }
            }
            5 => {
                let other = &self.kept[rng.usize(..self.kept.len())];
                let from = rng.usize(..=other.len());
                let upto = rng.usize(from..=other.len());
                input.splice(at..end, other[from..upto].iter().copied());
            }
            _ => {
                let word = WORDS[rng.usize(..WORDS.len())];
                input.splice(at..at, word.bytes());
            }
        }
    }
}
