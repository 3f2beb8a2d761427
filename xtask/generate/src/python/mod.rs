//! The Python models: `mcpbolt.types`, from the surface and the face of the official
//! package.
//!
//! Must not know: Rust types.

mod face;
mod index;
mod limits;
mod members;
mod module;
mod protocol;
mod text;

use crate::api::Api;
use face::Face;

const PACKAGE: &str = "bindings-python/python/mcpbolt";

/// Path and text of each file.
pub(crate) fn products(api: &Api) -> Result<Vec<(String, String)>, String> {
    let face = Face::parse(include_str!("face.txt"))?;
    let mut products = vec![
        (format!("{PACKAGE}/types.py"), index::types(api, &face)),
        (format!("{PACKAGE}/_types/_index.py"), index::homes(&face)),
        (format!("{PACKAGE}/_engine/protocol.py"), protocol::write(api, &face)?),
        (format!("{PACKAGE}/cli/_limits.py"), limits::module()),
    ];
    for module in face.modules.iter().filter(|module| !module.given) {
        let text =
            module::write(api, &face, module).map_err(|why| format!("face.txt, {}: {why}", module.name))?;
        products.push((format!("{PACKAGE}/_types/{}.py", module.name), text));
    }
    Ok(products)
}
