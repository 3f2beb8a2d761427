//! One request of a page, made of the server.
//!
//! Owns: which function of the session a method goes through. Must not know: pages.

use mcpbolt::client::{CallOptions, ClientSession};
use mcpbolt::types::ProgressParams;
use mcpbolt::{Error, RawJson, RawObject, methods};
use serde::{Deserialize, Serialize};

/// A method and its params.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) params: Option<RawJson>,
}

/// What the session has to know of params.
#[derive(Default, Deserialize)]
struct Params {
    cursor: Option<String>,
    name: Option<String>,
    uri: Option<String>,
    arguments: Option<RawJson>,
    #[serde(rename = "_meta")]
    meta: Option<RawObject>,
}

/// Sends it. Methods that the session knows more about than their params go through it; the
/// others are sent as they are.
pub(crate) async fn send(
    session: &ClientSession,
    request: Request,
    on_progress: impl Fn(&ProgressParams) + Send + Sync + 'static,
) -> Result<RawJson, Error> {
    let options = CallOptions::new().on_progress(move |params| on_progress(&params));
    let params: Params = match &request.params {
        Some(params) => params.decode().map_err(|_| Error::usage("params must be an object"))?,
        None => Params::default(),
    };
    match (request.method.as_str(), params) {
        // So that it knows which arguments headers repeat.
        (methods::TOOLS_LIST, Params { cursor, .. }) => {
            written(&session.list_tools(cursor.as_deref()).await?)
        }
        (methods::TOOLS_CALL, Params { name: Some(name), arguments, meta, .. }) => {
            let options = meta
                .iter()
                .flat_map(RawObject::iter)
                .fold(options, |options, (key, value)| options.meta(key, value));
            written(&session.call_tool_with(&name, arguments, options).await?)
        }
        (methods::RESOURCES_SUBSCRIBE, Params { uri: Some(uri), .. }) => {
            session.subscribe(&uri).await.map(|()| RawJson::empty_object())
        }
        (methods::RESOURCES_UNSUBSCRIBE, Params { uri: Some(uri), .. }) => {
            session.unsubscribe(&uri).await.map(|()| RawJson::empty_object())
        }
        (methods::PING, _) => session.ping().await.map(|()| RawJson::empty_object()),
        _ => session.request_raw_with(&request.method, request.params, options).await,
    }
}

fn written(result: &impl Serialize) -> Result<RawJson, Error> {
    RawJson::encode(result).map_err(|_| Error::internal("the result cannot be shown"))
}
