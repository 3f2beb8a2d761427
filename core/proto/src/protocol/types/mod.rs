//! TEMPORARY STUB: the owner of this file replaces it.
mod lifecycle; mod logging; mod subscription;
pub use lifecycle::*; pub use logging::*; pub use subscription::*;
/// temp
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Icon { /// src
 pub src: String }
