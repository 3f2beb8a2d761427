//! Python values to JSON text, in one pass. Owns: the JSON form of each plain value. Must not
//! know: MCP, and values that are not plain, which the caller handles.
//!
//! The output equals `json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",",
//! ":"))`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mcpbolt_proto::jsonrpc::{LiteralParts, Pieces, RawJson};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;

use crate::strings::{LONG, push_parts, string};

/// Deeper values are refused, and with them values that contain themselves.
const MAX_DEPTH: usize = 200;

/// Writes compact JSON text.
///
/// Raises `TypeError` for values that are not made of dictionaries with text as keys, lists,
/// tuples, text, numbers, booleans and `None`, and `ValueError` for values that are too deep,
/// infinite or NaN.
#[pyfunction]
pub(crate) fn dumps<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    let mut text = Vec::with_capacity(256);
    write(&mut text, value, 0)?;
    finish(value.py(), &text)
}

/// Writes a string with its quotes and escapes.
#[pyfunction]
pub(crate) fn quote<'py>(value: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    let mut text = Vec::new();
    escape(&mut text, value)?;
    finish(value.py(), &text)
}

/// JSON text that the engine has already. Completing a call with it copies nothing and takes it
/// away: what only the engine has can become the message where it lies.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Written(Mutex<Option<RawJson>>);

impl From<RawJson> for Written {
    fn from(text: RawJson) -> Self {
        Self(Mutex::new(Some(text)))
    }
}

impl Written {
    /// The text. Raises `ValueError` if it was taken before.
    pub(crate) fn take(&self) -> PyResult<RawJson> {
        self.text().take().ok_or_else(taken)
    }

    fn text(&self) -> MutexGuard<'_, Option<RawJson>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn taken() -> PyErr {
    PyValueError::new_err("this result completed a call already")
}

#[pymethods]
impl Written {
    /// The JSON text. Raises `ValueError` if it completed a call.
    fn __str__(&self) -> PyResult<String> {
        self.text().as_ref().map(|text| text.as_str().to_owned()).ok_or_else(taken)
    }
}

/// A tool result with one text block.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TextResult<'a> {
    content: [TextBlock<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Structured<'a>>,
    is_error: bool,
}

#[derive(Serialize)]
struct TextBlock<'a> {
    r#type: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct Structured<'a> {
    result: &'a str,
}

/// The whole result of a tool that returned `text`. `structured` adds the text as structured
/// content, for tools that declare it.
#[pyfunction]
pub(crate) fn text_result(text: &Bound<'_, PyString>, structured: bool) -> PyResult<Written> {
    if text.len()? >= LONG {
        return long_text_result(text, structured).map(Written::from);
    }
    let text = text.to_str()?;
    let result = TextResult {
        content: [TextBlock { r#type: "text", text }],
        structured_content: structured.then_some(Structured { result: text }),
        is_error: false,
    };
    RawJson::encode(&result).map(Written::from).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// The same, with the text made JSON once.
fn long_text_result(text: &Bound<'_, PyString>, structured: bool) -> PyResult<RawJson> {
    // More than is written, which costs nothing: glibc keeps the pages of what was given back up to
    // twice its largest block, and the text itself and an argument that it was made of are among it.
    let mut pieces = Pieces::with_room(text.len()? * 5 / 2 + 64);
    pieces.json(r#"{"content":[{"type":"text","text":"#);
    pieces.string_of_parts(|parts| push_parts(parts, text))?;
    pieces.json("}]");
    if structured {
        pieces.json(r#","structuredContent":{"result":"#);
        pieces.same_string();
        pieces.json("}");
    }
    pieces.json(r#","isError":false}"#);
    pieces.finish().map_err(|e| PyValueError::new_err(e.to_string()))
}

fn finish<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyString>> {
    string(py, std::str::from_utf8(text).map_err(|e| PyValueError::new_err(e.to_string()))?)
}

fn escape(out: &mut Vec<u8>, text: &Bound<'_, PyString>) -> PyResult<()> {
    LiteralParts::write(out, |parts| push_parts(parts, text))
}

fn write(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
    if let Ok(text) = value.cast::<PyString>() {
        return escape(out, text);
    }
    if value.is_none() {
        out.extend_from_slice(b"null");
        return Ok(());
    }
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err("the value is nested too deeply"));
    }
    if value.is_exact_instance_of::<PyDict>() {
        return object(out, value.cast::<PyDict>()?, depth);
    }
    if let Ok(list) = value.cast::<PyList>() {
        return array(out, list.iter(), depth);
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return array(out, tuple.iter(), depth);
    }
    number(out, value)
}

fn object(out: &mut Vec<u8>, dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<()> {
    out.push(b'{');
    for (at, (key, value)) in dict.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        let key = key.cast::<PyString>().map_err(|_| PyTypeError::new_err("a key is no text"))?;
        escape(out, key)?;
        out.push(b':');
        write(out, &value, depth + 1)?;
    }
    out.push(b'}');
    Ok(())
}

fn array<'py>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
) -> PyResult<()> {
    out.push(b'[');
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write(out, &item, depth + 1)?;
    }
    out.push(b']');
    Ok(())
}

fn number(out: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(flag) = value.cast::<PyBool>() {
        out.extend_from_slice(if flag.is_true() { b"true" } else { b"false" });
    } else if let Ok(integer) = value.cast::<PyInt>() {
        match integer.extract::<i64>() {
            Ok(short) => out.extend_from_slice(short.to_string().as_bytes()),
            Err(_) if value.is_exact_instance_of::<PyInt>() => {
                out.extend_from_slice(integer.str()?.to_str()?.as_bytes());
            }
            Err(error) => return Err(PyTypeError::new_err(error.to_string())),
        }
    } else if let Ok(float) = value.cast::<PyFloat>() {
        let float = float.value();
        if !float.is_finite() {
            return Err(PyValueError::new_err("JSON has no such number"));
        }
        // Written as Python does it: the shortest text that reads back as the same number.
        out.extend_from_slice(PyFloat::new(value.py(), float).repr()?.to_str()?.as_bytes());
    } else {
        return Err(PyTypeError::new_err("the value is not plain"));
    }
    Ok(())
}
