//! Skills: a folder of instructions that hosts can load.

use std::path::Path;

use mcpbolt::server::{ServerBuilder, SkillFolder};

/// Publishes `examples/skills`, if this program runs where it was built.
pub(crate) fn all(builder: ServerBuilder) -> ServerBuilder {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills");
    match SkillFolder::open(&folder) {
        Ok(skills) => builder.skills(&skills),
        Err(error) => {
            eprintln!("no skills: {error}");
            builder
        }
    }
}
