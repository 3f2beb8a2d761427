//! The terminal before anything was asked at it.
//!
//! Owns: what questions change of it, and that it is undone. Must not know: questions.

use std::sync::{Mutex, PoisonError};

use console::Term;

#[cfg(unix)]
type Modes = rustix::termios::Termios;
/// There each key is read with the modes that the terminal has.
#[cfg(not(unix))]
type Modes = ();

/// How the terminal was, while something is asked at it.
static BEFORE: Mutex<Option<Modes>> = Mutex::new(None);

/// Keeps how the terminal is, before a question. While one is open, keys are read one by one, unseen.
pub(crate) fn remember() {
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = modes();
}

/// A question was answered, and has left the terminal as it found it.
pub(crate) fn forget() {
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Has the terminal as it was. A question that is open when the command ends does not do so itself: it
/// waits for a key.
pub(crate) fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before {
        set(&before);
        let _ = Term::stderr().show_cursor();
    }
}

#[cfg(unix)]
fn modes() -> Option<Modes> {
    rustix::termios::tcgetattr(std::io::stdin()).ok()
}

#[cfg(unix)]
fn set(modes: &Modes) {
    // At once: a terminal that is stopped would hold up the end.
    let _ = rustix::termios::tcsetattr(std::io::stdin(), rustix::termios::OptionalActions::Now, modes);
}

#[cfg(not(unix))]
fn modes() -> Option<Modes> {
    Some(())
}

#[cfg(not(unix))]
fn set(_: &Modes) {}
