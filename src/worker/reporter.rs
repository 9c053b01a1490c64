//! Sends the replies of a running program: printed text, checks, metrics and plots.
//!
//! Printed text is buffered and sent in large pieces or before another reply, so that a program that prints a million
//! lines costs a few messages. It ends at the run's limit.

use crate::protocol::{Check, Limits, Metric, Plot, Reply, RunId};
use std::cell::{Cell, RefCell};

/// The size of the buffer for printed text, in bytes.
const PIECE: usize = 16 << 10;

/// The most notes of a run.
const MAX_NOTES: usize = 16;

/// Sends the replies of one run.
pub(crate) struct Reporter {
    run: RunId,
    send: Box<dyn Fn(Reply)>,
    /// Printed text that was not sent yet.
    pending: RefCell<String>,
    /// All printed text up to the limit, for `lab.output`.
    printed: RefCell<String>,
    limits: Limits,
    full: Cell<bool>,
    plots: Cell<u32>,
    /// What the run does otherwise than PyTorch.
    notes: RefCell<Vec<String>>,
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
pub(crate) struct TooMuch;

impl Reporter {
    /// A reporter for a run with these limits.
    pub(crate) fn new(run: RunId, limits: Limits, send: Box<dyn Fn(Reply)>) -> Self {
        Self {
            run,
            send,
            pending: RefCell::new(String::new()),
            printed: RefCell::new(String::new()),
            limits,
            full: Cell::new(false),
            plots: Cell::new(0),
            notes: RefCell::default(),
        }
    }

    pub(crate) fn print(&self, text: &str) -> Result<(), TooMuch> {
        let room = self
            .limits
            .output_bytes
            .saturating_sub(self.printed.borrow().len() as u64);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let kept = text
            .get(..text.floor_char_boundary(room))
            .unwrap_or_default();
        self.printed.borrow_mut().push_str(kept);
        self.pending.borrow_mut().push_str(kept);
        if kept.len() < text.len() {
            self.full.set(true);
            self.flush();
            return Err(TooMuch);
        }
        if self.pending.borrow().len() >= PIECE {
            self.flush();
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

    pub(crate) fn check(&self, check: Check) {
        self.flush();
        (self.send)(Reply::Check {
            run: self.run,
            check,
        });
    }

    pub(crate) fn metric(&self, metric: Metric) {
        self.flush();
        (self.send)(Reply::Metric {
            run: self.run,
            metric,
        });
    }

    pub(crate) fn plot(&self, plot: Plot) -> Result<(), TooMuch> {
        if self.limits.plots == 0 {
            // The app is older than plots; the program runs as with one that shows them.
            return Ok(());
        }
        if self.plots.get() >= self.limits.plots {
            return Err(TooMuch);
        }
        self.plots.set(self.plots.get() + 1);
        self.flush();
        (self.send)(Reply::Plot {
            run: self.run,
            plot,
        });
        Ok(())
    }

    /// Keeps a note for the report, unless it was given before.
    pub(crate) fn note(&self, text: String) {
        let mut notes = self.notes.borrow_mut();
        if notes.len() < MAX_NOTES && !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// The notes of the run, in order.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    pub(crate) fn flush(&self) {
        let text = std::mem::take(&mut *self.pending.borrow_mut());
        if !text.is_empty() {
            (self.send)(Reply::Output {
                run: self.run,
                text,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn said_after(limit: u64, texts: &[&str]) -> (Vec<String>, bool) {
        let said = Rc::new(RefCell::new(Vec::new()));
        let heard = Rc::clone(&said);
        let say = move |reply| {
            if let Reply::Output { text, .. } = reply {
                heard.borrow_mut().push(text);
            }
        };
        let limits = Limits {
            output_bytes: limit,
            ..Limits::default()
        };
        let reporter = Reporter::new(RunId(1), limits, Box::new(say));
        for text in texts {
            if reporter.print(text).is_err() {
                break;
            }
        }
        reporter.flush();
        let said = said.borrow().clone();
        (said, reporter.is_full())
    }

    #[test]
    fn short_prints_come_together() {
        assert_eq!(
            said_after(100, &["6.0", " ", "24.0\n"]),
            (vec!["6.0 24.0\n".to_owned()], false)
        );
    }

    #[test]
    fn printing_stops_at_the_limit_between_characters() {
        assert_eq!(
            said_after(5, &["abcé", "def"]),
            (vec!["abcé".to_owned()], true)
        );
        assert_eq!(said_after(4, &["abcé"]), (vec!["abc".to_owned()], true));
    }

    #[test]
    fn an_app_that_does_not_know_plots_is_sent_none() {
        let plot = Plot {
            title: String::new(),
            x_label: String::new(),
            y_label: String::new(),
            log: crate::protocol::LogAxes::None,
            source: crate::protocol::PlotSource::Run,
            series: Vec::new(),
        };
        let sent = |plots| {
            let said = Rc::new(Cell::new(0));
            let heard = Rc::clone(&said);
            let limits = Limits {
                plots,
                ..Limits::default()
            };
            let say = move |_| heard.set(heard.get() + 1);
            let reporter = Reporter::new(RunId(1), limits, Box::new(say));
            let made = [(); 3].map(|()| reporter.plot(plot.clone()).is_ok());
            (said.get(), made)
        };
        assert_eq!(sent(0), (0, [true; 3]));
        assert_eq!(sent(2), (2, [true, true, false]));
    }
}
