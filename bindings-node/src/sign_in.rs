//! What signing in needs of the user's machine: the folder that tokens are kept in, the port that
//! the browser comes back to, the browser.
//!
//! Owns: that whatever waits does so on a thread of its own: a user may take minutes, and Node's
//! pool has four threads, which the requests on the way need as well. Must not know: when something
//! is kept or shown.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use mcpbolt::bridge::{HostFileStore, HostRedirect, HostStoreLock, PendingRedirect, open_in_browser as show};
use mcpbolt_proto::protocol::Error;
use napi::Env;
use napi::bindgen_prelude::{Object, ToNapiValue};
use napi_derive::napi;

use crate::error::{Result, throw};

/// What is kept for one server in a folder.
#[napi]
pub struct TokenFile(Arc<HostFileStore>);

/// Keeps other programs from renewing the tokens of a server until it is released.
#[napi]
pub struct TokenFileLock(HostStoreLock);

/// A promise of what a thread of its own brings. It keeps the process alive.
fn aside<T: ToNapiValue + Send + 'static>(
    env: &Env,
    work: impl FnOnce() -> std::result::Result<T, Error> + Send + 'static,
) -> napi::Result<Object<'_>> {
    let (deferred, promise) = env.create_deferred()?;
    let body = move || match work() {
        Ok(brought) => deferred.resolve(move |_| Ok(brought)),
        Err(error) => deferred.reject(napi::Error::from_reason(error.message)),
    };
    let thread = thread::Builder::new().name("mcpbolt-sign-in".to_owned()).spawn(body);
    thread.map(|_| promise).map_err(|why| napi::Error::from_reason(format!("no thread to wait on: {why}")))
}

#[napi]
impl TokenFile {
    /// The file of a server in a folder.
    #[napi(constructor)]
    pub fn new(folder: String, server_url: String) -> Result<Self> {
        HostFileStore::new(PathBuf::from(folder), &server_url)
            .map(|store| Self(Arc::new(store)))
            .map_err(throw)
    }

    /// The tokens as JSON text, with the time that is left.
    #[napi(ts_return_type = "Promise<string | null>")]
    pub fn tokens<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let store = Arc::clone(&self.0);
        aside(env, move || store.tokens())
    }

    /// Keeps tokens.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn save_tokens<'env>(&self, env: &'env Env, answer: String) -> napi::Result<Object<'env>> {
        let store = Arc::clone(&self.0);
        aside(env, move || store.save_tokens(&answer))
    }

    /// The client as JSON text.
    #[napi(ts_return_type = "Promise<string | null>")]
    pub fn client<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let store = Arc::clone(&self.0);
        aside(env, move || store.client())
    }

    /// Keeps the client.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn save_client<'env>(&self, env: &'env Env, information: String) -> napi::Result<Object<'env>> {
        let store = Arc::clone(&self.0);
        aside(env, move || store.save_client(&information))
    }

    /// Waits for the lock; nothing if that takes longer than this many seconds.
    #[napi(ts_return_type = "Promise<TokenFileLock | null>")]
    pub fn lock<'env>(&self, env: &'env Env, patience: f64) -> napi::Result<Object<'env>> {
        let store = Arc::clone(&self.0);
        aside(env, move || store.lock(wait_of(patience)?).map(|held| held.map(TokenFileLock)))
    }
}

#[napi]
impl TokenFileLock {
    /// Lets others go on.
    #[napi]
    pub fn release(&self) {
        self.0.release();
    }
}

/// A port of this machine that listens for one answer.
#[napi]
pub struct RedirectPort(Mutex<Option<HostRedirect>>, String);

/// The answer that is waited for.
#[napi]
pub struct RedirectWait(Mutex<Option<Arc<PendingRedirect>>>);

#[napi]
impl RedirectPort {
    /// Listens on a port; 0 for a free one.
    #[napi(constructor)]
    pub fn new(port: u16, path: String) -> Result<Self> {
        let redirect = HostRedirect::listen(port, &path).map_err(throw)?;
        let uri = redirect.redirect_uri().to_owned();
        Ok(Self(Mutex::new(Some(redirect)), uri))
    }

    /// Where the browser shall come back to.
    #[napi(getter)]
    pub fn redirect_uri(&self) -> &str {
        &self.1
    }

    /// Receives the answer to the request of this URL from now on.
    #[napi]
    pub fn visit(&self, url: String) -> Result<RedirectWait> {
        let redirect = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let pending = redirect.ok_or_else(|| throw(Error::usage("this port is closed")))?.visit(&url);
        pending.map(|pending| RedirectWait(Mutex::new(Some(Arc::new(pending))))).map_err(throw)
    }

    /// Stops listening.
    #[napi]
    pub fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

#[napi]
impl RedirectWait {
    /// The URL that the browser came back to; nothing if that takes longer than this many seconds, or
    /// once it is closed.
    #[napi(ts_return_type = "Promise<string | null>")]
    pub fn wait<'env>(&self, env: &'env Env, patience: f64) -> napi::Result<Object<'env>> {
        let pending = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        aside(env, move || pending.map_or(Ok(None), |pending| pending.wait(wait_of(patience)?)))
    }

    /// Stops listening, as soon as nobody waits any more.
    #[napi]
    pub fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn wait_of(patience: f64) -> std::result::Result<Duration, Error> {
    Duration::try_from_secs_f64(patience).map_err(|_| Error::usage("a time must be positive"))
}

/// Has the browser of the system show a page.
#[napi(ts_return_type = "Promise<void>")]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn open_in_browser(env: &Env, url: String) -> napi::Result<Object<'_>> {
    aside(env, move || show(&url))
}
