//! How much a worker may say in one run: the app shows no more, whatever a worker sends.
//!
//! A worker has limits of its own. These hold for one that does not keep them, since a program that escapes the
//! interpreter speaks for it. Pure: replies in, replies out. What is left out is said once, in the report.

use std::collections::BTreeSet;
use warpup_protocol::{
    Limits, MAX_BARS, MAX_POINTS, MAX_SERIES, Outcome, Plot, Reason, Reply, Report, cut,
};

/// Bytes of a name: of a check, a metric, a unit, a span, an axis, a title.
pub const NAME: usize = 4 << 10;

/// Bytes of a text: a hint, a message, a traceback, a note.
pub const TEXT: usize = 64 << 10;

/// Checks of a run. Those that failed and those that hold are counted apart, so that no flood hides a failure.
pub const CHECKS: usize = 1_000;

/// Names of metrics of a run. A name may get a new value as often as the program likes.
pub const METRICS: usize = 1_000;

/// Lines in each list of a report.
pub const LINES: usize = 20_000;

/// Notes of a report.
pub const NOTES: usize = 50;

/// Devices of a worker.
pub const DEVICES: usize = 256;

/// Printed bytes beyond [`Limits::output_bytes`]: the worker stops the program itself, and counts otherwise at its end.
const OUTPUT_SLACK: u64 = 1 << 20;

/// What one run has said.
#[derive(Debug)]
pub(super) struct OutputBudget {
    limits: Limits,
    printed: u64,
    held: usize,
    failed: usize,
    metrics: BTreeSet<String>,
    plots: usize,
    spans: usize,
    left_out: LeftOut,
}

/// The numbers of replies that were left out.
#[derive(Debug, Default)]
struct LeftOut {
    checks: u64,
    metrics: u64,
    plots: u64,
    spans: u64,
}

/// What becomes of a reply.
#[derive(Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "it is passed on at once")]
pub(super) enum Admission {
    /// It goes to the app.
    Yes(Reply),
    /// It is left out.
    No,
    /// It is left out, and the run has to stop: it printed too much.
    TooMuchOutput,
}

impl OutputBudget {
    /// Of a run with these limits.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            printed: 0,
            held: 0,
            failed: 0,
            metrics: BTreeSet::new(),
            plots: 0,
            spans: 0,
            left_out: LeftOut::default(),
        }
    }

    /// Decides about a reply that [`shorten`] has shortened.
    pub(super) fn admit(&mut self, reply: Reply) -> Admission {
        let is_admitted = match reply {
            Reply::Output { ref text, .. } => {
                self.printed = self.printed.saturating_add(text.len() as u64);
                if self.printed > self.limits.output_bytes.saturating_add(OUTPUT_SLACK) {
                    return Admission::TooMuchOutput;
                }
                true
            }
            Reply::Check { ref check, .. } => {
                let so_far = if check.ok {
                    &mut self.held
                } else {
                    &mut self.failed
                };
                count(so_far, CHECKS, &mut self.left_out.checks)
            }
            Reply::Metric { ref metric, .. } => {
                let is_known = self.metrics.contains(&metric.name);
                if is_known || self.metrics.len() < METRICS {
                    self.metrics.insert(metric.name.clone());
                    true
                } else {
                    self.left_out.metrics += 1;
                    false
                }
            }
            Reply::Plot { .. } => {
                let most = self.limits.plots as usize;
                count(&mut self.plots, most, &mut self.left_out.plots)
            }
            Reply::Spans { run, mut spans } => {
                let room = (self.limits.spans as usize).saturating_sub(self.spans);
                let sent = spans.len();
                spans.truncate(room);
                self.spans += spans.len();
                self.left_out.spans += (sent - spans.len()) as u64;
                return if spans.is_empty() {
                    Admission::No
                } else {
                    Admission::Yes(Reply::Spans { run, spans })
                };
            }
            // A worker is not what waits.
            Reply::Waiting { .. } => false,
            Reply::Hello { .. }
            | Reply::Started { .. }
            | Reply::Finished { .. }
            | Reply::Refused { .. } => true,
        };
        if is_admitted {
            Admission::Yes(reply)
        } else {
            Admission::No
        }
    }

    /// Says in the report what was left out.
    pub(super) fn conclude(&mut self, report: &mut Report) {
        let LeftOut {
            checks,
            metrics,
            plots,
            spans,
        } = std::mem::take(&mut self.left_out);
        let found = [
            (checks, "checks"),
            (metrics, "metrics"),
            (plots, "plots"),
            (spans, "spans"),
        ];
        let found = found.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = found
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !words.is_empty() {
            report.notes.push(format!(
                "the program gave more than warpup keeps of one run; left out: {}",
                words.join(", ")
            ));
        }
    }
}

/// Counts one more, up to `most`; says whether it was within.
fn count(so_far: &mut usize, most: usize, left_out: &mut u64) -> bool {
    let has_room = *so_far < most;
    if has_room {
        *so_far += 1;
    } else {
        *left_out += 1;
    }
    has_room
}

/// Cuts texts and lists of a reply, whatever its run, so that none fills the memory while it waits.
pub fn shorten(reply: &mut Reply) {
    match reply {
        Reply::Hello {
            warpup, devices, ..
        } => {
            cut(warpup, NAME);
            devices.truncate(DEVICES);
            for device in devices {
                cut(&mut device.title, NAME);
            }
        }
        Reply::Started { device, .. } => cut(&mut device.title, NAME),
        // Its size is limited for the whole run, and by the length of a message.
        Reply::Output { .. } => {}
        Reply::Check { check, .. } => {
            cut(&mut check.name, NAME);
            if let Some(hint) = &mut check.hint {
                cut(hint, TEXT);
            }
        }
        Reply::Metric { metric, .. } => {
            cut(&mut metric.name, NAME);
            cut(&mut metric.unit, NAME);
        }
        Reply::Plot { plot, .. } => shorten_plot(plot),
        Reply::Spans { spans, .. } => spans.iter_mut().for_each(|it| cut(&mut it.name, NAME)),
        Reply::Finished { report, .. } => shorten_report(report),
        Reply::Waiting { why, .. } | Reply::Refused { why, .. } => cut(why, TEXT),
    }
}

fn shorten_plot(plot: &mut Plot) {
    for text in [&mut plot.title, &mut plot.x_label, &mut plot.y_label] {
        cut(text, NAME);
    }
    plot.names.truncate(MAX_BARS);
    plot.names.iter_mut().for_each(|it| cut(it, NAME));
    plot.series.truncate(MAX_SERIES);
    let mut room = MAX_POINTS;
    for series in &mut plot.series {
        cut(&mut series.name, NAME);
        series.points.truncate(room);
        room -= series.points.len();
    }
}

fn shorten_report(report: &mut Report) {
    report.lines.truncate(LINES);
    report.unknown_read.truncate(LINES);
    report.notes.truncate(NOTES);
    report.contended.truncate(NOTES);
    report.notes.iter_mut().for_each(|it| cut(it, NAME));
    if let Some(gaps) = &mut report.gaps {
        gaps.waits.truncate(LINES);
        gaps.idle.truncate(LINES);
    }
    if let Some(memory) = &mut report.memory {
        memory.over_time.truncate(LINES);
    }
    match &mut report.outcome {
        Outcome::Raised(raised) => {
            cut(&mut raised.kind, NAME);
            cut(&mut raised.message, TEXT);
            cut(&mut raised.traceback, TEXT);
        }
        Outcome::Broken { what } => cut(what, TEXT),
        Outcome::Unavailable(reason) | Outcome::Busy(reason) => {
            let Reason {
                why,
                hint,
                evidence,
            } = reason;
            for text in [why, hint, evidence] {
                cut(text, TEXT);
            }
        }
        Outcome::Done | Outcome::Cancelled | Outcome::TimedOut | Outcome::TooMuchOutput => {}
    }
}

/// About how many bytes of memory a reply takes.
pub(super) fn weight(reply: &Reply) -> usize {
    /// A struct of numbers and a short name.
    const ITEM: usize = 128;
    let inside = match reply {
        Reply::Output { text, .. } => text.len(),
        Reply::Check { check, .. } => check.name.len() + check.hint.as_ref().map_or(0, String::len),
        Reply::Metric { metric, .. } => metric.name.len() + metric.unit.len(),
        Reply::Plot { plot, .. } => {
            let points = plot.series.iter().map(|it| it.points.len());
            points.sum::<usize>() * size_of::<(f64, f64)>() + (9 + plot.names.len()) * NAME
        }
        Reply::Spans { spans, .. } => {
            spans.len() * ITEM + spans.iter().map(|it| it.name.len()).sum::<usize>()
        }
        Reply::Finished { report, .. } => report.lines.len() * ITEM + 3 * TEXT,
        Reply::Hello { devices, .. } => devices.len() * (ITEM + NAME),
        Reply::Started { .. } => NAME,
        Reply::Waiting { why, .. } | Reply::Refused { why, .. } => why.len(),
    };
    inside + ITEM
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Check, Metric, RunId, Standard};

    const RUN: RunId = RunId(1);

    fn check(ok: bool) -> Reply {
        let name = "it holds".to_owned();
        let check = Check {
            name,
            ok,
            hint: None,
        };
        Reply::Check { run: RUN, check }
    }

    fn metric(name: &str) -> Reply {
        let metric = Metric {
            name: name.to_owned(),
            value: 1.0,
            unit: String::new(),
        };
        Reply::Metric { run: RUN, metric }
    }

    fn output(bytes: usize) -> Reply {
        Reply::Output {
            run: RUN,
            text: "x".repeat(bytes),
            to: Standard::Output,
        }
    }

    fn admitted(volume: &mut OutputBudget, replies: impl IntoIterator<Item = Reply>) -> usize {
        let replies = replies.into_iter();
        replies
            .filter(|it| matches!(volume.admit(it.clone()), Admission::Yes(_)))
            .count()
    }

    fn notes(volume: &mut OutputBudget) -> Vec<String> {
        let mut report = Report::broken("");
        volume.conclude(&mut report);
        report.notes
    }

    #[test]
    fn a_flood_of_checks_that_hold_hides_no_failure() {
        let mut volume = OutputBudget::new(Limits::default());
        let flood = std::iter::repeat_n(check(true), CHECKS + 7);
        assert_eq!(admitted(&mut volume, flood), CHECKS);
        assert_eq!(admitted(&mut volume, [check(false)]), 1);
        assert_eq!(
            notes(&mut volume),
            ["the program gave more than warpup keeps of one run; left out: 7 checks"]
        );
        // Said once.
        assert_eq!(notes(&mut volume), [""; 0]);
    }

    #[test]
    fn a_metric_may_change_as_often_as_it_likes_and_names_are_counted() {
        let mut volume = OutputBudget::new(Limits::default());
        let names: Vec<String> = (0..METRICS + 2).map(|it| it.to_string()).collect();
        let flood = names.iter().map(|it| metric(it));
        assert_eq!(admitted(&mut volume, flood), METRICS);
        let again = std::iter::repeat_n(metric("0"), 3 * METRICS);
        assert_eq!(admitted(&mut volume, again), 3 * METRICS);
        assert!(notes(&mut volume)[0].ends_with("2 metrics"));
    }

    #[test]
    fn output_beyond_the_limit_stops_the_run() {
        let mut volume = OutputBudget::new(Limits::default());
        assert!(matches!(volume.admit(output(2 << 20)), Admission::Yes(_)));
        assert_eq!(volume.admit(output(1)), Admission::TooMuchOutput);
    }

    #[test]
    fn a_long_text_is_cut_between_letters_and_says_so() {
        let mut text = "é".repeat(10);
        cut(&mut text, 5);
        assert_eq!(text, "éé… (16 bytes more)");
        let mut reply = Reply::Finished {
            run: RUN,
            report: Report::broken("x".repeat(1 << 20)),
        };
        shorten(&mut reply);
        assert!(weight(&reply) < 1 << 20);
        let Reply::Finished { report, .. } = reply else {
            unreachable!()
        };
        let Outcome::Broken { what } = report.outcome else {
            unreachable!()
        };
        assert!(what.ends_with("x… (983040 bytes more)"), "{}", what.len());
    }
}
