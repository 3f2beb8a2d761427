//! Strings of Python and text of the engine. Owns: the cheapest way between them. Must not know:
//! what a text says.
//!
//! A long string is copied in the units that it lies in: for UTF-8 that is not all ASCII the
//! interpreter takes ten times as long, and keeps it beside the string. A large one is copied piece
//! by piece: copies of all of it would be pages that the kernel hands out and takes back for each
//! message, which takes longer than the copying.

use mcpbolt_proto::jsonrpc::{HostText, LiteralParts, UnitPieces, Units};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySequence, PyString};

/// From how many bytes on it is worth asking in which units a text is.
pub(crate) const LONG: usize = 512;
/// How many characters of a large string are copied at once.
const PIECE: usize = 64 << 10;
/// From how many characters or bytes on a string is copied piece by piece.
const LARGE: usize = 2 * PIECE;

/// Hands out a string part by part, each in units that it can be had in without much work.
///
/// Raises `UnicodeEncodeError` if there is a surrogate that stands alone.
fn each_part(value: &Bound<'_, PyString>, mut take: impl FnMut(HostText<'_>)) -> PyResult<()> {
    let length = value.len()?;
    // A subclass may have changed its methods.
    let is_short = length < LONG || !value.is_exact_instance_of::<PyString>();
    if is_short || value.call_method0(intern!(value.py(), "isascii"))?.is_truthy()? {
        take(HostText::Utf8(value.to_str()?));
        return Ok(());
    }
    if length < LARGE {
        return take_units(value, &mut take);
    }
    let characters = value.cast::<PySequence>()?;
    for start in (0..length).step_by(PIECE) {
        let part = characters.get_slice(start, length.min(start + PIECE))?;
        take_units(part.cast::<PyString>()?, &mut take)?;
    }
    Ok(())
}

fn take_units(value: &Bound<'_, PyString>, take: &mut impl FnMut(HostText<'_>)) -> PyResult<()> {
    let py = value.py();
    let encode = |encoding| value.call_method1(intern!(py, "encode"), (encoding,));
    if let Ok(bytes) = encode(intern!(py, "latin-1")) {
        take(HostText::Latin1(bytes.cast::<PyBytes>()?.as_bytes()));
        return Ok(());
    }
    let bytes = encode(intern!(py, "utf-16-le"))?;
    let (pairs, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    take(HostText::Utf16(&units));
    Ok(())
}

/// Pushes the parts of a string.
pub(crate) fn push_parts(parts: &mut LiteralParts<'_>, value: &Bound<'_, PyString>) -> PyResult<()> {
    each_part(value, |part| parts.push(part))
}

/// A string as UTF-8.
pub(crate) fn utf8(value: &Bound<'_, PyString>) -> PyResult<String> {
    let (mut text, mut is_unicode) = (String::new(), true);
    each_part(value, |part| match part.to_utf8() {
        // Most have one part.
        Some(part) if text.is_empty() => text = part,
        Some(part) => text.push_str(&part),
        None => is_unicode = false,
    })?;
    // Nothing stands alone in what was handed out.
    is_unicode.then_some(text).ok_or_else(|| PyValueError::new_err("the text is not Unicode"))
}

/// A string of this text.
pub(crate) fn string<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let read = match text.len() {
        ..LONG => None,
        LONG..LARGE => Units::of_text(text).map(|units| of_units(py, units)).transpose()?,
        LARGE.. => joined(py, UnitPieces::of_text(text))?,
    };
    Ok(read.unwrap_or_else(|| PyString::new(py, text)))
}

/// The string that a JSON string stands for; surrogates may stand alone. `None` if it is none.
pub(crate) fn of_literal<'py>(py: Python<'py>, literal: &str) -> PyResult<Option<Bound<'py, PyString>>> {
    if literal.len() < LARGE {
        return Units::of_literal(literal).map(|units| of_units(py, units)).transpose();
    }
    UnitPieces::of_literal(literal).map_or(Ok(None), |pieces| joined(py, pieces))
}

/// Puts a string together; `None` if a piece is broken.
fn joined<'py>(py: Python<'py>, pieces: UnitPieces<'_>) -> PyResult<Option<Bound<'py, PyString>>> {
    let parts = pieces.map(|piece| piece.map(|units| of_units(py, units)).transpose());
    let Some(parts) = parts.collect::<PyResult<Option<Vec<_>>>>()? else { return Ok(None) };
    Ok(Some(PyString::new(py, "").call_method1(intern!(py, "join"), (parts,))?.cast_into()?))
}

/// A string of these units; surrogates may stand alone.
fn of_units<'py>(py: Python<'py>, units: Units<'_>) -> PyResult<Bound<'py, PyString>> {
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
