//! The boundary's verbs for Python. The facade, written in Python, stands on this.
//!
//! No thread made by Rust ever attaches to Python: the loop is woken through a file
//! descriptor, worker threads are Python's own and block in `take_sync` detached.
//! Nothing in here holds a Python object.
#![allow(clippy::needless_pass_by_value, reason = "arguments arrive as owned values")]

mod inbox;
mod json;
mod server;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
fn _mcpbolt(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<inbox::Inbox>()?;
    module.add_class::<server::Server>()
}
