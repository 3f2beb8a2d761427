//! [`Table`](super::Table) in a file.
//!
//! Owns: the file, its one writer, and what it is called when it fails. Must not know: what is
//! kept.

mod database;
mod rows;
mod table;

pub use table::FileTable;
