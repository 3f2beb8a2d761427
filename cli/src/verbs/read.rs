//! `read`: the contents of a resource.
//!
//! Owns: where contents go. Must not know: what is in them.

use std::path::Path;

use mcpbolt::Error;
use mcpbolt::types::ResourceContents;

use super::{no_more, word};
use crate::args::Read;
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::output::{self, Output, bytes, content, safe};
use crate::target::Place;

pub(super) async fn run(setup: &Setup<'_>, arguments: Read) -> Result<Exit, Failure> {
    let (place, mut words) = Place::of(arguments.reach, setup.program)?;
    let uri = word(&mut words, "the URI of the resource")?;
    no_more(&words)?;
    setup
        .with(&place, async |connection: &Connection| {
            let result = connection.session.read_resource_with(&uri, connection.options()).await?;
            connection.progress.clear();
            if let Some(file) = &arguments.output {
                save(setup.output, file, &result.contents)?;
            } else if setup.output.is_json() {
                setup.output.answer(&result)?;
            } else {
                print(setup.output, &result.contents)?;
            }
            Ok(Exit::Done)
        })
        .await
}

/// Text is shown, and bytes only where they go to a program.
fn print(output: &Output, all: &[ResourceContents]) -> Result<(), Failure> {
    for contents in all {
        match contents {
            ResourceContents::Text(text) if output.is_rich() => output.print(&safe(&text.text))?,
            blob if output.is_rich() => {
                output.print(&content::contents_aside(output, blob))?;
                output.note("--output FILE writes it to a file");
            }
            contents => output::raw(&data(contents)?)?,
        }
    }
    Ok(())
}

fn data(contents: &ResourceContents) -> Result<Vec<u8>, Failure> {
    content::data(contents).ok_or_else(|| Error::protocol("the blob is no valid base64").into())
}

fn save(output: &Output, file: &Path, all: &[ResourceContents]) -> Result<(), Failure> {
    let mut whole = Vec::new();
    for contents in all {
        whole.extend(data(contents)?);
    }
    std::fs::write(file, &whole).map_err(|why| Failure::usage(format!("{}: {why}", file.display())))?;
    output.note(&format!("{} in {}", bytes(whole.len() as u64), file.display()));
    Ok(())
}
