//! The TypeScript types: interfaces, schema objects and what they check, from the surface
//! and the face of the official package.
//!
//! Must not know: Rust types.

mod expr;
mod face;
mod protocol;
mod schemas;
mod text;
mod types;

use crate::api::Api;
use face::Face;

const FOLDER: &str = "bindings-node/ts/generated";
const WRITTEN: &str = "Written by `cargo xtask generate`; do not edit.";

/// Path and text of each file.
pub(crate) fn products(api: &Api) -> Result<Vec<(String, String)>, String> {
    let face = Face::parse(include_str!("face.txt"))?.complete(api)?;
    Ok(vec![
        (format!("{FOLDER}/types.ts"), types::write(&face)),
        (
            format!("{FOLDER}/v1.ts"),
            schemas::constants(&face, "1.x", "The types and schemas of the 1.x face."),
        ),
        (format!("{FOLDER}/auth.ts"), schemas::constants(&face, "auth", "The types and schemas of OAuth.")),
        (format!("{FOLDER}/methods.ts"), schemas::methods(api, &face)?),
        (format!("{FOLDER}/protocol.ts"), protocol::write(api, &face)?),
        (format!("{FOLDER}/schemas.ts"), schemas::write(&face)?),
    ])
}
