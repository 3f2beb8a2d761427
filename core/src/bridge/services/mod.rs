//! services.

pub(crate) mod asks;
pub(crate) mod event_store;
