//! Pure decisions about who may do what, and how often.
//!
//! Owns: which addresses a client may follow, which icons it may show, which paths stay
//! inside a place, what a peer learns of a failure, what is a MIME type or base64, what a
//! server is believed, how long its lists may be, how often and how long something may be done, by
//! whom, in whose words a peer is refused, whether a skill is what its entry
//! says, which pages a host shows, what the tools of its servers are called, and when a
//! subscription that ended is asked for again.
//! Must not know: clocks, sockets, sessions. The caps that protect the engine itself are in
//! [`crate::limits`].

pub mod access;
pub mod apps;
pub mod bounds;
pub mod detail;
pub mod discovery;
pub mod host_names;
pub mod icons;
pub mod lists;
pub mod media;
pub mod norm;
pub mod places;
pub mod rate;
pub mod renewal;
pub mod share;
pub mod skills;
pub mod trust;
