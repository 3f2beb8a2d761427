//! The file of a recording: one JSON document a line, the first of which says what it is.
//!
//! Owns: the format, and who may read the file. Must not know: who plays it back.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Instant, SystemTime};

use mcpbolt::observe::Redactor;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::exit::Failure;

/// What the first line says.
const KIND: &str = "mcpbolt recording";
const VERSION: u32 = 1;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::verbs) enum Side {
    Client,
    Server,
}

#[derive(Serialize, Deserialize)]
struct Head {
    kind: String,
    version: u32,
    started: String,
    /// What is left out besides the usual names.
    redact: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// Seconds since the beginning.
    at: f64,
    from: Side,
    /// A message, character for character.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Box<RawValue>>,
    /// What is no JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// One line that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verbs) struct Frame {
    pub(in crate::verbs) from: Side,
    pub(in crate::verbs) text: String,
}

/// Writes a recording.
pub(super) struct Writer {
    file: File,
    begun: Instant,
    redact: Redactor,
}

impl Writer {
    /// A new file that only the user reads.
    pub(super) fn create(path: &Path, redact: Redactor, overwrite: bool) -> Result<Self, Failure> {
        let shown = path.display();
        let mut options = OpenOptions::new();
        options.write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        if overwrite {
            // A file that was there might be open to others.
            match std::fs::remove_file(path) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => {
                    return Err(Failure::usage(format!("{shown}: {why}")));
                }
                _ => {}
            }
        }
        let file = options.create_new(true).open(path).map_err(|why| {
            let failure = Failure::usage(format!("{shown}: {why}"));
            if why.kind() == io::ErrorKind::AlreadyExists {
                failure.remedy("--overwrite replaces it")
            } else {
                failure
            }
        })?;
        let mut writer = Self { file, begun: Instant::now(), redact };
        let head = Head {
            kind: KIND.to_owned(),
            version: VERSION,
            started: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
            redact: writer.redact.pointers().to_vec(),
        };
        writer.line(&head).map_err(|why| Failure::usage(format!("{shown}: {why}")))?;
        Ok(writer)
    }

    /// Adds a line as it came, but for what is left out.
    pub(super) fn add(&mut self, from: Side, line: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches(['\n', '\r']);
        let at = (self.begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let message = RawValue::from_string(self.redact.text(text)).ok();
        let text = message.is_none().then(|| text.to_owned());
        self.line(&Line { at, from, message, text })
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

/// What was said, and what was left out of it.
pub(in crate::verbs) fn read(path: &Path) -> Result<(Vec<Frame>, Redactor), Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|why| Failure::usage(format!("{shown}: {why}")))?;
    let mut lines = text.lines().enumerate();
    let wrong = |number: usize| Failure::usage(format!("{shown}: line {}: no recording", number + 1));
    let (_, first) = lines.next().ok_or_else(|| wrong(0))?;
    let head: Head = serde_json::from_str(first).map_err(|_| wrong(0))?;
    if head.kind != KIND || head.version != VERSION {
        return Err(Failure::usage(format!("{shown}: a recording of version {}", head.version))
            .remedy(format!("this program reads version {VERSION}")));
    }
    let frames = lines.map(|(number, line)| {
        let line: Line = serde_json::from_str(line).map_err(|_| wrong(number))?;
        let text = match (line.message, line.text) {
            (Some(message), _) => message.get().to_owned(),
            (None, text) => text.unwrap_or_default(),
        };
        Ok(Frame { from: line.from, text })
    });
    Ok((frames.collect::<Result<_, Failure>>()?, Redactor::new(head.redact).map_err(|_| wrong(0))?))
}
