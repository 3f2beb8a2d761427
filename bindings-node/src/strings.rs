//! Long strings, which cross by themselves and not as part of JSON text.
//!
//! Owns: making strings of JavaScript from the engine's and the other way round. Must not know:
//! what they belong to.
//!
//! V8 keeps strings as Latin-1 or UTF-16. Making one from UTF-8 that is not all ASCII costs ten times
//! as much as copying it, and JSON.parse and JSON.stringify look at each character once more.

use mcpbolt::bridge::SplitBatch;
use mcpbolt_proto::jsonrpc::{HostText, Pieces, RawJson, Units};
use mcpbolt_proto::protocol::Error;
use napi::bindgen_prelude::Array;
use napi::{Env, JsString};

use crate::error::{Engine, Result, throw};

/// From how many bytes on a string crosses by itself; `LONG` of `ts/engine/pieces.ts` is the
/// same for the other way.
pub(crate) const LONG: usize = 4096;

/// A batch as an array: its text, the ways to its long strings, and these.
pub(crate) fn apart<'env>(env: &'env Env, batch: SplitBatch<'_>) -> napi::Result<Array<'env>> {
    let mut array = env.create_array(0)?;
    array.insert(batch.text)?;
    array.insert(batch.ways)?;
    for string in batch.strings {
        array.insert(match string {
            Units::Ascii(text) => env.create_string_latin1(text)?,
            Units::Latin1(bytes) => env.create_string_latin1(bytes)?,
            Units::Utf16(units) => env.create_string_utf16(units)?,
        })?;
    }
    Ok(array)
}

/// One JSON value from its pieces: texts, and between each two a string.
pub(crate) fn joined(texts: &[String], strings: &Array<'_>) -> Result<RawJson> {
    let usage = |e: String| throw(Error::usage(e));
    let js = |e: napi::Error| napi::Error::new(Engine, e.reason.clone());
    let mut lengths = texts.iter().map(String::len).sum::<usize>() + 64;
    for number in 0..strings.len() {
        let string = strings.get::<JsString<'_>>(number).map_err(js)?;
        lengths += string.map_or(Ok(0), |string| string.utf16_len()).map_err(js)?;
    }
    // Escapes and umlauts need more than their unit; all else fits.
    let mut pieces = Pieces::with_room(lengths + lengths / 16);
    for (number, text) in (0..).zip(texts) {
        pieces.json(text);
        if let Some(string) = strings.get::<JsString<'_>>(number).map_err(js)? {
            let units = string.into_utf16().map_err(js)?;
            // There is a zero behind it.
            let (_, units) = units.as_slice().split_last().unwrap_or((&0, &[]));
            pieces.string(HostText::Utf16(units));
        }
    }
    pieces.finish().map_err(|e| usage(e.to_string()))
}
