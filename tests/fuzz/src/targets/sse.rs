//! Event streams.

use mcpbolt_proto::http::sse_decode::{SseDecoder, SseItem};

fn read(data: &[u8], max: usize, step: usize) -> (Vec<SseItem>, Option<String>) {
    let (mut decoder, mut items) = (SseDecoder::new(max), Vec::new());
    for part in data.chunks(step) {
        decoder.feed(part, &mut items);
    }
    (items, decoder.last_event_id().map(str::to_owned))
}

/// The first byte sets the size bound and how the rest is split.
pub(super) fn sse(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let max = 16 + usize::from(*first);
    let whole = read(rest, max, rest.len().max(1));
    for step in [1, 2, 3, 1 + usize::from(*first) % 17] {
        assert!(read(rest, max, step) == whole, "split by {step}, the stream says something else");
    }
    for item in &whole.0 {
        if let SseItem::Event { data, .. } = item {
            assert!(data.len() <= max, "an event beyond the bound");
        }
    }
}
