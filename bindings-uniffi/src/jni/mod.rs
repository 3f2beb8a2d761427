//! The calls that every message makes, for the JVM, without UniFFI and JNA between. Owns:
//! that the class which declares them learns of them. Must not know: what they do.
//!
//! UniFFI makes the objects and keeps them alive; what crosses here is an inbox's number.
#![allow(unsafe_code, reason = "a function that is found by its name")]

mod calls;
mod edge;
mod wakes;

use edge::Env;

const CLASS: &str = "dev/mcpbolt/NativeCalls";

/// Binds the native methods of `NativeCalls`; whether that class has them all. Called once,
/// through JNA, which hands over the `JNIEnv` of the thread: so the library does not have to
/// be loaded a second time, from a file that JNA may have removed.
// SAFETY: no other library has a function of this name.
#[unsafe(no_mangle)]
extern "C" fn mcpbolt_register_native_calls(env: Env<'_>) -> i32 {
    i32::from(env.run(false, || Ok(env.register(CLASS, &calls::all()))))
}
