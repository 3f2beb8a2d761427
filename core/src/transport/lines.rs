//! Cuts a byte stream into lines; one line is one frame.
//!
//! Owns: line breaks, the length bound, blank lines, a byte order mark at the start.
//! Must not know: JSON, MCP, or where the bytes come from.

use std::fmt;

use bytes::Bytes;

use mcpbolt_proto::jsonrpc::{Skim, Skimmed};

/// Chunks up to this size are shared with the lines cut out of them.
///
/// A line that is kept keeps its whole chunk in memory. In chunks above this size,
/// lines that are short beside the chunk are copied instead, so that what one kept
/// line holds is at most this much or sixteen times its own length.
const SHARED_CHUNK_BYTES: usize = 64 * 1024;

/// In a big chunk, a line shorter than the chunk divided by this is copied.
const SHORT_LINE_RATIO: usize = 16;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a [`LineSplitter`] found.
///
/// ```
/// use mcpbolt::transport::lines::{LineEvent, LineSplitter};
///
/// let mut events = Vec::new();
/// LineSplitter::new(3).push(&"1234\n12\n".into(), |event| events.push(event));
/// assert!(matches!(events[0], LineEvent::TooLong { bytes: 4, .. }));
/// assert_eq!(events[1], LineEvent::Line("12".into()));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum LineEvent {
    /// A line without its line break, never blank. Any bytes: UTF-8 is not checked.
    Line(Bytes),
    /// A line above the limit was skipped, up to and with its line break.
    TooLong {
        /// How many bytes the line had, without its line feed.
        bytes: usize,
        /// What was seen of the message on it.
        skimmed: Box<Skimmed>,
    },
}

impl fmt::Debug for LineEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "Line({} bytes)", line.len()),
            Self::TooLong { bytes, .. } => write!(f, "TooLong({bytes} bytes)"),
        }
    }
}

/// Cuts chunks of a byte stream into lines.
///
/// A line ends with a line feed; one carriage return before it is dropped. Lines of
/// nothing but spaces, tabs and carriage returns are skipped, and so is a byte order
/// mark at the very start. How the stream is cut into chunks does not matter.
///
/// ```
/// use mcpbolt::transport::lines::{LineEvent, LineSplitter};
///
/// let mut splitter = LineSplitter::new(1024);
/// let mut events = Vec::new();
/// splitter.push(&"{}\r\n\n[1,".into(), |event| events.push(event));
/// splitter.push(&"2]\n".into(), |event| events.push(event));
/// assert_eq!(events, [LineEvent::Line("{}".into()), LineEvent::Line("[1,2]".into())]);
/// ```
#[derive(Debug)]
pub struct LineSplitter {
    max_line_bytes: usize,
    partial: Vec<u8>,
    /// Bytes of a line above the limit so far; zero when there is none.
    dropped: usize,
    skim: Skim,
    at_start: bool,
}

impl LineSplitter {
    /// A splitter for one stream. `max_line_bytes` counts everything before the line
    /// feed; memory stays within about twice of it.
    pub fn new(max_line_bytes: usize) -> Self {
        Self { max_line_bytes, partial: Vec::new(), dropped: 0, skim: Skim::default(), at_start: true }
    }

    /// Takes the next bytes of the stream and reports each line that ended in them.
    ///
    /// A line that lies inside the chunk is a slice of it, not a copy.
    pub fn push(&mut self, chunk: &Bytes, mut sink: impl FnMut(LineEvent)) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', chunk) {
            self.end_line(chunk, start, end, &mut sink);
            start = end + 1;
        }
        self.keep(&chunk[start..]);
    }

    /// Ends the stream: reports a last line that had no line break.
    pub fn finish(&mut self, mut sink: impl FnMut(LineEvent)) {
        self.end_line(&Bytes::new(), 0, 0, &mut sink);
    }

    /// How many bytes of an unfinished line are held.
    pub fn pending_bytes(&self) -> usize {
        self.partial.len()
    }

    fn end_line(&mut self, chunk: &Bytes, start: usize, end: usize, sink: &mut impl FnMut(LineEvent)) {
        let at_start = std::mem::replace(&mut self.at_start, false);
        let length = self.dropped + self.partial.len() + (end - start);
        if length > self.max_line_bytes {
            self.drop_line(&chunk[start..end]);
            self.dropped = 0;
            let skimmed = Box::new(std::mem::take(&mut self.skim).finish());
            sink(LineEvent::TooLong { bytes: length, skimmed });
            return;
        }
        let line = if self.partial.is_empty() {
            cut(chunk, start, end)
        } else {
            self.partial.extend_from_slice(&chunk[start..end]);
            Bytes::from(std::mem::take(&mut self.partial))
        };
        let line = trim(line, at_start);
        if !line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            sink(LineEvent::Line(line));
        }
    }

    fn keep(&mut self, rest: &[u8]) {
        if self.dropped > 0 || self.partial.len() + rest.len() > self.max_line_bytes {
            self.drop_line(rest);
        } else {
            self.partial.extend_from_slice(rest);
        }
    }

    fn drop_line(&mut self, rest: &[u8]) {
        let partial = std::mem::take(&mut self.partial);
        self.dropped += partial.len() + rest.len();
        let start =
            if self.at_start && partial.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        self.skim.push(&partial[start..]);
        self.skim.push(rest);
    }
}

fn cut(chunk: &Bytes, start: usize, end: usize) -> Bytes {
    let short = (end - start) * SHORT_LINE_RATIO < chunk.len();
    if short && chunk.len() > SHARED_CHUNK_BYTES {
        Bytes::copy_from_slice(&chunk[start..end])
    } else {
        chunk.slice(start..end)
    }
}

fn trim(mut line: Bytes, at_start: bool) -> Bytes {
    if line.last() == Some(&b'\r') {
        line.truncate(line.len() - 1);
    }
    if at_start && line.starts_with(BYTE_ORDER_MARK) {
        line = line.slice(BYTE_ORDER_MARK.len()..);
    }
    line
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(max: usize, chunks: &[&[u8]]) -> Vec<LineEvent> {
        let mut splitter = LineSplitter::new(max);
        let mut events = Vec::new();
        for chunk in chunks {
            splitter.push(&Bytes::copy_from_slice(chunk), |event| events.push(event));
            assert!(splitter.pending_bytes() <= max);
        }
        splitter.finish(|event| events.push(event));
        events
    }

    fn line(text: &'static [u8]) -> LineEvent {
        LineEvent::Line(Bytes::from_static(text))
    }

    #[test]
    fn line_breaks_blank_lines_and_partial_lines() {
        let events = split(100, &[b"one\r\n\n  \t\r\ntw", b"o\n", b"thr", b"ee\r", b"\nlast"]);
        assert_eq!(events, [line(b"one"), line(b"two"), line(b"three"), line(b"last")]);
    }

    #[test]
    fn byte_order_mark_is_dropped_only_at_the_start() {
        let events = split(100, &[b"\xEF\xBB", b"\xBF{}\n\xEF\xBB\xBF{}\n"]);
        assert_eq!(events, [line(b"{}"), line(b"\xEF\xBB\xBF{}")]);
        assert_eq!(split(100, &[b"\xEF\xBB\xBF\r\nx\n"]), [line(b"x")]);
    }

    #[test]
    fn bytes_that_are_not_text_pass_through() {
        assert_eq!(split(9, &[b"\xFF\x00\xFE\n"]), [line(b"\xFF\x00\xFE")]);
    }

    #[test]
    fn long_lines_are_skipped_to_the_next_line_break() {
        let events = split(4, &[b"abcd\nabcde\nok\n", b"123", b"456", b"789\nend\n"]);
        let too_long = |bytes| LineEvent::TooLong { bytes, skimmed: Box::default() };
        assert_eq!(events, [line(b"abcd"), too_long(5), line(b"ok"), too_long(9), line(b"end")]);
    }

    #[test]
    fn a_skipped_line_says_what_it_answers() {
        let long = format!(r#"{{"jsonrpc":"2.0","id":7,"result":"{}"}}"#, "x".repeat(50));
        let (head, tail) = long.as_bytes().split_at(30);
        let events = split(40, &[head, tail, b"\nok\n"]);
        let skimmed = Box::new(Skimmed { id: Some(7.into()), is_answer: true, has_method: false });
        assert_eq!(events, [LineEvent::TooLong { bytes: long.len(), skimmed }, line(b"ok")]);
    }

    #[test]
    fn endless_line_holds_no_memory() {
        let mut splitter = LineSplitter::new(1000);
        let chunk = Bytes::from(vec![b'x'; 700]);
        for _ in 0..1000 {
            splitter.push(&chunk, |_| panic!("no line ended"));
        }
        assert_eq!(splitter.pending_bytes(), 0);
        let mut events = Vec::new();
        splitter.finish(|event| events.push(event));
        assert_eq!(events, [LineEvent::TooLong { bytes: 700_000, skimmed: Box::default() }]);
    }

    #[test]
    fn lines_share_their_chunk_unless_they_would_pin_a_big_one() {
        let shares = |chunk: &Bytes| {
            let mut shared = Vec::new();
            LineSplitter::new(1 << 20).push(chunk, |event| {
                if let LineEvent::Line(line) = event {
                    shared.push(chunk.as_ptr_range().contains(&line.as_ptr()));
                }
            });
            shared
        };
        assert_eq!(shares(&Bytes::from_static(b"a\nb\n")), [true, true]);
        let mut big = vec![b'x'; 100_000];
        big[10] = b'\n';
        big[99_999] = b'\n';
        assert_eq!(shares(&Bytes::from(big)), [false, true]);
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_events(
            bytes in prop::collection::vec(
                prop::sample::select(b"ab \t\r\n\n\xEF\xBB\xBF\xFF".to_vec()), 0..80),
            mut cuts in prop::collection::vec(0_usize..80, 0..8),
            max in 0_usize..12,
        ) {
            let whole = split(max, &[&bytes]);
            for cut in &mut cuts {
                *cut = (*cut).min(bytes.len());
            }
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(split(max, &chunks), whole.clone());
            for event in whole {
                match event {
                    LineEvent::Line(line) => {
                        prop_assert!(!line.is_empty() && line.len() <= max);
                        prop_assert!(!line.contains(&b'\n'));
                    }
                    LineEvent::TooLong { bytes, .. } => prop_assert!(bytes > max),
                }
            }
        }
    }
}
