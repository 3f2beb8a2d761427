//! The boundary as a binding sees it.

mod calls;
mod engine;
mod inbox;
mod peer;
