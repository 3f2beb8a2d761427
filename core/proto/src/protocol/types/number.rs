//! How numbers are read and written: `1`, not `1.0`; and `1.0` where a whole number
//! is due.
//!
//! Owns: the two spellings. Must not know: what the numbers mean.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::Serializer;

/// Whole numbers up to here are exact in a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes whole numbers without a fraction.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
pub(super) fn plain<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && value.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 53 bits")]
        return serializer.serialize_i64(*value as i64);
    }
    serializer.serialize_f64(*value)
}

/// As [`plain`], for optional members.
#[expect(clippy::ref_option, reason = "the signature serde asks for")]
pub(super) fn plain_opt<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => plain(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// Reads a whole number that is not negative, also when written with a fraction of zero.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    from_number(&number).ok_or_else(|| D::Error::custom("expected a whole number, zero or more"))
}

/// As [`whole`], for optional members.
pub(super) fn whole_opt<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = <Option<serde_json::Number>>::deserialize(deserializer)? else { return Ok(None) };
    from_number(&number).map(Some).ok_or_else(|| D::Error::custom("expected a whole number, zero or more"))
}

fn from_number(number: &serde_json::Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let value = number.as_f64()?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
        (value.fract() == 0.0 && (0.0..=EXACT).contains(&value)).then_some(value as u64)
    })
}
