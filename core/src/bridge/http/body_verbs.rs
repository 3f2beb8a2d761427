//! The verbs with which a host carries bodies: of exchanges on its own sockets, and of
//! answers that its HTTP client received.
//!
//! Owns: which of the two a number means. Must not know: what is in a body.

use bytes::Bytes;

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;

impl Inbox {
    /// A part of an exchange's body, the last one with `end`. Returns what can be said
    /// at once, as [`HttpMount::request`](crate::bridge::HttpMount::request) does. With the number of a `client.fetch` that
    /// was answered with `more`: a part of that answer's body.
    pub fn http_body(&self, request: u64, bytes: Bytes, end: bool) -> Vec<Item> {
        let Some(exchange) = self.exchange(request) else {
            self.fetch_part(request, bytes, end);
            return Vec::new();
        };
        exchange.body(bytes, end)
    }

    /// The last chunk of an exchange was sent; returns the next if it is there.
    pub fn http_sent(&self, request: u64) -> Vec<Item> {
        let Some(exchange) = self.exchange(request) else { return Vec::new() };
        exchange.sent();
        exchange.poll()
    }

    /// The client of an exchange left, or an answer to `client.fetch` broke off. `false`
    /// if it is over.
    pub fn http_disconnect(&self, request: u64) -> bool {
        let Some(exchange) = self.exchange(request) else { return self.fetch_broken(request) };
        contain(|| exchange.abandon()).is_ok()
    }
}
