//! The Kotlin types: records, words, unions, requests and notifications, by the names of
//! the official Kotlin package where it has one.
//!
//! Must not know: Rust types, or how records keep their members.

mod builders;
mod expr;
mod messages;
mod methods;
mod names;
mod records;
mod text;
mod unions;

use crate::api::Api;
use names::Names;

const FOLDER: &str = "bindings-uniffi/kotlin/src/generated/dev/mcpbolt";

/// Path and text of each file.
pub(crate) fn products(api: &Api) -> Result<Vec<(String, String)>, String> {
    let names = Names::of(api)?;
    Ok(vec![
        (format!("{FOLDER}/Types.kt"), records::write(api, &names)),
        (format!("{FOLDER}/Methods.kt"), methods::write(api, &names)),
        (format!("{FOLDER}/Messages.kt"), messages::write(api, &names)),
        (format!("{FOLDER}/Builders.kt"), builders::write(api, &names)),
    ])
}
