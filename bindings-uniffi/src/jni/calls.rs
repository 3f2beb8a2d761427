//! The native methods of `NativeCalls` in the Kotlin facade. Owns: one function for each.
//! Must not know: how text crosses.
//!
//! Numbers of calls and connections are below 2^63. What the engine refuses is `REFUSED`,
//! and nothing was done: the same call through UniFFI has the reason, so that errors cross
//! in one way only. All else that fails is an exception.

use std::ffi::CStr;
use std::sync::Arc;

use jni_sys::{JNINativeMethod, jboolean, jbyteArray, jint, jlong};
use mcpbolt::bridge::{Inbox, encode_batch};

use super::edge::{Bytes, Class, Env, Failed, NULL, Result};
use super::wakes::Wakes;
use crate::inbox::{self, EngineDelivery};

const REFUSED: i8 = -1;

/// The methods by their names and signatures.
pub(super) fn all() -> [JNINativeMethod; 11] {
    let row = |name: &'static CStr, signature: &'static CStr, function: *const ()| JNINativeMethod {
        name: name.as_ptr().cast_mut(),
        signature: signature.as_ptr().cast_mut(),
        fnPtr: function.cast_mut().cast(),
    };
    [
        row(c"knows", c"(J)Z", knows as *const ()),
        row(c"take", c"(JII)[B", take as *const ()),
        row(c"complete", c"(J[B)I", complete as *const ()),
        row(c"send", c"(JJ[B[B)I", send as *const ()),
        row(c"request", c"(JJ[B[B[B)J", request as *const ()),
        row(c"isOpen", c"(J)Z", is_open as *const ()),
        row(c"makeLoop", c"()J", make_loop as *const ()),
        row(c"watch", c"(JJ)V", watch as *const ()),
        row(c"next", c"(J)J", next as *const ()),
        row(c"nudge", c"(J)V", nudge as *const ()),
        row(c"panic", c"()V", panic as *const ()),
    ]
}

fn found(number: jlong) -> Result<Arc<Inbox>> {
    inbox::numbered(number.cast_unsigned()).ok_or(Failed::State("the inbox has already been destroyed"))
}

fn waited_at(number: jlong) -> Result<Arc<Wakes>> {
    Wakes::find(number.cast_unsigned()).ok_or(Failed::State("there is no such loop"))
}

/// Whether there is an inbox with this number: whether UniFFI calls this very library.
extern "system" fn knows(env: Env<'_>, _: Class<'_>, inbox: jlong) -> jboolean {
    env.run(false, || Ok(inbox::numbered(inbox.cast_unsigned()).is_some()))
}

/// What waits, as `EngineInbox::take`; null if nothing does.
extern "system" fn take(env: Env<'_>, _: Class<'_>, inbox: jlong, items: jint, bytes: jint) -> jbyteArray {
    env.run(NULL, || {
        let most = |n: jint| usize::try_from(n).unwrap_or_default();
        let items = found(inbox)?.take(most(items), most(bytes));
        if items.is_empty() { Ok(NULL) } else { env.array(&encode_batch(&items)) }
    })
}

/// As `EngineInbox::complete`.
extern "system" fn complete(env: Env<'_>, _: Class<'_>, inbox: jlong, outcomes: Bytes<'_>) -> jint {
    env.run(REFUSED.into(), || {
        let ended = inbox::complete(&found(inbox)?, &env.text(&outcomes)?);
        Ok(ended.map_or(REFUSED.into(), u32::cast_signed))
    })
}

/// As `EngineInbox::send`; the place of the delivery in its enum.
extern "system" fn send(
    env: Env<'_>,
    _: Class<'_>,
    inbox: jlong,
    target: jlong,
    method: Bytes<'_>,
    params: Bytes<'_>,
) -> jint {
    env.run(REFUSED.into(), || {
        let (method, params) = (env.text(&method)?, env.maybe_text(&params)?);
        let sent = inbox::send(&found(inbox)?, target.cast_unsigned(), &method, params);
        Ok(match sent {
            Ok(EngineDelivery::Sent) => 0,
            Ok(EngineDelivery::Full) => 1,
            Ok(EngineDelivery::Gone) => 2,
            Err(_) => REFUSED.into(),
        })
    })
}

/// As `EngineInbox::request_with`.
extern "system" fn request(
    env: Env<'_>,
    _: Class<'_>,
    inbox: jlong,
    target: jlong,
    method: Bytes<'_>,
    params: Bytes<'_>,
    plan: Bytes<'_>,
) -> jlong {
    env.run(REFUSED.into(), || {
        let (method, params, plan) = (env.text(&method)?, env.maybe_text(&params)?, env.maybe_text(&plan)?);
        let number = inbox::request_with(&found(inbox)?, target.cast_unsigned(), &method, params, plan);
        Ok(number.map_or(REFUSED.into(), u64::cast_signed))
    })
}

/// Whether something may still come: the inbox is there and not closed.
extern "system" fn is_open(env: Env<'_>, _: Class<'_>, inbox: jlong) -> jboolean {
    env.run(false, || Ok(inbox::numbered(inbox.cast_unsigned()).is_some_and(|inbox| !inbox.is_closed())))
}

/// A queue for one thread that takes items; its number.
extern "system" fn make_loop(env: Env<'_>, _: Class<'_>) -> jlong {
    env.run(0, || Ok(Wakes::enter().cast_signed()))
}

/// From here on `next` says when an inbox has something to take, or was closed.
extern "system" fn watch(env: Env<'_>, _: Class<'_>, at: jlong, inbox: jlong) {
    env.run((), || {
        let (wakes, number) = (waited_at(at)?, inbox.cast_unsigned());
        found(inbox)?.on_ready(Some(Arc::new(move || wakes.push(number))));
        Ok(())
    });
}

/// The number of an inbox to take from, or 0 after `nudge`. Waits for it.
extern "system" fn next(env: Env<'_>, _: Class<'_>, at: jlong) -> jlong {
    env.run(0, || Ok(waited_at(at)?.next().cast_signed()))
}

/// Has `next` return.
extern "system" fn nudge(env: Env<'_>, _: Class<'_>, at: jlong) {
    env.run((), || {
        waited_at(at)?.push(0);
        Ok(())
    });
}

/// For a test of the facade: what a panic becomes.
extern "system" fn panic(env: Env<'_>, _: Class<'_>) {
    env.run((), || panic!("as was asked for"));
}
