//! Streams that a program resumes by itself (legacy era, HTTP).
//!
//! Owns: what a request says about them. Must not know: how a stream is opened.

/// How the stream of a request's answer is resumed, where a program does that by itself: in
/// another process, for instance, with the id of the last event that this one has seen. The
/// transports resume the streams that break while they are open without being asked.
///
/// ```
/// use mcpbolt_proto::session::client::{RequestOptions, Resumption};
///
/// let resumption = Resumption { after: Some("event-7".into()), told: true };
/// let options = RequestOptions { resumption, ..RequestOptions::default() };
/// assert_eq!(options.resumption.after.as_deref(), Some("event-7"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resumption {
    /// The id of an event. The request is not sent: the stream that the event came on is opened
    /// again after it, and the answer on that stream is the answer to this request.
    pub after: Option<String>,
    /// Whether the ids of the events on the stream are reported.
    pub told: bool,
}
