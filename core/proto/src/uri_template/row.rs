//! Rows of texts and values, matched in time proportional to the size of the row times
//! the size of the URI.
//!
//! From the end, a table says which steps can match which tail of the URI; then one walk
//! from the start takes the longest way that the table allows. Nothing is ever tried twice.
//!
//! Owns: which part of a URI each value has. Must not know: templates, percent-encoding.

use std::borrow::Cow;
use std::ops::Range;

/// One step of the match.
pub(super) enum Step<'t> {
    Literal(Cow<'t, str>),
    /// One or more characters outside a set. With `list` commas stand between items, none
    /// of which is empty.
    Run {
        stops: &'t str,
        list: bool,
    },
    /// Characters outside a set, none included: pairs of names and values.
    Pairs {
        stops: &'t str,
    },
    /// Whether to skip so many steps behind this one.
    Maybe(usize),
}

/// What each run and each group of pairs has of the URI, with the number of its step;
/// `None` if the row does not match. A step that was skipped has nothing.
pub(super) fn spans(steps: &[Step<'_>], uri: &str) -> Option<Vec<(usize, Range<usize>)>> {
    // Most URIs are another template's, and the first text tells.
    if let Some(Step::Literal(first)) = steps.first()
        && !uri.starts_with(&**first)
    {
        return None;
    }
    let table = Table::fill(steps, uri);
    if !table.get(0, 0) {
        return None;
    }
    let mut found = Vec::new();
    let (mut number, mut at) = (0, 0);
    while let Some(step) = steps.get(number) {
        match step {
            Step::Literal(text) => at += text.len(),
            Step::Maybe(skip) if !table.get(number + 1, at) => number += skip,
            Step::Maybe(_) => {}
            Step::Run { stops, .. } | Step::Pairs { stops } => {
                let list = matches!(step, Step::Run { list: true, .. });
                let end = table.longest(number, at, uri, stops, list)?;
                found.push((number, at..end));
                at = end;
            }
        }
        number += 1;
    }
    Some(found)
}

/// `get(s, i)`: whether the steps from `s` on match the URI from byte `i` on.
struct Table {
    width: usize,
    bits: Vec<u64>,
}

impl Table {
    fn fill(steps: &[Step<'_>], uri: &str) -> Self {
        let width = uri.len() + 1;
        let mut table = Self { width, bits: vec![0; (width * (steps.len() + 1)).div_ceil(64)] };
        table.set(steps.len(), uri.len());
        for (s, step) in steps.iter().enumerate().rev() {
            for i in (0..width).rev().filter(|&i| uri.is_char_boundary(i)) {
                let possible = match step {
                    Step::Literal(text) => uri[i..].starts_with(&**text) && table.get(s + 1, i + text.len()),
                    Step::Maybe(skip) => table.get(s + 1, i) || table.get(s + 1 + skip, i),
                    // One character, then either the end of the run or more of it.
                    Step::Run { stops, list: false } => {
                        next(uri, i, stops).is_some_and(|next| table.get(s + 1, next) || table.get(s, next))
                    }
                    Step::Run { stops, list: true } => table.item(s, i, uri, stops),
                    Step::Pairs { stops } => {
                        table.get(s + 1, i) || next(uri, i, stops).is_some_and(|next| table.get(s, next))
                    }
                };
                if possible {
                    table.set(s, i);
                }
            }
        }
        table
    }

    /// Whether a list can begin or go on with the character at `at`, which is of an item.
    fn item(&self, step: usize, at: usize, uri: &str, stops: &str) -> bool {
        if uri[at..].starts_with(',') {
            return false;
        }
        next(uri, at, stops).is_some_and(|next| {
            let comma = uri[next..].starts_with(',');
            self.get(step + 1, next) || self.get(step, next) || (comma && self.get(step, next + 1))
        })
    }

    fn get(&self, step: usize, at: usize) -> bool {
        let bit = step * self.width + at;
        // Behind a comma at the very end there is nothing.
        at < self.width && self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, step: usize, at: usize) {
        let bit = step * self.width + at;
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    /// The last end of a run that begins at `from` and lets the rest match.
    fn longest(&self, step: usize, from: usize, uri: &str, stops: &str, list: bool) -> Option<usize> {
        let mut best = self.get(step + 1, from).then_some(from);
        let (mut at, mut after_comma) = (from, true);
        loop {
            let comma = list && uri[at..].starts_with(',');
            if comma && after_comma {
                return best;
            }
            let Some(after) = (if comma { Some(at + 1) } else { next(uri, at, stops) }) else { return best };
            (at, after_comma) = (after, comma);
            if !comma && self.get(step + 1, at) {
                best = Some(at);
            }
        }
    }
}

/// Behind the character at `at`, unless it stops the run.
fn next(uri: &str, at: usize, stops: &str) -> Option<usize> {
    let next = uri[at..].chars().next()?;
    (!stops.contains(next)).then(|| at + next.len_utf8())
}
