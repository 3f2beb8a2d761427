//! A terminal: what a person sees of the program, and types.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process_group};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcgetpgrp, tcsetwinsize};

use crate::program::{BOUND, command};

/// Runs the program, says how it ended, and stays until the terminal goes.
const SHELL: &str = r#"trap : INT; "$@"; echo "[exit code $?]"; exec cat"#;

/// The program in a terminal of its own, which is its controlling one.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    shown: mpsc::Receiver<Vec<u8>>,
    /// All that was shown.
    pub(crate) screen: String,
    /// The first bytes of a character that was not shown to its end.
    rest: Vec<u8>,
    read: usize,
}

/// How long nothing is shown before something is done again.
const MOMENT: Duration = Duration::from_millis(50);
/// Rows and columns that all are shown on, whatever a test looks at.
pub(crate) const USUAL: (u16, u16) = (40, 100);

impl Terminal {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::sized(arguments, USUAL)
    }

    /// One of so many rows and columns.
    pub(crate) fn sized(arguments: &[&str], (rows, columns): (u16, u16)) -> Self {
        let ours =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal");
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).expect("a size");
        let name = ptsname(&ours, Vec::new()).expect("a name");
        let theirs =
            File::options().read(true).write(true).open(name.to_str().expect("a path")).expect("it opens");
        let plain = command(arguments);
        // Only a program of a new session can have a controlling terminal. It is a shell, as it is for
        // people: when the first program of a session ends, what its terminal has not shown is lost.
        let mut child = Command::new("setsid");
        child.args(["--ctty", "--wait", "sh", "-c", SHELL, "sh"]);
        child.arg(plain.get_program()).args(plain.get_args()).env_clear();
        child.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let other = || Stdio::from(theirs.try_clone().expect("a terminal"));
        let child = child.stdin(other()).stdout(other()).stderr(other()).spawn().expect("setsid");
        let keys = File::from(ours);
        let mut screen = keys.try_clone().expect("a terminal");
        let (tell, shown) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut buffer) {
                if tell.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, shown, screen: String::new(), rest: Vec::new(), read: 0 }
    }

    /// Waits until this is shown, after what was waited for before.
    pub(crate) fn sees(&mut self, text: &str) -> &mut Self {
        self.sees_one_of(&[text]);
        self
    }

    /// The same for whichever of these is shown first; its index.
    pub(crate) fn sees_one_of(&mut self, texts: &[&str]) -> usize {
        let until = Instant::now() + BOUND;
        loop {
            let new = &self.screen[self.read..];
            let found = texts.iter().enumerate().filter_map(|(which, text)| Some((new.find(text)?, which)));
            if let Some((at, which)) = found.min() {
                self.read += at + texts[which].len();
                return which;
            }
            let left = until.saturating_duration_since(Instant::now());
            let Ok(bytes) = self.shown.recv_timeout(left) else {
                panic!("{texts:?}: not shown after {} bytes of\n{}", self.read, self.screen);
            };
            self.show(&bytes);
        }
    }

    /// Takes what the program wrote; a character may come in two pieces.
    fn show(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Err(why) if why.error_len().is_none() => why.valid_up_to(),
            _ => self.rest.len(),
        };
        let whole: Vec<u8> = self.rest.drain(..whole).collect();
        self.screen.push_str(&String::from_utf8_lossy(&whole));
    }

    /// Waits for a text that comes of doing this, which is done until it does: when the program listens is
    /// not seen from here.
    pub(crate) fn sees_after(&mut self, text: &str, act: impl Fn()) -> &mut Self {
        let until = Instant::now() + BOUND;
        while Instant::now() < until {
            act();
            while let Ok(bytes) = self.shown.recv_timeout(MOMENT) {
                self.show(&bytes);
            }
            if self.screen[self.read..].contains(text) {
                return self.sees(text);
            }
        }
        panic!("{text:?} is not shown after {} bytes of\n{}", self.read, self.screen);
    }

    /// Types these keys.
    pub(crate) fn types(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).expect("a key");
        self
    }

    /// Sends the signal of Ctrl-C to the program, as the terminal does where keys are not read one by one.
    pub(crate) fn interrupts(&mut self) -> &mut Self {
        let group = tcgetpgrp(&self.keys).expect("a program in front");
        kill_process_group(group, Signal::INT).expect("a signal");
        self
    }

    /// Whether the terminal takes whole lines and shows what is typed, as it does for a shell.
    pub(crate) fn takes_lines(&self) -> bool {
        let modes = tcgetattr(&self.keys).expect("its modes").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Waits for the end; the exit code.
    pub(crate) fn ends(mut self) -> (i32, String) {
        self.sees("[exit code ").sees("]");
        let (screen, code) = self.screen.rsplit_once("[exit code ").expect("it was seen");
        let code = code.trim_end().trim_end_matches(']').parse().expect("a number");
        (code, screen.to_owned())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
