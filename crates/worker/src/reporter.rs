//! Sends the replies of a running program: printed text, checks, metrics and plots.
//!
//! Printed text is buffered and sent in large pieces, before another reply, or a moment after it was printed: a
//! program that prints a million lines costs a few messages, and a line is seen while the next one is computed. It
//! ends at the run's limit.

use super::truncate;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use warpup_protocol::{Check, Limits, Metric, Plot, Reply, RunId, Standard};

/// The size of the buffer for printed text, in bytes.
const PIECE: usize = 16 << 10;

/// The most checks of a run, and the most metrics; more are too much output.
const MAX_CHECKS: u32 = 1_000;
const MAX_METRICS: u32 = 10_000;

/// The most notes of a run.
const MAX_NOTES: usize = 16;

/// The most bytes of one printed text in a message, whose length is limited.
const LONGEST: usize = 1 << 20;

/// How long printed text waits for more: too short for people to see.
const WAIT: Duration = Duration::from_millis(20);

/// The most bytes of printed text that `lab.output` has.
const REMEMBERED: usize = 1 << 20;

/// What sends a reply.
type Send = dyn Fn(Reply) + std::marker::Send + Sync;

/// Sends the replies of one run.
pub(crate) struct Reporter {
    run: RunId,
    send: Arc<Send>,
    buffer: Arc<Buffer>,
    /// The start of all printed text, for `lab.output`.
    printed: RefCell<String>,
    /// The bytes of all printed text.
    bytes: Cell<u64>,
    limits: Limits,
    full: Cell<bool>,
    plots: Cell<u32>,
    checks: Cell<u32>,
    metrics: Cell<u32>,
    /// What the run does otherwise than PyTorch.
    notes: RefCell<Vec<String>>,
    /// The program has ended, and its check runs.
    is_checked: Cell<bool>,
}

/// Printed text that was not sent yet, shared with the thread that sends it when nothing else does.
#[derive(Default)]
struct Buffer {
    pending: Mutex<Pending>,
    has_changed: Condvar,
}

#[derive(Default)]
struct Pending {
    text: String,
    to: Standard,
    /// Whether the run is over.
    is_over: bool,
}

impl std::fmt::Debug for Reporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reporter")
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

/// The program printed or plotted more than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutputLimitReached;

impl Reporter {
    /// A reporter for a run with these limits.
    pub(crate) fn new(
        run: RunId,
        limits: Limits,
        send: impl Fn(Reply) + std::marker::Send + Sync + 'static,
    ) -> Self {
        let send: Arc<Send> = Arc::new(send);
        let buffer = Arc::<Buffer>::default();
        let (shared, sender) = (Arc::clone(&buffer), Arc::clone(&send));
        // Without the thread, text comes in pieces and at the end.
        let _started = thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || shared.send_in_time(run, &*sender));
        Self {
            run,
            send,
            buffer,
            printed: RefCell::new(String::new()),
            bytes: Cell::new(0),
            limits,
            full: Cell::new(false),
            plots: Cell::new(0),
            checks: Cell::new(0),
            metrics: Cell::new(0),
            notes: RefCell::default(),
            is_checked: Cell::new(false),
        }
    }

    pub(crate) fn print(&self, text: &str, to: Standard) -> Result<(), OutputLimitReached> {
        let room = self.limits.output_bytes.saturating_sub(self.bytes.get());
        let kept = up_to(text, usize::try_from(room).unwrap_or(usize::MAX));
        self.bytes.set(self.bytes.get() + kept.len() as u64);
        let mut printed = self.printed.borrow_mut();
        let remembered = up_to(kept, REMEMBERED.saturating_sub(printed.len()));
        printed.push_str(remembered);
        let is_cut = kept.len() < text.len();
        self.buffer.add(kept, to, self.run, &*self.send);
        if is_cut {
            self.full.set(true);
            self.flush();
            return Err(OutputLimitReached);
        }
        Ok(())
    }

    /// The last character that was printed.
    pub(crate) fn last_printed(&self) -> Option<char> {
        self.printed.borrow().chars().next_back()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.full.get()
    }

    pub(crate) fn printed(&self) -> String {
        self.printed.borrow().clone()
    }

    pub(crate) fn check(&self, check: Check) -> Result<(), OutputLimitReached> {
        self.count(&self.checks, MAX_CHECKS)?;
        self.flush();
        (self.send)(Reply::Check {
            run: self.run,
            check: truncate::check(check),
        });
        Ok(())
    }

    pub(crate) fn metric(&self, metric: Metric) -> Result<(), OutputLimitReached> {
        self.count(&self.metrics, MAX_METRICS)?;
        self.flush();
        (self.send)(Reply::Metric {
            run: self.run,
            metric: truncate::metric(metric),
        });
        Ok(())
    }

    /// Counts something of which a run has so many at most.
    fn count(&self, counter: &Cell<u32>, most: u32) -> Result<(), OutputLimitReached> {
        if counter.get() >= most {
            self.full.set(true);
            return Err(OutputLimitReached);
        }
        counter.set(counter.get() + 1);
        Ok(())
    }

    pub(crate) fn plot(&self, plot: Plot) -> Result<(), OutputLimitReached> {
        if self.limits.plots == 0 {
            // The app is older than plots; the program runs as with one that shows them.
            return Ok(());
        }
        if self.plots.get() >= self.limits.plots {
            return Err(OutputLimitReached);
        }
        self.plots.set(self.plots.get() + 1);
        self.flush();
        (self.send)(Reply::Plot {
            run: self.run,
            plot: truncate::plot(plot),
        });
        Ok(())
    }

    /// Keeps a note for the report, unless it was given before, or is about what a check does.
    pub(crate) fn note(&self, text: String) {
        let mut notes = self.notes.borrow_mut();
        if !self.is_checked.get() && notes.len() < MAX_NOTES && !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// The program has ended: the notes are about it, not about what its check does.
    pub(crate) fn end_program(&self) {
        self.is_checked.set(true);
    }

    /// The notes of the run, in order.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    pub(crate) fn flush(&self) {
        self.buffer.locked().send(self.run, &*self.send);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.buffer.locked().is_over = true;
        self.buffer.has_changed.notify_one();
    }
}

impl Buffer {
    fn locked(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds text, and sends what is there when it is much.
    fn add(&self, text: &str, to: Standard, run: RunId, send: &Send) {
        let mut pending = self.locked();
        if pending.to != to {
            pending.send(run, send);
            pending.to = to;
        }
        let mut rest = text;
        while !rest.is_empty() {
            let part = up_to(rest, LONGEST);
            rest = rest.get(part.len()..).unwrap_or_default();
            let was_empty = pending.text.is_empty();
            pending.text.push_str(part);
            if pending.text.len() >= PIECE {
                pending.send(run, send);
            } else if was_empty {
                self.has_changed.notify_one();
            }
        }
    }

    /// Sends what is printed, soon after it was, until the run is over.
    fn send_in_time(&self, run: RunId, send: &Send) {
        let mut pending = self.locked();
        while !pending.is_over {
            if pending.text.is_empty() {
                let woken = self.has_changed.wait(pending);
                pending = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            drop(pending);
            thread::sleep(WAIT);
            pending = self.locked();
            pending.send(run, send);
        }
    }
}

impl Pending {
    /// Sends the text. The buffer is locked meanwhile, so that texts arrive in their order.
    fn send(&mut self, run: RunId, send: &Send) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() && !self.is_over {
            let to = self.to;
            send(Reply::Output { run, text, to });
        }
    }
}

/// The start of a text, at most this many bytes of it.
fn up_to(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::sync_channel;

    /// A reporter, and what it sends.
    fn reporter(limits: Limits) -> (Reporter, std::sync::mpsc::Receiver<Reply>) {
        let (sender, said) = sync_channel(64);
        let send = move |reply| drop(sender.send(reply));
        (Reporter::new(RunId(1), limits, send), said)
    }

    /// Printed texts as they were sent, those of one stream joined: how they are cut depends on time.
    fn said_after(limit: u64, texts: &[&str]) -> (Vec<(Standard, String)>, bool) {
        let (reporter, said) = reporter(Limits {
            output_bytes: limit,
            ..Limits::default()
        });
        for text in texts {
            let to = if text.starts_with('!') {
                Standard::Error
            } else {
                Standard::Output
            };
            if reporter.print(text, to).is_err() {
                break;
            }
        }
        reporter.flush();
        let is_full = reporter.is_full();
        drop(reporter);
        let mut joined: Vec<(Standard, String)> = Vec::new();
        for reply in said.try_iter() {
            let Reply::Output { text, to, .. } = reply else {
                continue;
            };
            match joined.last_mut().filter(|it| it.0 == to) {
                Some(last) => last.1.push_str(&text),
                None => joined.push((to, text)),
            }
        }
        (joined, is_full)
    }

    fn output(text: &str) -> (Standard, String) {
        (Standard::Output, text.to_owned())
    }

    #[test]
    fn prints_come_in_their_order() {
        assert_eq!(
            said_after(100, &["6.0", " ", "24.0\n"]),
            (vec![output("6.0 24.0\n")], false)
        );
    }

    #[test]
    fn printing_stops_at_the_limit_between_characters() {
        assert_eq!(
            said_after(5, &["abcé", "def"]),
            (vec![output("abcé")], true)
        );
        assert_eq!(said_after(4, &["abcé"]), (vec![output("abc")], true));
    }

    #[test]
    fn both_streams_keep_their_order_and_share_the_limit() {
        let error = (Standard::Error, "!b\n".to_owned());
        assert_eq!(
            said_after(6, &["a\n", "!b\n", "cd\n"]),
            (vec![output("a\n"), error, output("c")], true)
        );
    }

    #[test]
    fn text_is_sent_while_the_program_goes_on() {
        let (reporter, said) = reporter(Limits::default());
        reporter.print("epoch 1\n", Standard::Output).unwrap();
        // No flush: the wait is for the thread that sends it.
        let text = "epoch 1\n".to_owned();
        let (run, to) = (RunId(1), Standard::Output);
        assert_eq!(said.recv(), Ok(Reply::Output { run, text, to }));
    }

    #[test]
    fn an_app_that_does_not_know_plots_is_sent_none() {
        let plot = Plot {
            title: String::new(),
            x_label: String::new(),
            y_label: String::new(),
            log: warpup_protocol::LogAxes::None,
            source: warpup_protocol::PlotSource::Run,
            series: Vec::new(),
            names: Vec::new(),
        };
        let sent = |plots| {
            let said = Arc::new(AtomicU32::new(0));
            let heard = Arc::clone(&said);
            let limits = Limits {
                plots,
                ..Limits::default()
            };
            let say = move |_| {
                heard.fetch_add(1, Ordering::Relaxed);
            };
            let reporter = Reporter::new(RunId(1), limits, say);
            let made = [(); 3].map(|()| reporter.plot(plot.clone()).is_ok());
            (said.load(Ordering::Relaxed), made)
        };
        assert_eq!(sent(0), (0, [true; 3]));
        assert_eq!(sent(2), (2, [true, true, false]));
    }
}
