//! The version-neutral types: one set, the superset of all five revisions.
//!
//! Owns: the shapes of params, results and what is inside them, written in
//! camelCase with absent members left out. Must not know: which revision is
//! spoken. What a revision lacks or requires (`resultType`, cache hints, `mode`)
//! is added and removed by the wire codecs.
//!
//! Optional members are `None` unless set; most types have a constructor for what they
//! need and setters for the rest.
//!
//! # Content
//!
//! ```
//! use mcpbolt_proto::protocol::types::*;
//!
//! let blocks = vec![
//!     ContentBlock::text("It rains."),
//!     ContentBlock::image_bytes([0x89, b'P', b'N', b'G'], "image/png"),
//!     ContentBlock::audio("UklGRg==", "audio/wav"), // already Base64
//!     ContentBlock::resource_link(ResourceLink::new("note:///a", "a")),
//!     ContentBlock::embedded(ResourceContents::text("note:///a", "text/plain", "milk")),
//! ];
//! for block in &blocks {
//!     match block {
//!         ContentBlock::Text(TextContent { text, .. }) => println!("{text}"),
//!         ContentBlock::Image(ImageContent { mime_type, .. }) => println!("a picture, {mime_type}"),
//!         ContentBlock::Audio(AudioContent { mime_type, .. }) => println!("sound, {mime_type}"),
//!         ContentBlock::ResourceLink(link) => println!("see {}", link.uri),
//!         ContentBlock::Resource(EmbeddedResource { resource, .. }) => println!("{}", resource.uri()),
//!         other => println!("a block of kind {}", other.kind()), // newer kinds are kept, not lost
//!     }
//! }
//! ```
//!
//! A model that uses tools while it answers a sampling request:
//!
//! ```
//! use mcpbolt_proto::protocol::types::{ContentBlock, ToolResultContent, ToolUseContent};
//! use serde_json::json;
//!
//! let wish = ToolUseContent::new("use-1", "current_weather", json!({"city": "Oslo"}));
//! let answer = ToolResultContent::new(wish.id.clone(), vec![ContentBlock::text("6 degrees, clear")]);
//! let history = [ContentBlock::ToolUse(wish), ContentBlock::ToolResult(answer)];
//! assert_eq!(history[1].kind(), "tool_result");
//! ```
//!
//! # Fields of forms
//!
//! Build forms with [`FormSchema::builder`]; a client that draws one asks
//! [`FormSchema::fields`] for their shapes.
//!
//! ```
//! use mcpbolt_proto::protocol::types::*;
//!
//! let sizes = [("s", "Small"), ("l", "Large")];
//! let extras = ["milk", "sugar", "lemon"];
//! let order = FormSchema::builder()
//!     .required("name", StringSchema::new().title("Name").min_length(1_u64))
//!     .required("cups", NumberSchema::integer().minimum(1.0).maximum(9.0).default_value(1.0))
//!     .optional("hot", BooleanSchema::new().default_value(true))
//!     .optional("drink", UntitledSingleSelectEnumSchema::new(["tea", "coffee"]))
//!     .optional("size", TitledSingleSelectEnumSchema::new(sizes))
//!     .optional("size_old", LegacyTitledEnumSchema::new(sizes)) // before 2025-11-25
//!     .optional("extras", UntitledMultiSelectEnumSchema::new(extras).max_items(2_u64))
//!     .optional("cookies", TitledMultiSelectEnumSchema::new([("c", "Chocolate"), ("g", "Ginger")]))
//!     .build();
//!
//! for (name, field) in order.fields().unwrap_or_default() {
//!     match field {
//!         FieldSchema::TitledSingleSelect(choice) => {
//!             for EnumOption { value, title } in choice.one_of {
//!                 println!("{name}: {value} ({title})");
//!             }
//!         }
//!         FieldSchema::UntitledMultiSelect(UntitledMultiSelectEnumSchema {
//!             items: UntitledItems { values, .. },
//!             ..
//!         }) => println!("{name}: any of {}", values.join(", ")),
//!         FieldSchema::TitledMultiSelect(TitledMultiSelectEnumSchema {
//!             items: TitledItems { any_of },
//!             ..
//!         }) => println!("{name}: any of {} choices", any_of.len()),
//!         _ => println!("{name}"),
//!     }
//! }
//! ```

#[macro_use]
mod macros;

mod cancel;
mod common;
mod completion;
mod content;
mod content_block;
mod display;
mod elicitation;
mod field;
mod form;
mod form_choices;
mod form_fields;
mod input;
mod lifecycle;
mod logging;
mod number;
mod paging;
mod progress;
mod prompt;
mod resource;
mod resource_messages;
mod roots;
mod sampling;
mod subscription;
mod tool;
mod tool_call;

pub use cancel::*;
pub use common::*;
pub use completion::*;
pub use content::*;
pub use elicitation::*;
pub use field::*;
pub use form::*;
pub use form_choices::*;
pub use form_fields::*;
pub use input::*;
pub use lifecycle::*;
pub use logging::*;
pub use paging::*;
pub use progress::*;
pub use prompt::*;
pub use resource::*;
pub use resource_messages::*;
pub use roots::*;
pub use sampling::*;
pub use subscription::*;
pub use tool::*;
pub use tool_call::*;

/// The ordered map of the protocol's string-keyed members.
pub use indexmap::IndexMap;
