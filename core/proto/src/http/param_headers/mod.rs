//! Tool arguments that travel as headers too (`x-mcp-header`, modern revisions).
//!
//! Owns: which annotations of an input schema are valid, the header values of given
//! arguments, and the comparison of headers with arguments. Must not know: tools,
//! sessions, HTTP libraries.

mod annotations;
#[cfg(test)]
mod tests;
mod values;

pub use annotations::{AnnotationFault, InvalidAnnotation};
pub use values::ParamHeaders;
