//! http.

pub(crate) mod fetch;
pub(crate) mod listener;
pub(crate) mod mount;
pub(crate) mod routes;
pub(crate) mod upload;
