//! The Python models: `mcpbolt.types` and `mcpbolt.v2.types`, from the surface and the faces
//! of both lines of the official package.
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
use face::{Face, Line};

const PACKAGE: &str = "bindings-python/python/mcpbolt";

/// Path and text of each file.
pub(crate) fn products(api: &Api) -> Result<Vec<(String, String)>, String> {
    let face = Face::parse(Line::One, include_str!("face.txt"))?;
    let face2 = Face::parse(Line::Two, include_str!("face2.txt"))?;
    let mut products = vec![
        (format!("{PACKAGE}/types.py"), index::types(api, &face)),
        (format!("{PACKAGE}/v2/types/__init__.py"), index::types2(api, &face2)),
        (format!("{PACKAGE}/_engine/protocol.py"), protocol::write(api, &face)?),
        (format!("{PACKAGE}/cli/_limits.py"), limits::module()),
    ];
    for face in [&face, &face2] {
        let folder = face.package().replace('.', "/");
        products.push((format!("{PACKAGE}/{folder}/_index.py"), index::homes(face)));
        for module in face.modules.iter().filter(|module| !module.given) {
            let text = module::write(api, face, module)
                .map_err(|why| format!("{}, {}: {why}", face.file(), module.name))?;
            products.push((format!("{PACKAGE}/{folder}/{}.py", module.name), text));
        }
    }
    Ok(products)
}
