//! Writing server-sent events.
//!
//! Owns: the bytes of events, priming events and keep-alive comments.
//! Must not know: what the data means.

use std::time::Duration;

use bytes::{BufMut, BytesMut};

/// One event to write. Line breaks cannot escape a field: in data they start a new
/// data line, elsewhere they are left out.
///
/// ```
/// use bytes::BytesMut;
/// use mcpbolt_proto::http::sse::SseEvent;
///
/// let mut out = BytesMut::new();
/// SseEvent { id: Some("7"), data: "{}", ..SseEvent::default() }.write(&mut out);
/// assert_eq!(&out[..], b"id: 7\ndata: {}\n\n");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SseEvent<'a> {
    /// Event name; clients read none as `message`.
    pub event: Option<&'a str>,
    /// Event id: where a client may resume.
    pub id: Option<&'a str>,
    /// How long a client waits before it reconnects.
    pub retry: Option<Duration>,
    /// The data, normally one line of JSON.
    pub data: &'a str,
}

impl SseEvent<'_> {
    /// Appends the event.
    pub fn write(&self, out: &mut BytesMut) {
        out.reserve(self.data.len() + 64);
        if let Some(event) = self.event {
            field(out, "event: ", event);
        }
        if let Some(id) = self.id {
            field(out, "id: ", id);
        }
        if let Some(retry) = self.retry {
            field(out, "retry: ", &retry.as_millis().to_string());
        }
        if memchr::memchr2(b'\n', b'\r', self.data.as_bytes()).is_none() {
            line(out, "data: ", self.data);
        } else {
            self.data.replace("\r\n", "\n").split(['\n', '\r']).for_each(|part| line(out, "data: ", part));
        }
        out.put_u8(b'\n');
    }
}

/// Appends an event that carries a message, under the name that every peer writes.
pub fn message(out: &mut BytesMut, id: Option<&str>, data: &str) {
    SseEvent { event: Some("message"), id, data, ..SseEvent::default() }.write(out);
}

/// Appends a priming event: an id to resume from before anything was said.
pub fn priming(out: &mut BytesMut, id: &str, retry: Option<Duration>) {
    SseEvent { id: Some(id), retry, ..SseEvent::default() }.write(out);
}

/// Appends a comment that keeps idle connections open and means nothing.
pub fn keep_alive(out: &mut BytesMut) {
    out.put_slice(b":\n\n");
}

fn line(out: &mut BytesMut, name: &str, value: &str) {
    out.put_slice(name.as_bytes());
    out.put_slice(value.as_bytes());
    out.put_u8(b'\n');
}

fn field(out: &mut BytesMut, name: &str, value: &str) {
    if value.contains(['\n', '\r', '\0']) {
        line(out, name, &value.replace(['\n', '\r', '\0'], ""));
    } else {
        line(out, name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(event: &SseEvent<'_>) -> String {
        let mut out = BytesMut::new();
        event.write(&mut out);
        String::from_utf8(out.to_vec()).unwrap()
    }

    #[test]
    fn fields_in_order() {
        let event = SseEvent {
            event: Some("endpoint"),
            id: Some("7"),
            retry: Some(Duration::from_millis(1500)),
            data: "/messages?sid=a",
        };
        assert_eq!(written(&event), "event: endpoint\nid: 7\nretry: 1500\ndata: /messages?sid=a\n\n");
    }

    #[test]
    fn no_field_escapes_its_line() {
        let event =
            SseEvent { event: Some("a\nid: x"), id: Some("1\r\n\0"), retry: None, data: "a\r\nb\rc\n" };
        assert_eq!(written(&event), "event: aid: x\nid: 1\ndata: a\ndata: b\ndata: c\ndata: \n\n");
    }

    #[test]
    fn helpers() {
        let mut out = BytesMut::new();
        priming(&mut out, "p1", Some(Duration::from_millis(500)));
        keep_alive(&mut out);
        message(&mut out, None, "{}");
        assert_eq!(&out[..], b"id: p1\nretry: 500\ndata: \n\n:\n\nevent: message\ndata: {}\n\n");
    }
}
