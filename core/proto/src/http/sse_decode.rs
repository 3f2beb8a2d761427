//! Reading server-sent events, piece by piece.
//!
//! Owns: the event stream format and its bounds. Must not know: JSON, reconnecting.

use std::time::Duration;

use bytes::Bytes;
use memchr::memchr2;

use crate::jsonrpc::{Skim, Skimmed};

/// What a stream said.
///
/// ```
/// use mcpbolt_proto::http::sse_decode::{SseDecoder, SseItem};
/// use std::time::Duration;
///
/// let mut items = Vec::new();
/// SseDecoder::new(1024).feed(b"retry: 500\n\n", &mut items);
/// assert_eq!(items, [SseItem::Retry(Duration::from_millis(500))]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SseItem {
    /// An event. Data may be empty: a priming event is not a message.
    Event {
        /// Event name, `message` when the stream gave none.
        event: String,
        /// The newest event id of the stream, this event's included.
        id: Option<String>,
        /// The data lines, joined by line feeds.
        data: Bytes,
    },
    /// How long to wait before reconnecting.
    Retry(Duration),
    /// An event beyond the size bound. It is skipped, the stream goes on.
    TooLarge {
        /// The newest event id of the stream, where it was read before the bound.
        id: Option<String>,
        /// What was seen of the message in it.
        skimmed: Skimmed,
    },
}

/// Turns bytes into events, however the bytes are split.
///
/// ```
/// use mcpbolt_proto::http::sse_decode::{SseDecoder, SseItem};
///
/// let mut items = Vec::new();
/// let mut decoder = SseDecoder::new(1024);
/// decoder.feed(b"id: 1\ndata: {", &mut items);
/// decoder.feed(b"}\n\n", &mut items);
/// assert!(matches!(&items[..], [SseItem::Event { data, .. }] if &data[..] == b"{}"));
/// assert_eq!(decoder.last_event_id(), Some("1"));
/// ```
#[derive(Debug)]
pub struct SseDecoder {
    max_event_bytes: usize,
    line: Vec<u8>,
    /// `None` until the event has a data line.
    data: Option<Vec<u8>>,
    event: String,
    id: Option<String>,
    last_id: Option<String>,
    first_line: bool,
    after_cr: bool,
    skipping: bool,
    /// The rest of this line is not kept, and whether it is data.
    overflow: Option<bool>,
    skim: Skim,
}

const BOM: &[u8] = b"\xef\xbb\xbf";
/// What a line of data begins with.
const DATA: &[u8] = b"data:";
/// Longest event name or id worth keeping.
const MAX_FIELD: usize = 4096;

impl SseDecoder {
    /// A decoder at the start of a stream. An event's lines together may have
    /// `max_event_bytes` bytes; comments do not count.
    pub fn new(max_event_bytes: usize) -> Self {
        Self {
            max_event_bytes,
            line: Vec::new(),
            data: None,
            event: String::new(),
            id: None,
            last_id: None,
            first_line: true,
            after_cr: false,
            skipping: false,
            overflow: None,
            skim: Skim::default(),
        }
    }

    /// The newest event id, as a client sends it in `Last-Event-ID`.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// Takes the next bytes and appends what they complete. An event that is
    /// unfinished when the stream ends is dropped with the decoder.
    pub fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<SseItem>) {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', bytes) else {
                self.keep(bytes);
                return;
            };
            let part = &bytes[..end];
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if self.line.is_empty() {
                self.bounded_line(part, out);
            } else {
                self.keep(part);
                let line = std::mem::take(&mut self.line);
                self.bounded_line(&line, out);
                self.line = line;
                self.line.clear();
            }
        }
    }

    fn data_len(&self) -> usize {
        self.data.as_ref().map_or(0, Vec::len)
    }

    /// Stores a part of a line; of comments and oversize lines only what tells them.
    fn keep(&mut self, part: &[u8]) {
        let comment = self.line.first().or(part.first()) == Some(&b':');
        let room = if self.skipping || comment {
            1
        } else {
            (self.max_event_bytes + 1).saturating_sub(self.data_len())
        };
        let bom = if self.first_line { BOM.len() } else { 0 };
        let least = if self.skipping || comment { 1 } else { DATA.len() };
        let room = (room.max(least) + bom).saturating_sub(self.line.len());
        if let Some(is_data) = self.overflow {
            if is_data {
                self.skim.push(part);
            }
        } else if part.len() > room && !self.skipping && !comment {
            self.overflow = Some(self.skim_from(&[&self.line, part].concat()));
        }
        self.line.extend_from_slice(&part[..part.len().min(room)]);
    }

    /// Begins to look through an event that is too large, at the line that makes it so.
    /// Whether that line is data, and so is what follows of it.
    fn skim_from(&mut self, line: &[u8]) -> bool {
        let line = line.strip_prefix(BOM).unwrap_or(line);
        self.skim.push(self.data.as_deref().unwrap_or_default());
        let value = line.strip_prefix(DATA);
        self.skim.push(value.unwrap_or_default());
        value.is_some()
    }

    fn bounded_line(&mut self, line: &[u8], out: &mut Vec<SseItem>) {
        let line =
            if std::mem::take(&mut self.first_line) { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        let overflowed = self.overflow.take().is_some();
        if line.is_empty() {
            self.dispatch(out);
        } else if !self.skipping && line[0] != b':' {
            if self.data_len() + line.len() > self.max_event_bytes {
                if !overflowed {
                    self.skim_from(line);
                }
                self.skipping = true;
                self.data = None;
            } else {
                self.field(line, out);
            }
        }
    }

    fn field(&mut self, line: &[u8], out: &mut Vec<SseItem>) {
        let (name, value) = match memchr::memchr(b':', line) {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            },
            b"event" if value.len() <= MAX_FIELD => self.event = String::from_utf8_lossy(value).into_owned(),
            b"id" if value.len() <= MAX_FIELD && !value.contains(&0) => {
                self.id = String::from_utf8(value.to_vec()).ok().or(self.id.take());
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let millis = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
                out.extend(millis.map(Duration::from_millis).map(SseItem::Retry));
            }
            _ => {}
        }
    }

    fn dispatch(&mut self, out: &mut Vec<SseItem>) {
        if let Some(id) = self.id.take() {
            self.last_id = Some(id).filter(|id| !id.is_empty());
        }
        let event = std::mem::take(&mut self.event);
        let data = self.data.take();
        if std::mem::take(&mut self.skipping) {
            let skimmed = std::mem::take(&mut self.skim).finish();
            out.push(SseItem::TooLarge { id: self.last_id.clone(), skimmed });
        } else if let Some(data) = data {
            let event = if event.is_empty() { "message".to_owned() } else { event };
            out.push(SseItem::Event { event, id: self.last_id.clone(), data: data.into() });
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::BytesMut;
    use proptest::prelude::*;

    use super::*;
    use crate::http::sse::SseEvent;

    fn decode(max: usize, parts: &[&[u8]]) -> (Vec<SseItem>, Option<String>) {
        let mut decoder = SseDecoder::new(max);
        let mut out = Vec::new();
        for part in parts {
            decoder.feed(part, &mut out);
        }
        (out, decoder.last_id)
    }

    fn items(text: &str) -> Vec<SseItem> {
        decode(1000, &[text.as_bytes()]).0
    }

    fn event(event: &str, id: Option<&str>, data: &str) -> SseItem {
        SseItem::Event { event: event.into(), id: id.map(Into::into), data: data.to_owned().into() }
    }

    #[test]
    fn line_ends_bom_comments_and_several_data_lines() {
        for end in ["\n", "\r", "\r\n"] {
            let text = [
                "\u{feff}: hi",
                "event:x",
                "data: a",
                "data:b",
                "data",
                ":c",
                "id: 1",
                "",
                "data: z",
                "",
                "",
            ]
            .join(end);
            assert_eq!(
                items(&text),
                [event("x", Some("1"), "a\nb\n"), event("message", Some("1"), "z")],
                "{end:?}"
            );
        }
    }

    #[test]
    fn priming_event_is_an_event_without_data() {
        let text = "id: p\nretry: 250\ndata:\n\n";
        assert_eq!(
            items(text),
            [SseItem::Retry(Duration::from_millis(250)), event("message", Some("p"), "")]
        );
    }

    #[test]
    fn ids() {
        assert_eq!(items("id: a\ndata: 1\n\nid: b\0c\ndata: 2\n\n")[1], event("message", Some("a"), "2"));
        assert_eq!(decode(99, &[b"id: only\n\n"]), (vec![], Some("only".into())));
        assert_eq!(items("id: a\n\nid\ndata: 2\n\n"), [event("message", None, "2")]);
        assert_eq!(decode(99, &[b"id: lost\ndata: unfinished\n"]), (vec![], None));
    }

    #[test]
    fn odd_fields_are_ignored() {
        assert_eq!(
            items("retry: 1x\nretry:\nfoo: bar\ndata:  two\n\n\n\n"),
            [event("message", None, " two")]
        );
    }

    #[test]
    fn an_oversize_event_does_not_end_the_stream() {
        let long = "x".repeat(200);
        let text = format!(
            "id: 1\ndata: {long}\ndata: y\n\n: {long}{long}\ndata: ok\n\ndata: {}\ndata: {0}\n\n",
            &long[..60]
        );
        let (got, _) = decode(100, &[text.as_bytes()]);
        let skipped = SseItem::TooLarge { id: Some("1".into()), skimmed: Skimmed::default() };
        assert_eq!(got, [skipped.clone(), event("message", Some("1"), "ok"), skipped]);
    }

    #[test]
    fn a_skipped_event_says_what_it_answers() {
        let answer = format!("data: {{\"result\":\"{}\",\"id\":7}}\n\n", "x".repeat(200));
        let skimmed = Skimmed { id: Some(7.into()), is_answer: true, has_method: false };
        let skipped = SseItem::TooLarge { id: None, skimmed };
        for cut in 0..answer.len() {
            let (head, tail) = answer.as_bytes().split_at(cut);
            assert_eq!(
                decode(100, &[head, tail, answer.as_bytes()]).0,
                [skipped.clone(), skipped.clone()],
                "{cut}"
            );
        }
    }

    #[test]
    fn a_long_line_that_is_no_data_answers_nothing_however_it_is_cut() {
        let line = format!("dat{}: {{\"result\":{{}},\"id\":7}}\n\n", "a".repeat(20));
        let whole = decode(17, &[line.as_bytes()]).0;
        assert_eq!(whole, [SseItem::TooLarge { id: None, skimmed: Skimmed::default() }]);
        for cut in 0..line.len() {
            let (head, tail) = line.as_bytes().split_at(cut);
            assert_eq!(decode(17, &[head, tail]).0, whole, "{cut}");
        }
    }

    #[test]
    fn memory_is_bounded_without_line_ends() {
        let mut decoder = SseDecoder::new(100);
        for _ in 0..1000 {
            decoder.feed(&[b'x'; 100], &mut Vec::new());
        }
        assert!(decoder.line.len() <= 101 + BOM.len());
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_events(
            text in "(data: ?[a-c]{0,9}|id: ?[0-9]{0,2}|:[x ]{0,40}|retry: 5|event: e|[\u{feff}\0: ]{0,2}|[z]{0,40}|\n|\r|\r\n){0,40}",
            cuts in proptest::collection::vec(0_usize..400, 0..12),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut parts = Vec::new();
            let mut from = 0;
            for cut in cuts {
                parts.push(&bytes[from..cut]);
                from = cut;
            }
            parts.push(&bytes[from..]);
            let single: Vec<_> = bytes.chunks(1).collect();
            let whole = decode(24, &[bytes]);
            prop_assert_eq!(&whole, &decode(24, &parts));
            prop_assert_eq!(&whole, &decode(24, &single));
        }

        #[test]
        fn what_is_written_is_read(data in "\\PC{0,30}(\n\\PC{0,30}){0,3}", name in "[a-z]{1,9}", id in "[!-~]{1,9}") {
            let mut out = BytesMut::new();
            SseEvent { event: Some(&name), id: Some(&id), retry: None, data: &data }.write(&mut out);
            prop_assert_eq!(decode(1000, &[&out]).0, vec![event(&name, Some(&id), &data)]);
        }
    }
}
