//! Strings of Python and text of the engine. Owns: the cheapest way between them. Must not know:
//! what a text says.
//!
//! A long string is copied in the units that it lies in: for UTF-8 that is not all ASCII the
//! interpreter takes ten times as long, and keeps it beside the string.

use mcpbolt_proto::jsonrpc::{HostText, Units};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// From how many bytes on it is worth asking in which units a text is.
pub(crate) const LONG: usize = 512;

/// Hands out a string in units that it can be had in without much work.
///
/// Raises `UnicodeEncodeError` if there is a surrogate that stands alone.
pub(crate) fn with_units<T>(
    value: &Bound<'_, PyString>,
    take: impl FnOnce(HostText<'_>) -> T,
) -> PyResult<T> {
    let py = value.py();
    // A subclass may have changed its methods.
    let is_short = value.len()? < LONG || !value.is_exact_instance_of::<PyString>();
    if is_short || value.call_method0(intern!(py, "isascii"))?.is_truthy()? {
        return Ok(take(HostText::Utf8(value.to_str()?)));
    }
    let encode = |encoding| value.call_method1(intern!(py, "encode"), (encoding,));
    if let Ok(bytes) = encode(intern!(py, "latin-1")) {
        return Ok(take(HostText::Latin1(bytes.cast::<PyBytes>()?.as_bytes())));
    }
    let bytes = encode(intern!(py, "utf-16-le"))?;
    let (pairs, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    drop(bytes);
    Ok(take(HostText::Utf16(&units)))
}

/// A string as UTF-8.
pub(crate) fn utf8(value: &Bound<'_, PyString>) -> PyResult<String> {
    let mut text = None;
    with_units(value, |units| text = units.to_utf8())?;
    // Nothing stands alone in what was handed out.
    text.ok_or_else(|| PyValueError::new_err("the text is not Unicode"))
}

/// A string of this text.
pub(crate) fn string<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    match (text.len() >= LONG).then(|| Units::of_text(text)).flatten() {
        Some(units) => of_units(py, units),
        None => Ok(PyString::new(py, text)),
    }
}

/// A string of these units; surrogates may stand alone.
pub(crate) fn of_units<'py>(py: Python<'py>, units: Units<'_>) -> PyResult<Bound<'py, PyString>> {
    match units {
        Units::Ascii(text) => Ok(PyString::new(py, text)),
        Units::Latin1(bytes) => {
            PyString::from_encoded_object(&PyBytes::new(py, &bytes), Some(c"latin-1"), None)
        }
        Units::Utf16(units) => {
            let bytes = PyBytes::new_with(py, units.len() * 2, |bytes| {
                let (pairs, _) = bytes.as_chunks_mut::<2>();
                pairs.iter_mut().zip(&units).for_each(|(pair, unit)| *pair = unit.to_le_bytes());
                Ok(())
            })?;
            drop(units);
            PyString::from_encoded_object(&bytes, Some(c"utf-16-le"), Some(c"surrogatepass"))
        }
    }
}
