//! What a worker writes, up to its exit: a process that it has started may hold its pipes open for ever.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

/// How long a pipe may be silent after the exit of its worker: what the worker has written is there at once.
const GRACE: Duration = Duration::from_millis(200);

/// The most bytes that are read after the exit; no pipe of a process without rights holds more.
const MOST: usize = 1 << 20;

/// The exit of a worker, which several may wait for.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    /// Closed by the exit.
    seen: Arc<PipeReader>,
}

impl Exit {
    /// An exit that happens when the second part is dropped.
    pub(super) fn to_come() -> io::Result<(Self, PipeWriter)> {
        let (seen, happens) = io::pipe()?;
        let seen = Arc::new(seen);
        Ok((Self { seen }, happens))
    }

    /// Waits for it so long, and says whether it came.
    pub(super) fn is_within(&self, time: Duration) -> bool {
        wait([&*self.seen], Some(time)).is_ok_and(|[it]| it)
    }
}

/// A stream of a worker, which ends with it.
#[derive(Debug)]
pub(super) struct WorkerOutput<S> {
    stream: S,
    exit: Exit,
    has_exited: bool,
    /// Bytes that may still be read after the exit.
    left: usize,
}

impl<S: Read + AsFd> WorkerOutput<S> {
    pub(super) fn new(stream: S, exit: Exit) -> Self {
        Self {
            stream,
            exit,
            has_exited: false,
            left: MOST,
        }
    }

    /// Whether somebody has written on after the exit, and more than is read.
    pub(super) fn was_cut_off(&self) -> bool {
        self.left == 0
    }

    /// Waits for more to read; says whether there is more.
    fn has_more(&mut self) -> io::Result<bool> {
        if !self.has_exited {
            let [more, exited] = wait([&self.stream as &dyn AsFd, &*self.exit.seen], None)?;
            self.has_exited = exited;
            if more {
                return Ok(true);
            }
        }
        let [more] = wait([&self.stream], Some(GRACE))?;
        Ok(more)
    }
}

impl<S: Read + AsFd> Read for WorkerOutput<S> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if !self.has_more()? {
            return Ok(0);
        }
        if !self.has_exited {
            return self.stream.read(into);
        }
        let most = into.len().min(self.left);
        let count = self.stream.read(into.get_mut(..most).unwrap_or_default())?;
        self.left -= count;
        Ok(count)
    }
}

/// Waits until one of them can be read, or was closed; without a time, for ever. Says which.
fn wait<const N: usize>(streams: [&dyn AsFd; N], time: Option<Duration>) -> io::Result<[bool; N]> {
    let time = time.and_then(|it| Timespec::try_from(it).ok());
    let mut asked = streams.map(|it| PollFd::from_borrowed_fd(it.as_fd(), PollFlags::IN));
    loop {
        match poll(&mut asked, time.as_ref()) {
            Ok(_) => return Ok(asked.map(|it| !it.revents().is_empty())),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_was_written_before_the_exit_is_read_though_the_pipe_stays_open() {
        let (exit, happens) = Exit::to_come().unwrap();
        let (stream, mut held) = io::pipe().unwrap();
        held.write_all(&[b'x'; 9000]).unwrap();
        assert!(!exit.is_within(Duration::ZERO));
        drop(happens);
        assert!(exit.is_within(Duration::ZERO));
        let mut text = String::new();
        let mut output = WorkerOutput::new(stream, exit);
        assert_eq!(output.read_to_string(&mut text).unwrap(), 9000);
        drop(held);
    }

    #[test]
    fn somebody_who_writes_on_after_the_exit_is_not_listened_to_for_ever() {
        let (exit, happens) = Exit::to_come().unwrap();
        let (stream, mut held) = io::pipe().unwrap();
        drop(happens);
        let mut output = WorkerOutput::new(stream, exit);
        std::thread::scope(|scope| {
            scope.spawn(move || while held.write_all(&[b'x'; 4096]).is_ok() {});
            let mut read = Vec::new();
            assert_eq!(output.read_to_end(&mut read).unwrap(), MOST);
            assert!(output.was_cut_off());
            // The writer's pipe is closed.
            drop(output);
        });
    }
}
