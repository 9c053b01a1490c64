//! One worker process: started, spoken to, killed with everything it started.
//!
//! Knows nothing of runs. Replies come through the function that was handed in, from a thread of its
//! own; the last thing it says is that the worker is gone, and why.

use super::launch::{Launch, threads};
use crate::protocol::frame::{self, ReadError};
use crate::protocol::{Reply, Request};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a worker that has closed its output has to end by itself, so that it can say how.
const LINGER: Duration = Duration::from_millis(100);

/// Requests that wait for a worker to read.
const REQUESTS: usize = 16;

/// Bytes of the worker's standard error that are kept.
const LAST_WORDS: usize = 64 << 10;

/// What a worker says, and that it is gone.
#[derive(Debug)]
pub(super) enum Heard {
    /// A reply.
    Reply(Reply),
    /// The process has ended.
    Gone(Gone),
}

/// How a worker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    /// In words, such as `was stopped by signal 6 (SIGABRT)`.
    pub(super) how: String,
    /// The end of its standard error.
    pub(super) last_words: String,
}

/// A running worker. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    /// Nothing once it has been asked to end.
    requests: Option<SyncSender<Request>>,
    group: Option<Pid>,
    killed: Arc<Mutex<bool>>,
}

impl Process {
    /// Starts a worker; what it says goes to `hear`.
    pub(super) fn start(
        launch: &Launch,
        hear: impl Fn(Heard) + Send + 'static,
    ) -> io::Result<Self> {
        let threads = threads().to_string();
        let mut child = Command::new(&launch.program)
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: a key press in the terminal is not for it, and a kill reaches all of it.
            .process_group(0)
            .env("RAYON_NUM_THREADS", &threads)
            .env("CANDLE_NUM_THREADS", &threads)
            // candle would print the whole backtrace as part of each message.
            .env("RUST_BACKTRACE", "0")
            .env("RUST_LIB_BACKTRACE", "0")
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("the worker has no pipes"));
        };
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let killed = Arc::new(Mutex::new(false));
        let was_killed = Arc::clone(&killed);
        let words = thread::Builder::new()
            .name("worker's errors".to_owned())
            .spawn(move || last_words(errors))?;
        thread::Builder::new()
            .name("worker's replies".to_owned())
            .spawn(move || {
                let confused = replies(BufReader::new(output), &hear);
                let end = match (group, &confused) {
                    (Some(group), None) => await_end(group),
                    (None, _) | (_, Some(_)) => End::Forced,
                };
                let status = reap(&mut child, group, &was_killed);
                let last_words = words.join().unwrap_or_default();
                let how = match end {
                    End::Forced => confused.unwrap_or_else(|| "closed its output".to_owned()),
                    End::Own => in_words(&status),
                };
                hear(Heard::Gone(Gone { how, last_words }));
            })?;
        let (requests, asked) = sync_channel(REQUESTS);
        thread::Builder::new()
            .name("worker's requests".to_owned())
            .spawn(move || pass_on(&asked, input))?;
        Ok(Self {
            requests: Some(requests),
            group,
            killed,
        })
    }

    /// Asks something of the worker, without waiting until it reads. One that reads nothing is not asked
    /// for ever: its run has a deadline.
    pub(super) fn ask(&self, request: Request) {
        if let Some(requests) = &self.requests {
            drop(requests.try_send(request));
        }
    }

    /// Asks the worker to end, by the end of its input. One that does not is to be killed.
    pub(super) fn let_go(&mut self) {
        self.requests = None;
    }

    /// Kills the worker and everything it started.
    pub(super) fn kill(&self) {
        let reaped = self.killed.lock().unwrap_or_else(PoisonError::into_inner);
        // Once it has been waited for, its number may belong to somebody else.
        if let (false, Some(group)) = (*reaped, self.group) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes requests until no more come. A pipe that cannot be written means that the worker is ending; it
/// will be heard of.
fn pass_on(requests: &Receiver<Request>, mut input: ChildStdin) {
    for request in requests {
        if frame::write(&mut input, &request).is_err() {
            return;
        }
    }
}

/// Passes replies on until the worker closes its output; says what made no sense, if something did.
fn replies(mut output: impl BufRead, hear: &impl Fn(Heard)) -> Option<String> {
    loop {
        match frame::read::<Reply>(&mut output) {
            Ok(Some(reply)) => hear(Heard::Reply(reply)),
            Ok(None) | Err(ReadError::Io(_)) => return None,
            Err(error @ (ReadError::TooLong | ReadError::NotAMessage { .. })) => {
                return Some(format!("made no sense: {error}"));
            }
        }
    }
}

/// Whether a worker ended by itself.
enum End {
    Own,
    Forced,
}

/// Waits a little until the worker has ended, without reaping it: until then its number stays its own.
fn await_end(worker: Pid) -> End {
    let until = Instant::now() + LINGER;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    loop {
        match waitid(WaitId::Pid(worker), options) {
            Ok(Some(_)) => return End::Own,
            Ok(None) | Err(_) if Instant::now() >= until => return End::Forced,
            Ok(None) | Err(_) => thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Ends what is left of the worker and of what it started.
fn reap(child: &mut Child, group: Option<Pid>, killed: &Mutex<bool>) -> io::Result<ExitStatus> {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait();
    *killed.lock().unwrap_or_else(PoisonError::into_inner) = true;
    status
}

fn in_words(status: &io::Result<ExitStatus>) -> String {
    match status {
        Err(error) => format!("cannot be waited for: {error}"),
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("ended with exit status {code}"),
            (None, Some(6)) => {
                "was stopped by signal 6 (SIGABRT), as when memory runs out".to_owned()
            }
            (None, Some(9)) => "was killed (SIGKILL)".to_owned(),
            (None, Some(11)) => "was stopped by signal 11 (SIGSEGV)".to_owned(),
            (None, Some(signal)) => format!("was stopped by signal {signal}"),
            (None, None) => "ended".to_owned(),
        },
    }
}

/// The end of what the worker wrote to its standard error.
fn last_words(mut errors: impl Read) -> String {
    let mut kept = VecDeque::new();
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut part) {
        kept.extend(part.get(..count).unwrap_or_default());
        let excess = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..excess);
    }
    String::from_utf8_lossy(kept.make_contiguous()).into_owned()
}
