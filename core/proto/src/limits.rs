//! Every limit of the engine: name, default, and what happens beyond it.
//!
//! Owns: the rows, and [`Limits`], whose fields and defaults are generated from
//! them. Options, command line and documentation derive from the rows too.
//! Must not know: who enforces a limit.

use std::time::Duration;

/// A limit as a value that can be printed.
///
/// ```
/// use mcpbolt_proto::limits::{LimitValue, Limits};
///
/// let mut limits = Limits::default();
/// assert!(limits.set("max_batch", LimitValue::Count(10)));
/// assert!(!limits.set("max_batch", LimitValue::Bytes(10))); // of another sort
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitValue {
    /// A size in bytes.
    Bytes(u64),
    /// A number of things.
    Count(usize),
    /// A span of time; `None`: no limit.
    Time(Option<Duration>),
}

/// One row: what people read about a limit.
///
/// ```
/// use mcpbolt_proto::limits::Limits;
///
/// for limit in Limits::rows() {
///     println!("{}: {:?}. {} Beyond: {}.", limit.name, limit.default, limit.doc, limit.beyond);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Name of the option. A dot separates a group from its members.
    pub name: &'static str,
    /// Value when it is not set.
    pub default: LimitValue,
    /// What is counted: bytes, seconds, messages, …
    pub unit: &'static str,
    /// What happens beyond it.
    pub beyond: &'static str,
    /// What it bounds.
    pub doc: &'static str,
}

/// Gives each field type its own conversion, usable in constants.
struct Wrap<T>(T);

impl Wrap<u64> {
    fn assign(field: &mut u64, value: LimitValue) -> bool {
        let LimitValue::Bytes(given) = value else { return false };
        *field = given;
        true
    }

    const fn value(self) -> LimitValue {
        LimitValue::Bytes(self.0)
    }
}

impl Wrap<usize> {
    fn assign(field: &mut usize, value: LimitValue) -> bool {
        let LimitValue::Count(given) = value else { return false };
        *field = given;
        true
    }

    const fn value(self) -> LimitValue {
        LimitValue::Count(self.0)
    }
}

impl Wrap<Duration> {
    fn assign(field: &mut Duration, value: LimitValue) -> bool {
        let LimitValue::Time(Some(given)) = value else { return false };
        *field = given;
        true
    }

    const fn value(self) -> LimitValue {
        LimitValue::Time(Some(self.0))
    }
}

impl Wrap<Option<Duration>> {
    fn assign(field: &mut Option<Duration>, value: LimitValue) -> bool {
        let LimitValue::Time(given) = value else { return false };
        *field = given;
        true
    }

    const fn value(self) -> LimitValue {
        LimitValue::Time(self.0)
    }
}

macro_rules! limits {
    ($($field:ident: $type:ty = $default:expr, $name:literal, $unit:literal, $beyond:literal, $doc:literal;)*) => {
        /// The limits in force. Change a field, or use [`Limits::default`].
        ///
        /// ```
        /// use mcpbolt_proto::limits::Limits;
        ///
        /// let limits = Limits { max_batch: 10, ..Limits::default() };
        /// assert_eq!(limits.values().len(), Limits::rows().len());
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Limits {
            $(#[doc = concat!($doc, " Beyond: ", $beyond, ".")] pub $field: $type,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Limits {
            /// One row per limit, with the default.
            pub fn rows() -> &'static [Limit] {
                const ROWS: &[Limit] = &[$(Limit {
                    name: $name,
                    default: Wrap::<$type>($default).value(),
                    unit: $unit,
                    beyond: $beyond,
                    doc: $doc,
                }),*];
                ROWS
            }

            /// Sets a limit by its name. `false`, and nothing changes, if no limit has it
            /// of that name or the value is of another sort.
            pub fn set(&mut self, name: &str, value: LimitValue) -> bool {
                match name {
                    $($name => Wrap::<$type>::assign(&mut self.$field, value),)*
                    _ => false,
                }
            }

            /// Name and present value of each limit, in the order of the rows.
            pub fn values(&self) -> Vec<(&'static str, LimitValue)> {
                vec![$(($name, Wrap(self.$field).value())),*]
            }
        }
    };
}

impl Limits {
    /// A limit in bytes as the size of something in memory.
    pub fn size(bytes: u64) -> usize {
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

limits! {
    max_body_bytes: u64 = 16 * MIB, "max_message_bytes.http_body", "bytes",
        "413, and the connection closes",
        "Largest HTTP request body a server reads.";
    max_message_bytes: u64 = 64 * MIB, "max_message_bytes", "bytes",
        "-32600, with the id where it can be told, and on to the next line; a client's call fails, others live",
        "Largest stdio line, client response or SSE event.";
    max_depth: usize = 128, "max_depth", "levels", "-32600",
        "Deepest nesting of a JSON message.";
    max_batch: usize = 100, "max_batch", "messages", "-32600",
        "Most messages in one batch.";
    max_in_flight: usize = 10_000, "max_in_flight", "requests", "Overloaded",
        "Most unanswered requests of one connection; over HTTP, of a server. A tenth is kept for senders that have few.";
    max_in_flight_bytes: u64 = 64 * MIB, "max_in_flight_bytes", "bytes", "Overloaded",
        "Most bytes of unanswered requests of one connection.";
    max_connections: usize = 10_000, "max_connections", "connections", "accepting pauses",
        "Most open HTTP connections of a server.";
    max_sessions: usize = 10_000, "max_sessions", "sessions", "503",
        "Most legacy HTTP sessions of a server.";
    session_idle: Duration = Duration::from_mins(30), "session_idle", "seconds", "404",
        "How long a legacy HTTP session lives without traffic.";
    max_header_bytes: u64 = 64 * KIB, "max_header_bytes", "bytes", "431",
        "Largest HTTP request head.";
    head_timeout: Duration = Duration::from_secs(10), "head_timeout", "seconds", "408",
        "Longest wait for a complete HTTP request head, or the preface and SETTINGS of HTTP/2.";
    body_timeout: Duration = Duration::from_secs(30), "body_timeout", "seconds", "408",
        "Longest wait for the next byte of an HTTP request body.";
    body_rate: usize = 1_024, "body_rate", "bytes per second", "408; 0 is no limit",
        "Least rate at which an HTTP request body arrives, once body_timeout has passed.";
    body_deadline: Duration = Duration::from_mins(10), "body_deadline", "seconds", "408",
        "Longest time an HTTP request body takes to arrive.";
    max_streams: usize = 64, "max_streams", "streams", "429",
        "Most open event streams of one session.";
    replay_events: usize = 1_000, "replay_events", "events", "the oldest is dropped",
        "Most events kept for resuming, per session.";
    replay_bytes: u64 = MIB, "replay_bytes", "bytes", "the oldest is dropped, but never the newest",
        "Most bytes of events kept for resuming, per session.";
    send_queue_messages: usize = 1_024, "send_queue.messages", "messages",
        "senders wait, logs are dropped and counted",
        "Most messages waiting to be written to one stream.";
    send_queue_bytes: u64 = 4 * MIB, "send_queue.bytes", "bytes",
        "senders wait, logs are dropped and counted",
        "Most bytes waiting to be written to one stream.";
    reply_queue_bytes: u64 = 256 * MIB, "send_queue.reply_bytes", "bytes",
        "no more requests are read until the client takes replies",
        "Most bytes waiting to be written to a client on stdio or on a channel of the program's own.";
    slow_reader: Duration = Duration::from_secs(30), "slow_reader", "seconds",
        "the stream is closed with a reason",
        "Longest time a reader may take nothing from a full stream.";
    stdio_spin: usize = 100, "stdio_spin", "microseconds",
        "the thread sleeps until there is some",
        "Longest time the thread that reads standard input looks for the next message before it sleeps, where the one before came as soon and there is another processor.";
    max_subscriptions: usize = 1_000, "max_subscriptions", "subscriptions", "-32602",
        "Most resource subscriptions of one connection.";
    progress_rate: usize = 100, "progress_rate", "per second",
        "the newest waits for its turn, those it overtakes are not sent; 0 is no limit",
        "Most progress notifications of one request in a second; as many may leave at once.";
    log_rate: usize = 1_000, "log_rate", "per second",
        "messages wait for their turn; 0 is no limit",
        "Most log messages of one connection in a second; as many may leave at once.";
    log_backlog: usize = 100, "log_backlog", "messages",
        "the oldest is dropped, and the next that is sent says how many were",
        "Most log messages of one connection that wait, for their turn or for a full stream.";
    principal_sessions: usize = 1_000, "per_principal.sessions", "sessions", "503",
        "Most legacy HTTP sessions of one principal, or address without one.";
    principal_streams: usize = 1_000, "per_principal.streams", "streams",
        "answers are JSON, what must be a stream gets 429",
        "Most open event streams of one principal, or address without one, over HTTP.";
    principal_connections: usize = 1_000, "per_principal.connections", "connections",
        "503, and the connection closes",
        "Most open HTTP connections of one address. 127.0.0.1, ::1 and trusted proxies are not counted.";
    principal_in_flight: usize = 1_000, "per_principal.in_flight", "calls", "503",
        "Most calls of one principal, or address without one, over HTTP that are not answered at once; each counts until its handler ends. Calls that begin in the same instant may exceed it by one for each thread.";
    principal_in_flight_bytes: u64 = 256 * MIB, "per_principal.in_flight_bytes", "bytes", "503",
        "Most bytes of requests of one principal, or address without one, over HTTP, from the first byte of a body until its calls end; requests of up to 1 KiB are not counted.";
    schema_bytes: u64 = 256 * KIB, "schema_bytes", "bytes", "the registration or call is refused",
        "Largest JSON Schema that is compiled.";
    schema_depth: usize = 64, "schema_depth", "levels", "the registration or call is refused",
        "Deepest nesting of subschemas.";
    schema_nodes: usize = 10_000, "schema_nodes", "subschemas", "the registration or call is refused",
        "Most subschemas of one schema.";
    schema_paths: usize = 100_000, "schema_paths", "paths", "the registration or call is refused",
        "Most evaluation paths of one schema, references followed.";
    validation_steps: usize = 1_000_000, "validation_steps", "steps", "the registration or call is refused",
        "Most steps of one validation.";
    parked_per_principal: usize = 100, "parked.per_principal", "calls", "Overloaded",
        "Most calls of one principal or address that wait for a client's retry.";
    parked_max: usize = 10_000, "parked.max", "calls", "Overloaded",
        "Most calls of a process that wait for a client's retry.";
    parked_ttl: Duration = Duration::from_mins(10), "parked.ttl", "seconds",
        "the call is cancelled and the retry gets a clear error",
        "How long a call waits for the client's retry.";
    used_states: usize = 100_000, "used_states", "states",
        "those that expire first are void at once, used or not",
        "Most used `requestState`s that a process remembers until they expire, so that none is taken twice.";
    max_rounds: usize = 8, "max_rounds", "rounds", "a clear error",
        "Most rounds of questions of one call.";
    tasks_max: usize = 10_000, "tasks.max", "tasks", "Overloaded",
        "Most tasks of a server that run at once, and most that a store in memory keeps.";
    tasks_per_principal: usize = 100, "tasks.per_principal", "tasks", "Overloaded",
        "Most tasks of one principal, or address without one, that run at once.";
    tasks_bytes: u64 = 256 * MIB, "tasks.bytes", "bytes",
        "the request, or the task with the result that has no room, fails with the store's words",
        "Most bytes of tasks and their results that a store in memory keeps.";
    tasks_ttl: Duration = Duration::from_hours(1), "tasks.ttl", "seconds",
        "the work is cancelled and the task is unknown",
        "How long a task is kept from its creation, unless its tool says otherwise.";
    request_timeout: Duration = Duration::from_mins(1), "request_timeout", "seconds",
        "the request is cancelled and fails with Timeout",
        "Longest wait of a client for an answer; progress starts it anew.";
    request_max: Duration = Duration::from_mins(10), "request_max", "seconds",
        "the request is cancelled and fails with Timeout",
        "Longest wait of a client for an answer, progress or not.";
    handler_timeout: Option<Duration> = None, "handler_timeout", "seconds",
        "the call is cancelled and fails",
        "Longest run of a handler; can be set per tool.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_defaults_are_one_thing() {
        let defaults = Limits::default().values();
        let rows: Vec<_> = Limits::rows().iter().map(|row| (row.name, row.default)).collect();
        assert_eq!(rows, defaults);
    }

    #[test]
    fn a_limit_is_set_by_name_and_sort() {
        let mut limits = Limits::default();
        assert!(limits.set("max_rounds", LimitValue::Count(3)));
        assert!(limits.set("handler_timeout", LimitValue::Time(None)));
        assert!(!limits.set("parked.ttl", LimitValue::Time(None)));
        assert!(!limits.set("max_rounds", LimitValue::Bytes(3)));
        assert!(!limits.set("rounds", LimitValue::Count(3)));
        assert_eq!(limits, Limits { max_rounds: 3, ..Limits::default() });
    }

    #[test]
    fn names_differ_and_every_row_says_what_happens() {
        let rows = Limits::rows();
        for (at, row) in rows.iter().enumerate() {
            assert!(rows[..at].iter().all(|other| other.name != row.name), "{} twice", row.name);
            assert!(!row.beyond.is_empty() && row.doc.ends_with('.') && !row.unit.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn defaults_are_the_decided_ones() {
        let value = |name: &str| Limits::rows().iter().find(|row| row.name == name).map(|row| row.default);
        assert_eq!(value("max_message_bytes"), Some(LimitValue::Bytes(64 * 1024 * 1024)));
        assert_eq!(value("parked.ttl"), Some(LimitValue::Time(Some(Duration::from_mins(10)))));
        assert_eq!(value("handler_timeout"), Some(LimitValue::Time(None)));
        assert_eq!(value("max_rounds"), Some(LimitValue::Count(8)));
    }
}
