//! JSON text straight to Python objects, and errors to exceptions.

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// Parses text that a host gave.
pub(crate) fn raw(text: &str) -> PyResult<RawJson> {
    RawJson::parse(text.to_owned()).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// An error as an exception; the facade maps its kind to a class of its own.
pub(crate) fn raise(error: Error) -> PyErr {
    PyRuntimeError::new_err(error.message)
}

/// Decodes in one pass, without a tree of our own in between.
pub(crate) fn decode(py: Python<'_>, raw: Option<&RawJson>) -> PyResult<Py<PyAny>> {
    let Some(raw) = raw else { return Ok(py.None()) };
    let mut parser = serde_json::Deserializer::from_str(raw.as_str());
    Value(py).deserialize(&mut parser).map_err(|e| PyValueError::new_err(e.to_string()))
}

#[derive(Clone, Copy)]
struct Value<'py>(Python<'py>);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Py<PyAny>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Py<PyAny>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(pyo3::types::PyBool::new(self.0, value).to_owned().into_any().unbind())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(value.into_pyobject(self.0).map_err(E::custom)?.into_any().unbind())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(value.into_pyobject(self.0).map_err(E::custom)?.into_any().unbind())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(PyFloat::new(self.0, value).into_any().unbind())
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(PyString::new(self.0, value).into_any().unbind())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
        Ok(self.0.None())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Self::Value, A::Error> {
        let list = PyList::empty(self.0);
        while let Some(value) = rows.next_element_seed(self)? {
            list.append(value).map_err(A::Error::custom)?;
        }
        Ok(list.into_any().unbind())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut rows: A) -> Result<Self::Value, A::Error> {
        let dict = PyDict::new(self.0);
        while let Some(name) = rows.next_key::<std::borrow::Cow<'de, str>>()? {
            let value = rows.next_value_seed(self)?;
            dict.set_item(&*name, value).map_err(A::Error::custom)?;
        }
        Ok(dict.into_any().unbind())
    }
}
