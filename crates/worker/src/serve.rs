//! The worker's loop: requests in, replies out.
//!
//! One thread reads requests, so that a cancel reaches a running program and the end of the input ends the worker at
//! once. Another one, with a stack for deep recursion, does everything else. Both are there before the process is confined, since
//! what the system counts of a thread is a file of its own, and wait until it is.

use super::card_run::CardRun;
use super::device::{self, OpenError};
use super::engine::Engine;
use super::kernels::fast;
use super::python::{self, Program};
use super::reporter::Reporter;
use super::run_delay::RunDelay;
use super::{truncate, turns};
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use warpup_confine::{self as confine, Confinement, OpenFiles};
use warpup_protocol::frame::{self, ReadError};
use warpup_protocol::{
    Clock, DeviceName, Outcome, Reply, Report, Request, RunId, RunRequest, UncaughtException,
    VERSION,
};

/// Stack of the thread that interprets: Python's recursion limit is reached before its end.
const STACK: usize = 256 << 20;

/// Spans in one message.
const SPANS_A_MESSAGE: usize = 2_000;

/// Confines this process and answers requests until the input ends. Then it ends the process; a program may still run at that time.
pub(super) fn serve(
    input: impl BufRead + Send + 'static,
    output: File,
    confinement: Confinement,
) -> io::Result<()> {
    let protocol = output.as_raw_fd();
    let (requests, received) = sync_channel(64);
    let current = Arc::new(Mutex::new(None));
    let cancels = Arc::clone(&current);
    let output = Arc::new(Mutex::new(output));
    let refusals = Arc::clone(&output);
    let (allocated, first) = sync_channel(1);
    let confined = Arc::new(OnceLock::new());
    let is_confined = Arc::clone(&confined);
    let confine_thread = move |confined: &OnceLock<OpenFiles>| {
        confine::confine_thread(confinement, *confined.wait(), &turns::folders());
    };
    thread::Builder::new()
        .name("requests".to_owned())
        .spawn(move || {
            // Of glibc's two arenas, the first thread that allocates gets the second, and the next thread the first.
            // Only the first one has room for large tensors, so the interpreter comes after this.
            let _nobody_waits = allocated.send(vec![0_u8; 64]);
            confine_thread(&is_confined);
            read_requests(input, &requests, &cancels, &refusals);
            confine::end();
        })?;
    let _has_ended = first.recv();
    let (opened, counts) = sync_channel(1);
    let is_confined = Arc::clone(&confined);
    let interpreter = thread::Builder::new()
        .name("interpreter".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let counts = RunDelay::of_this_thread();
            let _nobody_waits = opened.send(counts.as_ref().map(RunDelay::descriptor));
            confine_thread(&is_confined);
            answer(&received, &current, &output, counts.map(Rc::new).as_ref());
        })?;
    let open = OpenFiles {
        protocol,
        run_delay: counts.recv().ok().flatten(),
    };
    // A later run of a worker for cards takes its turn, too.
    confine::confine(confinement, open, &turns::folders());
    let _first = confined.set(open);
    interpreter
        .join()
        .map_err(|_panic| io::Error::other("the interpreter's thread panicked"))
}

/// The run that can be cancelled now.
type Current = Mutex<Option<(RunId, Arc<AtomicBool>)>>;

fn read_requests<W: Write>(
    mut input: impl BufRead,
    requests: &SyncSender<Request>,
    current: &Current,
    output: &Mutex<W>,
) {
    loop {
        match frame::read::<Request>(&mut input) {
            Ok(Some(Request::Cancel { run })) => {
                let current = current.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((running, interrupt)) = &*current
                    && *running == run
                {
                    interrupt.store(true, Ordering::Relaxed);
                }
            }
            Ok(Some(request)) => {
                if requests.send(request).is_err() {
                    return;
                }
            }
            Ok(None) | Err(ReadError::Io(_) | ReadError::TooLong) => {
                return;
            }
            Err(error @ ReadError::NotAMessage { .. }) => {
                let why = error.to_string();
                say(output, &Reply::Refused { run: None, why });
            }
        }
    }
}

fn answer<W: Write + Send + 'static>(
    requests: &Receiver<Request>,
    current: &Current,
    output: &Arc<Mutex<W>>,
    counts: Option<&Rc<RunDelay>>,
) {
    while let Ok(request) = requests.recv() {
        match request {
            Request::Hello { version } if version == VERSION => {
                let warpup = env!("CARGO_PKG_VERSION").to_owned();
                let devices = device::list();
                let hello = Reply::Hello {
                    version,
                    warpup,
                    devices,
                };
                say(output, &hello);
            }
            Request::Hello { version } => {
                let why = format!(
                    "the app speaks version {version} of the protocol, this worker {VERSION}: install both from one build"
                );
                say(output, &Reply::Refused { run: None, why });
            }
            Request::Run(request) => {
                fast::take_part();
                let interrupt = Arc::new(AtomicBool::new(false));
                let set = |value| {
                    *current.lock().unwrap_or_else(PoisonError::into_inner) = value;
                };
                set(Some((request.run, Arc::clone(&interrupt))));
                let reply = run(request, interrupt, output, counts);
                set(None);
                say(output, &reply);
            }
            // Handled by `read_requests`.
            Request::Cancel { .. } => {}
        }
    }
}

fn say<W: Write>(output: &Mutex<W>, reply: &Reply) {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    // A broken pipe has no reader; the end of the input follows.
    drop(frame::write(&mut *output, reply));
}

/// Runs one program, and returns its last reply.
fn run<W: Write + Send + 'static>(
    request: RunRequest,
    interrupt: Arc<AtomicBool>,
    output: &Arc<Mutex<W>>,
    counts: Option<&Rc<RunDelay>>,
) -> Reply {
    let run = request.run;
    let say_waiting = |why| say(output, &Reply::Waiting { run, why });
    let around = match CardRun::begin(&request, &interrupt, say_waiting) {
        Ok(Some(around)) => around,
        Ok(None) => {
            let report = Report::without_times(Outcome::Cancelled);
            return Reply::Finished { run, report };
        }
        Err(why) => return not_run(run, why),
    };
    let device = match device::open(&around.device, request.aim, &request.limits) {
        Ok(device) => device,
        Err(why) => return not_run(run, why),
    };
    let spans = if request.trace {
        request.limits.spans
    } else {
        0
    };
    let engine = Engine::new(device, spans);
    if request.trace {
        engine.follow();
    }
    if let Some(counts) = counts {
        engine.count_interruptions(counts);
    }
    if request.trace || request.check.is_some() {
        engine.count_all();
    }
    // What measures the operations of a card has started by now, and so has the card itself.
    match around.device {
        DeviceName::Cuda(_) => confine::card_is_open(&turns::folders()),
        DeviceName::Cpu | DeviceName::Model(_) => confine::set_limits_of_run(&request.limits),
    }
    let Some(info) = device::info(&around.device) else {
        let why = format!("{} cannot be used here", around.device);
        let run = Some(run);
        return Reply::Refused { run, why };
    };
    say(output, &Reply::Started { run, device: info });
    let replies = Arc::clone(output);
    let reporter = Rc::new(Reporter::new(run, request.limits, move |reply| {
        say(&replies, &reply);
    }));
    // On a modelled card a line takes time by itself, so lines are always followed.
    // So are those that a check asks about.
    let has_check = request.check.is_some();
    let steps = request.trace || has_check || engine.clock() == Clock::Modelled;
    let program = Program {
        aim: request.aim,
        steps,
        name: request.name,
        source: request.source,
        modules: request.modules,
        place: request.place,
        arguments: request.arguments,
        check: request.check,
        host_bytes: request.limits.host_bytes,
        interrupt,
    };
    // A panic in a library or in warpup becomes a reply, and the worker continues.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        python::run(&program, &engine, &reporter)
    }));
    let outcome = outcome.unwrap_or_else(|panic| of_panic(&*panic));
    reporter.flush();
    let outcome = truncate::outcome(outcome);
    let report = report(run, outcome, &engine, output);
    let (mut notes, contended) = around.end();
    notes.extend(reporter.notes());
    notes.extend(report.notes);
    let report = Report {
        notes,
        contended,
        ..report
    };
    Reply::Finished { run, report }
}

/// The last reply of a run whose device could not be opened.
fn not_run(run: RunId, why: OpenError) -> Reply {
    match why {
        OpenError::DeviceUnavailable(unavailable) => Reply::Finished {
            run,
            report: Report::without_times(unavailable.into()),
        },
        OpenError::NoSuchCard { .. } | OpenError::NoCuda | OpenError::NoPlan => Reply::Refused {
            run: Some(run),
            why: why.to_string(),
        },
    }
}

fn report<W: Write>(run: RunId, outcome: Outcome, engine: &Engine, output: &Mutex<W>) -> Report {
    let (report, spans) = engine.report(outcome);
    for part in spans.chunks(SPANS_A_MESSAGE) {
        let spans = part.to_vec();
        say(output, &Reply::Spans { run, spans });
    }
    report
}

/// How a run ends whose interpreter panicked.
fn of_panic(panic: &(dyn std::any::Any + Send)) -> Outcome {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    let text = owned.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no message");
    // The parser takes more stack for a text that is nested deeper, and panics when there is no memory for it.
    if text.contains("mprotect/mmap failed") {
        let message = "the program is nested too deeply for the interpreter".to_owned();
        return Outcome::Raised(UncaughtException {
            kind: "RecursionError".to_owned(),
            traceback: format!("RecursionError: {message}\n"),
            message,
            line: 0,
            in_check: false,
            status: None,
        });
    }
    Outcome::Broken {
        what: format!("the interpreter or candle panicked: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceUnavailable;
    use warpup_protocol::Reason;

    #[test]
    fn a_card_that_others_have_ends_the_run_and_refuses_nothing() {
        let reason = Reason {
            why: "the card is held by others".to_owned(),
            hint: "run it again later".to_owned(),
            evidence: "CUDA_ERROR_DEVICE_UNAVAILABLE".to_owned(),
        };
        let busy = OpenError::DeviceUnavailable(DeviceUnavailable::Busy(reason.clone()));
        let report = Report::without_times(Outcome::Busy(reason));
        let run = RunId(1);
        assert_eq!(not_run(run, busy), Reply::Finished { run, report });
        let refused = not_run(run, OpenError::NoCuda);
        assert!(matches!(refused, Reply::Refused { run: Some(it), .. } if it == run));
    }
}
