//! A model without a model: a fixed plan that uses whichever of its tools are there.

use mcpbolt::client::HostTool;
use serde_json::{Value, json};

/// What the model wants next.
pub(crate) enum Turn {
    /// A tool is to be called.
    Call(String, Value),
    /// It is done, and says this.
    Say(String),
}

/// Looks at the weather, notes it down, has it summarized.
pub(crate) struct ScriptedModel {
    city: String,
    step: usize,
    heard: Vec<String>,
}

impl ScriptedModel {
    pub(crate) fn new(city: &str) -> Self {
        Self { city: city.to_owned(), step: 0, heard: Vec::new() }
    }

    /// The next turn, after hearing what the last call brought.
    pub(crate) fn turn(&mut self, tools: &[HostTool], heard: Option<String>) -> Turn {
        self.heard.extend(heard);
        while let Some((tool, arguments)) = self.plan() {
            self.step += 1;
            if tools.iter().any(|known| known.name == tool) {
                return Turn::Call(tool.to_owned(), arguments);
            }
        }
        match self.heard.last() {
            Some(last) => Turn::Say(format!("After {} calls I know: {last}", self.heard.len())),
            None => Turn::Say("None of my tools is there.".to_owned()),
        }
    }

    fn plan(&self) -> Option<(&'static str, Value)> {
        let note = format!("weather-{}.txt", self.city.to_lowercase());
        let weather = self.heard.first().map_or("unknown", String::as_str);
        Some(match self.step {
            0 => ("current_weather", json!({ "city": self.city })),
            1 => ("write_note", json!({ "name": note, "text": format!("{}: {weather}", self.city) })),
            2 => ("summarize_note", json!({ "name": note })),
            _ => return None,
        })
    }
}
