//! The name to show for anything that has one.
//!
//! Owns: the order title, annotation, name. Must not know: what it is the name of.

use super::{Implementation, Prompt, PromptArgument, Resource, ResourceTemplate};

macro_rules! display_name {
    ($($type:ty),*) => {$(
        impl $type {
            /// The name to show: the title, else the name.
            pub fn display_name(&self) -> &str {
                self.title.as_deref().unwrap_or(&self.name)
            }
        }
    )*};
}

display_name!(Implementation, Prompt, PromptArgument, Resource, ResourceTemplate);

#[cfg(test)]
mod tests {
    use crate::jsonrpc::RawJson;
    use crate::protocol::types::{Implementation, Prompt, Resource, ResourceTemplate, Tool, ToolAnnotations};

    #[test]
    fn the_display_name_is_the_title_else_the_annotations_title_else_the_name() {
        let tool = Tool::new("name", RawJson::empty_object());
        assert_eq!(tool.display_name(), "name");
        let tool = tool.annotations(ToolAnnotations::new().title("hint"));
        assert_eq!(tool.display_name(), "hint");
        assert_eq!(tool.title("title").display_name(), "title");
        assert_eq!(Prompt::new("name").display_name(), "name");
        assert_eq!(Prompt::new("name").title("title").display_name(), "title");
        let resource = Resource::new("file:///a", "name");
        assert_eq!(resource.display_name(), "name");
        assert_eq!(resource.title("title").display_name(), "title");
        let template = ResourceTemplate::new("file:///{a}", "name");
        assert_eq!(template.title("title").display_name(), "title");
        assert_eq!(Implementation::new("name", "1").display_name(), "name");
    }
}
