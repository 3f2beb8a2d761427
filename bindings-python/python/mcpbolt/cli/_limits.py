"""The limits of the engine: name, default, what is bounded, what happens beyond it.

Written by `cargo xtask generate` from the engine's own rows; do not edit.
"""

# ruff: noqa: E501
from __future__ import annotations

LIMITS: tuple[tuple[str, str, str, str], ...] = (
    ("max_message_bytes.http_body", "16 MiB", "Largest HTTP request body a server reads.", "413, and the connection closes"),
    ("max_message_bytes", "64 MiB", "Largest stdio line, client response or SSE event.", "-32600, with the id where it can be told, and on to the next line; a client's call fails, others live"),
    ("max_depth", "128 levels", "Deepest nesting of a JSON message.", "-32600"),
    ("max_batch", "100 messages", "Most messages in one batch.", "-32600"),
    ("max_in_flight", "10000 requests", "Most unanswered requests of one connection; over HTTP, of a server. A tenth is kept for senders that have few.", "Overloaded"),
    ("max_in_flight_bytes", "64 MiB", "Most bytes of unanswered requests of one connection.", "Overloaded"),
    ("max_connections", "10000 connections", "Most open HTTP connections of a server.", "accepting pauses"),
    ("max_sessions", "10000 sessions", "Most legacy HTTP sessions of a server.", "503"),
    ("session_idle", "1800 s", "How long a legacy HTTP session lives without traffic.", "404"),
    ("max_header_bytes", "64 KiB", "Largest HTTP request head.", "431"),
    ("head_timeout", "10 s", "Longest wait for a complete HTTP request head, or the preface and SETTINGS of HTTP/2.", "408"),
    ("body_timeout", "30 s", "Longest wait for the next byte of an HTTP request body.", "408"),
    ("body_rate", "1024 bytes per second", "Least rate at which an HTTP request body arrives, once body_timeout has passed.", "408; 0 is no limit"),
    ("body_deadline", "600 s", "Longest time an HTTP request body takes to arrive.", "408"),
    ("max_streams", "64 streams", "Most open event streams of one session.", "429"),
    ("replay_events", "1000 events", "Most events kept for resuming, per session.", "the oldest is dropped"),
    ("replay_bytes", "1 MiB", "Most bytes of events kept for resuming, per session.", "the oldest is dropped"),
    ("send_queue.messages", "1024 messages", "Most messages waiting to be written to one stream.", "senders wait, logs are dropped and counted"),
    ("send_queue.bytes", "4 MiB", "Most bytes waiting to be written to one stream.", "senders wait, logs are dropped and counted"),
    ("send_queue.reply_bytes", "256 MiB", "Most bytes waiting to be written to a client on stdio or on a channel of the program's own.", "no more requests are read until the client takes replies"),
    ("slow_reader", "30 s", "Longest time a reader may take nothing from a full stream.", "the stream is closed with a reason"),
    ("max_subscriptions", "1000 subscriptions", "Most resource subscriptions of one connection.", "-32602"),
    ("progress_rate", "100 per second", "Most progress notifications of one request in a second; as many may leave at once.", "the newest waits for its turn, those it overtakes are not sent; 0 is no limit"),
    ("log_rate", "1000 per second", "Most log messages of one connection in a second; as many may leave at once.", "messages wait for their turn; 0 is no limit"),
    ("log_backlog", "100 messages", "Most log messages of one connection that wait, for their turn or for a full stream.", "the oldest is dropped, and the next that is sent says how many were"),
    ("per_principal.sessions", "1000 sessions", "Most legacy HTTP sessions of one principal, or address without one.", "503"),
    ("per_principal.streams", "1000 streams", "Most open event streams of one principal, or address without one, over HTTP.", "answers are JSON, what must be a stream gets 429"),
    ("per_principal.connections", "1000 connections", "Most open HTTP connections of one address. 127.0.0.1, ::1 and trusted proxies are not counted.", "503, and the connection closes"),
    ("per_principal.in_flight", "1000 calls", "Most calls of one principal, or address without one, over HTTP that are not answered at once; each counts until its handler ends. Calls that begin in the same instant may exceed it by one for each thread.", "503"),
    ("per_principal.in_flight_bytes", "256 MiB", "Most bytes of requests of one principal, or address without one, over HTTP, from the first byte of a body until its calls end; requests of up to 1 KiB are not counted.", "503"),
    ("schema_bytes", "256 KiB", "Largest JSON Schema that is compiled.", "the registration or call is refused"),
    ("schema_depth", "64 levels", "Deepest nesting of subschemas.", "the registration or call is refused"),
    ("schema_nodes", "10000 subschemas", "Most subschemas of one schema.", "the registration or call is refused"),
    ("schema_paths", "100000 paths", "Most evaluation paths of one schema, references followed.", "the registration or call is refused"),
    ("validation_steps", "1000000 steps", "Most steps of one validation.", "the registration or call is refused"),
    ("parked.per_principal", "100 calls", "Most calls of one principal or address that wait for a client's retry.", "Overloaded"),
    ("parked.max", "10000 calls", "Most calls of a process that wait for a client's retry.", "Overloaded"),
    ("parked.ttl", "600 s", "How long a call waits for the client's retry.", "the call is cancelled and the retry gets a clear error"),
    ("used_states", "100000 states", "Most used `requestState`s that a process remembers until they expire, so that none is taken twice.", "those that expire first are void at once, used or not"),
    ("max_rounds", "8 rounds", "Most rounds of questions of one call.", "a clear error"),
    ("request_timeout", "60 s", "Longest wait of a client for an answer; progress starts it anew.", "the request is cancelled and fails with Timeout"),
    ("request_max", "600 s", "Longest wait of a client for an answer, progress or not.", "the request is cancelled and fails with Timeout"),
    ("handler_timeout", "none", "Longest run of a handler; can be set per tool.", "the call is cancelled and fails"),
)
