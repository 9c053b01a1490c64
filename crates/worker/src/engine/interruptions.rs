//! Time in which the interpreter's thread was ready to run and another program had its core: what the host's clock counts, and the
//! line did not do.
//!
//! The count is read only where a line took long, since reading it takes longer than most lines do.

use super::state::Engine;
use crate::run_delay::RunDelay;
use crate::trace::Recorder;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use warpup_protocol::Clock;

/// From this time of a line on, the count is read: who loses a core does so for longer.
const LONG_NS: u64 = 200_000;

/// After this time it is read between short lines, too, so that a long one does not get what they have lost.
const OLD_NS: u64 = 1_000_000;

/// The count of a run, where its clock is measured and the system counts.
#[derive(Debug, Default)]
pub(super) struct Interruptions {
    counts: OnceCell<Rc<RunDelay>>,
    /// The count when the program began, and when it was read last.
    first_ns: Cell<u64>,
    last_ns: Cell<u64>,
    /// The time of the program's clock at which it was.
    read_at_ns: Cell<u64>,
}

impl Interruptions {
    /// The program begins.
    fn start(&self) {
        let count = self.count().unwrap_or(0);
        self.first_ns.set(count);
        self.last_ns.set(count);
        self.read_at_ns.set(0);
    }

    fn count(&self) -> Option<u64> {
        self.counts.get()?.ns()
    }

    /// How much more it is than when it was read last.
    fn since(&self, now: u64) -> u64 {
        let Some(count) = self.count() else {
            return 0;
        };
        self.read_at_ns.set(now);
        count.saturating_sub(self.last_ns.replace(count))
    }

    /// All of it since the program began.
    fn in_all(&self) -> u64 {
        self.last_ns.get().saturating_sub(self.first_ns.get())
    }
}

impl Engine {
    /// Reads these counts of the thread from now on. A model has no clock that could be interrupted.
    pub(crate) fn count_interruptions(&self, counts: &Rc<RunDelay>) {
        if self.clock() == Clock::Measured {
            self.interruptions.counts.get_or_init(|| Rc::clone(counts));
        }
    }

    /// The program begins.
    pub(super) fn start_interruptions(&self) {
        self.interruptions.start();
    }

    /// The line that runs has come to `now`, and is charged afterwards: says how much of its time it had no core.
    pub(super) fn note_interruption(&self, recorder: &mut Recorder, now: u64) {
        let it = &self.interruptions;
        if it.counts.get().is_none() {
            return;
        }
        if recorder.own_time_until(now) >= LONG_NS {
            recorder.interrupt(it.since(now));
        } else if now.saturating_sub(it.read_at_ns.get()) >= OLD_NS {
            // Of lines so short that none has lost its core.
            it.since(now);
        }
    }

    /// Recording or sending took so long until `now`, and is no line's. If the core was lost meanwhile, neither is that.
    pub(super) fn note_interruption_of_recording(&self, took_ns: u64, now: u64) {
        if took_ns >= LONG_NS {
            let of_line = self.interruptions.since(now).saturating_sub(took_ns);
            self.recorder.borrow_mut().interrupt(of_line);
        }
    }

    /// How long the thread had no core from the begin of the program to `now`, whatever it did.
    pub(super) fn interrupted_ns(&self, now: u64) -> u64 {
        self.interruptions.since(now);
        self.interruptions.in_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::Cpu;
    use std::io::{Seek, SeekFrom, Write};
    use warpup_protocol::{Outcome, Report};

    /// A program, and what the system counts of its thread.
    struct Watched {
        engine: Rc<Engine>,
        file: std::fs::File,
    }

    impl Watched {
        fn new() -> Self {
            let file = tempfile::tempfile().unwrap();
            let engine = Engine::new(Box::new(Cpu::new()), 0);
            let mut watched = Self { engine, file };
            watched.lost(7_000_000);
            let counts = RunDelay::in_file(watched.file.try_clone().unwrap());
            watched.engine.count_interruptions(&Rc::new(counts));
            watched.engine.start();
            watched
        }

        fn lost(&mut self, ns: u64) {
            self.file.seek(SeekFrom::Start(0)).unwrap();
            writeln!(self.file, "1 {ns} 1").unwrap();
        }

        /// Comes to a line, which takes so long.
        fn line(&self, line: u32, ns: u64) {
            self.engine.reach(line, 1);
            wait(&self.engine, ns);
        }

        fn report(&self) -> Report {
            self.engine.report(Outcome::Done).0
        }
    }

    fn wait(engine: &Engine, ns: u64) {
        let until = engine.now() + ns;
        while engine.now() < until {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn a_long_line_gets_what_its_thread_has_lost() {
        let mut watched = Watched::new();
        watched.line(1, 2 * LONG_NS);
        watched.lost(7_100_000);
        watched.line(2, 2 * LONG_NS);
        let report = watched.report();
        let lines: Vec<u64> = report.lines.iter().map(|it| it.interrupted_ns).collect();
        assert_eq!((lines, report.interrupted_ns), (vec![100_000, 0], 100_000));
    }

    #[test]
    fn sending_is_no_line_s_time_and_what_is_lost_meanwhile_no_line_s_loss() {
        let mut watched = Watched::new();
        watched.line(1, 2 * LONG_NS);
        let engine = Rc::clone(&watched.engine);
        engine.beside_lines(|| {
            wait(&engine, 5 * LONG_NS);
            watched.lost(7_900_000);
        });
        watched.line(2, 0);
        let report = watched.report();
        let first = report.lines[0];
        assert!(report.recording_ns >= 5 * LONG_NS);
        assert!(first.host_ns + report.recording_ns <= report.host_ns);
        assert_eq!((first.interrupted_ns, report.interrupted_ns), (0, 900_000));
    }
}
