//! The edge to the JVM. Owns: how text and bytes cross, what refusals and panics become.
//! Must not know: inboxes.
//!
//! Text crosses as an array of real UTF-8. A string of Java is UTF-16 outside and, where
//! JNI speaks of UTF, a dialect in which NUL and all beyond the BMP are written otherwise;
//! `String.getBytes` and the constructor of `String`, which the JVM has in machine code,
//! are also several times faster than either. Arrays are copied once (`…Region`): pinned
//! ones hold up the garbage collector for as long as JSON is read.
#![allow(unsafe_code, reason = "the functions of JNI are pointers in a table")]

use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

use jni_sys::{JNIEnv, JNINativeMethod, jbyte, jbyteArray, jclass};
use mcpbolt::bridge::contain;

/// A thread's way into the JVM, while a native method runs. Invariant: only the JVM makes
/// one, as the first parameter of that method, so that it is valid on this thread until
/// the method returns. It is not `Send`, and its lifetime keeps it from being stored.
#[repr(transparent)]
pub(super) struct Env<'call>(NonNull<JNIEnv>, PhantomData<&'call ()>);

/// A parameter of type `byte[]`, which may be null. Invariant: only the JVM makes one, so
/// that it is a local reference to such an array, valid until the method returns.
#[repr(transparent)]
pub(super) struct Bytes<'call>(jbyteArray, PhantomData<&'call ()>);

/// The class of a static native method. Nothing is asked of it.
#[repr(transparent)]
pub(super) struct Class<'call>(
    #[allow(dead_code, reason = "a place in a signature")] jclass,
    PhantomData<&'call ()>,
);

/// Why a native method has no result.
pub(super) enum Failed {
    /// The JVM has thrown something itself: it is out of memory.
    Thrown,
    /// To be thrown, as `IllegalStateException`.
    State(&'static str),
}

pub(super) type Result<T> = std::result::Result<T, Failed>;

impl Env<'_> {
    /// Runs a native method; what it cannot do becomes an exception of Java's, and so does
    /// a panic, which must not unwind into frames of the JVM.
    pub(super) fn run<T>(&self, none: T, body: impl FnOnce() -> Result<T>) -> T {
        match contain(body) {
            Ok(Ok(done)) => return done,
            Ok(Err(Failed::Thrown)) => {}
            Ok(Err(Failed::State(why))) => self.throw("java/lang/IllegalStateException", why),
            Err(error) => self.throw("java/lang/RuntimeException", &error.message),
        }
        none
    }

    /// The text in an array.
    pub(super) fn text(&self, bytes: &Bytes<'_>) -> Result<String> {
        self.maybe_text(bytes)?.ok_or(Failed::State("a text is missing"))
    }

    /// The text in an array, unless it is null.
    pub(super) fn maybe_text(&self, Bytes(array, _): &Bytes<'_>) -> Result<Option<String>> {
        if array.is_null() {
            return Ok(None);
        }
        let env = self.0.as_ptr();
        // SAFETY: by the invariants of `Env` and `Bytes`.
        let length = unsafe { ((**env).v1_1.GetArrayLength)(env, *array) };
        let mut text = vec![0; usize::try_from(length).unwrap_or_default()];
        // SAFETY: as above; `text` has room for `length` bytes, and any byte is a `u8`.
        unsafe {
            ((**env).v1_1.GetByteArrayRegion)(env, *array, 0, length, text.as_mut_ptr().cast::<jbyte>());
        };
        String::from_utf8(text).map(Some).map_err(|_| Failed::State("a text is not UTF-8"))
    }

    /// A new array with a text in it.
    pub(super) fn array(&self, text: &str) -> Result<jbyteArray> {
        let length = text.len().try_into().map_err(|_| Failed::State("a text is too long for an array"))?;
        let env = self.0.as_ptr();
        // SAFETY: by the invariant of `Env`.
        let array = unsafe { ((**env).v1_1.NewByteArray)(env, length) };
        if array.is_null() {
            return Err(Failed::Thrown);
        }
        // SAFETY: as above; the array is new and has as many bytes as are read from `text`.
        unsafe { ((**env).v1_1.SetByteArrayRegion)(env, array, 0, length, text.as_ptr().cast::<jbyte>()) };
        Ok(array)
    }

    /// Tells a class which functions its native methods are; whether it has all of them.
    pub(super) fn register(&self, class: &str, methods: &[JNINativeMethod]) -> bool {
        let Ok(name) = CString::new(class) else { return false };
        let env = self.0.as_ptr();
        // SAFETY: by the invariant of `Env`; the name outlives the call.
        let class = unsafe { ((**env).v1_1.FindClass)(env, name.as_ptr()) };
        let known = !class.is_null()
            && methods.len().try_into().is_ok_and(|count| {
                // SAFETY: as above; `class` is a local reference that was just given, and `count`
                // is how many rows there are. The JVM copies them.
                unsafe { ((**env).v1_2.RegisterNatives)(env, class, methods.as_ptr(), count) == 0 }
            });
        if !known {
            // SAFETY: by the invariant of `Env`. Who asked is told by the result.
            unsafe { ((**env).v1_1.ExceptionClear)(env) };
        }
        known
    }

    fn throw(&self, class: &str, words: &str) {
        let (Ok(class), Ok(words)) = (CString::new(class), CString::new(words)) else { return };
        let env = self.0.as_ptr();
        // SAFETY: by the invariant of `Env`; no exception is pending, since what may throw
        // ends in `Thrown`. Without the class another exception is thrown, and that stays.
        unsafe {
            let class = ((**env).v1_1.FindClass)(env, class.as_ptr());
            if !class.is_null() {
                ((**env).v1_1.ThrowNew)(env, class, words.as_ptr());
            }
        }
    }
}

/// No array.
pub(super) const NULL: jbyteArray = null_mut();
