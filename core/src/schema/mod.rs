//! JSON Schema behind one trait: arguments, results, answers to forms.
//!
//! Owns: compiling within a budget, violations as data, defaults of forms.
//! Must not know: who words a violation for whom; methods and sessions.
//!
//! JSON Schema 2020-12 unless `$schema` names draft 4, 6, 7 or 2019-09. Nothing
//! outside of a schema is ever read. `format` and content keywords are annotations.
//! Patterns may look around; how far they backtrack is bounded.
//!
//! Without the feature `schema-validation`, [`compile`] returns a validator that
//! accepts everything, and schemas are not looked at.

mod arguments;
#[cfg(feature = "schema-validation")]
mod budget;
#[cfg(feature = "schema-validation")]
mod build;
mod compile;
#[cfg(feature = "schema-validation")]
mod dialect;
#[cfg(feature = "schema-validation")]
mod explain;
#[cfg(feature = "schema-validation")]
mod fault;
pub mod form;
mod lazy;
#[cfg(feature = "schema-validation")]
mod library;
#[cfg(feature = "schema-validation")]
mod plain;
#[cfg(feature = "schema-validation")]
mod readable;
#[cfg(feature = "schema-validation")]
mod sentences;
#[cfg(all(test, feature = "schema-validation"))]
mod tests;
mod types;
mod validator;
#[cfg(feature = "schema-validation")]
mod words;

pub use arguments::check_arguments;
pub use compile::compile;
pub use lazy::LazyValidator;
pub(crate) use types::check_types;
pub use validator::{CompileOptions, Validator, Violation};
