//! Compiling with the validating library.
//!
//! Owns: the options it is given: offline, bounded patterns, no formats. Must not know: what
//! a schema may cost, or what is checked with it.

use jsonschema::{PatternOptions, ValidationError, Validator as Compiled};
use serde_json::Value;

use super::validator::CompileOptions;

/// Compiles what was found to be within the budget. Nothing outside of it is read.
pub(super) fn build(schema: &Value, options: &CompileOptions) -> Result<Compiled, ValidationError<'static>> {
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(options.backtracks)
        .size_limit(options.pattern_bytes)
        .dfa_size_limit(options.pattern_bytes);
    jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .with_pattern_options(patterns)
        .build(schema)
}
