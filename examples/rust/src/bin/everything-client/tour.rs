//! Looks at everything a server offers and prints it.

use mcpbolt::client::ClientSession;
use mcpbolt::protocol::Error;

pub(crate) async fn tour(session: &ClientSession) -> Result<(), Error> {
    let name = session.server_info().map_or_else(|| "a server without a name".to_owned(), |info| info.name);
    println!("connected to {name}, revision {}", session.revision());
    if let Some(instructions) = session.instructions() {
        println!("  {instructions}");
    }
    let can = session.capabilities();
    if can.tools.is_some() {
        for tool in session.list_all_tools().await? {
            println!("tool      {}: {}", tool.display_name(), tool.description.as_deref().unwrap_or("-"));
        }
    }
    if can.resources.is_some() {
        for resource in session.list_all_resources().await? {
            let read = session.read_resource(&resource.uri).await?;
            println!("resource  {} ({} parts)", resource.uri, read.contents.len());
        }
        for template in session.list_all_resource_templates().await? {
            println!("template  {}", template.uri_template);
        }
    }
    if can.prompts.is_some() {
        for prompt in session.list_all_prompts().await? {
            println!("prompt    {}: {}", prompt.name, prompt.description.as_deref().unwrap_or("-"));
        }
    }
    session.ping().await
}
