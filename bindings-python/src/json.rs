//! JSON text straight to Python objects, in one pass over text that the engine has
//! checked. Owns: what each JSON value becomes. Must not know: MCP.
//!
//! What comes out equals `json.loads`: integers of any size, keys in order, the last of
//! equal keys.

use mcpbolt_proto::jsonrpc::RawJson;
use memchr::memchr2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error::raise;
use crate::strings::{LONG, of_literal, utf8};

/// Keys up to this length in bytes are shared between all dictionaries.
const SHARED_KEY: usize = 32;
/// Integers of up to this many characters fit in 64 bits.
const SHORT_INTEGER: usize = 18;

/// Parses JSON text from a host.
pub(crate) fn raw(text: &str) -> PyResult<RawJson> {
    RawJson::parse(text.to_owned()).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// As [`raw`], for text that may be long.
pub(crate) fn long_raw(text: &Bound<'_, PyString>) -> PyResult<RawJson> {
    RawJson::parse(utf8(text)?).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// As [`long_raw`], for text that may be absent.
pub(crate) fn maybe_raw(value: Option<&Bound<'_, PyString>>) -> PyResult<Option<RawJson>> {
    value.map(long_raw).transpose()
}

/// A value as a Python object; `None` for an absent one.
pub(crate) fn decode<'py>(py: Python<'py>, raw: Option<&RawJson>) -> PyResult<Bound<'py, PyAny>> {
    let Some(raw) = raw else { return Ok(py.None().into_bound(py)) };
    Reader { py, text: raw.as_str(), at: 0 }.value()
}

/// Parses any text, checking it first; for Python code with text of its own.
#[pyfunction]
pub(crate) fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    decode(py, Some(&raw(text)?))
}

struct Reader<'py, 'a> {
    py: Python<'py>,
    text: &'a str,
    at: usize,
}

impl<'py> Reader<'py, '_> {
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied().unwrap_or(0)
    }

    fn broken(&self) -> PyErr {
        PyValueError::new_err(format!("broken JSON at byte {}", self.at))
    }

    fn skip(&mut self, expected: u8) -> PyResult<()> {
        if self.peek() != expected {
            return Err(self.broken());
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> PyResult<Bound<'py, PyAny>> {
        match self.peek() {
            b'"' => {
                let text = self.string()?;
                Ok(text.into_any())
            }
            b'{' => self.object(),
            b'[' => self.array(),
            b't' => self.word("true", PyBool::new(self.py, true).to_owned().into_any()),
            b'f' => self.word("false", PyBool::new(self.py, false).to_owned().into_any()),
            b'n' => self.word("null", self.py.None().into_bound(self.py)),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.broken())
        }
    }

    fn object(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let dict = PyDict::new(self.py);
        self.at += 1;
        if self.peek() == b'}' {
            self.at += 1;
            return Ok(dict.into_any());
        }
        loop {
            self.peek();
            let key = self.key()?;
            self.skip(b':')?;
            dict.set_item(key, self.value()?)?;
            match self.peek() {
                b',' => self.at += 1,
                _ => break,
            }
        }
        self.skip(b'}')?;
        Ok(dict.into_any())
    }

    fn array(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(self.py);
        self.at += 1;
        if self.peek() == b']' {
            self.at += 1;
            return Ok(list.into_any());
        }
        loop {
            list.append(self.value()?)?;
            match self.peek() {
                b',' => self.at += 1,
                _ => break,
            }
        }
        self.skip(b']')?;
        Ok(list.into_any())
    }

    /// The end of the string that starts here, and whether it has escapes.
    fn span(&self) -> PyResult<(usize, bool)> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.at) != Some(&b'"') {
            return Err(self.broken());
        }
        let (mut end, mut escaped) = (self.at + 1, false);
        loop {
            let Some(found) = bytes.get(end..).and_then(|rest| memchr2(b'"', b'\\', rest)) else {
                return Err(self.broken());
            };
            end += found;
            if bytes[end] == b'"' {
                return Ok((end, escaped));
            }
            escaped = true;
            end += 2;
        }
    }

    /// Reads a key. Short keys are the same object wherever they occur.
    fn key(&mut self) -> PyResult<Bound<'py, PyString>> {
        let (end, escaped) = self.span()?;
        if escaped || end - self.at > SHARED_KEY {
            return self.spanned(end, escaped);
        }
        let key = PyString::intern(self.py, &self.text[self.at + 1..end]);
        self.at = end + 1;
        Ok(key)
    }

    fn string(&mut self) -> PyResult<Bound<'py, PyString>> {
        let (end, escaped) = self.span()?;
        self.spanned(end, escaped)
    }

    fn spanned(&mut self, end: usize, escaped: bool) -> PyResult<Bound<'py, PyString>> {
        let literal = &self.text[self.at..=end];
        self.at = end + 1;
        if literal.len() < LONG {
            if !escaped {
                return Ok(PyString::new(self.py, &literal[1..literal.len() - 1]));
            }
            if let Ok(text) = serde_json::from_str::<String>(literal) {
                return Ok(PyString::new(self.py, &text));
            }
        }
        // A lone surrogate is valid in a Python string but not in a Rust one.
        of_literal(self.py, literal)?.ok_or_else(|| self.broken())
    }

    fn number(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let rest = &self.text.as_bytes()[self.at..];
        let is_part = |b: &u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
        let text = &self.text[self.at..self.at + length];
        let value = if text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) {
            let number: f64 = text.parse().map_err(|_| self.broken())?;
            PyFloat::new(self.py, number).into_any()
        } else if length <= SHORT_INTEGER {
            let number: i64 = text.parse().map_err(|_| self.broken())?;
            number.into_pyobject(self.py)?.into_any()
        } else {
            self.py.get_type::<PyInt>().call1((text,))?
        };
        self.at += length;
        Ok(value)
    }
}

/// A JSON Schema, compiled by the engine.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Schema(mcpbolt::schema::LazyValidator);

#[pymethods]
impl Schema {
    #[new]
    fn new(schema: &str) -> PyResult<Self> {
        Ok(Self(mcpbolt::schema::LazyValidator::new(raw(schema)?)))
    }

    /// `None` if the value is valid, else the most relevant fault, as JSON.
    fn explain(&self, value: &str) -> PyResult<Option<String>> {
        let value = raw(value)?;
        let validator = self.0.get().map_err(raise)?;
        Ok(validator.explain(&value).err().map(|fault| fault.as_str().to_owned()))
    }
}
