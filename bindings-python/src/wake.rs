//! A descriptor that is readable while there is something to take. Owns: an eventfd, or a pair
//! of sockets where there is no eventfd. Must not know: what is to be taken.

#[cfg(target_os = "linux")]
mod platform {
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};

    use rustix::event::{EventfdFlags, eventfd};

    pub(crate) struct Signal(OwnedFd);

    impl Signal {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?))
        }

        pub(crate) fn set(&self) {
            let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
        }

        pub(crate) fn clear(&self) {
            let _ = rustix::io::read(&self.0, &mut [0_u8; 8]);
        }

        pub(crate) fn number(&self) -> i64 {
            i64::from(self.0.as_raw_fd())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io::{self, Read as _, Write as _};

    #[cfg(unix)]
    use std::os::{fd::AsRawFd as _, unix::net::UnixStream as Stream};
    #[cfg(windows)]
    use std::{net::TcpStream as Stream, os::windows::io::AsRawSocket as _};

    pub(crate) struct Signal {
        near: Stream,
        far: Stream,
    }

    impl Signal {
        pub(crate) fn new() -> io::Result<Self> {
            let (near, far) = pair()?;
            near.set_nonblocking(true)?;
            far.set_nonblocking(true)?;
            Ok(Self { near, far })
        }

        pub(crate) fn set(&self) {
            let _ = (&self.far).write(&[1]);
        }

        pub(crate) fn clear(&self) {
            while matches!((&self.near).read(&mut [0; 64]), Ok(64)) {}
        }

        #[cfg(unix)]
        pub(crate) fn number(&self) -> i64 {
            i64::from(self.near.as_raw_fd())
        }

        #[cfg(windows)]
        pub(crate) fn number(&self) -> i64 {
            i64::try_from(self.near.as_raw_socket()).unwrap_or(-1)
        }
    }

    #[cfg(unix)]
    fn pair() -> io::Result<(Stream, Stream)> {
        Stream::pair()
    }

    /// Accepts only a connection that this process opened.
    #[cfg(windows)]
    fn pair() -> io::Result<(Stream, Stream)> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        let far = Stream::connect(listener.local_addr()?)?;
        loop {
            let (near, peer) = listener.accept()?;
            if peer == far.local_addr()? {
                far.set_nodelay(true)?;
                return Ok((near, far));
            }
        }
    }
}

pub(crate) use platform::Signal;
