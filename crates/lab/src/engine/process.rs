//! One worker process: started, sent requests, killed with everything it started.
//!
//! Knows nothing of runs. Replies go to the function that was passed in, from a thread; the last event is the
//! exit of the worker.

use super::inherited::Inheritance;
use super::launch::{Launch, worker_threads};
use super::orphans;
use super::process_group::ProcessGroup;
use super::slurm::Job;
use super::test_panic::panic_for_test;
use super::usage::{Usage, resident_bytes};
use super::worker_output::{Exit, WorkerOutput};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use warpup_protocol::frame::{self, ReadError};
use warpup_protocol::{Reply, Request};

/// How long a worker that has closed its output may take to exit by itself, which gives a better message.
const EXIT_GRACE: Duration = Duration::from_millis(100);

/// Requests that wait for a worker to read.
const REQUESTS: usize = 16;

/// Bytes of the worker's standard error that are kept.
const MAX_STDERR: usize = 64 << 10;

/// An event of a worker.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all events are replies: the size of the others costs nothing"
)]
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// A reply.
    Reply(Reply),
    /// A line of what starts it elsewhere.
    Launcher(String),
    /// The process has ended; its last event.
    Exited(WorkerExit),
}

/// How a worker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkerExit {
    /// In words, such as `was stopped by signal 6 (SIGABRT)`.
    pub(super) how: String,
    /// The end of its standard error.
    pub(super) stderr: String,
}

/// How to end a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It is killed.
    AtOnce,
    /// Its input ends, then it gets SIGTERM; it is killed if neither ends it. For what starts a worker elsewhere:
    /// `srun` that is killed leaves its job behind, to the end of the job's time.
    Asked,
}

/// Time to exit after the end of the input, for a worker that reads it: one that a queue keeps waiting does not.
const CLOSED_TIME: Duration = Duration::from_secs(2);

/// Time to exit after being asked: `srun` cancels its job, which takes it a few seconds.
const ASKED_TIME: Duration = Duration::from_secs(4);

/// Lines of a launcher that are passed on, and bytes of each; all of them are kept for its failure.
const LAUNCHER_LINES: (usize, usize) = (64, 300);

/// How glibc's allocator gives memory to a worker: what a large tensor has freed serves the next one, instead of going
/// back to the system and being cleared page by page again, which takes longer than most operations on it. Settings that
/// somebody has made stay.
///
/// The interpreter has the first of two arenas, where tensors of any size fit (see `worker::serve`), and a thread that
/// shares its work need not wait for it with each allocation.
const MEMORY_SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "2"),
    ("MALLOC_MMAP_THRESHOLD_", "268435456"),
    ("MALLOC_TRIM_THRESHOLD_", "268435456"),
];

fn memory_settings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let unset = |(name, _): &(&str, &str)| std::env::var_os(name).is_none();
    MEMORY_SETTINGS.into_iter().filter(unset)
}

/// A running worker. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Process {
    ending: Ending,
    /// Whether it has replied, and so reads its input.
    has_replied: Arc<AtomicBool>,
    /// The job that it is in Slurm's queue, if it is one.
    job: Option<Job>,
    /// `None` once it was asked to end.
    requests: Option<SyncSender<Request>>,
    group: ProcessGroup,
}

impl Process {
    /// Starts a worker whose events go to `on_event`.
    pub(super) fn start(
        launch: &Launch,
        inheritance: Inheritance,
        ending: Ending,
        on_event: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let on_event = Arc::new(on_event);
        let threads = worker_threads().to_string();
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            .envs(inheritance.variables())
            .env("RAYON_NUM_THREADS", &threads)
            // candle's own threads spin while they wait. What is worth several threads has kernels of ours.
            .env("CANDLE_NUM_THREADS", "1")
            .envs(memory_settings())
            // candle would add the backtrace to each message.
            .env("RUST_BACKTRACE", "0")
            .env("RUST_LIB_BACKTRACE", "0")
            .envs(launch.environment.iter().map(|(name, value)| (name, value)));
        let (mut child, group) = ProcessGroup::spawn(&mut command)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("the worker has no pipes"));
        };
        let (exit, happens) = Exit::to_come()?;
        let errors = WorkerOutput::new(errors, exit.clone());
        let on_line = Arc::clone(&on_event);
        let is_launcher = ending == Ending::Asked;
        let stderr = spawn("worker's errors", move || {
            let mut lines = OutputLines::default();
            read_end(errors, |part| {
                if is_launcher {
                    lines.take(part, |line| on_line(WorkerEvent::Launcher(line)));
                }
            })
        })?;
        let waited = group.clone();
        spawn("worker's exit", move || {
            waited.wait_for_exit();
            panic_for_test();
            drop(happens);
        })?;
        let reaped = group.clone();
        let has_replied = Arc::new(AtomicBool::new(false));
        let first = Arc::clone(&has_replied);
        spawn("worker's replies", move || {
            let on_event = |event| {
                first.store(true, Ordering::Relaxed);
                on_event(event);
            };
            let mut replies = BufReader::new(WorkerOutput::new(output, exit.clone()));
            let unreadable = read_replies(&mut replies, &on_event);
            // Where the reading stopped, somebody may have been in the middle of a message.
            let unreadable = unreadable.filter(|_| !replies.get_ref().was_cut_off());
            let exited_itself = unreadable.is_none() && exit.is_within(EXIT_GRACE);
            let status = reaped.reap(&mut child);
            orphans::end_left();
            let stderr = stderr.join().unwrap_or_default();
            let how = if exited_itself {
                describe(&status)
            } else {
                unreadable.unwrap_or_else(|| "closed its output".to_owned())
            };
            on_event(WorkerEvent::Exited(WorkerExit { how, stderr }));
        })?;
        let (requests, received) = sync_channel::<Request>(REQUESTS);
        spawn("worker's requests", move || {
            // If the pipe is broken, the worker is about to exit.
            received.iter().all(|it| {
                panic_for_test();
                frame::write(&mut input, &it).is_ok()
            })
        })?;
        Ok(Self {
            ending,
            has_replied,
            job: None,
            requests: Some(requests),
            group,
        })
    }

    /// Sends a request without waiting for the worker to read it. A worker that never reads is ended by the
    /// deadline of its run.
    pub(super) fn send(&self, request: Request) {
        if let Some(requests) = &self.requests {
            drop(requests.try_send(request));
        }
    }

    /// What the worker has used of the CPU, if the system says.
    pub(super) fn usage(&self) -> Option<Usage> {
        Usage::of(self.group.leader()?)
    }

    /// The memory that the worker holds, in bytes, if the system says.
    pub(super) fn resident_bytes(&self) -> Option<u64> {
        resident_bytes(self.group.leader()?)
    }

    /// It is this job of a queue, which ends with it.
    pub(super) fn is_job(&mut self, job: Job) {
        self.job = Some(job);
    }

    /// Closes the worker's input, which asks it to end.
    pub(super) fn close_input(&mut self) {
        self.requests = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        match self.ending {
            Ending::AtOnce => {}
            Ending::Asked => {
                self.close_input();
                // What has ended by itself has no job any more.
                let is_there = self.group.leader().is_some();
                let job = self.job.as_ref().filter(|_| is_there);
                if let Some(job) = job.filter(|it| it.is_elsewhere()) {
                    job.cancel();
                }
                let reads = self.has_replied.load(Ordering::Relaxed);
                let has_ended = (reads && self.group.ends_within(CLOSED_TIME)) || {
                    self.group.ask();
                    self.group.ends_within(ASKED_TIME)
                };
                if let (Some(job), false) = (job, has_ended) {
                    job.cancel();
                }
            }
        }
        self.group.kill();
    }
}

/// Starts a named thread.
fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<thread::JoinHandle<T>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Passes replies on until the worker closes its output, or sends something unreadable, which is returned.
fn read_replies(mut output: impl BufRead, on_event: &impl Fn(WorkerEvent)) -> Option<String> {
    loop {
        let read = frame::read::<Reply>(&mut output);
        panic_for_test();
        match read {
            Ok(Some(reply)) => on_event(WorkerEvent::Reply(reply)),
            Ok(None) | Err(ReadError::Io(_)) => return None,
            Err(error @ (ReadError::TooLong | ReadError::NotAMessage { .. })) => {
                return Some(format!("made no sense: {error}"));
            }
        }
    }
}

/// How a worker exited, in words.
fn describe(status: &io::Result<ExitStatus>) -> String {
    match status {
        Err(error) => format!("cannot be waited for: {error}"),
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("ended with exit status {code}"),
            (None, Some(6)) => {
                "was stopped by signal 6 (SIGABRT), as when memory runs out".to_owned()
            }
            (None, Some(9)) => "was killed (SIGKILL)".to_owned(),
            (None, Some(11)) => "was stopped by signal 11 (SIGSEGV)".to_owned(),
            (None, Some(24)) => "was stopped by signal 24 (SIGXCPU), as after its time".to_owned(),
            (None, Some(signal)) => format!("was stopped by signal {signal}"),
            (None, None) => "ended".to_owned(),
        },
    }
}

/// Text in lines, as they come.
#[derive(Default)]
struct OutputLines {
    /// The line that has not ended.
    open: Vec<u8>,
    count: usize,
}

impl OutputLines {
    /// Takes the next part of the text, and says each line that ends in it.
    fn take(&mut self, part: &[u8], say: impl Fn(String)) {
        let (most, bytes) = LAUNCHER_LINES;
        for byte in part {
            if *byte != b'\n' {
                if self.open.len() < bytes {
                    self.open.push(*byte);
                }
                continue;
            }
            let line = String::from_utf8_lossy(&std::mem::take(&mut self.open)).into_owned();
            if self.count < most && !line.trim().is_empty() {
                self.count += 1;
                say(line.trim().to_owned());
            }
        }
    }
}

/// The end of a stream, each part of which is heard.
fn read_end(mut stream: impl Read, mut hear: impl FnMut(&[u8])) -> String {
    let mut kept = VecDeque::new();
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut part) {
        let part = part.get(..count).unwrap_or_default();
        hear(part);
        kept.extend(part);
        let excess = kept.len().saturating_sub(MAX_STDERR);
        kept.drain(..excess);
    }
    panic_for_test();
    String::from_utf8_lossy(kept.make_contiguous()).into_owned()
}
