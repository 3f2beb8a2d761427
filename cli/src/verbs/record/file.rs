//! The file of a recording: one JSON document a line, the first of which says what it is.
//!
//! Owns: the format, and who may read the file. Must not know: who plays it back.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Instant, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use mcpbolt::observe::Redactor;
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
    /// What is no JSON, or has spaces around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What is no text, as base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    /// How the line ends where it is not with a line feed: one with a carriage return, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
}

/// One line that was said, with its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verbs) struct Frame {
    pub(in crate::verbs) from: Side,
    pub(in crate::verbs) line: Vec<u8>,
}

impl Frame {
    /// The message; null where it is none.
    pub(in crate::verbs) fn message(&self) -> Value {
        serde_json::from_slice(&self.line).unwrap_or_default()
    }
}

/// A line and how it ends.
pub(in crate::verbs) fn split_end(line: &[u8]) -> (&[u8], &str) {
    let ends = ["\r\n", "\n"];
    let found = ends.iter().find_map(|end| Some((line.strip_suffix(end.as_bytes())?, *end)));
    found.unwrap_or((line, ""))
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
        let (said, end) = split_end(line);
        let at = (self.begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let end = (end != "\n").then(|| end.to_owned());
        let mut line = Line { at, from, message: None, text: None, bytes: None, end };
        let text = String::from_utf8_lossy(said);
        let told = self.redact.text(&text);
        // Bytes that are no text are kept only where nothing has to be left out of them.
        if matches!(text, Cow::Owned(_)) && told == text {
            line.bytes = Some(BASE64.encode(said));
        } else {
            match RawValue::from_string(told.clone()) {
                Ok(message) if message.get() == told => line.message = Some(message),
                _ => line.text = Some(told),
            }
        }
        self.line(&line)
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
        let mut said = match (line.message, line.text, line.bytes) {
            (Some(message), _, _) => message.get().as_bytes().to_vec(),
            (None, Some(text), _) => text.into_bytes(),
            (None, None, Some(bytes)) => BASE64.decode(bytes).map_err(|_| wrong(number))?,
            (None, None, None) => return Err(wrong(number)),
        };
        said.extend_from_slice(line.end.as_deref().unwrap_or("\n").as_bytes());
        Ok(Frame { from: line.from, line: said })
    });
    Ok((frames.collect::<Result<_, Failure>>()?, Redactor::new(head.redact).map_err(|_| wrong(0))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_comes_back_byte_for_byte() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("session.jsonl");
        let lines: [&[u8]; 8] = [
            b"{\"id\": 1,  \"method\":\"a\"}\n",
            b"{\"id\":2}\r\n",
            b"  {\"id\":3} \n",
            b"not JSON\n",
            b"\xff\xfe\n",
            b"\n",
            b"{\"n\":1.0e2,\"n\":\"\\u00e9\"}\n",
            b"{\"id\":4}",
        ];
        let mut writer = Writer::create(&file, Redactor::default(), false).expect("a file");
        for line in lines {
            writer.add(Side::Server, line).expect("it is written");
        }
        let (frames, _) = read(&file).expect("a recording");
        let back: Vec<&[u8]> = frames.iter().map(|frame| frame.line.as_slice()).collect();
        assert_eq!(back, lines);
    }

    #[test]
    fn a_secret_is_left_out_of_what_is_no_text_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("session.jsonl");
        let mut writer = Writer::create(&file, Redactor::default(), false).expect("a file");
        writer.add(Side::Client, b"{\"password\":\"hush\",\"name\":\"\xff\"}\n").expect("it is written");
        let (frames, _) = read(&file).expect("a recording");
        assert_eq!(frames[0].message()["password"], "[redacted]");
    }
}
