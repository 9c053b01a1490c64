//! A file that was open when the worker was started, and the ways to it.

use std::fs::File;
use std::io;

/// This program's own file, open before the process is confined, at its end: reading it changes nothing.
#[derive(Debug)]
pub struct InheritedFile {
    file: std::mem::ManuallyDrop<File>,
}

impl InheritedFile {
    /// Opens it.
    ///
    /// # Errors
    /// The program cannot read itself.
    pub fn open() -> io::Result<Self> {
        use std::io::Seek;
        let mut file = File::open(std::env::current_exe()?)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self {
            // To confine is to close it, and nothing may close it twice.
            file: std::mem::ManuallyDrop::new(file),
        })
    }

    pub(super) fn read(&self) -> io::Result<()> {
        use std::io::Read;
        refused_if_closed((&*self.file).read(&mut [0]))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn map(&self) -> io::Result<()> {
        use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};
        const PAGE: std::num::NonZero<usize> = std::num::NonZero::<usize>::MIN;
        let (readable, own) = (ProtFlags::PROT_READ, MapFlags::MAP_PRIVATE);
        #[expect(unsafe_code, reason = "no crate has a safe call for it")]
        // SAFETY: nothing looks at the page, and it goes at once.
        let mapped = unsafe {
            mmap(None, PAGE, readable, own, &*self.file, 0).and_then(|it| munmap(it, PAGE.get()))
        };
        refused_if_closed(mapped)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn send(&self) -> io::Result<()> {
        refused_if_closed(rustix::fs::sendfile(io::stderr(), &*self.file, None, 1))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn splice(&self) -> io::Result<()> {
        let nothing = rustix::pipe::SpliceFlags::empty();
        let moved = rustix::pipe::splice(&*self.file, None, io::stderr(), None, 1, nothing);
        match moved {
            // Only a permitted call finds out that one of both is no pipe.
            Err(rustix::io::Errno::INVAL) => Ok(()),
            other => refused_if_closed(other),
        }
    }

    pub(super) fn reopen(&self) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        let again = File::open(format!("/dev/fd/{}", self.file.as_raw_fd()));
        match again {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(closed()),
            other => other.map(drop),
        }
    }
}

/// What is closed leads nowhere, whatever the system would have allowed.
fn refused_if_closed<T, E: Into<io::Error>>(result: Result<T, E>) -> io::Result<()> {
    let error = match result {
        Ok(_) => return Ok(()),
        Err(error) => error.into(),
    };
    let is_closed = error.raw_os_error() == Some(rustix::io::Errno::BADF.raw_os_error());
    Err(if is_closed { closed() } else { error })
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "it is closed")
}
