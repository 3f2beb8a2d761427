//! The public names of Rust, Kotlin and Swift with their comments, for the site.
//!
//! Owns: which languages are read here, and where what was read is written for the builder of the
//! site. Must not know: pages. Python and TypeScript have readers of their own (`docs/site`).

mod facade;
mod item;
mod rust;

use crate::tree::{self, File};
use crate::uniffi_source::Language;
use item::Item;
use serde_json::Value;
use std::path::Path;

/// Writes one file of JSON for each language into a folder.
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    let files = tree::read()?;
    std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    for (language, items) in languages(&files)? {
        let all = Value::Array(items.iter().map(Item::json).collect());
        let file = folder.join(format!("{language}.json"));
        std::fs::write(&file, all.to_string()).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(())
}

fn languages(files: &[File]) -> Result<[(&'static str, Vec<Item>); 3], String> {
    Ok([
        ("rust", rust::items(files)?),
        ("kotlin", facade::items(files, Language::Kotlin)),
        ("swift", facade::items(files, Language::Swift)),
    ])
}
