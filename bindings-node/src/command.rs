//! The command `mcpbolt` in a process of Node. Owns: its thread, and what Node brings to it. Must not
//! know: what a verb does.

use std::ffi::OsString;
use std::thread;

use mcpbolt::transport::signals::ShutdownSignal;
use mcpbolt_cli::{Program, Signals};
use napi::bindgen_prelude::Function;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

/// What the main thread of a program has; threads of Rust have a quarter of it.
const STACK: usize = 8 << 20;

/// One run of the command.
#[napi]
pub struct Command {
    signals: Signals,
}

#[napi]
impl Command {
    /// A run to come.
    #[napi(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript makes them")]
    pub fn new() -> Self {
        Self { signals: Signals::new() }
    }

    /// Passes a signal on: `SIGINT`, `SIGHUP` or `SIGTERM`. Returns `false` if the process has to end at once.
    #[napi]
    pub fn signal(&self, name: String) -> bool {
        self.signals.send(match name.as_str() {
            "SIGINT" => ShutdownSignal::Interrupt,
            "SIGHUP" => ShutdownSignal::Hangup,
            _ => ShutdownSignal::Terminate,
        })
    }

    /// Runs it on a thread of its own, so that the event loop hears signals; the program's name comes
    /// first. `again` are the words that start it, Node's file first. `done` is called with the exit
    /// code.
    #[napi]
    pub fn run(
        &self,
        arguments: Vec<String>,
        again: Vec<String>,
        done: Function<'_, u32, ()>,
    ) -> napi::Result<()> {
        let done = done.build_threadsafe_function::<u32>().callee_handled::<false>().build()?;
        let mut program = Program::new(again.iter());
        if let Some(node) = again.first() {
            for ending in ["js", "mjs", "cjs"] {
                program = program.interpreter(ending, OsString::from(node));
            }
        }
        // Elsewhere consoles tell the command itself, before Node.
        if cfg!(unix) {
            program = program.signals(self.signals.clone());
        }
        let work = move || {
            let exit = program.run(arguments);
            done.call(exit.code().into(), ThreadsafeFunctionCallMode::NonBlocking);
        };
        let thread = thread::Builder::new().name("mcpbolt".to_owned()).stack_size(STACK).spawn(work);
        thread.map(drop).map_err(|why| napi::Error::from_reason(format!("no thread for the command: {why}")))
    }
}
