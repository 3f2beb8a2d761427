//! The functions of the engine for Python. The facade, written in Python, is built on them.
//!
//! No thread made by Rust ever attaches to Python: the loop is woken through a file
//! descriptor, worker threads are Python's own and block in `take_sync` detached. Nothing in
//! here holds a Python object.
#![allow(clippy::needless_pass_by_value, reason = "arguments arrive as owned values")]

mod apps;
mod auth;
mod client;
mod command;
mod error;
mod hosts;
mod inbox;
mod items;
mod json;
mod seal;
mod server;
mod sign_in;
mod skills;
mod strings;
mod template;
mod transport;
mod wake;
mod write;

use pyo3::prelude::*;

/// Moves the engine's time forward by this many seconds. For tests.
#[pyfunction]
fn advance(seconds: f64) -> PyResult<()> {
    mcpbolt::bridge::testing::advance(inbox::seconds(seconds)?);
    Ok(())
}

/// Marks a `requestState` that the facade opened as used; possible once in this process.
#[pyfunction]
fn take_state(number: &str, expires: f64) -> PyResult<()> {
    mcpbolt::bridge::take_state(number, expires).map_err(error::raise)
}

/// Called in a forked child, which must not use its parent's channels.
#[pyfunction]
fn forked() {
    mcpbolt::transport::stdio::forked();
}

/// The extension module.
#[pymodule(gil_used = false)]
fn _mcpbolt(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<inbox::Inbox>()?;
    module.add_class::<server::Server>()?;
    module.add_class::<server::Mount>()?;
    module.add_class::<client::Client>()?;
    module.add_class::<command::Command>()?;
    module.add_class::<transport::Transport>()?;
    module.add_class::<transport::EventReader>()?;
    module.add_class::<auth::AuthFlow>()?;
    module.add_class::<auth::DpopKey>()?;
    module.add_class::<auth::BearerRules>()?;
    module.add_class::<auth::ResourceServer>()?;
    module.add_class::<auth::TokenWait>()?;
    module.add_class::<auth::AnswerWait>()?;
    module.add_class::<auth::IdentityAssertions>()?;
    module.add_class::<auth::ClientDocuments>()?;
    module.add_class::<sign_in::TokenFile>()?;
    module.add_class::<sign_in::TokenFileLock>()?;
    module.add_class::<sign_in::RedirectPort>()?;
    module.add_class::<sign_in::RedirectWait>()?;
    module.add_class::<json::Schema>()?;
    module.add_class::<template::UriPattern>()?;
    module.add_class::<seal::KeyRing>()?;
    module.add_class::<write::Written>()?;
    module.add("EngineError", module.py().get_type::<error::EngineError>())?;
    module.add_function(wrap_pyfunction!(advance, module)?)?;
    module.add_function(wrap_pyfunction!(take_state, module)?)?;
    module.add_function(wrap_pyfunction!(forked, module)?)?;
    module.add_function(wrap_pyfunction!(auth::auth_decision, module)?)?;
    module.add_function(wrap_pyfunction!(sign_in::open_in_browser, module)?)?;
    module.add_function(wrap_pyfunction!(apps::app_decision, module)?)?;
    module.add_function(wrap_pyfunction!(hosts::host_names, module)?)?;
    module.add_function(wrap_pyfunction!(skills::skill_decision, module)?)?;
    module.add_function(wrap_pyfunction!(skills::skill_digest, module)?)?;
    module.add_function(wrap_pyfunction!(skills::verify_skill, module)?)?;
    module.add_function(wrap_pyfunction!(json::loads, module)?)?;
    module.add_function(wrap_pyfunction!(write::dumps, module)?)?;
    module.add_function(wrap_pyfunction!(write::quote, module)?)?;
    module.add_function(wrap_pyfunction!(write::text_result, module)?)?;
    module.add_function(wrap_pyfunction!(error::error_names, module)?)
}
