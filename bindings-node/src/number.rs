//! Numbers of calls and connections, which fit in 53 bits, as JavaScript numbers.

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they fit 53 bits")]
pub(crate) const fn from_js(value: f64) -> u64 {
    value as u64
}

#[allow(clippy::cast_precision_loss, reason = "they fit 53 bits")]
pub(crate) const fn to_js(value: u64) -> f64 {
    value as f64
}
