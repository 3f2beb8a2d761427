//! The user's browser, and the port of this machine that a host has it come back to.
//!
//! Owns: that it listens for one answer, how long somebody waits for it. Must not know: the pages
//! that are shown, which request is the answer, when a page is shown.

use std::time::Duration;

use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use crate::auth::{Listening, Loopback, RedirectReceiver as _};

use super::pending::runtime;

/// A port that listens for one answer. Dropping it closes the port.
pub struct HostRedirect {
    redirect_uri: String,
    listening: Mutex<Option<Box<dyn Listening>>>,
}

/// The answer that is waited for. Dropping it closes the port.
pub struct PendingRedirect {
    redirect_uri: String,
    visit: Mutex<Option<Visit>>,
}

type Visit = JoinHandle<Result<RedirectAnswer, Error>>;

impl HostRedirect {
    /// Listens on a port of `127.0.0.1`; 0 for a free one. The path begins with a slash.
    ///
    /// # Errors
    /// `Usage` if the port cannot be used, or the path has no slash.
    pub fn listen(port: u16, path: &str) -> Result<Self, Error> {
        if !path.starts_with('/') {
            return Err(Error::usage("redirect URI: path must begin with a slash"));
        }
        let loopback = Loopback::new().port(port).path(path).open_with(|_| Ok(()));
        let listening = runtime()?.block_on(loopback.listen())?;
        let redirect_uri = listening.redirect_uri().to_owned();
        Ok(Self { redirect_uri, listening: Mutex::new(Some(listening)) })
    }

    /// Where the browser shall come back to.
    pub fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    /// From now on the answer to the authorization request of this URL is received. Showing the URL
    /// to the user is the host's.
    ///
    /// # Errors
    /// `Usage` the second time.
    pub fn visit(&self, url: &str) -> Result<PendingRedirect, Error> {
        let listening = self.listening.lock().take();
        let listening = listening.ok_or_else(|| Error::usage("this port received its answer before"))?;
        let task = runtime()?.spawn(listening.visit(Secret::new(url)));
        Ok(PendingRedirect { redirect_uri: self.redirect_uri.clone(), visit: Mutex::new(Some(task)) })
    }
}

impl PendingRedirect {
    /// Waits, on a thread that may block: the URL that the browser came back to, unjudged. `None`
    /// if that takes longer than `patience`; then one may wait again.
    ///
    /// # Errors
    /// `Usage` once there was an answer, `Transport` if the port fails.
    pub fn wait(&self, patience: Duration) -> Result<Option<String>, Error> {
        let task = self.visit.lock().take();
        let mut task = task.ok_or_else(|| Error::usage("this answer is waited for already"))?;
        let came = runtime()?.block_on(async { tokio::time::timeout(patience, &mut task).await });
        let Ok(came) = came else {
            *self.visit.lock() = Some(task);
            return Ok(None);
        };
        let answer = came.unwrap_or_else(|_| Err(Error::closed()))?;
        Ok(Some(format!("{}?{}", self.redirect_uri, answer.query().expose())))
    }
}

impl Drop for PendingRedirect {
    fn drop(&mut self) {
        if let Some(task) = self.visit.get_mut().take() {
            task.abort();
        }
    }
}

/// Has the browser of the system show a page. The URL is given to no shell.
///
/// # Errors
/// `Usage` if there is no browser.
pub fn open_in_browser(url: &str) -> Result<(), Error> {
    open::that_detached(url).map_err(|why| Error::usage(format!("the browser cannot be opened: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(port: u16, path: &str) -> String {
        HostRedirect::listen(port, path).err().map(|error| error.message).unwrap_or_default()
    }

    const PATIENCE: Duration = Duration::from_secs(20);

    fn browse(url: &str) -> String {
        use std::io::{Read as _, Write as _};
        let (place, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = std::net::TcpStream::connect(place).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nhost: {place}\r\n\r\n").unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        page
    }

    #[test]
    fn the_answer_is_received_once() {
        let redirect = HostRedirect::listen(0, "/done").unwrap();
        let back = redirect.redirect_uri().to_owned();
        let pending = redirect.visit("https://as.example/authorize?state=s").unwrap();
        assert_eq!(pending.wait(Duration::from_millis(1)).unwrap(), None);
        assert!(browse(&format!("{back}?code=c&state=other")).starts_with("HTTP/1.1 400"));
        assert!(browse(&format!("{back}?error=access_denied&state=s")).contains("close this window"));
        let came = pending.wait(PATIENCE).unwrap().unwrap();
        assert_eq!(came, format!("{back}?state=s&error=access_denied"));
        assert!(pending.wait(PATIENCE).is_err());
        assert!(redirect.visit("https://as.example/authorize").is_err());
    }

    #[test]
    fn what_is_dropped_frees_the_port() {
        let redirect = HostRedirect::listen(0, "/done").unwrap();
        let port =
            redirect.redirect_uri()["http://127.0.0.1:".len()..].split('/').next().unwrap().parse().unwrap();
        assert!(refusal(port, "/done").contains(&port.to_string()));
        drop(redirect);
        assert!(HostRedirect::listen(port, "/done").is_ok());
        assert!(refusal(0, "done").contains("path"));
    }
}
