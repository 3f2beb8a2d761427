//! URI templates that the facade read, matched by the engine. Owns: nothing of its own.
//! Must not know: the syntax of templates.

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::uri_template::{Value, pattern::Pattern};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::raise;

/// A URI template as a row of texts and values.
#[pyclass(frozen)]
pub(crate) struct UriPattern(Pattern);

#[pymethods]
impl UriPattern {
    #[new]
    fn new(description: &str) -> PyResult<Self> {
        Pattern::parse(description).map(Self).map_err(|why| raise(Error::usage(why.to_string())))
    }

    /// The values a URI has, by name; `None` if it does not match.
    fn matches<'py>(&self, py: Python<'py>, uri: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(values) = self.0.matches(uri) else { return Ok(None) };
        let found = PyDict::new(py);
        for (name, value) in values {
            match value {
                Value::Text(text) => found.set_item(name, text)?,
                Value::List(items) => found.set_item(name, items)?,
                Value::Map(_) => {}
            }
        }
        Ok(Some(found))
    }
}
